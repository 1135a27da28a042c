/* What a rule is asked ahead answers as what it is asked spot by spot: runtime/scatter/ahead.h. Every rule runs twice, once with
 * expressions that say they draw, and so are asked one by one, and once with the same that say they do not. What was placed, what was
 * counted and traced, and the fault that ends some of them are the same.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/random/stream.h"
#include "runtime/scatter/scatter.h"

enum { SPOTS = 700 };

typedef enum Expression { KEEP, ORDER, SIZE, SPACING, TEST, ROOM, HEIGHT, PLACE, LIST, EXPRESSIONS } Expression;

/* A rule, and at which spot an expression of it has a fault, or answers what is no number; -1: at none. */
typedef struct Case {
    uint32_t seed;
    bool has[EXPRESSIONS];
    int64_t fault_at[EXPRESSIONS], nan_at[EXPRESSIONS];
    bool keep_draws, order_draws; /* in both runs */
    int64_t at_most;
    ScatterDraws draws;
    bool same_ids;
} Case;

static const Case *current;
static RtList *spots;

static double hashed(Expression which, const Slot *args) {
    return stream_unit(pcg_hash(current->seed ^ pcg_hash((uint32_t)args[ASK_K].i * 16 + (uint32_t)which)));
}

static double number(Rt *rt, Expression which, const Slot *args) {
    int64_t k = args[ASK_K].i;
    double u = hashed(which, args);
    if (k == current->fault_at[which]) rt_fault(rt, RT_FAULT_ARGUMENT, "expression %d at spot %lld", which, (long long)k);
    if (k == current->nan_at[which]) return NAN;
    if (which == SPACING) return 0.5 + args[ASK_SIZE].f * u;
    if (which == TEST) return args[ASK_SPACING].f * 0.5;
    return which == ROOM ? args[ASK_SPACING].f * 0.4 : u;
}

static void place(Rt *rt, RtStream *stream, const Slot *args, Slot *results) {
    if (args[ASK_K].i == current->fault_at[PLACE]) rt_fault(rt, RT_FAULT_ARGUMENT, "place at spot %lld", (long long)args[ASK_K].i);
    results[COPY_VARIANT] = slot_i(stream ? (int64_t)(stream_next(stream) % 6) : 0);
    results[COPY_TURNED] = slot_b(true);
    results[COPY_SIZE] = slot_f(1 + args[ASK_SPACING].f);
    results[COPY_UP_Y] = slot_f(1);
}

/* A height is asked of the place alone. */
static double height(Rt *rt, const Slot *args) {
    int64_t k = (int64_t)(args[0].f + 0.5) + 100 * (int64_t)(args[2].f + 0.5);
    if (k == current->fault_at[HEIGHT]) rt_fault(rt, RT_FAULT_ARGUMENT, "height at spot %lld", (long long)k);
    return k == current->nan_at[HEIGHT] ? NAN : args[0].f;
}

static void answer(Rt *rt, Expression which, RtStream *stream, const Slot *args, Slot *results) {
    bool drawn = (which == KEEP && current->keep_draws) || (which == ORDER && current->order_draws);
    double u = drawn ? stream_unit(stream_next(stream)) : 0;
    if (which == PLACE) place(rt, stream, args, results);
    else if (which == LIST) results[SPOTS_LISTED] = slot_r(spots);
    else if (which == HEIGHT) results[0] = slot_f(height(rt, args));
    else if (which == KEEP) results[0] = slot_b(number(rt, KEEP, args) + u > 0.3);
    else {
        results[0] = slot_b(which == SIZE ? hashed(PLACE, args) < 0.9 : true); /* some have no size */
        results[1] = slot_f(number(rt, which, args) + u);
    }
}

static const int params[] = {14, 14, 14, 15, 16, 16, 3, 16, 1}, counts[] = {1, 2, 2, 2, 2, 2, 1, COPY_SLOTS, SPOTS_SLOTS};

