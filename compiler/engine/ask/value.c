/* Values handed to a host: a tree of kinds, numbers and texts, independent of the world once
 * made. */
#include "compiler/engine/ask/ask.h"

#include "stdlib/library_names.h"

struct WorldValue {
    WorldEngine *engine; /* of the outermost value; NULL in items, as is their arena */
    Arena arena;
    WorldValueKind kind;
    const char *type, *text, *json;
    const char *chars; /* of TEXT */
    double numbers[3];
    int number_count;
    int64_t count;
    WorldValue **items;
    const char **names;
};

void value_print(const ValuePrinter *p, const Type *type, const Slot *slots) {
    StrBuf shape = {.arena = p->out->arena};
    type_shape(&shape, type, &p->world->compile->symbols);
    print_shapes(p->out, strbuf_take(&shape), slots);
}

static const char *terminated(Arena *arena, const StrBuf *buf) {
    return buf->ptr ? buf->ptr : arena_strndup(arena, "", 0);
}

WorldValueKind value_kind(const World *world, const Type *type) {
    switch (type->kind) {
    case TYPE_NUMBER:
    case TYPE_ANY_QUANTITY:
    case TYPE_METERS_OR_NUMBER:
        return WORLD_VALUE_NUMBER;
    case TYPE_INT:
    case TYPE_U32:
        return WORLD_VALUE_INT;
    case TYPE_BOOL:
        return WORLD_VALUE_BOOL;
    case TYPE_TEXT:
    case TYPE_ONE_OF:
    case TYPE_NAME:
    case TYPE_PATH:
        return WORLD_VALUE_TEXT;
    case TYPE_POINT:
    case TYPE_VECTOR:
    case TYPE_COLOR:
        return WORLD_VALUE_VECTOR;
    case TYPE_LIST:
    case TYPE_TUPLE:
        return WORLD_VALUE_LIST;
    case TYPE_RECORD:
        return contents_type(world, type) ? WORLD_VALUE_LIST : WORLD_VALUE_RECORD;
    case TYPE_PART:
    case TYPE_ANY_PART:
        return WORLD_VALUE_PART;
    case TYPE_OBJECT:
        return str_equal(symbols_name(&world->compile->symbols, type->name),
                         STR_LIT(STD_grid_heightGrid))
                   ? WORLD_VALUE_GRID
                   : WORLD_VALUE_OBJECT;
    case TYPE_FN:
    case TYPE_CONTRACT:
    case TYPE_DESIGN:
        return WORLD_VALUE_OBJECT;
    case TYPE_POISON:
    case TYPE_UNIT:
    case TYPE_NONE:
    case TYPE_OPTIONAL:
    case TYPE_VAR:
    case TYPE_KIND_COUNT:
        break;
    }
    return WORLD_VALUE_NONE;
}

static void fill_numbers(WorldValue *value, const Type *type, const Slot *slots) {
    value->number_count = value->kind == WORLD_VALUE_VECTOR ? 3 : 1;
    if (value->kind == WORLD_VALUE_BOOL)
        value->numbers[0] = (double)slots[0].w;
    else if (value->kind == WORLD_VALUE_INT)
        value->numbers[0] = type->kind == TYPE_INT ? (double)slots[0].i : (double)slots[0].w;
    else if (value->kind == WORLD_VALUE_NUMBER || value->kind == WORLD_VALUE_VECTOR)
        for (int i = 0; i < value->number_count; i++)
            value->numbers[i] = slots[i].f;
    else
        value->number_count = 0;
}

static WorldValue *make(World *world, Arena *arena, const Type *type, const Slot *slots);

static void fill_list(World *world, Arena *arena, WorldValue *value, const Type *type,
                      const Slot *slots) {
    const RtList *list = slots[0].r;
    value->count = rt_list_length(list);
    value->items = ARENA_ARRAY(arena, WorldValue *, value->count);
    for (int64_t i = 0; i < value->count; i++)
        value->items[i] = make(world, arena, type->element, rt_list_item(list, i));
}

static void fill_tuple(World *world, Arena *arena, WorldValue *value, const Type *type,
                       const Slot *slots) {
    value->count = type->item_count;
    value->items = ARENA_ARRAY(arena, WorldValue *, value->count);
    for (int i = 0; i < type->item_count; slots += type->items[i]->slot_count, i++)
        value->items[i] = make(world, arena, type->items[i], slots);
}

/* "(K, V)", "(1, 2 m)", "[1,2]" of a pair's two. */
static const char *join_texts(Arena *arena, char open, const char *a, const char *between,
                              const char *b, char close) {
    StrBuf out = {.arena = arena};
    strbuf_printf(&out, "%c%s%s%s%c", open, a, between, b, close);
    return out.ptr;
}

static WorldValue *make_pair(World *world, Arena *arena, const Type *const types[2],
                             const Slot *row) {
    WorldValue *pair = ARENA_NEW(arena, WorldValue);
    WorldValue *a = make(world, arena, types[0], row);
    WorldValue *b = make(world, arena, types[1], row + types[0]->slot_count);
    *pair = (WorldValue){.kind = WORLD_VALUE_LIST,
                         .count = 2,
                         .items = ARENA_ARRAY(arena, WorldValue *, 2)};
    pair->items[0] = a;
    pair->items[1] = b;
    pair->type = join_texts(arena, '(', a->type, ", ", b->type, ')');
    pair->text = join_texts(arena, '(', a->text, ", ", b->text, ')');
    pair->json = join_texts(arena, '[', a->json, ",", b->json, ']');
    return pair;
}

