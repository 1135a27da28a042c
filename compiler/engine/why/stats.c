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

/* -- watching: rows go to a table, under the path of the field -- */

typedef struct Watch {
    RtObserver head;
    ScatterReport report;
    WorldTable *table;
    Str path;
    World *world;
    const RtField *field;
} Watch;

static void begin_row(RtObserver *observer) {
    const Watch *watch = (const Watch *)observer;
    table_begin_row(watch->table);
    table_tell_text(watch->table, "path", watch->path);
}

static void put_text(RtObserver *observer, const char *column, Str value) {
    table_tell_text(((Watch *)observer)->table, column, value);
}

static void put_whole(RtObserver *observer, const char *column, int64_t value) {
    table_tell_int(((Watch *)observer)->table, column, value);
}

static void put_number(RtObserver *observer, const char *column, const char *type, double value) {
    table_tell_number(((Watch *)observer)->table, column, type, value);
}

static void *give_record(RtObserver *observer, const char *package) {
    return strcmp(package, "scatter") == 0 ? &((Watch *)observer)->report : NULL;
}

static void put_warning(RtObserver *observer, Rt *rt, Str why) {
    (void)rt;
    const Watch *watch = (const Watch *)observer;
    build_warn_of(watch->world, watch->field, why);
}

static Watch watch_of(World *world, const LayoutVisit *visit, const RtField *field, Str path,
                      Arena *arena) {
    return (Watch){
        .head = {.row = begin_row,
                 .text = put_text,
                 .whole = put_whole,
                 .number = put_number,
                 .warn = visit->asks ? NULL : put_warning,
                 .asks = visit->asks,
                 .x = visit->x,
                 .z = visit->z,
                 .radius = visit->radius,
                 .record = give_record},
        .report = {.arena = arena},
        .table = visit->rows,
        .world = world,
        .field = field,
        .path = path};
}

/* The field's own function, outside the cell: what it makes lies in rt->arena. */
static void run_again(Rt *rt, RtPart *part, int field, RtObserver *observer) {
    const RtField *info = &part->cls->fields[field];
    Slot self = slot_r(part), value;
    const Slot *in[1] = {&self};
    Slot *out[1] = {&value};
    rt->observer = observer;
    program_run(rt, info->init, 1, 1, in, out);
    rt->observer = NULL;
}

static WorldStatus visit_field(Visiting *v, RtPart *part, int field) {
    const LayoutVisit *visit = v->visit;
    Rt *rt = v->rt;
    size_t first = world_table_rows(visit->rows);
    Watch watch = watch_of(v->world, visit, &part->cls->fields[field],
                           field_path(rt->arena, part, field), rt->arena);
    rt_cell_get(rt, part, field);
    if (!rt_failed(rt) && part->cls->fields[field].init >= 0)
        run_again(rt, part, field, &watch.head);
    WorldStatus status = entry_fault(v->world, rt);
    if (status != WORLD_OK) return status;
    status = visit->each(v->world, rt, watch.path, &watch.report, visit->user);
    if (visit->asks && status == WORLD_OK) explain_edits(visit->rows, first);
    return status;
}

static bool holds_placed(const World *world, const RtPart *part, int field) {
    return type_is_layout(world->compile->checker, parts_class(world, part)->fields.items[field].type);
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

static WorldStatus warn_of_rules(World *world, Rt *rt, Str path, const ScatterReport *report,
                                 void *user) {
    (void)rt, (void)path, (void)user;
    build_warn(world, report);
    return WORLD_OK;
}

static WorldStatus count_rules(World *world, Rt *rt, WorldTable *table, void *args) {
    LayoutVisit visit = {.path = str_of(args), .rows = table, .each = warn_of_rules};
    return layouts_visit(world, rt, &visit);
}

WorldStatus world_stats(World *world, const char *path, WorldTable **table) {
    if (path == NULL) return WORLD_ERROR_ARGUMENT;
    return table_entry(world, count_rules, (void *)(uintptr_t)path, table);
}
