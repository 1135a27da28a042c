/* Making checked trees, and walking them. */
#include "compiler/check/checker.h"

Tree *tree_new(Checker *c, TreeKind kind, const Type *type, Span span) {
    Tree *tree = ARENA_NEW(c->arena, Tree);
    tree->kind = kind;
    tree->type = type;
    tree->span = span;
    return tree;
}

/* Stands for what was already reported; its type goes with everything. */
Tree *tree_poison(Checker *c, Span span) {
    return tree_new(c, TREE_NONE, c->types.poison, span);
}

Tree *tree_number(Checker *c, double value, const Type *type, Span span) {
    Tree *tree = tree_new(c, TREE_NUMBER, type, span);
    tree->number = value;
    return tree;
}

Tree *tree_int(Checker *c, int64_t value, const Type *type, Span span) {
    TreeKind kind = type_is(type, TYPE_U32)    ? TREE_U32
                    : type_is(type, TYPE_BOOL) ? TREE_BOOL
                                               : TREE_INT;
    Tree *tree = tree_new(c, kind, type, span);
    tree->integer = value;
    return tree;
}

Tree *tree_local(Ctx *x, int local, Span span) {
    Tree *tree = tree_new(x->c, TREE_LOCAL, x->fn->locals.items[local].type, span);
    tree->local = local;
    return tree;
}

Tree *tree_op(Checker *c, Operator op, Tree *left, Tree *right, const Type *type, Span span) {
    Tree *tree = tree_new(c, TREE_OP, type, span);
    tree->op.op = op;
    tree->op.left = left;
    tree->op.right = right;
    return tree;
}

Tree *tree_not(Checker *c, Tree *operand) {
    return tree_op(c, OP_NOT, operand, NULL, c->types.boolean, operand->span);
}

Tree *tree_component(Checker *c, Tree *operand, int slot, const Type *type, Span span) {
    Tree *tree = tree_new(c, TREE_COMPONENT, type, span);
    tree->component.operand = operand;
    tree->component.index = slot;
    return tree;
}

Tree *tree_part(Checker *c, TreeKind kind, Tree *operand, int index, const Type *type, Span span) {
    Tree *tree = tree_new(c, kind, type, span);
    tree->part.operand = operand;
    tree->part.index = index;
    return tree;
}

/* The same value under another type of the same slots. */
Tree *tree_retype(Checker *c, Tree *tree, const Type *type) {
    if (tree->type == type) return tree;
    Tree *copy = tree_new(c, tree->kind, type, tree->span);
    *copy = *tree;
    copy->type = type;
    return copy;
}

Tree *tree_let(Ctx *x, int local, Tree *value) {
    Tree *tree = tree_new(x->c, TREE_LET, x->c->types.unit, value->span);
    tree->let.local = local;
    tree->let.value = value;
    return tree;
}

void treelist_push(Checker *c, TreeList *list, Tree *tree) {
    VEC_PUSH(c->arena, list, tree);
}

/* Checks the body first: only then is it known what the call answers and whether it draws. */
Tree *tree_call(Ctx *x, FnInst *inst, Tree **args, int count, Span span) {
    Checker *c = x->c;
    fn_check_body(c, inst, span);
    Tree *tree = tree_new(c, TREE_CALL, inst->fn->result, span);
    if (inst->failed) tree->type = c->types.poison;
    tree->call.fn = inst->fn;
    for (int i = 0; i < count; i++)
        treelist_push(c, &tree->call.args, args[i]);
    if (inst->fn->draws) {
        tree->call.stream = scope_stream(x, span, fn_title(c, inst->decl));
        if (!tree->call.stream) return tree_poison(c, span);
    }
    return tree;
}

/* Same place read twice: enough to know that a test of one holds for the other. */
bool tree_equal(const Tree *a, const Tree *b) {
    if (a->kind != b->kind) return false;
    switch ((int)a->kind) {
    case TREE_LOCAL:
        return a->local == b->local;
    case TREE_ROOT:
    case TREE_SELF:
        return true;
    case TREE_PARENT:
    case TREE_CHILD:
    case TREE_FIELD:
    case TREE_CAPTURE:
        return a->part.index == b->part.index && tree_equal(a->part.operand, b->part.operand);
    case TREE_COMPONENT:
        return a->component.index == b->component.index &&
               tree_equal(a->component.operand, b->component.operand);
    default:
        return false;
    }
}

static void visit_list(const TreeList *list, void (*visit)(Tree *, void *), void *user) {
    for (int i = 0; i < list->count; i++)
        visit(list->items[i], user);
}

