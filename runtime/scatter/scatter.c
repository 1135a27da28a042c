#include "runtime/scatter/scatter.h"

#include <math.h>

#include "runtime/random/stream.h"
#include "runtime/scatter/rule.h"

const char *scatter_outcome_text(ScatterOutcome outcome) {
    static const char *const texts[SCATTER_OUTCOME_COUNT] = {
        [SCATTER_PLACED] = "placed",
        [SCATTER_KEEP] = "keep",
        [SCATTER_CIRCLE] = "circle",
        [SCATTER_DISC] = "disc",
        [SCATTER_CLEARANCE] = "clearance",
        [SCATTER_FOOTPRINT] = "footprint",
        [SCATTER_OFF_LAND] = "offLand",
        [SCATTER_CAP] = "cap",
    };
    return texts[outcome];
}

uint32_t scatter_own_start(uint32_t seed, Str path) {
    return pcg_hash(seed ^ stream_name_hash(path));
}

uint32_t scatter_maker_start(uint32_t own_start, int64_t maker) {
    return maker > 1 ? pcg_hash(own_start ^ (uint32_t)maker) : own_start;
}

uint32_t scatter_spot_start(uint32_t own_start, int64_t i, int64_t j, Str of) {
    return pcg_hash(own_start ^ stream_name_hash(of) ^ pcg_hash((uint32_t)i) ^
                      pcg_hash(pcg_hash((uint32_t)j)));
}

double ground_distance(const Ground *ground, double x, double z, double *at_x, double *at_z) {
    *at_x = x < ground->x0 ? ground->x0 : x > ground->x1 ? ground->x1 : x;
    *at_z = z < ground->z0 ? ground->z0 : z > ground->z1 ? ground->z1 : z;
    double dx = x - *at_x, dz = z - *at_z, distance = sqrt(dx * dx + dz * dz);
    return distance <= ground->slack ? 0 : distance;
}

double grounds_distance(const GroundList *grounds, double x, double z, double *at_x, double *at_z) {
    double least = grounds->count ? INFINITY : 0;
    for (int i = 0; i < grounds->count && least > 0; i++) {
        double near_x, near_z, distance = ground_distance(&grounds->items[i], x, z, &near_x, &near_z);
        if (!(distance < least)) continue;
        least = distance;
        *at_x = near_x;
        *at_z = near_z;
    }
    return least;
}

/* The rules with copies of the authors' streams, each back at its start, one for the rules that
 * share one. So a scatter that is worked out again draws the same numbers, whoever drew before. */
static const ScatterRule *begin_streams(Rt *rt, const ScatterInput *input) {
    ScatterRule *rules = ARENA_ARRAY(rt->arena, ScatterRule, input->rule_count);
    for (int i = 0; i < input->rule_count; i++) {
        const RtStream *stream = input->rules[i].stream;
        rules[i] = input->rules[i];
        if (stream == NULL) continue;
        int first = 0;
        while (input->rules[first].stream != stream)
            first++;
        rules[i].stream =
            first < i ? rules[first].stream : stream_create(rt, stream->start, RT_STREAM_SHARED);
    }
    return rules;
}

static ScatterReport *find_report(RtObserver *observer) {
    return observer ? observer->record(observer, "scatter") : NULL;
}

static void tell_rule(RtObserver *observer, const ScatterStats *stats) {
    observer->row(observer);
    observer->text(observer, "rule", stats->rule);
    observer->whole(observer, "candidates", stats->candidates);
    observer->whole(observer, "kept", stats->kept);
    for (int i = 0; i < SCATTER_OUTCOME_COUNT; i++)
        observer->whole(observer, scatter_outcome_text((ScatterOutcome)i), stats->outcomes[i]);
    observer->whole(observer, "draws", (int64_t)stats->draws);
    observer->whole(observer, "atMost", stats->cap < 0 ? RT_EMPTY : stats->cap);
}

static void report_run(ScatterReport *report, const Scatter *scatter) {
    const ScatterInput *input = scatter->input;
    ScatterRun run = {.rules = input->rules,
                      .first_rule = report->stats.count,
                      .rule_count = input->rule_count,
                      .placed = scatter->placed,
                      .fixed = *input->fixed,
                      .land = input->land,
                      .grounds = input->grounds};
    for (int i = 0; i < input->rule_count; i++)
        VEC_PUSH(report->arena, &report->stats, scatter->stats[i]);
    VEC_PUSH(report->arena, &report->runs, run);
}

RtList *scatter_run(Rt *rt, const ScatterInput *input) {
    Scatter scatter = {.rt = rt, .input = input, .report = find_report(rt->observer)};
    scatter.rules = begin_streams(rt, input);
    scatter.placed = rt_list_create(rt, PLACED_SHAPE, 64);
    discs_init(&scatter.rooms, rt->arena);
    ids_init(&scatter.ids, rt->arena);
    scatter.group_counts = ARENA_ARRAY(rt->arena, int64_t, input->group_count);
    scatter.stats = ARENA_ARRAY(rt->arena, ScatterStats, input->rule_count);
    scatter.rule_names = ARENA_ARRAY(rt->arena, RtText *, input->rule_count);
    for (int i = 0; i < input->rule_count; i++) {
        scatter.stats[i] =
            (ScatterStats){.rule = input->rules[i].name, .cap = input->rules[i].at_most};
        scatter.rule_names[i] = rt_text(rt, input->rules[i].name);
    }
    for (int i = 0; i < input->rule_count && !rt_failed(rt) && !rt->stop; i++)
        rule_run(&scatter, i);
    for (int i = 0; i < input->rule_count && rt_is_counted(rt); i++)
        tell_rule(rt->observer, &scatter.stats[i]);
    if (scatter.report) report_run(scatter.report, &scatter);
    return scatter.placed;
}
