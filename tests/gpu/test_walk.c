/* Walking as the window does it, without one: on a land that is placed, turned and scaled, at every
 * edge that holds a walker.
 */
#include "gpu/walk.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A cone of the land's frame: 4 m high in the middle, the shore at 8 m, 0.6 m deep at 9.2 m. */
static double cone(void *user, double x, double z) {
    (void)user;
    return 4 - sqrt(x * x + z * z) / 2;
}

static const Vec down = {0, -1, 0};
static const ViewLoop loop = {.ground = cone};

/* 20 m square, twice as large in the world, turned by a quarter: the land's east is north. */
static WorldScene scene_with(WorldEdge edge) {
    static const float heights[4];
    return (WorldScene){.land = {sizeof(WorldGridView), 2, 2, 20, -10, -10, -30, heights},
                        .land_transform = {0, 0, 2, 100, 0, 2, 0, 50, -2, 0, 0, -7},
                        .land_edge = edge};
}

static void prepare(Walk *walk, WorldEdge edge) {
    WorldScene scene = scene_with(edge);
    walk_fini(walk);
    walk_init(walk);
    walk_set_scene(walk, &scene);
    walk_set_loop(walk, &loop);
}

static void assert_at(Vec got, double x, double y, double z) {
    if (!(fabs(got.x - x) < 1e-9 && fabs(got.y - y) < 1e-9 && fabs(got.z - z) < 1e-9))
        fail_msg("(%.12g, %.12g, %.12g), not (%.12g, %.12g, %.12g)", got.x, got.y, got.z, x, y, z);
}

static void test_frame(void **state) {
    (void)state;
    Walk walk = {0};
    double height;
    prepare(&walk, (WorldEdge){.kind = WORLD_EDGE_OPEN});
    assert_true(walk_begin(&walk, (Vec){100, 999, -7}, down));
    assert_at(walk_feet(&walk), 100, 58, -7);
    assert_int_equal(walk_go(&walk, (Vec){0, 5, -4}), WALKER_MOVED); /* north is the land's east */
    assert_at(walk_feet(&walk), 100, 50 + 2 * (4 - 1), -11);
    assert_true(fabs(walk.walker.at.x - 2) < 1e-9 && fabs(walk.walker.at.z) < 1e-9);
    assert_int_equal(walk_go(&walk, (Vec){0, 0, 0}), WALKER_STAYED);
    assert_true(walk_find_ground(&walk, (Vec){104, 0, -7}, &height) && fabs(height - 56) < 1e-9);
    assert_false(walk_find_ground(&walk, (Vec){100, 0, 14}, &height)); /* past the border */
}

static void test_sea(void **state) {
    (void)state;
    Walk walk = {0};
    prepare(&walk, (WorldEdge){.kind = WORLD_EDGE_SEA, .wade = 0.6});
    walk_begin(&walk, (Vec){100, 0, -7}, down);
    walk_go(&walk, (Vec){40, 0, 0});
    double out = walk_feet(&walk).x - 100; /* 9.2 m of the land are 18.4 m of the world */
    assert_true(out <= 18.4 && out > 18.1 && walk.walker.at.y >= -0.6);
    assert_int_equal(walk_go(&walk, (Vec){0.2, 0, 0.2}), WALKER_SLID);
    assert_true(walk_feet(&walk).z > -7 && walk.walker.at.y >= -0.6);
}

static void test_wall_and_fall(void **state) {
    (void)state;
    Walk walk = {0};
    double height;
    prepare(&walk, (WorldEdge){.kind = WORLD_EDGE_WALL});
    walk_begin(&walk, (Vec){100, 0, -7}, down);
    walk_go(&walk, (Vec){90, 0, 0});
    assert_true(fabs(walk_feet(&walk).x - 120) < 1e-9);
    prepare(&walk, (WorldEdge){.kind = WORLD_EDGE_FALL, .fall_to = {1, -40, 0}});
    assert_false(walk_find_ground(&walk, (Vec){100, 0, -7}, &height)); /* one may fly under it */
    walk_begin(&walk, (Vec){100, 0, -7}, down);
    assert_int_equal(walk_go(&walk, (Vec){90, 0, 0}), WALKER_FELL);
    assert_at(walk_feet(&walk), 100, 50 - 80, -9);
}

