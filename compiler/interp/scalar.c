/* One element: every register is one slot. Also what lanes.c calls for an instruction whose
 * operands are all uniform, which is worked out once for all lanes; a fault is then the first
 * active lane's.
 */
#include "compiler/interp/frame.h"

#include "compiler/ir/eval.h"
#include "runtime/random/stream.h"
#include "runtime/rt/life.h"

void frame_init(Frame *frame, const Interp *interp, Rt *rt, const PlanFunc *plan) {
    *frame = (Frame){.interp = interp, .rt = rt, .plan = plan, .n = 1, .on = 1};
    frame->uniform = rt_scratch_push(rt, sizeof(Slot) * (size_t)plan->register_count);
    memcpy(frame->uniform, plan->constants, sizeof(Slot) * (size_t)plan->constant_count);
}

static void fault(Frame *f, const PlanIns *ins, RtFaultCode code) {
    rt_fault_at(f->rt, code, ins->span, f->first, STR_LIT(""));
}

/* Runs native code for the first active lane: its faults are that lane's, at this instruction's
 * place. */
#define NATIVE(statement)                                                                          \
    do {                                                                                           \
        f->rt->element_base += f->first;                                                           \
        statement;                                                                                 \
        f->rt->element_base -= f->first;                                                           \
        if (rt_failed(f->rt)) rt_fault_place(f->rt, ins->span);                                 \
    } while (0)

static Slot *gather(Frame *f, const int32_t *registers, int count) {
    Slot *row = rt_scratch_push(f->rt, sizeof *row * (size_t)count);
    for (int i = 0; i < count; i++)
        row[i] = f->uniform[registers[i]];
    return row;
}

static void scatter(Frame *f, const PlanIns *ins, const Slot *row) {
    for (int i = 0; i < ins->result_count; i++)
        f->uniform[ins->results[i]] = row ? row[i] : slot_i(0);
}

/* -- control -- */

static void move_all(Slot *u, const PlanMoves *moves) {
    for (int i = 0; i < moves->count; i++)
        u[moves->items[i].dst] = u[moves->items[i].src];
}

static void run_if(Frame *f, const PlanIns *ins) {
    int side = f->uniform[ins->a].w ? 0 : 1;
    scalar_run(f, &ins->blocks[side]);
    move_all(f->uniform, &ins->moves[side]);
}

/* Machine code for a loop that has taken `steps` steps in this run, when it is worth it by now. */
static const InterpLoop *code_of(PlanLoop *loop, const Frame *f, const PlanIns *ins, int64_t steps) {
    const InterpLoop *code = atomic_load_explicit(&loop->code, memory_order_acquire);
    if (code || steps + atomic_load_explicit(&loop->steps, memory_order_relaxed) < loop->limit) return code;
    atomic_store_explicit(&loop->steps, -steps, memory_order_relaxed); /* refused: ask after as many again */
    code = loop->loops->take(loop->loops->user, f->plan->func, ins->ins);
    if (code) atomic_store_explicit(&loop->code, code, memory_order_release);
    return code;
}

/* The rounds from `next` on in machine code. The carried values go over to it and come back, so it counts no holder. */
static void leave_for(Frame *f, const PlanIns *ins, const InterpLoop *code, int64_t next) {
    const IrFunc *func = code->func;
    RtScratchMark mark = rt_scratch_mark(f->rt);
    const Slot **in = rt_scratch_push(f->rt, sizeof *in * (size_t)func->params.count);
    Slot **out = rt_scratch_push(f->rt, sizeof *out * (size_t)(ins->result_count + 1));
    Slot *results = rt_scratch_push(f->rt, sizeof *results * (size_t)(ins->result_count + 1));
    Slot first = slot_i(next);
    in[0] = &first;
    in[1] = &f->uniform[ins->b];
    for (int i = 0; i < ins->result_count; i++) {
        in[i + 2] = &f->uniform[ins->results[i]];
        out[i] = &results[i];
    }
    for (int i = ins->arg_count; i < func->params.count; i++)
        in[i] = &f->uniform[f->plan->registers[func->params.items[i]]];
    f->rt->element_base += f->first;
    code->run(f->rt, 1, UINT64_MAX, in, out);
    f->rt->element_base -= f->first;
    scatter(f, ins, results);
    rt_scratch_pop(f->rt, mark);
}

/* Whether the rounds from `next` on were run elsewhere. `before`: the steps left when the loop began. */
static bool left_for(Frame *f, const PlanIns *ins, int64_t before, int64_t next) {
    if (!ins->loop) return false;
    const InterpLoop *code = code_of(ins->loop, f, ins, before - rt_steps_left(f->rt));
    if (code) leave_for(f, ins, code, next);
    return code != NULL;
}

