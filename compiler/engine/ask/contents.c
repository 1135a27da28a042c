/* The library's containers as values to hash and to hand on: rows of what they hold, nothing of how they keep it. */
#include "compiler/engine/ask/ask.h"
#include "runtime/rt/contents.h"

bool contents_type(const World *world, const Type *type) {
    const Type *types[2];
    return type->kind == TYPE_RECORD &&
           record_contents(type->record, &world->compile->symbols, types);
}

bool contents_open(const World *world, Arena *arena, const Type *type, const Slot *slots,
                   Contents *contents) {
    if (type->kind != TYPE_RECORD) return false;
    ContainerKind kind = record_contents(type->record, &world->compile->symbols, contents->types);
    if (kind == CONTAINER_NONE) return false;
    Str letters = kind == CONTAINER_HEAP ? str_of(contents->types[1]->slots) : STR_LIT("");
    contents->columns = container_columns(kind);
    contents->rows = contents_rows(arena, kind, letters, slots);
    return true;
}
