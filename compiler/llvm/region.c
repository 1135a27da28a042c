/* Control flow. At width 1, and wherever the condition is uniform, `if` and `for` are branches. Else:
 *
 *   if   both sides few pure operations: both worked out, then select;
 *        else each side behind a branch "is any lane on?", under mask & c and mask & !c, then select
 *   for  goes on while any lane is on; a lane whose loop ended keeps its carried values
 *
 * What a side that was skipped yields is zero, never poison, so lanes that are off stay harmless.
 */
#include "compiler/llvm/emit.h"

enum {
    SELECT_LIMIT = 12
}; /* operations in both sides of an `if` that are cheaper worked out than asked about */

static bool all_uniform(const Emit *e, const IrIns *ins) {
    for (int i = 0; i < ins->arg_count; i++)
        if (!emit_is_uniform(e, ins->args[i])) return false;
    return true;
}

/* An object operation on scalars, under a mask or not. */
static void emit_uniform_object(Emit *e, const IrIns *ins) {
    LLVMValueRef *args = ARENA_ARRAY(e->unit->arena, LLVMValueRef, ins->arg_count + 1);
    LLVMValueRef *results = ARENA_ARRAY(e->unit->arena, LLVMValueRef, ins->result_count + 1);
    for (int i = 0; i < ins->arg_count; i++)
        args[i] = e->values[ins->args[i]];
    emit_object(e, ins, args, results);
    for (int i = 0; i < ins->result_count; i++)
        e->values[ins->results[i]] = results[i];
}

/* Object operations that record no fault, so that pending ones may wait. */
static bool is_quiet(IrOp op) {
    return ir_op_info(op)->effect == IR_PURE || op == IR_LIST_LENGTH || op == IR_RETAIN || op == IR_RELEASE ||
           (op >= IR_GRID_COLUMNS && op <= IR_GRID_OUTSIDE);
}

static void emit_call(Emit *e, const IrIns *ins);
static void emit_if(Emit *e, const IrIns *ins);
static void emit_for(Emit *e, const IrIns *ins);

void emit_one(Emit *e, const IrIns *ins) {
    e->site++;
    bool uniform = all_uniform(e, ins);
    if (emit_scalar(e, ins, uniform ? 1 : e->width)) return;
    if (ins->op == IR_FAULT_IF) {
        emit_fault_if(e, ins);
        return;
    }
    if (!is_quiet(ins->op)) emit_flush_faults(e);
    if (ins->op == IR_IF)
        emit_if(e, ins);
    else if (ins->op == IR_FOR)
        emit_for(e, ins);
    else if (ins->op == IR_CALL)
        emit_call(e, ins);
    else if (uniform)
        emit_uniform_object(e, ins);
    else
        emit_lanes(e, ins);
}

void emit_region(Emit *e, const IrRegion *region) {
    if (region->body.count > EMIT_BLOCK_LIMIT) {
        emit_long_region(e, region);
        return;
    }
    for (int i = 0; i < region->body.count; i++)
        emit_one(e, region->body.items[i]);
    emit_flush_faults(e);
}

/* -- calls -- */

static LLVMValueRef all_lanes(Emit *e) {
    return e->mask ? e->mask : emit_splat(e, emit_bool(e->unit, true), e->width);
}

static void emit_call(Emit *e, const IrIns *ins) {
    const IrFunc *func = e->unit->program->binding.module->funcs.items[ins->imm.i];
    bool *uniform = ARENA_ARRAY(e->unit->arena, bool, ins->arg_count);
    for (int i = 0; i < ins->arg_count; i++)
        uniform[i] = emit_is_uniform(e, ins->args[i]);
    const Variant *callee = variant_get(e->unit->program, func, e->width, uniform, true);
    LLVMValueRef *args = ARENA_ARRAY(e->unit->arena, LLVMValueRef, ins->arg_count + 3);
    int count = 0;
    args[count++] = e->rt;
    args[count++] = callee->width == 1 ? emit_element(e) : e->element;
    if (callee->masked) args[count++] = all_lanes(e);
    for (int i = 0; i < ins->arg_count; i++)
        args[count++] = emit_value(e, ins->args[i], callee->uniform_params[i] ? 1 : e->width);
    LLVMValueRef fn = emit_variant(e->unit, callee);
    LLVMTypeRef type = emit_variant_type(e->unit, callee);
    LLVMValueRef call = LLVMBuildCall2(e->builder, type, fn, args, (unsigned)count, "");
    LLVMSetInstructionCallConv(call, LLVMFastCallConv);
    if (ins->result_count == 1) e->values[ins->results[0]] = call;
    for (int i = 0; ins->result_count > 1 && i < ins->result_count; i++)
        e->values[ins->results[i]] = LLVMBuildExtractValue(e->builder, call, (unsigned)i, "");
    if (ins->span.file >= e->unit->program->binding.module->authors) emit_fault_place(e);
}

