/* A loop's checks, asked once before it instead of in each round. From the range of the counter follow the ranges of the
 * whole numbers that are made of it, in numbers known when the loop begins:
 *
 *     for %i in %a, %b {            %i in [a, b - 1]
 *       %1 = mul.i %i, %w           [min, max] of (a * w, (b - 1) * w), if neither overflows
 *       %2 = sub.i %1, %one         ...
 *       %3 = list.get %xs, %2       inside, if its low >= 0 and its high < length
 *     }
 *
 * Where all of that holds, the loop runs in a text without those checks, which LLVM may make into vectors; where it does
 * not, in the text that asks (and finds the fault, or none). An index behind a condition is not asked about: there the
 * condition is the check.
 */
#include "compiler/llvm/emit.h"

enum {
    PROVE_OPERATIONS = 400, /* of a loop that is written twice */
    PROVE_ROUNDS = 8,       /* fewer are not worth the questions */
    PROVE_MOST = 1 << 17    /* and more would run too long without a look at the clock */
};

typedef struct Walk {
    Emit *e;
    LLVMValueRef bad; /* something may fail */
    bool counted;     /* every operation that may fail was proved not to */
    int behind;       /* conditions */
    int proved;
} Walk;

/* -- ranges -- */

static bool is_known(Range range) {
    return range.low != NULL;
}

/* What was emitted already does not change in the loop. */
static Range range_of(const Walk *walk, IrValue value) {
    if (walk->e->func->types.items[value] != IR_I) return (Range){0};
    LLVMValueRef outside = walk->e->values[value];
    return outside ? (Range){outside, outside} : walk->e->ranges[value];
}

static void note(Walk *walk, LLVMValueRef bad) {
    walk->bad = walk->bad ? LLVMBuildOr(walk->e->builder, walk->bad, bad, "") : bad;
}

static void set_range(Walk *walk, const IrIns *ins, Range range) {
    walk->e->ranges[ins->results[0]] = range;
}

static void prove(Walk *walk, const IrIns *ins) {
    walk->e->proved[ins->results[0]] = true;
    walk->proved++;
}

static LLVMValueRef checked(Walk *walk, const char *name, LLVMValueRef a, LLVMValueRef b) {
    Emit *e = walk->e;
    LLVMValueRef both = emit_intrinsic(e, name, e->unit->i, (LLVMValueRef[]){a, b}, 2);
    note(walk, LLVMBuildExtractValue(e->builder, both, 1, ""));
    return LLVMBuildExtractValue(e->builder, both, 0, "");
}

static LLVMValueRef lesser(Walk *walk, LLVMValueRef a, LLVMValueRef b) {
    return a == b ? a : emit_intrinsic(walk->e, "llvm.smin", walk->e->unit->i, (LLVMValueRef[]){a, b}, 2);
}

static LLVMValueRef greater(Walk *walk, LLVMValueRef a, LLVMValueRef b) {
    return a == b ? a : emit_intrinsic(walk->e, "llvm.smax", walk->e->unit->i, (LLVMValueRef[]){a, b}, 2);
}

static Range both(Walk *walk, Range a, Range b) {
    if (!is_known(a) || !is_known(b)) return (Range){0};
    return (Range){lesser(walk, a.low, b.low), greater(walk, a.high, b.high)};
}

static Range sum(Walk *walk, Range a, Range b) {
    const char *add = "llvm.sadd.with.overflow";
    return (Range){checked(walk, add, a.low, b.low), checked(walk, add, a.high, b.high)};
}

static Range difference(Walk *walk, Range a, Range b) {
    const char *sub = "llvm.ssub.with.overflow";
    return (Range){checked(walk, sub, a.low, b.high), checked(walk, sub, a.high, b.low)};
}

static Range times(Walk *walk, Range a, LLVMValueRef by) {
    const char *mul = "llvm.smul.with.overflow";
    LLVMValueRef low = checked(walk, mul, a.low, by), high = checked(walk, mul, a.high, by);
    return (Range){lesser(walk, low, high), greater(walk, low, high)};
}

