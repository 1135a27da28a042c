/* The rule engine against the stream, number by number, with expressions written in C:
 * runtime/scatter/rule.c. What a world's text makes of rules is tested by the goldens; here the
 * order of draws and of decisions is.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/random/stream.h"
#include "runtime/scatter/scatter.h"

/* -- a host whose functions are C functions: func(rt, stream, args, results) -- */

typedef void (*Fn)(Rt *rt, RtStream *stream, const Slot *args, Slot *results);

enum { ARG_X = 0, ARG_Z = 2, ARG_K = 3, ARG_SPOT = 4, ARG_SIZE = 14, ARG_SPACING = 15 };

typedef struct Fixture {
    Memory memory;
    Arena arena;
    Rt rt;
    RtStream *stream;
    RtList *spots;
    ClearSet fixed;
    ScatterRule rule;
} Fixture;

static double u(RtStream *stream) {
    return stream_unit(stream_next(stream));
}

/* Rule "all": every part draws. */
static void keep_draws(Rt *rt, RtStream *stream, const Slot *args, Slot *results) {
    (void)rt, (void)args;
    results[0] = slot_b(u(stream) < 0.7);
}
static void order_draws(Rt *rt, RtStream *stream, const Slot *args, Slot *results) {
    (void)rt, (void)args;
    results[0] = slot_b(true);
    results[1] = slot_f(u(stream));
}
static void size_draws(Rt *rt, RtStream *stream, const Slot *args, Slot *results) {
    (void)rt, (void)args;
    results[0] = slot_b(true);
    results[1] = slot_f(1 + u(stream));
}
static void spacing_draws(Rt *rt, RtStream *stream, const Slot *args, Slot *results) {
    (void)rt;
    results[0] = slot_b(true);
    results[1] = slot_f(args[ARG_SIZE].f * u(stream));
}
static void test_of_spacing(Rt *rt, RtStream *stream, const Slot *args, Slot *results) {
    (void)rt, (void)stream;
    results[0] = slot_b(true);
    results[1] = slot_f(args[ARG_SPACING].f);
}
static void place_draws(Rt *rt, RtStream *stream, const Slot *args, Slot *results) {
    (void)rt;
    results[1] = slot_i(stream_next(stream) % 6); /* variant */
    results[2] = slot_b(true);                    /* turn */
    results[3] = slot_f(u(stream));
    results[4] = slot_f(args[ARG_SIZE].f + u(stream)); /* size */
    results[COPY_UP_Y] = slot_f(1);
}
static void place_plain(Rt *rt, RtStream *stream, const Slot *args, Slot *results) {
    (void)rt, (void)stream, (void)args;
    results[4] = slot_f(1);
    results[COPY_UP_Y] = slot_f(1);
}
static void test_one_meter(Rt *rt, RtStream *stream, const Slot *args, Slot *results) {
    (void)rt, (void)stream, (void)args;
    results[0] = slot_b(true);
    results[1] = slot_f(1);
}
static void height_flat(Rt *rt, RtStream *stream, const Slot *args, Slot *results) {
    (void)rt, (void)stream;
    results[0] = slot_f(args[ARG_X].f * 0.5);
}
static Fixture *current;
static void candidates_list(Rt *rt, RtStream *stream, const Slot *args, Slot *results) {
    (void)rt, (void)stream, (void)args;
    results[0] = slot_r(current->spots);
}
/* Groups of two spots, each drawn. */
static void group_draws(Rt *rt, RtStream *stream, const Slot *args, Slot *results) {
    RtList *list = rt_list_create(rt, SPOT_SHAPE, 2);
    for (int i = 0; i < 2; i++) {
        Slot spot[SPOT_SLOTS] = {slot_f(10 * (double)args[0].i + 5 * i), slot_f(0),
                                 slot_f(u(stream)), slot_i(args[0].i), slot_i(i)};
        list = rt_list_append(rt, list, SPOT_SHAPE, spot);
    }
    results[0] = slot_r(list);
}
enum { FN_GROUP = 9 };
static void candidates_groups(Rt *rt, RtStream *stream, const Slot *args, Slot *results) {
    (void)stream, (void)args;
    results[1] = slot_i(5);
    results[2] = slot_r(rt_closure(rt, FN_GROUP, 0, 0, 1, 1, true));
}

static const Fn functions[] = {keep_draws,      order_draws, size_draws,        spacing_draws,
                               test_of_spacing, place_draws, candidates_list,   height_flat,
                               place_plain,     group_draws, candidates_groups, test_one_meter};
