/* The frame of every public operation: lock, recovery point, the asking Rt, and faults made into
 * diagnostics. */
#include <stdio.h>

#include "compiler/engine/open/overlay.h"
#include "runtime/base/clock.h"

enum { POLL_MS = 50 };

/* Loop steps of one operation: an island of a million samples takes some hundred million. */
static const int64_t step_limit = 100000000000;

/* Asked between chunks of work; passes on to the host a few times a second. */
bool entry_poll(Rt *rt) {
    World *world = rt->engine;
    double now = clock_seconds();
    double limit = world->engine->desc.limits.build_seconds;
    if (limit > 0 && now - rt->started > limit) return true;
    if (world->desc.progress == NULL || now - rt->polled < POLL_MS * 1e-3) return false;
    rt->polled = now;
    bool has_lock = atomic_load_explicit(&world->asker, memory_order_relaxed) == rt;
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
    rt->started = rt->polled = clock_seconds();
    rt_steps_set(rt, step_limit);
}

static WorldStatus status_of_fault(int32_t code) {
    if (code == RT_FAULT_NONE) return WORLD_OK;
    if (code == RT_FAULT_MEMORY) return WORLD_ERROR_MEMORY;
    return code == RT_FAULT_LIMIT || code == RT_FAULT_STOPPED ? WORLD_ERROR_LIMIT
                                                              : WORLD_ERROR_WORLD;
}

WorldStatus entry_fault(World *world, const Rt *rt) {
    if (!rt_failed(rt)) return WORLD_OK;
    report_fault(world, &rt->fault);
    return status_of_fault(rt->fault.code);
}

/* Once what was worked out is given back, so that there is room to say it. */
static void report_memory(World *world) {
    Recover recover;
    if (world->report.diags.error_count == 0 && MEMORY_TRY(&recover)) {
        char limit[32];
        snprintf(limit, sizeof limit, "%zu bytes", world->engine->memory.limit);
        diag_add(&world->report.diags, DIAG_E_LIMIT_MEMORY, (Span){0}, limit);
        memory_end_try(&recover);
    }
}

/* What an operation does with its world. */
typedef enum EntryKind { ENTRY_RUN, ENTRY_LOOK, ENTRY_CHANGE } EntryKind;

typedef struct Entry {
    Arena arena;
    Rt rt;
    EntryKind kind;
} Entry;

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
        status = WORLD_ERROR_MEMORY;
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
    Arena arena;
    Rt rt;
    Recover recover;
    if (host_place(world) == HOST_ON_WORKER) return WORLD_ERROR_ARGUMENT;
    arena_init(&arena, &world->engine->memory);
    entry_rt(world, &rt, &arena);
    if (MEMORY_TRY(&recover)) {
        body(&rt, args);
        memory_end_try(&recover);
    } else {
        rt.fault = (RtFault){.code = RT_FAULT_MEMORY};
    }
    WorldStatus status = rt_failed(&rt) ? report_call(world, &rt) : WORLD_OK;
    rt_fini(&rt);
    arena_fini(&arena);
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
    Entry entry = {.kind = kind};
    const Rt *outer = world->asker;
    const char *working = world->working;
    world->depth++;
    world->asker = &entry.rt;
    world->working = "";
    arena_init(&entry.arena, &world->engine->memory);
    entry_rt(world, &entry.rt, &entry.arena);
    take_spare(world, &entry.rt);
    WorldStatus status = run_guarded(world, &entry, body, args);
    give_spare(world, &entry.rt);
    arena_fini(&entry.arena);
    if (status == WORLD_ERROR_MEMORY) report_memory(world);
    world->depth--;
    world->asker = outer;
    world->working = working;
    return status;
}

static WorldStatus run(World *world, EntryKind kind, EntryBody body, void *args) {
    WorldStatus status = WORLD_ERROR_ARGUMENT;
    if (world == NULL || host_place(world) == HOST_ON_WORKER) return status;
    pthread_mutex_lock(&world->lock);
    if (kind != ENTRY_CHANGE || entry_may_change(world))
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