/* -- if -- */

/* What a region yields, each as wide as `like` says. */
static LLVMValueRef *yields_like(Emit *e, const IrRegion *region, const IrValue *like, int count) {
    LLVMValueRef *values = ARENA_ARRAY(e->unit->arena, LLVMValueRef, count + 1);
    for (int i = 0; i < count; i++)
        values[i] =
            emit_value(e, region->yields.items[i], emit_is_uniform(e, like[i]) ? 1 : e->width);
    return values;
}

static LLVMValueRef phi_of_two(Emit *e, LLVMValueRef a, LLVMBasicBlockRef from_a, LLVMValueRef b,
                               LLVMBasicBlockRef from_b) {
    LLVMValueRef phi = LLVMBuildPhi(e->builder, LLVMTypeOf(a), "");
    LLVMAddIncoming(phi, &a, &from_a, 1);
    LLVMAddIncoming(phi, &b, &from_b, 1);
    return phi;
}

static void if_branch(Emit *e, const IrIns *ins, LLVMValueRef condition) {
    LLVMBasicBlockRef side[2] = {emit_block(e, "then"), emit_block(e, "else")}, from[2];
    LLVMBasicBlockRef next = emit_block(e, "");
    LLVMValueRef *yields[2];
    LLVMBuildCondBr(e->builder, condition, side[0], side[1]);
    for (int i = 0; i < 2; i++) {
        LLVMPositionBuilderAtEnd(e->builder, side[i]);
        emit_region(e, &ins->regions[i]);
        yields[i] = yields_like(e, &ins->regions[i], ins->results, ins->result_count);
        from[i] = LLVMGetInsertBlock(e->builder);
        LLVMBuildBr(e->builder, next);
    }
    LLVMPositionBuilderAtEnd(e->builder, next);
    for (int i = 0; i < ins->result_count; i++)
        e->values[ins->results[i]] = phi_of_two(e, yields[0][i], from[0], yields[1][i], from[1]);
}

/* Emits one side under `mask`, skipped when no lane of it is on; answers what it yields. */
static LLVMValueRef *if_side(Emit *e, const IrIns *ins, int side, LLVMValueRef mask) {
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->builder);
    LLVMBasicBlockRef body = emit_block(e, side ? "else" : "then"), next = emit_block(e, "");
    LLVMBuildCondBr(e->builder, emit_any(e, mask), body, next);
    LLVMPositionBuilderAtEnd(e->builder, body);
    LLVMValueRef outer = e->mask;
    e->mask = mask;
    emit_region(e, &ins->regions[side]);
    LLVMValueRef *yields = yields_like(e, &ins->regions[side], ins->results, ins->result_count);
    e->mask = outer;
    LLVMBasicBlockRef end = LLVMGetInsertBlock(e->builder);
    LLVMBuildBr(e->builder, next);
    LLVMPositionBuilderAtEnd(e->builder, next);
    for (int i = 0; i < ins->result_count; i++) {
        LLVMValueRef none = LLVMConstNull(LLVMTypeOf(yields[i]));
        yields[i] = phi_of_two(e, yields[i], end, none, from);
    }
    return yields;
}

/* Operations of a region that may be computed for lanes that are off; SELECT_LIMIT + 1 when it has
 * others. */
