/* State read back, into a world that has not run since it was read. What it no longer has a place for (a part, a field of another type)
 * is left out, and counted in one warning: so a text may be changed while what it still means goes on.
 *
 * Which members there are hangs on fields, and a field may be a member's: so what stands and what is set is read again until all of it
 * is as the state says. */
#include "compiler/engine/live/live.h"

#include "runtime/rt/cell.h"

typedef struct Loading {
    World *world;
    Rt *rt;
    StateParts parts;
    RtLife *life;
    bool changed;  /* something was not yet as it is written down */
    int next_gone; /* the number of the row of a gone part that comes next */
    int lost;
    Str first_lost;
} Loading;

static void lose(Loading *l, Str what) {
    if (l->lost++ == 0) l->first_lost = what;
}

static const JsonValue *item(const JsonValue *row, int i, JsonKind kind) {
    const JsonValue *value = row->kind == JSON_ARRAY && i < row->members.count ? row->members.items[i].value : NULL;
    return value && value->kind == kind ? value : NULL;
}

static Str text_of(const JsonValue *row, int i) {
    const JsonValue *value = item(row, i, JSON_TEXT);
    return value ? value->text : STR_LIT("");
}

static int64_t whole_of(const JsonValue *row, int i) {
    const JsonValue *value = item(row, i, JSON_NUMBER);
    return value && value->number > -9e15 && value->number < 9e15 ? (int64_t)value->number : 0;
}

static RtPart *part_of(Loading *l, const JsonValue *row, int i) {
    const JsonValue *path = item(row, i, JSON_TEXT);
    return path ? state_find_part(&l->parts, path->text) : NULL;
}

typedef void (*ReadRow)(Loading *l, const JsonValue *row);

static void each_row(Loading *l, const JsonValue *state, const char *name, ReadRow read) {
    const JsonValue *rows = json_member(state, str_of(name));
    for (int i = 0; rows && rows->kind == JSON_ARRAY && i < rows->members.count && !rt_failed(l->rt); i++)
        read(l, rows->members.items[i].value);
}

static void read_gone(Loading *l, const JsonValue *row) {
    int number = l->next_gone++;
    if (number == l->parts.gone.count) VEC_PUSH(l->rt->arena, &l->parts.gone, NULL); /* also of what is lost: the others keep theirs */
    RtPart *was = l->parts.gone.items[number], *part = state_read_gone(&l->parts, row, was);
    l->parts.gone.items[number] = part;
    l->changed |= part != was;
    if (part == NULL) lose(l, text_of(row, 1));
}

static void read_spawned(Loading *l, const JsonValue *row) {
    if (row->kind == JSON_ARRAY && row->members.count > 3) {
        read_gone(l, row);
        return;
    }
    RtPart *under = part_of(l, row, 0);
    const RtClass *design = state_find_design(l->world, text_of(row, 1));
    const RtPart *there = under && design ? population_find(under, rt_part_family_of(l->rt, under, design), whole_of(row, 2)) : NULL;
    if (there && there->cls == design) return;
    if (under && design && rt_part_stand(l->rt, under, design, whole_of(row, 2)))
        l->changed = true;
    else
        lose(l, text_of(row, 1));
}

static void read_numbers(Loading *l, const JsonValue *row) {
    RtPart *part = part_of(l, row, 0);
    Str name = text_of(row, 1);
    const RtClass *design = state_find_design(l->world, name);
    int32_t family = part && design ? RT_SPAWNED + design->index : -1;
    for (int32_t i = 0; part && i < part->cls->family_count; i++)
        if (str_equal(part->cls->families[i].name, name)) family = i;
    if (family >= 0)
        rt_part_numbers(l->rt, part, family, whole_of(row, 2));
    else
        lose(l, name);
}

static void read_removed(Loading *l, const JsonValue *row) {
    RtPart *part = part_of(l, row, 0);
    if (part && part->parent)
        rt_part_go(l->rt, part);
    else
        lose(l, text_of(row, 0));
}

static bool is_set(const RtPart *part, int field, const Slot *slots) {
    const RtField *info = &part->cls->fields[field];
    return rt_cell_is_state(part, field) && value_equal(info->slot_types, part->slots + info->slot, slots, info->slot_count);
}