/* From far out over the sea toward the middle; from low above the shore, straight under. */
static void test_where_it_looks(void **state) {
    (void)state;
    Walk walk = {0};
    prepare(&walk, (WorldEdge){.kind = WORLD_EDGE_SEA, .wade = 0.6});
    assert_true(walk_begin(&walk, (Vec){300, 158, -7}, (Vec){-2, -1, 0}));
    assert_true(fabs(walk_feet(&walk).x - 100) < 3 && walk_feet(&walk).y > 54);
    assert_true(walk_begin(&walk, (Vec){110, 60, -7}, (Vec){-1, 0, 0}));
    assert_at(walk_feet(&walk), 110, 53, -7);
    assert_false(walk_begin(&walk, (Vec){300, 158, -7}, (Vec){1, -1, 0}));
    assert_false(walk_begin(&walk, (Vec){119, 60, 12}, (Vec){1, 1, 0})); /* deep water */
}

static void test_no_land(void **state) {
    (void)state;
    Walk walk = {0};
    WorldScene nothing = {0};
    walk_set_scene(&walk, &nothing);
    walk_set_loop(&walk, &loop);
    assert_false(walk_begin(&walk, (Vec){0, 0, 0}, down));
    assert_int_equal(walk_go(&walk, (Vec){1, 0, 0}), WALKER_STAYED);
    prepare(&walk, (WorldEdge){.kind = WORLD_EDGE_OPEN});
    walk_set_loop(&walk, NULL);
    assert_false(walk_begin(&walk, (Vec){0, 0, 0}, down));
}

/* A block 20 m long, 0.6 m high and wide, whose middle lies 3 m east of the middle, and two stools on which one may stand: 0.3 m and 0.5 m high. */
static const double block[24] = {-0.3, 0, -10, 0.3, 0, -10, -0.3, 0.6, -10, 0.3, 0.6, -10, -0.3, 0, 10, 0.3, 0, 10, -0.3, 0.6, 10, 0.3, 0.6, 10};
static const double stool[24] = {-1, 0, -1, 1, 0, -1, -1, 0.1, -1, 1, 0.1, -1, -1, 0, 1, 1, 0, 1, -1, 0.1, 1, 1, 0.1, 1};
static const uint32_t sides[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static const WorldSolids *blocks(void *user) {
    (void)user;
    static const float block_stands[12] = {1, 0, 0, 103, 0, 1, 0, 57, 0, 0, 1, -7}, stools_stand[24] = {3, 0, 0, 100, 0, 3, 0, 56.1f, 0, 0, 3, -13, 5, 0, 0, 100, 0, 5, 0, 56.1f, 0, 0, 5, -27};
    static const WorldSolid solids[] = {{.kind = WORLD_SOLID_BOX, .points = block, .triangles = sides, .point_count = 8, .triangle_count = 12},
                                        {.kind = WORLD_SOLID_BOX, .points = stool, .triangles = sides, .point_count = 8, .triangle_count = 12}};
    static const WorldSolidGroup groups[] = {{0, 1, 1, block_stands, NULL}, {1, 1, 2, stools_stand, NULL}};
    static const WorldSolids all = {solids, 2, groups, 2, NULL};
    return &all;
}

/* In the world's meters, whatever the land's are: a walker is 0.25 m thick and steps up 0.4 m. */
static void test_solids(void **state) {
    (void)state;
    static const ViewLoop among = {.ground = cone, .solids = blocks};
    Walk walk = {0};
    prepare(&walk, (WorldEdge){.kind = WORLD_EDGE_OPEN});
    walk_set_loop(&walk, &among);
    assert_true(walk_begin(&walk, (Vec){100, 59, -7}, down));
    assert_at(walk_feet(&walk), 100, 58, -7);
    assert_int_equal(walk_go(&walk, (Vec){9, 0, 0}), WALKER_STAYED); /* its last step */
    assert_at(walk_feet(&walk), 102.45, 50 + 2 * (4 - 2.45 / 4), -7);
    assert_int_equal(walk_go(&walk, (Vec){1, 0, -1}), WALKER_SLID);
    assert_at(walk_feet(&walk), 102.45, walk_feet(&walk).y, -8);
    assert_true(walk_begin(&walk, (Vec){100, 59, -13}, down));
    assert_at(walk_feet(&walk), 100, (double)56.1f + 3 * 0.1, -13);
    walk_fini(&walk);
    assert_int_equal(walk.memory.used, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frame), cmocka_unit_test(test_sea),
                                       cmocka_unit_test(test_wall_and_fall),
                                       cmocka_unit_test(test_where_it_looks),
                                       cmocka_unit_test(test_no_land), cmocka_unit_test(test_solids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
