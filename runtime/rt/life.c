/* Ticks: who listens, what fires, in which order. See life.h. */
#include <stdlib.h>

#include "runtime/rt/life_inside.h"
#include "runtime/rt/trigger.h"

/* -- a life begins -- */

static int compare_spans(const void *a, const void *b) {
    const Handler *x = a, *y = b;
    for (int i = 0; i < 2; i++)
        if (x->span[i] != y->span[i]) return x->span[i] < y->span[i] ? -1 : 1;
    return (x->acts > y->acts) - (x->acts < y->acts);
}

/* Handlers in the order of the text. A copy's are those of its design. */
static void find_handlers(RtLife *life) {
    const RtWorld *world = life->world;
    VEC(Handler) all = {0};
    for (int c = 0; c < world->class_count; c++)
        for (int i = 0; i < world->classes[c]->handler_count; i++) {
            const RtHandler *from = &world->classes[c]->handlers[i];
            Handler handler = {.field = from->field, .acts = from->acts};
            memcpy(handler.span, from->span, sizeof handler.span);
            VEC_PUSH(&life->arena, &all, handler);
        }
    if (all.count) qsort(all.items, (size_t)all.count, sizeof *all.items, compare_spans);
    for (int i = 0; i < all.count; i++)
        if (i == 0 || compare_spans(&all.items[i], &all.items[life->handler_count - 1]) != 0)
            all.items[life->handler_count++] = all.items[i];
    life->handlers = all.items;
}

static int32_t number_of(const RtLife *life, const RtHandler *of) {
    Handler key = {.acts = of->acts};
    memcpy(key.span, of->span, sizeof key.span);
    const Handler *found = bsearch(&key, life->handlers, (size_t)life->handler_count, sizeof key, compare_spans);
    return (int32_t)(found - life->handlers);
}

static void number_handlers(RtLife *life) {
    const RtWorld *world = life->world;
    life->table_of = ARENA_ARRAY(&life->arena, int32_t *, world->class_count);
    for (int c = 0; c < world->class_count; c++) {
        const RtClass *cls = world->classes[c];
        life->table_of[c] = ARENA_ARRAY(&life->arena, int32_t, cls->handler_count);
        for (int i = 0; i < cls->handler_count; i++)
            life->table_of[c][i] = number_of(life, &cls->handlers[i]);
    }
}

/* A family whose design is only known when it runs may be of any. */
static bool class_lives(const RtLife *life, const RtClass *cls) {
    if (cls->handler_count) return true;
    for (int i = 0; i < cls->child_count; i++)
        if (life->lives[cls->children[i].cls]) return true;
    for (int i = 0; i < cls->family_count; i++)
        if (cls->families[i].cls < 0 ? life->handler_count > 0 : life->lives[cls->families[i].cls]) return true;
    return false;
}

static void find_living(RtLife *life) {
    const RtWorld *world = life->world;
    life->lives = ARENA_ARRAY(&life->arena, bool, world->class_count);
    for (bool more = true; more;) {
        more = false;
        for (int c = 0; c < world->class_count; c++) {
            if (life->lives[c] || !class_lives(life, world->classes[c])) continue;
            life->lives[c] = more = true;
        }
    }
}

static void find_clock(RtLife *life) {
    const RtClass *root = life->world->classes[0];
    int32_t found[3] = {-1, -1, -1};
    for (int32_t i = 0, n = 0; i < root->field_count && n < 3; i++)
        if (root->fields[i].clock) found[n++] = i;
    life->now = found[0];
    life->dt = found[1];
    life->ticks = found[2];
}

RtLife *rt_life_of(const RtWorld *world) {
    return world->life;
}

RtLife *rt_life(RtWorld *world, double step, RtLifeLimits limits) {
    Recover recover;
    Arena arena;
    if (world->life) return world->life;
    arena_init(&arena, world->memory);
    RtLife *volatile made = NULL;
    if (!MEMORY_TRY(&recover)) {
        if (made) arena = made->arena; /* which has grown since */
        arena_fini(&arena);
        return NULL;
    }
    RtLife *life = ARENA_NEW(&arena, RtLife);
    *life = (RtLife){.world = world, .arena = arena, .step = step, .limits = limits};
    made = life;
    find_handlers(life);
    number_handlers(life);
    find_living(life);
    find_clock(life);
    life->events = ARENA_ARRAY(&life->arena, RtEvent, EVENTS_KEPT);
    arena_init(&life->tick_arena, world->memory);
    memory_end_try(&recover);
    return world->life = life;
}

