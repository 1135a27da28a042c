/* How a world's classes are laid out, as a number. */
#include "compiler/check/check.h"
#include "runtime/base/hash.h"

static uint64_t mix(uint64_t hash, uint64_t value) {
    return hash_bytes(&value, sizeof value, hash);
}

static uint64_t mix_text(uint64_t hash, Str text) {
    return hash_bytes(text.ptr, text.len, mix(hash, text.len));
}

static uint64_t mix_children(uint64_t hash, const TreeProgram *program, const TreeChild *items,
                             int count) {
    for (int i = 0; i < count; i++) {
        hash = mix_text(hash, symbols_name(program->symbols, items[i].name));
        hash = mix(hash, (uint64_t)items[i].cls->index);
    }
    return mix(hash, (uint64_t)count);
}

uint64_t check_layout(const TreeProgram *program, Arena *arena) {
    uint64_t hash = (uint64_t)program->classes.count;
    for (int i = 0; i < program->classes.count; i++) {
        const TreeClass *cls = program->classes.items[i];
        hash = mix(mix_text(hash, cls->name), cls->base ? (uint64_t)cls->base->index : UINT64_MAX);
        for (int f = 0; f < cls->fields.count; f++) {
            const TreeField *field = &cls->fields.items[f];
            hash = mix_text(hash, symbols_name(program->symbols, field->name));
            hash = mix(mix_text(hash, type_name(field->type, program->symbols, arena)),
                       (uint64_t)field->slot);
        }
        hash = mix_children(hash, program, cls->children.items, cls->children.count);
        hash = mix_children(hash, program, cls->families.items, cls->families.count);
    }
    return hash;
}