static void run_rounds(Frame *f, const PlanIns *ins, int64_t before) {
    int64_t end = f->uniform[ins->b].i;
    for (int64_t i = f->uniform[ins->a].i; i < end; i++) {
        if (!rt_step(f->rt, 1, f->first)) {
            rt_fault_place(f->rt, ins->span);
            return;
        }
        f->uniform[ins->counter] = slot_i(i);
        scalar_run(f, &ins->blocks[0]);
        move_all(f->uniform, &ins->moves[0]);
        if (ins->go_on >= 0 && !f->uniform[ins->go_on].w) return;
        if (left_for(f, ins, before, i + 1)) return;
    }
}

static void run_for(Frame *f, const PlanIns *ins) {
    int64_t end = f->uniform[ins->b].i, before = rt_steps_left(f->rt);
    move_all(f->uniform, &ins->enter);
    if (ins->go_on < 0 && !rt_loop_fits(f->rt, f->uniform[ins->a].i, end, 1, f->first)) {
        rt_fault_place(f->rt, ins->span);
        return;
    }
    run_rounds(f, ins, before);
    if (ins->loop)
        atomic_fetch_add_explicit(&ins->loop->steps, before - rt_steps_left(f->rt), memory_order_relaxed);
}

void scalar_call(Frame *f, const PlanIns *ins) {
    Rt *rt = f->rt;
    const PlanFunc *plan = f->interp->plans[ins->ins->imm.i];
    RtScratchMark mark = rt_scratch_mark(rt);
    Frame callee;
    frame_init(&callee, f->interp, rt, plan);
    callee.first = f->first;
    for (int i = 0; i < ins->arg_count; i++)
        callee.uniform[plan->constant_count + i] = f->uniform[ins->args[i]];
    bool runs = rt_step(rt, 1, f->first);
    if (runs)
        scalar_run(&callee, &plan->body);
    else
        rt_fault_place(rt, ins->span);
    for (int i = 0; i < ins->result_count; i++)
        f->uniform[ins->results[i]] = runs ? callee.uniform[plan->returns[i]] : slot_i(0);
    rt_scratch_pop(rt, mark);
    if (rt_failed(rt)) rt_fault_place(rt, ins->span);
}

static void call_closure(Frame *f, const PlanIns *ins) {
    RtScratchMark mark = rt_scratch_mark(f->rt);
    const RtClosure *closure = f->uniform[ins->a].r;
    Slot *args = gather(f, ins->args + 2, ins->arg_count - 2);
    Slot *results = rt_scratch_push(f->rt, sizeof *results * (size_t)ins->result_count);
    memset(results, 0, sizeof *results * (size_t)ins->result_count);
    NATIVE(rt_call(f->rt, closure, f->uniform[ins->b].r, args, results));
    scatter(f, ins, results);
    rt_scratch_pop(f->rt, mark);
}

static void call_extern(Frame *f, const PlanIns *ins) {
    RtScratchMark mark = rt_scratch_mark(f->rt);
    Slot *args = gather(f, ins->args, ins->arg_count);
    Slot *results = rt_scratch_push(f->rt, sizeof *results * (size_t)ins->result_count);
    memset(results, 0, sizeof *results * (size_t)ins->result_count);
    if (!rt_failed_by(f->rt, f->first)) /* what it would be given is what a fault left */
        NATIVE(f->interp->binding.externs[ins->ins->imm.i](f->rt, args, results));
    scatter(f, ins, results);
    rt_scratch_pop(f->rt, mark);
}

/* -- objects -- */

static RtClosure *make_closure(Frame *f, const PlanIns *ins) {
    const IrFunc *func = f->interp->binding.module->funcs.items[ins->ins->imm.i];
    bool draws = ins->ins->imm2 != 0;
    int params = func->params.count - ins->arg_count - draws;
    uint64_t refs = 0;
    for (int i = 0; i < ins->arg_count && i < 64; i++)
        if (func->types.items[func->params.items[i]] == IR_R) refs |= 1ull << i;
    RtClosure *closure =
        rt_closure(f->rt, func->index, ins->arg_count, refs, params, func->results.count, draws);
    if (func->index >= f->interp->binding.first) closure->code = f->interp->binding.code;
    for (int i = 0; i < ins->arg_count; i++)
        closure->captures[i] = f->uniform[ins->args[i]];
    return closure;
}

static RtShape shape_of(const PlanIns *ins) {
    return (RtShape){(int32_t)ins->ins->imm2, (uint64_t)ins->ins->imm.i};
}

