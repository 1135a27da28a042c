/* The list of passes at work, and what they share. */
#include "compiler/opt/pass.h"

#include "compiler/own/own.h"

static const struct {
    const char *name;
    OptRun run;
    int level;
} passes[OPT_PASS_COUNT] = {
#define PASS(NAME, name, run, level) [OPT_##NAME] = {name, run, level},
#include "compiler/opt/pass.def"
#undef PASS
};

/* -- effects -- */

static uint8_t effects_of_row(IrEffect effect) {
    switch (effect) {
    case IR_PURE:
        return 0;
    case IR_FAULTS:
        return EFFECT_FAULTS;
    case IR_READS:
        return EFFECT_READS;
    case IR_DRAWS:
        return EFFECT_DRAWS | EFFECT_FAULTS;
    case IR_ALLOCATES:
        return EFFECT_MAKES;
    case IR_CHANGES:
        return EFFECT_MAKES | EFFECT_FAULTS;
    case IR_ACTS:
        return EFFECT_ALL;
    case IR_CALLS:
        return 0; /* that of what it holds, added by the caller */
    }
    return EFFECT_ALL;
}

/* A native function that reads or allocates may also refuse its arguments. */
static uint8_t effects_of_extern(IrEffect effect) {
    return effects_of_row(effect) | (effect == IR_PURE ? 0 : EFFECT_FAULTS);
}

static uint8_t effects_of_region(const Opt *opt, const IrRegion *region);

uint8_t opt_effects_of_ins(const Opt *opt, const IrIns *ins) {
    uint8_t effects = effects_of_row(ir_op_info(ins->op)->effect);
    for (int i = 0; i < ins->region_count; i++)
        effects |= effects_of_region(opt, &ins->regions[i]);
    if (ins->op == IR_CALL) effects |= opt->effects[ins->imm.i];
    if (ins->op == IR_CALL_EXTERN)
        effects |= effects_of_extern(opt->module->externs.items[ins->imm.i].effect);
    if (ins->op == IR_CALL_CLOSURE) effects |= EFFECT_ALL;
    if (ins->op == IR_PART_FAMILY) effects |= EFFECT_MAKES;
    return effects;
}

static uint8_t effects_of_region(const Opt *opt, const IrRegion *region) {
    uint8_t effects = 0;
    for (int i = 0; i < region->body.count; i++)
        effects |= opt_effects_of_ins(opt, region->body.items[i]);
    return effects;
}

bool opt_may_drop(const Opt *opt, const IrIns *ins) {
    return (opt_effects_of_ins(opt, ins) & ~(EFFECT_READS | EFFECT_MAKES)) == 0;
}

/* -- the call graph, callees first -- */

typedef struct ClosureParams {
    const Opt *opt;
    const IrFunc *func;
    uint64_t found;
} ClosureParams;

/* The parameters of a function that are called as closures, by it or by what it passes them to. */
static bool find_closure_params(const IrIns *ins, void *user) {
    ClosureParams *in = user;
    uint64_t wanted = ins->op == IR_CALL_CLOSURE ? 1
                      : ins->op == IR_CALL       ? in->opt->closure_params[ins->imm.i]
                                                 : 0;
    for (int a = 0; a < ins->arg_count && a < 64; a++)
        for (int p = 0; (wanted >> a & 1) && p < in->func->params.count && p < 64; p++)
            if (in->func->params.items[p] == ins->args[a]) in->found |= 1ull << p;
    return true;
}

typedef struct Order {
    Opt *opt;
    bool *seen;
} Order;

static void order_func(Order *order, int func);

static bool order_callee(const IrIns *ins, void *user) {
    if (ins->op == IR_CALL || ins->op == IR_CLOSURE) order_func(user, (int)ins->imm.i);
    return true;
}

/* What callers are told of a function, its callees' told. */
static void describe_func(Opt *opt, const IrFunc *func) {
    ClosureParams params = {opt, func, 0};
    ir_each_ins(&func->body, find_closure_params, &params);
    opt->effects[func->index] = effects_of_region(opt, &func->body);
    opt->closure_params[func->index] = params.found;
}

static void order_func(Order *order, int func) {
    Opt *opt = order->opt;
    const IrFunc *of = opt->module->funcs.items[func];
    if (order->seen[func]) return;
    order->seen[func] = true;
    ir_each_ins(&of->body, order_callee, order);
    describe_func(opt, of);
    opt->order[opt->count++] = func;
}

static void opt_init(Opt *opt, IrModule *module, const OptPlan *plan, Arena *scratch) {
    int count = module->funcs.count;
    *opt = (Opt){.module = module, .arena = module->arena, .scratch = scratch, .first = plan->first};
    opt->done = plan->before ? opt_take(module, plan->before, scratch) : NULL;
    opt->effects = ARENA_ARRAY(scratch, uint8_t, count);
    opt->closure_params = ARENA_ARRAY(scratch, uint64_t, count);
    opt->order = ARENA_ARRAY(scratch, int, count);
    Order order = {opt, ARENA_ARRAY(scratch, bool, count)};
    for (int i = opt->first; i < count; i++)
        if (!(opt->done && opt->done[i])) order_func(&order, i);
}

