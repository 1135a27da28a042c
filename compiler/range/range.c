/* The walk: functions for their contexts, regions, the instructions that are no plain operation. */
#include "compiler/range/walk.h"

#include "runtime/rt/rt.h"

enum {
    FEW_CONTEXTS = 10,
    FEW_ROUNDS = 16,
    ALONE_STEPS = 50000,
    MAX_DEPTH = 400 /* of calls and regions; past it a call answers anything */
};

/* -- the analysis -- */

Ranges *ranges_create(const RangeInput *input) {
    Ranges *ranges = ARENA_NEW(input->arena, Ranges);
    ranges->input = *input;
    if (ranges->input.steps == 0) ranges->input.steps = RANGE_STEPS;
    if (ranges->input.contexts == 0) ranges->input.contexts = FEW_CONTEXTS;
    if (ranges->input.rounds == 0) ranges->input.rounds = FEW_ROUNDS;
    ranges->funcs = ARENA_ARRAY(input->arena, RangeFunc, input->module->funcs.count);
    return ranges;
}

static bool note_def(const IrIns *ins, void *user) {
    const IrIns **defs = user;
    for (int k = 0; k < ins->result_count; k++)
        defs[ins->results[k]] = ins;
    return true;
}

static RangeFunc *get_facts(Ranges *ranges, const IrFunc *func) {
    RangeFunc *facts = &ranges->funcs[func->index];
    if (facts->defs) return facts;
    facts->defs = ARENA_ARRAY(ranges->input.arena, const IrIns *, func->types.count + 1);
    facts->met = ARENA_ARRAY(ranges->input.arena, RangeVerdict, func->types.count + 1);
    ir_each_ins(&func->body, note_def, facts->defs);
    return facts;
}

/* -- instructions -- */

static void set_full(Walk *walk, const IrIns *ins) {
    for (int i = 0; i < ins->result_count; i++)
        walk_set(walk, ins->results[i], range_full(walk_type(walk, ins->results[i])));
}

static Range constant(const IrIns *ins) {
    return ins->op == IR_CONST_F ? range_float(ins->imm.f) : range_int(ins->imm.i);
}

typedef struct Answer {
    Range range;
    Linear linear;
} Answer;

static void add_answer(const Walk *walk, IrValue value, Answer *sum) {
    sum->range = range_join(walk_type(walk, value), sum->range, walk->env[value]);
    sum->linear = linear_join(sum->linear, walk->linear[value]);
}

static Answer no_answer(IrType type) {
    return (Answer){range_empty(type), {.param = -1}};
}

static void set_answer(Walk *walk, IrValue value, Answer answer, bool open) {
    answer.range.varies |= open;
    walk_set(walk, value, answer.range);
    walk->linear[value] = answer.linear;
}

static void walk_if(Walk *walk, const IrIns *ins) {
    Range condition = walk->env[ins->args[0]];
    Answer *answers = ARENA_ARRAY(walk->ranges->input.scratch, Answer, ins->result_count);
    bool open = condition.varies && condition.least < condition.most;
    for (int i = 0; i < ins->result_count; i++)
        answers[i] = no_answer(walk_type(walk, ins->results[i]));
    for (int side = 0; side < 2; side++) {
        bool truth = side == 0;
        if (condition.least > truth || condition.most < truth) continue;
        int mark = walk->trail.count;
        walk_assume(walk, ins->args[0], truth);
        walk_region(walk, &ins->regions[side]);
        for (int i = 0; i < ins->result_count; i++)
            add_answer(walk, ins->regions[side].yields.items[i], &answers[i]);
        walk_undo(walk, mark);
    }
    for (int i = 0; i < ins->result_count; i++)
        set_answer(walk, ins->results[i], answers[i], open);
}

/* Like an `if` whose sides are worked out already: each is what it is when the condition picks it.
 */