static void fill_contents(World *world, Arena *arena, WorldValue *value, const Contents *contents) {
    value->count = rt_list_length(contents->rows);
    value->items = ARENA_ARRAY(arena, WorldValue *, value->count);
    for (int64_t i = 0; i < value->count; i++) {
        const Slot *row = rt_list_item(contents->rows, i);
        value->items[i] = contents->columns > 1 ? make_pair(world, arena, contents->types, row)
                                                : make(world, arena, contents->types[0], row);
    }
}

static void fill_record(World *world, Arena *arena, WorldValue *value, const Type *type,
                        const Slot *slots) {
    const TreeRecord *record = type->record;
    value->count = record->fields.count;
    value->items = ARENA_ARRAY(arena, WorldValue *, value->count);
    value->names = ARENA_ARRAY(arena, const char *, value->count);
    for (int i = 0; i < record->fields.count; i++) {
        Str name = symbols_name(&world->compile->symbols, record->fields.items[i].name);
        value->names[i] = arena_strndup(arena, name.ptr, name.len);
        value->items[i] =
            make(world, arena, record->fields.items[i].type, slots + record->slots.items[i]);
    }
}

static void fill_texts(World *world, Arena *arena, WorldValue *value, const Type *type,
                       const Slot *slots) {
    StrBuf text = {.arena = arena}, json = {.arena = arena};
    value_print(&(ValuePrinter){world, &text}, type, slots);
    value_print_json(&(ValuePrinter){world, &json}, type, slots);
    Str name = type_name(type, &world->compile->symbols, arena);
    value->type = arena_strndup(arena, name.ptr, name.len);
    value->text = terminated(arena, &text);
    value->json = terminated(arena, &json);
}

static const char *chars_of(Arena *arena, const WorldValue *value, const Type *type, const Slot *slots) {
    if (type->kind != TYPE_TEXT) return value->text;
    const RtText *text = slots[0].r;
    return text ? arena_strndup(arena, text->text.ptr, text->text.len) : "";
}

static WorldValue *make(World *world, Arena *arena, const Type *type, const Slot *slots) {
    WorldValue *value = ARENA_NEW(arena, WorldValue);
    Contents contents;
    fill_texts(world, arena, value, type, slots);
    if (type->kind == TYPE_OPTIONAL && slots[0].w) {
        type = type->element;
        slots++;
    }
    value->kind = value_kind(world, type);
    fill_numbers(value, type, slots);
    if (value->kind == WORLD_VALUE_TEXT) value->chars = chars_of(arena, value, type, slots);
    if (type->kind == TYPE_LIST)
        fill_list(world, arena, value, type, slots);
    else if (type->kind == TYPE_TUPLE)
        fill_tuple(world, arena, value, type, slots);
    else if (contents_open(world, arena, type, slots, &contents))
        fill_contents(world, arena, value, &contents);
    else if (type->kind == TYPE_RECORD)
        fill_record(world, arena, value, type, slots);
    return value;
}

/* NULL when there is no memory. */
static WorldValue *make_guarded(World *world, Arena *arena, const Type *type, const Slot *slots) {
    Recover recover;
    if (!MEMORY_TRY(&recover)) return NULL;
    WorldValue *value = make(world, arena, type, slots);
    memory_end_try(&recover);
    return value;
}

WorldValue *value_create(World *world, const Type *type, const Slot *slots) {
    Arena arena;
    arena_init(&arena, &world->engine->memory);
    WorldValue *value = make_guarded(world, &arena, type, slots);
    if (value == NULL) {
        arena_fini(&arena);
        memory_fail();
    }
    value->arena = arena;
    value->engine = world->engine;
    engine_hold(value->engine);
    return value;
}

void world_value_destroy(WorldValue *value) {
    if (value == NULL || value->engine == NULL) return;
    WorldEngine *engine = value->engine;
    Arena arena = value->arena; /* the value lies in its own arena */
    arena_fini(&arena);
    engine_release(engine);
}

WorldValueKind world_value_kind(const WorldValue *value) {
    return value ? value->kind : WORLD_VALUE_NONE;
}

const char *world_value_type(const WorldValue *value) {
    return value ? value->type : "";
}

const char *world_value_text(const WorldValue *value) {
    return value ? value->text : "";
}

const char *world_value_json(const WorldValue *value) {
    return value ? value->json : "null";
}

const char *world_value_chars(const WorldValue *value) {
    return value ? value->chars : NULL;
}

int world_value_numbers(const WorldValue *value, double out[3]) {
    if (value == NULL) return 0;
    for (int i = 0; i < value->number_count; i++)
        out[i] = value->numbers[i];
    return value->number_count;
}

int64_t world_value_count(const WorldValue *value) {
    return value ? value->count : 0;
}

const WorldValue *world_value_item(const WorldValue *value, int64_t index) {
    return value && index >= 0 && index < value->count ? value->items[index] : NULL;
}

const char *world_value_item_name(const WorldValue *value, int64_t index) {
    return value && value->names && index >= 0 && index < value->count ? value->names[index] : NULL;
}
