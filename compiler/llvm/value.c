/* Lanes, masks and slots: what every other file of the emitter is written with. */
#include "compiler/llvm/emit.h"

LLVMValueRef emit_int(const Unit *unit, int64_t value) {
    return LLVMConstInt(unit->i, (uint64_t)value, true);
}

LLVMValueRef emit_word(const Unit *unit, uint32_t value) {
    return LLVMConstInt(unit->w, value, false);
}

LLVMValueRef emit_bool(const Unit *unit, bool value) {
    return LLVMConstInt(unit->b, value, false);
}

bool emit_is_uniform(const Emit *e, IrValue value) {
    return e->variant->uniform[value];
}

LLVMBasicBlockRef emit_block(Emit *e, const char *name) {
    return LLVMAppendBasicBlockInContext(e->unit->context, e->fn, name);
}

LLVMValueRef emit_splat(Emit *e, LLVMValueRef scalar, int lanes) {
    if (lanes == 1) return scalar;
    if (LLVMIsConstant(scalar)) {
        LLVMValueRef all[EMIT_WIDTH_MAX];
        for (int i = 0; i < lanes; i++)
            all[i] = scalar;
        return LLVMConstVector(all, (unsigned)lanes);
    }
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), (unsigned)lanes);
    LLVMValueRef first =
        LLVMBuildInsertElement(e->builder, LLVMGetPoison(type), scalar, emit_word(e->unit, 0), "");
    LLVMValueRef zeros = LLVMConstNull(LLVMVectorType(e->unit->w, (unsigned)lanes));
    return LLVMBuildShuffleVector(e->builder, first, LLVMGetPoison(type), zeros, "");
}

LLVMValueRef emit_value(Emit *e, IrValue value, int lanes) {
    LLVMValueRef v = e->values[value];
    return lanes > 1 && emit_is_uniform(e, value) ? emit_splat(e, v, lanes) : v;
}

bool emit_is_vector(LLVMValueRef value) {
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

LLVMValueRef emit_phi(Emit *e, LLVMValueRef values[2], LLVMBasicBlockRef from[2]) {
    LLVMValueRef phi = LLVMBuildPhi(e->builder, LLVMTypeOf(values[0]), "");
    LLVMAddIncoming(phi, values, from, 2);
    return phi;
}

LLVMValueRef emit_lane_bits(Emit *e, LLVMValueRef lanes) {
    LLVMTypeRef bits = LLVMIntTypeInContext(e->unit->context, (unsigned)e->width);
    LLVMValueRef narrow = LLVMBuildBitCast(e->builder, lanes, bits, "");
    return LLVMBuildZExt(e->builder, narrow, e->unit->i, "");
}

LLVMValueRef emit_any(Emit *e, LLVMValueRef lanes) {
    if (!emit_is_vector(lanes)) return lanes;
    LLVMTypeRef bits = LLVMIntTypeInContext(e->unit->context, (unsigned)e->width);
    LLVMValueRef narrow = LLVMBuildBitCast(e->builder, lanes, bits, "");
    return LLVMBuildICmp(e->builder, LLVMIntNE, narrow, LLVMConstNull(bits), "");
}

LLVMValueRef emit_and_mask(Emit *e, LLVMValueRef lanes) {
    return e->mask && emit_is_vector(lanes) ? LLVMBuildAnd(e->builder, e->mask, lanes, "") : lanes;
}

LLVMValueRef emit_first_lane(Emit *e, LLVMValueRef lanes) {
    LLVMValueRef args[2] = {emit_lane_bits(e, lanes), emit_bool(e->unit, true)};
    return emit_intrinsic(e, "llvm.cttz", e->unit->i, args, 2);
}

LLVMValueRef emit_element(Emit *e) {
    if (!e->mask) return e->element;
    return LLVMBuildAdd(e->builder, e->element, emit_first_lane(e, e->mask), "");
}

LLVMValueRef emit_slot_address(Emit *e, LLVMValueRef row, int64_t index) {
    LLVMValueRef at = emit_int(e->unit, index);
    return LLVMBuildInBoundsGEP2(e->builder, e->unit->i, row, &at, 1, "");
}

LLVMValueRef emit_field_address(Emit *e, LLVMValueRef object, size_t offset) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(e->unit->context);
    LLVMValueRef at = emit_int(e->unit, (int64_t)offset);
    return LLVMBuildInBoundsGEP2(e->builder, byte, object, &at, 1, "");
}

/* Pointers of four bytes have zeros beside them. */
static bool is_short(const Unit *unit, IrType type) {
    return type == IR_R && unit->can.pointer < sizeof(Slot);
}

LLVMTypeRef emit_stored_type(const Unit *unit, IrType type, int lanes) {
    bool widened = type == IR_B || type == IR_W || is_short(unit, type);
    return emit_type(unit, widened ? IR_I : type, lanes);
}

/* As it is stored. */
static LLVMValueRef emit_to_slot(Emit *e, LLVMValueRef value, IrType type, int lanes) {
    LLVMTypeRef stored = emit_stored_type(e->unit, type, lanes);
    if (is_short(e->unit, type)) return LLVMBuildPtrToInt(e->builder, value, stored, "");
    return type == IR_B || type == IR_W ? LLVMBuildZExt(e->builder, value, stored, "") : value;
}

LLVMValueRef emit_from_slot(Emit *e, LLVMValueRef slot, IrType type, int lanes) {
    if (is_short(e->unit, type)) return LLVMBuildIntToPtr(e->builder, slot, emit_type(e->unit, type, lanes), "");
    if (type == IR_W) return LLVMBuildTrunc(e->builder, slot, emit_type(e->unit, type, lanes), "");
    if (type != IR_B) return slot;
    LLVMValueRef zero = LLVMConstNull(emit_stored_type(e->unit, type, lanes));
    return LLVMBuildICmp(e->builder, LLVMIntNE, slot, zero, "");
}

LLVMValueRef emit_load_slot(Emit *e, LLVMValueRef address, IrType type, int lanes) {
    LLVMTypeRef stored = emit_stored_type(e->unit, type, lanes);
    LLVMValueRef value = LLVMBuildLoad2(e->builder, stored, address, "");
    LLVMSetAlignment(value, sizeof(Slot));
    return emit_from_slot(e, value, type, lanes);
}

void emit_store_slot(Emit *e, LLVMValueRef address, LLVMValueRef value, IrType type, int lanes) {
    LLVMValueRef store = LLVMBuildStore(e->builder, emit_to_slot(e, value, type, lanes), address);
    LLVMSetAlignment(store, sizeof(Slot));
}
