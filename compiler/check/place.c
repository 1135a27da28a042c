/* Places: what an assignment sets, and what a function with `var self` changes.
 *
 *     xs[i].age += 1        a variable, then fields and items: COMPONENT(ITEM(LOCAL xs, key), age)
 *
 * A place is the tree that reads it; its root is a variable of this function. Keys are worked out before anything is
 * set. A record that keeps its items in a field `items` and has a function `itemIndex` takes keys as a list does
 * (grid[i, j]); one that has `setItem` says itself what setting an item means (map[key] = value).
 */
#include "compiler/check/checker.h"

/* The local of a variable that may be set here, or -1 after an error that says why it may not. */
static int find_var(Ctx *x, Symbol name, Span span) {
    Checker *c = x->c;
    for (int i = x->bindings.count - 1; i >= 0; i--) {
        if (x->bindings.items[i].name != name) continue;
        int local = x->bindings.items[i].local;
        uses_local(x, &x->fn->locals.items[local], span);
        if (x->fn->locals.items[local].is_var) return local;
        Diag *diag = diag_add(c->diags, DIAG_E_ASSIGN_LET, span, name_text(c, name));
        bool param = local < x->fn->capture_count + x->fn->param_count;
        diag_help(c->diags, diag,
                  param ? "a parameter is no variable: var mine = ... makes one of it"
                        : "declare it with var instead of let");
        return -1;
    }
    Found found = scope_find(x, name, false);
    if (found.kind == FOUND_NOTHING)
        scope_unknown(x, name, span, false);
    else if (found.kind == FOUND_LOCAL)
        diag_add(c->diags, DIAG_E_ASSIGN_OUTER, span, name_text(c, name));
    else
        diag_add(c->diags, DIAG_E_ASSIGN_FIELD, span, name_text(c, name));
    return -1;
}

/* The variable a written place begins with; -1 after an error. */
static int find_root(Ctx *x, const AstNode *target) {
    while (target->kind == AST_MEMBER || target->kind == AST_INDEX)
        target = target->kind == AST_MEMBER ? target->member.object : target->index.object;
    if (target->kind == AST_NAME) return find_var(x, target->name.symbol, target->span);
    if (target->kind == AST_SELF) return find_var(x, x->c->names.self, target->span);
    if (target->kind != AST_ERROR) diag_add(x->c->diags, DIAG_E_ASSIGN_TARGET, target->span);
    return -1;
}

static bool keeps_value(const Ctx *x, const Tree *tree) {
    return tree->kind == TREE_INT || tree->kind == TREE_TEXT ||
           (tree->kind == TREE_LOCAL && !x->fn->locals.items[tree->local].is_var);
}

bool place_hold(Ctx *x, Tree *place, TreeList *before) {
    if (place->kind == TREE_LOCAL) return x->fn->locals.items[place->local].is_var;
    if (place->kind == TREE_COMPONENT) return place_hold(x, place->component.operand, before);
    if (place->kind != TREE_ITEM || !place_hold(x, place->member.operand, before)) return false;
    if (keeps_value(x, place->member.key)) return true;
    int local = ctx_local(x, 0, place->member.key->type, false);
    treelist_push(x->c, before, tree_let(x, local, place->member.key));
    place->member.key = tree_local(x, local, place->member.key->span);
    return true;
}

Tree *place_set(Checker *c, Tree *place, Tree *value, Span span) {
    bool whole = place->kind == TREE_LOCAL;
    Tree *tree = tree_new(c, whole ? TREE_ASSIGN : TREE_SET, c->types.unit, span);
    if (whole) {
        tree->let.local = place->local;
        tree->let.value = value;
    } else {
        tree->set.place = place;
        tree->set.value = value;
    }
    return tree;
}

/* `map[key] = value` of a record that says itself how: map.setItem(key, value). NULL: it does not, or the item is there
 * already (map[key] += value) and is a place like others. */
static Tree *set_by_function(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    const AstNode *target = ast->assign.target;
    if (target->kind != AST_INDEX || ast->assign.op != OP_SET) return NULL;
    Tree *object = expr_check(x, target->index.object, NULL);
    Decl *decl = type_is(object->type, TYPE_RECORD) ? method_find(x, object, c->names.set_item) : NULL;
    if (!decl) return NULL;
    int count = target->index.keys.count;
    TreeList before = {0};
    Tree **trees = ARENA_ARRAY(c->arena, Tree *, count + 3);
    trees[0] = object;
    for (int i = 0; i < count; i++) {
        Tree *key = expr_check(x, target->index.keys.items[i], method_wants(x, decl, object, i + 1));
        int local = ctx_local(x, 0, key->type, false);
        treelist_push(c, &before, tree_let(x, local, key));
        trees[i + 1] = tree_local(x, local, key->span);
    }
    trees[count + 1] = expr_check(x, ast->assign.value, member_item_type(x, object));
    return arguments_wrap(c, &before, call_trees(x, decl, trees, count + 2, ast->span));
}

Tree *place_assign(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    const AstNode *target = ast->assign.target;
    Tree *act = act_assign(x, ast);
    if (act) return act;
    int root = find_root(x, target);
    if (root < 0) {
        expr_check(x, ast->assign.value, NULL);
        return tree_poison(c, ast->span);
    }
    Tree *by_function = set_by_function(x, ast);
    if (by_function) return by_function;
    TreeList before = {0};
    Tree *place = target->kind == AST_NAME || target->kind == AST_SELF
                      ? tree_local(x, root, target->span)
                      : expr_check(x, target, NULL);
    if (type_poisoned(place->type)) return place;
    if (!place_hold(x, place, &before)) {
        diag_add(c->diags, DIAG_E_ASSIGN_TARGET, target->span);
        return tree_poison(c, ast->span);
    }
    Tree *value = expr_check(x, ast->assign.value, place->type);
    if (ast->assign.op != OP_SET) value = operator_apply(x, ast->assign.op, place, value, ast->span);
    Tree *tree = place_set(c, place, convert_to(x, value, place->type), ast->span);
    return arguments_wrap(c, &before, tree);
}
