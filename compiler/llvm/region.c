/* Control flow but for loops (loop.c). At width 1, and wherever the condition is uniform, `if` is a branch. Else:
 *
 *   both sides few pure operations: both worked out, then select;
 *   else a side of very few worked out, any other behind a branch "is any lane on?", under mask & c and mask & !c, then select
 *
 * What a side that was skipped yields is zero, never poison, so lanes that are off stay harmless.
 */
#include "compiler/llvm/emit.h"

enum {
    SELECT_LIMIT = 12,   /* operations in both sides of an `if` that are cheaper worked out than asked about */
    SELECT_ONE_LIMIT = 6 /* in one side, whatever the other is */
};

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

void emit_one(Emit *e, const IrIns *ins) {
    e->site++;
    bool uniform = all_uniform(e, ins);
    if (emit_scalar(e, ins, uniform ? 1 : e->width)) return;
    if (ins->op == IR_FAULT_IF) {
        if (!e->proved[ins->args[0]]) emit_fault_if(e, ins);
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

LLVMValueRef emit_all_lanes(Emit *e) {
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
    if (callee->masked) args[count++] = emit_all_lanes(e);
    for (int i = 0; i < ins->arg_count; i++)
        args[count++] = emit_value(e, ins->args[i], callee->uniform_params[i] ? 1 : e->width);
    LLVMValueRef fn = emit_variant(e->unit, callee);
    LLVMTypeRef type = emit_variant_type(e->unit, callee);
    LLVMValueRef call = LLVMBuildCall2(e->builder, type, fn, args, (unsigned)count, "");
    LLVMSetInstructionCallConv(call, LLVMFastCallConv);
    if (ins->result_count == 1) e->values[ins->results[0]] = call;
    for (int i = 0; ins->result_count > 1 && i < ins->result_count; i++)
        e->values[ins->results[i]] = LLVMBuildExtractValue(e->builder, call, (unsigned)i, "");
    emit_after_call(e, ins->span.file >= e->unit->program->binding.module->authors);
}

/* -- if -- */

LLVMValueRef *emit_yields_like(Emit *e, const IrRegion *region, const IrValue *like, int count) {
    LLVMValueRef *values = ARENA_ARRAY(e->unit->arena, LLVMValueRef, count + 1);
    for (int i = 0; i < count; i++)
        values[i] =
            emit_value(e, region->yields.items[i], emit_is_uniform(e, like[i]) ? 1 : e->width);
    return values;
}

static void if_branch(Emit *e, const IrIns *ins, LLVMValueRef condition) {
    LLVMBasicBlockRef side[2] = {emit_block(e, "then"), emit_block(e, "else")}, from[2];
    LLVMBasicBlockRef next = emit_block(e, "");
    LLVMValueRef *yields[2];
    LLVMBuildCondBr(e->builder, condition, side[0], side[1]);
    for (int i = 0; i < 2; i++) {
        LLVMPositionBuilderAtEnd(e->builder, side[i]);
        emit_region(e, &ins->regions[i]);
        yields[i] = emit_yields_like(e, &ins->regions[i], ins->results, ins->result_count);
        from[i] = LLVMGetInsertBlock(e->builder);
        LLVMBuildBr(e->builder, next);
    }
    LLVMPositionBuilderAtEnd(e->builder, next);
    for (int i = 0; i < ins->result_count; i++)
        e->values[ins->results[i]] = emit_phi(e, (LLVMValueRef[]){yields[0][i], yields[1][i]}, from);
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
    LLVMValueRef *yields = emit_yields_like(e, &ins->regions[side], ins->results, ins->result_count);
    e->mask = outer;
    LLVMBasicBlockRef end = LLVMGetInsertBlock(e->builder);
    LLVMBuildBr(e->builder, next);
    LLVMPositionBuilderAtEnd(e->builder, next);
    for (int i = 0; i < ins->result_count; i++) {
        LLVMValueRef none = LLVMConstNull(LLVMTypeOf(yields[i]));
        yields[i] = emit_phi(e, (LLVMValueRef[]){yields[i], none}, (LLVMBasicBlockRef[]){end, from});
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
        if (ins->op == IR_SCALE_F) return SELECT_LIMIT + 1; /* a score of instructions */
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
    int costs[2] = {count_pure(&ins->regions[0]), count_pure(&ins->regions[1])};
    bool both = costs[0] + costs[1] <= SELECT_LIMIT;
    for (int i = 0; i < 2; i++) {
        if (both || costs[i] <= SELECT_ONE_LIMIT) {
            emit_region(e, &ins->regions[i]);
            yields[i] = emit_yields_like(e, &ins->regions[i], ins->results, ins->result_count);
            continue;
        }
        LLVMValueRef on = i == 0 ? condition : LLVMBuildNot(e->builder, condition, "");
        yields[i] = if_side(e, ins, i, emit_and_mask(e, on));
    }
    for (int i = 0; i < ins->result_count; i++)
        e->values[ins->results[i]] =
            LLVMBuildSelect(e->builder, condition, yields[0][i], yields[1][i], "");
}
