/* The frame of every public operation: lock, recovery point, the asking Rt, and faults made into
 * diagnostics. */
#include "compiler/engine/open/overlay.h"
#include "runtime/base/clock.h"
#include "runtime/base/watch.h"

static const double hook_every = 0.05; /* seconds between two questions to the host */

/* Seconds in which what was told to stop does so by itself, and says where; then it is left. */
static const double grace = 0.05;

/* Loop steps of one operation: an island of a million samples takes some hundred million. */
static const int64_t step_limit = 100000000000;

static bool is_late(const Rt *rt, double now) {
    return rt->until > 0 && now > rt->until;
}

bool entry_is_late(const Rt *rt) {
    return is_late(rt, clock_seconds());
}

/* Asked between chunks of work, by any thread; passes on to the host a few times a second, on the thread that asks
 * (worker 1 is it too). */
bool entry_poll(Rt *rt) {
    World *world = rt->engine;
    double now = clock_seconds();
    if (is_late(rt, now)) return true;
    if (rt->worker > 1 || !world->desc.progress || now - rt->polled < hook_every) return false;
    rt->polled = now;
    bool has_lock = atomic_load_explicit(&world->asker, memory_order_relaxed) == rt;
    if (has_lock) world->task = rt->task;
    return world->desc.progress(world->desc.progress_user, has_lock ? world->working : "",
                                now - rt->started);
}

bool entry_fill(void *out, const void *full) {
    size_t known = *(size_t *)out, size = *(const size_t *)full;
    if (known <= sizeof size) return false; /* never said */
    memcpy((char *)out + sizeof size, (const char *)full + sizeof size,
           (known < size ? known : size) - sizeof size);
    return true;
}

void entry_rt(World *world, Rt *rt, Arena *arena) {
    world->host.authors = world->compile ? world->compile->file : 0;
    rt_init(rt, &world->host, world, arena);
    rt->world = world->parts;
    rt->threads = world->engine->threads;
    rt->pool = world->engine->pool;
    rt->started = rt->polled = clock_seconds();
    double limit = world->engine->desc.limits.build_seconds;
    rt->until = limit > 0 ? rt->started + limit : 0;
    rt_steps_set(rt, step_limit);
}

/* A failed allocation of what a watch has ended is a stop. */
WorldStatus entry_fault(World *world, const Rt *rt) {
    RtFault fault = rt->fault;
    if (!rt_failed(rt)) return WORLD_OK;
    if (fault.code == RT_FAULT_MEMORY && watch_ended()) fault.code = RT_FAULT_STOPPED;
    Diag *diag = report_fault(world, &fault);
    if (fault.code == RT_FAULT_STOPPED && entry_is_late(rt))
        report_late(world, &world->report.diags, diag);
    return report_status_of(diag->id);
}

/* Once what was worked out is given back, so that there is room to say it. */
static void report_end(World *world, const Rt *rt, WorldStatus status) {
    Recover recover;
    if (world->report.diags.error_count == 0 && MEMORY_TRY(&recover)) {
        report_ended(world, &world->report.diags, status, entry_is_late(rt));
        memory_end_try(&recover);
    }
}

/* What an operation does with its world. */
typedef enum EntryKind { ENTRY_RUN, ENTRY_LOOK, ENTRY_CHANGE } EntryKind;

typedef struct Entry {
    Arena arena;
    Rt rt;
    EntryKind kind;
    Watch watch;
    double told; /* when it was told to stop; 0: it was not */
} Entry;

/* The watch of an operation: what runs is told to stop, and left when it does not hear. */
static bool entry_ends(void *user) {
    Entry *entry = user;
    if (!entry->rt.stop && !entry_poll(&entry->rt)) return false;
    double now = clock_seconds();
    entry->rt.stop = 1;
    if (entry->told == 0) entry->told = now;
    return now - entry->told > grace;
}

static void entry_begin(World *world, EntryKind kind, Entry *entry) {
    *entry = (Entry){.kind = kind, .watch = {.ends = entry_ends, .user = entry}};
    arena_init(&entry->arena, &world->engine->memory);
    entry_rt(world, &entry->rt, &entry->arena);
    entry->watch.until = entry->rt.until;
    watch_begin(&entry->watch);
}

/* Why it was left: what was said, or a stop, or memory. */
static WorldStatus left(const World *world, const Entry *entry) {
    if (world->report.diags.error_count) return report_status(&world->report.diags);
    return entry->watch.ended ? WORLD_ERROR_LIMIT : WORLD_ERROR_MEMORY;
}

bool entry_may_change(World *world) {
    Recover recover;
    if (world->depth == 0 && host_place(world) == HOST_OUTSIDE) return true;
    if (MEMORY_TRY(&recover)) {
        diag_add(&world->report.diags, DIAG_E_CHANGED_INSIDE, (Span){0});
        memory_end_try(&recover);
    }
    return false;
}

