/* Loops, and the steps they take. Lanes whose loops end at different rounds go on together while any lane is on; one that
 * ended keeps its carried values.
 *
 * A loop may stand here in more than one text, the quick ones first:
 *
 *     nobody else holds the lists it changes ── settle.c ──> their headers stay in registers
 *         no round can fail ─────────────────── prove.c ───> nothing is asked, steps are taken at once
 *         else
 *     else
 */
#include "compiler/llvm/emit.h"

enum {
    SHORT_LOOP = 64
}; /* steps of a loop with known bounds that are counted at once, before it */

typedef struct Loop {
    const IrRegion *body;
    LLVMBasicBlockRef head, exit;
    LLVMValueRef *carried; /* phis; [0] the counter */
    LLVMValueRef go_on;    /* phi: whether, or in which lanes, the round before said so; NULL: nobody asks */
    LLVMValueRef last;     /* the bound, as wide as the counter */
    bool endless;          /* no counter gets there: the rounds alone say when to stop */
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

static LLVMValueRef fuel_at(Emit *e) {
    return e->fuel ? e->fuel : emit_field_address(e, e->rt, AT(e, Rt, fuel));
}

LLVMValueRef emit_load_fuel(Emit *e) {
    return LLVMBuildLoad2(e->builder, e->unit->i, fuel_at(e), "");
}

LLVMValueRef emit_take_fuel(Emit *e, LLVMValueRef steps) {
    LLVMValueRef left = LLVMBuildSub(e->builder, emit_load_fuel(e), steps, "");
    LLVMBuildStore(e->builder, left, fuel_at(e));
    return left;
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
    LLVMValueRef fuel = emit_load_fuel(e);
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

/* From 0 to the greatest number. */
static bool is_endless(LLVMValueRef first, LLVMValueRef last) {
    return LLVMIsAConstantInt(first) && LLVMIsNull(first) && LLVMIsAConstantInt(last) &&
           LLVMConstIntGetSExtValue(last) == INT64_MAX;
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
    loop.endless = together && ir_for_stops(ins) && is_endless(first[0], loop.last);
    LLVMValueRef all = together ? NULL : emit_all_lanes(e);
    int stops = go_on_lanes(e, ins);
    LLVMValueRef go = stops ? emit_splat(e, emit_bool(e->unit, true), stops) : NULL;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->builder);
    loop.head = emit_block(e, "for");
    loop.exit = emit_block(e, "");
    LLVMBuildBr(e->builder, loop.head);
    LLVMPositionBuilderAtEnd(e->builder, loop.head);
    loop.carried = ARENA_ARRAY(e->unit->arena, LLVMValueRef, count);
    for (int i = 0; i < count; i++) {
        IrValue param = loop.body->params.items[i];
        loop.carried[i] = e->settled[param] ? first[i] : phi_from(e, first[i], before);
        e->values[param] = loop.carried[i];
    }
    if (!together) loop.lanes = phi_from(e, all, before);
    if (go) loop.go_on = phi_from(e, go, before);
    return loop;
}

/* In the head: which lanes take one more step? Leaves the builder in the body. */
static void loop_test(Emit *e, Loop *loop, LLVMValueRef *on) {
    LLVMBasicBlockRef body = emit_block(e, "do");
    *on = loop->endless ? emit_bool(e->unit, true)
                        : LLVMBuildICmp(e->builder, LLVMIntSLT, loop->carried[0], loop->last, "");
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
    LLVMValueRef *next = emit_yields_like(e, loop->body, params + 1, ins->result_count);
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
        if (!e->settled[params[i + 1]]) LLVMAddIncoming(loop->carried[i + 1], &next[i], &from, 1);
    if (loop->lanes) LLVMAddIncoming(loop->lanes, &on, &from, 1);
    LLVMBuildBr(e->builder, loop->head);
}

/* Below 0 when something has failed or said stop. */
static LLVMValueRef emit_stopped(Emit *e) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef stop = emit_load_field(e, e->unit->w, e->rt, AT(e, Rt, stop));
    stop = LLVMBuildOr(b, stop, emit_load_field(e, e->unit->w, e->rt, AT(e, Rt, fault.code)), "");
    return LLVMBuildNeg(b, LLVMBuildZExt(b, stop, e->unit->i, ""), "");
}

