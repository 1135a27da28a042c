/* One LLVM module: the function that is asked for and, in the order of their first call, what it
 * calls. Functions marked out_of_line are only declared; they are modules of their own (jit.c sees
 * to them).
 */
#include <inttypes.h>

#include "compiler/llvm/emit.h"
#include "runtime/base/hash.h"

LLVMTypeRef emit_type(const Unit *unit, IrType type, int lanes) {
    LLVMTypeRef scalar = unit->f;
    switch (type) {
    case IR_B:
        scalar = unit->b;
        break;
    case IR_W:
        scalar = unit->w;
        break;
    case IR_I:
        scalar = unit->i;
        break;
    case IR_F:
        scalar = unit->f;
        break;
    case IR_R:
        scalar = unit->r;
        break;
    }
    return lanes > 1 ? LLVMVectorType(scalar, (unsigned)lanes) : scalar;
}

static int param_lanes(const Variant *variant, int index) {
    return variant->uniform_params[index] ? 1 : variant->width;
}

static LLVMTypeRef result_type(Unit *unit, const Variant *variant) {
    const IrFunc *func = variant->func;
    int count = func->results.count;
    LLVMTypeRef *types = ARENA_ARRAY(unit->arena, LLVMTypeRef, count + 1);
    for (int i = 0; i < count; i++)
        types[i] = emit_type(unit, func->results.items[i],
                             variant_result_uniform(variant, i) ? 1 : variant->width);
    if (count == 0) return unit->void_type;
    if (count == 1) return types[0];
    return LLVMStructTypeInContext(unit->context, types, (unsigned)count, false);
}

/* (runtime, element of lane 0, mask if it takes one, parameters) -> results */
LLVMTypeRef emit_variant_type(Unit *unit, const Variant *variant) {
    const IrFunc *func = variant->func;
    LLVMTypeRef *types = ARENA_ARRAY(unit->arena, LLVMTypeRef, func->params.count + 3);
    int count = 0;
    types[count++] = unit->r;
    types[count++] = unit->i;
    if (variant->masked) types[count++] = emit_type(unit, IR_B, variant->width);
    for (int i = 0; i < func->params.count; i++)
        types[count++] =
            emit_type(unit, func->types.items[func->params.items[i]], param_lanes(variant, i));
    return LLVMFunctionType(result_type(unit, variant), types, (unsigned)count, false);
}

static void add_valued(Unit *unit, LLVMValueRef fn, const char *name, uint64_t value) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(unit->context, kind, value);
    LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

static void add_attribute(Unit *unit, LLVMValueRef fn, const char *name) {
    add_valued(unit, fn, name, 0);
}

/* Off the way, and it changes nothing but the Rt and what is the runtime's own: values that machine code holds stay. */
static void add_aside(Unit *unit, LLVMValueRef fn) {
    enum { ARGUMENTS = 3, RUNTIME = 3 << 2 }; /* may be read and written: LLVM's MemoryEffects */
    add_attribute(unit, fn, "cold");
    add_attribute(unit, fn, "willreturn");
    add_valued(unit, fn, "memory", ARGUMENTS | RUNTIME);
}

void emit_make_internal(Unit *unit, LLVMValueRef fn, const char *attribute) {
    LLVMSetFunctionCallConv(fn, LLVMFastCallConv);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    add_attribute(unit, fn, "nounwind");
    if (attribute) add_attribute(unit, fn, attribute);
}

static const char *terminated(Unit *unit, Str text) {
    return arena_strndup(unit->arena, text.ptr, text.len);
}

/* Who makes a list and fills it in a loop is called for that: a call costs nothing beside it, and whoever has its code inside
 * (a Map that has no room for a key, which is seldom) is the slower for it. */
static const char *inlining(const Unit *unit, const Variant *variant) {
    const FuncFacts *facts = facts_of(unit->program, variant->func->index);
    if (variant->func->weight <= EMIT_INLINE_WEIGHT) return "alwaysinline";
    return facts->makes && facts->loops ? "noinline" : NULL;
}

