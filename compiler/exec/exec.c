/* The choice of the executor, and the table of kernels.
 *
 * Kernels of a function are a list that only grows: readers walk it without a lock, a writer (under
 * the lock) puts a new kernel at its head. A wide kernel is made for the columns that are uniform;
 * a function asked in more than MOST_FORMS such ways gets one that takes all columns as different,
 * and uniform ones are spread before the call.
 *
 * A loop that goes on for long becomes a function (ir_loop_func) of a module of its own, which begins as the program's
 * does, with an Exec of its own to compile it: what runs on other threads never sees a module grow.
 */
#include "compiler/exec/exec.h"

#include <pthread.h>

#include "compiler/exec/chunks.h"
#include "compiler/exec/entry.h"
#include "compiler/exec/library.h"
#include "compiler/interp/interp.h"
#include "runtime/base/watch.h"

enum { MOST_FORMS = 4 };

typedef struct Kernel Kernel;
struct Kernel {
    JitForm form;
    _Atomic(RtKernel) run; /* NULL: interpret */
    atomic_bool cold;      /* not in the cache, and not yet asked often enough to be compiled */
    Kernel *next;
};

typedef struct FuncState {
    _Atomic(Kernel *) kernels;
    _Atomic int64_t many, few; /* elements asked so far, in batches and a few at a time */
    _Atomic int64_t price;     /* how often the usual number of them pays for machine code; 0: not known yet */
} FuncState;

typedef struct Loop Loop;
struct Loop {
    const IrIns *ins;
    Exec *exec;
    InterpLoop code; /* run NULL: refused, or not made yet */
    int64_t price, asked;
    Loop *next;
};

struct Exec {
    Memory *memory;
    IrBinding binding;
    ExecOptions options;
    InterpLoops loops;
    Interp *interp;
    FuncState *funcs;     /* by function */
    pthread_mutex_t lock; /* of everything below */
    Arena arena;
    Loop *first_loop;
    const JitApi *api;
    Jit *jit;
    bool held; /* what it holds is counted */
    _Atomic int
        width;  /* lanes of wide kernels; 0 before the library was asked, -1 when it is not there */
    Str reason; /* why there is no machine code */
    int refused;
};

static size_t funcs_size(const Exec *exec) {
    return sizeof *exec->funcs * (size_t)(exec->binding.module->funcs.count + 1);
}

static const InterpLoop *take_loop(void *user, const IrFunc *func, const IrIns *loop);

/* -- memory that LLVM takes -- */

/* LLVM ends the process when it gets no memory. So there must be plenty before it begins, for the library itself and for
 * each function; else all is interpreted. What a Jit goes on holding is counted, as measured: half a megabyte, and as much
 * again while a function is made, beside what its instructions take (hold_module in compiler/llvm/jit.c). */
static const size_t jit_holds = (size_t)512 << 10, jit_mapped = (size_t)320 << 20;
static const size_t making_holds = (size_t)512 << 10, making_mapped = (size_t)64 << 20;

static bool hold(const Exec *exec, size_t size, size_t mapped) {
    return !library_compiles() || memory_hold(exec->memory, size, mapped);
}

static void drop(const Exec *exec, size_t size) {
    if (library_compiles()) memory_drop(exec->memory, size);
}

static bool begin_making(const Exec *exec, const IrRegion *region) {
    size_t more = ((size_t)32 << 10) * (size_t)ir_size(region);
    return hold(exec, making_holds, making_mapped + more);
}

static void end_making(const Exec *exec) {
    drop(exec, making_holds);
}

/* -- making and ending -- */

