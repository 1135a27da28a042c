/* Conversions that take more than one instruction, and the two operations on a double's exponent:
 * eval.h in LLVM instructions. */
#include "compiler/llvm/emit.h"

static LLVMValueRef int_splat(Emit *e, int64_t value, int lanes) {
    return emit_splat(e, emit_int(e->unit, value), lanes);
}

static LLVMValueRef float_splat(Emit *e, double value, int lanes) {
    return emit_splat(e, LLVMConstReal(e->unit->f, value), lanes);
}

/* The exponent field of a double's bits. */
static LLVMValueRef exponent_field(Emit *e, LLVMValueRef value, int lanes) {
    LLVMValueRef bits = LLVMBuildBitCast(e->builder, value, emit_type(e->unit, IR_I, lanes), "");
    LLVMValueRef high = LLVMBuildLShr(e->builder, bits, int_splat(e, 52, lanes), "");
    return LLVMBuildAnd(e->builder, high, int_splat(e, 0x7ff, lanes), "");
}

static LLVMValueRef equals(Emit *e, LLVMValueRef field, int64_t value, int lanes) {
    return LLVMBuildICmp(e->builder, LLVMIntEQ, field, int_splat(e, value, lanes), "");
}

LLVMValueRef emit_exponent(Emit *e, LLVMValueRef a, int lanes) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef field = exponent_field(e, a, lanes);
    LLVMValueRef scaled = LLVMBuildFMul(b, a, float_splat(e, 0x1p54, lanes), "");
    LLVMValueRef small = exponent_field(e, scaled, lanes);
    LLVMValueRef low = LLVMBuildSub(b, small, int_splat(e, 1023 + 54, lanes), "");
    low = LLVMBuildSelect(b, equals(e, small, 0, lanes), int_splat(e, -1075, lanes), low, "");
    LLVMValueRef normal = LLVMBuildSub(b, field, int_splat(e, 1023, lanes), "");
    LLVMValueRef result = LLVMBuildSelect(b, equals(e, field, 0, lanes), low, normal, "");
    return LLVMBuildSelect(b, equals(e, field, 0x7ff, lanes), int_splat(e, 1024, lanes), result,
                           "");
}

static LLVMValueRef power_of_two(Emit *e, LLVMValueRef exponent_i, int lanes) {
    LLVMValueRef biased = LLVMBuildAdd(e->builder, exponent_i, int_splat(e, 1023, lanes), "");
    LLVMValueRef bits = LLVMBuildShl(e->builder, biased, int_splat(e, 52, lanes), "");
    return LLVMBuildBitCast(e->builder, bits, emit_type(e->unit, IR_F, lanes), "");
}

/* b / 3 toward zero for |b| <= 2200, in 32 bits because processors multiply those by lane:
 * floor(b * 43691 / 2^17), and one more when b is negative. */
static LLVMValueRef third_of(Emit *e, LLVMValueRef b, int lanes) {
    LLVMTypeRef words = emit_type(e->unit, IR_W, lanes);
    LLVMValueRef word = LLVMBuildTrunc(e->builder, b, words, "");
    LLVMValueRef factor = emit_splat(e, emit_word(e->unit, 43691), lanes);
    LLVMValueRef product = LLVMBuildMul(e->builder, word, factor, "");
    LLVMValueRef shift = emit_splat(e, emit_word(e->unit, 17), lanes);
    LLVMValueRef down = LLVMBuildAShr(e->builder, product, shift, "");
    LLVMValueRef top = emit_splat(e, emit_word(e->unit, 31), lanes);
    LLVMValueRef negative = LLVMBuildLShr(e->builder, word, top, "");
    LLVMValueRef third = LLVMBuildAdd(e->builder, down, negative, "");
    return LLVMBuildSExt(e->builder, third, emit_type(e->unit, IR_I, lanes), "");
}

static LLVMValueRef clamp(Emit *e, LLVMValueRef b, int64_t most, int lanes) {
    LLVMTypeRef type = emit_type(e->unit, IR_I, lanes);
    LLVMValueRef low[2] = {b, int_splat(e, most, lanes)};
    b = emit_intrinsic(e, "llvm.smin", type, low, 2);
    LLVMValueRef high[2] = {b, int_splat(e, -most, lanes)};
    return emit_intrinsic(e, "llvm.smax", type, high, 2);
}

LLVMValueRef emit_scale(Emit *e, LLVMValueRef a, LLVMValueRef b, int lanes) {
    b = clamp(e, b, 2200, lanes);
    LLVMValueRef third = third_of(e, b, lanes);
    LLVMValueRef rest = LLVMBuildSub(e->builder, b, LLVMBuildAdd(e->builder, third, third, ""), "");
    LLVMValueRef power = power_of_two(e, third, lanes);
    a = LLVMBuildFMul(e->builder, a, power, "");
    a = LLVMBuildFMul(e->builder, a, power, "");
    return LLVMBuildFMul(e->builder, a, power_of_two(e, rest, lanes), "");
}

LLVMValueRef emit_float_to_int(Emit *e, LLVMValueRef a, int lanes) {
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef type = emit_type(e->unit, IR_F, lanes);
    LLVMValueRef whole = emit_intrinsic(e, "llvm.floor", type, &a, 1);
    LLVMValueRef above = LLVMBuildFCmp(b, LLVMRealOGE, whole, float_splat(e, -0x1p63, lanes), "");
    LLVMValueRef below = LLVMBuildFCmp(b, LLVMRealOLT, whole, float_splat(e, 0x1p63, lanes), "");
    LLVMValueRef good = LLVMBuildAnd(b, above, below, "");
    emit_fault(e, LLVMBuildNot(b, good, ""), RT_FAULT_NOT_AN_INT);
    LLVMValueRef safe = LLVMBuildSelect(b, good, whole, LLVMConstNull(type), "");
    return LLVMBuildFPToSI(b, safe, emit_type(e->unit, IR_I, lanes), "");
}

LLVMValueRef emit_round_f32(Emit *e, LLVMValueRef a, int lanes) {
    LLVMTypeRef narrow = e->unit->f32;
    if (lanes > 1) narrow = LLVMVectorType(narrow, (unsigned)lanes);
    LLVMValueRef rounded = LLVMBuildFPTrunc(e->builder, a, narrow, "");
    return LLVMBuildFPExt(e->builder, rounded, emit_type(e->unit, IR_F, lanes), "");
}