LLVMValueRef emit_variant(Unit *unit, const Variant *variant) {
    const char *name = terminated(unit, variant->name);
    LLVMValueRef fn = LLVMGetNamedFunction(unit->module, name);
    if (fn) return fn;
    fn = LLVMAddFunction(unit->module, name, emit_variant_type(unit, variant));
    LLVMSetFunctionCallConv(fn, LLVMFastCallConv);
    bool apart = emit_is_apart(variant->func);
    if (apart && !unit->whole) {
        add_attribute(unit, fn, "nounwind");
        VEC_PUSH(unit->arena, &unit->symbols, variant->name);
        return fn;
    }
    emit_make_internal(unit, fn, apart ? "noinline" : inlining(unit, variant));
    VEC_PUSH(unit->arena, &unit->pending, variant);
    return fn;
}

LLVMValueRef emit_symbol(Unit *unit, Str name) {
    const char *text = terminated(unit, name);
    LLVMValueRef symbol = LLVMGetNamedGlobal(unit->module, text);
    if (symbol) return symbol;
    Str kept = {text, name.len};
    VEC_PUSH(unit->arena, &unit->symbols, kept);
    return LLVMAddGlobal(unit->module, unit->w, text);
}

/* By its content, so that machine code from the cache finds the text whatever its index is now. */
LLVMValueRef emit_text(Unit *unit, int64_t index) {
    Str text = unit->program->binding.module->texts.items[index];
    uint64_t hash = hash_bytes(text.ptr, text.len, 0);
    return emit_symbol(unit, str_printf(unit->arena, "text:%zx-%016" PRIx64, text.len, hash));
}

LLVMValueRef emit_class(Unit *unit, int64_t index) {
    return emit_symbol(unit, str_printf(unit->arena, "class:%" PRId64, index));
}

LLVMValueRef emit_zeros(Unit *unit) {
    LLVMValueRef zeros = LLVMGetNamedGlobal(unit->module, "zeros");
    if (zeros) return zeros;
    LLVMTypeRef type = LLVMArrayType2(unit->i, EMIT_ZERO_SLOTS);
    zeros = LLVMAddGlobal(unit->module, type, "zeros");
    LLVMSetInitializer(zeros, LLVMConstNull(type));
    LLVMSetGlobalConstant(zeros, true);
    LLVMSetLinkage(zeros, LLVMInternalLinkage);
    return zeros;
}

/* -- calls out of the module -- */

/* What LLVM knows of a C type: a pointer, 32 or 64 bits, nothing. */
/* clang-format off */
#define LETTER(type)                                                                               \
    _Generic((type (*)(void))NULL,                                                                 \
             void (*)(void): 'v', int32_t (*)(void): 'i', int64_t (*)(void): 'l',                  \
             size_t (*)(void): 'l', default: 'p')
/* clang-format on */

typedef struct Entry {
    const char *name;
    char result;
    char params[16]; /* terminated */
} Entry;

static const Entry entries[] = {
#define A(type) , LETTER(type)
#define ENTRY(name, result, first, others) {#name, LETTER(result), {LETTER(first) others}},
#include "compiler/llvm/entry.def"
#undef ENTRY
#undef A
};

/* What is neither of the numbers is a pointer. */
#define A(type) _Static_assert(LETTER(type) != 'p' || sizeof(type) == sizeof(void *), #type);
#define ENTRY(name, result, first, others) others
#include "compiler/llvm/entry.def"
#undef ENTRY
#undef A

static LLVMTypeRef letter_type(const Unit *unit, char letter) {
    switch (letter) {
    case 'p':
        return unit->r;
    case 'i':
        return unit->w;
    case 'l':
        return unit->i;
    default:
        return unit->void_type;
    }
}

/* Those of steps answer whether there are more. */
static bool entry_may_fail(JitEntryName name) {
    switch ((int)name) {
    case JIT_entry_step_refused:
    case JIT_entry_steps_ensure:
    case JIT_entry_steps_back:
    case JIT_entry_loop_fits:
    case JIT_entry_retain:
    case JIT_entry_release:
    case JIT_entry_freeze:
    case JIT_entry_fault_place:
    case JIT_entry_rest:
        return false;
    default:
        return true;
    }
}