static RtList *append(Frame *f, const PlanIns *ins) {
    RtScratchMark mark = rt_scratch_mark(f->rt);
    Slot *item = gather(f, ins->args + 1, ins->arg_count - 1);
    RtList *list;
    NATIVE(list = rt_list_append(f->rt, f->uniform[ins->a].r, shape_of(ins), item));
    rt_scratch_pop(f->rt, mark);
    return list;
}

static RtList *fill_list(Frame *f, const PlanIns *ins) {
    RtScratchMark mark = rt_scratch_mark(f->rt);
    Slot *item = gather(f, ins->args + 1, ins->arg_count - 1);
    RtList *list;
    NATIVE(list = rt_list_fill(f->rt, shape_of(ins), f->uniform[ins->a].i, item));
    rt_scratch_pop(f->rt, mark);
    return list;
}

/* Whether operand b is the index of an item; else the fault. */
static bool has_item(Frame *f, const PlanIns *ins, const RtList *list) {
    int64_t index = f->uniform[ins->b].i, length = rt_list_length(list);
    if (index >= 0 && index < length) return true;
    rt_fault_index(f->rt, ins->span, f->first, index, length);
    return false;
}

static RtList *set_item(Frame *f, const PlanIns *ins) {
    RtScratchMark mark = rt_scratch_mark(f->rt);
    RtList *list = f->uniform[ins->a].r;
    int count = ins->arg_count - 2;
    Slot *slots = gather(f, ins->args + 2, count);
    if (has_item(f, ins, list))
        list = rt_list_set(f->rt, list, f->uniform[ins->b].i, (int)ins->ins->imm.i, count, slots);
    else
        for (int i = 0; i < count; i++)
            if (f->plan->func->types.items[ins->ins->args[i + 2]] == IR_R) rt_release(f->rt, slots[i].r);
    rt_scratch_pop(f->rt, mark);
    return list;
}

static void take_objects(Frame *f, const PlanIns *ins) {
    RtScratchMark mark = rt_scratch_mark(f->rt);
    RtList *list = f->uniform[ins->a].r;
    int count = ins->result_count - 1;
    Slot *row = rt_scratch_push(f->rt, sizeof *row * (size_t)(count + 1));
    memset(row, 0, sizeof *row * (size_t)(count + 1));
    if (has_item(f, ins, list))
        list = rt_list_take(f->rt, list, f->uniform[ins->b].i, (int)ins->ins->imm.i, count, row + 1);
    row[0] = slot_r(list);
    scatter(f, ins, row);
    rt_scratch_pop(f->rt, mark);
}

static RtList *cut_list(Frame *f, const PlanIns *ins) {
    RtList *list = f->uniform[ins->a].r;
    int64_t count = f->uniform[ins->b].i, length = rt_list_length(list);
    if (count >= 0 && count <= length) return rt_list_cut(f->rt, list, count);
    rt_fault_index(f->rt, ins->span, f->first, count, length);
    return list;
}

static void get_item(Frame *f, const PlanIns *ins) {
    const RtList *list = f->uniform[ins->a].r;
    int64_t index = f->uniform[ins->b].i, length = rt_list_length(list);
    bool inside = index >= 0 && index < length;
    if (!inside) rt_fault_index(f->rt, ins->span, f->first, index, length);
    scatter(f, ins, inside ? rt_list_item(list, index) + ins->ins->imm.i : NULL);
}

static int64_t grid_size(const RtGrid *grid) {
    return grid ? rt_grid_count(grid) : 0;
}

static Slot get_sample(Frame *f, const PlanIns *ins) {
    const RtGrid *grid = f->uniform[ins->a].r;
    int64_t index = f->uniform[ins->b].i, size = grid_size(grid);
    if (index >= 0 && index < size) return slot_f((double)grid->heights[index]);
    rt_fault_index(f->rt, ins->span, f->first, index, size);
    return slot_f(0);
}

static Slot read_grid(IrOp op, const RtGrid *grid) {
    static const RtGrid none;
    if (grid == NULL) grid = &none;
    if (op == IR_GRID_COLUMNS) return slot_i(grid->columns);
    if (op == IR_GRID_ROWS) return slot_i(grid->rows);
    if (op == IR_GRID_FINER) return slot_i(grid->finer);
    if (op == IR_GRID_CELL) return slot_f(grid->cell);
    if (op == IR_GRID_X0) return slot_f(grid->x0);
    return slot_f(op == IR_GRID_Z0 ? grid->z0 : grid->outside);
}

