/* The failing part of a rule's condition, with the values of its sides.
 *
 * The condition's checked body is split at && (through blocks and lets). Each part becomes
 * functions of the same parameters and captures; asked one after the other with the spot and the
 * stream's state as they were, the first that answers false is the reason. Of || the comparison
 * nearest to holding is told; what is none (if, a call) is reported as a whole.
 */
#include <math.h>

#include "compiler/engine/why/why.h"

/* -- taking apart -- */

typedef struct Split {
    Overlay *overlay;
    const TreeFn *fn;
    TreeList before; /* statements and parts that come first */
    KeepParts *parts;
} Split;

static Arena *arena_of(const Split *split) {
    return &split->overlay->arena;
}

/* All that comes before, then `tree`. */
static int make_fn(const Split *split, Tree *tree) {
    Tree *body = tree;
    if (split->before.count) {
        body = ARENA_NEW(arena_of(split), Tree);
        *body = (Tree){.kind = TREE_BLOCK, .type = tree->type, .span = tree->span};
        for (int i = 0; i < split->before.count; i++)
            VEC_PUSH(arena_of(split), &body->items, split->before.items[i]);
        VEC_PUSH(arena_of(split), &body->items, tree);
    }
    return overlay_add(split->overlay, check_variant(split->fn, body, split->overlay->lowering.module->funcs.count, arena_of(split)));
}

static bool compares_numbers(const Tree *tree) {
    if (tree->kind != TREE_OP || !operator_compares(tree->op.op)) return false;
    TypeKind kind = tree->op.left->type->kind;
    return kind == TYPE_NUMBER || kind == TYPE_INT || kind == TYPE_U32;
}

/* The sides of a comparison; the left one draws before the right. */
static void add_sides(Split *split, Tree *tree, KeepPart *part) {
    int before = split->before.count;
    part->left = make_fn(split, tree->op.left);
    VEC_PUSH(arena_of(split), &split->before, tree->op.left);
    part->right = make_fn(split, tree->op.right);
    split->before.count = before;
}

/* When all of it fails, each was asked in turn. */
static void add_either(Split *split, Tree *tree, KeepPart *part) {
    if (tree->kind == TREE_OR) {
        add_either(split, tree->op.left, part);
        add_either(split, tree->op.right, part);
        return;
    }
    if (compares_numbers(tree)) {
        KeepPart one = {.tree = tree, .whole = -1};
        add_sides(split, tree, &one);
        VEC_PUSH(arena_of(split), &part->either, one);
    }
    VEC_PUSH(arena_of(split), &split->before, tree);
}

static void add_part(Split *split, Tree *tree) {
    int before = split->before.count;
    KeepPart part = {.tree = tree, .whole = make_fn(split, tree), .left = -1, .right = -1};
    if (compares_numbers(tree)) add_sides(split, tree, &part);
    if (tree->kind == TREE_OR) add_either(split, tree, &part);
    split->before.count = before;
    VEC_PUSH(arena_of(split), &split->parts->parts, part);
    VEC_PUSH(arena_of(split), &split->before, tree);
}

static void split_tree(Split *split, Tree *tree) {
    if (tree->kind == TREE_AND) {
        split_tree(split, tree->op.left);
        split_tree(split, tree->op.right);
    } else if (tree->kind == TREE_BLOCK && tree->items.count) {
        for (int i = 0; i < tree->items.count - 1; i++)
            VEC_PUSH(arena_of(split), &split->before, tree->items.items[i]);
        split_tree(split, tree->items.items[tree->items.count - 1]);
    } else {
        add_part(split, tree);
    }
}

const KeepParts *keep_parts_get(Explain *e, const RtClosure *keep) {
    for (int i = 0; i < e->keeps.count; i++)
        if (e->keeps.items[i]->func == keep->func && e->keeps.items[i]->code == keep->code)
            return e->keeps.items[i];
    const TreeFn *fn = overlay_closure_fn(e->world, keep);
    if (fn == NULL || fn->body == NULL) return NULL;
    if (e->overlay == NULL) e->overlay = overlay_create(e->world);
    Arena *arena = &e->overlay->arena;
    KeepParts *parts = ARENA_NEW(arena, KeepParts);
    parts->code = keep->code;
    parts->func = keep->func;
    Split split = {.overlay = e->overlay, .fn = fn, .parts = parts};
    split_tree(&split, fn->body);
    VEC_PUSH(arena, &e->keeps, parts);
    return parts;
}

/* -- asking -- */

typedef struct Asking {
    Explain *explain;
    const ScatterRule *rule;
    const ScatterTrial *trial;
} Asking;

