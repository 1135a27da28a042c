/* Steps: seconds of a host as whole ticks, keys, and what happened. */
#include <math.h>

#include "compiler/engine/live/live.h"

static const double least_step = 1e-4, most_step = 3600; /* seconds a tick */
static const double default_step = 1.0 / 60;
enum { MOST_ACTS = 1000000, MOST_TICKS = 100000 /* of one call */ };

/* The file's own field `step`, when it is seconds; a fault at its text when it is too short or too long. */
static double step_of(World *world, Rt *rt) {
    RtPart *root = rt_world_root(world->parts);
    const TreeClass *cls = parts_class(world, root);
    int field = parts_field(cls, &world->compile->symbols, STR_LIT("step"));
    const Type *type = field < 0 ? NULL : cls->fields.items[field].type;
    bool seconds = type && type->kind == TYPE_NUMBER && type->dims.time == SIXTHS && type->dims.length == 0 && type->dims.angle == 0;
    double step = seconds ? rt_cell_get(rt, root, field)->f : default_step;
    if (rt_failed(rt) || (step >= least_step && step <= most_step)) return step;
    rt_fault(rt, RT_FAULT_ARGUMENT, "a step of %g s; from %g s to %g s is possible", step, least_step, most_step);
    rt_fault_place(rt, root->cls->fields[field].span);
    return step;
}

RtLife *live_begin(World *world, Rt *rt, WorldStatus *status) {
    RtLife *life = rt_life_of(world->parts);
    *status = WORLD_OK;
    if (life) return life;
    double step = step_of(world, rt);
    *status = entry_fault(world, rt);
    if (*status != WORLD_OK) return NULL;
    uint32_t acts = world->engine->desc.limits.acts;
    life = rt_life(world->parts, step, (RtLifeLimits){.acts = acts ? acts : MOST_ACTS});
    if (life == NULL) *status = WORLD_ERROR_MEMORY;
    return life;
}

/* -- steps -- */

typedef struct StepCall {
    double seconds;
    int64_t ticks; /* in place of seconds; -1: none */
} StepCall;

static WorldStatus tick(World *world, Rt *rt, RtLife *life) {
    Str keys[LIVE_KEYS];
    for (int i = 0; i < world->key_count; i++)
        keys[i] = str_of(world->keys[i]);
    bool good = rt_life_tick(rt, life, keys, world->key_count);
    world->key_count = 0;
    return good ? WORLD_OK : entry_fault(world, rt);
}

static WorldStatus step(World *world, Rt *rt, void *args) {
    const StepCall *call = args;
    WorldStatus status;
    RtLife *life = live_begin(world, rt, &status);
    if (life == NULL) return status;
    double each = rt_life_step(life);
    int64_t ticks = call->ticks;
    if (ticks < 0) {
        world->owed += call->seconds;
        ticks = (int64_t)floor(world->owed / each + 1e-9);
        world->owed -= (double)ticks * each;
    }
    if (ticks > MOST_TICKS) {
        world->owed = 0;
        rt_fault(rt, RT_FAULT_LIMIT, "ticks of one call; at most %d", MOST_TICKS);
        return entry_fault(world, rt);
    }
    int64_t steps = rt_steps_left(rt); /* each tick has the steps of an operation */
    for (int64_t i = 0; i < ticks && status == WORLD_OK; i++) {
        rt_steps_set(rt, steps);
        status = tick(world, rt, life);
    }
    if (ticks && rt_life_stirred(life)) world_has_lived(world);
    return status;
}

WorldStatus world_step(World *world, double seconds) {
    StepCall call = {seconds, -1};
    if (world == NULL || !(seconds >= 0 && seconds <= 1e9)) return WORLD_ERROR_ARGUMENT;
    return entry_change(world, step, &call);
}

WorldStatus world_tick(World *world) {
    StepCall call = {0, 1};
    return world ? entry_change(world, step, &call) : WORLD_ERROR_ARGUMENT;
}

typedef struct ClockCall {
    WorldTime *clock;
} ClockCall;

static WorldStatus get_clock(World *world, Rt *rt, void *args) {
    const ClockCall *call = args;
    WorldStatus status;
    RtLife *life = live_begin(world, rt, &status);
    if (life == NULL) return status;
    WorldTime clock = {.size = sizeof clock, .tick = rt_life_ticks(life), .step = rt_life_step(life)};
    clock.now = (double)clock.tick * clock.step;
    return entry_fill(call->clock, &clock) ? WORLD_OK : WORLD_ERROR_ARGUMENT;
}

WorldStatus world_time(World *world, WorldTime *clock) {
    ClockCall call = {clock};
    return world && clock ? entry_run(world, get_clock, &call) : WORLD_ERROR_ARGUMENT;
}

static WorldStatus show(World *world, Rt *rt, void *args) {
    rt_life_show(rt, world->parts, *(const double *)args);
    world_has_lived(world);
    return WORLD_OK;
}

WorldStatus world_show(World *world, double seconds) {
    if (world == NULL || !isfinite(seconds)) return WORLD_ERROR_ARGUMENT;
    return entry_change(world, show, &seconds);
}

/* -- keys -- */

static WorldStatus press(World *world, Rt *rt, void *args) {
    const char *name = args;
    (void)rt;
    if (world->key_count == LIVE_KEYS || strlen(name) >= LIVE_KEY_BYTES) return WORLD_ERROR_LIMIT;
    strcpy(world->keys[world->key_count++], name);
    return WORLD_OK;
}

WorldStatus world_press(World *world, const char *name) {
    if (world == NULL || name == NULL || name[0] == '\0') return WORLD_ERROR_ARGUMENT;
    return entry_change(world, press, (void *)(uintptr_t)name);
}

/* -- events -- */

typedef struct EventCall {
    WorldEvent *event;
    bool *any;
} EventCall;

static WorldStatus next_event(World *world, Rt *rt, void *args) {
    static const WorldEventKind kinds[] = {[RT_EVENT_SAID] = WORLD_EVENT_SAID,
                                           [RT_EVENT_SPAWNED] = WORLD_EVENT_SPAWNED,
                                           [RT_EVENT_REMOVED] = WORLD_EVENT_REMOVED,
                                           [RT_EVENT_FIRED] = WORLD_EVENT_FIRED};
    const EventCall *call = args;
    RtLife *life = rt_life_of(world->parts);
    RtEvent event;
    (void)rt;
    *call->any = life && rt_life_event(life, &event);
    if (!*call->any) return WORLD_OK;
    WorldEvent full = {.size = sizeof full, .kind = kinds[event.kind], .tick = event.tick, .path = event.path.ptr, .text = event.text.ptr};
    return entry_fill(call->event, &full) ? WORLD_OK : WORLD_ERROR_ARGUMENT;
}

bool world_event_next(World *world, WorldEvent *event) {
    bool any = false;
    EventCall call = {event, &any};
    return world && event && entry_change(world, next_event, &call) == WORLD_OK && any;
}