static int count_pure(const IrRegion *region) {
    int count = 0;
    for (int i = 0; i < region->body.count && count <= SELECT_LIMIT; i++) {
        const IrIns *ins = region->body.items[i];
        if (ir_op_info(ins->op)->effect != IR_PURE) return SELECT_LIMIT + 1;
        if (ins->op == IR_CONST_TEXT || ins->op == IR_CONST_DESIGN) return SELECT_LIMIT + 1;
        bool dear = ins->op == IR_DIV_F || ins->op == IR_SQRT_F;
        if (ins->arg_count > 0) count += dear ? 6 : 1;
    }
    return count;
}

static void emit_if(Emit *e, const IrIns *ins) {
    LLVMValueRef condition = e->values[ins->args[0]];
    if (emit_is_uniform(e, ins->args[0])) {
        if_branch(e, ins, condition);
        return;
    }
    LLVMValueRef *yields[2];
    bool small = count_pure(&ins->regions[0]) + count_pure(&ins->regions[1]) <= SELECT_LIMIT;
    for (int i = 0; i < 2; i++) {
        if (small) {
            emit_region(e, &ins->regions[i]);
            yields[i] = yields_like(e, &ins->regions[i], ins->results, ins->result_count);
            continue;
        }
        LLVMValueRef on = i == 0 ? condition : LLVMBuildNot(e->builder, condition, "");
        yields[i] = if_side(e, ins, i, emit_and_mask(e, on));
    }
    for (int i = 0; i < ins->result_count; i++)
        e->values[ins->results[i]] =
            LLVMBuildSelect(e->builder, condition, yields[0][i], yields[1][i], "");
}

/* -- for -- */

enum {
    SHORT_LOOP = 64
}; /* steps of a loop with known bounds that are counted at once, before it */

typedef struct Loop {
    const IrRegion *body;
    LLVMBasicBlockRef head, exit;
    LLVMValueRef *carried; /* phis; [0] the counter */
    LLVMValueRef go_on;    /* phi: whether, or in which lanes, the round before said so; NULL: nobody asks */
    LLVMValueRef last;     /* the bound, as wide as the counter */
    LLVMValueRef lanes;    /* phi: lanes that are on; NULL when all go together */
} Loop;

static LLVMValueRef phi_from(Emit *e, LLVMValueRef first, LLVMBasicBlockRef from) {
    LLVMValueRef phi = LLVMBuildPhi(e->builder, LLVMTypeOf(first), "");
    LLVMAddIncoming(phi, &first, &from, 1);
    return phi;
}

/* Whether a loop's rounds say when to stop, and as wide as that is. */
static int go_on_lanes(const Emit *e, const IrIns *ins) {
    if (!ir_for_stops(ins)) return 0;
    return emit_is_uniform(e, ins->regions[0].yields.items[ins->result_count]) ? 1 : e->width;
}

static LLVMValueRef lanes_on(Emit *e) {
    if (!e->mask) return emit_int(e->unit, e->width);
    LLVMValueRef bits = emit_lane_bits(e, e->mask);
    return emit_intrinsic(e, "llvm.ctpop", e->unit->i, &bits, 1);
}

/* The bound of a loop that all lanes walk together to its end: `first`, and a fault, when the steps left are too few for it.
 * Only one with more rounds than the steps that are counted before the host is asked is looked at. */
static LLVMValueRef emit_bound(Emit *e, LLVMValueRef first, LLVMValueRef last) {
    LLVMBuilderRef b = e->builder;
    Unit *unit = e->unit;
    LLVMValueRef fuel_at = e->fuel ? e->fuel : emit_field_address(e, e->rt, offsetof(Rt, fuel));
    LLVMValueRef fuel = LLVMBuildLoad2(b, unit->i, fuel_at, "");
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntSGT, last, first, "");
    LLVMValueRef rounds = LLVMBuildSub(b, last, first, "");
    LLVMValueRef many = LLVMBuildAnd(b, more, LLVMBuildICmp(b, LLVMIntUGT, rounds, fuel, ""), "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), ask = emit_block(e, "fits"), next = emit_block(e, "");
    LLVMBuildCondBr(b, many, ask, next);
    LLVMPositionBuilderAtEnd(b, ask);
    emit_move_fuel(e, false);
    LLVMValueRef args[] = {e->rt, first, last, lanes_on(e), emit_element(e), emit_span(e)};
    LLVMValueRef fits = LLVMBuildIsNotNull(b, emit_entry(e, JIT_entry_loop_fits, args, 6), "");
    LLVMValueRef bound = LLVMBuildSelect(b, fits, last, first, "");
    LLVMBasicBlockRef asked = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    LLVMValueRef phi = LLVMBuildPhi(b, unit->i, "");
    LLVMAddIncoming(phi, (LLVMValueRef[]){last, bound}, (LLVMBasicBlockRef[]){before, asked}, 2);
    return phi;
}

