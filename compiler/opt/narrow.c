/* Needs: verified IR. Gives: operations that ranges prove can never fail as those without a check. May change: add.i, sub.i,
 * mul.i and neg.i that never overflow into wrap.add.i and its kin, float.to.int of what stays below 2^51 into whole.i.
 *
 * Those are PURE, so what uses them may be hoisted, chosen by select, left out and worked out for lanes that are off. The
 * ranges hold for runs with faults too (range.h), whose first fault is all that is told: so none is ever lost by this.
 */
#include "compiler/opt/pass.h"

typedef struct Narrow {
    int func;
    Range *ranges; /* by value: over all walks */
    const IrFunc *of;
    bool found; /* something that could fail */
} Narrow;

static IrOp unchecked(IrOp op) {
    switch ((int)op) {
    case IR_ADD_I:
        return IR_WRAP_ADD_I;
    case IR_SUB_I:
        return IR_WRAP_SUB_I;
    case IR_MUL_I:
        return IR_WRAP_MUL_I;
    case IR_F_TO_I:
        return IR_WHOLE_I;
    default:
        return op;
    }
}

static bool find(const IrIns *ins, void *user) {
    Narrow *narrow = user;
    narrow->found |= unchecked(ins->op) != ins->op;
    return !narrow->found;
}

static void note(void *user, int func, IrValue value, Range range) {
    Narrow *narrow = user;
    if (func != narrow->func) return;
    narrow->ranges[value] = range_join(narrow->of->types.items[value], narrow->ranges[value], range);
}

/* A sum that saturated may have overflowed; one that was never worked out stays as it is. */
static bool is_safe(const Narrow *narrow, const IrIns *ins) {
    Range result = narrow->ranges[ins->results[0]];
    if (range_is_empty(IR_I, result)) return false;
    if (ins->op != IR_F_TO_I) return result.least > INT64_MIN && result.most < INT64_MAX;
    Range operand = narrow->ranges[ins->args[0]];
    return !operand.nan && operand.lo > -0x1p51 && operand.hi < 0x1p51;
}

static void narrow_region(const Narrow *narrow, IrRegion *region) {
    for (int i = 0; i < region->body.count; i++) {
        IrIns *ins = region->body.items[i];
        if (unchecked(ins->op) != ins->op && is_safe(narrow, ins)) ins->op = unchecked(ins->op);
        for (int k = 0; k < ins->region_count; k++)
            narrow_region(narrow, &ins->regions[k]);
    }
}

void opt_narrow(Opt *opt, IrFunc *func) {
    Narrow narrow = {.func = func->index, .of = func};
    ir_each_ins(&func->body, find, &narrow);
    if (!narrow.found) return;
    narrow.ranges = ARENA_ARRAY(opt->scratch, Range, func->types.count + 1);
    for (int i = 0; i < func->types.count; i++)
        narrow.ranges[i] = range_empty(func->types.items[i]);
    ranges_alone(opt->ranges, func->index, note, &narrow);
    narrow_region(&narrow, &func->body);
}
