/* world_explain: the land's answers at a place, and every spot tried near it with what decided
 * it.
 *
 * The trials come from a scatter that runs again under an observer (stats.c); here they become
 * words. See explain_keep.c for conditions and explain_clash.c for what stood in the way.
 */
#include <math.h>

#include "compiler/engine/why/why.h"

/* -- the land's answers -- */

static bool asks_point(const TreeFn *fn) {
    return fn->kind == AST_FN_PLAIN && fn->body && !fn->draws && fn->param_count == 1 &&
           fn->locals.items[fn->capture_count].type->kind == TYPE_POINT &&
           fn->result->kind != TYPE_UNIT;
}

/* A copy's land answers with its design's functions; what it declares itself comes first. */
static const TreeFn *find_height(const TreeClass *cls) {
    for (; cls; cls = cls->base)
        for (int i = 0; i < cls->methods.count; i++)
            if (asks_point(cls->methods.items[i]) &&
                str_equal(str_last_name(cls->methods.items[i]->name), STR_LIT("height")))
                return cls->methods.items[i];
    return NULL;
}

static bool is_known(const Explain *e, Str name) {
    for (int i = 0; i < e->answers.count; i++)
        if (str_equal(str_of(e->answers.items[i].text), name)) return true;
    return false;
}

static WorldAnswer answer_of(Explain *e, const PartVisit *visit, const TreeFn *fn,
                             const double at[2]) {
    Slot args[4] = {slot_r(visit->part), slot_f(at[0]), slot_f(0), slot_f(at[1])};
    const Slot *in[4] = {&args[0], &args[1], &args[2], &args[3]};
    int count = fn->result->slot_count;
    Slot *slots = ARENA_ARRAY(e->rt->arena, Slot, count + 1);
    Slot **out = ARENA_ARRAY(e->rt->arena, Slot *, count + 1);
    for (int i = 0; i < count; i++)
        out[i] = &slots[i];
    program_run(e->rt, e->world->compile->lowering.ir_index.items[fn->index], 1, 0xf, in, out);
    WorldAnswer answer = {.text = explain_text(e, str_last_name(fn->name)), .value = "", .number = NAN};
    if (rt_failed(e->rt)) return answer;
    StrBuf value = {.arena = e->arena};
    value_print(&(ValuePrinter){e->world, &value}, fn->result, slots);
    answer.value = explain_text(e, strbuf_take(&value));
    if (fn->result->kind == TYPE_NUMBER) answer.number = slots[0].f;
    return answer;
}

typedef struct LandVisit {
    Explain *explain;
    double at[2];
} LandVisit;

/* The first part with a height answers; then the walk ends. */
static bool ask_land(void *user, const PartVisit *visit) {
    LandVisit *land = user;
    Explain *e = land->explain;
    if (find_height(visit->cls) == NULL) return true;
    for (const TreeClass *cls = visit->cls; cls; cls = cls->base)
        for (int i = 0; i < cls->methods.count; i++) {
            const TreeFn *fn = cls->methods.items[i];
            if (!asks_point(fn) || is_known(e, str_last_name(fn->name))) continue;
            WorldAnswer answer = answer_of(e, visit, fn, land->at);
            if (rt_failed(e->rt)) return false;
            VEC_PUSH(e->arena, &e->answers, answer);
        }
    return false;
}

/* -- the trials -- */

static void explain_trial(Explain *e, const ScatterReport *report, const ScatterTrial *trial,
                          WorldTrial *out) {
    const ScatterRun *run = &report->runs.items[trial->run];
    const ScatterRule *rule = &run->rules[trial->rule - run->first_rule];
    switch (trial->outcome) {
    case SCATTER_KEEP:
        explain_keep(e, rule, trial, out);
        break;
    case SCATTER_CIRCLE:
    case SCATTER_DISC:
    case SCATTER_CLEARANCE:
    case SCATTER_FOOTPRINT:
        explain_clash(e, run, rule, trial, out);
        break;
    case SCATTER_CAP: {
        long long cap = (long long)rule->at_most, more = (long long)trial->past_cap;
        out->past_cap = trial->past_cap;
        out->advice = explain_text(
            e, str_printf(e->arena, "raise atMost from %lld to %lld, or less if others are refused",
                          cap, cap + more));
        break;
    }
    case SCATTER_PLACED:
    case SCATTER_OUTCOME_COUNT:
        break;
    }
}

