/* The land's packages as a world uses them: what is written in the language against its native
 * twin, to the bit, under both executors; features, laid spines, edges; a land that is a formula.
 */
#include <math.h>

#include "tests/support/grid_twin.h"
#include "tests/support/host.h"

static Host open_land(WorldExec exec) {
    Host host = {0};
    must(&host, world_engine_create(&(WorldEngineDesc){.exec = exec, .threads = 2}, &host.engine));
    must(&host, world_open_file(host.engine, getenv("LAND_WORLD"), &(WorldDesc){0}, &host.world));
    return host;
}

static double number(const Host *host, const char *expression) {
    WorldValue *value;
    double out[3] = {0};
    must(host, world_ask(host->world, expression, &value));
    assert_int_equal(world_value_numbers(value, out), 1);
    world_value_destroy(value);
    return out[0];
}

static Vec3 place(const Host *host, const char *expression) {
    WorldValue *value;
    double out[3] = {0};
    must(host, world_ask(host->world, expression, &value));
    assert_int_equal(world_value_numbers(value, out), 3);
    world_value_destroy(value);
    return (Vec3){out[0], out[1], out[2]};
}

/* Inside, on samples, on the border and past it. */
static void choose_places(const RtGrid *grid, int n, double *xyz) {
    uint64_t random = 1;
    for (int i = 0; i < 3 * n; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        double unit = (double)(random >> 11) * 0x1p-52 - 1, half = -grid->x0;
        int sample = (int)(random >> 33) % grid->columns;
        xyz[i] = i % 5 == 0   ? grid->x0 + sample * grid->cell
                 : i % 7 == 0 ? copysign(half, unit)
                              : unit * half * 1.05;
    }
}

enum { PLACES = 20000 };

static void compare(const Host *host, const char *name, int results, const double *xyz,
                    const double *want) {
    static double got[3 * PLACES];
    WorldFunction function;
    must(host, world_function(host->world, name, NULL, &function));
    must(host, world_call_batch(host->world, function, PLACES, xyz, got));
    for (int i = 0; i < results * PLACES; i++)
        if (memcmp(&got[i], &want[i], sizeof got[i]) != 0)
            fail_msg("%s: %.17g, natively %.17g", name, got[i], want[i]);
}

static void twins_of(const Host *host, const char *name) {
    static double xyz[3 * PLACES], height[PLACES], gradient[3 * PLACES], normal[3 * PLACES],
        curvature[PLACES];
    WorldGridView view = {.size = sizeof view};
    must(host, world_grid(host->world, name, &view));
    RtGrid grid = {.columns = view.columns,
                   .rows = view.rows,
                   .cell = view.cell,
                   .x0 = view.x0,
                   .z0 = view.z0,
                   .outside = view.outside,
                   .heights = (float *)(uintptr_t)view.heights,
                   .finer = view.finer,
                   .tail = (int64_t)view.tail};
    assert_true(grid.outside == -7 && grid.columns == 50);
    choose_places(&grid, PLACES, xyz);
    for (int i = 0; i < PLACES; i++) {
        double x = xyz[3 * i], z = xyz[3 * i + 2];
        height[i] = grid_height_at(&grid, x, z);
        curvature[i] = twin_curvature(&grid, x, z, 1.25);
        Vec3 g = twin_gradient(&grid, x, z, 1), n = twin_normal(&grid, x, z, 4);
        memcpy(gradient + 3 * i, &g, sizeof g);
        memcpy(normal + 3 * i, &n, sizeof n);
    }
    bool finer = view.finer > 0;
    compare(host, finer ? "fineHeightAt" : "heightAt", 1, xyz, height);
    compare(host, finer ? "fineGradientAt" : "gradientAt", 3, xyz, gradient);
    compare(host, finer ? "fineNormalAt" : "normalAt", 3, xyz, normal);
    compare(host, finer ? "fineCurvatureAt" : "curvatureAt", 1, xyz, curvature);
}

static void test_twins(void **state) {
    (void)state;
    for (int exec = WORLD_EXEC_DEFAULT; exec <= WORLD_EXEC_INTERPRETER; exec++) {
        Host host = open_land((WorldExec)exec);
        twins_of(&host, "thirds");
        twins_of(&host, "fineThirds");
        world_engine_destroy(host.engine);
    }
}

