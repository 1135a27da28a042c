/* Lands that are placed, turned and scaled: asked through their frames they answer what they answer
 * at home. A floating island that a host moves: what it holds is not worked out again.
 */
#include <math.h>

#include "tests/support/host.h"
#include "tests/support/things.h"

enum {
    FRAMES = 2000,
    CORNERS = 8,
    PLACES = 24
}; /* places a frame: first the border's corners and middles */

/* Rounding may move a place by some parts in 2^53 of its distance from the world's origin; the
 * ground's slopes are about 1. */
static const double tolerance = 1e-9;

static Host open_floating(void) {
    Host host = {0};
    must(&host, world_engine_create(&(WorldEngineDesc){.threads = 2}, &host.engine));
    must(&host, world_open_file(host.engine, getenv("FLOATING"), &(WorldDesc){0}, &host.world));
    return host;
}

static WorldFunction function(const Host *host, const char *name, const char *signature) {
    WorldFunction found;
    must(host, world_function(host->world, name, signature, &found));
    return found;
}

/* -- random frames -- */

/* A square of 4 m, its samples a third of a meter apart; 2000 lands on it in two holders, one
 * turned and scaled itself. */
static const char isles[] =
    "world version 1\n"
    "field bumps: heightGrid = heightGrid(cell: 4 m / 12, points: 13, height: p => sin(p.x / 1 m * "
    "1 rad) * 1 m + p.z / 3, outside: -30 m)\n"
    "fn chance(i: int, k: int) number { toUnit(random(77, i: 8 * i + k)) }\n"
    "fn whole(i: int) angle { (chance(i, 3) * 4 - 2) * 1 turn }\n"
    "part isle\n"
    "  fn height(here: point) meters { bumps.heightAt(here) }\n"
    "  fn gradient(here: point) direction { bumps.gradientAt(here) }\n"
    "part holder, at: (31, -4, 900), turn: 77 deg, scale: 1.5\n"
    "  each i in 0 ..< 2000 {\n"
    "    part land[i]: isle, turn: whole(i), scale: 0.25 + 3.75 * chance(i, 4),\n"
    "         at: ((chance(i, 0) - 0.5) * 4 km, (chance(i, 1) - 0.5) * 1 km, (chance(i, 2) - 0.5) "
    "* 4 km)\n"
    "  }\n"
    "fn home(i: int, p: point) meters { bumps.heightAt(p) }\n"
    "fn through(i: int, p: point) meters { holder.land[i].height(holder.land[i].fromWorld(p)) }\n"
    "fn uphill(i: int, p: point) direction { "
    "holder.land[i].turnToWorld(holder.land[i].gradient(holder.land[i].fromWorld(p))) }\n"
    "fn uphillHome(i: int, p: point) direction { bumps.gradientAt(p) }\n"
    "fn there(i: int, p: point) point { holder.land[i].toWorld(p) }\n";

typedef struct Row { /* the arguments of those functions */
    int64_t i;
    double p[3];
} Row;

typedef struct Frames {
    WorldPartInfo of[FRAMES];
    int count;
} Frames;

static bool take_frame(void *user, const WorldPartInfo *part) {
    Frames *frames = user;
    assert_true(frames->count < FRAMES);
    frames->of[frames->count++] = *part;
    return true;
}

