/* Building: every field of every part that has a value is worked out; and the world's own
 * checks. */
#include <stdlib.h>

#include "compiler/engine/open/open.h"
#include "runtime/scatter/scatter.h"

static const double slow_ms = 1.0; /* a cell that takes longer gets a row in the timings */

static void add_timing(World *world, const char *phase, double milliseconds) {
    WorldTiming timing = {phase, milliseconds};
    VEC_PUSH(&world->arena, &world->timings, timing);
}

typedef struct Build {
    World *world;
    Rt *rt;
} Build;

static bool build_cell(const Build *build, RtPart *part, int field) {
    World *world = build->world;
    uint32_t mark = part->marks[field];
    if (mark != RT_MARK_EMPTY && mark != RT_MARK_BUSY) return true;
    StrBuf name = {.arena = build->rt->arena};
    strbuf_str(&name, STR_LIT("build "));
    size_t start = name.len;
    rt_part_path(&name, part);
    if (name.len > start && part->cls->fields[field].name.len) strbuf_char(&name, '.');
    strbuf_str(&name, part->cls->fields[field].name);
    const char *outer = world->working;
    world->working = name.ptr + start;
    double begin = entry_seconds();
    rt_cell_get(build->rt, part, field);
    double milliseconds = (entry_seconds() - begin) * 1e3;
    world->working = outer;
    if (milliseconds > slow_ms)
        add_timing(world, arena_strndup(&world->arena, name.ptr, name.len), milliseconds);
    return !rt_failed(build->rt);
}

static bool build_fields(const Build *build, RtPart *part) {
    for (int i = 0; i < part->cls->field_count; i++)
        if (!build_cell(build, part, i)) return false;
    return true;
}

static bool build_part(void *user, const PartVisit *visit) {
    return build_fields(user, visit->part);
}

static WorldStatus build(World *world, Rt *rt, void *args) {
    (void)args;
    Build b = {world, rt};
    ScatterReport report = {.arena = rt->arena};
    RtPart *root = rt_world_root(world->parts);
    rt->observer = &report;
    if (build_fields(&b, root)) parts_walk(world, rt, root, build_part, &b);
    rt->observer = NULL;
    WorldStatus status = entry_fault(world, rt);
    if (status == WORLD_OK) build_warn(world, &report);
    return status;
}

WorldStatus world_build(World *world) {
    return entry_run(world, build, NULL);
}

/* -- checks -- */

typedef struct CheckRun {
    World *world;
    Rt *rt;
    const TreeCheck *check;
    const int64_t *seed; /* of the run, or NULL: the world's own */
    int failures;
} CheckRun;

static void report_check(const CheckRun *run, const RtPart *part) {
    World *world = run->world;
    DiagList *diags = &world->report.diags;
    Diag *diag = diag_add(diags, DIAG_E_CHECK_FAILED, run->check->span, STR_ARG(run->check->title));
    StrBuf path = {.arena = &world->report.arena};
    rt_part_path(&path, part);
    if (path.len) diag_note(diags, diag, (Span){0}, "in '%.*s'", STR_ARG(strbuf_take(&path)));
    if (run->seed) diag_note(diags, diag, (Span){0}, "with seed %lld", (long long)*run->seed);
}

static bool run_condition(CheckRun *run, RtPart *part) {
    Slot self = slot_r(part), answer = {0};
    const Slot *in[1] = {&self};
    Slot *out[1] = {&answer};
    program_run(run->rt, run->world->compile->lowering.ir_index.items[run->check->condition->index],
                1, 1, in, out);
    if (rt_failed(run->rt)) return false;
    if (answer.w == 0) {
        report_check(run, part);
        run->failures++;
    }
    return true;
}

static bool check_part(void *user, const PartVisit *visit) {
    CheckRun *run = user;
    return visit->cls != run->check->cls || run_condition(run, visit->part);
}

static void run_check(CheckRun *run) {
    RtPart *root = rt_world_root(run->world->parts);
    if (run->check->cls->index == 0)
        run_condition(run, root);
    else
        parts_walk(run->world, run->rt, root, check_part, run);
}

/* Over a range of seeds, up to the first that fails; the world's own seed is put back. */
static void run_seeds(CheckRun *run, int field) {
    RtPart *root = rt_world_root(run->world->parts);
    Slot own = *rt_cell_get(run->rt, root, field);
    int64_t end = run->check->seeds_hi->integer;
    for (int64_t seed = run->check->seeds_lo->integer; seed < end && !run->failures; seed++) {
        Slot slot = slot_w((uint32_t)seed);
        rt_cell_set(run->rt, root, field, &slot);
        run->seed = &seed;
        run_check(run);
        if (rt_failed(run->rt)) break;
    }
    rt_cell_set(run->rt, root, field, &own);
}

static int seed_field(World *world) {
    RtPart *root = rt_world_root(world->parts);
    int field = parts_field(parts_class(world, root), &world->compile->symbols, STR_LIT("seed"));
    return field >= 0 && root->cls->fields[field].slot_types[0] == 'W' ? field : -1;
}

static WorldStatus check_all(World *world, Rt *rt, void *args) {
    (void)args;
    const TreeProgram *program = world->compile->program;
    int failures = 0, field = seed_field(world);
    for (int i = 0; i < program->checks.count; i++) {
        CheckRun run = {.world = world, .rt = rt, .check = &program->checks.items[i]};
        if (run.check->seeds_lo && run.check->seeds_hi && field >= 0)
            run_seeds(&run, field);
        else
            run_check(&run);
        failures += run.failures;
        WorldStatus status = entry_fault(world, rt);
        if (status != WORLD_OK) return status;
    }
    return failures ? WORLD_ERROR_WORLD : WORLD_OK;
}

WorldStatus world_check(World *world) {
    return entry_run(world, check_all, NULL);
}