/* From the block before the loop into its head, with the phis of the first step. */
static Loop loop_open(Emit *e, const IrIns *ins, bool counted) {
    Loop loop = {.body = &ins->regions[0]};
    int count = ins->result_count + 1;
    bool together = emit_is_uniform(e, loop.body->params.items[0]);
    int lanes = together ? 1 : e->width;
    LLVMValueRef *first = ARENA_ARRAY(e->unit->arena, LLVMValueRef, count);
    first[0] = emit_value(e, ins->args[0], lanes);
    loop.last = emit_value(e, ins->args[1], lanes);
    if (together && !counted && !ir_for_stops(ins)) loop.last = emit_bound(e, first[0], loop.last);
    for (int i = 1; i < count; i++) {
        bool uniform = emit_is_uniform(e, loop.body->params.items[i]);
        first[i] = emit_value(e, ins->args[i + 1], uniform ? 1 : e->width);
    }
    LLVMValueRef all = together ? NULL : all_lanes(e);
    int stops = go_on_lanes(e, ins);
    LLVMValueRef go = stops ? emit_splat(e, emit_bool(e->unit, true), stops) : NULL;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->builder);
    loop.head = emit_block(e, "for");
    loop.exit = emit_block(e, "");
    LLVMBuildBr(e->builder, loop.head);
    LLVMPositionBuilderAtEnd(e->builder, loop.head);
    loop.carried = ARENA_ARRAY(e->unit->arena, LLVMValueRef, count);
    for (int i = 0; i < count; i++) {
        loop.carried[i] = phi_from(e, first[i], before);
        e->values[loop.body->params.items[i]] = loop.carried[i];
    }
    if (!together) loop.lanes = phi_from(e, all, before);
    if (go) loop.go_on = phi_from(e, go, before);
    return loop;
}

/* In the head: which lanes take one more step? Leaves the builder in the body. */
static void loop_test(Emit *e, Loop *loop, LLVMValueRef *on) {
    LLVMBasicBlockRef body = emit_block(e, "do");
    *on = LLVMBuildICmp(e->builder, LLVMIntSLT, loop->carried[0], loop->last, "");
    if (loop->lanes) *on = LLVMBuildAnd(e->builder, *on, loop->lanes, "");
    if (loop->go_on) {
        LLVMValueRef go = loop->go_on;
        if (emit_is_vector(*on) && !emit_is_vector(go)) go = emit_splat(e, go, e->width);
        *on = LLVMBuildAnd(e->builder, *on, go, "");
    }
    LLVMBuildCondBr(e->builder, emit_any(e, *on), body, loop->exit);
    LLVMPositionBuilderAtEnd(e->builder, body);
}

/* Back to the head with the next counter (of a lane that is on it cannot overflow) and carried
 * values. */
static void loop_close(Emit *e, Loop *loop, const IrIns *ins, LLVMValueRef on) {
    const IrValue *params = loop->body->params.items;
    LLVMValueRef *next = yields_like(e, loop->body, params + 1, ins->result_count);
    LLVMValueRef one = emit_splat(e, emit_int(e->unit, 1), loop->lanes ? e->width : 1);
    LLVMValueRef counter = LLVMBuildAdd(e->builder, loop->carried[0], one, "");
    for (int i = 0; loop->lanes && i < ins->result_count; i++)
        next[i] = LLVMBuildSelect(e->builder, on, next[i], loop->carried[i + 1], "");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->builder);
    if (loop->go_on) {
        LLVMValueRef go = e->values[loop->body->yields.items[ins->result_count]];
        LLVMAddIncoming(loop->go_on, &go, &from, 1);
    }
    LLVMAddIncoming(loop->carried[0], &counter, &from, 1);
    for (int i = 0; i < ins->result_count; i++)
        LLVMAddIncoming(loop->carried[i + 1], &next[i], &from, 1);
    if (loop->lanes) LLVMAddIncoming(loop->lanes, &on, &from, 1);
    LLVMBuildBr(e->builder, loop->head);
}

