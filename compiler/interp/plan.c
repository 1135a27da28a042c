/* IR to plan: positions, how long each value lives, and registers handed out by that.
 *
 * Positions count instructions in the order of the text; an instruction with regions also ends at
 * one. A value lives until its last use, and if it is made outside a loop and used inside, until
 * the end of the outermost such loop.
 */
#include "compiler/interp/plan.h"

typedef struct Planner {
    Arena *arena;
    const IrBinding *binding;
    const IrFunc *func;
    const KernelSet *kernels;
    const InterpLoops *loops;
    PlanFunc *plan;
    int32_t *position, *end; /* by instruction number: where it stands, where its regions end */
    int32_t *last;           /* by value: position of the last use */
    int32_t *loop_depth;     /* by value: loops round its definition */
    const IrIns **folded;    /* by value: what makes it, when that is worked out by the one that uses it; see `fuse_region` */
    VEC(int32_t) loop_ends;  /* of the loops round the current place */
    int32_t *registers;      /* by value; -1 before its definition */
    int32_t *release_first, *release_next; /* by position, by register: what is free after it */
    VEC(int32_t) free;
    VEC(Slot) constants;
    int counter; /* instructions numbered so far */
    int nesting; /* loops round the current place, as registers are handed out */
} Planner;

/* -- positions and lives -- */

typedef struct Count {
    int instructions, positions;
} Count;

static bool count_ins(const IrIns *ins, void *user) {
    Count *count = user;
    count->instructions++;
    count->positions += ins->region_count ? 2 : 1;
    return true;
}

static void number_region(Planner *p, const IrRegion *region, int *ins, int *position) {
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *at = region->body.items[i];
        int mine = (*ins)++;
        p->position[mine] = p->end[mine] = (*position)++;
        for (int k = 0; k < at->region_count; k++)
            number_region(p, &at->regions[k], ins, position);
        if (at->region_count) p->end[mine] = (*position)++;
    }
}

/* -- two in one -- */

enum { NEAR = 12 }; /* instructions apart at most: the operands of the first live until the second */

static bool find_fusion(IrOp first, IrOp second, int side, Fusion *fusion) {
    enum { LEFT, RIGHT, EITHER };
    static const struct {
        IrOp first, second;
        int side;
    } rows[FUSION_COUNT] = {
#define FUSED(FIRST, SECOND, side, R, X, Y, Z, expr) {IR_##FIRST, IR_##SECOND, side},
#include "compiler/interp/fused.def"
#undef FUSED
    };
    for (int i = 0; i < FUSION_COUNT; i++) {
        if (rows[i].first != first || rows[i].second != second || (rows[i].side != side && rows[i].side != EITHER)) continue;
        *fusion = i;
        return true;
    }
    return false;
}

static bool count_uses(const IrIns *ins, void *user) {
    int32_t *uses = user;
    for (int i = 0; i < ins->arg_count; i++)
        uses[ins->args[i]]++;
    for (int k = 0; k < ins->region_count; k++)
        for (int i = 0; i < ins->regions[k].yields.count; i++)
            uses[ins->regions[k].yields.items[i]]++;
    return true;
}

/* The operand of an instruction that was folded into it, or -1. */
static int folded_side(const Planner *p, const IrIns *ins) {
    for (int i = 0; i < ins->arg_count; i++)
        if (p->folded[ins->args[i]]) return i;
    return -1;
}

/* Whether operand `side` of the region's instruction `at` is made just before it, for it alone, by one that may be fused with it. */
static const IrIns *find_first(const Planner *p, const IrRegion *region, int at, int side, const int32_t *uses) {
    const IrIns *ins = region->body.items[at];
    IrValue value = ins->args[side];
    Fusion fusion;
    if (uses[value] != 1) return NULL;
    for (int i = at - 1; i >= 0 && i >= at - NEAR; i--) {
        const IrIns *first = region->body.items[i];
        if (first->result_count == 0 || first->results[0] != value) continue;
        return find_fusion(first->op, ins->op, side, &fusion) && folded_side(p, first) < 0 ? first : NULL;
    }
    return NULL;
}

