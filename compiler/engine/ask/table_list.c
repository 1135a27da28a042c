/* Any list of the world as a table: a row an item, a column a field. Records in records are
 * flattened ("foot.width"); what is neither a number nor a text is told as its author would
 * write it. */
#include "compiler/engine/ask/ask.h"

typedef struct Optional { /* one that a column lies in */
    int slot;             /* that says whether it is there */
    const struct Optional *outer;
} Optional;

typedef struct Leaf { /* what becomes a column */
    const Type *type;
    int column;
    int slot;
    const Optional *optional; /* the innermost; NULL: it is always there */
} Leaf;

typedef struct Flattening {
    World *world;
    Arena *arena;
    WorldTable *table;
    VEC(Leaf) leaves;
} Flattening;

static Str join_names(Arena *arena, Str outer, Str name) {
    return outer.len ? str_printf(arena, "%.*s.%.*s", STR_ARG(outer), STR_ARG(name)) : name;
}

static bool is_plain(WorldValueKind kind) {
    return kind == WORLD_VALUE_NUMBER || kind == WORLD_VALUE_INT || kind == WORLD_VALUE_BOOL ||
           kind == WORLD_VALUE_VECTOR;
}

static void add_leaf(Flattening *f, Str name, const Type *type, int slot,
                     const Optional *optional) {
    WorldValueKind kind = value_kind(f->world, type);
    if (!is_plain(kind)) kind = WORLD_VALUE_TEXT;
    Str type_text = type_name(type, &f->world->compile->symbols, f->arena);
    Str column = name.len ? name : STR_LIT("value");
    Leaf leaf = {type, table_column(f->table, column, type_text, kind), slot, optional};
    VEC_PUSH(f->arena, &f->leaves, leaf);
}

static void add_leaves(Flattening *f, Str name, const Type *type, int slot,
                       const Optional *optional) {
    if (type->kind == TYPE_OPTIONAL) {
        Optional *own = ARENA_NEW(f->arena, Optional);
        *own = (Optional){slot, optional};
        add_leaves(f, name, type->element, slot + 1, own);
    } else if (type->kind == TYPE_RECORD && !contents_type(f->world, type)) {
        const TreeRecord *record = type->record;
        for (int i = 0; i < record->fields.count; i++) {
            Str field = symbols_name(&f->world->compile->symbols, record->fields.items[i].name);
            add_leaves(f, join_names(f->arena, name, field), record->fields.items[i].type,
                       slot + record->slots.items[i], optional);
        }
    } else {
        add_leaf(f, name, type, slot, optional);
    }
}

static Str text_of(const Flattening *f, const Type *type, const Slot *slots) {
    if (type->kind == TYPE_TEXT || type->kind == TYPE_NAME || type->kind == TYPE_PATH) {
        const RtText *text = slots[0].r;
        return text ? text->text : (Str){0};
    }
    StrBuf out = {.arena = f->arena};
    value_print(&(ValuePrinter){f->world, &out}, type, slots);
    return strbuf_take(&out);
}

static void put_leaf(const Flattening *f, const Leaf *leaf, const Slot *row) {
    const Slot *slots = row + leaf->slot;
    for (const Optional *optional = leaf->optional; optional; optional = optional->outer)
        if (row[optional->slot].w == 0) return;
    switch ((int)world_table_kind(f->table, leaf->column)) {
    case WORLD_VALUE_VECTOR:
        table_put_vector(f->table, leaf->column, slots);
        break;
    case WORLD_VALUE_TEXT:
        table_put_text(f->table, leaf->column, text_of(f, leaf->type, slots));
        break;
    default:
        table_put(f->table, leaf->column, slots[0]);
    }
}

static void put_list(Flattening *f, const Type *element, const RtList *list) {
    add_leaves(f, (Str){0}, element, 0, NULL);
    for (int64_t i = 0; i < rt_list_length(list); i++) {
        ArenaMark mark = arena_mark(f->arena);
        table_begin_row(f->table);
        for (int c = 0; c < f->leaves.count; c++)
            put_leaf(f, &f->leaves.items[c], rt_list_item(list, i));
        arena_release(f->arena, mark);
    }
}

WorldStatus table_fill(World *world, Rt *rt, WorldTable *table, const Type *type,
                       const RtList *list) {
    if (type->kind != TYPE_LIST) return WORLD_ERROR_NOT_FOUND;
    const Type *element = type->element;
    if (element->kind == TYPE_PART || element->kind == TYPE_ANY_PART) return WORLD_ERROR_NOT_FOUND;
    Flattening flattening = {.world = world, .arena = rt->arena, .table = table};
    put_list(&flattening, element, list);
    return WORLD_OK;
}

static WorldStatus list_table(World *world, Rt *rt, WorldTable *table, void *args) {
    Question question = {.text = str_of(args)};
    WorldStatus status = question_compile(world, &question);
    if (status == WORLD_OK) status = question_run(world, &question, rt);
    if (status != WORLD_OK) return status;
    return table_fill(world, rt, table, question.type, question.slots[0].r);
}

WorldStatus world_table(World *world, const char *expression, WorldTable **table) {
    if (expression == NULL) return WORLD_ERROR_ARGUMENT;
    return table_entry(world, list_table, (void *)(uintptr_t)expression, table);
}
