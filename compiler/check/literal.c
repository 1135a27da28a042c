/* Numbers with units, tuples, lists and ranges. */
#include "compiler/check/checker.h"

/* Scaled at once: nothing after this knows in which unit it was written. */
static Tree *unit_number(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    Str unit = symbols_name(c->symbols, ast->number.unit.symbol);
    UnitScale scale;
    Dims dims;
    if (!unit_find(unit, &scale, &dims)) {
        Diag *diag = diag_add(c->diags, DIAG_E_UNIT_UNKNOWN, ast->number.unit.span,
                              name_text(c, ast->number.unit.symbol));
        Str near = unit_nearest(unit);
        if (strchr(unit.ptr, '^')) diag_help(c->diags, diag, "where it is written a unit's power goes from 2 to 9; 1 m^9 * 1 m has another");
        if (near.len) {
            diag_help(c->diags, diag, "did you mean '%.*s'?", STR_ARG(near));
            diag_fix(c->diags, diag, ast->number.unit.span, near);
        }
        return tree_poison(c, ast->span);
    }
    const Type *type = type_worked_out(c, TYPE_NUMBER, dims, ast->number.unit.span);
    if (type_poisoned(type)) return tree_poison(c, ast->span);
    return tree_number(c, ast->number.value * scale.times / scale.over, type, ast->span);
}

Tree *expr_number(Ctx *x, const AstNode *ast, const Type *expected) {
    Checker *c = x->c;
    if (ast->number.unit.symbol) return unit_number(x, ast);
    if (!ast->number.whole) return tree_number(c, ast->number.value, c->types.number, ast->span);
    Tree *tree = tree_int(c, ast->number.int_value, c->types.integer, ast->span);
    if (expected && expected->kind == TYPE_U32 && convert_fits(c, tree, expected))
        return tree_int(c, ast->number.int_value, expected, ast->span);
    return tree;
}

/* -- tuples -- */

static Tree *aggregate(Ctx *x, Tree **items, int count, const Type *type, Span span) {
    Tree *tree = tree_new(x->c, TREE_AGGREGATE, type, span);
    for (int i = 0; i < count; i++)
        treelist_push(x->c, &tree->items, items[i]);
    return tree;
}

/* A plain literal among the coordinates of a point is meters. */
static Tree *coordinate(Ctx *x, const AstNode *ast, const Type *type) {
    Tree *tree = expr_check(x, ast, type);
    if (expr_is_literal(ast) && type_is_quantity(type)) {
        double value = tree->kind == TREE_INT ? (double)tree->integer : tree->number;
        if (type_is(tree->type, TYPE_INT) ||
            (type_is(tree->type, TYPE_NUMBER) && dims_plain(tree->type->dims)))
            return tree_number(x->c, value, type, ast->span);
    }
    return convert_to(x, tree, type);
}

/* Three coordinates of one kind. */
static Tree *triple(Ctx *x, const AstNode *ast, const Type *type, const Type *each) {
    Tree *items[3];
    for (int i = 0; i < 3; i++) {
        items[i] = coordinate(x, ast->tuple.items.items[i].value, each);
        if (type_poisoned(items[i]->type)) type = x->c->types.poison;
    }
    return aggregate(x, items, 3, type, ast->span);
}

/* (x, z) of a plan: a point at height 0. */
static Tree *plan_point(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    Tree *first = coordinate(x, ast->tuple.items.items[0].value, c->types.meters);
    Tree *last = coordinate(x, ast->tuple.items.items[1].value, c->types.meters);
    Tree *items[3] = {first, tree_number(c, 0, c->types.meters, ast->span), last};
    bool bad = type_poisoned(first->type) || type_poisoned(last->type);
    return aggregate(x, items, 3, bad ? c->types.poison : c->types.point, ast->span);
}

/* The type that three items make when nothing is expected: a point of literals and lengths, else a
 * vector of one dimension, else NULL. */