enum {
    FN_KEEP,
    FN_ORDER,
    FN_SIZE,
    FN_SPACING,
    FN_TEST,
    FN_PLACE,
    FN_LIST,
    FN_HEIGHT,
    FN_PLAIN,
    FN_GROUP_,
    FN_GROUPS,
    FN_METER
};

/* Functions 0, 1, 2, 3, 5, 9 draw: their stream is the first column. */
static void run(Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in,
                Slot *const *out) {
    bool draws = func <= FN_SPACING || func == FN_PLACE || func == FN_GROUP;
    int arguments = func == FN_LIST || func == FN_GROUPS || func == FN_GROUP ? 1
                    : func == FN_HEIGHT                                      ? 3
                    : func > FN_SIZE                                         ? 16
                                                                             : 14;
    for (int64_t e = 0; e < n; e++) {
        Slot args[16] = {{0}}, results[COPY_SLOTS] = {{0}};
        for (int i = 0; i < arguments; i++)
            args[i] = in[i + draws][uniform >> (i + draws) & 1 ? 0 : e];
        functions[func](rt, draws ? in[0]->r : NULL, args, results);
        int count = func == FN_KEEP || func == FN_HEIGHT || func == FN_GROUP ? 1
                    : func == FN_PLACE || func == FN_PLAIN                   ? COPY_SLOTS
                    : func == FN_LIST || func == FN_GROUPS                   ? 3
                                                                             : 2;
        for (int i = 0; i < count; i++)
            out[i][e] = results[i];
    }
}

static bool poll(Rt *rt) {
    (void)rt;
    return false;
}
static const RtHost host = {.run = run, .poll = poll};

static RtClosure *fn(Fixture *f, int func, int params, int results, bool draws) {
    return rt_closure(&f->rt, func, 0, 0, params, results, draws);
}

static void begin(Fixture *f) {
    *f = (Fixture){0};
    current = f;
    memory_init(&f->memory, NULL, NULL, 0);
    arena_init(&f->arena, &f->memory);
    rt_init(&f->rt, &host, NULL, &f->arena);
    clear_init(&f->fixed, &f->arena);
    f->stream = stream_create(&f->rt, stream_start(20260520, 1), RT_STREAM_SHARED);
    f->spots = rt_list_create(&f->rt, SPOT_SHAPE, 16);
    for (int i = 0; i < 40; i++) {
        Slot spot[SPOT_SLOTS] = {slot_f(i % 8 * 1.5), slot_f(0), slot_f(i / 8 * 1.5), slot_i(i),
                                 slot_i(-1)};
        f->spots = rt_list_append(&f->rt, f->spots, SPOT_SHAPE, spot);
    }
    f->rule = (ScatterRule){.name = STR_LIT("all"),
                            .path = STR_LIT("wood.all"),
                            .draws = SCATTER_DRAWS_SHARED,
                            .stream = f->stream,
                            .at_most = -1,
                            .group = -1,
                            .blocks = true,
                            .candidates = fn(f, FN_LIST, 1, 3, false)};
}

typedef struct Watch {
    RtObserver head;
    ScatterReport *report;
} Watch;

static void *give_report(RtObserver *observer, const char *package) {
    assert_string_equal(package, "scatter");
    return ((Watch *)observer)->report;
}

static RtList *scatter(Fixture *f, ScatterReport *report) {
    Watch watch = {.head = {.record = give_report}, .report = report};
    if (report) *report = (ScatterReport){.arena = &f->arena};
    f->rt.observer = report ? &watch.head : NULL;
    ScatterInput input = {.rules = &f->rule,
                          .rule_count = 1,
                          .height = fn(f, FN_HEIGHT, 3, 1, false),
                          .fixed = &f->fixed,
                          .seed = 7};
    RtList *placed = scatter_run(&f->rt, &input);
    f->rt.observer = NULL;
    assert_false(rt_failed(&f->rt));
    return placed;
}

static void end(Fixture *f) {
    rt_fini(&f->rt);
    arena_fini(&f->arena);
}

static void all_draw(Fixture *f) {
    f->rule.keep = fn(f, FN_KEEP, 14, 1, true);
    f->rule.order = fn(f, FN_ORDER, 14, 2, true);
    f->rule.size = fn(f, FN_SIZE, 14, 2, true);
    f->rule.spacing = fn(f, FN_SPACING, 16, 2, true);
    f->rule.test = fn(f, FN_TEST, 16, 2, false);
    f->rule.place = fn(f, FN_PLACE, 16, COPY_SLOTS, true);
}