/* A part's answer at the trial's spot, from the stream's state when the condition was asked. */
static Slot ask(const Asking *asking, int func) {
    Rt *rt = asking->explain->rt;
    const RtClosure *keep = asking->rule->keep;
    RtClosure *closure =
        rt_closure(rt, func, keep->capture_count, 0, keep->param_count, 1, keep->draws);
    closure->code = &asking->explain->overlay->code;
    RtStream stream = {
        .head = {RT_STREAM}, .state = asking->trial->state, .start = asking->trial->state};
    Slot row[ASK_SIZE], answer = {0};
    memcpy(closure->captures, keep->captures, sizeof(Slot) * (size_t)keep->capture_count);
    scatter_ask(row, asking->trial->spot, asking->trial->k);
    rt_call(rt, closure, asking->rule->draws == SCATTER_DRAWS_NONE ? NULL : &stream, row, &answer);
    return answer;
}

static double number_of(const Type *type, Slot slot) {
    if (type->kind == TYPE_INT) return (double)slot.i;
    return type->kind == TYPE_U32 ? (double)slot.w : slot.f;
}

static Answer side(const Asking *asking, const Tree *tree, int func) {
    Explain *e = asking->explain;
    Slot slot = ask(asking, func);
    StrBuf value = {.arena = e->arena};
    value_print(&(ValuePrinter){e->world, &value}, tree->type, &slot);
    return (Answer){.text = explain_text(e, sources_text(&e->world->compile->sources, tree->span)),
                    .value = explain_text(e, strbuf_take(&value)),
                    .number = number_of(tree->type, slot)};
}

/* -- the least change -- */

/* A field of a part that is named, not worked out: the author can find it. */
static bool is_setting(const Tree *tree) {
    return explain_literal(tree) || tree->kind == TREE_FIELD;
}

static Operator mirrored(Operator op) {
    switch ((int)op) {
    case OP_LT:
        return OP_GT;
    case OP_LE:
        return OP_GE;
    case OP_GT:
        return OP_LT;
    case OP_GE:
        return OP_LE;
    default:
        return op;
    }
}

static void advise(const Asking *asking, const KeepPart *part, Trial *out) {
    const Tree *left = part->tree->op.left, *right = part->tree->op.right;
    Operator op = part->tree->op.op;
    if (op == OP_EQ || op == OP_NE || part->tree->op.left->type->kind == TYPE_U32) return;
    bool from_left = is_setting(left) && !is_setting(right);
    Threshold threshold = {.tree = from_left ? left : right,
                           .type = left->type,
                           .now = from_left ? out->left.number : out->right.number,
                           .bound = from_left ? out->right.number : out->left.number,
                           .op = from_left ? op : mirrored(op)};
    explain_change(asking->explain, &threshold, out);
}

static void compare_sides(const Asking *asking, const KeepPart *part, Trial *out) {
    out->left = side(asking, part->tree->op.left, part->left);
    out->right = side(asking, part->tree->op.right, part->right);
}

/* How far a comparison is from holding, as a share of the larger side. */
static double shortfall(const Trial *trial) {
    double left = fabs(trial->left.number), right = fabs(trial->right.number);
    double larger = left > right ? left : right;
    return larger > 0 ? fabs(trial->left.number - trial->right.number) / larger : 0;
}

/* Of alternatives the one that is nearest to holding. */
static void explain_nearest(const Asking *asking, const KeepPart *part, Trial *out) {
    const KeepPart *nearest = NULL;
    double least = INFINITY;
    for (int i = 0; i < part->either.count; i++) {
        Trial one = *out;
        compare_sides(asking, &part->either.items[i], &one);
        if (!(shortfall(&one) < least)) continue;
        least = shortfall(&one);
        nearest = &part->either.items[i];
    }
    if (nearest == NULL) return;
    compare_sides(asking, nearest, out);
    advise(asking, nearest, out);
}

void explain_keep(Explain *e, const ScatterRule *rule, const ScatterTrial *trial, Trial *out) {
    const KeepParts *keep = keep_parts_get(e, rule->keep);
    Asking asking = {e, rule, trial};
    for (int i = 0; keep && i < keep->parts.count; i++) {
        const KeepPart *part = &keep->parts.items[i];
        if (ask(&asking, part->whole).w) continue;
        out->condition =
            explain_text(e, sources_text(&e->world->compile->sources, part->tree->span));
        if (part->left >= 0) {
            compare_sides(&asking, part, out);
            advise(&asking, part, out);
        }
        explain_nearest(&asking, part, out);
        return;
    }
}
