/* The walk from a function's end to its begin, with the values that are live. See own.h.
 *
 * Going back, the first time a value is met is its last use. A region is written anew as its lines in reverse, with
 * the counting between them:
 *
 *     if     each side begins with what is live behind the `if`; a value that only one side takes is released
 *            at the begin of the other
 *     for    what the body uses from outside stays live through it and is released behind the loop; what is
 *            carried is the body's own
 */
#include "compiler/own/hold.h"
#include "compiler/own/own.h"

typedef VEC(IrIns *) Lines;

/* -- the walk -- */

static bool is_ours(const Own *own, IrValue value) {
    return own->hold[value] == HOLD_OURS || own->hold[value] == HOLD_COPIED;
}

static void set_live(Own *own, IrValue value) {
    if (own->live[value]) return;
    own->live[value] = true;
    VEC_PUSH(own->arena, &own->trail, value);
}

static void write_line(Own *own, Lines *lines, IrIns *ins) {
    if (own->writes) VEC_PUSH(own->module->arena, lines, ins);
}

static void write_count(Own *own, Lines *lines, IrOp op, IrValue value, Span span) {
    own->counts = true;
    if (!own->writes) return;
    IrIns *ins = ir_ins_create(own->module->arena, op, 0, 1);
    ins->span = span;
    ins->args[0] = value;
    VEC_PUSH(own->module->arena, lines, ins);
}

/* Who keeps a borrowed value must live as long as it does. */
static IrValue keeper_of(const Own *own, IrValue value) {
    while (own->lender[value] >= 0)
        value = own->lender[value];
    return value;
}

/* A use that only looks. The last one of what is ours releases it: `behind` the line, so in reverse before it. */
static void look_at(Own *own, Lines *behind, IrValue value, Span span) {
    if (!own_is_object(own, value)) return;
    value = keeper_of(own, value);
    if (is_ours(own, value) && !own->live[value])
        write_count(own, behind, IR_RELEASE, value, span);
    set_live(own, value);
}

/* A use that takes. Answers whether the value must be retained before the line. */
static bool take(Own *own, IrValue value) {
    bool last = is_ours(own, value) && !own->live[value];
    if (last)
        own->moved[value] = true;
    else
        set_live(own, keeper_of(own, value));
    set_live(own, value);
    return !last;
}

static void walk_region(Own *own, const IrRegion *region, IrRegion *to, const IrIns *holder);

/* Lines are written in reverse; this turns them round. */
static void close_region(Own *own, const IrRegion *from, IrRegion *to, Lines *lines) {
    if (!own->writes) return;
    for (int a = 0, b = lines->count - 1; a < b; a++, b--) {
        IrIns *ins = lines->items[a];
        lines->items[a] = lines->items[b];
        lines->items[b] = ins;
    }
    *to = *from;
    to->body.items = lines->items;
    to->body.count = to->body.capacity = lines->count;
}

static IrIns *copy_with_regions(Own *own, const IrIns *ins, IrRegion *regions) {
    if (!own->writes) return (IrIns *)(uintptr_t)ins;
    IrIns *copy = ARENA_NEW(own->module->arena, IrIns);
    *copy = *ins;
    copy->regions = regions;
    return copy;
}

static void forget_since(Own *own, int mark, Values *kept) {
    while (own->trail.count > mark) {
        IrValue value = own->trail.items[--own->trail.count];
        if (kept && own->live[value]) VEC_PUSH(own->arena, kept, value);
        own->live[value] = false;
    }
}

/* What the other side leaves to us: released where this side begins. In reverse that is its last line. */
static void release_rest(Own *own, IrRegion *side, const Values *rest, Span span) {
    Lines lines = {0};
    for (int i = 0; i < rest->count; i++)
        if (is_ours(own, rest->items[i]) && !own->live[rest->items[i]])
            write_count(own, &lines, IR_RELEASE, rest->items[i], span);
    if (!own->writes || lines.count == 0) return;
    for (int i = 0; i < side->body.count; i++)
        VEC_PUSH(own->module->arena, &lines, side->body.items[i]);
    side->body.items = lines.items;
    side->body.count = side->body.capacity = lines.count;
}

static void walk_if(Own *own, const IrIns *ins, Lines *lines) {
    IrRegion *regions = ARENA_ARRAY(own->module->arena, IrRegion, 2);
    Values used[2] = {{0}, {0}};
    int mark = own->trail.count;
    for (int k = 0; k < 2; k++) {
        walk_region(own, &ins->regions[k], &regions[k], ins);
        forget_since(own, mark, &used[k]);
    }
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < used[k].count; i++)
            set_live(own, used[k].items[i]);
        release_rest(own, &regions[k], &used[1 - k], ins->span);
        forget_since(own, mark, NULL);
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < used[k].count; i++)
            set_live(own, used[k].items[i]);
    write_line(own, lines, copy_with_regions(own, ins, regions));
    look_at(own, lines, ins->args[0], ins->span);
}

