/* Lines once more, with values of their own: a callee's in its caller, a round's of a loop. */
#include "compiler/opt/pass.h"

static void copy_definitions(OptCopy *c, IrValue *to, const IrValue *from, int count) {
    for (int i = 0; i < count; i++) {
        IrType type = c->from->types.items[from[i]];
        to[i] = ir_value_new(c->opt->module, c->func, type);
        opt_map_set(&c->map, c->opt, from[i], to[i]);
    }
}

static void copy_region(OptCopy *c, const IrRegion *from, IrRegion *to) {
    Arena *arena = c->opt->arena;
    OptBody body = {0};
    to->params.items = ARENA_ARRAY(arena, IrValue, from->params.count);
    to->params.count = to->params.capacity = from->params.count;
    copy_definitions(c, to->params.items, from->params.items, from->params.count);
    opt_copy_body(c, from, &body);
    opt_set_body(to, body);
    for (int i = 0; i < from->yields.count; i++)
        VEC_PUSH(arena, &to->yields, opt_map_get(&c->map, from->yields.items[i]));
}

static IrIns *copy_ins(OptCopy *c, const IrIns *from) {
    IrIns *ins = ir_ins_create(c->opt->arena, from->op, from->result_count, from->arg_count);
    c->opt->module->emitted++;
    ins->span = c->from != c->func && from->span.file < c->opt->module->authors ? c->call : from->span;
    ins->imm = from->imm;
    ins->imm2 = from->imm2;
    for (int i = 0; i < from->arg_count; i++)
        ins->args[i] = opt_map_get(&c->map, from->args[i]);
    copy_definitions(c, ins->results, from->results, from->result_count);
    for (int k = 0; k < from->region_count; k++)
        copy_region(c, &from->regions[k], &ins->regions[k]);
    return ins;
}

void opt_copy_body(OptCopy *c, const IrRegion *from, OptBody *out) {
    for (int i = 0; i < from->body.count; i++)
        VEC_PUSH(c->opt->arena, out, copy_ins(c, from->body.items[i]));
}
