/* The seeds of checks. What is told is what it would be, had one thread gone through them in their order:
 *
 *     the thread that asked: its world ── seed, check, check ─┐
 *     another:               its own   ── seed, check, check ─┴─ settled in the order of seeds ── the rest, one by one
 *
 * Threads take seeds in order and run ahead; what a check said of a seed counts once all seeds before are settled, and is
 * thrown away when the check had failed by then. So a world a thread, with parts and cells of its own over one program.
 *
 * Whatever is no plain answer (a fault, no memory, the limit of steps) ends the running ahead, and the thread that asked
 * goes on alone from that seed on: it meets again what it would have met. A thread that finds no memory gives its seed
 * back, for the others may have held it. A world in which something was set since its text was read is gone through
 * alone: the others would not know of it.
 */
#include "compiler/engine/open/check.h"
#include "runtime/base/watch.h"
#include "runtime/rt/cell.h"
#include "runtime/rt/pool.h"

/* A check is done with its seeds at the first that fails. */
static bool wants_seed(const Check *check, int64_t seed) {
    return check->seeded && seed >= check->tree->seeds_lo->integer &&
           seed < check->tree->seeds_hi->integer && seed <= check->failed;
}

/* The least seed from `from` on that a check wants; false: none does. */
static bool next_seed(const Checks *checks, int64_t from, int64_t *seed) {
    bool found = false;
    for (int i = 0; i < checks->count; i++) {
        const Check *check = &checks->items[i];
        int64_t first = check->seeded ? check->tree->seeds_lo->integer : 0;
        if (first < from) first = from;
        if (!wants_seed(check, first) || (found && first >= *seed)) continue;
        *seed = first;
        found = true;
    }
    return found;
}

static void set_seed(Rt *rt, int field, int64_t seed) {
    Slot slot = slot_w((uint32_t)seed);
    rt_cell_set(rt, rt_world_root(rt->world), field, &slot);
}

static CheckFailures ask_with_seed(World *world, Rt *rt, Check *check, int64_t seed) {
    CheckFailures failures = {0};
    int64_t least = check->failed;
    check->asked += check_ask(world, rt, check->tree, &failures);
    for (int k = 0; k < failures.count; k++) {
        failures.items[k].seeded = true;
        failures.items[k].seed = seed;
    }
    while (failures.count && seed < least && !atomic_compare_exchange_weak(&check->failed, &least, seed)) {}
    return failures;
}

static void run_one_by_one(Checks *checks, Rt *rt, int64_t seed) {
    for (; !rt_failed(rt) && next_seed(checks, seed, &seed); seed++) {
        set_seed(rt, checks->seed, seed);
        for (int i = 0; i < checks->count && !rt_failed(rt); i++)
            if (wants_seed(&checks->items[i], seed))
                checks->items[i].failures = ask_with_seed(checks->world, rt, &checks->items[i], seed);
    }
}

/* -- ahead, on all cores -- */

typedef enum SeedState {
    SEED_TAKEN,
    SEED_GIVEN_BACK,
    SEED_DONE,
    SEED_BAD /* a fault, or a stop: the running ahead ends here */
} SeedState;

typedef struct SeedRun {
    int64_t seed, steps;
    CheckFailures *failures; /* of each check; NULL: none failed */
    SeedState state;
} SeedRun;

typedef struct Ahead Ahead;

/* What stands behind `rt.host` of another thread: the host's hook is asked on the thread that asked alone. */
typedef struct SeedHost {
    RtHost host;
    const Rt *asking;
} SeedHost;

typedef struct SeedWorker {
    Ahead *ahead;
    Rt rt;
    Arena arena;
    SeedHost host;
    RtWorld *made; /* NULL: it works in the world itself, or has not begun */
    RtFault fault;
} SeedWorker;

struct Ahead {
    Checks *checks;
    Rt *rt; /* of who asked */
    SeedWorker *workers;
    int worker_count;
    pthread_mutex_t lock; /* of what follows: */
    int64_t next;         /* seeds from here on are not taken yet */
    int64_t steps;        /* of settled seeds */
    SeedRun *runs;        /* in the order of seeds */
    int count, capacity, settled;
    bool ended;
    RtFault stop; /* by the host, or the limit of time */
};

static void end(Ahead *ahead) {
    ahead->ended = true;
    for (int i = 0; i < ahead->worker_count; i++)
        __atomic_store_n(&ahead->workers[i].rt.stop, 1, __ATOMIC_RELAXED);
}

static bool grow(Ahead *ahead) {
    if (ahead->count < ahead->capacity) return true;
    int capacity = ahead->capacity ? 2 * ahead->capacity : 64;
    SeedRun *runs = memory_try_resize(ahead->rt->arena->memory, ahead->runs,
                                      sizeof *runs * (size_t)ahead->capacity, sizeof *runs * (size_t)capacity);
    if (runs == NULL) return false;
    ahead->runs = runs;
    ahead->capacity = capacity;
    return true;
}