/* What a region uses from outside of it: `inside` marks what it defines. */
static void find_outer_uses(Own *own, const IrRegion *region, bool *inside, Values *outer);

static void find_outer_use(Own *own, IrValue value, const bool *inside, Values *outer) {
    if (!own_is_object(own, value)) return;
    for (; value >= 0; value = own->lender[value])
        if (!inside[value]) VEC_PUSH(own->arena, outer, value);
}

static void find_outer_uses(Own *own, const IrRegion *region, bool *inside, Values *outer) {
    for (int i = 0; i < region->params.count; i++)
        inside[region->params.items[i]] = true;
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        for (int k = 0; k < ins->arg_count; k++)
            find_outer_use(own, ins->args[k], inside, outer);
        for (int k = 0; k < ins->region_count; k++)
            find_outer_uses(own, &ins->regions[k], inside, outer);
        for (int k = 0; k < ins->result_count; k++)
            inside[ins->results[k]] = true;
    }
    for (int i = 0; i < region->yields.count; i++)
        find_outer_use(own, region->yields.items[i], inside, outer);
}

static void take_operands(Own *own, const IrIns *ins, Lines *lines);

static void walk_for(Own *own, const IrIns *ins, Lines *lines) {
    IrRegion *regions = ARENA_ARRAY(own->module->arena, IrRegion, 1);
    Values outer = {0};
    find_outer_uses(own, &ins->regions[0], ARENA_ARRAY(own->arena, bool, own->func->types.count),
                    &outer);
    for (int i = 0; i < outer.count; i++)
        look_at(own, lines, outer.items[i], ins->span);
    walk_region(own, &ins->regions[0], &regions[0], ins);
    write_line(own, lines, copy_with_regions(own, ins, regions));
    take_operands(own, ins, lines);
}

/* Operands that are looked at first: a line may look at a value that it takes as well. Retains stand before the line,
 * so in reverse behind it. */
static void take_operands(Own *own, const IrIns *ins, Lines *lines) {
    for (int i = ins->arg_count - 1; i >= 0; i--)
        if (own_takes_operand(own, ins, i) && own_is_object(own, ins->args[i]) && take(own, ins->args[i]))
            write_count(own, lines, IR_RETAIN, ins->args[i], ins->span);
}

/* A result that is a copy of what another holds becomes ours right behind its line, before that other may be let go. */
static void walk_plain(Own *own, IrIns *ins, Lines *lines) {
    for (int i = ins->arg_count - 1; i >= 0; i--)
        if (!own_takes_operand(own, ins, i)) look_at(own, lines, ins->args[i], ins->span);
    for (int i = 0; i < ins->result_count; i++)
        if (own->hold[ins->results[i]] == HOLD_COPIED && own->live[ins->results[i]])
            write_count(own, lines, IR_RETAIN, ins->results[i], ins->span);
    write_line(own, lines, ins);
    take_operands(own, ins, lines);
}

/* What is ours and nobody uses is let go where it is defined. */
static void release_unused(Own *own, IrValue value, Lines *lines, Span span) {
    if (own->hold[value] == HOLD_OURS && !own->live[value])
        write_count(own, lines, IR_RELEASE, value, span);
}

/* Before its definition nobody can use a value. */
static void end_lives(Own *own, const IrValue *values, int count) {
    for (int i = 0; i < count; i++)
        own->live[values[i]] = false;
}

static void walk_ins(Own *own, IrIns *ins, Lines *lines) {
    for (int i = 0; i < ins->result_count; i++)
        release_unused(own, ins->results[i], lines, ins->span);
    if (ins->op == IR_IF)
        walk_if(own, ins, lines);
    else if (ins->op == IR_FOR)
        walk_for(own, ins, lines);
    else
        walk_plain(own, ins, lines);
    end_lives(own, ins->results, ins->result_count);
}

/* Parameters of a region, and of a function that takes them. */
static void settle_params(Own *own, const IrValue *params, int count, Lines *lines, Span span) {
    for (int i = 0; i < count; i++)
        release_unused(own, params[i], lines, span);
    end_lives(own, params, count);
}