static const Type *triple_type(Checker *c, const AstNode *ast, Tree **items, const Type **each) {
    const Type *other = NULL;
    bool all_literal = true;
    for (int i = 0; i < 3; i++) {
        bool literal = expr_is_literal(ast->tuple.items.items[i].value);
        all_literal = all_literal && literal;
        if (!type_is(items[i]->type, TYPE_NUMBER) && !type_is(items[i]->type, TYPE_INT))
            return NULL;
        if (literal) continue;
        const Type *type = type_is(items[i]->type, TYPE_INT)
                               ? c->types.number
                               : type_quantity(c, items[i]->type->dims);
        if (other && other != type) return NULL;
        other = type;
    }
    if (all_literal || other == c->types.meters) {
        *each = c->types.meters;
        return c->types.point;
    }
    *each = other;
    return type_vector(c, other->dims);
}

/* A tuple for which nothing, or a tuple, is expected. */
static Tree *open_tuple(Ctx *x, const AstNode *ast, const Type *expected) {
    Checker *c = x->c;
    const AstArgs *args = &ast->tuple.items;
    Tree **items = ARENA_ARRAY(c->arena, Tree *, args->count + 1);
    const Type **types = ARENA_ARRAY(c->arena, const Type *, args->count + 1);
    bool want = expected && expected->kind == TYPE_TUPLE && expected->item_count == args->count;
    for (int i = 0; i < args->count; i++) {
        const Type *type = want ? type_inside(c, expected->items[i]) : NULL;
        bool plan = want && args->count == 2 && type == c->types.meters;
        items[i] = plan ? coordinate(x, args->items[i].value, type)
                        : expr_check(x, args->items[i].value, type);
        if (want) items[i] = convert_to(x, items[i], expected->items[i]);
        types[i] = items[i]->type;
        if (!expr_has_value(c, items[i], items[i]->span)) types[i] = c->types.poison;
    }
    const Type *each = NULL;
    const Type *type =
        args->count == 3 && !x->raw_tuples && !want ? triple_type(c, ast, items, &each) : NULL;
    if (!type)
        return aggregate(x, items, args->count, type_tuple(c, types, args->count), ast->span);
    for (int i = 0; i < 3; i++) {
        double value = items[i]->kind == TREE_INT ? (double)items[i]->integer : items[i]->number;
        bool literal = expr_is_literal(args->items[i].value);
        items[i] = literal && (items[i]->kind == TREE_INT || dims_plain(items[i]->type->dims))
                       ? tree_number(c, value, each, items[i]->span)
                       : convert_to(x, items[i], each);
    }
    return aggregate(x, items, 3, type, ast->span);
}

/* A tuple with names builds the record that is expected. */
static Tree *named_tuple(Ctx *x, const AstNode *ast, const Type *expected) {
    Checker *c = x->c;
    if (expected && expected->kind == TYPE_RECORD) {
        Decl *decl = expected->record->decl;
        return record_build(x, decl, &ast->tuple.items, ast->span, expected);
    }
    diag_add(c->diags, DIAG_E_TUPLE_NAMES, ast->span);
    return tree_poison(c, ast->span);
}

Tree *expr_tuple(Ctx *x, const AstNode *ast, const Type *expected) {
    Checker *c = x->c;
    const AstArgs *args = &ast->tuple.items;
    while (expected && expected->kind == TYPE_OPTIONAL)
        expected = expected->element;
    for (int i = 0; i < args->count; i++)
        if (args->items[i].name.symbol) return named_tuple(x, ast, expected);
    if (expected && args->count == 3) {
        if (expected->kind == TYPE_POINT) return triple(x, ast, expected, c->types.meters);
        if (expected->kind == TYPE_VECTOR)
            return triple(x, ast, expected, type_quantity(c, expected->dims));
        if (expected->kind == TYPE_COLOR) return triple(x, ast, expected, c->types.number);
    }
    if (expected && args->count == 2 && expected->kind == TYPE_POINT) return plan_point(x, ast);
    return open_tuple(x, ast, expected);
}

/* -- lists -- */

static Tree *list_of(Ctx *x, const AstNode *ast, const Type *element) {
    Checker *c = x->c;
    Tree *tree = tree_new(c, TREE_LIST, type_list(c, type_inside(c, element)), ast->span);
    for (int i = 0; i < ast->list.items.count; i++) {
        Tree *item = expr_check(x, ast->list.items.items[i], type_inside(c, element));
        item = convert_to(x, item, element);
        if (type_poisoned(item->type)) tree->type = c->types.poison;
        treelist_push(c, &tree->items, item);
    }
    return tree;
}

