/* Calls: of functions of the module, of natives, of intrinsics (each one IR op), of function
 * values. */
#include "compiler/lower/lower_fn.h"
#include "stdlib/stdlib.h"

/* -- arguments -- */

typedef struct Args {
    FnLowering *l;
    VEC(IrValue) values;
} Args;

static void args_slots(Args *args, Slots slots) {
    for (int i = 0; i < slots.count; i++)
        VEC_PUSH(args->l->arena, &args->values, slots.items[i]);
}

static void args_stream(Args *args, const Tree *stream) {
    FnLowering *l = args->l;
    IrValue value = stream           ? lower_single(l, stream)
                    : l->stream >= 0 ? l->stream
                                     : emit_const(l, IR_NULL_R, 0);
    VEC_PUSH(l->arena, &args->values, value);
}

/* [self] [stream] params...: the arguments are worked out from left to right, whatever their
 * place. */
static Args args_of_call(FnLowering *l, const Tree *tree) {
    const TreeFn *fn = tree->call.fn;
    Args args = {.l = l};
    int selfs = fn->owner || fn->with_self;
    for (int i = 0; i < tree->call.args.count; i++) {
        if (i == selfs && fn->draws) args_stream(&args, tree->call.stream);
        args_slots(&args, lower_tree(l, tree->call.args.items[i]));
    }
    if (fn->draws && tree->call.args.count <= selfs) args_stream(&args, tree->call.stream);
    return args;
}

/* -- natives -- */

static int native_index(FnLowering *l, Str name) {
    const IrModule *module = l->builder.module;
    for (int i = 0; i < module->externs.count; i++)
        if (str_equal(module->externs.items[i].name, name)) return i;
    return -1;
}

/* The library's natives have the effect that the generator found; one of a host's states its own,
 * or works on plain values. */
static IrEffect native_effect(Str name, NativeEffect stated) {
    static const IrEffect effects[] = {
#define EFFECT(NAME, text) [NATIVE_##NAME] = IR_##NAME,
#include "runtime/base/effect.def"
#undef EFFECT
    };
    const StdlibExtern *native = stdlib_find_extern(name);
    return effects[native ? native->effect : stated ? stated : NATIVE_FAULTS];
}

Slots lower_native(FnLowering *l, Str name, NativeEffect stated, const IrValue *args, int arg_count,
                   const char *results, int result_count) {
    IrModule *module = l->builder.module;
    int index = native_index(l, name);
    if (index < 0) {
        const StdlibExtern *known = stdlib_find_extern(name);
        IrExtern native = {.name = {arena_strndup(module->arena, name.ptr, name.len), name.len},
                           .effect = native_effect(name, stated),
                           .takes = known && known->takes};
        for (int i = 0; i < arg_count; i++)
            VEC_PUSH(module->arena, &native.params, l->builder.func->types.items[args[i]]);
        for (int i = 0; i < result_count; i++)
            VEC_PUSH(module->arena, &native.results, lower_letter(results[i]));
        index = module->externs.count;
        VEC_PUSH(module->arena, &module->externs, native);
    }
    return emit_slots(l, IR_CALL_EXTERN, args, arg_count, index, 0, results, result_count);
}

/* -- intrinsics -- */

/* What cannot fail and takes next to no time. */
static void look_for_work(const Tree *tree, void *user) {
    switch ((int)tree->kind) {
    case TREE_NUMBER:
    case TREE_INT:
    case TREE_U32:
    case TREE_BOOL:
    case TREE_TEXT:
    case TREE_LOCAL:
    case TREE_COMPONENT:
    case TREE_AGGREGATE:
    case TREE_SELF:
        break;
    case TREE_OP:
        *(bool *)user |= tree->type->slots[0] != 'F';
        break;
    case TREE_CALL:
        *(bool *)user |= tree->call.fn->kind != AST_FN_INTRINSIC || tree->call.fn->intrinsic != IR_LIST_LENGTH;
        break;
    default:
        *(bool *)user = true;
    }
    tree_visit(tree, look_for_work, user);
}

static bool have_work(const TreeList *details) {
    bool work = false;
    for (int i = 0; i < details->count; i++)
        look_for_work(details->items[i], &work);
    return work;
}

static IrValue nothing_of(FnLowering *l, char letter) {
    IrType type = lower_letter(letter);
    if (type == IR_R) return emit_const(l, IR_NULL_R, 0);
    if (type == IR_F) return ir_emit_float(&l->builder, 0);
    return emit_const(l, type == IR_I ? IR_CONST_I : type == IR_W ? IR_CONST_W : IR_CONST_B, 0);
}

/* Details that take work are worked out only where there is a fault:
 *     %d = if %condition { yield details } else { yield nothing }
 *     fault.if %condition, %d */
