/* What is known of the island of the specification, asked through the public header: counts,
 * published invariants, and one hash whatever works it out.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <world/world.h>

#include "tests/support/things.h"

typedef struct Island {
    WorldEngine *engine;
    World *world;
} Island;

static void open_island(Island *island, const WorldEngineDesc *desc) {
    assert_int_equal(world_engine_create(desc, &island->engine), WORLD_OK);
    WorldStatus status =
        world_open_file(island->engine, getenv("ISLAND"), &(WorldDesc){0}, &island->world);
    if (status != WORLD_OK)
        fail_msg("%s", world_diagnostics_text(island->engine, NULL, WORLD_STYLE_HUMAN));
}

static void close_island(Island *island) {
    world_close(island->world);
    world_engine_destroy(island->engine);
}

/* One opened and used by the tests that only ask. */
static Island shared;

static int setup(void **state) {
    (void)state;
    open_island(&shared, &(WorldEngineDesc){0});
    return 0;
}

static int teardown(void **state) {
    (void)state;
    close_island(&shared);
    return 0;
}

static void ask(const char *expression, double out[3]) {
    WorldValue *value;
    if (world_ask(shared.world, expression, &value) != WORLD_OK)
        fail_msg("%s: %s", expression,
                 world_diagnostics_text(shared.engine, shared.world, WORLD_STYLE_HUMAN));
    out[0] = NAN;
    world_value_numbers(value, out);
    world_value_destroy(value);
}

static double number(const char *expression) {
    double out[3];
    ask(expression, out);
    return out[0];
}

static WorldFunction function(const char *name, const char *signature) {
    WorldFunction f;
    assert_int_equal(world_function(shared.world, name, signature, &f), WORLD_OK);
    return f;
}

static double at(WorldFunction f, double x, double z) {
    double p[3] = {x, 0, z}, answer;
    assert_int_equal(world_call(shared.world, f, p, &answer), WORLD_OK);
    return answer;
}

static Things placed(const char *path) {
    Things things;
    assert_int_equal(things_read(shared.world, path, &things), WORLD_OK);
    return things;
}

/* -- the land -- */

static void test_pad_is_flat(void **state) {
    (void)state;
    WorldFunction height = function("land.height", "fn(point) meters");
    WorldFunction brook = function("land.brookDistance", "fn(point) meters");
    for (int i = -40; i <= 40; i += 4)
        for (int j = -40; j <= 40; j += 4) {
            double x = -4 + i, z = 338 + j;
            if (i * i + j * j > 43 * 43 || hypot(x + 16, z - 333) < 9 || z > 336)
                continue; /* off the walkway */
            if (at(brook, x, z) < 8) continue;
            assert_true(fabs(at(height, x, z) - 4.6) < 1e-6);
        }
    assert_true(at(height, 5000, 0) == -30);
    assert_true(at(height, 0, -1024.001) == -30);
}

static void test_walkway(void **state) {
    (void)state;
    assert_true(number("land.walkway.points().length()") == 205);
    WorldFunction height = function("land.height", "fn(point) meters");
    double length = number("land.walkway.length()"), steepest = 0;
    for (int along = 0; along + 1 <= length; along++) {
        char text[96];
        double a[3], b[3];
        snprintf(text, sizeof text, "land.walkway.spotAt(%d m)", along);
        ask(text, a);
        assert_true(fabs(a[1] - at(height, a[0], a[2])) <
                    1e-9); /* a spot of it lies on the ground */
        snprintf(text, sizeof text, "land.walkway.planAt(%d m)", along + 1);
        ask(text, b);
        snprintf(text, sizeof text, "land.pressed.heightAt(land.walkway.planAt(%d m))", along);
        a[1] = number(text); /* before the brook is carved through it */
        snprintf(text, sizeof text, "land.pressed.heightAt(land.walkway.planAt(%d m))", along + 1);
        b[1] = number(text);
        double degrees =
            atan2(fabs(b[1] - a[1]), hypot(b[0] - a[0], b[2] - a[2])) * 180 / 3.141592653589793;
        if (degrees > steepest) steepest = degrees;
    }
    assert_true(steepest > 8.5 && steepest < 9.5); /* published: 9 degrees */
}

static void test_path_distance_stops(void **state) {
    (void)state;
    WorldFunction distance = function("land.pathDistance", "fn(point) meters");
    assert_true(at(distance, 400, 0) == 16);
    assert_true(at(distance, -22, 476) < 1e-9); /* a control point */
    assert_true(fabs(at(distance, -19, 498) - 3) < 0.05);
}