/* Of a loop (`leaf`): what it lacks code for is interpreted to the end. */
static Exec *create(Memory *memory, const ExecOptions *options, IrBinding binding, const Exec *base, bool leaf) {
    Exec *exec = memory_resize(memory, NULL, 0, sizeof *exec);
    *exec = (Exec){.memory = memory, .binding = binding, .options = *options};
    arena_init(&exec->arena, memory);
    pthread_mutex_init(&exec->lock, NULL);
    Recover recover;
    if (!MEMORY_TRY(&recover)) {
        exec_destroy(exec);
        memory_fail();
    }
    exec->funcs = arena_alloc(&exec->arena, funcs_size(exec));
    exec->loops = (InterpLoops){take_loop, exec, EXEC_LOOP_FROM};
    bool leaves = options->mode != EXEC_INTERPRET && !leaf && library_compiles();
    exec->interp = interp_create(memory, binding, leaves ? &exec->loops : NULL, base ? base->interp : NULL);
    memory_end_try(&recover);
    if (options->mode == EXEC_INTERPRET) exec->width = -1;
    return exec;
}

Exec *exec_create(Memory *memory, const ExecOptions *options, IrBinding binding) {
    return create(memory, options, binding, NULL, false);
}

Exec *exec_create_more(const Exec *base, IrBinding binding) {
    return create(base->memory, &base->options, binding, base, false);
}

void exec_destroy(Exec *exec) {
    Memory *memory = exec->memory;
    for (Loop *loop = exec->first_loop; loop; loop = loop->next)
        if (loop->exec) exec_destroy(loop->exec);
    if (exec->jit) exec->api->destroy(exec->jit);
    if (exec->held) drop(exec, jit_holds);
    interp_destroy(exec->interp);
    arena_fini(&exec->arena);
    pthread_mutex_destroy(&exec->lock);
    memory_resize(memory, exec, sizeof *exec, 0);
}

/* -- making kernels, under the lock -- */

static Str no_room(void) {
    return STR_LIT("no machine code: there is too little memory for it");
}

static void start_jit(Exec *exec) {
    if (exec->width != 0) return;
    exec->width = -1;
    exec->reason = no_room();
    exec->held = hold(exec, jit_holds, jit_mapped);
    if (!exec->held) return;
    exec->api = library_open(exec->options.jit_library, &exec->arena, &exec->reason);
    if (exec->api) {
        JitOptions options = {.level = exec->options.level,
                              .width = exec->options.width,
                              .processor = exec->options.processor,
                              .cache_dir = exec->options.cache_dir,
                              .entries = entry_table};
        exec->jit =
            exec->api->create(exec->memory, &exec->arena, &options, exec->binding, &exec->reason);
    }
    if (exec->jit) exec->width = exec->api->width(exec->jit);
}

static Kernel *find_kernel(FuncState *func, JitForm form, int *forms) {
    *forms = 0;
    for (Kernel *k = func->kernels; k; k = k->next) {
        *forms += k->form.wide;
        if (k->form.wide == form.wide && (!form.wide || k->form.uniform == form.uniform)) return k;
    }
    return NULL;
}

static Kernel *add_kernel(Exec *exec, int func, JitForm form) {
    Kernel *kernel = ARENA_NEW(&exec->arena, Kernel);
    kernel->form = form;
    kernel->cold = true;
    kernel->next = exec->funcs[func].kernels;
    exec->funcs[func].kernels = kernel;
    return kernel;
}

/* What making a region's machine code costs, in prices of a function of EXEC_REACH values: 1 or more. */
static int64_t price_of(const Exec *exec, const IrRegion *region) {
    const IrModule *module = exec->binding.module;
    size_t size = sizeof(bool) * (size_t)(module->funcs.count + 1);
    bool *seen = memory_resize(exec->memory, NULL, 0, size);
    memset(seen, 0, size);
    int64_t reach = ir_reach(module, region, seen);
    memory_resize(exec->memory, seen, size, 0);
    return 1 + reach / EXEC_REACH;
}

/* Whether there is time left for it: it cannot be stopped once it has begun. */
static bool is_time_for(const Exec *exec, int64_t price) {
    static const double make_least = 0.05, make_each = 0.5; /* seconds */
    return exec->options.mode == EXEC_COMPILE || watch_seconds() > make_least + make_each * (double)price;
}

