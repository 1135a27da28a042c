/* What the scatters of a world did, rule by rule.
 *
 * Nothing is kept of it while a world is built: a field that holds placed things is worked out
 * once more, outside its cell, with an observer. Everything it reads is ready by then, so only
 * its own scatters are seen, and they do exactly what they did, for a scatter begins its streams
 * anew.
 */
#include "compiler/engine/why/why.h"

/* -- layouts -- */

typedef struct Visiting {
    World *world;
    Rt *rt;
    const LayoutVisit *visit;
    WorldStatus status;
} Visiting;

static Str field_path(Arena *arena, const RtPart *part, int field) {
    StrBuf path = {.arena = arena};
    rt_part_path(&path, part);
    if (path.len) strbuf_char(&path, '.');
    strbuf_str(&path, part->cls->fields[field].name);
    return strbuf_take(&path);
}

/* The field's own function, outside the cell: what it makes lies in rt->arena. */
static void run_again(Rt *rt, RtPart *part, int field, ScatterReport *report) {
    const RtField *info = &part->cls->fields[field];
    Slot self = slot_r(part), value;
    const Slot *in[1] = {&self};
    Slot *out[1] = {&value};
    rt->observer = report;
    program_run(rt, info->init, 1, 1, in, out);
    rt->observer = NULL;
}

static WorldStatus visit_field(Visiting *v, RtPart *part, int field) {
    const LayoutVisit *visit = v->visit;
    Rt *rt = v->rt;
    ScatterReport report = {.arena = rt->arena,
                            .trace = visit->trace,
                            .x = visit->x,
                            .z = visit->z,
                            .radius = visit->radius};
    rt_cell_get(rt, part, field);
    if (!rt_failed(rt) && part->cls->fields[field].init >= 0) run_again(rt, part, field, &report);
    WorldStatus status = entry_fault(v->world, rt);
    if (status != WORLD_OK) return status;
    return visit->each(v->world, rt, field_path(rt->arena, part, field), &report, visit->user);
}

static bool holds_placed(const World *world, const RtPart *part, int field) {
    PlacedShape shape;
    return placed_shape(world, parts_class(world, part)->fields.items[field].type, &shape);
}

static bool visit_fields(Visiting *v, RtPart *part) {
    for (int i = 0; i < part->cls->field_count && v->status == WORLD_OK; i++)
        if (holds_placed(v->world, part, i)) v->status = visit_field(v, part, i);
    return v->status == WORLD_OK;
}

static bool visit_part(void *user, const PartVisit *visit) {
    return visit_fields(user, visit->part);
}

WorldStatus layouts_visit(World *world, Rt *rt, const LayoutVisit *visit) {
    Visiting v = {world, rt, visit, WORLD_OK};
    RtPart *part = rt_world_root(world->parts);
    if (visit->path.len == 0) {
        if (visit_fields(&v, part)) parts_walk(world, rt, part, visit_part, &v);
        return v.status == WORLD_OK ? entry_fault(world, rt) : v.status;
    }
    int field;
    WorldStatus status = data_find_field(world, rt, visit->path, &part, &field);
    if (status != WORLD_OK) return status;
    return holds_placed(world, part, field) ? visit_field(&v, part, field) : WORLD_ERROR_NOT_FOUND;
}

/* -- the public face -- */

_Static_assert((int)WORLD_OUTCOME_COUNT == (int)SCATTER_OUTCOME_COUNT &&
                   (int)WORLD_REFUSED_CAP == (int)SCATTER_CAP,
               "outcomes are the scatter's own");

const char *world_outcome_text(WorldOutcome outcome) {
    return (unsigned)outcome < WORLD_OUTCOME_COUNT ? scatter_outcome_text((ScatterOutcome)outcome)
                                                   : "";
}

typedef struct StatsCall {
    const char *path;
    size_t capacity;
    WorldRuleStats *rows;
    size_t *count;
} StatsCall;

static const char *keep_text(World *world, Str text) {
    return arena_strndup(&world->arena, text.ptr, text.len);
}

static WorldStatus add_rows(World *world, Rt *rt, Str path, const ScatterReport *report,
                            void *user) {
    (void)rt;
    const StatsCall *call = user;
    for (int i = 0; i < report->stats.count; i++) {
        const ScatterStats *stats = &report->stats.items[i];
        size_t at = (*call->count)++;
        if (call->rows == NULL || at >= call->capacity) continue;
        WorldRuleStats *row = &call->rows[at];
        *row = (WorldRuleStats){.path = keep_text(world, path),
                                .rule = keep_text(world, stats->rule),
                                .candidates = stats->candidates,
                                .kept = stats->kept,
                                .draws = stats->draws,
                                .cap = stats->cap};
        memcpy(row->outcomes, stats->outcomes, sizeof row->outcomes);
    }
    build_warn(world, report);
    return WORLD_OK;
}

static WorldStatus count_rules(World *world, Rt *rt, void *args) {
    StatsCall *call = args;
    LayoutVisit visit = {.path = str_of(call->path), .each = add_rows, .user = call};
    *call->count = 0;
    return layouts_visit(world, rt, &visit);
}

WorldStatus world_stats(World *world, const char *path, size_t capacity, WorldRuleStats *rows,
                        size_t *count) {
    size_t found;
    if (path == NULL || count == NULL) return WORLD_ERROR_ARGUMENT;
    StatsCall call = {path, capacity, rows, &found};
    WorldStatus status = entry_run(world, count_rules, &call);
    if (status == WORLD_OK) *count = found;
    return status;
}
