/* Control flow: blocks, `if`, `&&`, `||`, `each`, and the variables that these carry.
 *
 *     var a = 1                       %a1 = ...
 *     if c { a = 2 }        ->        %a2 = if %c { yield %two } else { yield %a1 }
 *     each i in 0 ..< 9 { a += i }    %a3 = for %i in 0, 9 carry (%a = %a2) { ... yield %next }
 *
 * Which variables a region carries is found by looking for assignments in it to locals that were
 * defined before.
 */
#include "compiler/lower/lower_fn.h"

/* -- what a subtree assigns -- */

typedef struct Assigned {
    FnLowering *l;
    VEC(int) locals; /* in order of first assignment */
} Assigned;

static void assigned_add(Assigned *set, int local) {
    if (local < 0 || !set->l->defined[local]) return;
    for (int i = 0; i < set->locals.count; i++)
        if (set->locals.items[i] == local) return;
    VEC_PUSH(set->l->arena, &set->locals, local);
}

/* A lambda assigns none of its maker's locals. */
static void assigned_find(const Tree *tree, void *user) {
    if (tree->kind == TREE_ASSIGN) assigned_add(user, tree->let.local);
    if (tree->kind == TREE_SET) assigned_add(user, lower_place_root(tree->set.place));
    if (tree->kind == TREE_CALL && tree->call.fn->changes_self)
        assigned_add(user, lower_place_root(tree->call.args.items[0]));
    tree_visit(tree, assigned_find, user);
}

/* The carried variables' present slots, one after the other. */
static Slots carried_slots(const Assigned *set) {
    FnLowering *l = set->l;
    Slots slots = {0};
    for (int i = 0; i < set->locals.count; i++)
        slots.count += l->locals[set->locals.items[i]].count;
    slots.items = ARENA_ARRAY(l->arena, IrValue, slots.count);
    int at = 0;
    for (int i = 0; i < set->locals.count; i++) {
        Slots local = l->locals[set->locals.items[i]];
        for (int j = 0; j < local.count; j++)
            slots.items[at++] = local.items[j];
    }
    return slots;
}

/* Gives the carried variables new slots, from `values` on. */
static void carried_set(const Assigned *set, const IrValue *values) {
    FnLowering *l = set->l;
    for (int i = 0; i < set->locals.count; i++) {
        Slots *local = &l->locals[set->locals.items[i]];
        Slots fresh = slots_new(l, local->count);
        for (int j = 0; j < local->count; j++)
            fresh.items[j] = *values++;
        *local = fresh;
    }
}

static void yield_slots(FnLowering *l, Slots slots, int count) {
    for (int i = 0; i < count; i++)
        ir_yield(&l->builder, l->builder.region, slots.items[i]);
}

/* -- if -- */

/* One arm: the tree's value, or for the side that `&&` and `||` skip, the bool that decides. */
static Slots lower_arm(FnLowering *l, const Tree *arm, const Tree *whole) {
    if (arm) return lower_tree(l, arm);
    if (whole->kind == TREE_IF) return (Slots){0};
    return slots_one(l, emit_const(l, IR_CONST_B, whole->kind == TREE_OR));
}

typedef struct Arms {
    const Tree *condition, *then_tree, *else_tree;
} Arms;

enum { MOST_NESTED = 32 }; /* conditions: regions nest 256 deep */

/* Whether what is joined by one word, `a && b && c`, is no longer than that. */
static bool nests(const Tree *tree) {
    int count = 0;
    for (const Tree *at = tree; at->kind == tree->kind && count <= MOST_NESTED; at = at->op.left)
        count++;
    return count <= MOST_NESTED;
}

static Tree *joined(FnLowering *l, const Tree *like, Tree *left, Tree *right) {
    Tree *tree = ARENA_NEW(l->arena, Tree);
    *tree = *like;
    tree->op.left = left;
    tree->op.right = right;
    return tree;
}

/* `(a && b) && c` as `a && (b && c)`: what an earlier condition worked out is then in sight of all later ones. */
static const Tree *nest(FnLowering *l, const Tree *tree) {
    bool joins = tree->kind == TREE_AND || tree->kind == TREE_OR;
    if (!joins || !nests(tree)) return tree;
    while (tree->op.left->kind == tree->kind) {
        const Tree *left = tree->op.left;
        tree = joined(l, tree, left->op.left, joined(l, tree, left->op.right, tree->op.right));
    }
    return tree;
}

static Arms arms_of(const Tree *tree) {
    if (tree->kind == TREE_AND) return (Arms){tree->op.left, tree->op.right, NULL};
    if (tree->kind == TREE_OR) return (Arms){tree->op.left, NULL, tree->op.right};
    return (Arms){tree->if_.condition, tree->if_.then_tree, tree->if_.else_tree};
}

