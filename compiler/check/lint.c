/* What is allowed but hardly meant. */
#include "compiler/check/checker.h"

static bool same_value(const Tree *a, const Tree *b) {
    bool constant = a->kind == b->kind && (a->kind == TREE_U32 || a->kind == TREE_INT);
    return constant ? a->integer == b->integer : tree_equal(a, b);
}

/* Two streams of one seed and salt draw the same numbers. */
void lint_stream(Checker *c, Tree *call) {
    if (call->kind != TREE_CALL || call->call.args.count != 2) return;
    Tree *const *args = call->call.args.items;
    for (int i = 0; i < c->streams.count; i++) {
        Tree *const *earlier = c->streams.items[i]->call.args.items;
        if (!same_value(args[0], earlier[0]) || !same_value(args[1], earlier[1])) continue;
        Diag *diag = diag_add(c->diags, DIAG_W_STREAM_TWICE, call->span);
        diag_note(c->diags, diag, c->streams.items[i]->span, "the other one is here");
        return;
    }
    if (c->home == &c->world_home) VEC_PUSH(c->arena, &c->streams, call);
}

/* A fraction is meant to lie from 0 to 1. */
void lint_fraction(Checker *c, const Tree *tree, const Type *type) {
    if (!type->fraction || (tree->kind != TREE_NUMBER && tree->kind != TREE_INT)) return;
    double value = tree->kind == TREE_INT ? (double)tree->integer : tree->number;
    if (value < 0 || value > 1) diag_add(c->diags, DIAG_W_FRACTION, tree->span);
}
