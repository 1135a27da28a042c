/* State written down, as JSON of which one state has one text: a line a thing, the parts in the order of their tree, what was spawned in
 * the order in which it came to be.
 *
 *     spawned   [the part it stands under, its design, its number]      removed   paths of parts of the text that are gone
 *     numbers   [the part, the family, the next number]                 fields    [the part, the field, its type, its value]
 *     handlers  [the acts' name, [the part, origin, fired, period, held] ...]
 *     later     [when it is due, its order, the part to remove] or [due, order, the acts' name, the part that put it off, what they hold]
 */
#include <stdlib.h>

#include "compiler/engine/live/live.h"

#include "runtime/base/hash.h"
#include "runtime/rt/cell.h"

typedef struct Writing {
    World *world;
    Rt *rt;
    StrBuf *out;
    bool any; /* in the list at hand */
} Writing;

static const TreeFn *live_function(const World *world, int func) {
    return lower_tree_of(&world->compile->lowering, world->compile->program, func);
}

Str live_handler_name(World *world, const RtLife *life, int handler) {
    const TreeFn *fn = live_function(world, rt_life_acts(life, handler));
    return fn ? fn->name : STR_LIT("");
}

static void begin_list(Writing *w, const char *name) {
    strbuf_printf(w->out, ",\n\"%s\": [", name);
    w->any = false;
}

static void begin_row(Writing *w) {
    strbuf_str(w->out, w->any ? STR_LIT(",\n  [") : STR_LIT("\n  ["));
    w->any = true;
}

static void end_list(Writing *w) {
    strbuf_str(w->out, w->any ? STR_LIT("\n]") : STR_LIT("]"));
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

static void write_spawned(Writing *w) {
    begin_list(w, "spawned");
    for (const RtBrood *brood = w->world->parts->broods; brood; brood = brood->next) {
        if (brood->gone || brood->made) continue;
        begin_row(w);
        state_write_part(w->out, brood->first->parent);
        strbuf_char(w->out, ',');
        print_quoted(w->out, state_design(w->world, w->out->arena, brood->first->cls));
        strbuf_printf(w->out, ",%lld]", (long long)brood->first->number);
    }
    end_list(w);
}

static void write_removed(Writing *w, RtPart *part) {
    bool first = part->gone && !(part->parent && part->parent->gone);
    if (!first) return;
    StrBuf path = {.arena = w->out->arena};
    rt_part_path(&path, part);
    begin_row(w);
    print_quoted(w->out, strbuf_take(&path));
    strbuf_char(w->out, ']');
}

static void write_numbers(Writing *w, RtPart *part) {
    for (int i = 0; !part->gone && part->population && i < part->population->count; i++) {
        const RtFamilyLive *family = &part->population->families[i];
        if (!family->stood) continue;
        bool own = family->family < RT_SPAWNED;
        begin_row(w);
        state_write_part(w->out, part);
        strbuf_char(w->out, ',');
        print_quoted(w->out, own ? part->cls->families[family->family].name
                                 : state_design(w->world, w->out->arena, rt_world_class(w->world->parts, family->family - RT_SPAWNED)));
        strbuf_printf(w->out, ",%lld]", (long long)family->next);
    }
}

static void write_fields(Writing *w, RtPart *part) {
    const TreeClass *cls = parts_class(w->world, part);
    for (int i = 0; !part->gone && i < part->cls->field_count; i++) {
        const TreeField *field = &cls->fields.items[i];
        if (field->hidden || !rt_cell_is_state(part, i)) continue;
        begin_row(w);
        state_write_part(w->out, part);
        strbuf_char(w->out, ',');
        print_quoted(w->out, part->cls->fields[i].name);
        strbuf_char(w->out, ',');
        print_quoted(w->out, state_type(w->world, w->out->arena, field->type));
        strbuf_char(w->out, ',');
        state_write(w->world, w->out, field->type, part->slots + part->cls->fields[i].slot);
        strbuf_char(w->out, ']');
    }
}

static void write_parts(Writing *w, const char *name, WritePart write) {
    Walk walking = {w, write};
    begin_list(w, name);
    walk(&walking, rt_world_root(w->world->parts));
    end_list(w);
}

/* -- handlers -- */

static void write_handlers(Writing *w, RtLife *life) {
    begin_list(w, "handlers");
    for (int h = 0; h < rt_life_handlers(life); h++) {
        int count;
        const RtListener *listeners = rt_life_listeners(life, h, &count);
        if (count == 0) continue;
        begin_row(w);
        print_quoted(w->out, live_handler_name(w->world, life, h));
        for (int i = 0; i < count; i++) {
            strbuf_str(w->out, STR_LIT(",\n    ["));
            state_write_part(w->out, listeners[i].part);
            strbuf_printf(w->out, ",%lld,%lld,", (long long)listeners[i].origin, (long long)listeners[i].fired);
            strbuf_double(w->out, listeners[i].period);
            strbuf_printf(w->out, ",%d]", listeners[i].held);
        }
        strbuf_char(w->out, ']');
    }
    end_list(w);
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
    state_write_part(w->out, later->of);
    for (int i = 0; i < fn->capture_count; slots += fn->locals.items[i].type->slot_count, i++) {
        strbuf_char(w->out, ',');
        state_write(w->world, w->out, fn->locals.items[i].type, slots);
    }
}

static void write_laters(Writing *w, RtLife *life) {
    int count;
    const RtLater *laters = rt_life_laters(life, &count);
    RtLater *sorted = ARENA_ARRAY(w->rt->arena, RtLater, count + 1);
    if (count) memcpy(sorted, laters, sizeof *sorted * (size_t)count);
    if (count) qsort(sorted, (size_t)count, sizeof *sorted, compare_laters);
    begin_list(w, "later");
    for (int i = 0; i < count; i++) {
        if (sorted[i].of->gone) continue;
        begin_row(w);
        strbuf_printf(w->out, "%lld,%lld,", (long long)sorted[i].due, (long long)sorted[i].order);
        if (sorted[i].then)
            write_held(w, &sorted[i]);
        else
            state_write_part(w->out, sorted[i].of);
        strbuf_char(w->out, ']');
    }
    end_list(w);
}

/* Who listens is found out as the next tick would; where it cannot be, it is who did so far. */
static void ready(Rt *rt, RtLife *life) {
    RtFault before = rt->fault;
    if (!rt_life_ready(rt, life)) rt->fault = before;
}

Str state_text(World *world, Rt *rt, Arena *arena) {
    StrBuf out = {.arena = arena};
    Writing w = {.world = world, .rt = rt, .out = &out};
    RtLife *life = rt_life_of(world->parts);
    ready(rt, life);
    strbuf_printf(&out, "{\"state\": 1, \"tick\": %lld, \"orders\": %lld", (long long)rt_life_ticks(life), (long long)rt_life_orders(life));
    write_spawned(&w);
    write_parts(&w, "numbers", write_numbers);
    write_parts(&w, "removed", write_removed);
    write_parts(&w, "fields", write_fields);
    write_handlers(&w, life);
    write_laters(&w, life);
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