/* Marks what is worked out by the one instruction that uses it: nothing is written between the two. */
static void fuse_region(Planner *p, const IrRegion *region, const int32_t *uses) {
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i], *first = NULL;
        for (int k = 0; k < ins->region_count; k++)
            fuse_region(p, &ins->regions[k], uses);
        for (int side = 0; side < 2 && ins->arg_count == 2 && !first; side++)
            first = find_first(p, region, i, side, uses);
        if (first) p->folded[first->results[0]] = first;
    }
}

static void define(Planner *p, IrValue value, int32_t position) {
    p->last[value] = position;
    p->loop_depth[value] = p->loop_ends.count;
}

static void use(Planner *p, IrValue value, int32_t position) {
    int depth = p->loop_depth[value];
    if (p->loop_ends.count > depth) position = p->loop_ends.items[depth];
    if (p->last[value] < position) p->last[value] = position;
}

static void live_region(Planner *p, const IrRegion *region, int32_t yield_position);

static void live_ins(Planner *p, const IrIns *ins) {
    int mine = p->counter++;
    int32_t position = p->position[mine], end = p->end[mine];
    bool folded = ins->result_count == 1 && p->folded[ins->results[0]];
    for (int i = 0; i < ins->arg_count && !folded; i++) { /* a loop looks at its bounds every round */
        const IrIns *first = p->folded[ins->args[i]];
        for (int k = 0; first && k < first->arg_count; k++)
            use(p, first->args[k], position);
        if (!first) use(p, ins->args[i], ins->op == IR_FOR && i < 2 ? end : position);
    }
    if (ins->op == IR_FOR) VEC_PUSH(p->arena, &p->loop_ends, end);
    for (int k = 0; k < ins->region_count; k++) {
        for (int i = 0; i < ins->regions[k].params.count; i++)
            define(p, ins->regions[k].params.items[i], end);
        live_region(p, &ins->regions[k], end);
    }
    if (ins->op == IR_FOR) p->loop_ends.count--;
    for (int i = 0; i < ins->result_count; i++)
        define(p, ins->results[i], end);
}

static void live_region(Planner *p, const IrRegion *region, int32_t yield_position) {
    for (int i = 0; i < region->body.count; i++)
        live_ins(p, region->body.items[i]);
    for (int i = 0; i < region->yields.count; i++)
        use(p, region->yields.items[i], yield_position);
}

/* -- registers -- */

static int32_t take_register(Planner *p) {
    if (p->free.count) return p->free.items[--p->free.count];
    return p->plan->register_count++;
}

static void release_after(Planner *p, int32_t reg, int32_t position) {
    p->release_next[reg] = p->release_first[position];
    p->release_first[position] = reg;
}

static int32_t take_until(Planner *p, int32_t position) {
    int32_t reg = take_register(p);
    release_after(p, reg, position);
    return reg;
}

static void release_at(Planner *p, int32_t position) {
    for (int32_t reg = p->release_first[position]; reg >= 0; reg = p->release_next[reg])
        VEC_PUSH(p->arena, &p->free, reg);
    p->release_first[position] = -1;
}

static int32_t register_of(const Planner *p, IrValue value) {
    return p->registers[value];
}

static bool is_temp(const Planner *p, int32_t reg) {
    return reg >= plan_first_temp(p->plan);
}

/* -- constants -- */

static bool constant_of(const Planner *p, const IrIns *ins, Slot *value) {
    const IrBinding *binding = p->binding;
    IrOp op = ins->op;
    if (op == IR_CONST_B || op == IR_CONST_W || op == IR_CONST_I)
        *value = slot_i(ins->imm.i);
    else if (op == IR_CONST_F)
        *value = slot_f(ins->imm.f);
    else if (op == IR_CONST_TEXT)
        *value = slot_r(binding->texts ? binding->texts[ins->imm.i] : NULL);
    else if (op == IR_CONST_DESIGN)
        *value = slot_r(binding->classes ? binding->classes[ins->imm.i] : NULL);
    else if (op == IR_NULL_R)
        *value = slot_r(NULL);
    else
        return false;
    return true;
}

