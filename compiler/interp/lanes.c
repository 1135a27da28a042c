/* Many elements at a time: an instruction over all lanes of the frame.
 *
 * What has only uniform operands is worked out once, by scalar.c. PURE operations run densely from the first lane that
 * is on to the last. An `if` with lanes on both sides runs each under a mask and blends; with lanes on one side it is
 * that side. A `for` whose bounds are uniform is a plain loop; else it runs while any lane goes on, blending what it
 * carries.
 */
#include "compiler/interp/frame.h"

#include "compiler/ir/eval.h"

void lanes_init(Frame *f, int n, Slot *const *out) {
    const PlanFunc *plan = f->plan;
    int first_temp = plan_first_temp(plan);
    /* a cache line more than need be, so that columns do not fall on one another */
    size_t stride = ((size_t)n + 7) / 8 * 8 + 8;
    f->n = f->on = f->end = n;
    f->column = rt_scratch_push(f->rt, sizeof *f->column * (size_t)plan->register_count);
    f->varying = rt_scratch_push(f->rt, (size_t)plan->register_count);
    Slot *temps = rt_scratch_push(f->rt, sizeof *temps * stride *
                                             (size_t)(plan->register_count - first_temp));
    memset(f->varying, 0, (size_t)plan->register_count);
    for (int r = first_temp; r < plan->register_count; r++)
        f->column[r] = temps + stride * (size_t)(r - first_temp);
    for (int i = plan->return_count - 1; i >= 0; i--)
        if (out[i] && plan->pinned[plan->returns[i]]) f->column[plan->returns[i]] = out[i];
}

/* Where the work on a column begins: at a cache line. */
static int begin_of(const Frame *f) {
    return f->first & ~7;
}

static const Slot *operand(const Frame *f, int32_t reg, int from) {
    return f->varying[reg] ? f->column[reg] + from : &f->uniform[reg];
}

static bool is_on(const Frame *f, int lane) {
    return f->mask == NULL || f->mask[lane].w;
}

/* -- numbers -- */