/* Of a function that was asked for as often as pays for one of the least price. */
static bool pays(const Exec *exec, int func) {
    FuncState *state = &exec->funcs[func];
    bool known = state->price != 0;
    if (!known) state->price = price_of(exec, &exec->binding.module->funcs.items[func]->body);
    return exec->options.mode == EXEC_COMPILE || ((known || state->price == 1) && is_time_for(exec, state->price));
}

/* From the cache, or when `hot` compiled if need be. */
static void fill_kernel(Exec *exec, int func, Kernel *kernel, bool hot) {
    Str error = no_room();
    const IrRegion *body = &exec->binding.module->funcs.items[func]->body;
    if (begin_making(exec, body)) {
        kernel->run = exec->api->kernel(exec->jit, func, kernel->form, !hot, &exec->arena, &error);
        end_making(exec);
    }
    kernel->cold = !kernel->run && !hot;
    if (kernel->run || !hot) return;
    exec->refused++;
    exec->reason = error;
}

static Kernel *find_or_fill_kernel(Exec *exec, int func, JitForm form, bool hot) {
    int forms;
    start_jit(exec);
    Kernel *kernel = find_kernel(&exec->funcs[func], form, &forms);
    if (!exec->jit) return NULL;
    hot = hot && pays(exec, func);
    bool added = !kernel;
    if (added) kernel = add_kernel(exec, func, form);
    if (added || (kernel->cold && hot)) fill_kernel(exec, func, kernel, hot);
    return kernel;
}

/* Under the lock. NULL when there is no memory for machine code: interpret. */
static Kernel *try_fill_kernel(Exec *exec, int func, JitForm form, bool hot) {
    Kernel *kernel;
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        kernel = find_or_fill_kernel(exec, func, form, hot);
        memory_end_try(&recover);
    } else {
        kernel = NULL;
    }
    return kernel;
}

/* The kernel for the form; NULL when another thread is at it, or there are none. It may have no
 * code. */
static const Kernel *get_kernel(Exec *exec, int func, JitForm form, bool hot) {
    int forms;
    Kernel *kernel = find_kernel(&exec->funcs[func], form, &forms);
    if (kernel && !(hot && kernel->cold)) return kernel;
    if (exec->width < 0) return NULL;
    if (!kernel && forms >= MOST_FORMS && form.uniform)
        return get_kernel(exec, func, (JitForm){form.wide, 0}, hot);
    if (exec->options.mode == EXEC_COMPILE)
        pthread_mutex_lock(&exec->lock);
    else if (pthread_mutex_trylock(&exec->lock) != 0)
        return NULL;
    kernel = try_fill_kernel(exec, func, form, hot);
    pthread_mutex_unlock(&exec->lock);
    return kernel;
}

/* -- loops -- */

static Loop *find_loop(Exec *exec, const IrIns *ins) {
    Loop *loop = exec->first_loop;
    while (loop && loop->ins != ins)
        loop = loop->next;
    if (loop) return loop;
    loop = ARENA_NEW(&exec->arena, Loop);
    *loop = (Loop){.ins = ins, .price = price_of(exec, &ins->regions[0]), .next = exec->first_loop};
    return exec->first_loop = loop;
}

/* Under the lock. The code is left out while memory for it is. */
static void make_module(Exec *exec, Loop *loop, const IrFunc *from) {
    IrModule *module = ir_module_extend(&exec->arena, exec->binding.module);
    int first = module->funcs.count;
    loop->code.func = ir_loop_func(module, from, loop->ins);
    ir_analyze(module, first);
    IrBinding binding = exec->binding;
    binding.module = module;
    loop->exec = create(exec->memory, &exec->options, binding, exec, true);
}

static Loop *compile_loop(Exec *exec, const IrFunc *from, const IrIns *ins) {
    Loop *loop = find_loop(exec, ins);
    bool pays = exec->options.mode == EXEC_COMPILE || ++loop->asked >= loop->price;
    if (loop->exec || !pays || !is_time_for(exec, loop->price)) return loop;
    make_module(exec, loop, from);
    loop->exec->funcs[loop->code.func->index].price = loop->price; /* and paid */
    const Kernel *kernel = get_kernel(loop->exec, loop->code.func->index, (JitForm){false, 0}, true);
    if (kernel) loop->code.run = kernel->run;
    return loop;
}

