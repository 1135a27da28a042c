/* The interpreter's door: plans for every function of the module, and calls in chunks. */
#include "compiler/interp/interp.h"

#include "compiler/interp/frame.h"

enum {
    FEW = 4,         /* fewer elements than this are not worth columns */
    LANES = RT_CHUNK /* at a time: a function's columns then stay in the nearer caches */
};

static const KernelSet *pick_kernels(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &kernels_avx2;
#endif
    return &kernels_plain;
}

Interp *interp_create(Memory *memory, IrBinding binding, const InterpLoops *loops, const Interp *base) {
    Arena arena;
    arena_init(&arena, memory);
    Interp *interp = ARENA_NEW(&arena, Interp);
    Recover recover;
    *interp =
        (Interp){.memory = memory, .arena = arena, .binding = binding, .kernels = pick_kernels()};
    if (!MEMORY_TRY(&recover)) {
        interp_destroy(interp);
        memory_fail();
    }
    int known = base ? base->binding.module->funcs.count : 0;
    interp->plans = ARENA_ARRAY(&interp->arena, PlanFunc *, binding.module->funcs.count);
    if (known) memcpy(interp->plans, base->plans, sizeof *interp->plans * (size_t)known);
    for (int i = known; i < binding.module->funcs.count; i++)
        interp->plans[i] = plan_create(&interp->arena, &interp->binding,
                                       binding.module->funcs.items[i], interp->kernels, loops);
    memory_end_try(&recover);
    return interp;
}

void interp_destroy(Interp *interp) {
    if (interp == NULL) return;
    Arena arena = interp->arena; /* the interpreter lies in its own arena */
    arena_fini(&arena);
}

static bool is_uniform(uint64_t uniform, int column) {
    return column < 64 && (uniform >> column & 1);
}

/* Whoever is told to stop says so: answers that are missing are never taken for answers. */
static bool goes_on(Rt *rt) {
    return rt->stop == 0 || rt_step_refused(rt, 0);
}

/* Elements one by one, in order. */
static void run_elements(const Interp *interp, Rt *rt, const PlanFunc *plan, int64_t n,
                         uint64_t uniform, const Slot *const *in, Slot *const *out) {
    Frame frame;
    RtScratchMark mark = rt_scratch_mark(rt);
    int64_t base = rt->element_base;
    frame_init(&frame, interp, rt, plan);
    for (int64_t e = 0; e < n && goes_on(rt); e++) {
        rt->element_base = base + e;
        for (int i = 0; i < plan->param_count; i++)
            frame.uniform[plan->constant_count + i] = in[i][is_uniform(uniform, i) ? 0 : e];
        for (int i = 0; plan->func->takes && i < plan->param_count; i++) /* who asks keeps his own */
            if (plan->func->takes[i]) rt_retain(rt, frame.uniform[plan->constant_count + i].r);
        scalar_run(&frame, &plan->body);
        for (int i = 0; i < plan->return_count; i++)
            out[i][e] = frame.uniform[plan->returns[i]];
    }
    rt->element_base = base;
    rt_scratch_pop(rt, mark);
}

static void run_lanes(const Interp *interp, Rt *rt, const PlanFunc *plan, int64_t begin, int n,
                      uint64_t uniform, const Slot *const *in, Slot *const *out) {
    Frame frame;
    RtScratchMark mark = rt_scratch_mark(rt);
    frame_init(&frame, interp, rt, plan);
    Slot **mine = rt_scratch_push(rt, sizeof *mine * (size_t)plan->return_count);
    for (int i = 0; i < plan->return_count; i++)
        mine[i] = out[i] + begin;
    lanes_init(&frame, n, mine);
    for (int i = 0; i < plan->param_count; i++) {
        int32_t param = plan->constant_count + i;
        frame.varying[param] = !is_uniform(uniform, i);
        frame.column[param] =
            (Slot *)(uintptr_t)(in[i] + (frame.varying[param] ? begin : 0)); /* only read */
        frame.uniform[param] = *frame.column[param];
    }
    lanes_run(&frame, &plan->body);
    for (int i = 0; i < plan->return_count; i++) {
        int32_t from = plan->returns[i];
        if (!frame.varying[from])
            interp->kernels->fill(mine[i], frame.uniform[from], n);
        else if (frame.column[from] != mine[i])
            memcpy(mine[i], frame.column[from], sizeof(Slot) * (size_t)n);
    }
    rt_scratch_pop(rt, mark);
}

void interp_run(const Interp *interp, Rt *rt, int func, int64_t n, uint64_t uniform,
                const Slot *const *in, Slot *const *out) {
    const PlanFunc *plan = interp->plans[func];
    if (n < FEW || !plan->func->batchable) {
        run_elements(interp, rt, plan, n, uniform, in, out);
        return;
    }
    int64_t base = rt->element_base;
    for (int64_t begin = 0; begin < n && goes_on(rt); begin += LANES) {
        rt->element_base = base + begin;
        run_lanes(interp, rt, plan, begin, n - begin < LANES ? (int)(n - begin) : LANES, uniform,
                  in, out);
    }
    rt->element_base = base;
}