/* A choice between values that others keep is kept by them too: then nothing is taken. */
static void take_yields(Own *own, const IrRegion *region, const IrIns *holder, Lines *lines, Span span) {
    for (int i = region->yields.count - 1; i >= 0; i--) {
        IrValue value = region->yields.items[i];
        bool lent = holder && i < holder->result_count && own->hold[holder->results[i]] == HOLD_LENT;
        if (own_is_object(own, value) && !lent && take(own, value))
            write_count(own, lines, IR_RETAIN, value, span);
    }
}

static void walk_region(Own *own, const IrRegion *region, IrRegion *to, const IrIns *holder) {
    Lines lines = {0};
    Span span = region->body.count ? region->body.items[0]->span : own->func->span;
    take_yields(own, region, holder, &lines, span);
    for (int i = region->body.count - 1; i >= 0; i--)
        walk_ins(own, region->body.items[i], &lines);
    settle_params(own, region->params.items, region->params.count, &lines, span);
    if (region == &own->func->body)
        settle_params(own, own->func->params.items, own->func->params.count, &lines, span);
    close_region(own, region, to, &lines);
}

/* -- functions -- */

static void walk_func(Own *own, IrRegion *to) {
    int count = own->func->types.count;
    own->live = ARENA_ARRAY(own->arena, bool, count);
    own->moved = ARENA_ARRAY(own->arena, bool, count);
    own->trail.count = 0;
    own->counts = false;
    walk_region(own, &own->func->body, to, NULL);
}

/* A parameter that would be moved if it were ours is taken: else each call would have to retain it. */
static void choose_params(Own *own) {
    IrFunc *func = own->func;
    for (int i = 0; i < func->params.count; i++)
        if (own_is_object(own, func->params.items[i]) && !own->relied[func->params.items[i]])
            own->hold[func->params.items[i]] = HOLD_OURS;
    walk_func(own, NULL);
    for (int i = 0; i < func->params.count; i++) {
        IrValue param = func->params.items[i];
        if (!own_is_object(own, param)) continue;
        if (!own->moved[param] || own->relied[param]) {
            own->hold[param] = HOLD_LENT;
            continue;
        }
        if (func->takes == NULL)
            func->takes = ARENA_ARRAY(own->module->arena, bool, func->params.count);
        func->takes[i] = true;
    }
}

static bool has_objects(const IrFunc *func) {
    for (int i = 0; i < func->types.count; i++)
        if (func->types.items[i] == IR_R) return true;
    return false;
}

static void count_func(IrModule *module, IrFunc *func) {
    Arena arena;
    func->counted = NULL;
    func->takes = NULL;
    if (!has_objects(func)) return;
    arena_init(&arena, module->arena->memory);
    Recover recover;
    if (!MEMORY_TRY(&recover)) {
        arena_fini(&arena);
        memory_fail();
    }
    int count = func->types.count;
    Own own = {.module = module, .func = func, .arena = &arena};
    own.hold = ARENA_ARRAY(&arena, uint8_t, count);
    own.lender = own_places_row(&own);
    own.relied = ARENA_ARRAY(&arena, bool, count);
    own_classify(&own);
    choose_params(&own);
    walk_func(&own, NULL);
    func->batchable &= !own.counts && !func->takes;
    if (own.counts) {
        IrRegion *counted = ARENA_NEW(module->arena, IrRegion);
        own.writes = true;
        walk_func(&own, counted);
        func->counted = counted;
    }
    memory_end_try(&recover);
    arena_fini(&arena);
}

typedef struct Order {
    IrModule *module;
    bool *done;
} Order;

static void count_callees_first(Order *order, IrFunc *func);

static void count_callees(Order *order, IrFunc *func, const IrRegion *region) {
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        if (ins->op == IR_CALL) {
            IrFunc *callee = order->module->funcs.items[ins->imm.i];
            count_callees_first(order, callee);
            func->batchable &= callee->batchable;
        }
        for (int k = 0; k < ins->region_count; k++)
            count_callees(order, func, &ins->regions[k]);
    }
}

static void count_callees_first(Order *order, IrFunc *func) {
    if (order->done[func->index]) return;
    order->done[func->index] = true;
    count_callees(order, func, &func->body);
    count_func(order->module, func);
}

void own_count(IrModule *module, int first) {
    Order order = {module, ARENA_ARRAY(module->arena, bool, module->funcs.count)};
    for (int i = 0; i < first; i++)
        order.done[i] = true;
    for (int i = first; i < module->funcs.count; i++)
        count_callees_first(&order, module->funcs.items[i]);
}

void own_forget(IrModule *module, int first) {
    for (int i = first; i < module->funcs.count; i++) {
        module->funcs.items[i]->counted = NULL;
        module->funcs.items[i]->takes = NULL;
    }
}
