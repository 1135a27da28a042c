/* State written down, as JSON of which one state has one text: a line a thing, the parts in the order of their tree, what was spawned in
 * the order in which it came to be.
 *
 *     spawned   [the part it stands under, its design, its number]      removed   paths of parts of the text that are gone
 *               and what is gone but named (state_gone.c)
 *     numbers   [the part, the family, the next number]                 fields    [the part, the field, its type, its value]
 *     handlers  [the acts' name, [the part, origin, fired, period, held] ...]
 *     later     [when it is due, its order, the part to remove] or [due, order, the acts' name, the part that put it off, what they hold]
 */
#include <stdlib.h>

#include "compiler/engine/live/live.h"

#include "runtime/base/hash.h"
#include "runtime/rt/cell.h"

typedef enum List { SPAWNED, NUMBERS, REMOVED, FIELDS, HANDLERS, LATER, LIST_COUNT } List;

typedef struct Writing {
    World *world;
    StateParts parts;
    StrBuf lists[LIST_COUNT];
    StrBuf *out; /* the list at hand */
} Writing;

static const TreeFn *live_function(const World *world, int func) {
    return lower_tree_of(&world->compile->lowering, world->compile->program, func);
}

Str live_handler_name(World *world, const RtLife *life, int handler) {
    const TreeFn *fn = live_function(world, rt_life_acts(life, handler));
    return fn ? fn->name : STR_LIT("");
}

static void begin_row(Writing *w, List list) {
    w->out = &w->lists[list];
    strbuf_str(w->out, w->out->len ? STR_LIT(",\n  [") : STR_LIT("\n  ["));
}

static void write_part(Writing *w, const RtPart *part) {
    state_write_part(&w->parts, w->out, part);
}

/* -- parts -- */

typedef void (*WritePart)(Writing *w, RtPart *part);
typedef struct Walk {
    Writing *w;
    WritePart write;
} Walk;

/* What is there already: nothing is made for being written down. */
static void walk(void *user, RtPart *part) {
    const Walk *walking = user;
    walking->write(walking->w, part);
    rt_part_each(part, walk, user);
}

static void write_stands(Writing *w, const RtPart *part) {
    begin_row(w, SPAWNED);
    write_part(w, part->parent);
    strbuf_char(w->out, ',');
    print_quoted(w->out, state_design(w->world, w->out->arena, part->cls));
    strbuf_printf(w->out, ",%lld]", (long long)part->number);
}

static void write_spawned(Writing *w) {
    for (const RtBrood *brood = w->world->parts->broods; brood; brood = brood->next)
        if (!brood->made && state_out_of_place(brood->first) == NULL) write_stands(w, brood->first);
}

static void write_removed(Writing *w, RtPart *part) {
    bool first = part->gone && !(part->parent && part->parent->gone);
    if (!first) return;
    StrBuf path = {.arena = w->parts.rt->arena};
    rt_part_path(&path, part);
    begin_row(w, REMOVED);
    print_quoted(w->out, strbuf_take(&path));
    strbuf_char(w->out, ']');
}

static void write_numbers(Writing *w, RtPart *part) {
    for (int i = 0; !part->gone && part->population && i < part->population->count; i++) {
        const RtFamilyLive *family = &part->population->families[i];
        if (!family->stood) continue;
        bool own = family->family < RT_SPAWNED;
        begin_row(w, NUMBERS);
        write_part(w, part);
        strbuf_char(w->out, ',');
        print_quoted(w->out, own ? part->cls->families[family->family].name
                                 : state_design(w->world, w->out->arena, rt_world_class(w->world->parts, family->family - RT_SPAWNED)));
        strbuf_printf(w->out, ",%lld]", (long long)family->next);
    }
}

static void write_fields(Writing *w, RtPart *part) {
    const TreeClass *cls = parts_class(w->world, part);
    for (int i = 0; i < part->cls->field_count; i++) {
        const TreeField *field = &cls->fields.items[i];
        if (field->hidden || !rt_cell_is_state(part, i)) continue;
        begin_row(w, FIELDS);
        write_part(w, part);
        strbuf_char(w->out, ',');
        print_quoted(w->out, part->cls->fields[i].name);
        strbuf_char(w->out, ',');
        print_quoted(w->out, state_type(w->world, w->out->arena, field->type));
        strbuf_char(w->out, ',');
        state_write(&w->parts, w->out, field->type, part->slots + part->cls->fields[i].slot);
        strbuf_char(w->out, ']');
    }
}

static void write_parts(Writing *w, WritePart write) {
    walk(&(Walk){w, write}, rt_world_root(w->world->parts));
}

/* Of what is gone and out of place: what was spawned in it, and the fields. */
static void write_inside(Writing *w, RtPart *part) {
    if (part_is_spawned(part) && rt_part_in_place(part)) write_stands(w, part);
    write_fields(w, part);
}

/* Each may name others. */
static void write_gone(Writing *w) {
    for (int i = 0; i < w->parts.gone.count; i++) {
        RtPart *part = w->parts.gone.items[i];
        begin_row(w, SPAWNED);
        strbuf_str(w->out, w->parts.rows.items[i]);
        walk(&(Walk){w, write_inside}, part);
    }
}

/* -- handlers -- */