static double random_unit(void) {
    static uint64_t state = 5;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

/* On the border's corners and middles, on its sides, inside; and past it, too far for rounding to
 * matter. */
static void choose_place(int k, double p[3]) {
    static const double border[CORNERS][2] = {{-2, -2}, {2, -2}, {2, 2}, {-2, 2},
                                              {0, -2},  {2, 0},  {0, 2}, {-2, 0}};
    p[1] = 10 * random_unit() - 5;
    if (k < CORNERS) {
        p[0] = border[k][0], p[2] = border[k][1];
        return;
    }
    p[0] = 4 * random_unit() - 2, p[2] = 4 * random_unit() - 2;
    if (k % 4 == 1) p[k % 8 == 1 ? 0 : 2] = k % 3 ? 2 : -2;
    if (k % 8 == 3) p[2] = 2 + 1e-6;
}

/* By libm, which decides nothing of a world. */
static void to_world(const WorldPartInfo *frame, const double p[3], double out[3]) {
    double c = cos(frame->turn), s = sin(frame->turn);
    out[0] = frame->at[0] + frame->scale * (c * p[0] + s * p[2]);
    out[1] = frame->at[1] + frame->scale * p[1];
    out[2] = frame->at[2] + frame->scale * (c * p[2] - s * p[0]);
}

static bool near(double got, double want) {
    return fabs(got - want) <= tolerance * (1 + fabs(want));
}

static void test_random_frames(void **state) {
    (void)state;
    static Frames frames;
    static Row home[FRAMES * PLACES], away[FRAMES * PLACES];
    static double plain[FRAMES * PLACES], through[FRAMES * PLACES];
    static double way[3 * FRAMES * PLACES], way_home[3 * FRAMES * PLACES],
        there[3 * FRAMES * PLACES];
    Host host = open_host((WorldEngineDesc){.threads = 2}, isles);
    frames.count = 0;
    must(&host, world_parts(host.world, "holder.land", take_frame, &frames));
    assert_int_equal(frames.count, FRAMES);
    for (int n = 0; n < FRAMES * PLACES; n++) {
        home[n].i = away[n].i = n / PLACES;
        choose_place(n % PLACES, home[n].p);
        to_world(&frames.of[n / PLACES], home[n].p, away[n].p);
    }
    size_t count = FRAMES * PLACES;
    must(&host, world_call_batch(host.world, function(&host, "home", "fn(int, point) meters"),
                                 count, home, plain));
    must(&host, world_call_batch(host.world, function(&host, "through", "fn(int, point) meters"),
                                 count, away, through));
    must(&host, world_call_batch(host.world, function(&host, "there", "fn(int, point) point"),
                                 count, home, there));
    must(&host, world_call_batch(host.world, function(&host, "uphill", NULL), count, away, way));
    must(&host,
         world_call_batch(host.world, function(&host, "uphillHome", NULL), count, home, way_home));
    int outside = 0;
    for (size_t n = 0; n < count; n++) {
        if (!near(through[n], plain[n]))
            fail_msg("land %zu, place %zu: %.17g, at home %.17g", n / PLACES, n % PLACES,
                     through[n], plain[n]);
        outside += plain[n] == -30;
        for (int a = 0; a < 3; a++)
            assert_true(near(there[3 * n + (size_t)a], away[n].p[a]));
        WorldPartInfo turned = {.turn = frames.of[n / PLACES].turn, .scale = 1};
        double seen[3];
        to_world(&turned, way_home + 3 * n, seen);
        for (int a = 0; a < 3; a++)
            assert_true(fabs(way[3 * n + (size_t)a] - seen[a]) <= 1e-7); /* differences over 1 m */
    }
    assert_true(outside == FRAMES * 2);
    world_engine_destroy(host.engine);
}

/* -- a floating island -- */

static uint64_t rebuilt(const Host *host) {
    uint64_t before = world_evaluations(host->world);
    must(host, world_build(host->world));
    return world_evaluations(host->world) - before;
}

static void test_moving(void **state) {
    (void)state;
    Things before, after;
    WorldGridView grid = {.size = sizeof grid}, moved = {.size = sizeof moved};
    Host host = open_floating();
    must(&host, world_build(host.world));
    must(&host, things_read(host.world, "land.wood.layout", &before));
    must(&host, world_grid(host.world, "land.ground", &grid));
    must(&host, world_set(host.world, "altitude", "300 m"));
    assert_int_equal(rebuilt(&host), 5); /* land.at, landing, gondola.at, the two homes */
    must(&host, world_set(host.world, "drift", "(700, 0, -40)"));
    assert_int_equal(rebuilt(&host), 5);
    must(&host, world_set(host.world, "heading", "33 deg"));
    assert_int_equal(rebuilt(&host), 5); /* land.turn, landing, gondola.at, its turn, its home */
    must(&host, things_read(host.world, "land.wood.layout", &after));
    must(&host, world_grid(host.world, "land.ground", &moved));
    assert_true(grid.heights == moved.heights && before.count == after.count);
    assert_in_range(before.count, 31, 199);
    for (size_t i = 0; i < before.count; i++)
        assert_memory_equal(before.items[i].at, after.items[i].at, sizeof before.items[i].at);
    things_free(&before);
    things_free(&after);
    must(&host, world_check(host.world));
    world_engine_destroy(host.engine);
}

/* A tree is drawn where its land carries it. */
static void test_drawn(void **state) {
    (void)state;
    Host host = open_floating();
    const WorldScene *scene;
    Things trees;
    WorldValue *value;
    double at[3];
    char text[160];
    must(&host, world_set(host.world, "heading", "33 deg"));
    must(&host, world_set(host.world, "drift", "(700, 0, -40)"));
    must(&host, world_scene(host.world, &scene));
    must(&host, things_read(host.world, "land.wood.layout", &trees));
    Thing tree = trees.items[0];
    things_free(&trees);
    double foot = tree.at[1] - tree.sink * tree.size;
    snprintf(text, sizeof text, "land.toWorld((%.17g m, %.17g m, %.17g m))", tree.at[0], foot,
             tree.at[2]);
    must(&host, world_ask(host.world, text, &value));
    world_value_numbers(value, at);
    world_value_destroy(value);
    int found = 0;
    for (size_t g = 0; g < scene->instance_count; g++)
        for (uint32_t i = 0; i < scene->instances[g].count; i++) {
            const float *m = scene->instances[g].transforms + 12 * (size_t)i;
            found += fabs(m[3] - at[0]) < 1e-3 && fabs(m[7] - at[1]) < 1e-3 &&
                     fabs(m[11] - at[2]) < 1e-3;
        }
    assert_int_equal(found, 1); /* its trunk; its leaves stand higher */
    world_engine_destroy(host.engine);
}

/* -- scattering over a land in a frame -- */

static const char meadow[] =
    "world version 1\n"
    "field spin: angle = 90 deg\n"
    "part land, at: (100, 20, 5), turn: spin, scale: 2\n"
    "  fn height(here: point) meters { here.x / 10 }\n"
    "  fn gradient(here: point) direction { (0.1, 0, 0) }\n"
    "  fn slope(here: point) number { 0.1 }\n"
    "  fn normal(here: point) direction { (0, 1, 0) }\n"
    "  fn curvature(here: point, over: meters) number { 0 }\n"
    "%s\n"
    "part post, at: (108, 0, -1), clearance: 2 m\n" /* the land's (3, -10, 4): 1 m of the land round
                                                       it */
    "part stone\n  field variant: int = 0\n";

static const char inside[] =
    "  part inner, at: (-8, 0, 0), clearance: 1 m\n"
    "  part grass\n"
    "    field layout: List[placed] = scatter(over: land, rules: [tufts])\n"
    "    field tufts = rule(candidates: [(3, 0, 3.1), (3, 0, 2.9), (3.9, 0, 4), (4.1, 0, 4), "
    "(-8.9, 0, 0), (-6.9, 0, 0)],\n"
    "                       test: 0 m, place: stone(variant: k, turn: 0))\n";

static Host open_meadow(const char *layout) {
    char text[2048];
    snprintf(text, sizeof text, meadow, layout);
    return open_host((WorldEngineDesc){.threads = 2}, text);
}

static void test_clear_of_others(void **state) {
    (void)state;
    static const int64_t standing[] = {1, 3, 5};
    Things things;
    Host host = open_meadow(inside);
    must(&host, things_read(host.world, "land.grass.layout", &things));
    assert_int_equal(things.count, 3);
    for (size_t i = 0; i < things.count; i++) {
        const Thing *thing = &things.items[i];
        assert_int_equal(thing->variant, standing[i]);
        assert_true(fabs(thing->at[1] - thing->at[0] / 10) < 1e-12);
    }
    things_free(&things);
    must(&host,
         world_set(host.world, "spin", "270 deg")); /* the post now stands elsewhere on the land */
    must(&host, things_read(host.world, "land.grass.layout", &things));
    assert_int_equal(things.count, 5); /* the land's own part keeps its room */
    things_free(&things);
    world_engine_destroy(host.engine);
}

static void test_layout_elsewhere(void **state) {
    (void)state;
    Host host = open_meadow(
        "part grass\n  field layout: List[placed] = scatter(over: land, rules: [tufts])\n"
        "  field tufts = rule(candidates: [(3, 0, 3)], place: stone(turn: 0))\n");
    WorldTable *table;
    assert_int_equal(world_table(host.world, "grass.layout", &table), WORLD_ERROR_WORLD);
    const char *said = world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN);
    assert_non_null(strstr(said, "hold the scatter in a part inside 'land'"));
    world_engine_destroy(host.engine);
}

static void test_no_scale(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 2}, "world version 1\npart flat, scale: 0\n");
    WorldValue *value;
    assert_int_equal(world_ask(host.world, "flat.fromWorld((1, 2, 3))", &value), WORLD_ERROR_WORLD);
    assert_non_null(
        strstr(world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN), "scale is 0"));
    world_engine_destroy(host.engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_frames),
        cmocka_unit_test(test_moving),
        cmocka_unit_test(test_drawn),
        cmocka_unit_test(test_clear_of_others),
        cmocka_unit_test(test_layout_elsewhere),
        cmocka_unit_test(test_no_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