/* The type all items can have; the error points at the first item that does not go with those
 * before. */
static const Type *common_of(Ctx *x, const TreeList *items) {
    Checker *c = x->c;
    Tree *first = items->items[0];
    const Type *type = first->type;
    for (int i = 1; i < items->count; i++) {
        Tree sample = *first;
        if (type != first->type)
            sample = (Tree){.kind = TREE_SELF, .type = type, .span = first->span};
        const Type *common = convert_common(c, &sample, items->items[i]);
        if (!common) {
            Diag *diag =
                diag_add(c->diags, DIAG_E_LIST_MIXED, items->items[i]->span,
                         type_these(c, type, false), type_these(c, items->items[i]->type, true));
            diag_note(c->diags, diag, first->span, "the first item is here");
            return c->types.poison;
        }
        type = common;
    }
    if (type_is(type, TYPE_UNIT) || type_is(type, TYPE_NONE)) {
        diag_add(c->diags, DIAG_E_NO_VALUE, first->span, type_phrase(c, type));
        return c->types.poison;
    }
    return type_is(type, TYPE_NUMBER) && type->fraction ? c->types.number : type;
}

Tree *expr_list(Ctx *x, const AstNode *ast, const Type *expected) {
    Checker *c = x->c;
    while (expected && expected->kind == TYPE_OPTIONAL)
        expected = expected->element;
    if (expected && expected->kind == TYPE_LIST) return list_of(x, ast, expected->element);
    Tree *tree = tree_new(c, TREE_LIST, c->types.poison, ast->span);
    if (ast->list.items.count == 0) {
        const Type *list = expected ? convert_list_of(c, expected) : NULL;
        if (list) return list_of(x, ast, list->element);
        if (!expected || !type_poisoned(expected)) diag_add(c->diags, DIAG_E_LIST_EMPTY, ast->span);
        return tree;
    }
    for (int i = 0; i < ast->list.items.count; i++)
        treelist_push(c, &tree->items, expr_check(x, ast->list.items.items[i], NULL));
    bool of_wanted = false; /* several makers of candidates: a written list among them is made one */
    for (int i = 0; i < tree->items.count; i++)
        of_wanted |= expected && expected->kind == TYPE_RECORD && tree->items.items[i]->type == expected;
    const Type *element = of_wanted ? expected : common_of(x, &tree->items);
    for (int i = 0; i < tree->items.count; i++)
        tree->items.items[i] = convert_to(x, tree->items.items[i], element);
    tree->type = type_list(c, element);
    for (int i = 0; i < tree->items.count; i++)
        if (type_poisoned(tree->items.items[i]->type)) tree->type = c->types.poison;
    return tree;
}

/* -- ranges -- */

/* A Range[T] record of its two ends. */
Tree *expr_range(Ctx *x, const AstNode *ast, const Type *expected) {
    Checker *c = x->c;
    Decl *decl = typeexpr_find(c, NULL, c->names.range);
    while (expected && expected->kind == TYPE_OPTIONAL)
        expected = expected->element;
    bool want = expected && expected->kind == TYPE_RECORD && decl && expected->name == decl->name &&
                expected->item_count == 1;
    Tree *lo = expr_check(x, ast->range.lo, want ? expected->items[0] : NULL);
    Tree *hi = expr_check(x, ast->range.hi, want ? expected->items[0] : NULL);
    if (type_poisoned(lo->type) || type_poisoned(hi->type) || !decl)
        return tree_poison(c, ast->span);
    const Type *type = want ? expected->items[0] : convert_common(c, lo, hi);
    if (!type || !type_is_numeric(type)) {
        diag_add(c->diags, DIAG_E_RANGE_ENDS, ast->span, type_these(c, lo->type, false),
                 type_these(c, hi->type, true));
        return tree_poison(c, ast->span);
    }
    Tree *items[3] = {convert_to(x, lo, type), convert_to(x, hi, type),
                      tree_int(c, ast->range.closed, c->types.boolean, ast->span)};
    bool bad = type_poisoned(items[0]->type) || type_poisoned(items[1]->type);
    const Type *record = typeexpr_record(c, decl, &type, ast->span);
    return aggregate(x, items, 3, bad ? c->types.poison : record, ast->span);
}