static WorldTrial begin_trial(Explain *e, Str path, const ScatterReport *report,
                              const ScatterTrial *trial) {
    Str rule = report->stats.items[trial->rule].rule;
    double x = trial->spot[SPOT_X].f, z = trial->spot[SPOT_Z].f, dx = x - report->x,
           dz = z - report->z;
    return (WorldTrial){.path = explain_text(e, path),
                        .rule = explain_text(e, rule),
                        .id = explain_text(e, scatter_spot_id(e->arena, rule, trial->spot)),
                        .k = trial->k,
                        .x = x,
                        .z = z,
                        .distance = sqrt(dx * dx + dz * dz),
                        .outcome = (WorldOutcome)trial->outcome,
                        .size = trial->size,
                        .spacing = trial->spacing,
                        .test = trial->test,
                        .room = trial->room,
                        .condition = "",
                        .left = {.number = NAN},
                        .right = {.number = NAN},
                        .other = "",
                        .other_distance = NAN,
                        .needed = NAN,
                        .test_allowed = NAN,
                        .move_x = NAN,
                        .move_z = NAN,
                        .advice = ""};
}

/* All conditions are taken apart before the first is asked. */
static bool prepare(Explain *e, const ScatterReport *report) {
    e->overlay = NULL;
    e->keeps.items = NULL;
    e->keeps.count = e->keeps.capacity = 0;
    for (int i = 0; i < report->trials.count; i++) {
        const ScatterTrial *trial = &report->trials.items[i];
        const ScatterRun *run = &report->runs.items[trial->run];
        if (trial->outcome == SCATTER_KEEP)
            keep_parts_get(e, run->rules[trial->rule - run->first_rule].keep);
    }
    return e->overlay == NULL || overlay_finish(e->overlay);
}

static WorldStatus explain_layout(World *world, Rt *rt, Str path, const ScatterReport *report,
                                  void *user) {
    Explain *e = user;
    if (!prepare(e, report)) return WORLD_ERROR_INTERNAL;
    for (int i = 0; i < report->trials.count && !rt_failed(rt); i++) {
        const ScatterTrial *trial = &report->trials.items[i];
        WorldTrial out = begin_trial(e, path, report, trial);
        explain_trial(e, report, trial, &out);
        VEC_PUSH(e->arena, &e->trials, out);
    }
    return entry_fault(world, rt);
}

/* -- the public face -- */

typedef struct ExplainCall {
    const char *path;
    double x, z, radius;
    const WorldExplanation **explanation;
} ExplainCall;

static void begin_explanation(World *world) {
    Memory *memory = world->explained.memory;
    arena_fini(&world->explained);
    arena_init(&world->explained, memory);
}

static WorldStatus explain(World *world, Rt *rt, void *args) {
    const ExplainCall *call = args;
    begin_explanation(world);
    Explain e = {.world = world, .rt = rt, .arena = &world->explained};
    LandVisit land = {&e, {call->x, call->z}};
    parts_walk(world, rt, rt_world_root(world->parts), ask_land, &land);
    WorldStatus status = entry_fault(world, rt);
    if (status != WORLD_OK) return status;
    LayoutVisit visit = {.path = str_of(call->path),
                         .trace = true,
                         .x = call->x,
                         .z = call->z,
                         .radius = call->radius,
                         .each = explain_layout,
                         .user = &e};
    status = layouts_visit(world, rt, &visit);
    if (status != WORLD_OK) return status;
    WorldExplanation *explanation = ARENA_NEW(e.arena, WorldExplanation);
    *explanation = (WorldExplanation){call->x,
                                      call->z,
                                      call->radius,
                                      e.answers.items,
                                      (size_t)e.answers.count,
                                      e.trials.items,
                                      (size_t)e.trials.count};
    *call->explanation = explanation;
    return WORLD_OK;
}

WorldStatus world_explain(World *world, const char *path, double x, double z, double radius,
                          const WorldExplanation **explanation) {
    if (path == NULL || explanation == NULL || !isfinite(x) || !isfinite(z) || !(radius >= 0))
        return WORLD_ERROR_ARGUMENT;
    ExplainCall call = {path, x, z, radius, explanation};
    return entry_run(world, explain, &call);
}