/* What the interpreter asks. */
static const InterpLoop *take_loop(void *user, const IrFunc *func, const IrIns *ins) {
    Exec *exec = user;
    Loop *volatile loop = NULL;
    Recover recover;
    if (pthread_mutex_trylock(&exec->lock) != 0) return NULL;
    if (MEMORY_TRY(&recover)) {
        start_jit(exec);
        if (exec->jit) loop = compile_loop(exec, func, ins);
        memory_end_try(&recover);
    }
    pthread_mutex_unlock(&exec->lock);
    return loop && loop->code.run ? &loop->code : NULL;
}

/* -- running -- */

/* The bits that stand for a column. */
static uint64_t column_bits(const IrFunc *func, uint64_t uniform) {
    return func->params.count < 64 ? uniform & ((UINT64_C(1) << func->params.count) - 1) : uniform;
}

static int64_t count(_Atomic int64_t *counter, int64_t n) {
    return atomic_fetch_add_explicit(counter, n, memory_order_relaxed) + n;
}

/* Whether there were as many; then it counts no further, for threads would wait for each other at every element. */
static bool count_to(int64_t enough, _Atomic int64_t *counter, int64_t n) {
    return atomic_load_explicit(counter, memory_order_relaxed) >= enough || count(counter, n) >= enough;
}

/* The kernel to run with; NULL: interpret. */
static const Kernel *choose(Exec *exec, int func, int64_t n, uint64_t uniform) {
    FuncState *state = &exec->funcs[func];
    const IrFunc *ir = exec->binding.module->funcs.items[func];
    bool always = exec->options.mode == EXEC_COMPILE;
    if (exec->width < 0) return NULL;
    int64_t price = state->price ? state->price : 1;
    if (ir->batchable && n >= EXEC_BATCH) {
        if (ir->closures && !always) return NULL; /* the interpreter asks them for a whole column at once, lanes for each */
        bool hot = always || count_to(EXEC_WIDE_FROM * price, &state->many, n);
        return get_kernel(exec, func, (JitForm){true, uniform}, hot);
    }
    bool hot = always || count_to(EXEC_SCALAR_FROM * price, &state->few, n);
    if (!hot && atomic_load_explicit(&state->few, memory_order_relaxed) < EXEC_BATCH) return NULL;
    return get_kernel(exec, func, (JitForm){false, 0}, hot);
}

/* The steps that loops took count as well: they are most of the work of some elements. */
static void interpret(Exec *exec, Rt *rt, int func, int64_t n, uint64_t uniform, const Slot *const *in,
                      Slot *const *out) {
    FuncState *state = &exec->funcs[func];
    int64_t before = rt_steps_left(rt);
    interp_run(exec->interp, rt, func, n, uniform, in, out);
    count(n >= EXEC_BATCH ? &state->many : &state->few, (before - rt_steps_left(rt)) / EXEC_STEPS);
}

void exec_run(Exec *exec, Rt *rt, int func, int64_t n, uint64_t uniform, const Slot *const *in,
              Slot *const *out) {
    const IrFunc *ir = exec->binding.module->funcs.items[func];
    uniform = column_bits(ir, uniform);
    const Kernel *kernel = choose(exec, func, n, uniform);
    if (!kernel || !kernel->run) {
        interpret(exec, rt, func, n, uniform, in, out);
        return;
    }
    ChunkRun run = {kernel->run,       ir->params.count, ir->results.count, kernel->form.wide ? exec->width : 1,
                    uniform,           kernel->form.wide ? kernel->form.uniform : UINT64_MAX, in, out};
    chunks_run(rt, &run, n);
}

/* -- telling -- */