/* Whether the operation faults for these operands, and how. */
static RtFaultCode check_lane(IrOp op, Slot x, Slot y) {
    Slot out;
#define EXPR1(NAME, R, X, expr)
#define EXPR2(NAME, R, X, Y, expr)
#define CHECK1(NAME, R, X, function, code)                                                         \
    if (op == IR_##NAME) return function(x.X, &out.R) ? RT_FAULT_NONE : (code);
#define CHECK2(NAME, R, X, Y, function, code)                                                      \
    if (op == IR_##NAME) {                                                                         \
        __typeof__(y.Y) b = y.Y;                                                                   \
        return function(x.X, b, &out.R) ? RT_FAULT_NONE : (code);                                  \
    }
#include "compiler/ir/expr.def"
#undef EXPR1
#undef EXPR2
#undef CHECK1
#undef CHECK2
    return RT_FAULT_NONE;
}

/* Some lane faults, on or off: finds the first that is on, and records it. */
static void fault_first(Frame *f, const PlanIns *ins) {
    for (int lane = f->first; lane < f->end; lane++) {
        if (!is_on(f, lane)) continue;
        RtFaultCode code =
            check_lane(ins->op, *operand(f, ins->a, lane), *operand(f, ins->b, lane));
        if (code == RT_FAULT_NONE) continue;
        rt_fault_at(f->rt, code, ins->span, lane, STR_LIT(""));
        return;
    }
}

static void run_once(Frame *f, const PlanIns *ins) {
    PlanBlock block = {(PlanIns *)ins, 1};
    scalar_run(f, &block);
    for (int i = 0; i < ins->result_count; i++)
        f->varying[ins->results[i]] = false;
}

static void run_kernel(Frame *f, const PlanIns *ins) {
    int columns = f->varying[ins->a] | f->varying[ins->b] << 1 | f->varying[ins->c] << 2;
    if (columns == 0) {
        run_once(f, ins);
        return;
    }
    int from = begin_of(f);
    bool bad =
        ins->kernel(f->column[ins->dst] + from, operand(f, ins->a, from), operand(f, ins->b, from),
                    operand(f, ins->c, from), f->end - from, columns);
    if (bad) fault_first(f, ins);
    f->varying[ins->dst] = true;
}

/* -- moves -- */

static void copy_column(Frame *f, int32_t dst, int32_t src) {
    int from = begin_of(f);
    memcpy(f->column[dst] + from, f->column[src] + from, sizeof(Slot) * (size_t)(f->end - from));
}

static void move(Frame *f, const PlanMove *m) {
    f->varying[m->dst] = f->varying[m->src];
    if (!f->varying[m->src]) {
        f->uniform[m->dst] = f->uniform[m->src];
    } else if (m->steal && !f->plan->pinned[m->dst] && !f->plan->pinned[m->src]) {
        Slot *column = f->column[m->dst];
        f->column[m->dst] = f->column[m->src];
        f->column[m->src] = column;
    } else {
        copy_column(f, m->dst, m->src);
    }
}

static void move_all(Frame *f, const PlanMoves *moves) {
    for (int i = 0; i < moves->count; i++)
        move(f, &moves->items[i]);
}

/* dst = mask ? b : c */
static void blend(Frame *f, const Slot *mask, int32_t dst, int32_t b, int32_t c) {
    if (!f->varying[b] && !f->varying[c] && f->uniform[b].w == f->uniform[c].w) {
        f->uniform[dst] = f->uniform[b];
        f->varying[dst] = false;
        return;
    }
    int columns = KERNEL_A | (f->varying[b] ? KERNEL_B : 0) | (f->varying[c] ? KERNEL_C : 0);
    Kernel select = f->interp->kernels->find(IR_SELECT);
    int from = begin_of(f);
    select(f->column[dst] + from, mask + from, operand(f, b, from), operand(f, c, from),
           f->end - from, columns);
    f->varying[dst] = true;
}

/* -- control -- */

/* The lanes of a frame that are on, to be put back. */
typedef struct Lanes {
    const Slot *mask;
    int on, first, end;
} Lanes;

static Lanes get_lanes(const Frame *f) {
    return (Lanes){f->mask, f->on, f->first, f->end};
}

static void set_lanes(Frame *f, Lanes lanes) {
    f->mask = lanes.mask;
    f->on = lanes.on;
    f->first = lanes.first;
    f->end = lanes.end;
}

/* `on` lanes of those in sight: the ones in `mask`. */
static void narrow_lanes(Frame *f, const Slot *mask, int on) {
    f->mask = mask;
    f->on = on;
    while (mask[f->first].w == 0)
        f->first++;
    while (mask[f->end - 1].w == 0)
        f->end--;
}

/* Which of the lanes that are on have, or have not, the condition; answers how many. */
static int make_mask(const Frame *f, Slot *mask, const Slot *condition, bool negate) {
    int from = begin_of(f);
    const Slot *outer = f->mask ? f->mask + from : NULL;
    return f->interp->kernels->mask(mask + from, outer, condition + from, f->end - from, negate);
}

static void run_side(Frame *f, const PlanIns *ins, int side) {
    lanes_run(f, &ins->blocks[side]);
    move_all(f, &ins->moves[side]);
}

static void run_both(Frame *f, const PlanIns *ins, int on) {
    Lanes outer = get_lanes(f);
    Slot *mask = f->column[ins->mask];
    narrow_lanes(f, mask, on);
    lanes_run(f, &ins->blocks[0]);
    set_lanes(f, outer);
    narrow_lanes(f, mask, make_mask(f, mask, mask, true));
    lanes_run(f, &ins->blocks[1]);
    set_lanes(f, outer);
    const PlanMove *yes = ins->moves[0].items, *no = ins->moves[1].items;
    for (int i = 0; i < ins->result_count; i++)
        blend(f, mask, no[i].dst, no[i].src, yes[i].src);
}

static void run_if(Frame *f, const PlanIns *ins) {
    if (!f->varying[ins->a]) {
        run_side(f, ins, f->uniform[ins->a].w ? 0 : 1);
        return;
    }
    int on = make_mask(f, f->column[ins->mask], f->column[ins->a], false);
    if (on == f->on)
        run_side(f, ins, 0);
    else if (on == 0)
        run_side(f, ins, 1);
    else
        run_both(f, ins, on);
}

/* A step of a loop or call for the lanes that are on; what is refused has its place. */
static bool step(const Frame *f, const PlanIns *ins) {
    bool runs = rt_step(f->rt, f->on, f->first);
    if (!runs) rt_fault_place(f->rt, ins->span);
    return runs;
}

static void run_even_for(Frame *f, const PlanIns *ins) {
    int64_t end = f->uniform[ins->b].i;
    if (!rt_loop_fits(f->rt, f->uniform[ins->a].i, end, f->on, f->first)) {
        rt_fault_place(f->rt, ins->span);
        return;
    }
    for (int64_t i = f->uniform[ins->a].i; i < end; i++) {
        if (!step(f, ins)) return;
        f->uniform[ins->counter] = slot_i(i);
        f->varying[ins->counter] = false;
        lanes_run(f, &ins->blocks[0]);
        move_all(f, &ins->moves[0]);
    }
}

/* The lanes that go on for another round, among those that were on before the loop; false: none
 * does. */
static bool go_on(Frame *f, const PlanIns *ins, Lanes outer) {
    Slot *mask = f->column[ins->mask];
    int columns = (f->varying[ins->counter] ? KERNEL_A : 0) | (f->varying[ins->b] ? KERNEL_B : 0);
    set_lanes(f, outer);
    int from = begin_of(f);
    const Slot *counter = operand(f, ins->counter, from), *bound = operand(f, ins->b, from);
    if (columns == 0)
        f->interp->kernels->fill(mask + from, slot_b(counter->i < bound->i), f->end - from);
    else
        f->interp->kernels->find(IR_LT_I)(mask + from, counter, bound, NULL, f->end - from, columns);
    int on = make_mask(f, mask, mask, false);
    if (on == 0) return false;
    if (on < outer.on) narrow_lanes(f, mask, on);
    return step(f, ins);
}

static void count_up(Frame *f, int32_t counter) {
    if (!f->varying[counter]) {
        f->uniform[counter].w++;
        return;
    }
    Slot *column = f->column[counter];
    for (int i = f->first; i < f->end; i++)
        column[i].w++;
}

/* What lanes that have left carry stays: it is looked at over all lanes that were on before the
 * loop. */
static void carry_some(Frame *f, const PlanIns *ins, Lanes outer) {
    Lanes inner = get_lanes(f);
    set_lanes(f, outer);
    for (int i = 0; i < ins->moves[0].count; i++) {
        const PlanMove *m = &ins->moves[0].items[i];
        blend(f, inner.mask, m->dst, m->src, m->dst);
    }
    set_lanes(f, inner);
}

/* Lanes that are on and would stop have done their last round: their counters say so. */
static void stop_lanes(Frame *f, const PlanIns *ins, Lanes outer) {
    const Slot *go = operand(f, ins->go_on, 0), *bound = operand(f, ins->b, 0);
    int step = f->varying[ins->go_on], bound_step = f->varying[ins->b];
    Slot *counter = f->column[ins->counter];
    if (!f->varying[ins->counter])
        for (int i = outer.first & ~7; i < outer.end; i++)
            counter[i] = f->uniform[ins->counter];
    f->varying[ins->counter] = true;
    for (int i = f->first; i < f->end; i++)
        if (is_on(f, i) && !go[i * step].w) counter[i].i = bound[i * bound_step].i - 1;
}

static bool none_stops(const Frame *f, const PlanIns *ins) {
    return ins->go_on < 0 || (!f->varying[ins->go_on] && f->uniform[ins->go_on].w);
}

static void run_uneven_for(Frame *f, const PlanIns *ins) {
    Lanes outer = get_lanes(f);
    PlanMove start = {ins->counter, ins->a, false};
    move(f, &start);
    for (; go_on(f, ins, outer); count_up(f, ins->counter)) {
        lanes_run(f, &ins->blocks[0]);
        if (f->on == outer.on)
            move_all(f, &ins->moves[0]);
        else
            carry_some(f, ins, outer);
        if (!none_stops(f, ins)) stop_lanes(f, ins, outer);
    }
    set_lanes(f, outer);
}

static void run_for(Frame *f, const PlanIns *ins) {
    move_all(f, &ins->enter);
    if (f->varying[ins->a] || f->varying[ins->b] || ins->go_on >= 0)
        run_uneven_for(f, ins);
    else
        run_even_for(f, ins);
}

static bool any_varying(const Frame *f, const PlanIns *ins) {
    for (int i = 0; i < ins->arg_count; i++)
        if (f->varying[ins->args[i]]) return true;
    return false;
}

/* The callee sees the caller's columns as its parameters, and works its results out in the caller's
 * columns. */
static void pass_args(const Frame *f, Frame *callee, const PlanIns *ins) {
    for (int i = 0; i < ins->arg_count; i++) {
        int32_t param = callee->plan->constant_count + i, arg = ins->args[i];
        callee->varying[param] = f->varying[arg];
        if (f->varying[arg])
            callee->column[param] = f->column[arg];
        else
            callee->uniform[param] = f->uniform[arg];
    }
}

static void take_results(Frame *f, const Frame *callee, const PlanIns *ins) {
    for (int i = 0; i < ins->result_count; i++) {
        int32_t from = callee->plan->returns[i], to = ins->results[i];
        f->varying[to] = callee->varying[from];
        if (!callee->varying[from])
            f->uniform[to] = callee->uniform[from];
        else if (callee->column[from] != f->column[to])
            memcpy(f->column[to] + begin_of(f), callee->column[from] + begin_of(f),
                   sizeof(Slot) * (size_t)(f->end - begin_of(f)));
    }
}

static void run_call(Frame *f, const PlanIns *ins) {
    if (!any_varying(f, ins)) {
        run_once(f, ins);
        return;
    }
    RtScratchMark mark = rt_scratch_mark(f->rt);
    Frame callee;
    frame_init(&callee, f->interp, f->rt, f->interp->plans[ins->ins->imm.i]);
    Slot **out = rt_scratch_push(f->rt, sizeof *out * (size_t)ins->result_count);
    for (int i = 0; i < ins->result_count; i++)
        out[i] = f->column[ins->results[i]];
    lanes_init(&callee, f->n, out);
    set_lanes(&callee, get_lanes(f));
    pass_args(f, &callee, ins);
    if (step(f, ins)) lanes_run(&callee, &callee.plan->body);
    take_results(f, &callee, ins);
    rt_scratch_pop(f->rt, mark);
    if (rt_failed(f->rt)) rt_fault_place(f->rt, ins->span);
}

/* -- objects -- */

/* Any other instruction, a lane at a time: its operands are put where scalar.c looks for them. */
static void run_each(Frame *f, const PlanIns *ins) {
    Lanes outer = get_lanes(f);
    PlanBlock block = {(PlanIns *)ins, 1};
    for (int lane = outer.first; lane < f->end; lane++) {
        if (!is_on(f, lane)) continue;
        f->first = lane;
        for (int i = 0; i < ins->arg_count; i++)
            if (f->varying[ins->args[i]]) f->uniform[ins->args[i]] = f->column[ins->args[i]][lane];
        scalar_run(f, &block);
        for (int i = 0; i < ins->result_count; i++)
            f->column[ins->results[i]][lane] = f->uniform[ins->results[i]];
    }
    f->first = outer.first;
    for (int i = 0; i < ins->result_count; i++)
        f->varying[ins->results[i]] = true;
}

/* One list or grid, many indices: a gather. An index outside reads item 0 here and faults after, if
 * its lane is on. */
static void gather_list(Frame *f, const PlanIns *ins) {
    const RtList *list = f->uniform[ins->a].r;
    const Slot *index = f->column[ins->b];
    uint64_t length = (uint64_t)rt_list_length(list), outside = length == 0;
    for (int k = 0; k < ins->result_count && length; k++) {
        const Slot *items = list->items + ins->ins->imm.i + k;
        Slot *out = f->column[ins->results[k]];
        for (int i = f->first; i < f->end; i++) {
            bool bad = index[i].w >= length;
            out[i] = items[(bad ? 0 : index[i].i) * list->shape.width];
            outside |= bad;
        }
    }
    if (outside) run_each(f, ins);
    for (int i = 0; i < ins->result_count; i++)
        f->varying[ins->results[i]] = true;
}

static void gather_grid(Frame *f, const PlanIns *ins) {
    const RtGrid *grid = f->uniform[ins->a].r;
    const Slot *index = f->column[ins->b];
    Slot *out = f->column[ins->dst];
    uint64_t size = grid ? (uint64_t)rt_grid_count(grid) : 0, outside = size == 0;
    for (int i = f->first; i < f->end && size; i++) {
        bool bad = index[i].w >= size;
        out[i] = slot_f((double)grid->heights[bad ? 0 : index[i].i]);
        outside |= bad;
    }
    if (outside) run_each(f, ins);
    f->varying[ins->dst] = true;
}

/* Only lanes that are on and whose condition holds come to anything. */
static void fault_if(Frame *f, const PlanIns *ins) {
    uint64_t any = 0;
    for (int i = f->first; i < f->end; i++)
        any |= operand(f, ins->a, i)->w;
    if (any) run_each(f, ins);
}

/* The next lanes in a row that are on, from `lane` on; first == end: there are none. */
static Lanes next_row(const Frame *f, int lane) {
    Lanes row = {.first = lane};
    while (row.first < f->end && !is_on(f, row.first))
        row.first++;
    row.end = row.first;
    while (row.end < f->end && is_on(f, row.end))
        row.end++;
    return row;
}

/* One closure in all lanes: it is asked for each row of those that are on at once. */
static void call_closure(Frame *f, const PlanIns *ins) {
    enum { FIRST = 2 }; /* behind the closure and its stream, which there is none of */
    const RtClosure *closure = f->uniform[ins->a].r;
    int args = ins->arg_count - FIRST;
    RtScratchMark mark = rt_scratch_mark(f->rt);
    const Slot **in = rt_scratch_push(f->rt, sizeof *in * (size_t)args);
    Slot **out = rt_scratch_push(f->rt, sizeof *out * (size_t)ins->result_count);
    uint64_t uniform = 0;
    for (int i = 0; i < args && i < 64; i++)
        if (!f->varying[ins->args[FIRST + i]]) uniform |= UINT64_C(1) << i;
    for (Lanes row = next_row(f, f->first); row.first < row.end; row = next_row(f, row.end)) {
        for (int i = 0; i < args; i++)
            in[i] = operand(f, ins->args[FIRST + i], row.first);
        for (int i = 0; i < ins->result_count; i++)
            out[i] = f->column[ins->results[i]] + row.first;
        f->rt->element_base += row.first;
        rt_call_lanes(f->rt, closure, row.end - row.first, uniform, in, out);
        f->rt->element_base -= row.first;
        if (rt_failed(f->rt)) rt_fault_place(f->rt, ins->span);
    }
    rt_scratch_pop(f->rt, mark);
    for (int i = 0; i < ins->result_count; i++)
        f->varying[ins->results[i]] = true;
}

static void run_object(Frame *f, const PlanIns *ins) {
    if (ins->op == IR_CALL)
        run_call(f, ins);
    else if (!any_varying(f, ins))
        run_once(f, ins);
    else if (ins->op == IR_FAULT_IF)
        fault_if(f, ins);
    else if (ins->op == IR_CALL_CLOSURE && !f->varying[ins->a] && f->uniform[ins->a].r)
        call_closure(f, ins);
    else if (ins->op == IR_LIST_GET && !f->varying[ins->a])
        gather_list(f, ins);
    else if (ins->op == IR_GRID_GET && !f->varying[ins->a])
        gather_grid(f, ins);
    else
        run_each(f, ins);
}

void lanes_run(Frame *f, const PlanBlock *block) {
    for (const PlanIns *ins = block->items, *end = ins + block->count; ins < end; ins++) {
        if (ins->kernel)
            run_kernel(f, ins);
        else if (ins->op == IR_IF)
            run_if(f, ins);
        else if (ins->op == IR_FOR)
            run_for(f, ins);
        else
            run_object(f, ins);
    }
}
