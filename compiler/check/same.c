/* Equality of what says itself when two are the same: two maps of the same pairs, whatever was removed from one of them.
 *
 * Values compare slot by slot (compiler/lower) unless a record of the library in them has a function `same`; then
 * a == b is that call. Of what holds such a record, tuples and records are compared item by item, lists and optionals by
 * the library's own `same`, whose == comes here again.
 */
#include "compiler/check/checker.h"

/* The records on the way to a type: one that holds lists of itself is looked into once. */
typedef struct Way {
    const struct Way *up;
    const struct TreeRecord *record;
} Way;

static bool says_same(Checker *c, const Type *type) {
    Package *package = type->record->decl->package;
    if (package->is_file) return false;
    for (Decl *decl = symbolmap_get(&package->values, c->names.same); decl; decl = decl->next) {
        if (decl->kind != DECL_FN || !decl_takes_self(c, decl)) continue;
        TypeEnv env;
        generic_open(c, &env, decl_type_params(decl), NULL);
        const AstNode *self = decl_params(decl)->items[0].type;
        if (typeexpr_bind(c, package, &env, self, type) && typeexpr_resolve(c, package, &env, self) == type)
            return true;
    }
    return false;
}

static bool holds_same(Checker *c, const Type *type, const Way *way) {
    if (type->kind == TYPE_LIST || type->kind == TYPE_OPTIONAL) return holds_same(c, type->element, way);
    if (type->kind == TYPE_TUPLE)
        for (int i = 0; i < type->item_count; i++)
            if (holds_same(c, type->items[i], way)) return true;
    if (type->kind != TYPE_RECORD) return false;
    if (says_same(c, type)) return true;
    for (const Way *w = way; w; w = w->up)
        if (w->record == type->record) return false;
    Way here = {way, type->record};
    for (int i = 0; i < type->record->fields.count; i++)
        if (holds_same(c, type->record->fields.items[i].type, &here)) return true;
    return false;
}

/* a and b are read once an item: they are locals. */
static Tree *items_same(Ctx *x, Tree *a, Tree *b, Span span) {
    Checker *c = x->c;
    const Type *type = a->type;
    bool record = type->kind == TYPE_RECORD;
    int count = record ? type->record->fields.count : type->item_count, slot = 0;
    Tree *all = NULL;
    for (int i = 0; i < count; i++) {
        const Type *item = record ? type->record->fields.items[i].type : type->items[i];
        Tree *equal = operator_apply(x, OP_EQ, tree_component(c, a, slot, item, span),
                                     tree_component(c, b, slot, item, span), span);
        slot += item->slot_count;
        if (type_poisoned(equal->type)) return equal;
        if (all) {
            Tree *both = tree_new(c, TREE_AND, c->types.boolean, span);
            both->op.left = all;
            both->op.right = equal;
            equal = both;
        }
        all = equal;
    }
    return all;
}

static Tree *hold(Ctx *x, Tree *value, TreeList *before) {
    int local = ctx_local(x, 0, value->type, false);
    treelist_push(x->c, before, tree_let(x, local, value));
    return tree_local(x, local, value->span);
}

Tree *same_check(Ctx *x, Tree *left, Tree *right, Span span) {
    Checker *c = x->c;
    const Type *type = left->type;
    if (!holds_same(c, type, NULL)) return NULL;
    bool own = type->kind == TYPE_RECORD && says_same(c, type);
    if (own || type->kind == TYPE_LIST || type->kind == TYPE_OPTIONAL)
        return call_operator(x, c->names.same, left, right, span);
    TreeList before = {0};
    left = hold(x, left, &before);
    right = hold(x, right, &before);
    return arguments_wrap(c, &before, items_same(x, left, right, span));
}
