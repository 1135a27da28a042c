/* Arithmetic on one lane or W: each operation is the instruction, or the few instructions, that
 * eval.h says. No fast-math flag is ever set and nothing here can become a call into the platform's
 * libm (target.c asks for a processor that rounds in one instruction). Undefined behavior and
 * poison are kept out: operands that an instruction does not define are replaced before it.
 */
#include "compiler/llvm/emit.h"

static LLVMValueRef arg(Emit *e, const IrIns *ins, int index, int lanes) {
    return emit_value(e, ins->args[index], lanes);
}

static LLVMValueRef constant(Emit *e, IrType type, int64_t value, int lanes) {
    LLVMValueRef scalar = type == IR_I   ? emit_int(e->unit, value)
                          : type == IR_W ? emit_word(e->unit, (uint32_t)value)
                          : type == IR_B ? emit_bool(e->unit, value != 0)
                                         : LLVMConstReal(e->unit->f, (double)value);
    return emit_splat(e, scalar, lanes);
}

static LLVMValueRef zero(Emit *e, IrType type, int lanes) {
    return LLVMConstNull(emit_type(e->unit, type, lanes));
}

static LLVMValueRef binary(Emit *e, LLVMOpcode op, const IrIns *ins, int lanes) {
    return LLVMBuildBinOp(e->builder, op, arg(e, ins, 0, lanes), arg(e, ins, 1, lanes), "");
}

static LLVMValueRef compare_i(Emit *e, LLVMIntPredicate p, const IrIns *ins, int lanes) {
    return LLVMBuildICmp(e->builder, p, arg(e, ins, 0, lanes), arg(e, ins, 1, lanes), "");
}

static LLVMValueRef compare_f(Emit *e, LLVMRealPredicate p, const IrIns *ins, int lanes) {
    return LLVMBuildFCmp(e->builder, p, arg(e, ins, 0, lanes), arg(e, ins, 1, lanes), "");
}

static LLVMValueRef intrinsic(Emit *e, const char *name, const IrIns *ins, IrType type, int lanes) {
    LLVMValueRef args[2];
    for (int i = 0; i < ins->arg_count; i++)
        args[i] = arg(e, ins, i, lanes);
    return emit_intrinsic(e, name, emit_type(e->unit, type, lanes), args, ins->arg_count);
}

static LLVMValueRef or_zero(Emit *e, LLVMValueRef bad, LLVMValueRef value) {
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(value));
    return LLVMBuildSelect(e->builder, bad, none, value, "");
}

/* add, sub, mul with the fault; `name` is LLVM's checked form. */
static LLVMValueRef checked(Emit *e, const char *name, LLVMValueRef a, LLVMValueRef b, int lanes) {
    LLVMValueRef args[2] = {a, b};
    LLVMValueRef both = emit_intrinsic(e, name, emit_type(e->unit, IR_I, lanes), args, 2);
    LLVMValueRef value = LLVMBuildExtractValue(e->builder, both, 0, "");
    LLVMValueRef bad = LLVMBuildExtractValue(e->builder, both, 1, "");
    return emit_or_fault(e, bad, RT_FAULT_INT_OVERFLOW, value);
}

typedef LLVMValueRef (*Unchecked)(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);

static LLVMValueRef checked_args(Emit *e, const char *name, Unchecked unchecked, const IrIns *ins, int lanes) {
    LLVMValueRef a = arg(e, ins, 0, lanes), b = arg(e, ins, 1, lanes);
    return e->proved[ins->results[0]] ? unchecked(e->builder, a, b, "") : checked(e, name, a, b, lanes);
}

static LLVMValueRef is_equal(Emit *e, LLVMValueRef a, int64_t value, IrType type, int lanes) {
    return LLVMBuildICmp(e->builder, LLVMIntEQ, a, constant(e, type, value, lanes), "");
}

