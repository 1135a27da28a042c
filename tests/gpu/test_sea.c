/* The drawn sea: its surface is what the world answers, it is there in every column of a picture, its horizon is level, and ponds lie
 * still.
 */
#include "gpu/view_parts.h"
#include "tests/gpu/island.h"
#include "tests/gpu/skip.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { WIDTH = 160, HEIGHT = 90, POINTS = 65 };

static uint8_t picture[WIDTH * HEIGHT * 4];

static const char storm[] = "world version 1\nuse terrain\nuse oceanwaves\n"
                            "field waves: OceanSpec = forSea(beaufort(7, direction: (0.6, 0, 0.8)), seed: 5)\n"
                            "field now: OceanSurface = waves.at(3.5 s)\n"
                            "part surf: oceanwaves.ocean(spec: waves)\n"
                            "fn surface(here: point) meters { now.heightAt(here) }\n"
                            "part land, edge: sea(wade: 1 m)\n"
                            "  field ground: heightGrid = heightGrid(cell: 64 m, points: 9, height: p => -4 km)\n"
                            "  fn height(here: point) meters { ground.heightAt(here) }\n"
                            "  fn gradient(here: point) direction { ground.gradientAt(here) }\n"
                            "  fn slope(here: point) number { length(gradient(here)) }\n"
                            "  fn normal(here: point) direction { ground.normalAt(here) }\n"
                            "  fn curvature(here: point, over: meters) number { ground.curvatureAt(here, over) }\n";

typedef struct Stormy {
    WorldEngine *engine;
    World *world;
    const WorldScene *scene;
    View *view;
} Stormy;

static Stormy open_storm(void) {
    Stormy s = {0};
    char error[512] = "";
    s.view = open_or_skip(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .validate = true, .time = 3.5});
    assert_int_equal(world_engine_create(&(WorldEngineDesc){0}, &s.engine), WORLD_OK);
    assert_int_equal(world_open_text(s.engine, storm, strlen(storm), &(WorldDesc){0}, &s.world), WORLD_OK);
    assert_int_equal(world_scene(s.world, &s.scene), WORLD_OK);
    assert_true(s.scene->has_sea && s.scene->ocean.points == 128 && fabs(s.scene->ocean.toward[1] - 0.8) < 1e-12);
    assert_true(view_set_scene(s.view, s.scene, error, sizeof error));
    return s;
}

static void close_storm(Stormy *s) {
    assert_int_equal(view_messages(s->view), 0);
    view_destroy(s->view);
    world_close(s->world);
    world_engine_destroy(s->engine);
}

/* What the mesh's straight lines leave out, at most 3 cm of waves 4 m high; measured: 1.7 cm. */
static void test_surface(void **state) {
    (void)state;
    static float drawn[WIDTH * HEIGHT];
    static double places[WIDTH * HEIGHT * 2], answers[WIDTH * HEIGHT];
    Stormy s = open_storm();
    char error[512] = "";
    HeightPicture heights;
    WorldFunction surface;
    const double middles[2][2] = {{0, 0}, {-5210, 830}};
    assert_int_equal(world_function(s.world, "surface", "fn(point) meters", &surface), WORLD_OK);
    for (int k = 0; k < 2; k++) {
        double x = middles[k][0], z = middles[k][1], extent = 27;
        ViewCamera camera = {.from = {x, 100, z}, .to = {x, 0, z}, .orthographic = true, .extent = extent};
        view_draw(s.view, &camera);
        assert_true(height_picture_init(&heights, WIDTH, HEIGHT, error, sizeof error));
        height_picture_begin(&heights, &s.view->state);
        sea_draw(&s.view->sea, &s.view->state, s.view->programs.names[PROGRAM_SEA_HEIGHT], false);
        height_picture_read(&heights, drawn);
        state_rest(&s.view->state);
        height_picture_fini(&heights);
        for (int p = 0; p < WIDTH * HEIGHT; p++) { /* rows from the bottom, which is south */
            places[2 * p] = x + ((p % WIDTH + 0.5) - WIDTH / 2.0) * extent / HEIGHT;
            places[2 * p + 1] = z - ((p / WIDTH + 0.5) - HEIGHT / 2.0) * extent / HEIGHT;
        }
        assert_int_equal(world_heights(s.world, surface, WIDTH * HEIGHT, places, answers), WORLD_OK);
        double worst = 0, highest = -INFINITY, lowest = INFINITY;
        for (int p = 0; p < WIDTH * HEIGHT; p++) {
            worst = fmax(worst, fabs((double)drawn[p] - answers[p]));
            highest = fmax(highest, answers[p]);
            lowest = fmin(lowest, answers[p]);
        }
        assert_true(highest - lowest > 0.5); /* there are waves */
        if (!(worst < 0.03)) fail_msg("at (%g, %g): %g m", x, z, worst);
    }
    close_storm(&s);
}