static Range product(Walk *walk, Range a, Range b) {
    Range low = times(walk, a, b.low);
    return b.low == b.high ? low : both(walk, low, times(walk, a, b.high));
}

/* Rounded down, as the language divides: one too low does no harm. */
static Range quotient(Walk *walk, Range a, LLVMValueRef by) {
    LLVMBuilderRef b = walk->e->builder;
    LLVMValueRef negative = LLVMBuildICmp(b, LLVMIntSLT, a.low, emit_int(walk->e->unit, 0), "");
    LLVMValueRef one = LLVMBuildSExt(b, negative, walk->e->unit->i, "");
    return (Range){LLVMBuildAdd(b, LLVMBuildSDiv(b, a.low, by, ""), one, ""), LLVMBuildSDiv(b, a.high, by, "")};
}

/* -- conditions -- */

/* Whether the value can only be what is wanted, if what is noted holds. Asked first without noting: half an answer would
 * refuse the quick text for nothing. */
static bool holds(Walk *walk, IrValue value, bool wanted, bool noting);

static bool is_constant(const Walk *walk, IrValue value, bool wanted) {
    const IrIns *ins = walk->e->made[value];
    LLVMValueRef outside = walk->e->values[value];
    if (outside) return LLVMIsAConstantInt(outside) && LLVMIsNull(outside) == !wanted;
    return ins && ins->op == IR_CONST_B && (ins->imm.i != 0) == wanted;
}

/* if c { x } else { y }, where one side is fixed: c && x, c || y. */
static bool choice_holds(Walk *walk, const IrValue choice[3], bool wanted, bool noting) {
    bool and = is_constant(walk, choice[2], false) && wanted;
    bool or = is_constant(walk, choice[1], true) && !wanted;
    if (!and && !or) return false;
    return holds(walk, choice[0], wanted, noting) && holds(walk, choice[and ? 1 : 2], wanted, noting);
}

/* a < b, or with `less` false a <= b. */
static bool order_holds(Walk *walk, const IrIns *ins, bool wanted, bool noting) {
    bool less = ins->op == IR_LT_I;
    Range a = range_of(walk, ins->args[0]), b = range_of(walk, ins->args[1]);
    if (!is_known(a) || !is_known(b)) return false;
    if (!noting) return true;
    LLVMIntPredicate fails = wanted ? (less ? LLVMIntSGE : LLVMIntSGT) : (less ? LLVMIntSLT : LLVMIntSLE);
    LLVMValueRef x = wanted ? a.high : a.low, y = wanted ? b.low : b.high;
    note(walk, LLVMBuildICmp(walk->e->builder, fails, x, y, ""));
    return true;
}

static bool outside_holds(Walk *walk, LLVMValueRef value, bool wanted, bool noting) {
    if (noting) note(walk, wanted ? LLVMBuildNot(walk->e->builder, value, "") : value);
    return true;
}

static bool holds(Walk *walk, IrValue value, bool wanted, bool noting) {
    const IrIns *ins = walk->e->made[value];
    if (walk->e->values[value]) return outside_holds(walk, walk->e->values[value], wanted, noting);
    if (!ins) return false;
    switch ((int)ins->op) {
    case IR_CONST_B:
        return (ins->imm.i != 0) == wanted;
    case IR_NOT_B:
        return holds(walk, ins->args[0], !wanted, noting);
    case IR_LT_I:
    case IR_LE_I:
        return order_holds(walk, ins, wanted, noting);
    case IR_SELECT:
        return choice_holds(walk, ins->args, wanted, noting);
    case IR_AND_B:
    case IR_OR_B:
        if ((ins->op == IR_AND_B) != wanted) return false;
        return holds(walk, ins->args[0], wanted, noting) && holds(walk, ins->args[1], wanted, noting);
    default:
        return false;
    }
}

/* -- instructions -- */

