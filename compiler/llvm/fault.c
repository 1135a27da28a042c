/* Faults: what is asked on the way is one branch for up to EMIT_PENDING operations; everything else
 * is in cold blocks. The order in which faults are recorded is that of the operations, and within
 * one the smallest element's, so what rt_fault_at keeps is what element by element would have met
 * first.
 */
#include "compiler/llvm/emit.h"

static LLVMValueRef span_table(Emit *e) {
    return emit_symbol(e->unit, str_printf(e->unit->arena, "spans:%.*s", STR_ARG(e->func->name)));
}

LLVMValueRef emit_span(Emit *e) {
    uint32_t site = e->site < 0 ? 0 : (uint32_t)e->site; /* before the first: of the function as a whole */
    LLVMValueRef at = emit_word(e->unit, site * 3);
    return LLVMBuildInBoundsGEP2(e->builder, e->unit->w, span_table(e), &at, 1, "");
}

/* Goes on in a cold block when `any`; answers where to come back to. */
static LLVMBasicBlockRef open_cold(Emit *e, LLVMValueRef any) {
    LLVMBasicBlockRef cold = emit_block(e, "fault"), next = emit_block(e, "");
    LLVMBuildCondBr(e->builder, any, cold, next);
    LLVMPositionBuilderAtEnd(e->builder, cold);
    return next;
}

static void close_cold(Emit *e, LLVMBasicBlockRef next) {
    LLVMBuildBr(e->builder, next);
    LLVMPositionBuilderAtEnd(e->builder, next);
}

/* -- many at once -- */

void emit_fault(Emit *e, LLVMValueRef bad, int64_t code) {
    PendingFaults *pending = &e->pending;
    if (pending->count == EMIT_PENDING) emit_flush_faults(e);
    pending->bad[pending->count] = emit_and_mask(e, bad);
    pending->code[pending->count] = code;
    pending->site[pending->count] = e->site;
    pending->count++;
}

/* In the loops of one lane a branch is cheaper than what keeps the fault for later, and what was worked out waits for no
 * test. */
static LLVMValueRef fault_here(Emit *e, LLVMValueRef bad, int64_t code, LLVMValueRef value) {
    emit_flush_faults(e);
    LLVMBasicBlockRef from[2] = {LLVMGetInsertBlock(e->builder)}, next = open_cold(e, bad);
    from[1] = LLVMGetInsertBlock(e->builder);
    LLVMValueRef none = LLVMConstNull(e->unit->r);
    LLVMValueRef args[] = {e->rt, emit_word(e->unit, (uint32_t)code), none, none, emit_word(e->unit, 0),
                           e->element, emit_span(e)};
    emit_entry(e, JIT_entry_fault, args, 7);
    close_cold(e, next);
    return emit_phi(e, (LLVMValueRef[]){value, LLVMConstNull(LLVMTypeOf(value))}, from);
}

LLVMValueRef emit_or_fault(Emit *e, LLVMValueRef bad, int64_t code, LLVMValueRef value) {
    if (LLVMIsAConstantInt(bad) && LLVMIsNull(bad)) return value;
    if (e->width == 1 && e->loops > 0) return fault_here(e, bad, code, value);
    emit_fault(e, bad, code);
    return LLVMBuildSelect(e->builder, bad, LLVMConstNull(LLVMTypeOf(value)), value, "");
}

static LLVMValueRef or_both(Emit *e, LLVMValueRef a, LLVMValueRef b) {
    if (!a || !b) return a ? a : b;
    return LLVMBuildOr(e->builder, a, b, "");
}

/* Was there any? Lanes are joined first, then asked once. */
static LLVMValueRef any_pending(Emit *e) {
    LLVMValueRef lanes = NULL, scalar = NULL;
    for (int i = 0; i < e->pending.count; i++) {
        LLVMValueRef bad = e->pending.bad[i];
        if (emit_is_vector(bad))
            lanes = or_both(e, lanes, bad);
        else
            scalar = or_both(e, scalar, bad);
    }
    return or_both(e, scalar, lanes ? emit_any(e, lanes) : NULL);
}

/* The lanes that failed, as bits; a uniform operation failed in all that are on. */
static LLVMValueRef failed_bits(Emit *e, LLVMValueRef bad) {
    if (emit_is_vector(bad)) return emit_lane_bits(e, bad);
    LLVMValueRef all = e->mask ? emit_lane_bits(e, e->mask) : emit_int(e->unit, 1);
    return LLVMBuildSelect(e->builder, bad, all, emit_int(e->unit, 0), "");
}