/* r != 0 and of another sign than b: the truncated quotient is then one over the floor. */
static LLVMValueRef is_off_floor(Emit *e, LLVMValueRef r, LLVMValueRef b, int lanes) {
    LLVMValueRef none = zero(e, IR_I, lanes);
    LLVMValueRef rest = LLVMBuildICmp(e->builder, LLVMIntNE, r, none, "");
    LLVMValueRef signs = LLVMBuildXor(e->builder, r, b, "");
    LLVMValueRef differ = LLVMBuildICmp(e->builder, LLVMIntSLT, signs, none, "");
    return LLVMBuildAnd(e->builder, rest, differ, "");
}

/* a / b rounded down, and what is left, which has the sign of b. b is no 0, and no -1 below the least a. */
static LLVMValueRef floor_div(Emit *e, LLVMValueRef a, LLVMValueRef b, int lanes) {
    LLVMValueRef q = LLVMBuildSDiv(e->builder, a, b, "");
    LLVMValueRef r = LLVMBuildSub(e->builder, a, LLVMBuildMul(e->builder, q, b, ""), "");
    LLVMValueRef less = LLVMBuildSub(e->builder, q, constant(e, IR_I, 1, lanes), "");
    return LLVMBuildSelect(e->builder, is_off_floor(e, r, b, lanes), less, q, "");
}

static LLVMValueRef floor_mod(Emit *e, LLVMValueRef a, LLVMValueRef b, int lanes) {
    LLVMValueRef r = LLVMBuildSRem(e->builder, a, b, "");
    LLVMValueRef more = LLVMBuildAdd(e->builder, r, b, "");
    return LLVMBuildSelect(e->builder, is_off_floor(e, r, b, lanes), more, r, "");
}

static LLVMValueRef one_if(Emit *e, LLVMValueRef bad, LLVMValueRef b, IrType type, int lanes) {
    return LLVMBuildSelect(e->builder, bad, constant(e, type, 1, lanes), b, "");
}

/* Of numbers that are not below 0. */
static LLVMValueRef natural_divide(Emit *e, LLVMOpcode op, const IrIns *ins, int lanes) {
    LLVMValueRef a = arg(e, ins, 0, lanes), b = arg(e, ins, 1, lanes);
    if (e->proved[ins->results[0]]) return LLVMBuildBinOp(e->builder, op, a, b, "");
    LLVMValueRef by_zero = is_equal(e, b, 0, IR_I, lanes);
    LLVMValueRef value = LLVMBuildBinOp(e->builder, op, a, one_if(e, by_zero, b, IR_I, lanes), "");
    return emit_or_fault(e, by_zero, RT_FAULT_DIVIDE_BY_ZERO, value);
}

static bool are_natural(const Emit *e, const IrIns *ins) {
    return e->natural[ins->args[0]] && e->natural[ins->args[1]];
}

static LLVMValueRef div_i(Emit *e, const IrIns *ins, int lanes) {
    if (are_natural(e, ins)) return natural_divide(e, LLVMUDiv, ins, lanes);
    LLVMValueRef a = arg(e, ins, 0, lanes), b = arg(e, ins, 1, lanes);
    if (e->proved[ins->results[0]]) return floor_div(e, a, b, lanes);
    LLVMValueRef by_zero = is_equal(e, b, 0, IR_I, lanes);
    LLVMValueRef over = LLVMBuildAnd(e->builder, is_equal(e, a, INT64_MIN, IR_I, lanes),
                                     is_equal(e, b, -1, IR_I, lanes), "");
    LLVMValueRef bad = LLVMBuildOr(e->builder, by_zero, over, "");
    LLVMValueRef q = floor_div(e, a, one_if(e, bad, b, IR_I, lanes), lanes);
    q = emit_or_fault(e, by_zero, RT_FAULT_DIVIDE_BY_ZERO, q);
    return emit_or_fault(e, over, RT_FAULT_INT_OVERFLOW, q);
}