static void read_field(Loading *l, const JsonValue *row) {
    RtPart *part = part_of(l, row, 0);
    const TreeClass *cls = part ? parts_class(l->world, part) : NULL;
    int field = cls ? parts_field(cls, &l->world->compile->symbols, text_of(row, 1)) : -1;
    const Type *type = field < 0 ? NULL : cls->fields.items[field].type;
    const JsonValue *value = row->kind == JSON_ARRAY && row->members.count == 4 ? row->members.items[3].value : NULL;
    RtScratchMark mark = rt_scratch_mark(l->rt);
    bool good = type && value && str_equal(state_type(l->world, l->rt->arena, type), text_of(row, 2));
    Slot *slots = rt_scratch_push(l->rt, sizeof *slots * RT_FIELD_SLOTS);
    memset(slots, 0, sizeof *slots * RT_FIELD_SLOTS);
    RtFault before = l->rt->fault;
    good = good && state_read(&l->parts, type, value, slots);
    if (good && !is_set(part, field, slots)) l->changed |= good = rt_cell_keep(l->rt, part, field, slots);
    if (!good) l->rt->fault = before; /* its range may be another by now */
    rt_scratch_pop(l->rt, mark);
    if (!good) lose(l, text_of(row, 1));
}

/* -- handlers -- */

static int find_handler(Loading *l, Str name) {
    for (int h = 0; h < rt_life_handlers(l->life); h++)
        if (str_equal(live_handler_name(l->world, l->life, h), name)) return h;
    return -1;
}

static int find_listener(const RtListener *listeners, int count, int from, const RtPart *part) {
    for (int k = 0; k < count; k++) {
        int at = (from + k) % count; /* nearly always the next */
        if (listeners[at].part == part) return at;
    }
    return -1;
}

/* Those that are told come first, in their order; the others are new. */
static void read_handler(Loading *l, const JsonValue *row) {
    int handler = find_handler(l, text_of(row, 0)), count, known = 0;
    if (handler < 0) {
        lose(l, text_of(row, 0));
        return;
    }
    RtListener *listeners = rt_life_listeners(l->life, handler, &count);
    int *order = ARENA_ARRAY(l->rt->arena, int, count + 1);
    bool *told = ARENA_ARRAY(l->rt->arena, bool, count + 1);
    for (int i = 1, next = 0; i < row->members.count && count; i++) {
        const JsonValue *one = row->members.items[i].value;
        int at = find_listener(listeners, count, next, part_of(l, one, 0));
        if (at < 0 || told[at]) continue;
        const JsonValue *period = item(one, 3, JSON_NUMBER);
        listeners[at].origin = whole_of(one, 1);
        listeners[at].fired = whole_of(one, 2);
        listeners[at].period = period ? period->number : 0;
        listeners[at].held = (int8_t)whole_of(one, 4);
        told[at] = true;
        order[known++] = at;
        next = at + 1;
    }
    for (int i = 0; i < count; i++)
        if (!told[i]) order[known++] = i;
    rt_life_order(l->life, handler, order);
}

/* -- what was put off -- */

static int find_function(const Loading *l, Str name) {
    const TreeProgram *program = l->world->compile->program;
    for (int i = 0; i < program->fns.count; i++)
        if (program->fns.items[i]->acts && str_equal(program->fns.items[i]->name, name)) return i;
    return -1;
}

static bool read_held(Loading *l, const TreeFn *fn, const JsonValue *row, RtPart *self, Slot *slots) {
    if (self == NULL || row->members.count != 4 + fn->capture_count) return false;
    if (fn->with_self) *slots++ = slot_r(self);
    for (int i = 0; i < fn->capture_count; slots += fn->locals.items[i].type->slot_count, i++)
        if (!state_read(&l->parts, fn->locals.items[i].type, row->members.items[4 + i].value, slots)) return false;
    return true;
}

static bool read_then(Loading *l, const JsonValue *row, RtLater *later) {
    int found = find_function(l, text_of(row, 2));
    if (found < 0) return false;
    const TreeFn *fn = l->world->compile->program->fns.items[found];
    int count = fn->with_self;
    uint64_t refs = fn->with_self;
    for (int i = 0; i < fn->capture_count; i++)
        for (const char *letter = fn->locals.items[i].type->slots; *letter; letter++, count++)
            if (*letter == 'R' && count < 64) refs |= 1ull << count;
    RtClosure *then = rt_closure(l->rt, l->world->compile->lowering.ir_index.items[found], count, refs, 0, 0, false);
    later->of = part_of(l, row, 3);
    if (!read_held(l, fn, row, later->of, then->captures)) return false;
    later->then = then;
    return true;
}