Slots lower_if(FnLowering *l, const Tree *tree) {
    tree = nest(l, tree);
    Arms arms = arms_of(tree);
    IrValue condition = lower_single(l, arms.condition);
    Assigned set = {.l = l};
    if (arms.then_tree) assigned_find(arms.then_tree, &set);
    if (arms.else_tree) assigned_find(arms.else_tree, &set);
    Slots before = carried_slots(&set);
    int value_count = tree->type->slot_count, count = value_count + before.count;

    IrType *types = ARENA_ARRAY(l->arena, IrType, count);
    for (int i = 0; i < value_count; i++)
        types[i] = lower_letter(tree->type->slots[i]);
    for (int i = 0; i < before.count; i++)
        types[value_count + i] = l->builder.func->types.items[before.items[i]];
    IrIns *ins = ir_emit_many(&l->builder, IR_IF, &condition, 1, 0, 0, types, count);

    IrRegion *outer = l->builder.region;
    for (int side = 0; side < 2; side++) {
        l->builder.region = &ins->regions[side];
        Slots value = lower_arm(l, side == 0 ? arms.then_tree : arms.else_tree, tree);
        yield_slots(l, value, value_count);
        Slots after = carried_slots(&set);
        yield_slots(l, after, after.count);
        carried_set(&set, before.items);
    }
    l->builder.region = outer;
    carried_set(&set, ins->results + value_count);
    return (Slots){ins->results, value_count};
}

/* -- blocks -- */

Slots lower_block(FnLowering *l, const Tree *tree) {
    Slots value = {0};
    for (int i = 0; i < tree->items.count; i++)
        value = lower_tree(l, tree->items.items[i]);
    return tree->type->slot_count ? value : (Slots){0};
}

static void lower_let(FnLowering *l, const Tree *tree) {
    Slots value = lower_tree(l, tree->let.value);
    if (tree->let.local < 0) return; /* let _ = ... */
    l->locals[tree->let.local] = value;
    l->defined[tree->let.local] = true;
}

/* -- each -- */

static void bind_local(FnLowering *l, int local, Slots slots) {
    if (local < 0) return;
    l->locals[local] = slots;
    l->defined[local] = true;
}

/* Binds what the loop names: the counter, or the item (all its slots) and perhaps its number. */
static void bind_pattern(FnLowering *l, const Tree *tree, IrValue list, IrValue counter) {
    if (tree->kind == TREE_EACH_RANGE) {
        bind_local(l, tree->each.item, slots_one(l, counter));
        return;
    }
    bind_local(l, tree->each.index, slots_one(l, counter));
    if (tree->each.item < 0) return;
    const Type *element = tree->each.lo->type->element;
    bind_local(l, tree->each.item,
               emit_slots(l, IR_LIST_GET, (IrValue[]){list, counter}, 2, 0, element->slot_count,
                          element->slots, element->slot_count));
}

static void lower_each(FnLowering *l, const Tree *tree) {
    bool over_list = tree->kind == TREE_EACH_LIST;
    IrValue first = lower_single(l, tree->each.lo);
    IrValue lo = over_list ? emit_const(l, IR_CONST_I, 0) : first;
    IrValue hi = over_list ? emit1(l, IR_LIST_LENGTH, first) : lower_single(l, tree->each.hi);
    Assigned set = {.l = l};
    assigned_find(tree->each.body, &set);
    Slots before = carried_slots(&set);

    IrValue *args = ARENA_ARRAY(l->arena, IrValue, before.count + 2);
    IrType *types = ARENA_ARRAY(l->arena, IrType, before.count);
    args[0] = lo;
    args[1] = hi;
    for (int i = 0; i < before.count; i++) {
        args[i + 2] = before.items[i];
        types[i] = l->builder.func->types.items[before.items[i]];
    }
    IrIns *ins =
        ir_emit_many(&l->builder, IR_FOR, args, before.count + 2, 0, 0, types, before.count);

    IrRegion *outer = l->builder.region, *body = &ins->regions[0];
    l->builder.region = body;
    carried_set(&set, body->params.items + 1);
    bind_pattern(l, tree, first, body->params.items[0]);
    lower_tree(l, tree->each.body);
    Slots after = carried_slots(&set);
    yield_slots(l, after, after.count);
    if (tree->each.stay) ir_yield(&l->builder, body, lower_single(l, tree->each.stay));
    l->builder.region = outer;
    carried_set(&set, ins->results);
}

/* -- statements -- */

void lower_statement(FnLowering *l, const Tree *tree) {
    switch (tree->kind) {
    case TREE_LET:
    case TREE_ASSIGN:
        lower_let(l, tree);
        break;
    case TREE_SET:
        lower_set(l, tree);
        break;
    case TREE_EACH_RANGE:
    case TREE_EACH_LIST:
        lower_each(l, tree);
        break;
    case TREE_PART_MAKE:
        lower_part_make(l, tree);
        break;
    case TREE_ACT_SET:
    case TREE_ACT_ADD:
        lower_act(l, tree);
        break;
    case TREE_FAULT:
        lower_fault(l, tree);
        break;
#define STATEMENT(NAME, name, shape)
#define KIND(NAME, name, shape) case TREE_##NAME:
#include "compiler/check/tree.def"
        break; /* expressions: lower_expr.c */
    }
}
