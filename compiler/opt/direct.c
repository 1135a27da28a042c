/* Needs: verified IR. Gives: a call of a closure that was made in sight as a call of its function,
 * captures first. May change: `call.closure` into `call`. The closure itself goes with dce when
 * nothing else holds it.
 */
#include "compiler/opt/pass.h"

typedef struct Direct {
    Opt *opt;
    IrFunc *func;
    IrIns **closures; /* by value: the instruction that makes it */
} Direct;

static IrType param_type(const IrFunc *func, int i) {
    return func->types.items[func->params.items[i]];
}

/* The signature is the language's promise, not the verifier's: what does not fit is left as it is.
 */
static bool fits(const Direct *d, const IrIns *ins, const IrFunc *target) {
    if (ins->arg_count != target->params.count || ins->result_count != target->results.count)
        return false;
    for (int i = 0; i < ins->arg_count; i++)
        if (d->func->types.items[ins->args[i]] != param_type(target, i)) return false;
    for (int i = 0; i < ins->result_count; i++)
        if (d->func->types.items[ins->results[i]] != target->results.items[i]) return false;
    return true;
}

static IrIns *make_call(const Direct *d, const IrIns *ins, const IrIns *closure) {
    int captures = closure->arg_count, stream = closure->imm2 != 0, args = ins->arg_count - 2;
    IrIns *call =
        ir_ins_create(d->opt->arena, IR_CALL, ins->result_count, captures + stream + args);
    call->span = ins->span;
    call->imm.i = closure->imm.i;
    for (int i = 0; i < ins->result_count; i++)
        call->results[i] = ins->results[i];
    for (int i = 0; i < captures; i++)
        call->args[i] = closure->args[i];
    if (stream) call->args[captures] = ins->args[1];
    for (int i = 0; i < args; i++)
        call->args[captures + stream + i] = ins->args[i + 2];
    return call;
}

static void direct_region(Direct *d, IrRegion *region) {
    for (int i = 0; i < region->body.count; i++) {
        IrIns *ins = region->body.items[i];
        if (ins->op == IR_CLOSURE) d->closures[ins->results[0]] = ins;
        for (int k = 0; k < ins->region_count; k++)
            direct_region(d, &ins->regions[k]);
        if (ins->op != IR_CALL_CLOSURE || d->closures[ins->args[0]] == NULL) continue;
        IrIns *call = make_call(d, ins, d->closures[ins->args[0]]);
        if (fits(d, call, d->opt->module->funcs.items[call->imm.i])) region->body.items[i] = call;
    }
}

void opt_direct(Opt *opt, IrFunc *func) {
    Direct direct = {opt, func, ARENA_ARRAY(opt->scratch, IrIns *, func->types.count)};
    direct_region(&direct, &func->body);
}
