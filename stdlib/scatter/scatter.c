/* The scatter package's native part: rules as records become the runtime's rules, and the makers
 * that walk or fill. */
#include "runtime/scatter/scatter.h"

#include <math.h>

#include "runtime/random/stream.h"
#include "runtime/rt/cell.h"
#include "runtime/scatter/parts.h"
#include "stdlib/placing/placing.h"

RtStream *scatter_stableStream(Rt *rt, bool perSpot) {
    return stream_create(rt, 0, perSpot ? RT_STREAM_PER_SPOT : RT_STREAM_OWN);
}

int64_t scatter_beginMaker(Rt *rt, RtStream *draws) {
    (void)rt;
    return draws ? ++draws->makers : 1;
}

void scatter_beginSpot(Rt *rt, RtStream *draws, int64_t maker, int64_t i, int64_t j,
                       const RtText *of) {
    (void)rt;
    if (draws == NULL || draws->kind != RT_STREAM_PER_SPOT) return;
    uint32_t start = scatter_maker_start(draws->start, maker);
    draws->state = scatter_spot_start(start, i, j, of ? of->text : (Str){0});
}

bool scatter_holdsPart(Rt *rt, const RtClass *kind, const RtText *name) {
    (void)rt;
    for (int i = 0; i < kind->child_count; i++)
        if (str_equal(kind->children[i].name, name->text)) return true;
    return false;
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

/* -- caps that several rules share -- */

typedef struct Group {
    Str name;
    int64_t cap; /* -1: not said yet */
    bool listed; /* in groups: its rules may go beyond it */
    bool joined; /* by a rule */
} Group;

typedef VEC(Group) Groups;

static Group *find_group(Rt *rt, Groups *groups, Str name) {
    for (int i = 0; i < groups->count; i++)
        if (str_equal(groups->items[i].name, name)) return &groups->items[i];
    VEC_PUSH(rt->arena, groups, ((Group){.name = name, .cap = -1}));
    return &groups->items[groups->count - 1];
}

static void set_cap(Rt *rt, Group *group, int64_t cap) {
    if (group->cap >= 0 && group->cap != cap)
        rt_fault(rt, RT_FAULT_ARGUMENT,
                 "the cap group '%.*s' has two caps, %lld and %lld; where one rule goes beyond the "
                 "others, say groups: [capGroup(%.*s, atMost: %lld)]",
                 STR_ARG(group->name), (long long)group->cap, (long long)cap, STR_ARG(group->name),
                 (long long)(group->cap < cap ? group->cap : cap));
    group->cap = cap;
}

static void list_groups(Rt *rt, const RtList *list, Groups *groups) {
    for (int64_t i = 0; i < rt_list_length(list); i++) {
        const StdCapGroup *std = (const StdCapGroup *)rt_list_item(list, i);
        Group *group = find_group(rt, groups, std->name->text);
        if (std->atMost < 0)
            rt_fault(rt, RT_FAULT_ARGUMENT, "atMost of the cap group '%.*s' is %lld, below 0", STR_ARG(group->name),
                     (long long)std->atMost);
        set_cap(rt, group, std->atMost);
        group->listed = true;
    }
}

/* A group that is listed nowhere has the cap that its rules say. */
static void join_group(Rt *rt, const RtText *name, Groups *groups, ScatterRule *rule) {
    rule->group = -1;
    if (name == NULL || name->text.len == 0) return;
    Group *group = find_group(rt, groups, name->text);
    rule->group = (int)(group - groups->items);
    group->joined = true;
    if (!group->listed && rule->at_most >= 0) set_cap(rt, group, rule->at_most);
}

static void check_joined(Rt *rt, const Groups *groups) {
    for (int i = 0; i < groups->count; i++)
        if (!groups->items[i].joined)
            rt_fault(rt, RT_FAULT_ARGUMENT, "groups: no rule is of the cap group '%.*s'; one says capGroup: %.*s",
                     STR_ARG(groups->items[i].name), STR_ARG(groups->items[i].name));
}

/* The group's cap stands in for a rule's that has none. */
static void cap_by_group(Rt *rt, const Groups *groups, ScatterRule *rule) {
    if (rule->group < 0 || rule->at_most >= 0) return;
    const Group *group = &groups->items[rule->group];
    rule->at_most = group->cap;
    if (group->cap < 0)
        rt_fault(rt, RT_FAULT_ARGUMENT,
                 "nothing says how many the cap group '%.*s' of rule '%.*s' holds: say atMost:",
                 STR_ARG(group->name), STR_ARG(rule->name));
}

/* The rule's full path: where it is written, which ends in its name unless it was given another. */
static Str full_path(Rt *rt, const StdRule *std) {
    Str path = std->path->text, name = std->name->text;
    if (path.len == 0) return name;
    Str last = path;
    for (size_t i = 0; i < path.len; i++)
        if (path.ptr[i] == '.') last = (Str){path.ptr + i + 1, path.len - i - 1};
    if (str_equal(last, name)) return path;
    return str_printf(rt->arena, "%.*s.%.*s", STR_ARG(path), STR_ARG(name));
}

static ScatterRule rule_of(Rt *rt, const StdRule *std, Groups *groups) {
    ScatterRule rule = {
        .name = std->name->text,
        .path = full_path(rt, std),
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
    if (std->cottageMargin.present && std->footprintMargin.present)
        rt_fault(rt, RT_FAULT_ARGUMENT, "rule '%.*s' says cottageMargin: and footprintMargin:, which are one: leave one out",
                 STR_ARG(rule.name));
    if (isnan(rule.margin))
        rt_fault(rt, RT_FAULT_NAN, "the margin of rule '%.*s'", STR_ARG(rule.name));
    if (rule.draws == SCATTER_DRAWS_SHARED) rule.stream = std->draws.value;
    if (std->atMost.present && std->atMost.value < 0)
        rt_fault(rt, RT_FAULT_ARGUMENT, "atMost of rule '%.*s' is %lld, below 0", STR_ARG(rule.name),
                 (long long)std->atMost.value);
    join_group(rt, std->capGroup, groups, &rule);
    return rule;
}

/* The rules' names begin the ids of their things. */
static void check_names(Rt *rt, const ScatterRule *rules, int count) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            if (!str_equal(rules[i].name, rules[k].name)) continue;
            rt_fault(rt, RT_FAULT_SAME_ID,
                     "two rules of one scatter are called '%.*s': say `name:` in one of them",
                     STR_ARG(rules[i].name));
            return;
        }
}