static void read_later(Loading *l, const JsonValue *row) {
    RtLater later = {.due = whole_of(row, 0), .order = whole_of(row, 1)};
    bool remove = row->kind == JSON_ARRAY && row->members.count == 3;
    if (remove) later.of = part_of(l, row, 2);
    if ((remove && later.of) || (!remove && row->kind == JSON_ARRAY && read_then(l, row, &later)))
        rt_life_put_off(l->rt, l->life, later);
    else
        lose(l, text_of(row, 2));
}

/* -- all of it -- */

typedef struct LoadCall {
    const char *json;
    size_t length;
} LoadCall;

static void warn_lost(const Loading *l) {
    if (l->lost) diag_add(&l->world->report.diags, DIAG_W_STATE_LOST, (Span){0}, l->lost, STR_ARG(l->first_lost));
}

enum { MOST_ROUNDS = 100 }; /* a text that was changed may never come to what its state says */

static void load_parts(Loading *l, const JsonValue *state) {
    l->changed = true;
    for (int i = 0; i < MOST_ROUNDS && l->changed && !rt_failed(l->rt); i++) {
        l->changed = false;
        l->lost = l->next_gone = 0;
        each_row(l, state, "spawned", read_spawned);
        each_row(l, state, "numbers", read_numbers);
        each_row(l, state, "fields", read_field);
    }
}

static void load_all(Loading *l, const JsonValue *state) {
    const JsonValue *tick = json_member(state, STR_LIT("tick")), *orders = json_member(state, STR_LIT("orders"));
    bool sound = tick && tick->kind == JSON_NUMBER && tick->number >= 0 && tick->number < 9e15 && orders && orders->kind == JSON_NUMBER &&
                 orders->number >= 0 && orders->number < 9e15;
    if (sound) rt_life_set_clock(l->rt, l->life, (int64_t)tick->number, (int64_t)orders->number);
    load_parts(l, state);
    each_row(l, state, "later", read_later); /* while what is removed is found by its path */
    each_row(l, state, "removed", read_removed);
    if (!rt_failed(l->rt) && rt_life_ready(l->rt, l->life)) each_row(l, state, "handlers", read_handler);
    warn_lost(l);
}

static bool has_spawned(const RtWorld *parts) {
    const RtBrood *brood = parts->broods;
    while (brood && brood->made)
        brood = brood->next;
    return brood != NULL;
}

static WorldStatus load(World *world, Rt *rt, void *args) {
    const LoadCall *call = args;
    WorldStatus status;
    Loading l = {.world = world, .rt = rt, .parts = {.world = world, .rt = rt}, .life = live_begin(world, rt, &status)};
    if (l.life == NULL) return status;
    if (rt_life_ticks(l.life) > 0 || has_spawned(world->parts)) {
        diag_add(&world->report.diags, DIAG_E_STATE_RUNS, (Span){0});
        return WORLD_ERROR_ARGUMENT;
    }
    SourceSet *sources = &world->compile->sources;
    uint32_t file = sources_add_brief(sources, rt->arena, STR_LIT("<state>"), (Str){call->json, call->length});
    DiagList silent; /* its places end with the call */
    diags_init(&silent, rt->arena, sources);
    const JsonValue *state = json_read(rt->arena, &silent, file);
    const JsonValue *version = state && state->kind == JSON_OBJECT ? json_member(state, STR_LIT("state")) : NULL;
    if (version && version->kind == JSON_NUMBER && version->number == 1)
        load_all(&l, state);
    else
        diag_add(&world->report.diags, DIAG_E_STATE_FORM, (Span){0});
    sources_end(sources, file);
    if (world->report.diags.error_count) return WORLD_ERROR_WORLD;
    world_drop_views(world);
    return entry_fault(world, rt);
}

WorldStatus world_state_load(World *world, const char *json, size_t length) {
    LoadCall call = {json, length};
    if (world == NULL || json == NULL || length > ENGINE_TEXT_MOST) return WORLD_ERROR_ARGUMENT;
    return entry_change(world, load, &call);
}
