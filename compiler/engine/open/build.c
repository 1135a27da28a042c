/* Building: every field of every part that has a value is worked out. */
#include "compiler/engine/open/open.h"
#include "runtime/base/clock.h"
#include "runtime/rt/cell.h"
#include "runtime/scatter/scatter.h"

static const double slow_ms = 1.0; /* a cell that takes longer gets a row in the timings */

static void add_timing(World *world, const char *phase, double milliseconds) {
    Timing timing = {phase, milliseconds};
    VEC_PUSH(&world->timed, &world->timings, timing);
}

typedef struct Build {
    World *world;
    Rt *rt;
    StrBuf name; /* of the cell at hand */
} Build;

static bool build_cell(Build *build, RtPart *part, int field) {
    World *world = build->world;
    uint32_t mark = part->marks[field];
    if (mark != RT_MARK_EMPTY && mark != RT_MARK_BUSY) return true;
    StrBuf *name = &build->name;
    name->len = 0;
    strbuf_str(name, STR_LIT("build "));
    size_t start = name->len;
    rt_part_path(name, part);
    if (name->len > start && part->cls->fields[field].name.len) strbuf_char(name, '.');
    strbuf_str(name, part->cls->fields[field].name);
    const char *outer = world->working;
    world->working = name->ptr + start;
    double begin = clock_ms();
    build->rt->task = (RtTask){0}; /* of work that was left in the middle */
    rt_cell_get(build->rt, part, field);
    double milliseconds = clock_ms() - begin;
    world->working = outer;
    if (milliseconds > slow_ms)
        add_timing(world, arena_strndup(&world->timed, name->ptr, name->len), milliseconds);
    return !rt_failed(build->rt);
}

static bool build_fields(Build *build, RtPart *part) {
    for (int i = 0; i < part->cls->field_count; i++)
        if (!part->cls->fields[i].clock && !build_cell(build, part, i)) return false;
    return true;
}

static bool build_part(void *user, const PartVisit *visit) {
    return build_fields(user, visit->part);
}

/* What is warned of afterwards is told while it is worked out. */
typedef struct Watch {
    RtObserver head;
    ScatterReport report;
    World *world;
} Watch;

static void *give_record(RtObserver *observer, const char *package) {
    return strcmp(package, "scatter") == 0 ? &((Watch *)observer)->report : NULL;
}

static void put_warning(RtObserver *observer, Rt *rt, Str why) {
    const RtCell *cell = rt->world->running->cell;
    const RtClass *cls = cell->part->cls;
    RtField families = {.span = {cls->span[0], cls->span[1], cls->span[2]}};
    build_warn_of(((Watch *)observer)->world,
                  cell->field < cls->field_count ? &cls->fields[cell->field] : &families, why);
}

static WorldStatus build(World *world, Rt *rt, void *args) {
    (void)args;
    Build b = {world, rt, {.arena = rt->arena}};
    Watch watch = {.head = {.warn = put_warning, .record = give_record},
                   .report = {.arena = rt->arena},
                   .world = world};
    RtPart *root = rt_world_root(world->parts);
    rt->observer = &watch.head;
    world_forget_timings(world);
    if (build_fields(&b, root)) parts_walk(world, rt, root, build_part, &b);
    rt->observer = NULL;
    WorldStatus status = entry_fault(world, rt);
    if (status == WORLD_OK) build_warn(world, &watch.report);
    return status;
}

WorldStatus world_build(World *world) {
    return entry_run(world, build, NULL);
}