static void get_captures(Frame *f, const PlanIns *ins) {
    const RtPart *part = f->uniform[ins->a].r;
    bool inside = part && ins->ins->imm.i + ins->result_count <= part->capture_count;
    scatter(f, ins, inside ? part->captures + ins->ins->imm.i : NULL);
}

static void get_field(Frame *f, const PlanIns *ins) {
    RtPart *part = f->uniform[ins->a].r;
    int32_t field = (int32_t)ins->ins->imm.i;
    const Slot *slots;
    NATIVE(slots = rt_cell_get(f->rt, part, field));
    if (part) slots += ins->ins->imm2 - part->cls->fields[field].slot;
    scatter(f, ins, slots);
}

static void make_part(Frame *f, const PlanIns *ins) {
    RtScratchMark mark = rt_scratch_mark(f->rt);
    const Slot *args = gather(f, ins->args, ins->arg_count);
    for (int i = 4; i < ins->arg_count; i++) /* a part is read by many threads */
        if (f->plan->func->types.items[ins->ins->args[i]] == IR_R) rt_freeze(args[i].r);
    rt_part_make(f->rt, args[0].r, (int32_t)ins->ins->imm.i, (int32_t)ins->ins->imm2, args[1].i,
                 args[2].r, args[3].r, ins->arg_count - 4, args + 4, ins->span);
    rt_scratch_pop(f->rt, mark);
}

static void act_set(Frame *f, const PlanIns *ins) {
    RtScratchMark mark = rt_scratch_mark(f->rt);
    const Slot *args = gather(f, ins->args, ins->arg_count);
    rt_act_set(f->rt, args[0].r, (int32_t)ins->ins->imm.i, (int32_t)ins->ins->imm2, ins->arg_count - 1, args + 1,
               ins->ins->op == IR_ACT_ADD, ins->span);
    rt_scratch_pop(f->rt, mark);
}

static Slot draw(Frame *f, const PlanIns *ins) {
    RtStream *stream = f->uniform[ins->a].r;
    if (stream) return slot_w(stream_next(stream));
    fault(f, ins, RT_FAULT_NO_VALUE);
    return slot_w(0);
}

static void fault_if(Frame *f, const PlanIns *ins) {
    if (!f->uniform[ins->a].w) return;
    int count = ins->arg_count - 1;
    RtScratchMark mark = rt_scratch_mark(f->rt);
    const Slot *values = gather(f, ins->args + 1, count);
    char *types = rt_scratch_push(f->rt, (size_t)count);
    for (int i = 0; i < count; i++)
        types[i] = ir_type_letters[f->plan->func->types.items[ins->ins->args[i + 1]]];
    rt_fault_values(f->rt, (RtFaultCode)ins->ins->imm.i, ins->span, f->first, types, values,
                    count);
    rt_scratch_pop(f->rt, mark);
}

/* -- dispatch -- */

static void run_fused(Slot *u, const PlanIns *ins) {
    switch (ins->fusion) {
#define FUSED(FIRST, SECOND, side, R, X, Y, Z, expr)                                               \
    case FUSION_##FIRST##_##SECOND##_##side: {                                                     \
        __typeof__(u->X) a = u[ins->a].X;                                                          \
        __typeof__(u->Y) b = u[ins->b].Y;                                                          \
        __typeof__(u->Z) c = u[ins->c].Z;                                                          \
        (void)b;                                                                                   \
        u[ins->dst].R = (expr);                                                                    \
        break;                                                                                     \
    }
#include "compiler/interp/fused.def"
#undef FUSED
    case FUSION_COUNT:
        break;
    }
}

void scalar_run(Frame *f, const PlanBlock *block) {
    Slot *u = f->uniform;
    for (const PlanIns *ins = block->items, *end = ins + block->count; ins < end; ins++) {
        switch (ins->op) {
#define EXPR1(NAME, R, X, expr)                                                                    \
    case IR_##NAME: {                                                                              \
        __typeof__(u->X) a = u[ins->a].X;                                                          \
        u[ins->dst].R = (expr);                                                                    \
        break;                                                                                     \
    }
#define EXPR2(NAME, R, X, Y, expr)                                                                 \
    case IR_##NAME: {                                                                              \
        __typeof__(u->X) a = u[ins->a].X;                                                          \
        __typeof__(u->Y) b = u[ins->b].Y;                                                          \
        u[ins->dst].R = (expr);                                                                    \
        break;                                                                                     \
    }
#define CHECK1(NAME, R, X, function, code)                                                         \
    case IR_##NAME:                                                                                \
        if (!function(u[ins->a].X, &u[ins->dst].R)) fault(f, ins, code);                           \
        break;
#define CHECK2(NAME, R, X, Y, function, code)                                                      \
    case IR_##NAME: {                                                                              \
        __typeof__(u->Y) b = u[ins->b].Y;                                                          \
        if (!function(u[ins->a].X, b, &u[ins->dst].R)) fault(f, ins, code);                        \
        break;                                                                                     \
    }