/* Gives a constant its register, equal ones the same. */
static bool gather_constant(const IrIns *ins, void *user) {
    Planner *p = user;
    Slot value;
    if (!constant_of(p, ins, &value)) return true;
    int at = p->constants.count - 1,
        oldest = at > 64 ? at - 64 : 0; /* near ones only: this stays linear */
    while (at >= oldest && p->constants.items[at].w != value.w)
        at--;
    if (at < oldest) {
        at = p->constants.count;
        VEC_PUSH(p->arena, &p->constants, value);
    }
    p->registers[ins->results[0]] = at;
    return true;
}

/* -- moves -- */

/* Whether a value's register may be robbed by the move of yield i: a temporary that dies here and
 * is not moved again by a later yield. */
static bool may_steal(const Planner *p, const IrRegion *region, int i, int32_t position) {
    IrValue value = region->yields.items[i];
    if (!is_temp(p, register_of(p, value)) || p->last[value] > position) return false;
    for (int k = i + 1; k < region->yields.count; k++)
        if (region->yields.items[k] == value) return false;
    return true;
}

static void push_move(Planner *p, PlanMoves *moves, int32_t dst, int32_t src, bool steal) {
    moves->items = arena_grow(p->arena, moves->items, sizeof *moves->items * (size_t)moves->count,
                              sizeof *moves->items * (size_t)(moves->count + 1));
    moves->items[moves->count++] = (PlanMove){dst, src, steal};
}

/* Whether every round of the loop makes the value anew: then its register may be robbed at the
 * round's end. */
static bool is_made_in(const Planner *p, const IrRegion *body, IrValue value) {
    for (int k = 0; k < body->params.count; k++)
        if (body->params.items[k] == value) return false;
    return p->loop_depth[value] == p->loop_depth[body->params.items[0]];
}

/* Yields into the carried registers. One that is itself carried in another place, and read by a
 * later yield after it is overwritten, is saved first. */
static void plan_carry(Planner *p, PlanIns *out, const IrRegion *body, int32_t end) {
    PlanMoves *moves = &out->moves[0];
    int32_t *saved = ARENA_ARRAY(p->arena, int32_t, out->result_count);
    for (int i = 0; i < out->result_count; i++) {
        saved[i] = -1;
        for (int k = 0; k < i; k++)
            if (body->params.items[k + 1] == body->yields.items[i]) saved[i] = take_until(p, end);
        if (saved[i] >= 0)
            push_move(p, moves, saved[i], register_of(p, body->yields.items[i]), false);
    }
    for (int i = 0; i < out->result_count; i++) {
        IrValue value = body->yields.items[i];
        int32_t src = saved[i] >= 0 ? saved[i] : register_of(p, value);
        if (src == out->results[i]) continue; /* carried as it is */
        bool steal = saved[i] >= 0 || (is_made_in(p, body, value) && may_steal(p, body, i, end));
        push_move(p, moves, out->results[i], src, steal);
    }
}

/* -- instructions -- */

static void plan_region(Planner *p, const IrRegion *region, PlanBlock *block);

static void plan_if(Planner *p, const IrIns *ins, PlanIns *out, int32_t position, int32_t end) {
    out->mask = take_until(p, end);
    release_at(p, position);
    for (int k = 0; k < 2; k++)
        plan_region(p, &ins->regions[k], &out->blocks[k]);
    for (int i = 0; i < ins->result_count; i++)
        out->results[i] = take_until(p, p->last[ins->results[i]]);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < ins->result_count; i++)
            push_move(p, &out->moves[k], out->results[i],
                      register_of(p, ins->regions[k].yields.items[i]),
                      may_steal(p, &ins->regions[k], i, end));
}