static void walk_fault(Walk *walk, const IrIns *ins) {
    bool outside = walk->e->values[ins->args[0]] != NULL; /* others may ask for it too */
    if (walk->behind || outside || !holds(walk, ins->args[0], false, false)) {
        walk->counted = false;
        return;
    }
    holds(walk, ins->args[0], false, true);
    walk->e->proved[ins->args[0]] = true;
    walk->proved++;
}

static void walk_arithmetic(Walk *walk, const IrIns *ins, Range (*made)(Walk *, Range, Range)) {
    Range a = range_of(walk, ins->args[0]), b = range_of(walk, ins->args[1]);
    if (!is_known(a) || !is_known(b)) {
        walk->counted = false;
        return;
    }
    set_range(walk, ins, made(walk, a, b));
    prove(walk, ins);
}

/* By a number above 0 that stays the same. */
static void walk_divide(Walk *walk, const IrIns *ins) {
    LLVMBuilderRef b = walk->e->builder;
    Range a = range_of(walk, ins->args[0]), by = range_of(walk, ins->args[1]);
    Unit *unit = walk->e->unit;
    if (!is_known(by) || by.low != by.high) {
        walk->counted = false;
        return;
    }
    note(walk, LLVMBuildICmp(b, LLVMIntSLT, by.low, emit_int(unit, 1), ""));
    prove(walk, ins);
    if (ins->op == IR_MOD_I)
        set_range(walk, ins, (Range){emit_int(unit, 0), LLVMBuildSub(b, by.low, emit_int(unit, 1), "")});
    else if (is_known(a))
        set_range(walk, ins, quotient(walk, a, by.low));
}

static void walk_index(Walk *walk, const IrIns *ins) {
    LLVMBuilderRef b = walk->e->builder;
    Header list = walk->e->headers[ins->args[0]];
    Range at = range_of(walk, ins->args[1]);
    bool changes = ins->op == IR_LIST_SET && (!walk->e->settled[ins->args[0]] || emit_object_bits(walk->e, ins, 2));
    if (!list.items || !is_known(at) || walk->behind || changes) {
        walk->counted = false;
        return;
    }
    note(walk, LLVMBuildICmp(b, LLVMIntSLT, at.low, emit_int(walk->e->unit, 0), ""));
    note(walk, LLVMBuildICmp(b, LLVMIntSGE, at.high, list.length, ""));
    prove(walk, ins);
}

static void walk_region(Walk *walk, const IrRegion *region);

static void walk_if(Walk *walk, const IrIns *ins) {
    walk->behind++;
    walk_region(walk, &ins->regions[0]);
    walk_region(walk, &ins->regions[1]);
    walk->behind--;
    for (int i = 0; i < ins->result_count; i++)
        walk->e->ranges[ins->results[i]] = both(walk, range_of(walk, ins->regions[0].yields.items[i]),
                                                range_of(walk, ins->regions[1].yields.items[i]));
}

static void walk_ins(Walk *walk, const IrIns *ins) {
    for (int i = 0; i < ins->result_count; i++)
        walk->e->made[ins->results[i]] = ins;
    switch ((int)ins->op) {
    case IR_CONST_I: {
        LLVMValueRef value = emit_int(walk->e->unit, ins->imm.i);
        set_range(walk, ins, (Range){value, value});
        return;
    }
    case IR_ADD_I:
    case IR_WRAP_ADD_I:
        walk_arithmetic(walk, ins, sum);
        return;
    case IR_SUB_I:
    case IR_WRAP_SUB_I:
        walk_arithmetic(walk, ins, difference);
        return;
    case IR_MUL_I:
    case IR_WRAP_MUL_I:
        walk_arithmetic(walk, ins, product);
        return;
    case IR_DIV_I:
    case IR_MOD_I:
        walk_divide(walk, ins);
        return;
    case IR_SELECT:
        set_range(walk, ins, both(walk, range_of(walk, ins->args[1]), range_of(walk, ins->args[2])));
        return;
    case IR_LIST_GET:
    case IR_LIST_SET:
    case IR_GRID_GET:
        walk_index(walk, ins);
        return;
    case IR_LIST_LENGTH: {
        LLVMValueRef length = walk->e->headers[ins->args[0]].length;
        set_range(walk, ins, (Range){length, length});
        return;
    }
    case IR_IF:
        walk_if(walk, ins);
        return;
    case IR_FAULT_IF:
        walk_fault(walk, ins);
        return;
    default:
        if (ir_op_info(ins->op)->effect != IR_PURE) walk->counted = false;
    }
}

