/* Parallel loops whose result never depends on the number of threads.
 *
 *     launcher: chunk 0 ─┬─ worker: chunks 1..n-1 in any order ─┬─ chunks that met an unready cell,
 *                        └─ worker: ...                         ┘  in order
 *
 * Chunks are the same whatever the threads; each keeps its own account (steps, unready cells), and
 * the smallest faulting element wins. A worker has an Rt and an arena of its own, absorbed when all
 * are done. A failed allocation in a chunk is that chunk's fault and never jumps across the region.
 */
#include "runtime/base/watch.h"
#include "runtime/rt/pool.h"
#include "runtime/rt/rt.h"

typedef struct Chunk {
    int64_t steps;
    bool again; /* it met an unready cell */
    bool done;
} Chunk;

typedef struct Loop {
    Rt *launcher;
    int64_t n, grain, fuel;
    RtLoopBody body;
    void *user;
    Chunk *chunks;
    Rt *workers;
    Arena *arenas;
    int worker_count;
    int64_t next, count; /* the chunk that the next worker takes, and the end of them */
} Loop;

static void run_body(Rt *rt, const Loop *loop, int64_t chunk) {
    int64_t begin = chunk * loop->grain;
    int64_t end = loop->n - begin < loop->grain ? loop->n : begin + loop->grain;
    rt->element_base = begin;
    loop->body(rt, loop->user, begin, end);
}

/* The watch of a worker; the launcher's thread has its operation's. */
static bool worker_ends(void *user) {
    Rt *rt = user;
    if (!rt->stop) rt_poll(rt);
    return rt->stop;
}

/* Runs one chunk with its own fault; a failed allocation, or a stop, becomes that fault. */
static void run_chunk(Rt *rt, const Loop *loop, int64_t chunk) {
    static const uint32_t nowhere[3];
    Watch watch = {.ends = worker_ends, .user = rt, .until = rt->until};
    RtFault before = rt->fault;
    RtScratchMark mark = rt_scratch_mark(rt);
    uint32_t reader = rt->reader;
    Arena *arena = rt->arena;
    Recover recover;
    rt->fault = (RtFault){0};
    rt_steps_set(rt, loop->fuel);
    rt->wants_cell = 0;
    if (rt->worker) watch_begin(&watch);
    if (MEMORY_TRY(&recover)) {
        run_body(rt, loop, chunk);
        memory_end_try(&recover);
    } else {
        rt->arena = arena;
        rt->reader = reader;
        rt->element_base = chunk * loop->grain;
        rt_scratch_pop(rt, mark);
        rt_fault_at(rt, watch.ended ? RT_FAULT_STOPPED : RT_FAULT_MEMORY, nowhere, 0, STR_LIT(""));
    }
    if (rt->worker) watch_end(&watch);
    loop->chunks[chunk] = (Chunk){loop->fuel - rt_steps_left(rt), rt->wants_cell != 0, true};
    RtFault now = rt->fault;
    rt->fault = before;
    if (rt->wants_cell == 0) rt_fault_merge(rt, &now);
}

static void tell_all_to_stop(const Loop *loop) {
    __atomic_store_n(&loop->launcher->stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < loop->worker_count; i++)
        __atomic_store_n(&loop->workers[i].stop, 1, __ATOMIC_RELAXED);
}

/* Between chunks, on the launcher's thread only; a worker in a long chunk asks by itself. */
static void poll_host(const Loop *loop) {
    const RtHost *host = loop->launcher->host;
    if (host && host->poll && host->poll(loop->launcher)) tell_all_to_stop(loop);
}

static void start_workers(Loop *loop) {
    Rt *launcher = loop->launcher;
    loop->workers = rt_scratch_push(launcher, sizeof *loop->workers * (size_t)loop->worker_count);
    loop->arenas = rt_scratch_push(launcher, sizeof *loop->arenas * (size_t)loop->worker_count);
    for (int i = 0; i < loop->worker_count; i++) {
        arena_init(&loop->arenas[i], launcher->arena->memory);
        rt_init(&loop->workers[i], launcher->host, launcher->engine, &loop->arenas[i]);
        loop->workers[i].world = launcher->world;
        loop->workers[i].reader = launcher->reader;
        loop->workers[i].worker = i + 1;
        loop->workers[i].stop = launcher->stop;
        loop->workers[i].started = loop->workers[i].polled = launcher->started;
        loop->workers[i].until = launcher->until;
    }
}

