/* One rule, from its spots to what it placed. The order of calls below is the order of draws. */
#include "runtime/scatter/rule.h"

#include <math.h>

#include "runtime/random/stream.h"
#include "runtime/scatter/ahead.h"

/* A spot that passed keep. */
typedef struct Kept {
    int64_t k;
    double order;
    uint32_t state; /* of its own stream (perSpot) */
    const Slot *spot;
    int trial; /* in the report, -1 none */
} Kept;

typedef struct Run {
    Scatter *scatter;
    Rt *rt;
    const ScatterRule *rule;
    int index;
    ScatterStats *stats;
    RtStream *stream; /* NULL: draws nothing */
    uint32_t own_start;
    bool per_spot;
    int64_t made; /* spots numbered so far */
    bool apart;   /* no two of its spots came from one place: they need no looking up */
    Ahead ahead;
    bool numbers_ahead, heights_ahead; /* what is asked ahead for spots that were kept */
} Run;

void scatter_ask(Slot *ask, const Slot *spot, int64_t k) {
    memcpy(ask + ASK_X, spot + SPOT_X, 3 * sizeof(Slot));
    ask[ASK_K] = slot_i(k);
    memcpy(ask + ASK_SPOT, spot, SPOT_SLOTS * sizeof(Slot));
}

/* Asks an expression that answers an optional number; NAN when it is left out or none. One that is no
 * number is a fault: it would switch off what it decides. */
static double ask_number(Run *run, const RtClosure *closure, const Slot *ask, const char *part) {
    Slot answer[2] = {{0}};
    if (closure == NULL) return NAN;
    rt_call(run->rt, closure, run->stream, ask, answer);
    if (!answer[0].w) return NAN;
    if (isnan(answer[1].f) && !rt_failed(run->rt))
        rt_fault(run->rt, RT_FAULT_NAN, "%s: of rule '%.*s' at spot %lld, (%g m, %g m)", part,
                 STR_ARG(run->rule->name), (long long)ask[ASK_K].i, ask[ASK_X].f, ask[ASK_Z].f);
    return answer[1].f;
}

static bool capped(const Run *run) {
    const ScatterRule *rule = run->rule;
    if (rule->at_most < 0) return false;
    int64_t count = rule->group >= 0 ? run->scatter->group_counts[rule->group]
                                     : run->stats->outcomes[SCATTER_PLACED];
    return count >= rule->at_most;
}

static void begin_spot(Run *run, uint32_t state) {
    if (run->per_spot) run->stream->state = state;
}

/* -- the report -- */

static int note_trial(Run *run, const Slot *spot, int64_t k, ScatterOutcome outcome) {
    ScatterReport *report = run->scatter->report;
    if (report == NULL || !rt_is_asked(run->scatter->rt, spot[SPOT_X].f, spot[SPOT_Z].f)) return -1;
    ScatterTrial trial = {.run = report->runs.count,
                          .rule = report->stats.count + run->index,
                          .k = k,
                          .outcome = outcome,
                          .size = NAN,
                          .spacing = NAN,
                          .test = NAN,
                          .room = NAN,
                          .state = run->stream ? run->stream->state : 0};
    memcpy(trial.spot, spot, sizeof trial.spot);
    VEC_PUSH(report->arena, &report->trials, trial);
    return report->trials.count - 1;
}

static void count_outcome(Run *run, ScatterOutcome outcome) {
    run->stats->outcomes[outcome]++;
}

/* -- placing -- */

/* A whole turn hashed from the rule's path and the spot's number, for rules that draw nothing. */
static double hashed_turn(const Run *run, int64_t k) {
    uint32_t h = pcg_hash(stream_name_hash(run->rule->path) ^ pcg_hash((uint32_t)k));
    return stream_unit(h) * 6.283185307179586;
}

/* A thing that is given no height stands on the ground, and where there is none, nowhere. */
static bool is_off_land(Run *run, const Kept *kept) {
    double x = 0, z = 0;
    double distance = grounds_distance(&run->scatter->input->grounds, kept->spot[SPOT_X].f,
                                         kept->spot[SPOT_Z].f, &x, &z);
    if (distance == 0) return false;
    count_outcome(run, SCATTER_OFF_LAND);
    if (kept->trial < 0) return true;
    ScatterTrial *trial = &run->scatter->report->trials.items[kept->trial];
    trial->outcome = SCATTER_OFF_LAND;
    trial->clash = (Clash){.distance = distance};
    trial->land_x = x;
    trial->land_z = z;
    return true;
}

