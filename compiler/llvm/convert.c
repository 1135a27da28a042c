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

/* Of any a, from its exponent field and that of a * 2^54. */
static LLVMValueRef any_exponent(Emit *e, LLVMValueRef a, LLVMValueRef field, LLVMValueRef normal, int lanes) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef scaled = LLVMBuildFMul(b, a, float_splat(e, 0x1p54, lanes), "");
    LLVMValueRef small = exponent_field(e, scaled, lanes);
    LLVMValueRef low = LLVMBuildSub(b, small, int_splat(e, 1023 + 54, lanes), "");
    low = LLVMBuildSelect(b, equals(e, small, 0, lanes), int_splat(e, -1075, lanes), low, "");
    LLVMValueRef result = LLVMBuildSelect(b, equals(e, field, 0, lanes), low, normal, "");
    return LLVMBuildSelect(b, equals(e, field, 0x7ff, lanes), int_splat(e, 1024, lanes), result,
                           "");
}

/* Lanes that are all normal numbers, as they mostly are, go past the rest. */
LLVMValueRef emit_exponent(Emit *e, LLVMValueRef a, int lanes) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef field = exponent_field(e, a, lanes);
    LLVMValueRef exponents[2] = {LLVMBuildSub(b, field, int_splat(e, 1023, lanes), "")};
    if (lanes == 1) return any_exponent(e, a, field, exponents[0], lanes);
    LLVMValueRef edge = LLVMBuildOr(b, equals(e, field, 0, lanes), equals(e, field, 0x7ff, lanes), "");
    LLVMBasicBlockRef from[2] = {LLVMGetInsertBlock(b)}, cold = emit_block(e, "edge"), next = emit_block(e, "");
    LLVMBuildCondBr(b, emit_any(e, edge), cold, next);
    LLVMPositionBuilderAtEnd(b, cold);
    exponents[1] = any_exponent(e, a, field, exponents[0], lanes);
    from[1] = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    return emit_phi(e, exponents, from);
}

/* eval_rest_inside in instructions. */
static LLVMValueRef split_rest(Emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef p, int lanes) {
    LLVMBuilderRef at = e->builder;
    LLVMValueRef factors[2] = {a, b}, high[2], low[2];
    for (int i = 0; i < 2; i++) {
        LLVMValueRef split = LLVMBuildFMul(at, factors[i], float_splat(e, 0x8000001p0, lanes), "");
        high[i] = LLVMBuildFSub(at, split, LLVMBuildFSub(at, split, factors[i], ""), "");
        low[i] = LLVMBuildFSub(at, factors[i], high[i], "");
    }
    LLVMValueRef rest = LLVMBuildFSub(at, LLVMBuildFMul(at, high[0], high[1], ""), p, "");
    rest = LLVMBuildFAdd(at, rest, LLVMBuildFMul(at, high[0], low[1], ""), "");
    rest = LLVMBuildFAdd(at, rest, LLVMBuildFMul(at, low[0], high[1], ""), "");
    return LLVMBuildFAdd(at, rest, LLVMBuildFMul(at, low[0], low[1], ""), "");
}

static LLVMValueRef size_under(Emit *e, LLVMValueRef a, double limit, int lanes) {
    LLVMValueRef size = emit_intrinsic(e, "llvm.fabs", LLVMTypeOf(a), &a, 1);
    return LLVMBuildFCmp(e->builder, LLVMRealOLT, size, float_splat(e, limit, lanes), "");
}

/* eval_rest_is_inside, turned. */
static LLVMValueRef rest_is_far(Emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef p, int lanes) {
    LLVMBuilderRef at = e->builder;
    LLVMValueRef near = LLVMBuildAnd(at, size_under(e, a, 0x1p990, lanes), size_under(e, b, 0x1p990, lanes), "");
    near = LLVMBuildAnd(at, near, size_under(e, p, 0x1p1000, lanes), "");
    LLVMValueRef small = size_under(e, p, 0x1.0000000000001p-960, lanes);
    return LLVMBuildOr(at, LLVMBuildNot(at, near, ""), small, "");
}

