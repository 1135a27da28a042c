/* Building IR: modules, functions, values, and instructions appended to the open region of a
 * builder. Nothing is checked here; ir_verify does that once, for every source of IR.
 */
#include "compiler/ir/ir.h"

IrModule *ir_module_create(Arena *arena) {
    IrModule *module = ARENA_NEW(arena, IrModule);
    module->arena = arena;
    return module;
}

/* A VEC that holds what another holds, with room for as many as a question adds. */
#define EXTEND(arena, to, from)                                                                    \
    do {                                                                                           \
        (to)->count = (from)->count;                                                               \
        (to)->capacity = (from)->count + WORLD_VEC_FIRST;                                          \
        (to)->items = arena_grow((arena), (from)->items, sizeof *(to)->items * (size_t)(to)->count, \
                                 sizeof *(to)->items * (size_t)(to)->capacity);                    \
    } while (0)

IrModule *ir_module_extend(Arena *arena, const IrModule *base) {
    IrModule *module = ir_module_create(arena);
    EXTEND(arena, &module->funcs, &base->funcs);
    EXTEND(arena, &module->externs, &base->externs);
    EXTEND(arena, &module->texts, &base->texts);
    module->authors = base->authors;
    return module;
}

int ir_module_text(IrModule *module, Str text) {
    for (int i = 0; i < module->texts.count; i++)
        if (str_equal(module->texts.items[i], text)) return i;
    Str copy = {arena_strndup(module->arena, text.ptr, text.len), text.len};
    VEC_PUSH(module->arena, &module->texts, copy);
    return module->texts.count - 1;
}

IrFunc *ir_func_create(IrModule *module, Str name) {
    IrFunc *func = ARENA_NEW(module->arena, IrFunc);
    func->name = (Str){arena_strndup(module->arena, name.ptr, name.len), name.len};
    func->index = module->funcs.count;
    VEC_PUSH(module->arena, &module->funcs, func);
    return func;
}

IrValue ir_value_new(IrModule *module, IrFunc *func, IrType type) {
    VEC_PUSH(module->arena, &func->types, type);
    return func->types.count - 1;
}

IrValue ir_func_param(IrModule *module, IrFunc *func, IrType type) {
    IrValue value = ir_value_new(module, func, type);
    VEC_PUSH(module->arena, &func->params, value);
    return value;
}

IrIns *ir_ins_create(Arena *arena, IrOp op, int result_count, int arg_count) {
    IrIns *ins = ARENA_NEW(arena, IrIns);
    ins->op = op;
    ins->result_count = result_count;
    ins->arg_count = arg_count;
    ins->results = ARENA_ARRAY(arena, IrValue, result_count);
    ins->args = ARENA_ARRAY(arena, IrValue, arg_count);
    ins->region_count = op == IR_IF ? 2 : op == IR_FOR ? 1 : 0;
    if (ins->region_count) ins->regions = ARENA_ARRAY(arena, IrRegion, ins->region_count);
    return ins;
}

IrIns *ir_emit_many(IrBuilder *builder, IrOp op, const IrValue *args, int arg_count, int64_t imm,
                    int64_t imm2, const IrType *result_types, int result_count) {
    Arena *arena = builder->module->arena;
    IrIns *ins = ir_ins_create(arena, op, result_count, arg_count);
    builder->module->emitted++;
    ins->span = builder->span;
    ins->imm.i = imm;
    ins->imm2 = imm2;
    if (arg_count) memcpy(ins->args, args, sizeof *args * (size_t)arg_count);
    for (int i = 0; i < result_count; i++)
        ins->results[i] = ir_value_new(builder->module, builder->func, result_types[i]);
    if (op == IR_FOR) {
        IrRegion *body = &ins->regions[0];
        VEC_PUSH(arena, &body->params, ir_value_new(builder->module, builder->func, IR_I));
        for (int i = 2; i < arg_count; i++) {
            IrType type = builder->func->types.items[args[i]];
            VEC_PUSH(arena, &body->params, ir_value_new(builder->module, builder->func, type));
        }
    }
    VEC_PUSH(arena, &builder->region->body, ins);
    return ins;
}

IrValue ir_emit(IrBuilder *builder, IrOp op, const IrValue *args, int arg_count, int64_t imm,
                int64_t imm2) {
    const char *results = ir_op_info(op)->results;
    IrType type = IR_B;
    int count = results[0] != '\0';
    if (count && !ir_type_of_letter(results[0], &type)) /* "x" */
        type = builder->func->types.items[args[arg_count - 1]];
    IrIns *ins = ir_emit_many(builder, op, args, arg_count, imm, imm2, &type, count);
    return count ? ins->results[0] : -1;
}

IrValue ir_emit_float(IrBuilder *builder, double value) {
    IrType type = IR_F;
    IrIns *ins = ir_emit_many(builder, IR_CONST_F, NULL, 0, 0, 0, &type, 1);
    ins->imm.f = value;
    return ins->results[0];
}

void ir_yield(IrBuilder *builder, IrRegion *region, IrValue value) {
    VEC_PUSH(builder->module->arena, &region->yields, value);
}