static void lazy_details(FnLowering *l, const TreeList *details, Args *args) {
    VEC(char) letters = {0};
    for (int i = 0; i < details->count; i++)
        for (int k = 0; k < details->items[i]->type->slot_count; k++)
            VEC_PUSH(l->arena, &letters, details->items[i]->type->slots[k]);
    IrType *types = ARENA_ARRAY(l->arena, IrType, letters.count);
    for (int i = 0; i < letters.count; i++)
        types[i] = lower_letter(letters.items[i]);
    IrIns *ins = ir_emit_many(&l->builder, IR_IF, args->values.items, 1, 0, 0, types, letters.count);
    IrRegion *outer = l->builder.region;
    l->builder.region = &ins->regions[0];
    for (int i = 0; i < details->count; i++) {
        Slots slots = lower_tree(l, details->items[i]);
        for (int k = 0; k < slots.count; k++)
            ir_yield(&l->builder, l->builder.region, slots.items[k]);
    }
    l->builder.region = &ins->regions[1];
    for (int i = 0; i < letters.count; i++)
        ir_yield(&l->builder, l->builder.region, nothing_of(l, letters.items[i]));
    l->builder.region = outer;
    args_slots(args, (Slots){ins->results, letters.count});
}

void lower_fault(FnLowering *l, const Tree *tree) {
    Args args = {.l = l};
    const TreeList *details = &tree->fault.details;
    args_slots(&args, lower_tree(l, tree->fault.condition));
    if (have_work(details))
        lazy_details(l, details, &args);
    else
        for (int i = 0; i < details->count; i++)
            args_slots(&args, lower_tree(l, details->items[i]));
    ir_emit(&l->builder, IR_FAULT_IF, args.values.items, args.values.count, tree->fault.code, 0);
}

static Slots lower_intrinsic(FnLowering *l, const Tree *tree) {
    IrOp op = tree->call.fn->intrinsic;
    const Type *type = tree->type;
    Args args = args_of_call(l, tree);
    int64_t width = 0, bits = 0;
    if (ir_op_info(op)->imm == IR_IMM_SHAPE) {
        width = type->element->slot_count;
        bits = lower_object_bits(type->element->slots, type->element->slot_count);
    }
    return emit_slots(l, op, args.values.items, args.values.count, bits, width, type->slots,
                      type->slot_count);
}

/* -- functions that change what they are called on -- */

typedef struct Changing {
    const Tree *tree;
    Args rest; /* what follows self */
    Slots answer;
} Changing;

/* The function is given self's slots and gives its answer, then self's new ones. */
static Slots change_self(FnLowering *l, void *user, Slots old) {
    Changing *call = user;
    const Type *type = call->tree->type;
    const TreeFn *fn = call->tree->call.fn;
    Args args = {.l = l};
    if (fn->draws) args_stream(&args, call->tree->call.stream);
    args_slots(&args, old);
    args_slots(&args, (Slots){call->rest.values.items, call->rest.values.count});
    char *letters = ARENA_ARRAY(l->arena, char, type->slot_count + old.count + 1);
    memcpy(letters, type->slots, (size_t)type->slot_count);
    memcpy(letters + type->slot_count, fn->locals.items[0].type->slots, (size_t)old.count);
    Slots all = emit_slots(l, IR_CALL, args.values.items, args.values.count, lower_target(l, fn), 0, letters,
                           type->slot_count + old.count);
    call->answer = (Slots){all.items, type->slot_count};
    return (Slots){all.items + type->slot_count, old.count};
}

static Slots lower_changing(FnLowering *l, const Tree *tree) {
    Changing call = {.tree = tree, .rest = {.l = l}};
    for (int i = 1; i < tree->call.args.count; i++)
        args_slots(&call.rest, lower_tree(l, tree->call.args.items[i]));
    lower_place(l, tree->call.args.items[0], true, change_self, &call);
    return call.answer;
}

/* -- nodes -- */

Slots lower_call(FnLowering *l, const Tree *tree) {
    const TreeFn *fn = tree->call.fn;
    const Type *type = tree->type;
    if (fn->kind == AST_FN_INTRINSIC) return lower_intrinsic(l, tree);
    if (fn->changes_self) return lower_changing(l, tree);
    Args args = args_of_call(l, tree);
    if (fn->kind == AST_FN_EXTERN)
        return lower_native(l, fn->name, fn->effect, args.values.items, args.values.count,
                            type->slots, type->slot_count);
    return emit_slots(l, IR_CALL, args.values.items, args.values.count,
                      lower_target(l, fn), 0, type->slots, type->slot_count);
}

Slots lower_call_value(FnLowering *l, const Tree *tree) {
    const Type *type = tree->type;
    Args args = {.l = l};
    args_slots(&args, lower_tree(l, tree->call_value.callee));
    if (tree->call_value.callee->type->draws)
        args_stream(&args, tree->call_value.stream);
    else
        VEC_PUSH(l->arena, &args.values, emit_const(l, IR_NULL_R, 0));
    for (int i = 0; i < tree->call_value.args.count; i++)
        args_slots(&args, lower_tree(l, tree->call_value.args.items[i]));
    return emit_slots(l, IR_CALL_CLOSURE, args.values.items, args.values.count, 0, 0, type->slots,
                      type->slot_count);
}

Slots lower_lambda(FnLowering *l, const Tree *tree) {
    Args args = {.l = l};
    if (tree->lambda.with_self) VEC_PUSH(l->arena, &args.values, l->self);
    for (int i = 0; i < tree->lambda.capture_count; i++)
        args_slots(&args, l->locals[tree->lambda.captures[i]]);
    int target = lower_target(l, tree->lambda.fn);
    Slots out = slots_new(l, 1);
    out.items[0] = ir_emit(&l->builder, IR_CLOSURE, args.values.items, args.values.count, target,
                           tree->lambda.fn->draws);
    return out;
}
