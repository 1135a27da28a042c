/* The scatter package's native part: rules as records become the runtime's rules, and the makers
 * that walk. */
#include "runtime/scatter/scatter.h"

#include "runtime/random/stream.h"
#include "runtime/rt/cell.h"
#include "runtime/scatter/parts.h"
#include "stdlib/placing/placing.h"

RtStream *scatter_stableStream(Rt *rt, bool perSpot) {
    return stream_create(rt, 0, perSpot ? RT_STREAM_PER_SPOT : RT_STREAM_OWN);
}

void scatter_beginSpot(Rt *rt, RtStream *draws, int64_t i, int64_t j, const RtText *of) {
    (void)rt;
    if (draws && draws->kind == RT_STREAM_PER_SPOT)
        draws->state = scatter_spot_start(draws->start, i, j, of ? of->text : (Str){0});
}

uint32_t scatter_spotState(Rt *rt, RtStream *draws) {
    (void)rt;
    return draws ? draws->state : 0;
}

static ScatterDraws draws_of(const RtStream *stream) {
    if (stream == NULL) return SCATTER_DRAWS_NONE;
    if (stream->kind == RT_STREAM_OWN) return SCATTER_DRAWS_OWN;
    return stream->kind == RT_STREAM_PER_SPOT ? SCATTER_DRAWS_PER_SPOT : SCATTER_DRAWS_SHARED;
}

/* The group's index, found by name; its own cap stands in for a rule's that has none. */
static int find_group(Rt *rt, const RtList *groups, const RtText *name, ScatterRule *rule) {
    if (name == NULL || name->text.len == 0) return -1;
    for (int64_t i = 0; i < rt_list_length(groups); i++) {
        const StdCapGroup *group = (const StdCapGroup *)rt_list_item(groups, i);
        if (!str_equal(group->name->text, name->text)) continue;
        if (rule->at_most < 0) rule->at_most = group->atMost;
        return (int)i;
    }
    rt_fault(rt, RT_FAULT_ARGUMENT,
             "rule '%.*s' counts in the cap group '%.*s', which the scatter's groups: do not name",
             STR_ARG(rule->name), STR_ARG(name->text));
    return -1;
}

static ScatterRule rule_of(Rt *rt, const StdRule *std, const RtList *groups) {
    ScatterRule rule = {
        .name = std->name->text,
        .draws = draws_of(std->draws.present ? std->draws.value : NULL),
        .candidates = std->candidates,
        .keep = std->keep,
        .order = std->order,
        .size = std->size,
        .spacing = std->spacing,
        .test = std->test,
        .room = std->room,
        .place = std->place,
        .at_most = std->atMost.present ? std->atMost.value : -1,
        .blocks = std->blocks,
        .has_margin = std->cottageMargin.present || std->footprintMargin.present,
        .margin =
            std->cottageMargin.present ? std->cottageMargin.value : std->footprintMargin.value,
    };
    if (rule.draws == SCATTER_DRAWS_SHARED) rule.stream = std->draws.value;
    if (std->atMost.present && std->atMost.value < 0)
        rt_fault(rt, RT_FAULT_ARGUMENT, "atMost of rule '%.*s' is %lld, below 0", STR_ARG(rule.name),
                 (long long)std->atMost.value);
    rule.group = find_group(rt, groups, std->capGroup, &rule);
    return rule;
}

const RtList *scatter_place(Rt *rt, StdLand over, const RtList *rules, const RtList *keepClearOf,
                            const RtList *groups, uint32_t seed) {
    int count = (int)rt_list_length(rules);
    ScatterRule *list = ARENA_ARRAY(rt->arena, ScatterRule, count);
    for (int i = 0; i < count; i++)
        list[i] = rule_of(rt, (const StdRule *)rt_list_item(rules, i), groups);
    ClearSet fixed;
    clear_init(&fixed, rt->arena);
    for (int64_t i = 0; i < rt_list_length(keepClearOf); i++) {
        const StdDisc *disc = (const StdDisc *)rt_list_item(keepClearOf, i);
        discs_add(&fixed.discs, disc->at.x, disc->at.z, disc->radius, (int32_t)i);
    }
    RtPart *land = placing_land_part(&over);
    placing_checkHolder(rt, over);
    clear_add_parts(&fixed, rt, land);
    if (rt_failed(rt)) return NULL;
    ScatterInput input = {.rules = list,
                          .rule_count = count,
                          .height = over.height,
                          .fixed = &fixed,
                          .group_count = (int)rt_list_length(groups),
                          .seed = seed};
    return scatter_run(rt, &input);
}

/* -- spots along a spine -- */

typedef struct Walk {
    Rt *rt;
    RtStream *stream;
    const RtSpine *spine;
    const RtClosure *step, *across, *size;
    RtList *spots;
    double along;
    int64_t steps;
} Walk;

static double ask(Walk *walk, const RtClosure *closure, double size) {
    Slot args[3] = {slot_f(walk->along), slot_i(rt_list_length(walk->spots)), slot_f(size)},
         answer = {0};
    rt_call(walk->rt, closure, walk->stream, args, &answer);
    return answer.f;
}

/* side -1 left, 1 right: the left of a spine is the negative `across`. */
static void add_spot(Walk *walk, int side) {
    double size = ask(walk, walk->size, 1), across = side * ask(walk, walk->across, size);
    Vec3 at = spine_plainSpot(walk->rt, walk->spine, walk->along, across);
    StdSpot spot = {.at = {at.x, 0, at.z},
                    .i = walk->steps,
                    .j = side > 0,
                    .of = rt_text(walk->rt, (Str){0}),
                    .along = walk->along,
                    .across = across,
                    .size = size,
                    .state = walk->stream ? walk->stream->state : 0};
    Slot row[STD_SLOTS(StdSpot)];
    memcpy(row, &spot, sizeof row);
    walk->spots = rt_list_append(walk->rt, walk->spots, STD_SHAPE(StdSpot), row);
}

const RtList *scatter_walkSpine(Rt *rt, RtStream *draws, const RtSpine *spine,
                                const RtClosure *step, int64_t sides, const RtClosure *across,
                                const RtClosure *size, double from, double to) {
    Walk walk = {.rt = rt,
                 .stream = draws,
                 .spine = spine,
                 .step = step,
                 .across = across,
                 .size = size,
                 .along = from};
    for (; walk.along < to && !rt_failed(rt) && !rt->stop; walk.steps++) {
        scatter_beginSpot(rt, draws, walk.steps, -1, NULL);
        bool left = sides == STD_WALK_SPINE_SIDES_LEFT_SIDE ||
                    (sides == STD_WALK_SPINE_SIDES_ALTERNATING_SIDES && walk.steps % 2 == 0);
        if (sides == STD_WALK_SPINE_SIDES_RANDOM_SIDE)
            left = stream_unit(stream_next(walk.stream)) < 0.5;
        if (sides == STD_WALK_SPINE_SIDES_BOTH_SIDES) {
            add_spot(&walk, -1);
            add_spot(&walk, 1);
        } else {
            add_spot(&walk, left ? -1 : 1);
        }
        double length = ask(&walk, step, 1);
        if (!(length > 1e-6)) {
            rt_fault(rt, RT_FAULT_ARGUMENT, "step is %g m at %g m along, more than 0 m is needed",
                     length, walk.along);
            break;
        }
        walk.along += length;
    }
    return walk.spots;
}
