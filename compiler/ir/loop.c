/* A loop as a function of its own, so that it can be gone on with by another executor. What it takes
 * from around it is passed; constants are repeated, for machine code is better when it sees them.
 */
#include "compiler/ir/ir.h"

typedef struct Cut {
    IrModule *module;
    IrFunc *func;
    const IrIns **constants; /* by value: the instruction that makes it, when it is a constant */
    bool *known;             /* by value: of the loop itself, or passed or repeated already */
} Cut;

static bool is_constant(IrOp op) {
    return ir_op_info(op)->effect == IR_PURE && *ir_op_info(op)->operands == '\0';
}

static bool note_constant(const IrIns *ins, void *user) {
    Cut *cut = user;
    if (is_constant(ins->op)) cut->constants[ins->results[0]] = ins;
    return true;
}

static void know(Cut *cut, const IrValue *values, int count) {
    for (int i = 0; i < count; i++)
        cut->known[values[i]] = true;
}

static void need(Cut *cut, const IrValue *values, int count) {
    for (int i = 0; i < count; i++) {
        IrValue value = values[i];
        if (cut->known[value]) continue;
        cut->known[value] = true;
        if (cut->constants[value])
            VEC_PUSH(cut->module->arena, &cut->func->body.body, (IrIns *)cut->constants[value]);
        else
            VEC_PUSH(cut->module->arena, &cut->func->params, value);
    }
}

static void cut_region(Cut *cut, const IrRegion *region) {
    know(cut, region->params.items, region->params.count);
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        need(cut, ins->args, ins->arg_count);
        know(cut, ins->results, ins->result_count);
        for (int k = 0; k < ins->region_count; k++)
            cut_region(cut, &ins->regions[k]);
    }
    need(cut, region->yields.items, region->yields.count);
}

typedef struct Site {
    const IrIns *wanted;
    int number;
} Site;

static bool is_before(const IrIns *ins, void *user) {
    Site *site = user;
    site->number += ins != site->wanted;
    return ins != site->wanted;
}

/* "land.height~12": the number of the loop's instruction in its function. */
static Str loop_name(Arena *arena, const IrFunc *from, const IrIns *loop) {
    Site site = {loop, 0};
    ir_each_ins(ir_run_body(from), is_before, &site);
    return str_printf(arena, "%.*s~%d", STR_ARG(from->name), site.number);
}

/* The loop over what it is given: each of its operands becomes a parameter. */
static IrIns *take_operands(Cut *cut, const IrFunc *from, const IrIns *loop) {
    IrIns *copy = ARENA_NEW(cut->module->arena, IrIns);
    *copy = *loop;
    copy->args = ARENA_ARRAY(cut->module->arena, IrValue, loop->arg_count);
    for (int i = 0; i < loop->arg_count; i++)
        copy->args[i] = ir_func_param(cut->module, cut->func, from->types.items[loop->args[i]]);
    return copy;
}

static void give_results(Cut *cut, const IrIns *loop) {
    Arena *arena = cut->module->arena;
    for (int i = 0; i < loop->result_count; i++) {
        VEC_PUSH(arena, &cut->func->results, cut->func->types.items[loop->results[i]]);
        VEC_PUSH(arena, &cut->func->body.yields, loop->results[i]);
    }
}

IrFunc *ir_loop_func(IrModule *module, const IrFunc *from, const IrIns *loop) {
    Arena *arena = module->arena;
    Cut cut = {.module = module, .func = ir_func_create(module, loop_name(arena, from, loop))};
    cut.func->span = from->span;
    for (int i = 0; i < from->types.count; i++) /* its values keep their numbers */
        VEC_PUSH(arena, &cut.func->types, from->types.items[i]);
    cut.constants = ARENA_ARRAY(arena, const IrIns *, from->types.count);
    cut.known = ARENA_ARRAY(arena, bool, from->types.count);
    ir_each_ins(ir_run_body(from), note_constant, &cut);
    IrIns *copy = take_operands(&cut, from, loop);
    cut_region(&cut, &loop->regions[0]);
    VEC_PUSH(arena, &cut.func->body.body, copy);
    give_results(&cut, loop);
    return cut.func;
}