static void walk_select(Walk *walk, const IrIns *ins) {
    Range condition = walk->env[ins->args[0]];
    Answer out = no_answer(walk_type(walk, ins->results[0]));
    for (int side = 0; side < 2; side++) {
        bool truth = side == 0;
        if (condition.least > truth || condition.most < truth) continue;
        int mark = walk->trail.count;
        walk_assume(walk, ins->args[0], truth);
        add_answer(walk, ins->args[1 + side], &out);
        walk_undo(walk, mark);
    }
    set_answer(walk, ins->results[0], out, condition.varies && condition.least < condition.most);
}

static const Range *arguments(Walk *walk, const IrIns *ins) {
    const RangeInput *input = &walk->ranges->input;
    Range *args = ARENA_ARRAY(walk->ranges->input.scratch, Range, ins->arg_count);
    for (int i = 0; i < ins->arg_count; i++)
        args[i] = walk->env[ins->args[i]];
    if (input->called) input->called(input->user, walk->func->index, ins, args);
    return args;
}

static void walk_call(Walk *walk, const IrIns *ins) {
    if (walk->ranges->input.alone) {
        set_full(walk, ins);
        return;
    }
    const RangeContext *callee = range_call(walk->ranges, (int)ins->imm.i, arguments(walk, ins));
    for (int i = 0; i < ins->result_count; i++)
        walk_set(walk, ins->results[i], callee->results[i]);
    walk_linear_call(walk, ins, callee);
}

/* Whoever calls it, calls it with anything; what it captured is known. */
static void walk_closure(Walk *walk, const IrIns *ins) {
    const IrFunc *target = walk->ranges->input.module->funcs.items[ins->imm.i];
    set_full(walk, ins);
    if (walk->ranges->input.alone) return;
    Range *args = ARENA_ARRAY(walk->ranges->input.scratch, Range, target->params.count);
    for (int i = 0; i < target->params.count; i++) {
        if (i < ins->arg_count)
            args[i] = walk->env[ins->args[i]];
        else
            args[i] = range_full(target->types.items[target->params.items[i]]);
    }
    range_call(walk->ranges, target->index, args);
}

static void walk_cell(Walk *walk, const IrIns *ins) {
    const RangeInput *input = &walk->ranges->input;
    RangeCell cell = {0};
    if (input->cell) cell = input->cell(input->user, walk->func->index, ins);
    set_full(walk, ins);
    for (int i = 0; i < cell.init_count; i++) {
        const Range *results = range_call(walk->ranges, cell.inits[i], NULL)->results;
        for (int k = 0; k < ins->result_count; k++) {
            IrType type = walk_type(walk, ins->results[k]);
            Range one = results[cell.first + k];
            walk_set(walk, ins->results[k],
                     i ? range_join(type, walk->env[ins->results[k]], one) : one);
        }
    }
}

static bool is_constant(IrOp op) {
    return op == IR_CONST_B || op == IR_CONST_W || op == IR_CONST_I || op == IR_CONST_F;
}

static bool is_plain(const IrIns *ins) {
    const IrOpInfo *info = ir_op_info(ins->op);
    return info->imm == IR_IMM_NONE && ins->result_count == 1 && info->results[0] != '?' &&
           strchr(info->operands, '*') == NULL;
}

/* What is left of an operation that may have failed is 0: nothing that could be asked of its operands tells which it was. */
static Range or_failed(IrType type, const IrIns *ins, Range answer) {
    if (ir_op_info(ins->op)->effect == IR_PURE) return answer;
    bool sum = ins->op == IR_ADD_I || ins->op == IR_SUB_I || ins->op == IR_MUL_I || ins->op == IR_NEG_I;
    if (sum && answer.least > INT64_MIN && answer.most < INT64_MAX) return answer;
    return range_join(type, answer, range_int(0));
}

static void walk_plain(Walk *walk, const IrIns *ins) {
    IrValue result = ins->results[0];
    walk->polys[result] = NULL;
    walk->multis[result] = NULL;
    Range answer = walk_apply(walk, ins);
    walk_know(walk, result, walk->ranges->input.alone ? or_failed(walk_type(walk, result), ins, answer) : answer);
    walk_linear(walk, ins);
}