void life_destroy(RtLife *life) {
    if (life == NULL) return;
    for (int i = 0; i < life->laters.count; i++)
        version_release(life->world, life->laters.items[i].version);
    arena_fini(&life->tick_arena);
    Arena arena = life->arena;
    arena_fini(&arena);
}

int64_t rt_life_ticks(const RtLife *life) { return life->tick; }
double rt_life_step(const RtLife *life) { return life->step; }
int64_t rt_life_orders(const RtLife *life) { return life->order; }
int rt_life_handlers(const RtLife *life) { return life->handler_count; }
int32_t rt_life_acts(const RtLife *life, int handler) { return life->handlers[handler].acts; }

RtListener *rt_life_listeners(RtLife *life, int handler, int *count) {
    *count = life->handlers[handler].listeners.count;
    return life->handlers[handler].listeners.items;
}

RtLater *rt_life_laters(RtLife *life, int *count) {
    *count = life->laters.count;
    return life->laters.items;
}

/* -- the clock -- */

static void put(Rt *rt, RtWorld *world, int32_t field, Slot value) {
    if (field < 0) return;
    if (world->life && world->root->cells[field].readers) world->life->stirred = true;
    rt_cell_put(rt, world->root, field, &value);
}

bool rt_life_stirred(RtLife *life) {
    bool stirred = life->stirred;
    life->stirred = false;
    return stirred;
}

static void set_clock(Rt *rt, RtLife *life) {
    put(rt, life->world, life->now, slot_f((double)life->tick * life->step));
    put(rt, life->world, life->dt, slot_f(life->step));
    put(rt, life->world, life->ticks, slot_i(life->tick));
}

void rt_life_set_clock(Rt *rt, RtLife *life, int64_t tick, int64_t order) {
    life->tick = tick;
    life->order = order;
    set_clock(rt, life);
}

void rt_life_show(Rt *rt, RtWorld *world, double seconds) {
    RtLife found = {.world = world};
    find_clock(&found);
    put(rt, world, found.now, slot_f(seconds));
    brood_sweep(world);
}

/* -- who listens -- */

typedef struct Listening {
    Rt *rt;
    RtLife *life;
    bool fresh;
} Listening;

static void listen_part(void *user, RtPart *part);

static bool lives(const RtLife *life, const RtPart *part) {
    return life->lives[part->cls->index] || life->lives[part->site->index];
}

/* All of them or, without memory, none. */
static void add_listeners(RtLife *life, RtPart *part, bool fresh) {
    const int32_t *tables = life->table_of[part->cls->index];
    for (int i = 0; i < part->cls->handler_count; i++) {
        VEC_ROOM(&life->arena, &life->handlers[tables[i]].fresh, 1);
        VEC_ROOM(&life->arena, &life->handlers[tables[i]].listeners, 1);
    }
    for (int i = 0; i < part->cls->handler_count; i++) {
        Handler *handler = &life->handlers[tables[i]];
        RtListener listener = {.part = part, .origin = life->tick - (life->ticking && !fresh), .held = -1};
        if (fresh)
            VEC_PUSH(&life->arena, &handler->fresh, listener);
        else
            VEC_PUSH(&life->arena, &handler->listeners, listener);
    }
}

/* A class that lives has its children made and its families' loops run. */
static void listen_inside(Listening *l, RtPart *part) {
    if (lives(l->life, part)) {
        for (int32_t i = 0; i < part->cls->child_count && !rt_failed(l->rt); i++)
            if (l->life->lives[part->cls->children[i].cls]) rt_part_child(l->rt, part, i);
        if (part->cls->elaborate_count) {
            rt_part_elaborate(l->rt, part);
            VEC_PUSH(&l->life->arena, &l->life->holders, part);
        }
    }
    if (!rt_failed(l->rt)) rt_part_each(part, listen_part, l);
}

static void listen_part(void *user, RtPart *part) {
    Listening *l = user;
    if (rt_failed(l->rt) || part->gone) return;
    part->walked = l->life->walk;
    if (!part->listens) {
        add_listeners(l->life, part, l->fresh);
        part->listens = true;
    }
    listen_inside(l, part);
}