/* A text that has errors tells them again; else it was not to be made ready. */
static WorldStatus report_unready(World *world) {
    Compile *c = world->compile;
    if (c && c->diags.error_count)
        world->report.shown = &c->diags;
    else
        diag_add(&world->report.diags, DIAG_E_STOPPED_EARLY, (Span){0},
                 world->desc.stop_after ? world->desc.stop_after : "");
    return WORLD_ERROR_WORLD;
}

static WorldStatus run_body(World *world, Entry *entry, EntryBody body, void *args) {
    if (world->compile) report_clear(&world->report, &world->compile->sources);
    if (world->depth == 1) overlays_sweep(world);
    if (entry->kind == ENTRY_LOOK ? !world->compile : !world->parts) return report_unready(world);
    return body(world, &entry->rt, args);
}

static WorldStatus run_guarded(World *world, Entry *entry, EntryBody body, void *args) {
    Recover recover;
    WorldStatus status;
    if (MEMORY_TRY(&recover)) {
        status = run_body(world, entry, body, args);
        memory_end_try(&recover);
    } else {
        status = left(world, entry);
    }
    return status;
}

static WorldStatus report_call(World *world, const Rt *rt) {
    pthread_mutex_lock(&world->lock);
    Recover recover;
    WorldStatus status;
    if (MEMORY_TRY(&recover)) {
        report_clear(&world->report, &world->compile->sources);
        status = entry_fault(world, rt);
        memory_end_try(&recover);
    } else {
        status = WORLD_ERROR_MEMORY;
    }
    pthread_mutex_unlock(&world->lock);
    return status;
}

WorldStatus entry_call(World *world, EntryCall body, void *args) {
    Entry entry;
    Recover recover;
    if (host_place(world) == HOST_ON_WORKER) return WORLD_ERROR_ARGUMENT;
    entry_begin(world, ENTRY_RUN, &entry);
    if (MEMORY_TRY(&recover)) {
        body(&entry.rt, args);
        memory_end_try(&recover);
    } else {
        entry.rt.fault =
            (RtFault){.code = entry.watch.ended ? RT_FAULT_STOPPED : RT_FAULT_MEMORY};
    }
    watch_end(&entry.watch);
    WorldStatus status = rt_failed(&entry.rt) ? report_call(world, &entry.rt) : WORLD_OK;
    rt_fini(&entry.rt);
    arena_fini(&entry.arena);
    return status;
}

/* Each operation works in the storage of the one before. */
static void take_spare(World *world, Rt *rt) {
    rt->scratch = world->spare;
    world->spare = (RtScratch){0};
}

static void give_spare(World *world, const Rt *rt) {
    Memory *memory = &world->engine->memory;
    rt_scratch_fini(&world->spare, memory); /* of an operation inside this one */
    world->spare = rt->scratch;
    rt_scratch_shrink(&world->spare, memory);
}

static WorldStatus run_locked(World *world, EntryKind kind, EntryBody body, void *args) {
    Entry entry;
    const Rt *outer = world->asker;
    const char *working = world->working;
    RtTask task = world->task;
    world->depth++;
    entry_begin(world, kind, &entry);
    world->asker = &entry.rt;
    world->working = "";
    world->task = (RtTask){0};
    take_spare(world, &entry.rt);
    WorldStatus status = run_guarded(world, &entry, body, args);
    watch_end(&entry.watch);
    give_spare(world, &entry.rt);
    arena_fini(&entry.arena);
    if (status == WORLD_ERROR_MEMORY || entry.watch.ended)
        report_end(world, &entry.rt, status);
    world->depth--;
    world->asker = outer;
    world->working = working;
    world->task = task;
    return status;
}

static WorldStatus run(World *world, EntryKind kind, EntryBody body, void *args) {
    WorldStatus status = WORLD_ERROR_ARGUMENT;
    if (world == NULL || host_place(world) == HOST_ON_WORKER) return status;
    pthread_mutex_lock(&world->lock);
    /* The hook of a reload asks when there is nothing whole to ask. */
    if (!world->loading && (kind != ENTRY_CHANGE || entry_may_change(world)))
        status = run_locked(world, kind, body, args);
    pthread_mutex_unlock(&world->lock);
    return status;
}

WorldStatus entry_run(World *world, EntryBody body, void *args) {
    return run(world, ENTRY_RUN, body, args);
}

WorldStatus entry_look(World *world, EntryBody body, void *args) {
    return run(world, ENTRY_LOOK, body, args);
}

WorldStatus entry_change(World *world, EntryBody body, void *args) {
    return run(world, ENTRY_CHANGE, body, args);
}