/* Whether to go on is asked after the carried values were moved: it is kept from them in a register of its own. */
static void plan_go_on(Planner *p, PlanIns *out, IrValue value, int32_t end) {
    out->go_on = take_until(p, end);
    push_move(p, &out->moves[0], out->go_on, register_of(p, value), false);
}

/* One inside another takes four times as many steps before it is asked about: its outer loop is asked first, and what is
 * compiled is the whole nest. */
static PlanLoop *create_loop(Planner *p) {
    if (!p->loops) return NULL;
    PlanLoop *loop = ARENA_NEW(p->arena, PlanLoop);
    loop->loops = p->loops;
    loop->limit = p->loops->steps * (p->nesting ? 4 : 1);
    return loop;
}

/* The carried values, and so the results, keep one register from the loop's start to the results'
 * last use. */
static void plan_for(Planner *p, const IrIns *ins, PlanIns *out, int32_t position, int32_t end) {
    const IrRegion *body = &ins->regions[0];
    out->loop = create_loop(p);
    out->mask = take_until(p, end);
    out->counter = take_until(p, end);
    p->registers[body->params.items[0]] = out->counter;
    for (int i = 0; i < ins->result_count; i++) {
        out->results[i] = take_until(p, p->last[ins->results[i]]);
        p->registers[body->params.items[i + 1]] = out->results[i];
        push_move(p, &out->enter, out->results[i], register_of(p, ins->args[i + 2]), false);
    }
    if (end != position) release_at(p, position);
    p->nesting++;
    plan_region(p, body, &out->blocks[0]);
    p->nesting--;
    if (ir_for_stops(ins)) plan_go_on(p, out, body->yields.items[ins->result_count], end);
    plan_carry(p, out, body, end);
}

/* Whether the result may take an operand's register: lane by lane, nothing is read after it was
 * written. */
static bool works_in_place(const Planner *p, IrOp op) {
    return p->kernels->find(op) && ir_op_info(op)->effect == IR_PURE;
}

static void plan_plain(Planner *p, const IrIns *ins, PlanIns *out, int32_t position) {
    if (works_in_place(p, ins->op)) release_at(p, position);
    for (int i = 0; i < ins->result_count; i++)
        out->results[i] = take_until(p, p->last[ins->results[i]]);
}

static void plan_fused(Planner *p, const IrIns *ins, int side, PlanIns *out) {
    const IrIns *first = p->folded[ins->args[side]];
    find_fusion(first->op, ins->op, side, &out->fusion);
    out->op = IR_OP_COUNT;
    out->kernel = p->kernels->fused[out->fusion];
    out->a = register_of(p, first->args[0]);
    out->b = first->arg_count > 1 ? register_of(p, first->args[1]) : 0;
    out->c = register_of(p, ins->args[1 - side]);
}

static void plan_ins(Planner *p, const IrIns *ins, PlanIns *out) {
    int mine = p->counter++;
    int32_t position = p->position[mine], end = p->end[mine];
    *out = (PlanIns){.op = ins->op, .ins = ins, .mask = -1, .go_on = -1, .kernel = p->kernels->find(ins->op)};
    memcpy(out->span, &ins->span, sizeof out->span);
    out->arg_count = ins->arg_count;
    out->result_count = ins->result_count;
    out->args = ARENA_ARRAY(p->arena, int32_t, ins->arg_count);
    out->results = ARENA_ARRAY(p->arena, int32_t, ins->result_count);
    for (int i = 0; i < ins->arg_count; i++)
        out->args[i] = register_of(p, ins->args[i]);
    if (ins->arg_count > 0) out->a = out->args[0];
    if (ins->arg_count > 1) out->b = out->args[1];
    if (ins->arg_count > 2) out->c = out->args[2];
    int side = folded_side(p, ins);
    if (side >= 0) plan_fused(p, ins, side, out);
    if (ins->op == IR_IF)
        plan_if(p, ins, out, position, end);
    else if (ins->op == IR_FOR)
        plan_for(p, ins, out, position, end);
    else
        plan_plain(p, ins, out, position);
    for (int i = 0; i < ins->result_count; i++)
        p->registers[ins->results[i]] = out->results[i];
    if (ins->result_count) out->dst = out->results[0];
    release_at(p, end);
}

