/* The kernel of a variant: the loop over the elements of a chunk, from columns to columns.
 *
 *   width 1   element by element, in order; a uniform column has stride 0 (known when it runs)
 *   width W   W at a time; the columns that the variant takes as uniform are read once, the others
 *             differ. The last step is moved back to end at n, so some elements are worked out
 *             twice, with the same answer: no mask for the rest is needed. That needs n >= W, and a
 *             function without side effects, which is what `batchable` says.
 */
#include <inttypes.h>

#include "compiler/llvm/emit.h"

typedef struct Kernel {
    Emit e; /* only as a builder; it has no function of the IR */
    const Variant *root;
    uint64_t known; /* the columns that are uniform, when width > 1 */
    LLVMValueRef n, uniform, in, out;
    LLVMValueRef *inputs;  /* by parameter: the value when uniform (width W), else the column */
    LLVMValueRef *strides; /* by parameter, width 1 only */
    LLVMValueRef *outputs; /* columns */
} Kernel;

Str kernel_name(Arena *arena, UnitShape shape) {
    return str_printf(arena, "kernel:%" PRIx64 ":%.*s", shape.uniform, STR_ARG(shape.root->name));
}

static LLVMValueRef kernel_function(Unit *unit, UnitShape shape) {
    LLVMTypeRef params[] = {unit->r, unit->i, unit->i, unit->r, unit->r};
    LLVMTypeRef type = LLVMFunctionType(unit->void_type, params, 5, false);
    return LLVMAddFunction(unit->module, kernel_name(unit->arena, shape).ptr, type);
}

static bool is_known(const Kernel *k, int index) {
    return k->root->width > 1 && index < 64 && (k->known >> index & 1);
}

static IrType param_type(const Kernel *k, int index) {
    return k->root->func->types.items[k->root->func->params.items[index]];
}

static LLVMValueRef load_column(Kernel *k, LLVMValueRef columns, int index) {
    LLVMTypeRef column = k->e.unit->r;
    LLVMValueRef at = emit_int(k->e.unit, index);
    LLVMValueRef address = LLVMBuildInBoundsGEP2(k->e.builder, column, columns, &at, 1, "");
    return LLVMBuildLoad2(k->e.builder, column, address, "");
}

/* 0 when bit `index` of the uniform mask is set, else 1. */
static LLVMValueRef column_stride(Kernel *k, int index) {
    Unit *unit = k->e.unit;
    if (index > 63) return emit_int(unit, 1);
    LLVMValueRef bit = LLVMBuildLShr(k->e.builder, k->uniform, emit_int(unit, index), "");
    bit = LLVMBuildAnd(k->e.builder, bit, emit_int(unit, 1), "");
    return LLVMBuildXor(k->e.builder, bit, emit_int(unit, 1), "");
}

static void load_columns(Kernel *k) {
    const IrFunc *func = k->root->func;
    for (int i = 0; i < func->params.count; i++) {
        k->inputs[i] = load_column(k, k->in, i);
        if (k->root->width == 1)
            k->strides[i] = column_stride(k, i);
        else if (is_known(k, i))
            k->inputs[i] = emit_load_slot(&k->e, k->inputs[i], param_type(k, i), 1);
    }
    for (int i = 0; i < func->results.count; i++)
        k->outputs[i] = load_column(k, k->out, i);
}

static LLVMValueRef column_at(Kernel *k, LLVMValueRef column, LLVMValueRef index) {
    return LLVMBuildInBoundsGEP2(k->e.builder, k->e.unit->i, column, &index, 1, "");
}

static LLVMValueRef load_input(Kernel *k, int index, LLVMValueRef element) {
    if (is_known(k, index)) {
        int lanes = k->root->uniform_params[index] ? 1 : k->root->width;
        return emit_splat(&k->e, k->inputs[index], lanes);
    }
    if (k->root->width == 1) element = LLVMBuildMul(k->e.builder, element, k->strides[index], "");
    LLVMValueRef address = column_at(k, k->inputs[index], element);
    return emit_load_slot(&k->e, address, param_type(k, index), k->root->width);
}