Str exec_describe(Exec *exec, Arena *arena) {
    Str text = STR_LIT("interpreter");
    pthread_mutex_lock(&exec->lock);
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        start_jit(exec);
        if (exec->jit)
            text = exec->api->describe(exec->jit, arena);
        else if (exec->reason.len)
            text = str_printf(arena, "interpreter; %.*s", STR_ARG(exec->reason));
        memory_end_try(&recover);
    }
    pthread_mutex_unlock(&exec->lock);
    return text;
}

void exec_stats_add(ExecStats *all, ExecStats more) {
    all->emit_ms += more.emit_ms;
    all->optimize_ms += more.optimize_ms;
    all->codegen_ms += more.codegen_ms;
    all->load_ms += more.load_ms;
    all->compiled += more.compiled;
    all->from_cache += more.from_cache;
    all->refused += more.refused;
    if (more.reason.len) all->reason = more.reason;
}

ExecStats exec_stats(Exec *exec) {
    ExecStats stats = {0};
    pthread_mutex_lock(&exec->lock);
    if (!exec->jit || exec->refused) stats.reason = exec->reason;
    if (exec->jit) {
        JitStats jit = exec->api->stats(exec->jit);
        stats = (ExecStats){jit.emit_ms,  jit.optimize_ms, jit.codegen_ms, jit.load_ms,
                            jit.compiled, jit.from_cache,  exec->refused,  stats.reason};
    }
    for (const Loop *loop = exec->first_loop; loop; loop = loop->next)
        if (loop->exec) exec_stats_add(&stats, exec_stats(loop->exec));
    pthread_mutex_unlock(&exec->lock);
    return stats;
}

static Str dump(Exec *exec, int func, bool assembly, Arena *arena, Str *error) {
    start_jit(exec);
    *error = exec->reason;
    if (!exec->jit) return (Str){0};
    const IrFunc *ir = exec->binding.module->funcs.items[func];
    *error = no_room();
    if (!begin_making(exec, &ir->body)) return (Str){0};
    *error = (Str){0};
    Str text =
        exec->api->dump(exec->jit, func, (JitForm){ir->batchable, 0}, assembly, arena, error);
    end_making(exec);
    return text;
}

/* -- object files -- */

typedef struct Making {
    const JitObject *wish; /* NULL: how many lanes there are is asked */
    const char *triple, *processor;
    Str object;
    JitMachine machine;
} Making;

static void make(Exec *exec, Making *making, Arena *arena, Str *error) {
    start_jit(exec);
    *error = exec->reason.len ? exec->reason : STR_LIT("no machine code: all is to be interpreted");
    if (!exec->jit) return;
    *error = no_room();
    if (!hold(exec, making_holds, jit_mapped)) return;
    *error = (Str){0};
    if (making->wish)
        making->object = exec->api->object(exec->jit, making->wish, arena, error);
    else
        making->machine = exec->api->object_machine(exec->jit, making->triple, making->processor, arena, error);
    end_making(exec);
}

static void make_guarded(Exec *exec, Making *making, Arena *arena, Str *error) {
    Recover recover;
    pthread_mutex_lock(&exec->lock);
    if (MEMORY_TRY(&recover)) {
        make(exec, making, arena, error);
        memory_end_try(&recover);
    } else {
        *error = no_room();
    }
    pthread_mutex_unlock(&exec->lock);
}

JitMachine exec_object_machine(Exec *exec, const char *triple, const char *processor, Arena *arena, Str *error) {
    Making making = {.triple = triple, .processor = processor};
    make_guarded(exec, &making, arena, error);
    return making.machine;
}

Str exec_object(Exec *exec, const JitObject *wish, Arena *arena, Str *error) {
    Making making = {.wish = wish};
    make_guarded(exec, &making, arena, error);
    return making.object;
}

Str exec_dump(Exec *exec, int func, bool assembly, Arena *arena, Str *error) {
    Str text;
    Recover recover;
    pthread_mutex_lock(&exec->lock);
    if (MEMORY_TRY(&recover)) {
        text = dump(exec, func, assembly, arena, error);
        memory_end_try(&recover);
    } else {
        text = (Str){0};
        *error = no_room();
    }
    pthread_mutex_unlock(&exec->lock);
    return text;
}