/* Takes steps for the lanes that are on, as rt_step; when there are none left records the fault and goes to `refused`,
 * or on all the same when that is NULL. Where one lane's loop keeps its steps, a fault takes them away (emit_end_loops), and whoever says stop is heard
 * with the next installment: the steps are all that is looked at. */
void emit_steps(Emit *e, int64_t steps, LLVMBasicBlockRef refused) {
    LLVMBuilderRef b = e->builder;
    Unit *unit = e->unit;
    LLVMValueRef left = emit_take_fuel(e, LLVMBuildMul(b, lanes_on(e), emit_int(unit, steps), ""));
    if (!e->fuel || e->width > 1) left = LLVMBuildOr(b, left, emit_stopped(e), "");
    LLVMValueRef good = LLVMBuildICmp(b, LLVMIntSGE, left, emit_int(unit, 0), "");
    LLVMBasicBlockRef cold = emit_block(e, "ask"), next = emit_block(e, "");
    LLVMBuildCondBr(b, good, next, cold);
    LLVMPositionBuilderAtEnd(b, cold);
    emit_move_fuel(e, false);
    LLVMValueRef args[] = {e->rt, emit_element(e), emit_span(e)};
    LLVMValueRef granted = LLVMBuildIsNotNull(b, emit_entry(e, JIT_entry_step_refused, args, 3), "");
    emit_move_fuel(e, true);
    LLVMBuildCondBr(b, granted, next, refused ? refused : next);
    LLVMPositionBuilderAtEnd(b, next);
}

bool emit_is_leaf(const IrRegion *region) {
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        if (ins->op == IR_FOR || ins->op == IR_CALL) return false;
        if (ins->op == IR_IF && !(emit_is_leaf(&ins->regions[0]) && emit_is_leaf(&ins->regions[1])))
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
    bool counted = (uint64_t)b - (uint64_t)a <= SHORT_LOOP && emit_is_leaf(&ins->regions[0]) && !ir_for_stops(ins);
    return counted ? b - a : -1;
}

/* One text of the loop. Its steps were taken before it, or every round takes one. */
static void emit_rounds(Emit *e, const IrIns *ins, bool counted) {
    Loop loop = loop_open(e, ins, counted);
    LLVMValueRef on, outer = e->mask;
    loop_test(e, &loop, &on);
    if (loop.lanes) e->mask = on;
    if (!counted) emit_steps(e, 1, loop.exit);
    e->loops++;
    emit_region(e, loop.body);
    e->loops--;
    loop_close(e, &loop, ins, on);
    e->mask = outer;
    LLVMPositionBuilderAtEnd(e->builder, loop.exit);
    for (int i = 0; i < ins->result_count; i++)
        e->values[ins->results[i]] = loop.carried[i + 1];
}

/* Where no round can fail, one that asks nothing stands beside the one that asks. */
static void emit_asked(Emit *e, const IrIns *ins) {
    Proof proof = {0};
    if (!prove_open(e, ins, &proof)) {
        emit_rounds(e, ins, false);
        return;
    }
    emit_rounds(e, ins, proof.counted);
    prove_turn(e, &proof);
    emit_rounds(e, ins, false);
    prove_close(e, &proof);
}

static void emit_hoisted(Emit *e, const IrIns *ins) {
    int64_t steps = short_steps(e, ins);
    if (steps > 0) emit_steps(e, steps, NULL);
    Hoisted hoisted = hoist_open(e, ins);
    if (steps >= 0)
        emit_rounds(e, ins, true);
    else
        emit_asked(e, ins);
    hoist_close(e, hoisted);
}

void emit_for(Emit *e, const IrIns *ins) {
    Settled settled = {0};
    if (!settle_open(e, ins, &settled)) {
        emit_hoisted(e, ins);
        return;
    }
    emit_hoisted(e, ins);
    settle_turn(e, &settled);
    emit_hoisted(e, ins);
    settle_close(e, &settled);
}