/* Functions from EXPRESSIONS on say that they draw: their stream is the first column. */
static void run(Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in, Slot *const *out) {
    int draws = func >= EXPRESSIONS, which = func % EXPRESSIONS;
    int64_t base = rt->element_base;
    for (int64_t e = 0; e < n; e++) {
        Slot args[ASK_SLOTS] = {{0}}, results[COPY_SLOTS] = {{0}};
        for (int i = 0; i < params[which]; i++)
            args[i] = in[i + draws][uniform >> (i + draws) & 1 ? 0 : e];
        rt->element_base = base + e;
        answer(rt, (Expression)which, draws ? in[0]->r : NULL, args, results);
        for (int i = 0; i < counts[which]; i++)
            out[i][e] = results[i];
    }
    rt->element_base = base;
}

static bool poll(Rt *rt) {
    (void)rt;
    return false;
}
static const RtHost host = {.run = run, .poll = poll};

typedef struct Told {
    Memory memory;
    Arena arena;
    Rt rt;
    ScatterReport report;
    RtObserver watch;
    const RtList *placed;
} Told;

static ScatterReport *reported;
static void *give_report(RtObserver *observer, const char *package) {
    (void)observer, (void)package;
    return reported;
}

static const RtClosure *fn(Told *told, Expression which, bool draws) {
    if (!current->has[which]) return NULL;
    return rt_closure(&told->rt, draws ? EXPRESSIONS + (int)which : (int)which, 0, 0, params[which], counts[which], draws);
}

static void make_spots(Rt *rt) {
    spots = rt_list_create(rt, SPOT_SHAPE, SPOTS);
    for (int i = 0; i < SPOTS; i++) {
        Slot spot[SPOT_SLOTS] = {slot_f(i % 100), slot_f(0), slot_f(i / 100), slot_i(current->same_ids && i == 650 ? 7 : i), slot_i(-1)};
        spots = rt_list_append(rt, spots, SPOT_SHAPE, spot);
    }
}

static void tell(Told *told, bool one_by_one, int threads) {
    *told = (Told){0};
    memory_init(&told->memory, NULL, NULL, 0);
    arena_init(&told->arena, &told->memory);
    rt_init(&told->rt, &host, NULL, &told->arena);
    told->rt.threads = threads;
    told->report.arena = &told->arena;
    told->watch = (RtObserver){.record = give_report, .asks = true, .x = 20, .z = 2, .radius = 30};
    told->rt.observer = &told->watch;
    reported = &told->report;
    make_spots(&told->rt);
    ClearSet fixed;
    clear_init(&fixed, &told->arena);
    bool one = one_by_one;
    ScatterRule rule = {.name = STR_LIT("rule"),
                        .path = STR_LIT("a.rule"),
                        .draws = current->draws,
                        .at_most = current->at_most,
                        .group = -1,
                        .blocks = true,
                        .candidates = fn(told, LIST, false),
                        .keep = fn(told, KEEP, one || current->keep_draws),
                        .order = fn(told, ORDER, one || current->order_draws),
                        .size = fn(told, SIZE, one),
                        .spacing = fn(told, SPACING, one),
                        .test = fn(told, TEST, one),
                        .room = fn(told, ROOM, one),
                        .place = fn(told, PLACE, true)};
    if (rule.draws == SCATTER_DRAWS_SHARED) rule.stream = stream_create(&told->rt, stream_start(5, 1), RT_STREAM_SHARED);
    ScatterInput input = {.rules = &rule, .rule_count = 1, .height = fn(told, HEIGHT, false), .fixed = &fixed, .seed = 7};
    told->placed = scatter_run(&told->rt, &input);
}

static void end(Told *told) {
    rt_fini(&told->rt);
    arena_fini(&told->arena);
}

static void assert_rows(const RtList *a, const RtList *b) {
    assert_int_equal(rt_list_length(a), rt_list_length(b));
    for (int64_t i = 0; i < rt_list_length(a); i++) {
        const Slot *left = rt_list_item(a, i), *right = rt_list_item(b, i);
        assert_memory_equal(left, right, PLACED_RULE * sizeof(Slot));
        assert_true(left[PLACED_K].i == right[PLACED_K].i);
        assert_true(str_equal(((const RtText *)left[PLACED_ID].r)->text, ((const RtText *)right[PLACED_ID].r)->text));
    }
}