bool life_listen(Rt *rt, RtLife *life, RtPart *part, bool fresh) {
    listen_part(&(Listening){rt, life, fresh}, part);
    return !rt_failed(rt);
}

static void keep_listeners(RtLife *life, bool walked) {
    for (int h = 0; h < life->handler_count; h++) {
        Handler *handler = &life->handlers[h];
        int kept = 0;
        for (int i = 0; i < handler->listeners.count; i++) {
            RtListener *listener = &handler->listeners.items[i];
            bool stays = !listener->part->gone && (!walked || listener->part->walked == life->walk);
            if (stays) handler->listeners.items[kept++] = *listener;
            else listener->part->listens = false;
        }
        handler->listeners.count = kept;
    }
    int kept = 0;
    for (int i = 0; i < life->holders.count; i++)
        if (!life->holders.items[i]->gone) life->holders.items[kept++] = life->holders.items[i];
    life->holders.count = kept;
}


static bool families_stale(const RtLife *life) {
    for (int i = 0; i < life->holders.count; i++) {
        const RtPart *part = life->holders.items[i];
        int32_t families = part->cls->field_count;
        if (part->marks[families] == RT_MARK_EMPTY || part->cells[families].changed > life->walked_at) return true;
    }
    return false;
}

bool rt_life_ready(Rt *rt, RtLife *life) {
    if (life->handler_count == 0 || (life->walked && !families_stale(life))) return true;
    if (life->undoable) life_note_listeners(life);
    life->walk++;
    life->holders.count = 0;
    life->walked = false;
    if (!life_listen(rt, life, life->world->root, false)) return false;
    keep_listeners(life, true);
    life->walked_at = life->world->clock;
    return life->walked = true;
}

void rt_life_order(RtLife *life, int handler, const int *order) {
    Handler *of = &life->handlers[handler];
    RtListener *now = ARENA_ARRAY(&life->tick_arena, RtListener, of->listeners.count + 1);
    for (int i = 0; i < of->listeners.count; i++)
        now[i] = of->listeners.items[order[i]];
    memcpy(of->listeners.items, now, sizeof *now * (size_t)of->listeners.count);
}

/* -- what fires -- */

static bool is_pressed(const RtText *name, const Str *keys, int key_count) {
    for (int i = 0; name && i < key_count; i++)
        if (str_equal(keys[i], name->text)) return true;
    return false;
}

static void name_part(Rt *rt, const RtPart *part, int32_t field) {
    if (!rt_failed(rt) || rt->fault.part) return;
    rt->fault.part = part;
    rt->fault.field = field;
}

static bool beat_fires(Rt *rt, const RtLife *life, RtListener *listener, double period) {
    if (!(period > 0)) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "every(%g s), which never comes", period);
        return false;
    }
    if (period != listener->period) {
        if (listener->period != 0) listener->next_origin = life->tick;
        listener->next_fired = 0;
        listener->next_period = period;
    }
    double count = (double)(life->tick - listener->next_origin) * life->step / period + 1e-6;
    int64_t whole = count < 9e18 ? (int64_t)count : INT64_MAX;
    if (whole <= listener->next_fired) return false;
    listener->next_fired = whole;
    return true;
}

static bool fires(Rt *rt, const RtLife *life, RtListener *listener, const Slot *trigger, const Str *keys, int key_count) {
    listener->next_origin = listener->origin;
    listener->next_fired = listener->fired;
    listener->next_period = listener->period;
    listener->next_held = listener->held;
    switch (trigger[TRIGGER_KIND].i) {
    case TRIGGER_CHANGE:
        listener->next_held = trigger[TRIGGER_HOLDS].w != 0;
        return listener->next_held && listener->held == 0;
    case TRIGGER_BEAT:
        return beat_fires(rt, life, listener, trigger[TRIGGER_PERIOD].f);
    default:
        return is_pressed(trigger[TRIGGER_NAME].r, keys, key_count);
    }
}