/* Without the instruction: split, and the runtime's where one lane is too far out for that. */
LLVMValueRef emit_rest(Emit *e, LLVMValueRef a, LLVMValueRef b, int lanes) {
    LLVMBuilderRef at = e->builder;
    LLVMValueRef p = LLVMBuildFMul(at, a, b, "");
    LLVMValueRef fused[3] = {a, b, LLVMBuildFNeg(at, p, "")};
    if (e->unit->can.fused) return emit_intrinsic(e, "llvm.fma", LLVMTypeOf(a), fused, 3);
    LLVMValueRef rests[2] = {split_rest(e, a, b, p, lanes)}, far = rest_is_far(e, a, b, p, lanes);
    LLVMBasicBlockRef from[2] = {LLVMGetInsertBlock(at)}, cold = emit_block(e, "far"), next = emit_block(e, "");
    LLVMBuildCondBr(at, emit_any(e, far), cold, next);
    LLVMPositionBuilderAtEnd(at, cold);
    emit_store_slot(e, e->args_row, a, IR_F, lanes);
    emit_store_slot(e, emit_slot_address(e, e->args_row, lanes), b, IR_F, lanes);
    if (e->row_args < 2 * lanes) e->row_args = 2 * lanes;
    emit_entry(e, JIT_entry_rest, (LLVMValueRef[]){e->rt, e->args_row, emit_word(e->unit, (uint32_t)lanes)}, 3);
    rests[1] = emit_load_slot(e, e->args_row, IR_F, lanes);
    from[1] = cold;
    LLVMBuildBr(at, next);
    LLVMPositionBuilderAtEnd(at, next);
    return emit_phi(e, rests, from);
}

LLVMValueRef emit_power(Emit *e, LLVMValueRef exponent_i, int lanes) {
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
    LLVMValueRef power = emit_power(e, third, lanes);
    a = LLVMBuildFMul(e->builder, a, power, "");
    a = LLVMBuildFMul(e->builder, a, power, "");
    return LLVMBuildFMul(e->builder, a, emit_power(e, rest, lanes), "");
}

/* Rounded down, unless it was. */
static LLVMValueRef rounded_down(Emit *e, LLVMValueRef a, int lanes) {
    LLVMValueRef made = LLVMIsACallInst(a) ? LLVMGetCalledValue(a) : NULL;
    if (made && LLVMGetIntrinsicID(made) == LLVMLookupIntrinsicID("llvm.floor", 10)) return a;
    return emit_intrinsic(e, "llvm.floor", emit_type(e->unit, IR_F, lanes), &a, 1);
}

static LLVMValueRef whole_to_int(Emit *e, LLVMValueRef whole, int lanes) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef above = LLVMBuildFCmp(b, LLVMRealOGE, whole, float_splat(e, -0x1p63, lanes), "");
    LLVMValueRef below = LLVMBuildFCmp(b, LLVMRealOLT, whole, float_splat(e, 0x1p63, lanes), "");
    LLVMValueRef good = LLVMBuildAnd(b, above, below, "");
    emit_fault(e, LLVMBuildNot(b, good, ""), RT_FAULT_NOT_AN_INT);
    LLVMValueRef safe = LLVMBuildSelect(b, good, whole, LLVMConstNull(LLVMTypeOf(whole)), "");
    return LLVMBuildFPToSI(b, safe, emit_type(e->unit, IR_I, lanes), "");
}

/* Of whole numbers some of which are no ints, or 2^51 and more: the runtime's, lane by lane. */
static LLVMValueRef far_to_ints(Emit *e, LLVMValueRef whole, LLVMValueRef far) {
    emit_store_slot(e, e->args_row, whole, IR_F, e->width);
    if (e->row_args < e->width) e->row_args = e->width;
    LLVMValueRef args[] = {e->rt, e->args_row, emit_word(e->unit, (uint32_t)e->width),
                           emit_lane_bits(e, far), e->element, emit_span(e)};
    emit_entry(e, JIT_entry_fault_whole, args, 6);
    return emit_load_slot(e, e->args_row, IR_I, e->width);
}

/* A whole number below 2^51 is in the low bits of the sum with 1.5 * 2^52, and beside 64 of those the low 32 as they are. */
typedef struct Anchored {
    LLVMValueRef ints, words;
} Anchored;