static void walk_ins(Walk *walk, const IrIns *ins) {
    if (ins->op == IR_IF)
        walk_if(walk, ins);
    else if (ins->op == IR_FOR)
        walk_for(walk, ins);
    else if (ins->op == IR_SELECT)
        walk_select(walk, ins);
    else if (ins->op == IR_CALL)
        walk_call(walk, ins);
    else if (ins->op == IR_CLOSURE)
        walk_closure(walk, ins);
    else if (ins->op == IR_FIELD_GET)
        walk_cell(walk, ins);
    else if (ins->op == IR_FAULT_IF && walk->ranges->input.alone)
        return;
    else if (ins->op == IR_FAULT_IF)
        walk_assume(walk, ins->args[0], false);
    else if (is_constant(ins->op))
        walk_set(walk, ins->results[0], constant(ins));
    else if (is_plain(ins))
        walk_plain(walk, ins);
    else {
        if (ins->op == IR_CALL_EXTERN) arguments(walk, ins);
        set_full(walk, ins);
    }
}

void walk_region(Walk *walk, const IrRegion *region) {
    walk->ranges->depth++;
    walk->ranges->input.steps -= region->body.count + 1;
    for (int i = 0; i < region->body.count; i++)
        walk_ins(walk, region->body.items[i]);
    walk->ranges->depth--;
}

/* -- functions -- */

static void walk_func(Ranges *ranges, const IrFunc *func, RangeContext *context) {
    ArenaMark mark = arena_mark(ranges->input.scratch);
    Walk walk = {
        .ranges = ranges, .func = func, .facts = get_facts(ranges, func), .context = context};
    walk.env = ARENA_ARRAY(ranges->input.scratch, Range, func->types.count + 1);
    walk.polys = ARENA_ARRAY(ranges->input.scratch, Poly *, func->types.count + 1);
    walk.multis = ARENA_ARRAY(ranges->input.scratch, Multi *, func->types.count + 1);
    walk.linear = ARENA_ARRAY(ranges->input.scratch, Linear, func->types.count + 1);
    for (int i = 0; i < func->params.count; i++) {
        walk_know(&walk, func->params.items[i], context->args[i]);
        walk.linear[func->params.items[i]] = (Linear){i, 1};
    }
    walk_region(&walk, &func->body);
    for (int i = 0; i < func->results.count; i++) {
        context->results[i] = walk.env[func->body.yields.items[i]];
        context->linear[i] = walk.linear[func->body.yields.items[i]];
    }
    arena_release(ranges->input.scratch, mark);
}

static IrType param_type(const IrFunc *func, int i) {
    return func->types.items[func->params.items[i]];
}

static bool same_args(const IrFunc *func, const Range *a, const Range *b) {
    for (int i = 0; i < func->params.count; i++)
        if (!range_equal(param_type(func, i), a[i], b[i])) return false;
    return true;
}

static RangeContext *find_context(const RangeFunc *facts, const IrFunc *func, const Range *args) {
    for (int i = 0; i < facts->contexts.count; i++)
        if (same_args(func, facts->contexts.items[i]->args, args)) return facts->contexts.items[i];
    return NULL;
}

/* Words are seeds and hashes: nobody compares them, and as arguments they would make every call
 * another one. */
static Range *make_key(Ranges *ranges, const IrFunc *func, const Range *args) {
    Range *key = ARENA_ARRAY(ranges->input.scratch, Range, func->params.count);
    for (int i = 0; i < func->params.count; i++) {
        IrType type = param_type(func, i);
        key[i] = args == NULL || type == IR_R ? range_full(type) : args[i];
        if (args && type == IR_W && !range_is_empty(type, args[i])) {
            key[i] = range_full(type);
            key[i].varies = args[i].varies;
        }
    }
    return key;
}