static void check_placed(Run *run, const Slot *row) {
    for (int i = PLACED_X; i <= PLACED_ROOM; i++)
        if (!isfinite(row[i].f)) {
            rt_fault(run->rt, RT_FAULT_NAN,
                     "rule '%.*s' placed a thing that is not a number at spot %lld",
                     STR_ARG(run->rule->name), (long long)row[PLACED_K].i);
            return;
        }
    if (row[PLACED_SIZE].f < 0)
        rt_fault(run->rt, RT_FAULT_ARGUMENT, "rule '%.*s' placed a thing whose size is %g at spot %lld: it is at least 0",
                 STR_ARG(run->rule->name), row[PLACED_SIZE].f, (long long)row[PLACED_K].i);
    const RtText *id = row[PLACED_ID].r;
    if (!run->apart && !ids_add(&run->scatter->ids, id))
        rt_fault(run->rt, RT_FAULT_SAME_ID, "'%.*s', of rule '%.*s' at spot %lld", STR_ARG(id->text), STR_ARG(run->rule->name), (long long)row[PLACED_K].i);
}

/* Of length 1; what is so, but for roundings, stays to the bit. */
static void put_up(Run *run, const Slot *copy, int64_t k, Slot *row) {
    const Slot *up = copy + COPY_UP_X;
    double length = sqrt(up[0].f * up[0].f + up[1].f * up[1].f + up[2].f * up[2].f);
    if (!(length > 0))
        rt_fault(run->rt, RT_FAULT_ARGUMENT,
                 "rule '%.*s' placed a thing whose up is no direction at spot %lld: its length is %g",
                 STR_ARG(run->rule->name), (long long)k, length);
    for (int i = 0; i < 3; i++)
        row[PLACED_UP_X + i] = fabs(length - 1) < 1e-12 ? up[i] : slot_f(up[i].f / length);
}

static void place(Run *run, const Kept *kept, const Numbers *numbers, double room, const Slot *height) {
    Slot ask[ASK_SLOTS], copy[COPY_SLOTS] = {{0}}, row[PLACED_SLOTS];
    scatter_ask(ask, kept->spot, kept->k);
    ahead_give_size(ask, numbers->size);
    ahead_give_spacing(ask, numbers->spacing);
    rt_call(run->rt, run->rule->place, run->stream, ask, copy);
    if (rt_failed(run->rt) || (!copy[COPY_RAISED].w && is_off_land(run, kept))) return;
    const Slot *spot = kept->spot;
    row[PLACED_KIND] = copy[COPY_KIND];
    row[PLACED_VARIANT] = copy[COPY_VARIANT];
    row[PLACED_X] = spot[SPOT_X];
    row[PLACED_Z] = spot[SPOT_Z];
    row[PLACED_TURN] = copy[COPY_TURNED].w ? copy[COPY_TURN] : slot_f(hashed_turn(run, kept->k));
    put_up(run, copy, kept->k, row);
    row[PLACED_SIZE] = copy[COPY_SIZE];
    row[PLACED_SINK] = copy[COPY_SINK];
    if (copy[COPY_RAISED].w)
        row[PLACED_Y] = copy[COPY_HEIGHT];
    else if (height)
        row[PLACED_Y] = *height;
    else
        rt_call(run->rt, run->scatter->input->height, NULL, ask, &row[PLACED_Y]);
    row[PLACED_ROOM] = slot_f(room);
    row[PLACED_RULE] = slot_r(run->scatter->rule_names[run->index]);
    row[PLACED_K] = slot_i(kept->k);
    row[PLACED_ID] = slot_r(ids_text(run->rt, run->rule->name, spot));
    check_placed(run, row);
    if (rt_failed(run->rt)) return;
    if (run->rule->blocks)
        discs_add(&run->scatter->rooms, row[PLACED_X].f, row[PLACED_Z].f, room,
                  (int32_t)rt_list_length(run->scatter->placed));
    rt_retain(run->rt, row[PLACED_RULE].r);
    run->scatter->placed = rt_list_append(run->rt, run->scatter->placed, PLACED_SHAPE, row);
    if (run->rule->group >= 0) run->scatter->group_counts[run->rule->group]++;
    count_outcome(run, SCATTER_PLACED);
}

static const ScatterOutcome outcome_of_clash[] = {
    [CLASH_NONE] = SCATTER_PLACED,         [CLASH_CIRCLE] = SCATTER_CIRCLE,
    [CLASH_DISC] = SCATTER_DISC,           [CLASH_CLEARANCE] = SCATTER_CLEARANCE,
    [CLASH_FOOTPRINT] = SCATTER_FOOTPRINT,
};

