/* Building: every field of every part that has a value is worked out; and the world's own
 * checks. */
#include <stdlib.h>

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

/* -- checks -- */

typedef struct CheckFailure {
    const RtPart *part;
    const int64_t *seed; /* NULL: the world's own */
    Str why;             /* what its sides were; empty: nothing to say */
} CheckFailure;

typedef struct CheckRun {
    World *world;
    Rt *rt;
    const TreeCheck *check;
    const int64_t *seed;
    bool seeded;
    VEC(CheckFailure) failures;
} CheckRun;

enum { VALUE_SHOWN = 300 }; /* bytes */

/* Up to `mark`, or all; answers what is behind it. */
static Str until(Str text, const char *mark, Str *found) {
    *found = (Str){text.ptr, 0};
    while (found->len < text.len && text.ptr[found->len] != *mark)
        found->len++;
    size_t past = found->len < text.len ? found->len + 1 : text.len;
    return (Str){text.ptr + past, text.len - past};
}

static void put_value(StrBuf *out, Str value) {
    size_t shown = value.len;
    if (shown > VALUE_SHOWN) {
        shown = VALUE_SHOWN;
        while (((unsigned char)value.ptr[shown] & 0xc0) == 0x80) /* within a character */
            shown--;
    }
    strbuf_add(out, value.ptr, shown);
    if (shown < value.len) strbuf_printf(out, " ... (%zu bytes)", value.len);
}

/* Long values by their beginnings. */
static Str shown_why(Arena *arena, Str why) {
    StrBuf out = {.arena = arena};
    while (why.len) {
        Str words, value;
        why = until(why, WHY_VALUE_BEGIN, &words);
        strbuf_str(&out, words);
        why = until(why, WHY_VALUE_END, &value);
        put_value(&out, value);
    }
    return strbuf_take(&out);
}

static void report_failure(const CheckRun *run, const CheckFailure *failure) {
    World *world = run->world;
    DiagList *diags = &world->report.diags;
    Diag *diag = diag_add(diags, DIAG_E_CHECK_FAILED, run->check->span, STR_ARG(run->check->title));
    Str path = report_path(world, failure->part), why = shown_why(&world->report.arena, failure->why);
    if (path.len) diag_note(diags, diag, (Span){0}, "in '%.*s'", STR_ARG(path));
    if (why.len) diag_note(diags, diag, (Span){0}, "%.*s", STR_ARG(why));
    if (failure->seed)
        diag_note(diags, diag, (Span){0}, "with seed %lld", (long long)*failure->seed);
}

static Slot run_fn(const CheckRun *run, const TreeFn *fn, RtPart *part) {
    Slot self = slot_r(part), answer = {0};
    const Slot *in[1] = {&self};
    Slot *out[1] = {&answer};
    program_run(run->rt, run->world->compile->lowering.ir_index.items[fn->index], 1, 1, in, out);
    return answer;
}

/* A fault on the way is none of the check's. */
static Str find_why(const CheckRun *run, RtPart *part) {
    if (run->check->why == NULL) return STR_LIT("");
    Slot answer = run_fn(run, run->check->why, part);
    bool good = !rt_failed(run->rt) && answer.r;
    run->rt->fault = (RtFault){0};
    return good ? ((const RtText *)answer.r)->text : STR_LIT("");
}

static bool run_condition(CheckRun *run, RtPart *part) {
    Slot answer = run_fn(run, run->check->condition, part);
    if (rt_failed(run->rt)) return false;
    if (answer.w == 0)
        VEC_PUSH(run->rt->arena, &run->failures,
                 ((CheckFailure){part, run->seed, find_why(run, part)}));
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

static int seed_field(World *world) {
    RtPart *root = rt_world_root(world->parts);
    int field = parts_field(parts_class(world, root), &world->compile->symbols, STR_LIT("seed"));
    return field >= 0 && root->cls->fields[field].slot_types[0] == 'W' ? field : -1;
}

typedef struct CheckRuns {
    CheckRun *items;
    int count;
} CheckRuns;

/* A check is done with its seeds at the first that fails. */
static bool wants_seed(const CheckRun *run, int64_t seed) {
    return run->seeded && run->failures.count == 0 && seed >= run->check->seeds_lo->integer &&
           seed < run->check->seeds_hi->integer;
}

/* The least seed from `from` on that a check wants; false: none does. */
static bool next_seed(const CheckRuns *runs, int64_t from, int64_t *seed) {
    bool found = false;
    for (int i = 0; i < runs->count; i++) {
        const CheckRun *run = &runs->items[i];
        int64_t first = run->seeded ? run->check->seeds_lo->integer : 0;
        if (first < from) first = from;
        if (!wants_seed(run, first) || (found && first >= *seed)) continue;
        *seed = first;
        found = true;
    }
    return found;
}

/* Each seed builds the world once, for all the checks that want it. */
static void run_from_seed(const CheckRuns *runs, Rt *rt, int field, int64_t seed) {
    RtPart *root = rt_world_root(rt->world);
    for (; !rt_failed(rt) && next_seed(runs, seed, &seed); seed++) {
        Slot slot = slot_w((uint32_t)seed);
        int64_t *kept = ARENA_NEW(rt->arena, int64_t);
        *kept = seed;
        rt_cell_set(rt, root, field, &slot);
        for (int i = 0; i < runs->count && !rt_failed(rt); i++) {
            if (!wants_seed(&runs->items[i], seed)) continue;
            runs->items[i].seed = kept;
            run_check(&runs->items[i]);
        }
    }
}

/* The world's own seed is put back, whatever happens. */
static void run_seeds(const CheckRuns *runs, Rt *rt, int field) {
    RtPart *root = rt_world_root(rt->world);
    Recover recover;
    int64_t first;
    if (!next_seed(runs, INT64_MIN, &first)) return;
    Slot own = *rt_cell_get(rt, root, field);
    if (rt_failed(rt)) return;
    bool good = MEMORY_TRY(&recover);
    if (good) {
        run_from_seed(runs, rt, field, first);
        memory_end_try(&recover);
    }
    rt_cell_put(rt, root, field, &own);
    if (!good) memory_fail();
}

static WorldStatus check_all(World *world, Rt *rt, void *args) {
    (void)args;
    const TreeProgram *program = world->compile->program;
    int failures = 0, field = seed_field(world);
    CheckRuns runs = {ARENA_ARRAY(rt->arena, CheckRun, program->checks.count),
                      program->checks.count};
    for (int i = 0; i < runs.count && !rt_failed(rt); i++) {
        const TreeCheck *check = &program->checks.items[i];
        bool seeded = check->seeds_lo && check->seeds_hi && field >= 0;
        runs.items[i] = (CheckRun){.world = world, .rt = rt, .check = check, .seeded = seeded};
        if (!seeded) run_check(&runs.items[i]);
    }
    if (field >= 0 && !rt_failed(rt)) run_seeds(&runs, rt, field);
    for (int i = 0; i < runs.count; i++) {
        failures += runs.items[i].failures.count;
        for (int k = 0; k < runs.items[i].failures.count; k++)
            report_failure(&runs.items[i], &runs.items[i].failures.items[k]);
    }
    WorldStatus status = entry_fault(world, rt);
    return status == WORLD_OK && failures ? WORLD_ERROR_WORLD : status;
}

WorldStatus world_check(World *world) {
    return entry_change(world, check_all, NULL);
}
