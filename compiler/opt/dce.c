/* Needs: verified IR. Gives: no instruction, no result of a region and no carried value that
 * nothing needs. May change: drops instructions; shortens results, yields and carried values of
 * `if` and `for`.
 *
 * Needed is what the function returns, what has an effect, and what those are made from. Works from
 * there back.
 */
#include "compiler/opt/pass.h"

/* Where a value comes from. */
typedef struct Origin {
    IrIns *ins; /* whose result or region parameter it is; NULL: the function's parameter */
    int index;  /* of the result, or -1 - index of a `for`'s region parameter */
} Origin;

typedef struct Dce {
    Opt *opt;
    Origin *origins; /* by value */
    bool *needed;    /* by value */
    VEC(IrValue) todo;
} Dce;

static void need(Dce *d, IrValue value) {
    if (d->needed[value]) return;
    d->needed[value] = true;
    VEC_PUSH(d->opt->scratch, &d->todo, value);
}

static void need_all(Dce *d, const IrValue *values, int count) {
    for (int i = 0; i < count; i++)
        need(d, values[i]);
}

static void find_origins(Dce *d, const IrRegion *region, IrIns *holder) {
    for (int i = 0; i < region->params.count; i++)
        d->origins[region->params.items[i]] = (Origin){holder, -1 - i};
    for (int i = 0; i < region->body.count; i++) {
        IrIns *ins = region->body.items[i];
        for (int k = 0; k < ins->result_count; k++)
            d->origins[ins->results[k]] = (Origin){ins, k};
        for (int k = 0; k < ins->region_count; k++)
            find_origins(d, &ins->regions[k], ins);
    }
}

/* A loop that runs needs its bounds, and to know whether to go on. */
static void need_rounds(Dce *d, const IrIns *ins) {
    need_all(d, ins->args, 2);
    if (ir_for_stops(ins)) need(d, ins->regions[0].yields.items[ins->result_count]);
}

/* A carried value needs its first one, what the round yields for it, and the bounds. */
static void need_carried(Dce *d, const IrIns *ins, int index) {
    need_rounds(d, ins);
    need(d, ins->args[index + 2]);
    need(d, ins->regions[0].yields.items[index]);
    need(d, ins->regions[0].params.items[index + 1]);
}

static void need_origin(Dce *d, Origin origin) {
    const IrIns *ins = origin.ins;
    if (ins == NULL) return;
    if (ins->op == IR_IF) {
        need(d, ins->args[0]);
        for (int k = 0; k < 2; k++)
            need(d, ins->regions[k].yields.items[origin.index]);
    } else if (ins->op == IR_FOR && origin.index == -1) {
        need_rounds(d, ins);
    } else if (ins->op == IR_FOR) {
        need_carried(d, ins, origin.index < 0 ? -2 - origin.index : origin.index);
    } else {
        need_all(d, ins->args, ins->arg_count);
    }
}

/* What has an effect needs its operands, and so does every region it lies in. Answers whether the
 * region has any. */
static bool need_effects(Dce *d, const IrRegion *region) {
    bool any = false;
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        bool holds = false;
        for (int k = 0; k < ins->region_count; k++)
            holds |= need_effects(d, &ins->regions[k]);
        if (ins->region_count == 0) holds = !opt_may_drop(d->opt, ins);
        if (holds && ins->op == IR_FOR)
            need_rounds(d, ins);
        else if (holds)
            need_all(d, ins->args, ins->op == IR_IF ? 1 : ins->arg_count);
        any |= holds;
    }
    return any;
}

static bool is_used(const Dce *d, const IrIns *ins) {
    for (int i = 0; i < ins->result_count; i++)
        if (d->needed[ins->results[i]]) return true;
    return false;
}

/* Whether carried value or result i of the instruction stays. */
static bool stays(const Dce *d, const IrIns *ins, int i) {
    if (d->needed[ins->results[i]]) return true;
    return ins->op == IR_FOR && d->needed[ins->regions[0].params.items[i + 1]];
}

static void shorten(const Dce *d, IrIns *ins) {
    int kept = 0, stops = ins->op == IR_FOR && ir_for_stops(ins);
    for (int i = 0; i < ins->result_count; i++) {
        if (!stays(d, ins, i)) continue;
        for (int k = 0; k < ins->region_count; k++)
            ins->regions[k].yields.items[kept] = ins->regions[k].yields.items[i];
        if (ins->op == IR_FOR) {
            ins->args[kept + 2] = ins->args[i + 2];
            ins->regions[0].params.items[kept + 1] = ins->regions[0].params.items[i + 1];
        }
        ins->results[kept++] = ins->results[i];
    }
    if (stops) ins->regions[0].yields.items[kept] = ins->regions[0].yields.items[ins->result_count];
    for (int k = 0; k < ins->region_count; k++)
        ins->regions[k].yields.count = kept + stops;
    if (ins->op == IR_FOR) {
        ins->arg_count = kept + 2;
        ins->regions[0].params.count = kept + 1;
    }
    ins->result_count = kept;
}

static void sweep(const Dce *d, IrRegion *region) {
    int kept = 0;
    for (int i = 0; i < region->body.count; i++) {
        IrIns *ins = region->body.items[i];
        if (!is_used(d, ins) && opt_may_drop(d->opt, ins)) continue;
        if (ins->region_count) shorten(d, ins);
        for (int k = 0; k < ins->region_count; k++)
            sweep(d, &ins->regions[k]);
        region->body.items[kept++] = ins;
    }
    region->body.count = kept;
}

void opt_dce(Opt *opt, IrFunc *func) {
    Dce d = {.opt = opt};
    d.origins = ARENA_ARRAY(opt->scratch, Origin, func->types.count);
    d.needed = ARENA_ARRAY(opt->scratch, bool, func->types.count);
    find_origins(&d, &func->body, NULL);
    need_effects(&d, &func->body);
    need_all(&d, func->body.yields.items, func->body.yields.count);
    while (d.todo.count)
        need_origin(&d, d.origins[d.todo.items[--d.todo.count]]);
    sweep(&d, &func->body);
}