/* Takes steps for the lanes that are on, as rt_step; records the fault when there are none left.
 * Answers whether the loop may go on. */
LLVMValueRef emit_steps(Emit *e, int64_t steps) {
    LLVMBuilderRef b = e->builder;
    Unit *unit = e->unit;
    LLVMValueRef lanes = lanes_on(e);
    LLVMValueRef fuel_at = e->fuel ? e->fuel : emit_field_address(e, e->rt, offsetof(Rt, fuel));
    LLVMValueRef fuel = LLVMBuildLoad2(b, unit->i, fuel_at, "");
    fuel = LLVMBuildSub(b, fuel, LLVMBuildMul(b, lanes, emit_int(unit, steps), ""), "");
    LLVMBuildStore(b, fuel, fuel_at);
    LLVMValueRef stop_at = emit_field_address(e, e->rt, offsetof(Rt, stop));
    LLVMValueRef run = LLVMBuildIsNull(b, LLVMBuildLoad2(b, unit->w, stop_at, ""), "");
    LLVMValueRef left = LLVMBuildICmp(b, LLVMIntSGE, fuel, emit_int(unit, 0), "");
    LLVMValueRef good = LLVMBuildAnd(b, run, left, "");
    LLVMBasicBlockRef cold = emit_block(e, "refused"), next = emit_block(e, "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    LLVMBuildCondBr(b, good, next, cold);
    LLVMPositionBuilderAtEnd(b, cold);
    emit_move_fuel(e, false);
    LLVMValueRef args[] = {e->rt, emit_element(e), emit_span(e)};
    LLVMValueRef granted = LLVMBuildIsNotNull(b, emit_entry(e, JIT_entry_step_refused, args, 3), "");
    emit_move_fuel(e, true);
    LLVMBasicBlockRef asked = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(good), "");
    LLVMAddIncoming(phi, (LLVMValueRef[]){good, granted}, (LLVMBasicBlockRef[]){before, asked}, 2);
    return phi;
}

/* No loop or call inside. */
static bool is_leaf(const IrRegion *region) {
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        if (ins->op == IR_FOR || ins->op == IR_CALL) return false;
        if (ins->op == IR_IF && !(is_leaf(&ins->regions[0]) && is_leaf(&ins->regions[1])))
            return false;
    }
    return true;
}

/* The steps of a short loop that is a leaf and has constant bounds; else -1. */
static int64_t short_steps(const Emit *e, const IrIns *ins) {
    LLVMValueRef first = e->values[ins->args[0]], last = e->values[ins->args[1]];
    if (!LLVMIsAConstantInt(first) || !LLVMIsAConstantInt(last)) return -1;
    int64_t a = LLVMConstIntGetSExtValue(first), b = LLVMConstIntGetSExtValue(last);
    if (b <= a) return 0;
    bool counted = (uint64_t)b - (uint64_t)a <= SHORT_LOOP && is_leaf(&ins->regions[0]) && !ir_for_stops(ins);
    return counted ? b - a : -1;
}

static void emit_for(Emit *e, const IrIns *ins) {
    int64_t steps = short_steps(e, ins);
    if (steps > 0) emit_steps(e, steps);
    Hoisted hoisted = hoist_open(e, ins);
    Loop loop = loop_open(e, ins, steps >= 0);
    LLVMValueRef on, outer = e->mask;
    loop_test(e, &loop, &on);
    if (loop.lanes) e->mask = on;
    if (steps < 0) {
        LLVMValueRef good = emit_steps(e, 1);
        LLVMBasicBlockRef go = emit_block(e, "");
        LLVMBuildCondBr(e->builder, good, go, loop.exit);
        LLVMPositionBuilderAtEnd(e->builder, go);
    }
    emit_region(e, loop.body);
    loop_close(e, &loop, ins, on);
    e->mask = outer;
    LLVMPositionBuilderAtEnd(e->builder, loop.exit);
    hoist_close(e, hoisted);
    for (int i = 0; i < ins->result_count; i++)
        e->values[ins->results[i]] = loop.carried[i + 1];
}
