/* Object operations whose operands differ by lane: the lanes that are on, one after the other,
 * smallest first (so the first fault is the smallest element's), each through emit_object. Reading
 * a grid or list by lane is instead one masked gather, when all lanes read the same object.
 *
 *     bits = lanes that are on
 *     while bits:  lane = lowest bit;  results[lane] = op(args[lane]);  bits &= bits - 1
 */
#include "compiler/llvm/emit.h"

typedef struct LaneLoop {
    LLVMBasicBlockRef head, exit;
    LLVMValueRef bits, lane;
    LLVMValueRef *results; /* phis: vectors filled lane by lane */
} LaneLoop;

static LLVMValueRef lanes_on(Emit *e) {
    return e->mask ? emit_lane_bits(e, e->mask) : emit_int(e->unit, (1 << e->width) - 1);
}

static LLVMValueRef phi_from(Emit *e, LLVMValueRef first, LLVMBasicBlockRef from) {
    LLVMValueRef phi = LLVMBuildPhi(e->builder, LLVMTypeOf(first), "");
    LLVMAddIncoming(phi, &first, &from, 1);
    return phi;
}

static LaneLoop lanes_open(Emit *e, const IrIns *ins) {
    LaneLoop loop = {.head = emit_block(e, "lanes"), .exit = emit_block(e, "")};
    LLVMValueRef on = lanes_on(e);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->builder), body = emit_block(e, "lane");
    LLVMBuildBr(e->builder, loop.head);
    LLVMPositionBuilderAtEnd(e->builder, loop.head);
    loop.bits = phi_from(e, on, before);
    loop.results = ARENA_ARRAY(e->unit->arena, LLVMValueRef, ins->result_count + 1);
    for (int i = 0; i < ins->result_count; i++) {
        IrType type = e->func->types.items[ins->results[i]];
        LLVMValueRef none = LLVMConstNull(emit_type(e->unit, type, e->width));
        loop.results[i] = phi_from(e, none, before);
    }
    LLVMBuildCondBr(e->builder, LLVMBuildIsNotNull(e->builder, loop.bits, ""), body, loop.exit);
    LLVMPositionBuilderAtEnd(e->builder, body);
    LLVMValueRef args[2] = {loop.bits, emit_bool(e->unit, true)};
    loop.lane = emit_intrinsic(e, "llvm.cttz", e->unit->i, args, 2);
    return loop;
}

static void lanes_close(Emit *e, LaneLoop *loop, const IrIns *ins, const LLVMValueRef *values) {
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->builder);
    for (int i = 0; i < ins->result_count; i++) {
        LLVMValueRef filled =
            LLVMBuildInsertElement(e->builder, loop->results[i], values[i], loop->lane, "");
        LLVMAddIncoming(loop->results[i], &filled, &from, 1);
        e->values[ins->results[i]] = loop->results[i];
    }
    LLVMValueRef less = LLVMBuildSub(e->builder, loop->bits, emit_int(e->unit, 1), "");
    LLVMValueRef rest = LLVMBuildAnd(e->builder, loop->bits, less, "");
    LLVMAddIncoming(loop->bits, &rest, &from, 1);
    LLVMBuildBr(e->builder, loop->head);
    LLVMPositionBuilderAtEnd(e->builder, loop->exit);
}

void emit_lanes(Emit *e, const IrIns *ins) {
    if (emit_gather(e, ins)) return;
    LLVMValueRef *args = ARENA_ARRAY(e->unit->arena, LLVMValueRef, ins->arg_count + 1);
    LLVMValueRef *results = ARENA_ARRAY(e->unit->arena, LLVMValueRef, ins->result_count + 1);
    LaneLoop loop = lanes_open(e, ins);
    for (int i = 0; i < ins->arg_count; i++) {
        args[i] = e->values[ins->args[i]];
        if (!emit_is_uniform(e, ins->args[i]))
            args[i] = LLVMBuildExtractElement(e->builder, args[i], loop.lane, "");
    }
    Emit lane = *e; /* the same function, as one lane */
    lane.mask = NULL;
    lane.element = LLVMBuildAdd(e->builder, e->element, loop.lane, "");
    emit_object(&lane, ins, args, results);
    e->row_args = lane.row_args;
    e->row_results = lane.row_results;
    lanes_close(e, &loop, ins, results);
}