/* The same rule written out again, drawing from numbers computed directly by their index. */
static void test_every_part_draws(void **state) {
    (void)state;
    Fixture f;
    begin(&f);
    all_draw(&f);
    ScatterReport report;
    RtList *placed = scatter(&f, &report);
    uint32_t start = stream_start(20260520, 1);
    uint64_t k = 0;
#define NEXT() stream_number(start, ++k)
    struct {
        int spot;
        double order;
    } kept[40];
    int count = 0;
    for (int i = 0; i < 40; i++) {
        if (!(stream_unit(NEXT()) < 0.7)) continue;
        kept[count].spot = i;
        kept[count++].order = stream_unit(NEXT());
    }
    for (int i = 1; i < count; i++) /* insertion: stable */
        for (int j = i; j > 0 && kept[j].order < kept[j - 1].order; j--) {
            int spot = kept[j].spot;
            double order = kept[j].order;
            kept[j] = kept[j - 1];
            kept[j - 1].spot = spot;
            kept[j - 1].order = order;
        }
    double xs[40], zs[40], rooms[40];
    int stands = 0;
    for (int i = 0; i < count; i++) {
        double x = kept[i].spot % 8 * 1.5, z = kept[i].spot / 8 * 1.5;
        double size = 1 + stream_unit(NEXT()), test = size * stream_unit(NEXT());
        bool clear = true;
        for (int j = 0; j < stands; j++) {
            double dx = x - xs[j], dz = z - zs[j];
            if (sqrt(dx * dx + dz * dz) < test + rooms[j]) clear = false;
        }
        if (!clear) continue;
        const Slot *thing = rt_list_item(placed, stands);
        assert_int_equal(thing[PLACED_VARIANT].i, NEXT() % 6);
        assert_true(thing[PLACED_TURN].f == stream_unit(NEXT()));
        assert_true(thing[PLACED_SIZE].f == size + stream_unit(NEXT()));
        assert_true(thing[PLACED_X].f == x && thing[PLACED_Z].f == z &&
                    thing[PLACED_Y].f == 0.5 * x);
        assert_true(thing[PLACED_ROOM].f == test);
        assert_int_equal(thing[PLACED_K].i, kept[i].spot);
        xs[stands] = x;
        zs[stands] = z;
        rooms[stands++] = test;
    }
#undef NEXT
    assert_int_equal(placed->length, stands);
    assert_int_equal(report.stats.items[0].draws, k);
    assert_in_range(stands, 5, 30);
    end(&f);
}

static void test_cap_stops_drawing(void **state) {
    (void)state;
    Fixture f;
    ScatterReport report;
    begin(&f);
    f.rule.candidates = fn(&f, FN_GROUPS, 1, 3, false);
    f.rule.place = fn(&f, FN_PLACE, 16, COPY_SLOTS, true);
    f.rule.at_most = 3;
    RtList *placed = scatter(&f, &report);
    assert_int_equal(placed->length, 3);
    /* Two groups were made (two draws each), three things placed (three draws each); the third
     * group never. */
    assert_int_equal(report.stats.items[0].draws, 2 * 2 + 3 * 3);
    assert_int_equal(report.stats.items[0].outcomes[SCATTER_CAP], 1);
    end(&f);
    begin(&f);
    f.rule.place = fn(&f, FN_PLACE, 16, COPY_SLOTS, true);
    f.rule.at_most = 0;
    assert_int_equal(scatter(&f, &report)->length, 0);
    assert_int_equal(report.stats.items[0].draws, 0);
    assert_int_equal(report.stats.items[0].outcomes[SCATTER_CAP], 40);
    end(&f);
}

static void test_order_lists_groups(void **state) {
    (void)state;
    Fixture f;
    ScatterReport report;
    begin(&f);
    f.rule.candidates = fn(&f, FN_GROUPS, 1, 3, false);
    f.rule.order = fn(&f, FN_ORDER, 14, 2, true);
    f.rule.place = fn(&f, FN_PLACE, 16, COPY_SLOTS, true);
    f.rule.at_most = 3;
    scatter(&f, &report);
    assert_int_equal(report.stats.items[0].draws, 5 * 2 + 10 + 3 * 3);
    end(&f);
}

