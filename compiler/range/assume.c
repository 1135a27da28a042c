/* Narrowing by conditions. A condition is a comparison, or made of others: by not, and, or, or as
 * an `if` of which one side yields the other answer, which is what && and || become.
 */
#include "compiler/range/walk.h"

enum { MAX_TERMS = 64 }; /* how deep conditions of conditions are looked into */

static void narrow(Walk *walk, IrValue value, Range range) {
    if (range_equal(walk_type(walk, value), walk->env[value], range)) return;
    Narrowed was = {value, walk->env[value]};
    VEC_PUSH(walk->ranges->input.scratch, &walk->trail, was);
    walk->env[value] = range;
}

void walk_undo(Walk *walk, int mark) {
    while (walk->trail.count > mark) {
        const Narrowed *last = &walk->trail.items[--walk->trail.count];
        walk->env[last->value] = last->before;
    }
}

static void assume(Walk *walk, IrValue condition, bool truth, int depth);

/* x == x holds of every number, and of no NaN. */
static void assume_is_number(Walk *walk, const IrIns *ins, bool truth) {
    Range range = walk->env[ins->args[0]];
    if (ins->op == IR_NE_F) truth = !truth;
    if (ins->op != IR_EQ_F && ins->op != IR_NE_F) return;
    Range none = range_empty(IR_F);
    if (!truth)
        range.lo = none.lo, range.hi = none.hi;
    else
        range.nan = range.made = false;
    narrow(walk, ins->args[0], range);
}

static void assume_comparison(Walk *walk, const IrIns *ins, bool truth) {
    IrValue left = ins->args[0], right = ins->args[1];
    if (left == right) {
        assume_is_number(walk, ins, truth);
        return;
    }
    Range a = walk->env[left], b = walk->env[right];
    range_assume(ins->op, truth, &a, &b);
    narrow(walk, left, a);
    narrow(walk, right, b);
}

static bool can_be(const Walk *walk, IrValue value, bool truth) {
    return walk->env[value].least <= truth && truth <= walk->env[value].most;
}

/* The result of an `if`: when only one side can have yielded this, that side was taken. */
static void assume_yield(Walk *walk, const IrIns *ins, IrValue result, bool truth, int depth) {
    int k = 0;
    while (ins->results[k] != result)
        k++;
    IrValue yields[2] = {ins->regions[0].yields.items[k], ins->regions[1].yields.items[k]};
    bool first = can_be(walk, yields[0], truth), second = can_be(walk, yields[1], truth);
    if (first == second) return;
    assume(walk, ins->args[0], first, depth);
    assume(walk, yields[first ? 0 : 1], truth, depth);
}

static void assume_parts(Walk *walk, const IrIns *ins, bool truth, int depth) {
    if (ins->op == IR_NOT_B) assume(walk, ins->args[0], !truth, depth);
    if (ins->op != (truth ? IR_AND_B : IR_OR_B)) return;
    assume(walk, ins->args[0], truth, depth);
    assume(walk, ins->args[1], truth, depth);
}

static void assume(Walk *walk, IrValue condition, bool truth, int depth) {
    const IrIns *ins = walk->facts->defs[condition];
    Range range = walk->env[condition];
    if (!can_be(walk, condition, truth) || depth > MAX_TERMS) return;
    range.least = range.most = truth;
    narrow(walk, condition, range);
    if (ins == NULL) return;
    if (ins->op == IR_IF)
        assume_yield(walk, ins, condition, truth, depth + 1);
    else if (ins->arg_count == 2 && ir_op_info(ins->op)->effect == IR_PURE &&
             walk_type(walk, ins->args[0]) != IR_B)
        assume_comparison(walk, ins, truth);
    else
        assume_parts(walk, ins, truth, depth + 1);
}

void walk_assume(Walk *walk, IrValue condition, bool truth) {
    assume(walk, condition, truth, 0);
}