static void walk_region(Walk *walk, const IrRegion *region) {
    for (int i = 0; i < region->body.count; i++)
        walk_ins(walk, region->body.items[i]);
}

/* -- the two texts -- */

static LLVMValueRef is_worth(Emit *e, LLVMValueRef rounds) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef some = LLVMBuildICmp(b, LLVMIntSGE, rounds, emit_int(e->unit, PROVE_ROUNDS), "");
    LLVMValueRef few = LLVMBuildICmp(b, LLVMIntSLE, rounds, emit_int(e->unit, PROVE_MOST), "");
    return LLVMBuildAnd(b, some, few, "");
}

/* All steps of the loop at once; to `plain` when there are not so many. */
static void take_steps(Emit *e, LLVMValueRef rounds, LLVMBasicBlockRef plain) {
    LLVMBuilderRef b = e->builder;
    LLVMBasicBlockRef ask = emit_block(e, "steps"), go = emit_block(e, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntSLE, rounds, emit_load_fuel(e), ""), go, ask);
    LLVMPositionBuilderAtEnd(b, ask);
    emit_move_fuel(e, false);
    LLVMValueRef granted = emit_entry(e, JIT_entry_steps_ensure, (LLVMValueRef[]){e->rt, rounds}, 2);
    emit_move_fuel(e, true);
    LLVMBuildCondBr(b, LLVMBuildIsNotNull(b, granted, ""), go, plain);
    LLVMPositionBuilderAtEnd(b, go);
    emit_take_fuel(e, rounds);
}

static bool is_small_leaf(const Emit *e, const IrRegion *region) {
    return emit_is_leaf(region) && emit_may_double(e, region, PROVE_OPERATIONS);
}

bool prove_open(Emit *e, const IrIns *ins, Proof *proof) {
    const IrRegion *body = &ins->regions[0];
    if (e->width > 1 || ir_for_stops(ins) || !is_small_leaf(e, body)) return false;
    LLVMBuilderRef b = e->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), ask = emit_block(e, "prove");
    LLVMPositionBuilderAtEnd(b, ask);
    LLVMValueRef first = e->values[ins->args[0]], last = e->values[ins->args[1]];
    LLVMValueRef highest = LLVMBuildSub(b, last, emit_int(e->unit, 1), "");
    e->ranges[body->params.items[0]] = (Range){first, highest};
    Walk walk = {.e = e, .counted = true};
    walk_region(&walk, body);
    if (walk.proved == 0) {
        LLVMDeleteBasicBlock(ask);
        emit_forget(e, body);
        LLVMPositionBuilderAtEnd(b, before);
        return false;
    }
    proof->counted = walk.counted;
    proof->versions = versions_open(e, ins);
    LLVMBasicBlockRef quick = emit_block(e, "proved");
    LLVMBuildCondBr(b, walk.bad, proof->versions.plain, quick);
    LLVMPositionBuilderAtEnd(b, before);
    LLVMValueRef rounds = LLVMBuildSub(b, last, first, "");
    LLVMBuildCondBr(b, is_worth(e, rounds), ask, proof->versions.plain);
    LLVMPositionBuilderAtEnd(b, quick);
    if (walk.counted) take_steps(e, rounds, proof->versions.plain);
    e->unit->vectors |= walk.counted;
    return true;
}

void prove_turn(Emit *e, Proof *proof) {
    versions_turn(e, &proof->versions);
}

void prove_close(Emit *e, Proof *proof) {
    versions_close(e, &proof->versions);
}