static void read_triggers(Rt *rt, RtLife *life, Handler *handler, const Str *keys, int key_count) {
    handler->first_due = life->due.count;
    for (int i = 0; i < handler->listeners.count && !rt_failed(rt); i++) {
        RtListener *listener = &handler->listeners.items[i];
        const Slot *trigger = rt_cell_get(rt, listener->part, handler->field);
        if (rt_failed(rt)) return;
        bool due = fires(rt, life, listener, trigger, keys, key_count);
        rt_fault_place(rt, handler->span);
        name_part(rt, listener->part, handler->field);
        if (!due) continue;
        VEC_PUSH(&life->arena, &life->due, slot_r(listener->part));
        const RtText *name = trigger[TRIGGER_KIND].i == TRIGGER_CHANGE ? trigger[TRIGGER_NAME].r : NULL;
        if (name && name->text.len) life_event(life, RT_EVENT_FIRED, listener->part, name->text);
    }
    handler->due = life->due.count - handler->first_due;
}

/* -- what was put off: a heap -- */

static bool comes_before(const RtLater *a, const RtLater *b) {
    return a->due != b->due ? a->due < b->due : a->order < b->order;
}

static void sift_up(RtLife *life, int at) {
    RtLater *items = life->laters.items;
    for (int above; at > 0 && comes_before(&items[at], &items[above = (at - 1) / 2]); at = above) {
        RtLater other = items[above];
        items[above] = items[at];
        items[at] = other;
    }
}

static RtLater take_first(RtLife *life) {
    RtLater *items = life->laters.items, first = items[0];
    int count = --life->laters.count, at = 0;
    items[0] = items[count];
    for (;;) {
        int least = at;
        for (int below = 2 * at + 1; below <= 2 * at + 2 && below < count; below++)
            if (comes_before(&items[below], &items[least])) least = below;
        if (least == at) return first;
        RtLater other = items[at];
        items[at] = items[least];
        items[least] = other;
        at = least;
    }
}

static void put_back(RtLife *life, RtLater later) {
    life->laters.items[life->laters.count++] = later;
    sift_up(life, life->laters.count - 1);
}

void life_drop_gone(RtLife *life) {
    int count = life->laters.count;
    keep_listeners(life, false);
    life->laters.count = 0;
    for (int i = 0; i < count; i++)
        if (life->laters.items[i].of->gone)
            version_release(life->world, life->laters.items[i].version);
        else
            put_back(life, life->laters.items[i]);
}

bool rt_life_put_off(Rt *rt, RtLife *life, RtLater later) {
    VEC_PUSH(&life->arena, &life->laters, later); /* of a tick that ends there is room, and the closure is held */
    RtLater *mine = &life->laters.items[life->laters.count - 1];
    if (mine->then && mine->version == NULL) mine->version = life_hold(rt, &mine->then);
    sift_up(life, life->laters.count - 1);
    return true;
}

static void run_laters(Rt *rt, RtLife *life) {
    while (life->laters.count && life->laters.items[0].due <= life->tick && !rt_failed(rt)) {
        VEC_PUSH(&life->arena, &life->came, life->laters.items[0]);
        RtLater later = take_first(life);
        if (later.of->gone) continue;
        if (later.then)
            rt_call(rt, later.then, NULL, NULL, NULL);
        else
            rt_act_remove(rt, later.of);
    }
}

/* -- the tick -- */

static void run_handlers(Rt *rt, RtLife *life) {
    for (int h = 0; h < life->handler_count && !rt_failed(rt); h++) {
        const Handler *handler = &life->handlers[h];
        const Slot *in[] = {life->due.items + handler->first_due};
        if (handler->due == 0) continue;
        rt->host->run(rt, handler->acts, handler->due, 0, in, NULL);
        rt_fault_place(rt, handler->span);
        int64_t at = rt->fault.element;
        if (rt_failed(rt) && at >= 0 && at < handler->due) name_part(rt, in[0][at].r, handler->field);
    }
}

static void run_tick(Rt *rt, RtLife *life, const Str *keys, int key_count) {
    if (!rt_life_ready(rt, life)) return;
    for (int h = 0; h < life->handler_count && !rt_failed(rt); h++)
        read_triggers(rt, life, &life->handlers[h], keys, key_count);
    life->acting = true;
    if (!rt_failed(rt)) run_laters(rt, life);
    if (!rt_failed(rt)) run_handlers(rt, life);
    life->acting = false;
    if (!rt_failed(rt)) life_commit(rt, life);
}

