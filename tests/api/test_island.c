/* What is known of the island: its land, its lanterns and its brook, and one hash whatever works it out. */
#include "runtime/walker/walker.h"
#include "tests/api/island.h"

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

/* -- who walks there -- */

static double height_under(void *user, double x, double z) {
    return at(*(const WorldFunction *)user, x, z);
}

static Vec3 level(void *user, double x, double z) {
    (void)user;
    (void)x;
    (void)z;
    return (Vec3){0, 0, 0};
}

/* All that stands within 12 m of a place. */
static WalkerLand obstacles_near(Arena *arena, WorldFunction *height, double x, double z) {
    const WorldSolids *all;
    VEC(Obstacle) near = {0};
    must(&shared, world_solids(shared.world, &all));
    for (size_t i = 0; i < all->group_count; i++)
        for (uint32_t k = 0; k < all->groups[i].copies; k++) {
            double rows[12];
            for (int r = 0; r < 12; r++)
                rows[r] = (double)all->groups[i].transforms[12 * k + (uint32_t)r];
            for (uint32_t s = 0; s < all->groups[i].count && hypot(rows[3] - x, rows[11] - z) < 12; s++)
                VEC_PUSH(arena, &near, obstacle_make(arena, &all->solids[all->groups[i].first + s], rows));
        }
    return (WalkerLand){.height = height_under, .gradient = level, .user = height, .obstacles = near.items, .obstacle_count = (size_t)near.count,
                        .radius = 0.25, .tall = 1.8, .step = 0.4};
}

/* Over the brook on the bridge: along its arch from the first plank to the last, and off it; from below it is not stepped on. */
static void test_walker(void **state) {
    (void)state;
    WorldFunction height = function("land.height", "fn(point) meters");
    double from[3], to[3], middle[3];
    ask("bridge.plank[0].at", from);
    ask("bridge.plank[35].at", to);
    ask("bridge.plank[18].at", middle);
    double dx = (to[0] - from[0]) / 100, dz = (to[2] - from[2]) / 100, highest = -9, steepest = 0, driest = 9;
    Memory memory;
    Arena arena;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    WalkerLand land = obstacles_near(&arena, &height, middle[0], middle[2]);
    assert_true(land.obstacle_count >= 36);
    Walker walker = walker_create_from(&land, from[0], from[1] + 1, from[2]);
    assert_true(fabs(walker.at.y - (from[1] + 0.06)) < 1e-5); /* a plank is 6 cm thick */
    for (int i = 0; i < 100; i++) {
        double before = walker.at.y;
        assert_int_equal(walker_step(&walker, dx, dz), WALKER_MOVED);
        highest = fmax(highest, walker.at.y);
        steepest = fmax(steepest, fabs(walker.at.y - before));
        driest = fmin(driest, walker.at.y - at(height, walker.at.x, walker.at.z));
    }
    assert_true(hypot(walker.at.x - to[0], walker.at.z - to[2]) < 1e-9);
    assert_true(fabs(highest - (middle[1] + 0.06)) < 0.01 && steepest < 0.05 && driest > 1);
    for (int i = 0; i < 20; i++)
        walker_step(&walker, dx, dz);
    assert_true(walker.at.y == at(height, walker.at.x, walker.at.z)); /* down on the bank */
    for (int i = 0; i < 20; i++)
        walker_step(&walker, -dx, -dz);
    assert_true(walker.at.y < to[1] && hypot(walker.at.x - to[0], walker.at.z - to[2]) > 0.1);
    arena_fini(&arena);
}

/* -- one world -- */

static uint64_t hash_with(const WorldEngineDesc *desc) {
    Host island = open_island(*desc);
    uint64_t hash = 0;
    assert_int_equal(world_hash(island.world, &hash), WORLD_OK);
    world_engine_destroy(island.engine);
    return hash;
}

/* It changes when examples/island.world does, or when what the language or the library means changes: then CHANGELOG.md says
 * why. It never changes with a compiler, a processor, a level, a number of threads. */
static const uint64_t known_hash = 0x984c0d52a09bfe48;

static void test_one_hash(void **state) {
    (void)state;
    uint64_t hash = hash_with(&(WorldEngineDesc){0});
    assert_true(hash == known_hash);
    assert_true(hash == hash_with(&(WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER}));
    assert_true(hash == hash_with(&(WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER, .optimize = 2, .threads = 1}));
    assert_true(hash == hash_with(&(WorldEngineDesc){.optimize = 1, .threads = 2}));
    assert_true(hash == hash_with(&(WorldEngineDesc){.optimize = 4, .threads = 1}));
    WorldEngineDesc older = {.optimize = 3, .width = 4};
#ifdef __x86_64__
    older.processor = "x86-64-v2"; /* which has no fused multiply-add */
#endif
    assert_true(hash == hash_with(&older));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pad_is_flat),
        cmocka_unit_test(test_walkway),
        cmocka_unit_test(test_path_distance_stops),
        cmocka_unit_test(test_lanterns),
        cmocka_unit_test(test_brook),
        cmocka_unit_test(test_walker),
        cmocka_unit_test(test_one_hash),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