static void end_workers(Loop *loop) {
    for (int i = 0; i < loop->worker_count; i++) {
        rt_fault_merge(loop->launcher, &loop->workers[i].fault);
        rt_fini(&loop->workers[i]);
        if (loop->arenas[i].taken == 0 && !rt_failed(&loop->workers[i])) /* nothing it made is left */
            arena_fini(&loop->arenas[i]);
        else
            arena_absorb(loop->launcher->arena, &loop->arenas[i]);
    }
}

/* One worker, chunk by chunk; number 0 is on the launcher's thread. */
static void work(void *user, int number) {
    Loop *loop = user;
    Rt *worker = &loop->workers[number];
    int64_t chunk;
    while ((chunk = __atomic_fetch_add(&loop->next, 1, __ATOMIC_RELAXED)) < loop->count) {
        if (number == 0) poll_host(loop);
        if (__atomic_load_n(&worker->stop, __ATOMIC_RELAXED)) return;
        run_chunk(worker, loop, chunk);
        if (worker->stop) tell_all_to_stop(loop);
    }
}

/* Who has no pool gets one for the loop. */
static void run_on_workers(Loop *loop, int64_t count) {
    Rt *rt = loop->launcher;
    loop->next = 1;
    loop->count = count;
    start_workers(loop);
    RtPool *pool = rt->pool ? rt->pool : rt_pool_create(rt->arena->memory, loop->worker_count);
    rt_pool_run(pool, loop->worker_count, work, loop);
    end_workers(loop);
    if (pool != rt->pool) rt_pool_destroy(pool);
}

/* Whatever is not done, in order; all of it when there are no workers. */
static void run_on_launcher(Loop *loop, int64_t first, int64_t end) {
    for (int64_t chunk = first; chunk < end; chunk++) {
        if (loop->chunks[chunk].done && !loop->chunks[chunk].again) continue;
        poll_host(loop);
        if (loop->launcher->stop) return;
        run_chunk(loop->launcher, loop, chunk);
    }
}

/* Takes the steps of all chunks, in order; the chunk that passes the limit carries the fault. */
static void settle_steps(Loop *loop, int64_t count) {
    static const uint32_t nowhere[3];
    Rt *rt = loop->launcher;
    int64_t left = loop->fuel;
    rt_steps_set(rt, left);
    for (int64_t chunk = 0; chunk < count; chunk++) {
        rt->element_base = chunk * loop->grain;
        if (!loop->chunks[chunk].done) {
            rt_fault_at(rt, RT_FAULT_STOPPED, nowhere, 0, STR_LIT(""));
            return;
        }
        left -= loop->chunks[chunk].steps;
        rt_steps_set(rt, left);
        if (left < 0) {
            rt_fault_at(rt, RT_FAULT_LIMIT, nowhere, 0, STR_LIT("steps"));
            return;
        }
    }
}

static void run_chunks(Loop *loop, int64_t count) {
    Rt *rt = loop->launcher;
    run_on_launcher(loop, 0, 1);
    loop->worker_count = rt->threads < count - 1 ? rt->threads : (int)(count - 1);
    bool alone = loop->worker_count < 2 || rt->worker || rt->stop;
    if (!alone)
        run_on_workers(loop, count);
    else
        loop->worker_count = 0;
    run_on_launcher(loop, 1, count);
    settle_steps(loop, count);
}

void rt_parallel(Rt *rt, int64_t n, int64_t grain, RtLoopBody body, void *user) {
    if (n <= 0) return;
    if (grain < 1) grain = 1;
    int64_t count = (n - 1) / grain + 1;
    RtScratchMark mark = rt_scratch_mark(rt);
    RtFault outer = rt->fault;
    int64_t element_base = rt->element_base;
    int32_t wanted = rt->wants_cell;
    Loop loop = {
        .launcher = rt, .n = n, .grain = grain, .fuel = rt_steps_left(rt), .body = body, .user = user};
    loop.chunks = rt_scratch_push(rt, sizeof *loop.chunks * (size_t)count);
    memset(loop.chunks, 0, sizeof *loop.chunks * (size_t)count);
    rt->fault = (RtFault){0};
    run_chunks(&loop, count);
    for (int64_t i = 0; i < count; i++)
        wanted |= loop.chunks[i].again;
    rt->wants_cell = wanted;
    rt->element_base = element_base;
    RtFault inner = rt->fault;
    inner.element = element_base; /* to whoever asked, the whole batch is one of its elements */
    rt->fault = outer;
    rt_fault_merge(rt, &inner);
    rt_scratch_pop(rt, mark);
}
