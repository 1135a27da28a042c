/* Bare names as values, and what tests have shown about optional ones. */
#include "compiler/check/checker.h"

/* -- flow typing -- */

/* Here, or round the lambda that this is; there a captured local has another number. */
static bool is_narrowed(const Ctx *x, const Tree *tree) {
    for (int i = 0; i < x->narrowed.count; i++)
        if (tree_equal(x->narrowed.items[i], tree)) return true;
    if (!x->outer || x->sealed) return false;
    if (tree->kind != TREE_LOCAL) return is_narrowed(x->outer, tree);
    for (int i = 0; i < x->captures.count; i++) {
        Tree outside = {.kind = TREE_LOCAL, .local = x->captures.items[i]};
        if (x->capture_at.items[i] == tree->local) return is_narrowed(x->outer, &outside);
    }
    return false;
}

/* An optional that a test has shown to hold a value is that value. */
Tree *narrow_read(Ctx *x, Tree *tree) {
    if (!type_is(tree->type, TYPE_OPTIONAL) || !is_narrowed(x, tree)) return tree;
    return tree_component(x->c, tree, 1, tree->type->element, tree->span);
}

/* A variable may change between the test and the use, so only what stays is narrowed. */
static bool is_stable(Ctx *x, const Tree *tree) {
    if (!tree_equal(tree, tree)) return false;
    return tree->kind != TREE_LOCAL || !x->fn->locals.items[tree->local].is_var;
}

/* What a condition shows when it is true, or when it is false. */
void narrow_by(Ctx *x, Tree *condition, bool truth) {
    if (condition->kind == TREE_PRESENT && truth && is_stable(x, condition->component.operand))
        VEC_PUSH(x->c->arena, &x->narrowed, condition->component.operand);
    else if (condition->kind == TREE_OP && condition->op.op == OP_NOT)
        narrow_by(x, condition->op.left, !truth);
    else if ((condition->kind == TREE_AND && truth) || (condition->kind == TREE_OR && !truth)) {
        narrow_by(x, condition->op.left, truth);
        narrow_by(x, condition->op.right, truth);
    }
}

/* -- names -- */

static Tree *of_design(Ctx *x, const Decl *decl, Span span) {
    Checker *c = x->c;
    class_activate(c, decl->cls);
    if (c->made_classes && decl->cls->tree->index >= c->made_classes) {
        diag_add(c->diags, DIAG_E_DESIGN_ASKED, span, name_text(c, decl->name));
        return tree_poison(c, span);
    }
    Tree *tree = tree_new(c, TREE_DESIGN, c->types.design, span);
    tree->design = decl->cls->tree;
    return tree;
}

/* A member hangs on the instance that scope_path reaches. */
static Tree *of_class_member(Ctx *x, const Found *found, Span span, const Type *expected) {
    Tree *object = found->cls ? scope_path(x, found->cls, found->up, span) : NULL;
    Tree *member = read_member(x, found->cls, found->decl, object, span, expected);
    return member ? member : tree_poison(x->c, span);
}

/* Kept with the root's fields: see layout.c. */
static Tree *of_package_field(Ctx *x, const Decl *decl, Span span) {
    Checker *c = x->c;
    Tree *root = tree_new(c, TREE_ROOT, type_part(c, c->root), span);
    const Type *type = field_type(c, c->root, decl->index, span);
    return narrow_read(x, tree_part(c, TREE_FIELD, root, decl->index, type, span));
}

static Tree *found_value(Ctx *x, const Found *found, Symbol name, Span span, const Type *expected) {
    Checker *c = x->c;
    Decl *decl = found->decl;
    switch (found->kind) {
    case FOUND_LOCAL:
        return narrow_read(x, tree_local(x, found->local, span));
    case FOUND_CAPTURE: {
        Tree *object = scope_path(x, found->cls, found->up, span);
        return narrow_read(x,
                           tree_part(c, TREE_CAPTURE, object, found->capture, found->type, span));
    }
    case FOUND_DECL:
        if (decl->kind == DECL_CONSTANT)
            return decl->package->is_file || decl->package->symbol == c->names.clock ? of_package_field(x, decl, span)
                                          : tree_call(x, fn_instance(c, decl, NULL), NULL, 0, span);
        if (decl->kind == DECL_PART && decl->cls->tree->is_design) return of_design(x, decl, span);
        return of_class_member(x, found, span, expected);
    case FOUND_PACKAGE:
        diag_add(c->diags, DIAG_E_PACKAGE_VALUE, span, name_text(c, name));
        return tree_poison(c, span);
    case FOUND_NOTHING:
        break;
    }
    Tree *choice = choice_loose(x, name, span);
    if (choice) return choice;
    scope_unknown(x, name, span, false);
    return tree_poison(c, span);
}

Tree *name_found(Ctx *x, const Found *found, Symbol name, Span span, const Type *expected) {
    Tree *tree = found_value(x, found, name, span, expected);
    if (found->kind == FOUND_LOCAL) uses_local(x, &x->fn->locals.items[found->local], span);
    if (found->kind == FOUND_CAPTURE) uses_local(x, found->held, span);
    if (found->kind == FOUND_DECL) uses_decl(x, found->decl, span, tree->type);
    return tree;
}

/* worldSeed, in the standard library: the world's field `seed`. */
static Tree *world_seed(Ctx *x, Span span) {
    Checker *c = x->c;
    Decl *decl = symbolmap_get(&c->root->members, c->names.seed);
    const Type *type =
        decl->kind == DECL_FIELD ? field_type(c, c->root, decl->index, span) : c->types.unit;
    if (type_is(type, TYPE_U32)) {
        Tree *root = tree_new(c, TREE_ROOT, type_part(c, c->root), span);
        return tree_part(c, TREE_FIELD, root, decl->index, type, span);
    }
    diag_add(c->diags, DIAG_E_WORLD_SEED, decl->span);
    return tree_poison(c, span);
}

Tree *name_check(Ctx *x, const AstNode *ast, const Type *expected) {
    const Type *wanted =
        expected && type_is(expected, TYPE_OPTIONAL) ? expected->element : expected;
    if (wanted && type_is(wanted, TYPE_ONE_OF)) {
        Tree *number = choice_wanted(x, ast, wanted);
        if (number) return number;
    }
    if (ast->name.symbol == x->c->names.world_seed && !x->package->is_file)
        return world_seed(x, ast->span);
    Found found = scope_find(x, ast->name.symbol, expected && type_is(expected, TYPE_FN));
    const AstNode *member = rule_land_member(x, &found, (AstName){ast->name.symbol, ast->span});
    if (member) return expr_check(x, member, expected);
    return name_found(x, &found, ast->name.symbol, ast->span, expected);
}
