/* What is known of what grows on the island: published counts, places and distances. */
#include "tests/api/island.h"

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
    Host island = open_host((WorldEngineDesc){0}, text);
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
    world_engine_destroy(island.engine);
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
        for (int k = 0; k < 12; k++)
            assert_true(hypot(thing->at[0] - lanterns[k][0], thing->at[2] - lanterns[k][2]) > 0.7);
        if (!is_tree(thing)) continue;
        trees++;
        assert_true(at(distance, thing->at[0], thing->at[2]) > 4.4);
        assert_false(thing->at[0] > -21.5 && thing->at[0] < -12.6 && thing->at[2] > 323.8 &&
                     thing->at[2] < 332.4);
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
        {"flowerBed", 10},    {"amphoraFlowers", 9}, {"pathFlowers", 9},      {"ferns", 63},
        {"laneFerns", 25},   {"leftEdging", 150},   {"rightEdging", 157},     {"brookStones", 75},
        {"brookFerns", 36},  {"ringExtras", 13},    {"groves", 440}};
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_anchors),
        cmocka_unit_test(test_trees_keep_their_distance),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_vegetation_keeps_its_places),
        cmocka_unit_test(test_brook_stones),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