/* -- the lanterns -- */

static void test_lanterns(void **state) {
    (void)state;
    assert_true(number("island.lantern.length()") == 12);
    WorldFunction distance = function("land.pathDistance", "fn(point) meters");
    double back[12], spots[12][3];
    for (int i = 0; i < 12; i++) {
        char text[96];
        snprintf(text, sizeof text, "island.lantern[%d].at", i);
        ask(text, spots[i]);
        double off = at(distance, spots[i][0], spots[i][2]);
        assert_true(off > 1.0 && off < 1.8);
        snprintf(text, sizeof text,
                 "land.walkway.length() - land.walkway.nearest(island.lantern[%d].at, within: 16 "
                 "m).along",
                 i);
        back[i] = number(text);
    }
    for (int pair = 0; pair < 6; pair++) {
        assert_true(fabs(back[2 * pair] - back[2 * pair + 1]) < 0.7);
        /* left, then right: the left of the walkway, which runs north, is west of it */
        assert_true(spots[2 * pair][0] < spots[2 * pair + 1][0]);
    }
    assert_true(back[0] > 1.5 && back[0] < 2.2);
    for (int pair = 1; pair < 6; pair++) {
        double apart =
            (back[2 * pair] + back[2 * pair + 1] - back[2 * pair - 1] - back[2 * pair - 2]) / 2;
        assert_true(apart > 2.4 && apart < 3.2);
    }
    assert_true(back[11] > 14 && back[11] < 17);
}

/* -- the vegetation -- */

/* Document 1, "The stream, exactly". */
static uint32_t pcg(uint32_t v) {
    uint32_t s = v * 747796405u + 2891336453u, w = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u;
    return (w >> 22) ^ w;
}

/* The trees round the cottage; the groves on the far slopes are another matter. */
static bool is_tree(const Thing *thing) {
    return (strcmp(thing->kind, "conifer") == 0 || strstr(thing->kind, "Maple") != NULL) &&
           strcmp(thing->rule, "groves") != 0;
}

static bool ruled(const Thing *thing, const char *rule) {
    return strcmp(thing->rule, rule) == 0;
}

/* The forest's grid on open ground, every spot kept: one thing in each of its squares, a row of x
 * at a time. */
static void test_candidates(void **state) {
    (void)state;
    static const char text[] =
        "part stick\n"
        "field ground = heightGrid(cell: 100 m, points: 21, height: p => 5 m)\n"
        "part land\n"
        "  fn height(here: point) meters { ground.heightAt(here) }\n"
        "  fn gradient(here: point) direction { ground.gradientAt(here) }\n"
        "  fn slope(here: point) number { length(gradient(here)) }\n"
        "  fn normal(here: point) direction { ground.normalAt(here) }\n"
        "  fn curvature(here: point, over: meters) number { ground.curvatureAt(here, over) }\n"
        "field main = randomStream(seed: 20260520, salt: 1)\n"
        "field forest = rule(draws: main, candidates: jitteredGrid(cell: 6 m, x: -230 m ..< 210 m, "
        "z: 300 m ..< 520 m),\n"
        "    place: stick(turn: 0 deg))\n"
        "field layout = scatter(over: land, rules: [forest])\n";
    Island island;
    assert_int_equal(world_engine_create(&(WorldEngineDesc){0}, &island.engine), WORLD_OK);
    if (world_open_text(island.engine, text, sizeof text - 1, &(WorldDesc){0}, &island.world) !=
        WORLD_OK)
        fail_msg("%s", world_diagnostics_text(island.engine, NULL, WORLD_STYLE_HUMAN));
    Things all;
    assert_int_equal(things_read(island.world, "layout", &all), WORLD_OK);
    const Thing *things = all.items;
    assert_int_equal(all.count, 2738);
    uint32_t start = pcg(20260520u ^ 1u * 0x85ebca6bu);
    for (uint32_t i = 0; i < all.count; i++) {
        double x = (pcg(start + (2 * i + 1) * 0x9E3779B9u) >> 8) * 0x1p-24,
               z = (pcg(start + (2 * i + 2) * 0x9E3779B9u) >> 8) * 0x1p-24;
        assert_true(things[i].at[0] == -230 + (i % 74 + x) * 6 &&
                    things[i].at[2] == 300 + (i / 74 + z) * 6);
        assert_true(things[i].at[1] == 5);
    }
    things_free(&all);
    close_island(&island);
}

