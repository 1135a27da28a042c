/* world_numbers: which numbers of the text a field is given by, and how far they may go. */
#include <math.h>
#include <stdlib.h>

#include "compiler/engine/why/why.h"

typedef struct Number {
    const RtPart *part;
    const TreeField *field;
    const Tree *literal;
    double value, low, high; /* in the literal's unit */
    bool shared;             /* other fields are given by it, too: copies of a design */
} Number;

typedef struct Numbers {
    Explain explain; /* lends the arena and the units of literals */
    VEC(Number) items;
} Numbers;

/* A constant in inner units; NAN: none, or nothing so simple. */
static double constant(const Tree *tree) {
    const Tree *literal = tree ? explain_literal(tree) : NULL;
    if (literal == NULL) return NAN;
    if (literal->kind == TREE_OP) return -constant(literal->op.left);
    return literal->kind == TREE_INT ? (double)literal->integer : literal->number;
}

static Number *find(Numbers *n, Span span) {
    for (int i = 0; i < n->items.count; i++)
        if (n->items.items[i].literal->span.start == span.start) return &n->items.items[i];
    return NULL;
}

static void add_field(Numbers *n, const RtPart *part, const TreeField *field) {
    bool plain = !field->hidden && !field->clock && field->init && field->init->body && (field->type->kind == TYPE_NUMBER || field->type->kind == TYPE_INT);
    const Tree *literal = plain ? explain_literal(field->init->body) : NULL;
    if (literal == NULL || literal->span.file != n->explain.world->compile->file) return;
    Number *known = find(n, literal->span);
    double unit = explain_unit(&n->explain, literal), value = constant(literal);
    if (known) known->shared = true;
    if (known || !(unit > 0) || !isfinite(value)) return;
    Number number = {part, field, literal, value / unit, constant(field->within_lo) / unit, constant(field->within_hi) / unit, false};
    VEC_PUSH(n->explain.arena, &n->items, number);
}

static void add_fields(Numbers *n, const RtPart *part, const TreeClass *cls) {
    for (int i = 0; i < cls->fields.count; i++)
        add_field(n, part, &cls->fields.items[i]);
}

static bool visit_part(void *user, const PartVisit *visit) {
    add_fields(user, visit->part, visit->cls);
    return true;
}

static int by_place(const void *a, const void *b) {
    uint32_t p = ((const Number *)a)->literal->span.start, q = ((const Number *)b)->literal->span.start;
    return p < q ? -1 : p > q;
}

static void tell(Numbers *n, WorldTable *table, const Number *number) {
    World *world = n->explain.world;
    StrBuf path = {.arena = n->explain.arena};
    Span span = number->literal->span;
    rt_part_path(&path, number->part);
    strbuf_printf(&path, "%s%.*s", path.len ? "." : "", STR_ARG(symbols_name(&world->compile->symbols, number->field->name)));
    table_begin_row(table);
    table_tell_text(table, "path", strbuf_take(&path));
    table_tell_number(table, "value", "number", number->value);
    table_tell_number(table, "low", "number", number->low);
    table_tell_number(table, "high", "number", number->high);
    table_tell_int(table, "whole", number->field->type->kind == TYPE_INT);
    table_tell_text(table, "file", sources_get(&world->compile->sources, span.file)->name);
    table_tell_int(table, "start", span.start);
    table_tell_int(table, "end", span.end);
    table_tell_text(table, "text", sources_text(&world->compile->sources, span));
}

static WorldStatus list_numbers(World *world, Rt *rt, WorldTable *table, void *args) {
    (void)args;
    Numbers n = {.explain = {.world = world, .rt = rt, .arena = rt->arena}};
    RtPart *root = rt_world_root(world->parts);
    add_fields(&n, root, parts_class(world, root));
    parts_walk(world, rt, root, visit_part, &n);
    if (n.items.count) qsort(n.items.items, (size_t)n.items.count, sizeof(Number), by_place);
    for (int i = 0; i < n.items.count; i++)
        if (!n.items.items[i].shared) tell(&n, table, &n.items.items[i]);
    return entry_fault(world, rt);
}

WorldStatus world_numbers(World *world, WorldTable **table) {
    return table_entry(world, list_numbers, NULL, table);
}
