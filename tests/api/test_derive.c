/* What is derived from a field is worked out again when a host sets it, and nothing else: exact
 * counts on the island, each cell asked for by name. And a hidden part hides all it holds.
 */
#include "tests/support/host.h"
#include "tests/support/things.h"

enum { MAX_THINGS = 4096 };

static Host shared; /* the island, opened once; every test leaves it as it was, built */

static int setup(void **state) {
    (void)state;
    must(&shared, world_engine_create(&(WorldEngineDesc){.threads = 2}, &shared.engine));
    must(&shared, world_open_file(shared.engine, getenv("ISLAND"), &(WorldDesc){0}, &shared.world));
    must(&shared, world_build(shared.world));
    return 0;
}

static int teardown(void **state) {
    (void)state;
    world_engine_destroy(shared.engine);
    return 0;
}

static void set(const char *path, const char *expression) {
    must(&shared, world_set(shared.world, path, expression));
}

/* How many cells are worked out to answer. */
static int cost(const char *expression) {
    uint64_t before = world_evaluations(shared.world);
    WorldValue *value;
    must(&shared, world_ask(shared.world, expression, &value));
    world_value_destroy(value);
    return (int)(world_evaluations(shared.world) - before);
}

/* And what is left. */
static int cost_of_rest(void) {
    uint64_t before = world_evaluations(shared.world);
    must(&shared, world_build(shared.world));
    return (int)(world_evaluations(shared.world) - before);
}

static const float *heights(void) {
    WorldGridView grid = {.size = sizeof grid};
    must(&shared, world_grid(shared.world, "land.ground", &grid));
    return grid.heights;
}

static Things placed(void) {
    Things things;
    must(&shared, things_read(shared.world, "island.vegetation.layout", &things));
    return things;
}

/* The things that stand now are the same as `before`. */
static bool stand_as(const Things *before) {
    Things now = placed();
    bool same = now.count == before->count;
    for (size_t i = 0; same && i < now.count; i++)
        same = strcmp(now.items[i].id, before->items[i].id) == 0 &&
               memcmp(now.items[i].at, before->items[i].at, sizeof now.items[i].at) == 0;
    things_free(&now);
    return same;
}

static void test_nothing_twice(void **state) {
    (void)state;
    assert_int_equal(cost_of_rest(), 0);
    set("amphoraSpot", "amphoraSpot"); /* to what it is */
    assert_int_equal(cost_of_rest(), 0);
}

/* The amphora moves, the scatter clears another place, its crowns are read off it; not the land. */
static void test_amphora(void **state) {
    (void)state;
    const float *ground = heights();
    Things before = placed();
    set("amphoraSpot", "(-13.4, 0, 338)");
    assert_int_equal(cost("amphora.at"), 1);
    assert_int_equal(cost("amphora.home"), 1);
    assert_int_equal(cost("island.vegetation.amphoraFlowers"),
                     0); /* the rule asks where it stands when it is tried */
    assert_int_equal(cost("island.vegetation.layout.length()"), 1);
    assert_int_equal(cost("island.vegetation.crowns.length()"), 1);
    assert_int_equal(cost("island.groundcover.standing.length()"), 1); /* what the ground's cover keeps clear of */
    assert_int_equal(cost_of_rest(), 0);
    assert_true(heights() == ground);
    assert_false(stand_as(&before));
    set("amphoraSpot", "(-13.4, 0, 337)");
    cost_of_rest();
    assert_true(stand_as(&before));
    things_free(&before);
}

/* A wider clearance asks the scatter; a color only the meshes that have it. */
static void test_cottage(void **state) {
    (void)state;
    const float *ground = heights();
    set("cottage.clearance", "3 m");
    assert_int_equal(cost("island.vegetation.layout.length()"), 1);
    assert_int_equal(cost("island.vegetation.crowns.length()"), 1);
    assert_int_equal(cost("island.groundcover.standing.length()"), 1); /* what the ground's cover keeps clear of */
    assert_int_equal(cost_of_rest(), 0);
    set("cottage.clearance", "1.2 m");
    cost_of_rest();
    set("cottage.plaster", "(0.5, 0.5, 0.5)");
    assert_int_equal(cost("island.vegetation.layout.length()"), 0);
    assert_int_equal(cost_of_rest(), 2); /* walls and wing */
    assert_true(heights() == ground);
}

static void test_lantern(void **state) {
    (void)state;
    set("island.lantern[3].iron", "(0.2, 0.1, 0.1)");
    assert_int_equal(cost("island.vegetation.layout.length()"), 0);
    assert_int_equal(cost_of_rest(),
                     7); /* post, shelf, four bars, cap: and none of the other eleven's */
    set("island.lantern[3].clearance", "1.5 m");
    assert_int_equal(cost("island.vegetation.layout.length()"), 1);
    assert_int_equal(cost("island.vegetation.crowns.length()"), 1);
    assert_int_equal(cost("island.groundcover.standing.length()"), 1); /* what the ground's cover keeps clear of */
    assert_int_equal(cost_of_rest(), 0);
    set("island.lantern[3].clearance", "0.7 m");
    cost_of_rest();
}

/* The pad's height is in the land: its two grids, what the brook reads of the first, and all that
 * stands on it. */
static void test_pad(void **state) {
    (void)state;
    set("padHeight", "5 m");
    assert_int_equal(cost("land.pressed.border().contains((0, 0, 0))"), 1);
    assert_int_equal(cost("land.brook.surface.at(3)"), 1);
    assert_int_equal(cost("land.ground.border().contains((0, 0, 0))"), 1);
    assert_true(cost("cottage.at") == 1 && cost("amphora.at") == 1);
    assert_true(cost("island.vegetation.layout.length()") >
                1); /* and the room of all that stands on the land */
    assert_int_equal(cost("island.vegetation.crowns.length()"), 1);
    assert_int_equal(cost("island.groundcover.standing.length()"), 1); /* what the ground's cover keeps clear of */
    set("padHeight", "4.6 m");
    cost_of_rest();
}

/* -- hidden -- */

static uint32_t drawn(const WorldScene **scene) {
    uint32_t count = 0;
    must(&shared, world_scene(shared.world, scene));
    for (size_t i = 0; i < (*scene)->instance_count; i++)
        count += (*scene)->instances[i].count;
    return count;
}

static void test_hidden(void **state) {
    (void)state;
    const WorldScene *scene;
    uint32_t all = drawn(&scene);
    Things things = placed();
    set("island.vegetation.hidden", "true");
    uint32_t bare = drawn(&scene);
    assert_true(bare > 0 && all - bare >= things.count && scene->land.columns == 1025);
    assert_true(stand_as(&things)); /* it is placed all the same */
    things_free(&things);
    set("island.hidden", "true");
    assert_int_equal(bare - drawn(&scene), 12 * 8); /* the lanterns too: eight meshes each */
    set("island.hidden", "false");
    set("island.vegetation.hidden", "false");
    assert_int_equal(drawn(&scene), all);
    set("cottage.hidden", "true");
    assert_true(drawn(&scene) < all - 15);
    set("cottage.hidden", "false");
    set("land.hidden", "true");
    assert_true(drawn(&scene) < all && scene->land.columns == 0 &&
                !scene->has_sea); /* its ground, sea and brook */
    set("land.hidden", "false");
    assert_int_equal(drawn(&scene), all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_twice), cmocka_unit_test(test_amphora),
        cmocka_unit_test(test_cottage),       cmocka_unit_test(test_lantern),
        cmocka_unit_test(test_pad),           cmocka_unit_test(test_hidden),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