static void test_refusals_are_counted(void **state) {
    (void)state;
    Fixture f;
    ScatterReport report;
    begin(&f);
    f.rule.test = fn(&f, FN_METER, 16, 2, false);
    f.rule.place = fn(&f, FN_PLAIN, 16, COPY_SLOTS, false);
    f.rule.draws = SCATTER_DRAWS_NONE;
    f.rule.stream = NULL;
    discs_add(&f.fixed.discs, 0, 0, 0.5, 0);
    discs_add(&f.fixed.clearances, 10.5, 6, 0.5, 0);
    Footprint box = {
        .x = 6, .z = 3, .cos = 1, .x0 = -0.1, .x1 = 0.1, .z0 = -0.1, .z1 = 0.1, .clearance = 0.5};
    VEC_PUSH(&f.arena, &f.fixed.footprints, box);
    RtList *placed = scatter(&f, &report);
    const int64_t *outcomes = report.stats.items[0].outcomes;
    /* 8 x 5 spots 1.5 m apart, circles of 1 m: every other one in both directions stands, less what
     * is fixed. */
    int64_t sum = 0;
    for (int i = 0; i < SCATTER_OUTCOME_COUNT; i++)
        sum += outcomes[i];
    assert_int_equal(sum, 40);
    assert_int_equal(outcomes[SCATTER_PLACED], placed->length);
    assert_int_equal(outcomes[SCATTER_DISC], 1);
    assert_int_equal(outcomes[SCATTER_CLEARANCE], 1);
    assert_true(outcomes[SCATTER_FOOTPRINT] >= 1);
    for (int64_t i = 0; i < placed->length;
         i++) { /* turns without a stream are hashed, each its own */
        const Slot *thing = rt_list_item(placed, i);
        uint32_t h =
            pcg_hash(stream_name_hash(STR_LIT("wood.all")) ^ pcg_hash((uint32_t)thing[PLACED_K].i));
        assert_true(thing[PLACED_TURN].f == stream_unit(h) * 6.283185307179586);
    }
    end(&f);
}

static void test_report_traces_near(void **state) {
    (void)state;
    Fixture f;
    begin(&f);
    all_draw(&f);
    int64_t without = scatter(&f, NULL)->length;
    end(&f);
    begin(&f);
    all_draw(&f);
    ScatterReport report = {.arena = &f.arena};
    Watch watch = {.head = {.record = give_report, .asks = true, .x = 3, .z = 3, .radius = 1},
                   .report = &report};
    f.rt.observer = &watch.head;
    ScatterInput input = {.rules = &f.rule,
                          .rule_count = 1,
                          .height = fn(&f, FN_HEIGHT, 3, 1, false),
                          .fixed = &f.fixed};
    RtList *with = scatter_run(&f.rt, &input);
    assert_int_equal(with->length, without);
    assert_int_equal(report.trials.count, 1);
    assert_int_equal(report.trials.items[0].k, 18);
    end(&f);
}

/* The vectors that lang/REFERENCE.md publishes. */
static void test_published_starts(void **state) {
    (void)state;
    assert_int_equal(stream_name_hash(STR_LIT("")), 2166136261u);
    assert_int_equal(stream_name_hash(STR_LIT("forest")), 1328097888u);
    assert_int_equal(stream_name_hash(STR_LIT("ferns")), 748033381u);
    uint32_t own = scatter_own_start(20260520, STR_LIT("island.vegetation.forest"));
    assert_int_equal(own, 413394425u);
    assert_int_equal(scatter_spot_start(own, -7, 73, (Str){0}), 2313696568u);
    assert_int_equal(scatter_spot_start(own, 2, -1, STR_LIT("forest/-7:73")), 2023427588u);
    uint32_t second = scatter_maker_start(own, 2);
    assert_int_equal(scatter_spot_start(second, -7, 73, (Str){0}), 822512407u);
    assert_int_equal(scatter_maker_start(own, 1), own);
    uint32_t start = stream_start(20260520, 1);
    assert_int_equal(start, 3612142881u);
    assert_int_equal(stream_number(start, 1), 4208404450u);
    assert_int_equal(stream_number(start, 1000000), 3727234205u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_part_draws),   cmocka_unit_test(test_cap_stops_drawing),
        cmocka_unit_test(test_order_lists_groups), cmocka_unit_test(test_refusals_are_counted),
        cmocka_unit_test(test_report_traces_near), cmocka_unit_test(test_published_starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