static bool draws(const RtClosure *closure) {
    return closure && closure->draws;
}

static Numbers ask_numbers(Run *run, const Kept *kept) {
    const ScatterRule *rule = run->rule;
    Numbers numbers;
    Slot ask[ASK_SLOTS];
    scatter_ask(ask, kept->spot, kept->k);
    numbers.size = ask_number(run, rule->size, ask, "size");
    ahead_give_size(ask, numbers.size);
    numbers.spacing = ask_number(run, rule->spacing, ask, "spacing");
    ahead_give_spacing(ask, numbers.spacing);
    numbers.test = ask_number(run, rule->test, ask, "test");
    numbers.room = ask_number(run, rule->room, ask, "room");
    return numbers;
}

/* What a rule asks of spots it kept and what it stands things on, where that draws nothing. */
static void ask_kept_ahead(Run *run, const Kept *kept, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        ahead_put(&run->ahead, i, kept[i].spot, kept[i].k);
    if (run->numbers_ahead) run->numbers_ahead = ahead_numbers(&run->ahead, run->rt, run->rule, n);
    Slot *height[] = {run->ahead.height};
    if (run->heights_ahead && !rt_failed(run->rt))
        run->heights_ahead = ahead_ask(&run->ahead, run->rt, run->scatter->input->height, n, height);
}

/* Size, spacing, test, room, then the test, then the place. `at`: its place in what was asked ahead; -1: it was not. */
static void try_kept(Run *run, const Kept *kept, int64_t at) {
    const ScatterRule *rule = run->rule;
    Numbers numbers;
    begin_spot(run, kept->state);
    bool known = at >= 0 && run->numbers_ahead && ahead_take(&run->ahead, rule, at, &numbers);
    if (!known) numbers = ask_numbers(run, kept);
    double test = numbers.test < 0 ? 0 : numbers.test, room = numbers.room;
    if (isnan(room)) room = isnan(test) ? 0 : test;
    if (room < 0) room = 0;
    if (rt_failed(run->rt)) return;
    Clash clash =
        clear_test(run->scatter->input->fixed, &run->scatter->rooms, kept->spot[SPOT_X].f,
                   kept->spot[SPOT_Z].f, test, rule->has_margin, rule->margin, kept->trial < 0);
    ScatterOutcome outcome = outcome_of_clash[clash.kind];
    if (kept->trial >= 0) {
        ScatterTrial *trial = &run->scatter->report->trials.items[kept->trial];
        trial->outcome = outcome;
        trial->size = numbers.size;
        trial->spacing = numbers.spacing;
        trial->test = test;
        trial->room = room;
        trial->clash = clash;
    }
    if (outcome == SCATTER_PLACED)
        place(run, kept, &numbers, room, at >= 0 && run->heights_ahead ? &run->ahead.height[at] : NULL);
    else
        count_outcome(run, outcome);
}

static void refuse_capped(Run *run, const Kept *kept, int64_t count) {
    run->stats->outcomes[SCATTER_CAP] += count;
    for (int64_t i = 0; i < count; i++) {
        if (kept[i].trial < 0) continue;
        ScatterTrial *trial = &run->scatter->report->trials.items[kept[i].trial];
        trial->outcome = SCATTER_CAP;
        trial->past_cap = i + 1;
    }
}

static bool goes_on(const Run *run) {
    return !rt_failed(run->rt) && !run->rt->stop;
}

/* Answers how many were tried: the cap was met when they are not all, if there is no fault. */
static int64_t place_some(Run *run, const Kept *kept, int64_t n, bool ahead) {
    int64_t i = 0;
    for (; i < n && goes_on(run) && !capped(run); i++)
        try_kept(run, &kept[i], ahead ? i : -1);
    return i;
}

static void place_all(Run *run, const Kept *kept, int64_t count) {
    int64_t i = 0, most = AHEAD_FIRST;
    while (i < count && goes_on(run) && !capped(run)) {
        int64_t n = count - i < most ? count - i : most;
        bool ahead = n >= AHEAD_LEAST && (run->numbers_ahead || run->heights_ahead);
        if (ahead) ask_kept_ahead(run, kept + i, n);
        i += place_some(run, kept + i, n, ahead);
        if (most < AHEAD_MOST) most *= 2;
    }
    if (i < count && goes_on(run)) refuse_capped(run, kept + i, count - i);
}