static void assert_trials(const ScatterReport *a, const ScatterReport *b) {
    assert_int_equal(a->trials.count, b->trials.count);
    for (int i = 0; i < a->trials.count; i++) {
        const ScatterTrial *left = &a->trials.items[i], *right = &b->trials.items[i];
        assert_int_equal(left->k, right->k);
        assert_int_equal(left->outcome, right->outcome);
        assert_int_equal(left->state, right->state);
        assert_int_equal(left->past_cap, right->past_cap);
        assert_memory_equal(&left->size, &right->size, 4 * sizeof(double));
        assert_int_equal(left->clash.index, right->clash.index);
    }
}

/* Answers the fault that both end with. */
static int32_t assert_alike(const Case *wanted) {
    static Told one, many;
    current = wanted;
    tell(&one, true, 1);
    tell(&many, false, wanted->seed % 3 + 1);
    assert_int_equal(one.rt.fault.code, many.rt.fault.code);
    assert_true(str_equal(one.rt.fault.detail, many.rt.fault.detail));
    assert_rows(one.placed, many.placed);
    assert_memory_equal(one.report.stats.items[0].outcomes, many.report.stats.items[0].outcomes, sizeof one.report.stats.items[0].outcomes);
    assert_int_equal(one.report.stats.items[0].kept, many.report.stats.items[0].kept);
    assert_int_equal(one.report.stats.items[0].draws, many.report.stats.items[0].draws);
    assert_trials(&one.report, &many.report);
    int32_t code = one.rt.fault.code;
    assert_true(code != RT_FAULT_NONE || rt_list_length(one.placed) > 3);
    end(&one);
    end(&many);
    return code;
}

static Case plain(uint32_t seed) {
    static const ScatterDraws draws[] = {SCATTER_DRAWS_SHARED, SCATTER_DRAWS_OWN, SCATTER_DRAWS_PER_SPOT};
    Case c = {.seed = seed, .at_most = -1, .draws = draws[seed % 3]};
    for (int i = 0; i < EXPRESSIONS; i++) {
        c.has[i] = i >= HEIGHT || pcg_hash(seed + (uint32_t)i * 77) % 4 != 0;
        c.fault_at[i] = c.nan_at[i] = -1;
    }
    c.keep_draws = seed % 5 == 0;
    c.order_draws = seed % 7 == 0;
    if (seed % 4 == 1) c.at_most = 5 + seed % 120;
    return c;
}

static void test_alike(void **state) {
    (void)state;
    for (uint32_t seed = 0; seed < 300; seed++) {
        Case c = plain(seed);
        assert_int_equal(assert_alike(&c), RT_FAULT_NONE);
    }
}

/* One expression has a fault, or several have: at spots that are come to, refused before, or past a cap. */
static void test_faults(void **state) {
    (void)state;
    int met = 0, passed = 0, nan = 0;
    for (uint32_t seed = 0; seed < 900; seed++) {
        Case c = plain(seed);
        for (int i = 0; i <= PLACE; i++) {
            uint32_t h = pcg_hash(seed * 31 + (uint32_t)i);
            if (h % 4 == 0) c.fault_at[i] = h / 4 % SPOTS;
            if (h % 4 == 1 && i != KEEP) c.nan_at[i] = h / 4 % SPOTS;
        }
        if (seed % 3) /* few, so that some are never come to */
            for (int i = 0; i <= PLACE; i++)
                if (i != (int)(seed / 3 % (PLACE + 1))) c.fault_at[i] = c.nan_at[i] = -1;
        int32_t code = assert_alike(&c);
        met += code == RT_FAULT_ARGUMENT;
        nan += code == RT_FAULT_NAN;
        passed += code == RT_FAULT_NONE;
    }
    assert_true(met > 100 && nan > 100 && passed > 100);
}

/* Two spots of one place, far apart in a list: found whichever way they are looked for. */
static void test_same_ids(void **state) {
    (void)state;
    int met = 0;
    for (uint32_t seed = 0; seed < 60; seed++) {
        Case c = plain(seed);
        c.same_ids = true;
        met += assert_alike(&c) == RT_FAULT_SAME_ID;
    }
    assert_true(met > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_same_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