/* The number of the run that is to be made next; -1: none is. Under the lock, as all that changes `runs`. */
static int take(Ahead *ahead, int64_t *seed) {
    if (ahead->ended) return -1;
    for (int i = ahead->settled; i < ahead->count; i++) {
        SeedRun *run = &ahead->runs[i];
        if (run->state != SEED_GIVEN_BACK) continue;
        run->state = SEED_TAKEN;
        *seed = run->seed;
        return i;
    }
    if (!next_seed(ahead->checks, ahead->next, seed) || !grow(ahead)) return -1;
    ahead->next = *seed + 1;
    ahead->runs[ahead->count] = (SeedRun){.seed = *seed};
    return ahead->count++;
}

/* Takes what is done from the front, as one thread would have met it. */
static void settle(Ahead *ahead) {
    int64_t seed;
    for (; ahead->settled < ahead->count && !ahead->ended; ahead->settled++) {
        const SeedRun *run = &ahead->runs[ahead->settled];
        if (run->state == SEED_BAD) end(ahead);
        if (run->state != SEED_DONE) return;
        ahead->steps += run->steps;
        if (ahead->steps > rt_steps_left(ahead->rt)) {
            end(ahead);
            return;
        }
        for (int i = 0; run->failures && i < ahead->checks->count; i++)
            if (wants_seed(&ahead->checks->items[i], run->seed)) ahead->checks->items[i].failures = run->failures[i];
        if (!next_seed(ahead->checks, run->seed + 1, &seed)) end(ahead);
    }
}

static void ready_world(SeedWorker *worker) {
    const World *world = worker->ahead->checks->world;
    if (worker->rt.world) return;
    worker->made = rt_world_create(&world->engine->memory, world->program->binding.classes, world->program->class_count);
    worker->rt.world = worker->made;
}

static void ask_all(SeedWorker *worker, SeedRun *run) {
    const Checks *checks = worker->ahead->checks;
    Rt *rt = &worker->rt;
    ready_world(worker);
    set_seed(rt, checks->seed, run->seed);
    for (int i = 0; i < checks->count && !rt_failed(rt); i++) {
        if (!wants_seed(&checks->items[i], run->seed)) continue;
        CheckFailures failures = ask_with_seed(checks->world, rt, &checks->items[i], run->seed);
        if (failures.count == 0) continue;
        if (run->failures == NULL) run->failures = ARENA_ARRAY(&worker->arena, CheckFailures, checks->count);
        run->failures[i] = failures;
    }
}

static bool worker_ends(void *user) {
    Rt *rt = user;
    if (!rt->stop) rt_poll(rt);
    return rt->stop;
}

static SeedState state_of(const RtFault *fault) {
    if (fault->code == RT_FAULT_MEMORY) return SEED_GIVEN_BACK;
    return fault->code == RT_FAULT_NONE ? SEED_DONE : SEED_BAD;
}

static SeedRun run_seed(SeedWorker *worker, int64_t seed) {
    Rt *rt = &worker->rt;
    Watch watch = {.ends = worker_ends, .user = rt, .until = rt->until};
    SeedRun run = {.seed = seed};
    int64_t steps = rt_steps_left(worker->ahead->rt);
    Recover recover;
    rt_steps_set(rt, steps);
    watch_begin(&watch);
    if (MEMORY_TRY(&recover)) {
        ask_all(worker, &run);
        memory_end_try(&recover);
    } else {
        rt->fault = (RtFault){.code = RT_FAULT_MEMORY};
    }
    watch_end(&watch);
    if (rt->fault.code == RT_FAULT_MEMORY && watch.ended) rt->fault = (RtFault){.code = RT_FAULT_STOPPED};
    run.steps = steps - rt_steps_left(rt);
    run.state = state_of(&rt->fault);
    return run;
}

static void drop_world(SeedWorker *worker) {
    RtWorld *own = worker->ahead->checks->world->parts;
    if (worker->made == NULL) return;
    __atomic_fetch_add(&own->evaluations, rt_world_evaluations(worker->made), __ATOMIC_RELAXED);
    rt_world_destroy(worker->made);
    worker->made = worker->rt.world = NULL;
}

/* Of the operation, if the running ahead did not end by itself; where it was met is told if that is in the world that stays. */
static void note_stop(const SeedWorker *worker, int number) {
    Ahead *ahead = worker->ahead;
    if (ahead->ended || worker->rt.fault.code != RT_FAULT_STOPPED) return;
    ahead->stop = number == 0 ? worker->rt.fault : (RtFault){.code = RT_FAULT_STOPPED};
    end(ahead);
}