static void test_anchors(void **state) {
    (void)state;
    Things all = placed("island.vegetation.layout");
    const Thing *things = all.items;
    size_t count = all.count;
    int specimens = 0, pines = 0;
    for (size_t i = 0; i < count; i++) {
        specimens += strcmp(things[i].kind, "specimenMaple") == 0;
        pines += strcmp(things[i].rule, "pines") == 0;
        assert_false(things[i].at[0] == -10 &&
                     things[i].at[2] == 303); /* the balloon's disc refuses it */
    }
    assert_int_equal(specimens, 2);
    assert_int_equal(pines, 7);
    things_free(&all);
}

static void test_trees_keep_their_distance(void **state) {
    (void)state;
    Things all = placed("island.vegetation.layout");
    const Thing *things = all.items;
    size_t count = all.count;
    WorldFunction distance = function("land.pathDistance", "fn(point) meters");
    WorldFunction height = function("land.height", "fn(point) meters");
    double lanterns[12][3];
    for (int k = 0; k < 12; k++) {
        char text[64];
        snprintf(text, sizeof text, "island.lantern[%d].at", k);
        ask(text, lanterns[k]);
    }
    size_t trees = 0;
    for (size_t i = 0; i < count; i++) {
        const Thing *thing = &things[i];
        assert_true(fabs(thing->at[1] - at(height, thing->at[0], thing->at[2])) < 0.05 ||
                    strcmp(thing->rule, "brookStones") == 0);
        if (!is_tree(thing)) continue;
        trees++;
        assert_true(at(distance, thing->at[0], thing->at[2]) > 4.4);
        assert_false(thing->at[0] > -21.5 && thing->at[0] < -12.6 && thing->at[2] > 323.8 &&
                     thing->at[2] < 332.4);
        for (int k = 0; k < 12; k++)
            assert_true(hypot(thing->at[0] - lanterns[k][0], thing->at[2] - lanterns[k][2]) > 0.7);
        for (size_t j = 0; j < i; j++) {
            if (!is_tree(&things[j])) continue;
            assert_true(hypot(thing->at[0] - things[j].at[0], thing->at[2] - things[j].at[2]) >= 3);
        }
    }
    assert_true(trees >= 60 && trees <= 120);
    things_free(&all);
}

/* The counts this build gives: a change of meaning shows here first. */
static void test_counts(void **state) {
    (void)state;
    static const struct {
        const char *rule;
        int count;
    } expected[] = {
        {"specimens", 2},    {"pines", 7},          {"forest", 90},           {"shoreRocks", 22},
        {"forestRocks", 76}, {"pathRocks", 8},      {"foundationHostas", 12}, {"pathHostas", 7},
        {"flowerBed", 4},    {"amphoraFlowers", 7}, {"pathFlowers", 13},      {"ferns", 67},
        {"laneFerns", 24},   {"leftEdging", 149},   {"rightEdging", 156},     {"brookStones", 73},
        {"brookFerns", 38},  {"ringExtras", 13},    {"groves", 440}};
    Things all = placed("island.vegetation.layout");
    const Thing *things = all.items;
    size_t count = all.count;
    for (size_t r = 0; r < sizeof expected / sizeof *expected; r++) {
        int found = 0;
        for (size_t i = 0; i < count; i++)
            found += ruled(&things[i], expected[r].rule);
        if (found != expected[r].count)
            fail_msg("%s: %d things, expected %d", expected[r].rule, found, expected[r].count);
    }
    things_free(&all);
}

/* Where the vegetation may stand, and how many of a kind: caps count a group wherever its things
 * were placed. */
static void test_vegetation_keeps_its_places(void **state) {
    (void)state;
    Things all = placed("island.vegetation.layout");
    const Thing *things = all.items;
    size_t count = all.count;
    WorldFunction distance = function("land.pathDistance", "fn(point) meters"),
                  dressed = function("land.dressed", "fn(point) bool");
    WorldFunction height = function("land.height", "fn(point) meters");
    int ferns = 0, rocks = 0, hostas = 0, flowers = 0;
    for (size_t i = 0; i < count; i++) {
        const Thing *thing = &things[i];
        double p[3] = {thing->at[0], 0, thing->at[2]};
        uint64_t inside = 0;
        ferns += strcmp(thing->kind, "fern") == 0 && !ruled(thing, "ringExtras");
        rocks += strcmp(thing->kind, "rock") == 0;
        hostas += strcmp(thing->kind, "hosta") == 0 && !ruled(thing, "ringExtras");
        flowers += strcmp(thing->kind, "flower") == 0;
        assert_true(at(height, p[0], p[2]) > 0);
        /* The published 1.3 m, and what the figures' own offset adds in the sharpest bend. */
        if (strstr(thing->rule, "Edging"))
            assert_true(at(distance, p[0], p[2]) <= 0.9 + 0.17 * 1.2 * 1.35 + 0.03 + 0.17);
        if (ruled(thing, "groves")) continue;
        assert_int_equal(world_call(shared.world, dressed, p, &inside), WORLD_OK);
        assert_true(inside == 1);
    }
    assert_true(rocks <= 120 && hostas <= 60 && flowers <= 120 && ferns <= 290);
    things_free(&all);
}