static RangeContext *add_context(Ranges *ranges, RangeFunc *facts, const IrFunc *func,
                                 const Range *args) {
    RangeContext *context = ARENA_NEW(ranges->input.arena, RangeContext);
    context->args = ARENA_ARRAY(ranges->input.arena, Range, func->params.count);
    if (func->params.count) memcpy(context->args, args, sizeof *args * (size_t)func->params.count);
    context->results = ARENA_ARRAY(ranges->input.arena, Range, func->results.count);
    context->linear = ARENA_ARRAY(ranges->input.arena, Linear, func->results.count);
    for (int i = 0; i < func->results.count; i++) {
        context->results[i] = range_full(func->results.items[i]);
        context->linear[i].param = -1;
    }
    VEC_PUSH(ranges->input.arena, &facts->contexts, context);
    return context;
}

/* A context that is asked for while it is walked (a field that is read on the way to itself) is
 * anything. */
const RangeContext *range_call(Ranges *ranges, int index, const Range *args) {
    const IrFunc *func = ranges->input.module->funcs.items[index];
    RangeFunc *facts = &ranges->funcs[index];
    Range *key = make_key(ranges, func, args);
    RangeContext *context = find_context(facts, func, key);
    if (context == NULL && facts->contexts.count >= ranges->input.contexts) {
        key = make_key(ranges, func, NULL);
        context = find_context(facts, func, key);
    }
    if (context) return context;
    context = add_context(ranges, facts, func, key);
    if (ranges_spent(ranges) || ranges->depth > MAX_DEPTH)
        facts->late = true;
    else
        walk_func(ranges, func, context);
    return context;
}

const Range *ranges_enter(Ranges *ranges, int func, const Range *args) {
    ArenaMark mark = arena_mark(ranges->input.scratch);
    const Range *results = range_call(ranges, func, args)->results;
    arena_release(ranges->input.scratch, mark);
    return results;
}

void ranges_alone(Ranges *ranges, int func, void (*worked)(void *user, int func, IrValue value, Range range), void *user) {
    ranges->input.worked = worked;
    ranges->input.user = user;
    ranges->input.steps = ALONE_STEPS;
    ranges_enter(ranges, func, NULL);
    ranges->funcs[func] = (RangeFunc){0};
}

bool ranges_late(const Ranges *ranges) {
    for (int i = 0; i < ranges->input.module->funcs.count; i++)
        if (ranges->funcs[i].late) return true;
    return false;
}

bool ranges_entered(const Ranges *ranges, int func) {
    return ranges->funcs[func].contexts.count > 0;
}

Range ranges_answer(const Ranges *ranges, int func, int result) {
    const RangeFunc *facts = &ranges->funcs[func];
    IrType type = ranges->input.module->funcs.items[func]->results.items[result];
    Range out = range_empty(type);
    for (int i = 0; i < facts->contexts.count; i++)
        out = range_join(type, out, facts->contexts.items[i]->results[result]);
    return out;
}

/* -- what comparisons met -- */

/* Of a function called too late, nothing is known of its callees either. */
static bool spread_late(const IrIns *ins, void *user) {
    Ranges *ranges = user;
    if (ins->op != IR_CALL && ins->op != IR_CLOSURE) return true;
    RangeFunc *callee = &ranges->funcs[ins->imm.i];
    if (callee->late) return true;
    callee->late = true;
    return ir_each_ins(&ranges->input.module->funcs.items[ins->imm.i]->body, spread_late, ranges);
}

int ranges_comparisons(Ranges *ranges, Arena *arena, RangeVerdict **found) {
    const IrModule *module = ranges->input.module;
    VEC(RangeVerdict) all = {0};
    for (int i = 0; i < module->funcs.count; i++)
        if (ranges->funcs[i].late) ir_each_ins(&module->funcs.items[i]->body, spread_late, ranges);
    for (int i = 0; i < module->funcs.count; i++) {
        const RangeFunc *facts = &ranges->funcs[i];
        for (int k = 0; facts->met && !facts->late && k < module->funcs.items[i]->types.count; k++)
            if (facts->met[k].ins) VEC_PUSH(arena, &all, facts->met[k]);
    }
    *found = all.items;
    return all.count;
}