static void write_handlers(Writing *w, RtLife *life) {
    for (int h = 0; h < rt_life_handlers(life); h++) {
        int count;
        const RtListener *listeners = rt_life_listeners(life, h, &count);
        if (count == 0) continue;
        begin_row(w, HANDLERS);
        print_quoted(w->out, live_handler_name(w->world, life, h));
        for (int i = 0; i < count; i++) {
            strbuf_str(w->out, STR_LIT(",\n    ["));
            write_part(w, listeners[i].part);
            strbuf_printf(w->out, ",%lld,%lld,", (long long)listeners[i].origin, (long long)listeners[i].fired);
            strbuf_double(w->out, listeners[i].period);
            strbuf_printf(w->out, ",%d]", listeners[i].held);
        }
        strbuf_char(w->out, ']');
    }
}

/* -- what was put off -- */

static int compare_laters(const void *a, const void *b) {
    const RtLater *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

static void write_held(Writing *w, const RtLater *later) {
    const TreeFn *fn = live_function(w->world, later->then->func);
    const Slot *slots = later->then->captures + fn->with_self;
    print_quoted(w->out, fn->name);
    strbuf_char(w->out, ',');
    write_part(w, later->of);
    for (int i = 0; i < fn->capture_count; slots += fn->locals.items[i].type->slot_count, i++) {
        strbuf_char(w->out, ',');
        state_write(&w->parts, w->out, fn->locals.items[i].type, slots);
    }
}

static void write_laters(Writing *w, RtLife *life) {
    int count;
    const RtLater *laters = rt_life_laters(life, &count);
    RtLater *sorted = ARENA_ARRAY(w->parts.rt->arena, RtLater, count + 1);
    if (count) memcpy(sorted, laters, sizeof *sorted * (size_t)count);
    if (count) qsort(sorted, (size_t)count, sizeof *sorted, compare_laters);
    for (int i = 0; i < count; i++) {
        if (sorted[i].of->gone) continue;
        begin_row(w, LATER);
        strbuf_printf(w->out, "%lld,%lld,", (long long)sorted[i].due, (long long)sorted[i].order);
        if (sorted[i].then)
            write_held(w, &sorted[i]);
        else
            write_part(w, sorted[i].of);
        strbuf_char(w->out, ']');
    }
}

/* Members that were made are those of now, whoever asked for them last: else a state that is read has others. */
static void refresh(void *user, RtPart *part) {
    Rt *rt = user;
    RtFault before = rt->fault;
    if (part->ran && !part->gone) rt_part_elaborate(rt, part);
    rt->fault = before;
    rt_part_each(part, refresh, user);
}

/* Who listens is found out as the next tick would; where it cannot be, it is who did so far. */
static void ready(Rt *rt, RtLife *life) {
    refresh(rt, rt_world_root(rt->world));
    RtFault before = rt->fault;
    if (!rt_life_ready(rt, life)) rt->fault = before;
}

Str state_text(World *world, Rt *rt, Arena *arena) {
    static const char *const names[LIST_COUNT] = {"spawned", "numbers", "removed", "fields", "handlers", "later"};
    StrBuf out = {.arena = arena};
    Writing w = {.world = world, .parts = {.world = world, .rt = rt}};
    for (int i = 0; i < LIST_COUNT; i++)
        w.lists[i].arena = rt->arena;
    RtLife *life = rt_life_of(world->parts);
    ready(rt, life);
    strbuf_printf(&out, "{\"state\": 1, \"tick\": %lld, \"orders\": %lld", (long long)rt_life_ticks(life), (long long)rt_life_orders(life));
    write_spawned(&w);
    write_parts(&w, write_numbers);
    write_parts(&w, write_removed);
    write_parts(&w, write_fields);
    write_handlers(&w, life);
    write_laters(&w, life);
    write_gone(&w);
    for (int i = 0; i < LIST_COUNT; i++) {
        Str rows = strbuf_take(&w.lists[i]);
        strbuf_printf(&out, ",\n\"%s\": [", names[i]);
        strbuf_str(&out, rows);
        strbuf_str(&out, rows.len ? STR_LIT("\n]") : STR_LIT("]"));
    }
    strbuf_str(&out, STR_LIT("}\n"));
    return strbuf_take(&out);
}

/* -- for hosts -- */

static WorldStatus save(World *world, Rt *rt, void *args) {
    const char **json = args;
    WorldStatus status;
    if (live_begin(world, rt, &status) == NULL) return status;
    inspect_hand_out(world, state_text(world, rt, rt->arena), json);
    return WORLD_OK;
}

WorldStatus world_state_save(World *world, const char **json) {
    return world && json ? entry_run(world, save, json) : WORLD_ERROR_ARGUMENT;
}

static WorldStatus hash_state(World *world, Rt *rt, void *args) {
    uint64_t *hash = args;
    WorldStatus status;
    if (live_begin(world, rt, &status) == NULL) return status;
    Str text = state_text(world, rt, rt->arena);
    *hash = hash_bytes(text.ptr, text.len, 0);
    return WORLD_OK;
}

WorldStatus world_state_hash(World *world, uint64_t *hash) {
    return world && hash ? entry_run(world, hash_state, hash) : WORLD_ERROR_ARGUMENT;
}