#include "compiler/ir/expr.def"
#undef EXPR1
#undef EXPR2
#undef CHECK1
#undef CHECK2
        case IR_CONST_B:
        case IR_CONST_W:
        case IR_CONST_I:
        case IR_CONST_F:
        case IR_CONST_TEXT:
        case IR_CONST_DESIGN:
        case IR_NULL_R:
            break; /* in its register from the start */
        case IR_SELECT:
            u[ins->dst] = u[u[ins->a].w ? ins->b : ins->c];
            break;
        case IR_IF:
            run_if(f, ins);
            break;
        case IR_FOR:
            run_for(f, ins);
            break;
        case IR_CALL:
            scalar_call(f, ins);
            break;
        case IR_CALL_CLOSURE:
            call_closure(f, ins);
            break;
        case IR_CALL_EXTERN:
            call_extern(f, ins);
            break;
        case IR_CLOSURE:
            u[ins->dst] = slot_r(make_closure(f, ins));
            break;
        case IR_LIST_NEW:
            NATIVE(u[ins->dst] = slot_r(rt_list_room(f->rt, shape_of(ins), u[ins->a].i)));
            break;
        case IR_LIST_FILL:
            u[ins->dst] = slot_r(fill_list(f, ins));
            break;
        case IR_LIST_SET:
            u[ins->dst] = slot_r(set_item(f, ins));
            break;
        case IR_LIST_TAKE:
            take_objects(f, ins);
            break;
        case IR_LIST_CUT:
            u[ins->dst] = slot_r(cut_list(f, ins));
            break;
        case IR_RETAIN:
            rt_retain(f->rt, u[ins->a].r);
            break;
        case IR_RELEASE:
            rt_release(f->rt, u[ins->a].r);
            break;
        case IR_LIST_APPEND:
            u[ins->dst] = slot_r(append(f, ins));
            break;
        case IR_LIST_LENGTH:
            u[ins->dst] = slot_i(rt_list_length(u[ins->a].r));
            break;
        case IR_LIST_GET:
            get_item(f, ins);
            break;
        case IR_GRID_GET:
            u[ins->dst] = get_sample(f, ins);
            break;
        case IR_GRID_COLUMNS:
        case IR_GRID_ROWS:
        case IR_GRID_FINER:
        case IR_GRID_CELL:
        case IR_GRID_X0:
        case IR_GRID_Z0:
        case IR_GRID_OUTSIDE:
            u[ins->dst] = read_grid(ins->op, u[ins->a].r);
            break;
        case IR_PART_ROOT:
            u[ins->dst] = slot_r(f->rt->world ? rt_world_root(f->rt->world) : NULL);
            break;
        case IR_PART_PARENT:
            u[ins->dst] = slot_r(u[ins->a].r ? ((const RtPart *)u[ins->a].r)->parent : NULL);
            break;
        case IR_PART_CHILD:
            NATIVE(u[ins->dst] =
                       slot_r(rt_part_child(f->rt, u[ins->a].r, (int32_t)ins->ins->imm.i)));
            break;
        case IR_PART_MEMBER:
            NATIVE(u[ins->dst] = slot_r(rt_part_member(f->rt, u[ins->a].r, (int32_t)ins->ins->imm.i,
                                                       u[ins->b].i, u[ins->c].r)));
            break;
        case IR_PART_FAMILY:
            NATIVE(u[ins->dst] =
                       slot_r(rt_part_family(f->rt, u[ins->a].r, (int32_t)ins->ins->imm.i)));
            break;
        case IR_PART_MAKE:
            make_part(f, ins);
            break;
        case IR_ACT_SPAWN:
            NATIVE(u[ins->dst] = slot_r(rt_act_spawn(f->rt, u[ins->a].r, u[ins->b].r, ins->span)));
            break;
        case IR_ACT_SET:
        case IR_ACT_ADD:
            NATIVE(act_set(f, ins));
            break;
        case IR_FIELD_GET:
            get_field(f, ins);
            break;
        case IR_CAPTURE_GET:
            get_captures(f, ins);
            break;
        case IR_DRAW_W:
            u[ins->dst] = draw(f, ins);
            break;
        case IR_FAULT_IF:
            fault_if(f, ins);
            break;
        case IR_OP_COUNT:
            run_fused(u, ins);
            break;
        }
    }
}