/* -- values -- */

void opt_map_init(OptMap *map, Opt *opt, const IrFunc *func) {
    map->count = func->types.count;
    map->to = ARENA_ARRAY(opt->scratch, IrValue, map->count);
    for (int i = 0; i < map->count; i++)
        map->to[i] = i;
}

IrValue opt_map_get(const OptMap *map, IrValue value) {
    return value < map->count ? map->to[value] : value;
}

void opt_map_set(OptMap *map, Opt *opt, IrValue value, IrValue to) {
    if (value >= map->count) {
        int count = value < 1 << 29 ? value * 2 + 1 : value + 1;
        map->to = arena_grow(opt->scratch, map->to, sizeof *map->to * (size_t)map->count,
                             sizeof *map->to * (size_t)count);
        for (; map->count < count; map->count++)
            map->to[map->count] = map->count;
    }
    map->to[value] = to;
}

void opt_map_values(const OptMap *map, IrValue *values, int count) {
    for (int i = 0; i < count; i++)
        values[i] = opt_map_get(map, values[i]);
}

typedef struct Renumber {
    Opt *opt;
    IrFunc *func;
    OptMap map;
    VEC(IrType) types;
} Renumber;

static void renumber_definitions(Renumber *r, IrValue *values, int count) {
    for (int i = 0; i < count; i++) {
        IrType type = r->func->types.items[values[i]];
        r->map.to[values[i]] = r->types.count;
        values[i] = r->types.count;
        VEC_PUSH(r->opt->arena, &r->types, type);
    }
}

static void renumber_region(Renumber *r, IrRegion *region) {
    renumber_definitions(r, region->params.items, region->params.count);
    for (int i = 0; i < region->body.count; i++) {
        IrIns *ins = region->body.items[i];
        opt_map_values(&r->map, ins->args, ins->arg_count);
        renumber_definitions(r, ins->results, ins->result_count);
        for (int k = 0; k < ins->region_count; k++)
            renumber_region(r, &ins->regions[k]);
    }
    opt_map_values(&r->map, region->yields.items, region->yields.count);
}

void opt_renumber(Opt *opt, IrFunc *func) {
    Renumber r = {.opt = opt, .func = func};
    opt_map_init(&r.map, opt, func);
    renumber_definitions(&r, func->params.items, func->params.count);
    renumber_region(&r, &func->body);
    func->types.items = r.types.items;
    func->types.count = r.types.count;
    func->types.capacity = r.types.capacity;
}

/* -- running -- */

/* Working storage is given back, unless it is the module's own arena, in which the program lies
 * too. */
static void release(const Opt *opt, ArenaMark mark) {
    if (opt->scratch != opt->arena) arena_release(opt->scratch, mark);
}

/* No pass makes a call of what was not called below: callees stay first in the order. */
static void run_pass(Opt *opt, OptPass pass) {
    ArenaMark mark = arena_mark(opt->scratch);
    opt->ranges = ranges_create(&(RangeInput){.arena = opt->scratch, .scratch = opt->scratch, .module = opt->module, .alone = true});
    for (int i = 0; i < opt->count; i++) {
        ArenaMark inner = arena_mark(opt->scratch);
        IrFunc *func = opt->module->funcs.items[opt->order[i]];
        if (func->index < opt->first || (opt->done && opt->done[func->index])) continue;
        passes[pass].run(opt, func);
        opt_renumber(opt, func);
        describe_func(opt, func);
        release(opt, inner);
    }
    release(opt, mark);
}

void opt_run(IrModule *module, Arena *scratch, const OptPlan *plan) {
    ArenaMark mark = arena_mark(scratch);
    Opt opt;
    own_forget(module, plan->first);
    opt_init(&opt, module, plan, scratch);
    if (plan->bodies) opt.arena = plan->bodies;
    for (int round = 1; round <= (plan->only ? 1 : plan->level); round++)
        for (OptPass pass = 0; pass < OPT_PASS_COUNT; pass++) {
            if (plan->only ? pass != *plan->only : passes[pass].level > plan->level) continue;
            run_pass(&opt, pass);
            if (plan->after) ir_analyze(module, plan->first);
            if (plan->after) plan->after(plan->user, pass, round);
        }
    if (plan->bodies) opt_settle(&opt);
    release(&opt, mark);
    ir_analyze(module, plan->first); /* executors want the facts, passes or not */
    own_count(module, plan->first);
}

const char *opt_pass_name(OptPass pass) {
    return passes[pass].name;
}

int opt_pass_level(OptPass pass) {
    return passes[pass].level;
}

bool opt_find_pass(Str name, OptPass *pass) {
    for (int i = 0; i < OPT_PASS_COUNT; i++)
        if (str_equal(name, str_of(passes[i].name))) {
            *pass = (OptPass)i;
            return true;
        }
    return false;
}