LLVMValueRef emit_entry(Emit *e, JitEntryName name, LLVMValueRef *args, int count) {
    Unit *unit = e->unit;
    const Entry *entry = &entries[name];
    LLVMTypeRef params[sizeof entry->params];
    unsigned param_count = 0;
    for (; entry->params[param_count]; param_count++)
        params[param_count] = letter_type(unit, entry->params[param_count]);
    LLVMTypeRef type =
        LLVMFunctionType(letter_type(unit, entry->result), params, param_count, false);
    LLVMValueRef fn = LLVMGetNamedFunction(unit->module, entry->name);
    if (!fn) {
        VEC_PUSH(unit->arena, &unit->symbols, str_of(entry->name));
        fn = LLVMAddFunction(unit->module, entry->name, type);
        add_attribute(unit, fn, "nounwind");
        bool step = str_starts(str_of(entry->name), STR_LIT("entry_step")) || name == JIT_entry_rest;
        if (step || str_starts(str_of(entry->name), STR_LIT("entry_fault"))) add_aside(unit, fn);
    }
    LLVMValueRef result = LLVMBuildCall2(e->builder, type, fn, args, (unsigned)count, "");
    if (entry_may_fail(name)) emit_end_loops(e);
    return result;
}

LLVMValueRef emit_intrinsic(Emit *e, const char *name, LLVMTypeRef type, LLVMValueRef *args,
                            int count) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef fn = LLVMGetIntrinsicDeclaration(e->unit->module, id, &type, 1);
    LLVMTypeRef fn_type = LLVMIntrinsicGetType(e->unit->context, id, &type, 1);
    return LLVMBuildCall2(e->builder, fn_type, fn, args, (unsigned)count, "");
}

/* -- functions -- */

static LLVMValueRef row_alloca(Emit *e) {
    return LLVMBuildArrayAlloca(e->builder, e->unit->i, emit_word(e->unit, 1), "");
}

/* The rows get their size when the body is known; one that nobody used goes away. */
static void row_finish(Emit *e, LLVMValueRef row, int slots) {
    if (LLVMGetFirstUse(row))
        LLVMSetOperand(row, 0, emit_word(e->unit, (uint32_t)(slots ? slots : 1)));
    else
        LLVMInstructionEraseFromParent(row);
}

static void bind_params(Emit *e) {
    unsigned next = 0;
    e->rt = LLVMGetParam(e->fn, next++);
    e->element = LLVMGetParam(e->fn, next++);
    if (e->variant->masked) e->mask = LLVMGetParam(e->fn, next++);
    for (int i = 0; i < e->func->params.count; i++)
        e->values[e->func->params.items[i]] = LLVMGetParam(e->fn, next++);
}

static void emit_return(Emit *e) {
    const IrRegion *body = ir_run_body(e->func);
    int count = body->yields.count;
    LLVMValueRef *values = ARENA_ARRAY(e->unit->arena, LLVMValueRef, count + 1);
    for (int i = 0; i < count; i++)
        values[i] = e->values[body->yields.items[i]];
    if (count == 0)
        LLVMBuildRetVoid(e->builder);
    else if (count == 1)
        LLVMBuildRet(e->builder, values[0]);
    else
        LLVMBuildAggregateRet(e->builder, values, (unsigned)count);
}

/* A function too heavy to run unseen asks whether it may; if not it answers zeros. */
static void emit_permission(Emit *e) {
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(e->fn));
    LLVMBasicBlockRef stop = emit_block(e, "stop");
    emit_steps(e, 1, stop);
    LLVMBasicBlockRef go = LLVMGetInsertBlock(e->builder);
    LLVMPositionBuilderAtEnd(e->builder, stop);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(e->builder);
    else
        LLVMBuildRet(e->builder, LLVMConstNull(type));
    LLVMPositionBuilderAtEnd(e->builder, go);
}