/* A constant table: code and instruction number of each. */
static LLVMValueRef pending_table(Emit *e) {
    Unit *unit = e->unit;
    int count = e->pending.count;
    LLVMValueRef words[2 * EMIT_PENDING];
    for (int i = 0; i < count; i++) {
        words[2 * i] = emit_word(unit, (uint32_t)e->pending.code[i]);
        words[2 * i + 1] = emit_word(unit, (uint32_t)e->pending.site[i]);
    }
    LLVMValueRef content = LLVMConstArray2(unit->w, words, 2 * (uint64_t)count);
    LLVMValueRef table = LLVMAddGlobal(unit->module, LLVMTypeOf(content), "faults");
    LLVMSetInitializer(table, content);
    LLVMSetGlobalConstant(table, true);
    LLVMSetLinkage(table, LLVMInternalLinkage);
    return table;
}

void emit_flush_faults(Emit *e) {
    int count = e->pending.count;
    if (count == 0) return;
    LLVMBasicBlockRef next = open_cold(e, any_pending(e));
    for (int i = 0; i < count; i++)
        emit_store_slot(e, emit_slot_address(e, e->args_row, i), failed_bits(e, e->pending.bad[i]),
                        IR_I, 1);
    if (e->row_args < count) e->row_args = count;
    LLVMValueRef args[] = {
        e->rt,         e->args_row, emit_word(e->unit, (uint32_t)count), pending_table(e),
        span_table(e), e->element};
    emit_entry(e, JIT_entry_faults, args, 6);
    close_cold(e, next);
    e->pending.count = 0;
}

/* -- with details -- */

/* The letters of the details' types, as a constant text. */
static LLVMValueRef detail_types(Emit *e, const IrValue *details, int count) {
    char *letters = arena_alloc(e->unit->arena, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        letters[i] = ir_type_letters[e->func->types.items[details[i]]];
    return LLVMBuildGlobalString(e->builder, letters, "types");
}

/* Writes the details of a fault as a row of slots. */
static void store_details(Emit *e, const IrValue *details, int count, LLVMValueRef lane) {
    for (int i = 0; i < count; i++) {
        IrType type = e->func->types.items[details[i]];
        LLVMValueRef value = e->values[details[i]];
        if (emit_is_vector(value)) value = LLVMBuildExtractElement(e->builder, value, lane, "");
        emit_store_slot(e, emit_slot_address(e, e->args_row, i), value, type, 1);
    }
    if (e->row_args < count) e->row_args = count;
}

/* The first lane in which it failed. */
static LLVMValueRef failed_lane(Emit *e, LLVMValueRef bad) {
    LLVMValueRef lanes = emit_is_vector(bad) ? bad : e->mask;
    return lanes ? emit_first_lane(e, lanes) : emit_int(e->unit, 0);
}

void emit_fault_if(Emit *e, const IrIns *ins) {
    const IrValue *details = ins->args + 1;
    int count = ins->arg_count - 1;
    if (count == 0) {
        emit_fault(e, e->values[ins->args[0]], ins->imm.i);
        return;
    }
    emit_flush_faults(e);
    LLVMValueRef bad = emit_and_mask(e, e->values[ins->args[0]]);
    LLVMBasicBlockRef next = open_cold(e, emit_any(e, bad));
    LLVMValueRef lane = failed_lane(e, bad);
    store_details(e, details, count, lane);
    LLVMValueRef args[] = {e->rt,
                           emit_word(e->unit, (uint32_t)ins->imm.i),
                           detail_types(e, details, count),
                           e->args_row,
                           emit_word(e->unit, (uint32_t)count),
                           LLVMBuildAdd(e->builder, e->element, lane, ""),
                           emit_span(e)};
    emit_entry(e, JIT_entry_fault, args, 7);
    close_cold(e, next);
}

void emit_after_call(Emit *e, bool tells) {
    if (!tells && !e->fuel) return;
    LLVMValueRef code = emit_load_field(e, e->unit->w, e->rt, AT(e, Rt, fault.code));
    LLVMValueRef failed = LLVMBuildICmp(e->builder, LLVMIntNE, code, emit_word(e->unit, RT_FAULT_NONE), "");
    LLVMBasicBlockRef next = open_cold(e, failed);
    LLVMValueRef args[] = {e->rt, emit_span(e)};
    if (tells) emit_entry(e, JIT_entry_fault_place, args, 2);
    emit_end_loops(e);
    close_cold(e, next);
}

void emit_call_fault_index(Emit *e, LLVMValueRef bad, LLVMValueRef index, LLVMValueRef length) {
    LLVMValueRef lane = failed_lane(e, bad);
    if (emit_is_vector(index)) index = LLVMBuildExtractElement(e->builder, index, lane, "");
    LLVMValueRef args[] = {e->rt, index, length, LLVMBuildAdd(e->builder, e->element, lane, ""),
                           emit_span(e)};
    emit_entry(e, JIT_entry_fault_index, args, 5);
}

void emit_fault_index(Emit *e, LLVMValueRef bad, LLVMValueRef index, LLVMValueRef length) {
    LLVMBasicBlockRef next = open_cold(e, emit_any(e, bad));
    emit_call_fault_index(e, bad, index, length);
    close_cold(e, next);
}