/* One worker; number 0 is on the thread that asked. Without memory the others go on, if the host's hook is still asked. */
static void work(void *user, int number) {
    Ahead *ahead = user;
    SeedWorker *worker = &ahead->workers[number];
    int64_t seed = 0;
    pthread_mutex_lock(&ahead->lock);
    for (int at = take(ahead, &seed); at >= 0; at = rt_failed(&worker->rt) ? -1 : take(ahead, &seed)) {
        pthread_mutex_unlock(&ahead->lock);
        SeedRun run = run_seed(worker, seed);
        if (run.state == SEED_GIVEN_BACK) drop_world(worker);
        pthread_mutex_lock(&ahead->lock);
        ahead->runs[at] = run;
        note_stop(worker, number);
        if (run.state == SEED_GIVEN_BACK && number == 0) end(ahead);
        settle(ahead);
    }
    pthread_mutex_unlock(&ahead->lock);
}

static bool seed_poll(Rt *rt) {
    const Rt *asking = ((const SeedHost *)rt->host)->asking;
    return entry_is_late(rt) || __atomic_load_n(&asking->stop, __ATOMIC_RELAXED);
}

/* In place: workers know each other by where they lie. */
static void init_worker(Ahead *ahead, int number) {
    const Rt *rt = ahead->rt;
    SeedWorker *worker = &ahead->workers[number];
    *worker = (SeedWorker){.ahead = ahead, .host = {*rt->host, &ahead->workers[0].rt}};
    worker->host.host.poll = seed_poll;
    arena_init(&worker->arena, rt->arena->memory);
    rt_init(&worker->rt, number ? &worker->host.host : rt->host, rt->engine, &worker->arena);
    worker->rt.world = number ? NULL : rt->world;
    worker->rt.threads = rt->threads;
    worker->rt.pool = rt->pool;
    worker->rt.started = worker->rt.polled = rt->started;
    worker->rt.until = rt->until;
}

static void end_worker(SeedWorker *worker) {
    drop_world(worker);
    rt_fini(&worker->rt);
    arena_absorb(worker->ahead->rt->arena, &worker->arena);
}

/* Where the thread that asked is to go on from. */
static int64_t rest_of(const Ahead *ahead, int64_t first) {
    Rt *rt = ahead->rt;
    bool over = ahead->steps > rt_steps_left(rt); /* which seed had too many: all over again */
    if (!over) rt_steps_set(rt, rt_steps_left(rt) - ahead->steps);
    for (int i = 0; i < ahead->checks->count; i++) {
        Check *check = &ahead->checks->items[i];
        if (over && check->seeded) check->failures.count = 0;
        if (check->failures.count == 0) check->failed = INT64_MAX;
    }
    rt_fault_merge(rt, &ahead->stop);
    if (over) return first;
    return ahead->settled == ahead->count ? ahead->next : ahead->runs[ahead->settled].seed;
}

/* Answers the first seed that is not settled. */
static int64_t run_ahead(Checks *checks, Rt *rt, int64_t first) {
    World *world = checks->world;
    Ahead ahead = {.checks = checks, .rt = rt, .worker_count = rt->threads, .next = first};
    ahead.workers = ARENA_ARRAY(rt->arena, SeedWorker, ahead.worker_count);
    for (int i = 0; i < ahead.worker_count; i++)
        init_worker(&ahead, i);
    pthread_mutex_init(&ahead.lock, NULL);
    world->asker = &ahead.workers[0].rt;
    rt_pool_run(rt->pool, ahead.worker_count, work, &ahead);
    world->asker = rt;
    pthread_mutex_destroy(&ahead.lock);
    int64_t rest = rest_of(&ahead, first);
    for (int i = 0; i < ahead.worker_count; i++)
        end_worker(&ahead.workers[i]);
    if (ahead.runs)
        memory_resize(rt->arena->memory, ahead.runs, sizeof *ahead.runs * (size_t)ahead.capacity, 0);
    return rest;
}

static void run_from(Checks *checks, Rt *rt, int64_t first) {
    int64_t second;
    bool plain = rt_world_clock(rt->world) == checks->world->untouched;
    if (plain && rt->threads > 1 && rt->pool && next_seed(checks, first + 1, &second))
        first = run_ahead(checks, rt, first);
    run_one_by_one(checks, rt, first);
}

/* The world's own seed is put back, whatever happens. */
void checks_run_seeds(Checks *checks, Rt *rt) {
    Recover recover;
    int64_t first;
    if (checks->seed < 0 || !next_seed(checks, INT64_MIN, &first)) return;
    RtPart *root = rt_world_root(rt->world);
    World *world = checks->world;
    bool plain = rt_world_clock(rt->world) == world->untouched;
    Slot own = *rt_cell_get(rt, root, checks->seed);
    if (rt_failed(rt)) return;
    bool good = MEMORY_TRY(&recover);
    if (good) {
        run_from(checks, rt, first);
        memory_end_try(&recover);
    }
    rt_cell_put(rt, root, checks->seed, &own);
    if (plain) world->untouched = rt_world_clock(rt->world);
    if (!good) memory_fail();
}