/* A land's height that is its grid's is looked up in rows, and is what the function answers. */
static void test_rows(void **state) {
    (void)state;
    static const char *const cells[] = {"4 m", "3 m", "0.5 m"};
    static double xz[2 * PLACES], xyz[3 * PLACES], rows[PLACES], asked[PLACES];
    for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) {
        char text[512];
        snprintf(text, sizeof text,
                 "part land\n"
                 "  field ground: heightGrid = heightGrid(cell: %s, points: 50, height: p => 3 m * sin(p.x / 7 m * 1 rad) + p.z / 9)\n"
                 "  fn height(here: point) meters { ground.heightAt(here) }\n"
                 "  fn raised(here: point) meters { ground.heightAt(here) + 0 m }\n",
                 cells[c]);
        Host host = open_host((WorldEngineDesc){.threads = 1 + (int)c}, text);
        WorldGridView view = {.size = sizeof view};
        must(&host, world_grid(host.world, "land.ground", &view));
        choose_places(&(RtGrid){.columns = view.columns, .cell = view.cell, .x0 = view.x0}, PLACES, xyz);
        xyz[3] = NAN, xyz[8] = INFINITY, xyz[9] = -0.0;
        for (int i = 0; i < PLACES; i++)
            xz[2 * i] = xyz[3 * i], xz[2 * i + 1] = xyz[3 * i + 2];
        WorldFunction height, raised;
        must(&host, world_function(host.world, "land.height", "fn(point) meters", &height));
        must(&host, world_function(host.world, "land.raised", "fn(point) meters", &raised));
        must(&host, world_heights(host.world, height, PLACES, xz, rows));
        must(&host, world_call_batch(host.world, height, PLACES, xyz, asked));
        for (int i = 0; i < PLACES; i++)
            if (memcmp(&rows[i], &asked[i], sizeof *rows) != 0) fail_msg("place %d: %.17g, asked %.17g", i, rows[i], asked[i]);
        must(&host, world_heights(host.world, raised, PLACES, xz, asked));
        for (int i = 0; i < PLACES; i++)
            assert_true(rows[i] == asked[i]);
        must(&host, world_set(host.world, "land.ground", "heightGrid(cell: 3 m, points: 9, height: p => 7 m)"));
        must(&host, world_heights(host.world, height, 1, (double[]){1, 2}, rows));
        assert_true(rows[0] == 7);
        world_engine_destroy(host.engine);
    }
}

static void test_features(void **state) {
    (void)state;
    Host host = open_land(WORLD_EXEC_DEFAULT);
    assert_true(fabs(number(&host, "land.pressed.heightAt((20, 0, 20))") - 2) <
                1e-6); /* the end it was given */
    assert_true(number(&host, "land.ground.heightAt((5, 0, -12))") <
                number(&host, "land.pressed.heightAt((5, 0, -12))") - 0.5);
    assert_true(number(&host, "land.ground.heightAt((-30, 0, 30))") ==
                number(&host, "land.plain.heightAt((-30, 0, 30))"));
    assert_true(number(&host, "(land.brook.table - land.brook.depth).at(1.5)") == 2 - 0.3);
    assert_true(number(&host, "land.brook.level(land.pressed).at(3)") <= 0);
    world_engine_destroy(host.engine);
}

/* Whoever holds a grid sees no feature that is made of it, also where features change grids in place; under both executors and over many lanes. */
static void test_features_in_place(void **state) {
    (void)state;
    for (int exec = WORLD_EXEC_DEFAULT; exec <= WORLD_EXEC_INTERPRETER; exec++) {
        Host host = open_land((WorldExec)exec);
        double alone = number(&host, "alone((0, 0, 3))"), depths[300], deep[300];
        Vec3 held = place(&host, "heldToo((0, 0, 3))");
        assert_true(held.x == 2 && held.y < 1.96 && held.z < held.y && held.z == alone);
        assert_true(number(&host, "inTurns((0, 0, 3))") < held.y - 0.2 && number(&host, "inTurns((0, 0, 3))") > held.y - 0.3);
        WorldFunction deeper;
        must(&host, world_function(host.world, "deeper", "fn(meters) meters", &deeper));
        for (int i = 0; i < 300; i++)
            depths[i] = 0.01 * i;
        must(&host, world_call_batch(host.world, deeper, 300, depths, deep));
        for (int i = 0; i < 300; i++)
            assert_true(fabs(deep[i] - (deep[0] - depths[i])) < 1e-6);
        world_engine_destroy(host.engine);
    }
}

/* A spine that a land holds lies on it; its points stay on the plan. */
static void test_laid(void **state) {
    (void)state;
    Host host = open_land(WORLD_EXEC_DEFAULT);
    Vec3 spot = place(&host, "land.walkway.spotAt(7 m, across: -0.5 m)");
    Vec3 plan = place(&host, "land.walkway.planAt(7 m, across: -0.5 m)");
    assert_true(spot.x == plan.x && spot.z == plan.z && plan.y == 0);
    assert_true(spot.y == number(&host, "land.height(land.walkway.planAt(7 m, across: -0.5 m))"));
    assert_true(number(&host, "land.walkway.points()[3].y") == 0);
    assert_true(number(&host, "land.walkway.nearest(land.walkway.spotAt(7 m), within: 1 m).along") -
                    7 <
                1e-9);
    assert_true(number(&host, "land.walkway.nearest((500, 0, 0), within: 16 m).distance") == 16);
    world_engine_destroy(host.engine);
}