static void visit_one(Tree *tree, void (*visit)(Tree *, void *), void *user) {
    if (tree) visit(tree, user);
}

void tree_visit(Tree *tree, void (*visit)(Tree *child, void *user), void *user) {
    switch (tree->kind) {
    case TREE_NUMBER:
    case TREE_INT:
    case TREE_U32:
    case TREE_BOOL:
    case TREE_TEXT:
    case TREE_NONE:
    case TREE_LOCAL:
    case TREE_ROOT:
    case TREE_SELF:
    case TREE_DESIGN:
    case TREE_LAMBDA:
        break;
    case TREE_PARENT:
    case TREE_CHILD:
    case TREE_FAMILY:
    case TREE_FIELD:
    case TREE_CAPTURE:
        visit_one(tree->part.operand, visit, user);
        break;
    case TREE_MEMBER:
    case TREE_ITEM:
        visit_one(tree->member.operand, visit, user);
        visit_one(tree->member.key, visit, user);
        break;
    case TREE_AGGREGATE:
    case TREE_LIST:
    case TREE_BLOCK:
        visit_list(&tree->items, visit, user);
        break;
    case TREE_COMPONENT:
    case TREE_PRESENT:
    case TREE_SOME:
    case TREE_CONVERT:
        visit_one(tree->component.operand, visit, user);
        break;
    case TREE_OP:
    case TREE_AND:
    case TREE_OR:
        visit_one(tree->op.left, visit, user);
        visit_one(tree->op.right, visit, user);
        break;
    case TREE_IF:
        visit_one(tree->if_.condition, visit, user);
        visit_one(tree->if_.then_tree, visit, user);
        visit_one(tree->if_.else_tree, visit, user);
        break;
    case TREE_LET:
    case TREE_ASSIGN:
        visit_one(tree->let.value, visit, user);
        break;
    case TREE_EACH_RANGE:
    case TREE_EACH_LIST:
        visit_one(tree->each.lo, visit, user);
        visit_one(tree->each.hi, visit, user);
        visit_one(tree->each.body, visit, user);
        break;
    case TREE_CALL:
        visit_list(&tree->call.args, visit, user);
        visit_one(tree->call.stream, visit, user);
        break;
    case TREE_CALL_VALUE:
        visit_one(tree->call_value.callee, visit, user);
        visit_list(&tree->call_value.args, visit, user);
        visit_one(tree->call_value.stream, visit, user);
        break;
    case TREE_PART_MAKE:
        visit_one(tree->part_make.number, visit, user);
        visit_one(tree->part_make.id, visit, user);
        visit_one(tree->part_make.design, visit, user);
        break;
    case TREE_FAULT:
        visit_one(tree->fault.condition, visit, user);
        visit_list(&tree->fault.details, visit, user);
        break;
    }
}

/* Draws inside lambdas happen when they are called, not here. */
static void find_draw(Tree *tree, void *user) {
    bool *draws = user;
    bool calls = (tree->kind == TREE_CALL && tree->call.stream) ||
                 (tree->kind == TREE_CALL_VALUE && tree->call_value.stream);
    if (calls)
        *draws = true;
    else if (!*draws)
        tree_visit(tree, find_draw, user);
}

bool tree_draws(const Tree *tree) {
    bool draws = false;
    find_draw((Tree *)(uintptr_t)tree, &draws);
    return draws;
}

static int *mapped(const int *captures, int count, const int *map) {
    int *out = (int *)(uintptr_t)captures;
    for (int i = 0; i < count; i++)
        out[i] = map[out[i]];
    return out;
}

/* Bodies of lambdas have locals of their own. */
static void renumber(Tree *tree, void *user) {
    const int *map = user;
    switch ((int)tree->kind) {
    case TREE_LOCAL:
        tree->local = map[tree->local];
        break;
    case TREE_LET:
    case TREE_ASSIGN:
        tree->let.local = map[tree->let.local];
        break;
    case TREE_EACH_RANGE:
    case TREE_EACH_LIST:
        tree->each.item = map[tree->each.item];
        if (tree->each.index >= 0) tree->each.index = map[tree->each.index];
        break;
    case TREE_LAMBDA:
        tree->lambda.captures = mapped(tree->lambda.captures, tree->lambda.capture_count, map);
        break;
    default:
        break;
    }
    tree_visit(tree, renumber, user);
}

void tree_renumber(Tree *tree, const int *map) {
    renumber(tree, (void *)(uintptr_t)map);
}