void life_keep_triggers(RtLife *life) {
    for (int h = 0; h < life->handler_count; h++)
        for (int i = 0; i < life->handlers[h].listeners.count; i++) {
            RtListener *listener = &life->handlers[h].listeners.items[i];
            listener->origin = listener->next_origin;
            listener->fired = listener->next_fired;
            listener->period = listener->next_period;
            listener->held = listener->next_held;
        }
}

static void undo(Rt *rt, RtLife *life) {
    life->acting = false;
    life_undo_members(life);
    life_forget_acts(rt, life);
    for (int i = 0; i < life->came.count; i++)
        put_back(life, life->came.items[i]);
    life->tick--;
    set_clock(rt, life);
}

static void finish(RtLife *life) {
    for (int i = 0; i < life->came.count; i++)
        version_release(life->world, life->came.items[i].version);
}

bool rt_life_tick(Rt *rt, RtLife *life, const Str *keys, int key_count) {
    Recover recover;
    Arena *arena = rt->arena;
    world_lock(rt, life->world);
    life->due.count = life->came.count = life->acts.count = life->values.count = 0;
    life->tick++;
    life->ticking = true;
    life_may_undo(life);
    set_clock(rt, life);
    rt->arena = &life->tick_arena;
    RtScratchMark mark = rt_scratch_mark(rt);
    if (MEMORY_TRY(&recover)) {
        run_tick(rt, life, keys, key_count);
        memory_end_try(&recover);
    } else {
        rt->fault = (RtFault){0};
        rt->element_base = 0;
        rt_fault_at(rt, RT_FAULT_MEMORY, (uint32_t[3]){0}, 0, STR_LIT(""));
    }
    rt_scratch_pop(rt, mark);
    rt->arena = arena;
    bool good = !rt_failed(rt);
    life->ticking = false;
    if (good) {
        finish(life);
    } else {
        undo(rt, life);
        rt_fault_keep(rt, &rt->fault);
    }
    arena_fini(&life->tick_arena);
    arena_init(&life->tick_arena, life->world->memory);
    brood_sweep(life->world);
    world_unlock(rt, life->world);
    return good;
}

/* -- events -- */

void life_event(RtLife *life, RtEventKind kind, const RtPart *part, Str text) {
    StrBuf path = {.arena = &life->tick_arena};
    if (part) rt_part_path(&path, part);
    RtEvent event = {.kind = kind, .tick = life->tick};
    size_t size = path.len + text.len + 2;
    VEC_ROOM(&life->arena, &life->fresh, 1);
    char *bytes = arena_take(&life->arena, size); /* both, one behind the other */
    memcpy(bytes, path.ptr ? path.ptr : "", path.len);
    bytes[path.len] = 0;
    if (text.len) memcpy(bytes + path.len + 1, text.ptr, text.len);
    bytes[size - 1] = 0;
    event.path = (Str){bytes, path.len};
    event.text = (Str){bytes + path.len + 1, text.len};
    VEC_PUSH(&life->arena, &life->fresh, event);
}

static void give_event(RtLife *life, const RtEvent *event) {
    if (event->path.ptr) arena_give(&life->arena, (char *)(uintptr_t)event->path.ptr, event->path.len + event->text.len + 2);
}

bool rt_life_event(RtLife *life, RtEvent *event) {
    give_event(life, &life->shown);
    life->shown = (RtEvent){0};
    if (life->event_count == 0) return false;
    *event = life->shown = life->events[life->event_first];
    life->event_first = (life->event_first + 1) % EVENTS_KEPT;
    life->event_count--;
    return true;
}

void life_event_drop(RtLife *life, int event) {
    give_event(life, &life->fresh.items[event]);
    life->fresh.items[event].path.ptr = NULL;
}

void life_tell(RtLife *life) {
    for (int i = 0; i < life->fresh.count; i++) {
        if (life->fresh.items[i].path.ptr == NULL) continue;
        if (life->event_count == EVENTS_KEPT) {
            give_event(life, &life->events[life->event_first]);
            life->event_first = (life->event_first + 1) % EVENTS_KEPT;
            life->event_count--;
        }
        life->events[(life->event_first + life->event_count++) % EVENTS_KEPT] = life->fresh.items[i];
    }
    life->fresh.count = 0;
}

void life_untell(RtLife *life) {
    for (int i = 0; i < life->fresh.count; i++)
        give_event(life, &life->fresh.items[i]);
    life->fresh.count = 0;
}