static void test_edges(void **state) {
    (void)state;
    Host host = open_land(WORLD_EXEC_DEFAULT);
    Vec3 at = place(&host, "walkOn(dome, dome.edge, from: (0, 0, 0), by: (1 m, 0 m, 0.5 m), times: "
                           "40, border: land.ground.border())[39]");
    assert_true(at.x == 32 && at.z == 20 && at.y == 10 - (32.0 * 32 + 20 * 20) / 40);
    at = place(
        &host,
        "walk(dome, wrap(), from: (31, 0, 0), by: (3 m, 0 m, 0 m), border: land.ground.border())");
    assert_true(at.x == -30 && at.z == 0);
    at = place(&host, "walk(dome, fall(to: (1, 2, 3)), from: (31, 0, 0), by: (3 m, 0 m, 0 m), "
                      "border: land.ground.border())");
    assert_true(at.x == 1 && at.y == 2 && at.z == 3);
    at = place(
        &host,
        "walkOn(dome, sea(wade: 0.6 m), from: (0, 0, 0), by: (0.1 m, 0 m, 0 m), times: 400)[399]");
    assert_true(at.y >= -0.6 && at.y < -0.4);
    WorldValue *value;
    assert_int_equal(
        world_ask(host.world, "walk(dome, wall(), from: (0, 0, 0), by: (1 m, 0 m, 0 m))", &value),
        WORLD_ERROR_WORLD);
    world_engine_destroy(host.engine);
}

static void test_outline(void **state) {
    (void)state;
    Host host = open_land(WORLD_EXEC_DEFAULT);
    assert_true(number(&host, "meadow.area() / 1 m / 1 m") == 100);
    assert_true(number(&host, "meadow.signedDistance((5, 0, 4))") == -4);
    assert_true(number(&host, "if meadow.contains((10, 0, 10)) { 1 } else { 0 }") == 1);
    assert_true(
        number(
            &host,
            "if outline.box(from: (0, 0), to: (3, 4)).contains((3.001, 0, 1)) { 1 } else { 0 }") ==
        0);
    world_engine_destroy(host.engine);
}

/* A land that is a function, as a host and a view ask it: no grid, and the same heights; also after a reload of the handle's world. */
static void test_function(void **state) {
    (void)state;
    Host host = {0};
    must(&host, world_engine_create(&(WorldEngineDesc){.threads = 2}, &host.engine));
    host.world = open_text(&host, "fn relief(here: point) meters { 30 m * fbm(here.x / 90 m, here.z / 90 m, seed: 3, octaves: 5) }\n"
                                  "part land: terrainlod.ground(source: relief, cell: 2 m), at: (0, 5 m, 0)\n");
    const WorldScene *scene;
    WorldFunction height, cast;
    enum { MANY = 6000 }; /* more than a batch of the source */
    static double places[2 * MANY];
    static float got[MANY];
    must(&host, world_scene(host.world, &scene));
    must(&host, world_function(host.world, "land.height", "fn(point) meters", &height));
    must(&host, world_function(host.world, "land.raycast", NULL, &cast));
    assert_int_equal(scene->land.columns, 0);
    assert_true(scene->land_source.heights && scene->land_source.cell == 2 && scene->land_transform[7] == 5);
    for (int i = 0; i < MANY; i++)
        places[2 * i] = 2 * (i % 97) - 40, places[2 * i + 1] = 100000 - 2 * (i / 97);
    assert_true(scene->land_source.heights(scene->land_source.user, MANY, places, got));
    for (int i = 0; i < MANY; i++) {
        const double p[3] = {places[2 * i], 0, places[2 * i + 1]};
        double y;
        must(&host, world_call(host.world, height, p, &y));
        assert_true(got[i] == (float)y);
    }
    assert_string_equal(world_function_letters(host.world, cast), "BFFF");
    const double ray[7] = {3, 200, 4, 0.5, -1, 0.25, 1000};
    WorldSlot met[4];
    must(&host, world_call(host.world, cast, ray, met));
    const double there[3] = {met[1].number, 0, met[3].number};
    double ground;
    must(&host, world_call(host.world, height, there, &ground));
    assert_true(met[0].bits == 1 && fabs(ground - met[2].number) < 1e-6);
    const WorldSource source = scene->land_source; /* good as long as the world is open, which its scene is not */
    must(&host, world_set(host.world, "land.scale", "1"));
    assert_true(source.heights(source.user, 1, places, got));
    must(&host, world_scene(host.world, &scene));
    assert_true(scene->land_source.heights(scene->land_source.user, 1, places, got));
    world_engine_destroy(host.engine);
}

/* A world whose land cannot be worked out says so to a view, which draws level ground. */
static void test_function_that_fails(void **state) {
    (void)state;
    Host host = {0};
    const double place[2] = {7, 8};
    float got;
    must(&host, world_engine_create(&(WorldEngineDesc){0}, &host.engine));
    host.world = open_text(&host, "part land: terrainlod.ground(source: here => 1 m * log(-1 - abs(here.x / 1 m)))\n");
    const WorldScene *scene;
    must(&host, world_scene(host.world, &scene));
    bool good = scene->land_source.heights(scene->land_source.user, 1, place, &got);
    assert_true(!good || isnan(got));
    world_engine_destroy(host.engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twins), cmocka_unit_test(test_rows), cmocka_unit_test(test_features), cmocka_unit_test(test_features_in_place), cmocka_unit_test(test_laid),
        cmocka_unit_test(test_edges), cmocka_unit_test(test_outline),
        cmocka_unit_test(test_function), cmocka_unit_test(test_function_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