static LLVMValueRef mod_i(Emit *e, const IrIns *ins, int lanes) {
    if (are_natural(e, ins)) return natural_divide(e, LLVMURem, ins, lanes);
    LLVMValueRef a = arg(e, ins, 0, lanes), b = arg(e, ins, 1, lanes);
    if (e->proved[ins->results[0]]) return floor_mod(e, a, b, lanes);
    LLVMValueRef by_zero = is_equal(e, b, 0, IR_I, lanes);
    LLVMValueRef none = LLVMBuildOr(e->builder, by_zero, is_equal(e, b, -1, IR_I, lanes), "");
    LLVMValueRef r = floor_mod(e, a, one_if(e, none, b, IR_I, lanes), lanes);
    return emit_or_fault(e, by_zero, RT_FAULT_DIVIDE_BY_ZERO, r);
}

static LLVMValueRef divide_w(Emit *e, LLVMOpcode op, const IrIns *ins, int lanes) {
    LLVMValueRef a = arg(e, ins, 0, lanes), b = arg(e, ins, 1, lanes);
    LLVMValueRef bad = is_equal(e, b, 0, IR_W, lanes);
    LLVMValueRef value = LLVMBuildBinOp(e->builder, op, a, one_if(e, bad, b, IR_W, lanes), "");
    return emit_or_fault(e, bad, RT_FAULT_DIVIDE_BY_ZERO, value);
}

static LLVMValueRef shift(Emit *e, LLVMOpcode op, const IrIns *ins, int lanes) {
    LLVMValueRef a = arg(e, ins, 0, lanes), b = arg(e, ins, 1, lanes);
    LLVMValueRef most = constant(e, IR_W, 31, lanes);
    LLVMValueRef far = LLVMBuildICmp(e->builder, LLVMIntUGT, b, most, "");
    LLVMValueRef by = LLVMBuildAnd(e->builder, b, most, "");
    return or_zero(e, far, LLVMBuildBinOp(e->builder, op, a, by, ""));
}

static LLVMValueRef shift_i(Emit *e, LLVMOpcode op, const IrIns *ins, int lanes) {
    LLVMValueRef a = arg(e, ins, 0, lanes), b = arg(e, ins, 1, lanes);
    LLVMValueRef most = constant(e, IR_I, 63, lanes);
    LLVMValueRef bad = LLVMBuildICmp(e->builder, LLVMIntUGT, b, most, "");
    LLVMValueRef by = LLVMBuildAnd(e->builder, b, most, "");
    return emit_or_fault(e, bad, RT_FAULT_SHIFT, LLVMBuildBinOp(e->builder, op, a, by, ""));
}

static LLVMValueRef select_lanes(Emit *e, const IrIns *ins, int lanes) {
    return LLVMBuildSelect(e->builder, arg(e, ins, 0, lanes), arg(e, ins, 1, lanes),
                           arg(e, ins, 2, lanes), "");
}

static LLVMValueRef negate_i(Emit *e, const IrIns *ins, int lanes) {
    LLVMValueRef none = zero(e, IR_I, lanes);
    return checked(e, "llvm.ssub.with.overflow", none, arg(e, ins, 0, lanes), lanes);
}

static LLVMValueRef constant_f(Emit *e, const IrIns *ins) {
    return LLVMConstBitCast(LLVMConstInt(e->unit->i, (uint64_t)ins->imm.i, false), e->unit->f);
}

static LLVMValueRef extend(Emit *e, const IrIns *ins, int lanes) {
    LLVMTypeRef type = emit_type(e->unit, IR_I, lanes);
    return LLVMBuildZExt(e->builder, arg(e, ins, 0, lanes), type, "");
}

static LLVMValueRef cast(Emit *e, LLVMOpcode op, const IrIns *ins, IrType to, int lanes) {
    LLVMTypeRef type = emit_type(e->unit, to, lanes);
    return LLVMBuildCast(e->builder, op, arg(e, ins, 0, lanes), type, "");
}