/* The grids that the land's height is read from, and its path. */
static void take_land(Rt *rt, RtPart *land, ScatterInput *input) {
    if (land == NULL) return;
    StrBuf path = {.arena = rt->arena};
    rt_part_path(&path, land);
    input->land = strbuf_take(&path);
    Ground *grounds = ARENA_ARRAY(rt->arena, Ground, land->cls->ground_count);
    for (int i = 0; i < land->cls->ground_count; i++)
        if (placing_ground(rt, land, i, &grounds[input->grounds.count])) input->grounds.count++;
    input->grounds.items = grounds;
}

const RtList *scatter_place(Rt *rt, StdLand over, const RtList *rules, const RtList *keepClearOf,
                            const RtList *groups, uint32_t seed) {
    if (rt_failed(rt)) return NULL; /* a rule that could not be worked out has no parts: machine code goes on to here */
    int count = (int)rt_list_length(rules);
    ScatterRule *list = ARENA_ARRAY(rt->arena, ScatterRule, count);
    Groups shared = {0};
    list_groups(rt, groups, &shared);
    for (int i = 0; i < count; i++)
        list[i] = rule_of(rt, (const StdRule *)rt_list_item(rules, i), &shared);
    for (int i = 0; i < count; i++)
        cap_by_group(rt, &shared, &list[i]);
    check_joined(rt, &shared);
    check_names(rt, list, count);
    ClearSet fixed;
    clear_init(&fixed, rt->arena);
    for (int64_t i = 0; i < rt_list_length(keepClearOf); i++) {
        const StdDisc *disc = (const StdDisc *)rt_list_item(keepClearOf, i);
        if (!isfinite(disc->at.x) || !isfinite(disc->at.z) || !isfinite(disc->radius))
            rt_fault(rt, RT_FAULT_NAN, "disc %lld of keepClearOf", (long long)i);
        discs_add(&fixed.discs, disc->at.x, disc->at.z, disc->radius, (int32_t)i);
    }
    RtPart *land = placing_land_part(&over);
    placing_checkHolder(rt, over);
    clear_add_parts(&fixed, rt, land);
    ScatterInput input = {.rules = list,
                          .rule_count = count,
                          .height = over.height,
                          .fixed = &fixed,
                          .group_count = shared.count,
                          .seed = seed};
    take_land(rt, land, &input);
    return rt_failed(rt) ? NULL : scatter_run(rt, &input);
}

/* -- spots of a grid -- */

/* Where the square's spot lies in its range: the square's corner moved by a draw. */
static double draw_in(const StdSquares *squares, int64_t square, double cell, RtStream *stream) {
    double at = (double)(squares->from + square) + stream_unit(stream_next(stream));
    return squares->corner + at * cell;
}