/* -- the brook -- */

static void test_brook(void **state) {
    (void)state;
    double length = number("land.brook.length()"), before = INFINITY;
    assert_true(length > 428 && length < 440);
    assert_true(number("island.vegetation.brookDiscs.length()") == 145);
    for (int along = 0; along <= 430; along += 5) {
        char text[160];
        snprintf(text, sizeof text, "land.brook.waterLevelAt(%d m)", along);
        double level = number(text);
        assert_true(level <= before); /* it never rises */
        snprintf(text, sizeof text,
                 "land.pressed.heightAt(land.brook.planAt(%d m)) - land.brook.waterLevelAt(%d m)",
                 along, along);
        assert_true(number(text) >= 0.3 - 1e-3);
        snprintf(text, sizeof text, "land.brook.indexAt(%d m)", along);
        double index = number(text);
        if (index > 9.5 && index < 16.5)
            assert_true(before - level >= 0.003 * 5 - 1e-9); /* it flows in the yard */
        snprintf(text, sizeof text, "land.brook.waterSpeedAt(%d m)", along);
        double speed = number(text);
        assert_true(speed >= 0.15 && speed <= 3);
        snprintf(text, sizeof text, "land.brook.bedWidthAt(%d m)", along);
        assert_true(number(text) >= 0.7 - 1e-9 && number(text) <= 3 + 1e-9);
        before = level;
    }
    assert_true(number("land.brookDistance((300, 0, 300))") == 8);
    assert_true(
        number(
            "land.walkway.nearest(land.brook.planAt(land.brook.crossing), within: 16 m).distance") <
        0.6);
}

/* A stone in the bed stands by the water: its top 5 cm above it. */
static void test_brook_stones(void **state) {
    (void)state;
    Things all = placed("island.vegetation.layout");
    const Thing *things = all.items;
    size_t count = all.count;
    int stones = 0;
    for (size_t i = 0; i < count; i++) {
        if (!ruled(&things[i], "brookStones")) continue;
        char text[160];
        snprintf(
            text, sizeof text,
            "land.brook.waterLevelAt(land.brook.nearest((%.17g, 0, %.17g), within: 8 m).along)",
            things[i].at[0], things[i].at[2]);
        double top = things[i].at[1] + (0.467 - 0.2) * things[i].size;
        assert_true(fabs(top - number(text) - 0.05) < 0.02);
        stones++;
    }
    assert_true(stones > 20);
    things_free(&all);
}

/* -- one world -- */

static uint64_t hash_with(const WorldEngineDesc *desc) {
    Island island;
    uint64_t hash = 0;
    open_island(&island, desc);
    assert_int_equal(world_hash(island.world, &hash), WORLD_OK);
    close_island(&island);
    return hash;
}

static void test_one_hash(void **state) {
    (void)state;
    uint64_t hash = hash_with(&(WorldEngineDesc){0});
    assert_true(hash == hash_with(&(WorldEngineDesc){0}));
    assert_true(hash == hash_with(&(WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER}));
    assert_true(hash == hash_with(&(WorldEngineDesc){
                            .exec = WORLD_EXEC_INTERPRETER, .optimize = 1, .threads = 1}));
    assert_true(hash == hash_with(&(WorldEngineDesc){.optimize = 1, .threads = 2}));
    assert_true(hash == hash_with(&(WorldEngineDesc){.optimize = 4, .threads = 1}));
    assert_true(hash == hash_with(&(WorldEngineDesc){.optimize = 3, .width = 4}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pad_is_flat),
        cmocka_unit_test(test_walkway),
        cmocka_unit_test(test_path_distance_stops),
        cmocka_unit_test(test_lanterns),
        cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_anchors),
        cmocka_unit_test(test_trees_keep_their_distance),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_vegetation_keeps_its_places),
        cmocka_unit_test(test_brook),
        cmocka_unit_test(test_brook_stones),
        cmocka_unit_test(test_one_hash),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
