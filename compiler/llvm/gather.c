/* list.get and grid.get where all lanes read one object, at places of their own: a masked gather.
 * Lanes that are off or outside are not read and get zeros.
 */
#include "compiler/llvm/emit.h"

/* Which lanes' indices are inside; those that are on and are not give the fault. */
static LLVMValueRef check_indices(Emit *e, LLVMValueRef index, LLVMValueRef length) {
    LLVMValueRef all = emit_splat(e, length, e->width);
    LLVMValueRef good = LLVMBuildICmp(e->builder, LLVMIntULT, index, all, "");
    LLVMValueRef bad = emit_and_mask(e, LLVMBuildNot(e->builder, good, ""));
    emit_fault_index(e, bad, index, length);
    return good;
}

/* Elements of `type` at base[index], where `on`. */
static LLVMValueRef gather(Emit *e, LLVMTypeRef type, LLVMValueRef base, LLVMValueRef index,
                           LLVMValueRef on) {
    unsigned lanes = (unsigned)e->width;
    LLVMTypeRef types[2] = {LLVMVectorType(type, lanes), LLVMVectorType(e->unit->r, lanes)};
    LLVMValueRef places = LLVMBuildGEP2(e->builder, type, base, &index, 1, "");
    unsigned align = type == e->unit->f32 ? sizeof(float) : sizeof(Slot);
    LLVMValueRef args[] = {places, emit_word(e->unit, align), on, LLVMConstNull(types[0])};
    static const char name[] = "llvm.masked.gather";
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef fn = LLVMGetIntrinsicDeclaration(e->unit->module, id, types, 2);
    LLVMTypeRef fn_type = LLVMIntrinsicGetType(e->unit->context, id, types, 2);
    return LLVMBuildCall2(e->builder, fn_type, fn, args, 4, "");
}

static void gather_items(Emit *e, const IrIns *ins, LLVMValueRef index) {
    LLVMBuilderRef b = e->builder;
    Header list = emit_header(e, ins->args[0], e->values[ins->args[0]], true);
    LLVMValueRef on = emit_and_mask(e, check_indices(e, index, list.length));
    LLVMValueRef width = emit_splat(e, emit_int(e->unit, ins->imm2), e->width);
    LLVMValueRef row = LLVMBuildMul(b, index, width, "");
    for (int i = 0; i < ins->result_count; i++) {
        IrType type = e->func->types.items[ins->results[i]];
        LLVMValueRef offset = emit_splat(e, emit_int(e->unit, ins->imm.i + i), e->width);
        LLVMTypeRef stored = emit_stored_type(e->unit, type, 1);
        LLVMValueRef slots = gather(e, stored, list.items, LLVMBuildAdd(b, row, offset, ""), on);
        e->values[ins->results[i]] = emit_from_slot(e, slots, type, e->width);
    }
}

static void gather_samples(Emit *e, const IrIns *ins, LLVMValueRef index) {
    Header grid = emit_header(e, ins->args[0], e->values[ins->args[0]], false);
    LLVMValueRef good = check_indices(e, index, grid.length);
    LLVMValueRef samples = gather(e, e->unit->f32, grid.items, index, emit_and_mask(e, good));
    LLVMTypeRef wide = emit_type(e->unit, IR_F, e->width);
    e->values[ins->results[0]] = LLVMBuildFPExt(e->builder, samples, wide, "");
}

bool emit_gather(Emit *e, const IrIns *ins) {
    if (ins->op != IR_LIST_GET && ins->op != IR_GRID_GET) return false;
    if (!emit_is_uniform(e, ins->args[0])) return false;
    LLVMValueRef index = e->values[ins->args[1]];
    if (ins->op == IR_LIST_GET)
        gather_items(e, ins, index);
    else
        gather_samples(e, ins, index);
    return true;
}