const RtList *scatter_gridSpots(Rt *rt, RtStream *draws, StdSquares columns, StdSquares rows, double cell) {
    static const RtText of_nothing = {{RT_TEXT, 0}, {0}};
    int64_t maker = scatter_beginMaker(rt, draws), count = 0;
    if (__builtin_mul_overflow(columns.count, rows.count, &count)) count = INT64_MAX;
    RtList *list = rt_list_room(rt, SPOT_SHAPE, count);
    for (int64_t row = 0; row < rows.count && rt_step(rt, columns.count, 0); row++) {
        Slot *spot;
        list = rt_list_extend(rt, list, SPOT_SHAPE, columns.count, &spot);
        for (int64_t column = 0; column < columns.count && spot; column++, spot += SPOT_SLOTS) {
            int64_t i = columns.first + column, j = rows.first + row;
            scatter_beginSpot(rt, draws, maker, i, j, NULL);
            spot[SPOT_X] = slot_f(draw_in(&columns, column, cell, draws));
            spot[SPOT_Y] = slot_f(0);
            spot[SPOT_Z] = slot_f(draw_in(&rows, row, cell, draws));
            spot[SPOT_I] = slot_i(i);
            spot[SPOT_J] = slot_i(j);
            spot[SPOT_OF] = slot_r(&of_nothing);
            spot[SPOT_ALONG] = spot[SPOT_ACROSS] = slot_f(0);
            spot[SPOT_SIZE] = slot_f(1);
            spot[SPOT_STATE] = slot_w(scatter_spotState(rt, draws));
        }
    }
    return list;
}

/* -- spots along a spine -- */

typedef struct Walk {
    Rt *rt;
    int64_t maker;
    RtStream *stream;
    const RtSpine *spine;
    const RtClosure *step, *across, *size;
    RtList *spots;
    double along;
    int64_t steps;
    double begun, length; /* the same step since `begun`, */
    int64_t counted;      /* so often; 0: it was drawn */
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

/* Steps that are drawn are added up, each after the last; one that stays the same is counted, so that
 * no roundings add up and a step that divides the way meets its end. */
static bool step_on(Walk *walk) {
    uint64_t drawn = walk->stream ? walk->stream->drawn : 0;
    double length = ask(walk, walk->step, 1);
    if (!(length > 1e-6)) {
        rt_fault(walk->rt, RT_FAULT_ARGUMENT,
                 "step is %g m at %g m along, more than 0 m is needed", length, walk->along);
        return false;
    }
    bool draws = walk->stream && walk->stream->drawn != drawn;
    if (walk->counted == 0 || length != walk->length || draws)
        walk->begun = walk->along, walk->length = length, walk->counted = 0;
    walk->along = walk->begun + (double)(walk->counted + 1) * length;
    walk->counted = draws ? 0 : walk->counted + 1;
    return true;
}

/* A billionth of a counted step before the end is the end. */
static bool walk_ends(const Walk *walk, double to) {
    double slack = walk->counted ? walk->length * 1e-9 : 0;
    return walk->along >= to || to - walk->along < slack;
}

static bool takes_left(Walk *walk, int64_t sides) {
    if (sides == STD_WALK_SPINE_SIDES_RANDOM_SIDE)
        return stream_unit(stream_next(walk->stream)) < 0.5;
    return sides == STD_WALK_SPINE_SIDES_LEFT_SIDE ||
           (sides == STD_WALK_SPINE_SIDES_ALTERNATING_SIDES && walk->steps % 2 == 0);
}

const RtList *scatter_walkSpine(Rt *rt, RtStream *draws, const RtSpine *spine,
                                const RtClosure *step, int64_t sides, const RtClosure *across,
                                const RtClosure *size, double from, double to) {
    Walk walk = {.rt = rt,
                 .maker = scatter_beginMaker(rt, draws),
                 .stream = draws,
                 .spine = spine,
                 .step = step,
                 .across = across,
                 .size = size,
                 .along = from};
    for (; !walk_ends(&walk, to) && !rt_failed(rt) && !rt->stop; walk.steps++) {
        scatter_beginSpot(rt, draws, walk.maker, walk.steps, -1, NULL);
        if (sides == STD_WALK_SPINE_SIDES_BOTH_SIDES) {
            add_spot(&walk, -1);
            add_spot(&walk, 1);
        } else {
            add_spot(&walk, takes_left(&walk, sides) ? -1 : 1);
        }
        if (!step_on(&walk)) break;
    }
    return walk.spots;
}