static void plan_region(Planner *p, const IrRegion *region, PlanBlock *block) {
    Slot ignored;
    block->items = ARENA_ARRAY(p->arena, PlanIns, region->body.count);
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        if (constant_of(p, ins, &ignored) || (ins->result_count == 1 && p->folded[ins->results[0]]))
            p->counter++;
        else
            plan_ins(p, ins, &block->items[block->count++]);
    }
}

/* -- functions -- */

static void plan_returns(Planner *p) {
    PlanFunc *plan = p->plan;
    const IrRegion *body = ir_run_body(p->func);
    plan->return_count = body->yields.count;
    plan->returns = ARENA_ARRAY(p->arena, int32_t, plan->return_count);
    plan->pinned = ARENA_ARRAY(p->arena, bool, plan->register_count);
    for (int i = 0; i < plan->return_count; i++) {
        plan->returns[i] = register_of(p, body->yields.items[i]);
        plan->pinned[plan->returns[i]] = is_temp(p, plan->returns[i]);
    }
}

static void planner_init(Planner *p) {
    Count count = {0};
    int values = p->func->types.count, ins = 0, position = 0;
    ir_each_ins(ir_run_body(p->func), count_ins, &count);
    p->position = ARENA_ARRAY(p->arena, int32_t, count.instructions);
    p->end = ARENA_ARRAY(p->arena, int32_t, count.instructions);
    p->last = ARENA_ARRAY(p->arena, int32_t, values);
    p->loop_depth = ARENA_ARRAY(p->arena, int32_t, values);
    p->registers = ARENA_ARRAY(p->arena, int32_t, values);
    p->release_first = ARENA_ARRAY(p->arena, int32_t, count.positions + 1);
    for (int i = 0; i <= count.positions; i++)
        p->release_first[i] = -1;
    /* registers: constants, parameters, at most one a value, and for every loop and `if` a mask, a
     * counter and the carried values saved */
    size_t most = 1 + (size_t)values * 4 + (size_t)count.instructions * 2;
    p->release_next = ARENA_ARRAY(p->arena, int32_t, most);
    int32_t *uses = ARENA_ARRAY(p->arena, int32_t, values);
    p->folded = ARENA_ARRAY(p->arena, const IrIns *, values);
    ir_each_ins(ir_run_body(p->func), count_uses, uses);
    for (int i = 0; i < ir_run_body(p->func)->yields.count; i++)
        uses[ir_run_body(p->func)->yields.items[i]]++;
    fuse_region(p, ir_run_body(p->func), uses);
    number_region(p, ir_run_body(p->func), &ins, &position);
    for (int i = 0; i < p->func->params.count; i++)
        define(p, p->func->params.items[i], 0);
    live_region(p, ir_run_body(p->func), position);
    p->counter = 0;
}

PlanFunc *plan_create(Arena *arena, const IrBinding *binding, const IrFunc *func,
                      const KernelSet *kernels, const InterpLoops *loops) {
    PlanFunc *plan = ARENA_NEW(arena, PlanFunc);
    Planner planner = {
        .arena = arena, .binding = binding, .func = func, .kernels = kernels, .loops = loops, .plan = plan};
    plan->func = func;
    planner_init(&planner);
    plan->registers = planner.registers;
    VEC_PUSH(arena, &planner.constants, slot_i(0));
    ir_each_ins(ir_run_body(func), gather_constant, &planner);
    plan->constants = planner.constants.items;
    plan->constant_count = planner.constants.count;
    plan->param_count = func->params.count;
    plan->register_count = plan->constant_count;
    for (int i = 0; i < func->params.count; i++)
        planner.registers[func->params.items[i]] = plan->register_count++;
    plan_region(&planner, ir_run_body(func), &plan->body);
    plan_returns(&planner);
    return plan;
}