/* -- keeping -- */

/* What lies nowhere would be refused as off the land, without a word of why. */
static bool is_place(Run *run, const Slot *spot, int64_t k) {
    bool good = isfinite(spot[SPOT_X].f) && isfinite(spot[SPOT_Z].f);
    if (!good)
        rt_fault(run->rt, RT_FAULT_NAN, "the place of spot %lld of rule '%.*s'", (long long)k, STR_ARG(run->rule->name));
    return good;
}

/* Where a spot's own stream stands: behind the numbers that its maker drew, or, for one that was listed, at its start. */
static uint32_t state_of(const Run *run, const Slot *spot) {
    const RtText *of = spot[SPOT_OF].r;
    if (spot[SPOT_STATE].w) return (uint32_t)spot[SPOT_STATE].w;
    return scatter_spot_start(run->own_start, spot[SPOT_I].i, spot[SPOT_J].i, of ? of->text : (Str){0});
}

/* Whether each of the spots came from further on than the one before: a grid's do, a written list's. */
static bool comes_after(const Slot *spot, const Slot *before) {
    if (spot[SPOT_OF].r != before[SPOT_OF].r) return false;
    return spot[SPOT_J].i > before[SPOT_J].i || (spot[SPOT_J].i == before[SPOT_J].i && spot[SPOT_I].i > before[SPOT_I].i);
}

/* Keep, then order if it passed; `pass` NULL: keep is to be asked. False: a fault. */
static bool keep_spot(Run *run, const Slot *spot, int64_t k, const Slot *passed, Kept *kept, int64_t *count) {
    const ScatterRule *rule = run->rule;
    Slot ask[ASK_SLOTS], pass = passed ? *passed : slot_b(true);
    if (!is_place(run, spot, k)) return false;
    if (run->per_spot) begin_spot(run, state_of(run, spot));
    int trial = note_trial(run, spot, k, SCATTER_KEEP);
    if (rule->order || (rule->keep && !passed)) scatter_ask(ask, spot, k);
    if (rule->keep && !passed) rt_call(run->rt, rule->keep, run->stream, ask, &pass);
    if (!pass.w) {
        count_outcome(run, SCATTER_KEEP);
        return !rt_failed(run->rt);
    }
    double order = ask_number(run, rule->order, ask, "order");
    kept[(*count)++] = (Kept){.k = k,
                              .order = order,
                              .spot = spot,
                              .trial = trial,
                              .state = run->stream ? run->stream->state : 0};
    return !rt_failed(run->rt);
}

/* Spot by spot; what does not draw is asked ahead. */
static Kept *keep_spots(Run *run, const RtList *spots, int64_t *count, Arena *scratch) {
    const RtClosure *keep = run->rule->keep;
    int64_t n = rt_list_length(spots), first_k = run->made, begin = 0;
    Kept *kept = arena_alloc_raw(scratch, sizeof *kept * (size_t)n);
    Slot *pass[] = {run->ahead.pass};
    bool ahead = n > 1 && keep && !draws(keep), good = true;
    *count = 0;
    run->made += n;
    run->stats->candidates += n;
    for (int64_t end; begin < n && good; begin = end) {
        end = n - begin < AHEAD_MOST ? n : begin + AHEAD_MOST;
        for (int64_t i = begin; i < end && ahead; i++)
            ahead_put(&run->ahead, i - begin, rt_list_item(spots, i), first_k + i);
        ahead = ahead && ahead_ask(&run->ahead, run->rt, keep, end - begin, pass);
        good = !rt_failed(run->rt);
        for (int64_t i = begin; i < end && good; i++) {
            const Slot *spot = rt_list_item(spots, i);
            good = keep_spot(run, spot, first_k + i, ahead ? &pass[0][i - begin] : NULL, kept, count);
            if (i) run->apart = run->apart && comes_after(spot, rt_list_item(spots, i - 1));
        }
    }
    run->stats->kept += *count;
    return kept;
}

/* A spot without an order (NAN) comes after all that have one. */
static bool goes_before(const Kept *a, const Kept *b) {
    return a->order < b->order || (isnan(b->order) && !isnan(a->order));
}