static Anchored anchor(Emit *e, LLVMValueRef whole, int lanes) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef sum = LLVMBuildFAdd(b, whole, float_splat(e, 0x1.8p52, lanes), "");
    LLVMValueRef bits = LLVMBuildBitCast(b, sum, emit_type(e->unit, IR_I, lanes), "");
    return (Anchored){LLVMBuildSub(b, bits, int_splat(e, 0x4338000000000000, lanes), ""),
                      LLVMBuildTrunc(b, bits, emit_type(e->unit, IR_W, lanes), "")};
}

LLVMValueRef emit_whole(Emit *e, const IrIns *ins, int lanes) {
    LLVMValueRef whole = rounded_down(e, emit_value(e, ins->args[0], lanes), lanes);
    LLVMValueRef near = size_under(e, whole, 0x1p51, lanes), none = LLVMConstNull(LLVMTypeOf(whole));
    Anchored anchored = anchor(e, LLVMBuildSelect(e->builder, near, whole, none, ""), lanes);
    e->words[ins->results[0]] = anchored.words;
    return anchored.ints;
}

/* Where the processor converts one at a time: numbers further out are seldom, and left to the runtime. Lanes that are off hold
 * such a number more seldom still: which are on is asked there alone. */
static LLVMValueRef near_to_ints(Emit *e, IrValue result, LLVMValueRef whole) {
    LLVMBuilderRef b = e->builder;
    emit_flush_faults(e);
    LLVMValueRef far = LLVMBuildNot(b, size_under(e, whole, 0x1p51, e->width), "");
    Anchored near = anchor(e, whole, e->width);
    LLVMValueRef ints[2] = {near.ints}, words[2] = {near.words};
    LLVMBasicBlockRef from[2] = {LLVMGetInsertBlock(b)}, cold = emit_block(e, "far"), next = emit_block(e, "");
    LLVMBuildCondBr(b, emit_any(e, far), cold, next);
    LLVMPositionBuilderAtEnd(b, cold);
    ints[1] = far_to_ints(e, whole, emit_and_mask(e, far));
    words[1] = LLVMBuildTrunc(b, ints[1], LLVMTypeOf(words[0]), "");
    from[1] = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    e->words[result] = emit_phi(e, words, from);
    return emit_phi(e, ints, from);
}

LLVMValueRef emit_float_to_int(Emit *e, const IrIns *ins, int lanes) {
    LLVMValueRef whole = rounded_down(e, emit_value(e, ins->args[0], lanes), lanes);
    bool by_lane = lanes == 1 || e->unit->can.ints_by_lane;
    return by_lane ? whole_to_int(e, whole, lanes) : near_to_ints(e, ins->results[0], whole);
}

/* Where the processor converts one at a time: the upper 32 bits, turned to be positive, and the lower ones each in the low bits of
 * a double, 2^84 and 2^52; what they stand on taken off exactly, the sum rounds once. */
LLVMValueRef emit_int_to_float(Emit *e, LLVMValueRef a, int lanes) {
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef floats = emit_type(e->unit, IR_F, lanes);
    if (lanes == 1 || e->unit->can.ints_by_lane) return LLVMBuildSIToFP(b, a, floats, "");
    LLVMValueRef low = LLVMBuildAnd(b, a, int_splat(e, 0xffffffff, lanes), "");
    low = LLVMBuildOr(b, low, int_splat(e, 0x4330000000000000, lanes), "");
    LLVMValueRef high = LLVMBuildLShr(b, a, int_splat(e, 32, lanes), "");
    high = LLVMBuildXor(b, high, int_splat(e, 0x4530000080000000, lanes), "");
    high = LLVMBuildFSub(b, LLVMBuildBitCast(b, high, floats, ""), float_splat(e, 0x1p84 + 0x1p63 + 0x1p52, lanes), "");
    return LLVMBuildFAdd(b, high, LLVMBuildBitCast(b, low, floats, ""), "");
}

LLVMValueRef emit_round_f32(Emit *e, LLVMValueRef a, int lanes) {
    LLVMTypeRef narrow = e->unit->f32;
    if (lanes > 1) narrow = LLVMVectorType(narrow, (unsigned)lanes);
    LLVMValueRef rounded = LLVMBuildFPTrunc(e->builder, a, narrow, "");
    return LLVMBuildFPExt(e->builder, rounded, emit_type(e->unit, IR_F, lanes), "");
}