/* The one switch over every operation; NULL for those that region.c and object.c write. */
static LLVMValueRef scalar(Emit *e, const IrIns *ins, int lanes) {
    switch (ins->op) {
    case IR_CONST_B:
        return emit_bool(e->unit, ins->imm.i != 0);
    case IR_CONST_W:
        return emit_word(e->unit, (uint32_t)ins->imm.i);
    case IR_CONST_I:
        return emit_int(e->unit, ins->imm.i);
    case IR_CONST_F:
        return constant_f(e, ins);
    case IR_NULL_R:
        return LLVMConstNull(e->unit->r);
    case IR_ADD_F:
        return binary(e, LLVMFAdd, ins, lanes);
    case IR_SUB_F:
        return binary(e, LLVMFSub, ins, lanes);
    case IR_MUL_F:
        return binary(e, LLVMFMul, ins, lanes);
    case IR_DIV_F:
        return binary(e, LLVMFDiv, ins, lanes);
    case IR_NEG_F:
        return LLVMBuildFNeg(e->builder, arg(e, ins, 0, lanes), "");
    case IR_ABS_F:
        return intrinsic(e, "llvm.fabs", ins, IR_F, lanes);
    case IR_SQRT_F:
        return intrinsic(e, "llvm.sqrt", ins, IR_F, lanes);
    case IR_FLOOR_F:
        return intrinsic(e, "llvm.floor", ins, IR_F, lanes);
    case IR_ROUND_F32:
        return emit_round_f32(e, arg(e, ins, 0, lanes), lanes);
    case IR_REST_F:
        return emit_rest(e, arg(e, ins, 0, lanes), arg(e, ins, 1, lanes), lanes);
    case IR_EXPONENT_F:
        return emit_exponent(e, arg(e, ins, 0, lanes), lanes);
    case IR_SCALE_F:
        return emit_scale(e, arg(e, ins, 0, lanes), arg(e, ins, 1, lanes), lanes);
    case IR_LT_F:
        return compare_f(e, LLVMRealOLT, ins, lanes);
    case IR_LE_F:
        return compare_f(e, LLVMRealOLE, ins, lanes);
    case IR_EQ_F:
        return compare_f(e, LLVMRealOEQ, ins, lanes);
    case IR_NE_F:
        return compare_f(e, LLVMRealUNE, ins, lanes);
    case IR_ADD_I:
        return checked_args(e, "llvm.sadd.with.overflow", LLVMBuildNSWAdd, ins, lanes);
    case IR_SUB_I:
        return checked_args(e, "llvm.ssub.with.overflow", LLVMBuildNSWSub, ins, lanes);
    case IR_MUL_I:
        return checked_args(e, "llvm.smul.with.overflow", LLVMBuildNSWMul, ins, lanes);
    case IR_WRAP_ADD_I:
        return binary(e, LLVMAdd, ins, lanes);
    case IR_WRAP_SUB_I:
        return binary(e, LLVMSub, ins, lanes);
    case IR_WRAP_MUL_I:
        return binary(e, LLVMMul, ins, lanes);
    case IR_DIV_I:
        return div_i(e, ins, lanes);
    case IR_MOD_I:
        return mod_i(e, ins, lanes);
    case IR_NEG_I:
        return negate_i(e, ins, lanes);
    case IR_LT_I:
        return compare_i(e, LLVMIntSLT, ins, lanes);
    case IR_LE_I:
        return compare_i(e, LLVMIntSLE, ins, lanes);
    case IR_EQ_I:
        return compare_i(e, LLVMIntEQ, ins, lanes);
    case IR_NE_I:
        return compare_i(e, LLVMIntNE, ins, lanes);
    case IR_ADD_W:
        return binary(e, LLVMAdd, ins, lanes);
    case IR_SUB_W:
        return binary(e, LLVMSub, ins, lanes);
    case IR_MUL_W:
        return binary(e, LLVMMul, ins, lanes);
    case IR_DIV_W:
        return divide_w(e, LLVMUDiv, ins, lanes);
    case IR_MOD_W:
        return divide_w(e, LLVMURem, ins, lanes);
    case IR_AND_I:
    case IR_AND_W:
    case IR_AND_B:
        return binary(e, LLVMAnd, ins, lanes);
    case IR_OR_I:
    case IR_OR_W:
    case IR_OR_B:
        return binary(e, LLVMOr, ins, lanes);
    case IR_XOR_I:
    case IR_XOR_W:
    case IR_XOR_B:
        return binary(e, LLVMXor, ins, lanes);
    case IR_NOT_B:
        return LLVMBuildNot(e->builder, arg(e, ins, 0, lanes), "");
    case IR_SHL_I:
        return shift_i(e, LLVMShl, ins, lanes);
    case IR_SHR_I:
        return shift_i(e, LLVMAShr, ins, lanes);
    case IR_SHL_W:
        return shift(e, LLVMShl, ins, lanes);
    case IR_SHR_W:
        return shift(e, LLVMLShr, ins, lanes);
    case IR_LT_W:
        return compare_i(e, LLVMIntULT, ins, lanes);
    case IR_EQ_W:
    case IR_EQ_R:
        return compare_i(e, LLVMIntEQ, ins, lanes);
    case IR_SELECT:
        return select_lanes(e, ins, lanes);
    case IR_I_TO_F:
        return emit_int_to_float(e, arg(e, ins, 0, lanes), lanes);
    case IR_W_TO_F:
        return cast(e, LLVMUIToFP, ins, IR_F, lanes);
    case IR_W_TO_I:
    case IR_B_TO_I:
        return extend(e, ins, lanes);
    case IR_I_TO_W:
        return lanes > 1 && e->words[ins->args[0]] ? e->words[ins->args[0]] : cast(e, LLVMTrunc, ins, IR_W, lanes);
    case IR_F_TO_I:
        return emit_float_to_int(e, ins, lanes);
    case IR_WHOLE_I:
        return emit_whole(e, ins, lanes);
    case IR_POWER_F:
        return emit_power(e, arg(e, ins, 0, lanes), lanes);
    case IR_CONST_TEXT:
    case IR_CONST_DESIGN:
    case IR_IF:
    case IR_FOR:
    case IR_CALL:
    case IR_CALL_CLOSURE:
    case IR_CALL_EXTERN:
    case IR_CLOSURE:
    case IR_LIST_NEW:
    case IR_LIST_FILL:
    case IR_LIST_APPEND:
    case IR_LIST_SET:
    case IR_LIST_TAKE:
    case IR_LIST_CUT:
    case IR_RETAIN:
    case IR_RELEASE:
    case IR_LIST_LENGTH:
    case IR_LIST_GET:
    case IR_GRID_GET:
    case IR_GRID_COLUMNS:
    case IR_GRID_ROWS:
    case IR_GRID_FINER:
    case IR_GRID_CELL:
    case IR_GRID_X0:
    case IR_GRID_Z0:
    case IR_GRID_OUTSIDE:
    case IR_PART_ROOT:
    case IR_PART_PARENT:
    case IR_PART_CHILD:
    case IR_PART_MEMBER:
    case IR_PART_FAMILY:
    case IR_PART_MAKE:
    case IR_ACT_SPAWN:
    case IR_ACT_SET:
    case IR_ACT_ADD:
    case IR_FIELD_GET:
    case IR_CAPTURE_GET:
    case IR_DRAW_W:
    case IR_FAULT_IF:
    case IR_OP_COUNT:
        return NULL;
    }
    return NULL;
}

bool emit_scalar(Emit *e, const IrIns *ins, int lanes) {
    LLVMValueRef result = scalar(e, ins, lanes);
    if (result) e->values[ins->results[0]] = result;
    return result != NULL;
}