/* Stable, by order: a merge of halves. */
static void sort_kept(Kept *kept, int64_t n, Kept *spare) {
    if (n < 2) return;
    int64_t half = n / 2, a = 0, b = half, out = 0;
    sort_kept(kept, half, spare);
    sort_kept(kept + half, n - half, spare);
    memcpy(spare, kept, (size_t)n * sizeof *kept);
    while (a < half && b < n)
        kept[out++] = goes_before(&spare[b], &spare[a]) ? spare[b++] : spare[a++];
    while (a < half)
        kept[out++] = spare[a++];
    while (b < n)
        kept[out++] = spare[b++];
}

/* -- the rule -- */

static void run_listed(Run *run, const RtList *spots, Arena *scratch) {
    int64_t count;
    Kept *kept = keep_spots(run, spots, &count, scratch);
    if (run->rule->order) sort_kept(kept, count, ARENA_ARRAY(scratch, Kept, count));
    place_all(run, kept, count);
}

static RtList *make_group(Run *run, const RtClosure *group, int64_t g) {
    Slot args = slot_i(g), result = {0};
    if (group) rt_call(run->rt, group, run->stream, &args, &result);
    return result.r;
}

/* Groups taken one at a time: the cap is looked at before each is made. */
static void run_taken(Run *run, const RtClosure *group, int64_t groups, Arena *scratch) {
    for (int64_t g = 0; g < groups && !rt_failed(run->rt) && !run->rt->stop; g++) {
        if (capped(run)) {
            run->stats->groups_left = groups - g;
            return;
        }
        ArenaMark mark = arena_mark(scratch);
        RtList *spots = make_group(run, group, g);
        run_listed(run, spots, scratch);
        rt_release(run->rt, spots);
        arena_release(scratch, mark);
    }
}

/* A rule with an order lists its groups first. */
static RtList *list_groups(Run *run, RtList *list, const RtClosure *group, int64_t groups) {
    for (int64_t g = 0; g < groups && !rt_failed(run->rt) && !run->rt->stop; g++) {
        RtList *more = make_group(run, group, g);
        for (int64_t i = 0; i < rt_list_length(more); i++)
            {
            rt_retain(run->rt, rt_list_item(more, i)[SPOT_OF].r);
            list = rt_list_append(run->rt, list, SPOT_SHAPE, rt_list_item(more, i));
        }
    }
    return list;
}

static void begin_stream(Run *run) {
    const ScatterRule *rule = run->rule;
    run->own_start = scatter_own_start(run->scatter->input->seed, rule->path);
    run->per_spot = rule->draws == SCATTER_DRAWS_PER_SPOT;
    run->stream = rule->stream;
    if (rule->draws == SCATTER_DRAWS_OWN || run->per_spot)
        run->stream = stream_create(run->rt, run->own_start,
                                    run->per_spot ? RT_STREAM_PER_SPOT : RT_STREAM_OWN);
}

/* Lists, keeps and places; everything but the things themselves lives in `scratch`. */
static void run_rule(Run *run, Arena *scratch) {
    Slot earlier = slot_r(run->scatter->placed), spots[SPOTS_SLOTS] = {{0}};
    rt_call(run->rt, run->rule->candidates, run->stream, &earlier, spots);
    RtList *listed = spots[SPOTS_LISTED].r;
    const RtClosure *group = spots[SPOTS_GROUP].r;
    int64_t groups = spots[SPOTS_GROUPS].i;
    if (run->rule->order) listed = list_groups(run, listed, group, groups);
    run->apart = groups == 0 || run->rule->order;
    if (!rt_failed(run->rt) && rt_list_length(listed)) run_listed(run, listed, scratch);
    if (!rt_failed(run->rt) && !run->rule->order) run_taken(run, group, groups, scratch);
}

void rule_run(Scatter *scatter, int index) {
    Run run = {.scatter = scatter,
               .rt = scatter->rt,
               .rule = &scatter->rules[index],
               .index = index,
               .stats = &scatter->stats[index]};
    begin_stream(&run);
    uint64_t drawn = run.stream ? run.stream->drawn : 0;
    Arena scratch;
    Recover recover;
    arena_init(&scratch, scatter->rt->arena->memory);
    if (!MEMORY_TRY(&recover)) {
        arena_fini(&scratch);
        memory_fail();
    }
    ahead_init(&run.ahead, &scratch);
    run.numbers_ahead = !draws(run.rule->size) && !draws(run.rule->spacing) && !draws(run.rule->test) && !draws(run.rule->room);
    run.heights_ahead = scatter->input->height != NULL;
    run_rule(&run, &scratch);
    memory_end_try(&recover);
    arena_fini(&scratch);
    run.stats->draws = run.stream ? run.stream->drawn - drawn : 0;
}