static const uint8_t *pixel(int x, int y) {
    return picture + (y * WIDTH + x) * 4;
}

static int step_at(int x, int y) {
    int sum = 0;
    for (int k = 0; k < 3; k++)
        sum += abs(pixel(x, y)[k] - pixel(x, y - 1)[k]);
    return sum;
}

/* Below the horizon each column is water, down to the picture's borders; the line between is a row. */
static void test_horizon(void **state) {
    (void)state;
    Stormy s = open_storm();
    const double eyes[3][6] = {{0, 14, 0, 30, 13, -100}, {5000, 200, 300, 0, 195, 0}, {0, 30, 0, 1, 20, 14}};
    for (int k = 0; k < 3; k++) {
        ViewCamera camera = {.from = {eyes[k][0], eyes[k][1], eyes[k][2]}, .to = {eyes[k][3], eyes[k][4], eyes[k][5]}};
        view_draw(s.view, &camera);
        view_read_color(s.view, picture);
        int first = HEIGHT, last = 0;
        for (int x = 0; x < WIDTH; x++) {
            int line = HEIGHT / 2, dark = 0;
            for (int y = 1; y < HEIGHT; y++) {
                if (abs(y - HEIGHT / 2) < 8 && step_at(x, y) > step_at(x, line)) line = y;
                dark += pixel(x, y)[0] + pixel(x, y)[1] + pixel(x, y)[2] < 12;
            }
            assert_int_equal(dark, 0);
            const uint8_t *low = pixel(x, HEIGHT - 1);
            assert_true(low[2] > low[0] || low[0] > 150); /* blue, or foam */
            if (k == 1) { /* it looks along the sea */
                first = line < first ? line : first;
                last = line > last ? line : last;
            }
        }
        if (k == 1 && last - first > 1) fail_msg("from %d to %d", first, last);
    }
    close_storm(&s);
}

/* Waves move with time, and come back with it. */
static void test_time(void **state) {
    (void)state;
    static uint8_t before[sizeof picture];
    Stormy s = open_storm();
    ViewCamera camera = {.from = {0, 10, 0}, .to = {10, 5, -40}};
    view_draw(s.view, &camera);
    view_read_color(s.view, before);
    s.view->time = 4.5;
    view_draw(s.view, &camera);
    view_read_color(s.view, picture);
    int moved = 0;
    for (size_t k = 0; k < sizeof picture; k++)
        moved += abs(picture[k] - before[k]) > 8;
    assert_true(moved > 2000);
    s.view->time = 3.5;
    view_draw(s.view, &camera);
    view_read_color(s.view, picture);
    assert_memory_equal(picture, before, sizeof picture);
    close_storm(&s);
}

/* Under water everything far off is the water's own color, and no sky is in it. */
static void test_under(void **state) {
    (void)state;
    Stormy s = open_storm();
    ViewCamera camera = {.from = {0, -12, 0}, .to = {10, -13, -40}};
    view_draw(s.view, &camera);
    view_read_color(s.view, picture);
    for (int x = 0; x < WIDTH; x++)
        for (int y = HEIGHT / 2; y < HEIGHT; y++)
            if (!(pixel(x, y)[2] > pixel(x, y)[0] + 20 && pixel(x, y)[2] < 180))
                fail_msg("(%d, %d): %d %d %d", x, y, pixel(x, y)[0], pixel(x, y)[1], pixel(x, y)[2]);
    close_storm(&s);
}

/* A pond is water that no way leads from to the border. */
static void test_ponds(void **state) {
    (void)state;
    static float heights[POINTS * POINTS];
    static uint8_t open[POINTS * POINTS];
    for (int k = 0; k < POINTS * POINTS; k++) {
        double x = k % POINTS - 32, z = k / POINTS - 32, away = hypot(x, z);
        heights[k] = away < 5 ? -1 : away < 25 ? 3 : -4;
    }
    WorldScene scene = island_bare(POINTS, POINTS, 2, heights);
    assert_true(sea_shore(&scene.land, 1, open));
    assert_int_equal(open[32 * POINTS + 32], 0);
    assert_int_equal(open[32 * POINTS + 32 - 15], 0);
    assert_int_equal(open[32 * POINTS + 2], 255);
    assert_int_equal(open[0], 255);
    for (int k = 0; k < 26; k++) /* a ditch from the pond to the sea */
        heights[32 * POINTS + 32 + k] = -1;
    assert_true(sea_shore(&scene.land, 1, open));
    assert_int_equal(open[32 * POINTS + 32], 255);
    assert_true(sea_shore(&scene.land, 4, open));
    assert_int_equal(open[8 * 17 + 8], 255);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ponds), cmocka_unit_test(test_surface), cmocka_unit_test(test_horizon),
                                       cmocka_unit_test(test_time), cmocka_unit_test(test_under)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