LLVMValueRef emit_row(Emit *e, int slots) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder);
    LLVMPositionBuilderBefore(e->builder, e->args_row);
    LLVMValueRef count = emit_word(e->unit, (uint32_t)slots);
    LLVMValueRef row = LLVMBuildArrayAlloca(e->builder, e->unit->i, count, "");
    LLVMPositionBuilderAtEnd(e->builder, here);
    return row;
}

void emit_open_body(Emit *e) {
    LLVMPositionBuilderAtEnd(e->builder, emit_block(e, "entry"));
    e->args_row = row_alloca(e);
    e->results_row = row_alloca(e);
    e->row_args = e->row_results = 0;
}

void emit_close_body(Emit *e) {
    row_finish(e, e->args_row, e->row_args);
    row_finish(e, e->results_row, e->row_results);
}

static void emit_body(Unit *unit, const Variant *variant, LLVMValueRef fn) {
    Emit e = {.unit = unit,
              .builder = unit->builder,
              .variant = variant,
              .func = variant->func,
              .width = variant->width,
              .fn = fn,
              .texts = 1,
              .site = -1};
    e.values = ARENA_ARRAY(unit->arena, LLVMValueRef, e.func->types.count);
    e.words = ARENA_ARRAY(unit->arena, LLVMValueRef, e.func->types.count);
    e.headers = ARENA_ARRAY(unit->arena, Header, e.func->types.count);
    e.ranges = ARENA_ARRAY(unit->arena, Range, e.func->types.count);
    e.made = ARENA_ARRAY(unit->arena, const IrIns *, e.func->types.count);
    e.proved = ARENA_ARRAY(unit->arena, bool, e.func->types.count);
    e.settled = ARENA_ARRAY(unit->arena, bool, e.func->types.count);
    e.grown = ARENA_ARRAY(unit->arena, const Grown *, e.func->types.count);
    natural_find(&e);
    emit_open_body(&e);
    bind_params(&e);
    if (e.func->weight > EMIT_STEP_WEIGHT) emit_permission(&e);
    emit_region(&e, ir_run_body(e.func));
    emit_return(&e);
    emit_close_body(&e);
}

void emit_unit_types(Unit *unit) {
    LLVMContextRef context = unit->context;
    unit->void_type = LLVMVoidTypeInContext(context);
    unit->b = LLVMInt1TypeInContext(context);
    unit->w = LLVMInt32TypeInContext(context);
    unit->i = LLVMInt64TypeInContext(context);
    unit->f = LLVMDoubleTypeInContext(context);
    unit->f32 = LLVMFloatTypeInContext(context);
    unit->r = LLVMPointerTypeInContext(context, 0);
}

/* An out-of-line function, seen from other modules. */
static void emit_own_function(Unit *unit, const Variant *root) {
    LLVMValueRef fn =
        LLVMAddFunction(unit->module, terminated(unit, root->name), emit_variant_type(unit, root));
    LLVMSetFunctionCallConv(fn, LLVMFastCallConv);
    add_attribute(unit, fn, "nounwind");
    emit_body(unit, root, fn);
}

/* Counts a function's operations before they are emitted; false when they are too many for one
 * module. An object takes any number of functions. */
static bool has_room(Unit *unit, const Variant *variant) {
    int size = facts_of(unit->program, variant->func->index)->size;
    unit->operations = unit->whole ? size : unit->operations + size;
    if (unit->operations > EMIT_UNIT_LIMIT)
        unit->error = str_printf(unit->arena, "the function '%.*s' is too large for machine code", STR_ARG(variant->func->name));
    return unit->operations <= EMIT_UNIT_LIMIT;
}

bool emit_unit(Unit *unit, UnitShape shape) {
    if (!unit->whole) emit_unit_types(unit);
    if (shape.kernel) {
        emit_kernel(unit, shape);
    } else {
        if (!has_room(unit, shape.root)) return false;
        emit_own_function(unit, shape.root);
    }
    for (; unit->written < unit->pending.count; unit->written++) {
        const Variant *variant = unit->pending.items[unit->written];
        if (!has_room(unit, variant)) return false;
        emit_body(unit, variant, emit_variant(unit, variant));
    }
    return true;
}