/* One step: loads, the call, stores. */
static void emit_step(Kernel *k, LLVMValueRef element) {
    Unit *unit = k->e.unit;
    const IrFunc *func = k->root->func;
    LLVMValueRef *args = ARENA_ARRAY(unit->arena, LLVMValueRef, func->params.count + 3);
    int count = 0;
    args[count++] = k->e.rt;
    args[count++] = element;
    for (int i = 0; i < func->params.count; i++) {
        args[count++] = load_input(k, i, element);
        if (func->takes && func->takes[i]) emit_retain(&k->e, args[count - 1]); /* who asks keeps his own */
    }
    LLVMValueRef fn = emit_variant(unit, k->root);
    LLVMTypeRef type = emit_variant_type(unit, k->root);
    LLVMValueRef call = LLVMBuildCall2(k->e.builder, type, fn, args, (unsigned)count, "");
    LLVMSetInstructionCallConv(call, LLVMFastCallConv);
    for (int i = 0; i < func->results.count; i++) {
        LLVMValueRef value = call;
        if (func->results.count > 1)
            value = LLVMBuildExtractValue(k->e.builder, call, (unsigned)i, "");
        if (variant_result_uniform(k->root, i)) value = emit_splat(&k->e, value, k->root->width);
        emit_store_slot(&k->e, column_at(k, k->outputs[i], element), value, func->results.items[i],
                        k->root->width);
    }
}

static Kernel kernel_open(Unit *unit, UnitShape shape) {
    const Variant *root = shape.root;
    Kernel k = {.root = root, .known = shape.uniform};
    k.e = (Emit){.unit = unit, .builder = unit->builder, .width = root->width};
    k.e.fn = kernel_function(unit, shape);
    k.e.rt = LLVMGetParam(k.e.fn, 0);
    k.n = LLVMGetParam(k.e.fn, 1);
    k.uniform = LLVMGetParam(k.e.fn, 2);
    k.in = LLVMGetParam(k.e.fn, 3);
    k.out = LLVMGetParam(k.e.fn, 4);
    k.inputs = ARENA_ARRAY(unit->arena, LLVMValueRef, root->func->params.count + 1);
    k.strides = ARENA_ARRAY(unit->arena, LLVMValueRef, root->func->params.count + 1);
    k.outputs = ARENA_ARRAY(unit->arena, LLVMValueRef, root->func->results.count + 1);
    return k;
}

/* for (e = 0; e < n; e += W) step(W == 1 ? e : min(e, n - W)) */
void emit_kernel(Unit *unit, UnitShape shape) {
    const Variant *root = shape.root;
    Kernel k = kernel_open(unit, shape);
    LLVMBuilderRef b = unit->builder;
    LLVMBasicBlockRef entry = emit_block(&k.e, "entry"), head = emit_block(&k.e, "elements");
    LLVMBasicBlockRef body = emit_block(&k.e, "step"), exit = emit_block(&k.e, "done");
    LLVMPositionBuilderAtEnd(b, entry);
    load_columns(&k);
    LLVMValueRef zero = emit_int(unit, 0), width = emit_int(unit, root->width);
    LLVMValueRef last = LLVMBuildSub(b, k.n, width, "");
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, head);
    LLVMValueRef element = LLVMBuildPhi(b, unit->i, "");
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntSLT, element, k.n, "");
    LLVMBuildCondBr(b, more, body, exit);
    LLVMPositionBuilderAtEnd(b, body);
    LLVMValueRef at[2] = {element, last};
    emit_step(&k, root->width == 1 ? element : emit_intrinsic(&k.e, "llvm.smin", unit->i, at, 2));
    LLVMValueRef next = LLVMBuildAdd(b, element, width, "");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, head);
    LLVMAddIncoming(element, &zero, &entry, 1);
    LLVMAddIncoming(element, &next, &from, 1);
    LLVMPositionBuilderAtEnd(b, exit);
    LLVMBuildRetVoid(b);
}
