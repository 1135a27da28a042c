/* Making checked trees, and walking them. */
#include "compiler/check/checker.h"

Tree *tree_new(Checker *c, TreeKind kind, const Type *type, Span span) {
    Tree *tree = ARENA_NEW(c->arena, Tree);
    limit_trees(c, span);
    tree->kind = kind;
    tree->type = limit_type(c, type, span);
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
    if (inst->fn->acts && !act_may(x, span, fn_title(c, inst->decl).ptr, inst->fn->acted)) return tree_poison(c, span);
    if (inst->fn->draws) {
        const TreeFn *written = inst->decl->package->is_file ? inst->fn : NULL;
        tree->call.stream = scope_stream(x, span, fn_title(c, inst->decl), written);
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

/* -- what tree.def says -- */

static const struct Row {
    const char *name;
    TreeShape shape;
} rows[] = {
#define KIND(NAME, name, shape) [TREE_##NAME] = {name, TREE_SHAPE_##shape},
#include "compiler/check/tree.def"
};

TreeShape tree_shape(TreeKind kind) {
    return rows[kind].shape;
}

const char *tree_kind_name(TreeKind kind) {
    return rows[kind].name;
}

static void visit_list(const TreeList *list, TreeVisit visit, void *user) {
    for (int i = 0; i < list->count; i++)
        visit(list->items[i], user);
}

void tree_visit(const Tree *tree, TreeVisit visit, void *user) {
    switch (tree_shape(tree->kind)) {
    case TREE_SHAPE_none:
        break;
#define SHAPE(member, fields) TREE_CASE(const, member, struct Tree_##member, &tree->member, fields)
#define SINGLE(shape, field) TREE_CASE(const, shape, Tree, tree, field)
#define NODE(m)                                                                                    \
    if (of->m) visit(of->m, user);
#define NODES(m) visit_list(&of->m, visit, user);
#include "compiler/check/tree.def"
    }
}

/* Draws inside lambdas happen when they are called, not here. */
static void find_draw(const Tree *tree, void *user) {
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
    find_draw(tree, &draws);
    return draws;
}

/* -- locals under new numbers -- */

static const int *mapped(const int *captures, int count, const int *map) {
    int *out = (int *)(uintptr_t)captures;
    for (int i = 0; i < count; i++)
        out[i] = map[out[i]];
    return out;
}

static void renumber_list(const TreeList *list, const int *map) {
    for (int i = 0; i < list->count; i++)
        tree_renumber(list->items[i], map);
}

/* Bodies of lambdas have locals of their own. */
void tree_renumber(Tree *tree, const int *map) {
    if (tree == NULL || tree->numbered == map) return;
    tree->numbered = map;
    switch (tree_shape(tree->kind)) {
    case TREE_SHAPE_none:
        break;
#define SHAPE(member, fields) TREE_CASE(, member, struct Tree_##member, &tree->member, fields)
#define SINGLE(shape, field) TREE_CASE(, shape, Tree, tree, field)
#define NODE(m) tree_renumber(of->m, map);
#define NODES(m) renumber_list(&of->m, map);
#define LOCAL(m)                                                                                   \
    if (of->m >= 0) of->m = map[of->m];
#define CAPTURES(m, count) of->m = mapped(of->m, of->count, map);
#include "compiler/check/tree.def"
    }
}
