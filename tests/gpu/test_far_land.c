/* A land that is a function: drawn exactly where the eye is, here and 100 km away, without a crack, and the same whichever way the eye came. */
#include "gpu/view_parts.h"
#include "tests/gpu/island.h"
#include "tests/gpu/skip.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { WIDTH = 320, HEIGHT = 180, SIDE = 256 };

/* Hills about a place, so that the same ground lies elsewhere. */
static double middle;

static double hill(double x, double z) {
    return 40 * sin((x - middle) / 91) * cos(z / 77) + 6 * sin((x - middle) / 13 + z / 17) + 300 * sin((x - middle) / 2900) * sin(z / 3100);
}

static long asked;

static bool heights_of(void *user, size_t n, const double *xz, float *out) {
    (void)user;
    for (size_t i = 0; i < n; i++)
        out[i] = (float)hill(xz[2 * i], xz[2 * i + 1]);
    asked += (long)n;
    return true;
}

static bool fails(void *user, size_t n, const double *xz, float *out) {
    (void)user, (void)xz;
    for (size_t i = 0; i < n; i++)
        out[i] = NAN;
    return false;
}

static WorldScene make_scene(void) {
    WorldScene scene = island_bare(0, 0, 0, NULL);
    scene.land_source = (WorldSource){heights_of, NULL, 1};
    memcpy(scene.land_tint, (float[]){0.2f, 0.3f, 0.1f}, sizeof scene.land_tint);
    return scene;
}

static View *open_view(const ViewDesc *desc) {
    char error[512] = "";
    View *view = open_or_skip(desc);
    WorldScene scene = make_scene();
    assert_true(view_set_scene(view, &scene, error, sizeof error));
    return view;
}

static double reference(double x, double z) {
    int64_t i = (int64_t)floor(x), j = (int64_t)floor(z);
    double s = x - (double)i, t = z - (double)j, a = hill((double)i, (double)j), b = hill((double)i + 1, (double)j), c = hill((double)i, (double)j + 1),
           d = hill((double)i + 1, (double)j + 1);
    if ((i + j) % 2 == 0) return s >= t ? a + (b - a) * s + (d - b) * t : a + (d - c) * s + (c - a) * t;
    return s + t <= 1 ? a + (b - a) * s + (c - a) * t : d + (c - d) * (1 - s) + (b - d) * (1 - t);
}

static void test_exact_near_the_eye(void **state) {
    (void)state;
    View *view = open_view(&(ViewDesc){.width = SIDE, .height = SIDE, .validate = true});
    double *read = malloc(sizeof(double) * SIDE * SIDE);
    static const double at[3] = {0, 5000.25, 100000.5};
    middle = 0;
    for (int k = 0; k < 3; k++) {
        ViewCamera camera = {.from = {at[k], 900, -at[k]}, .to = {at[k], 0, -at[k]}, .orthographic = true, .extent = 100};
        double worst = 0;
        view_read_land_height(view, &camera, read);
        for (int py = 0; py < SIDE; py++)
            for (int px = 0; px < SIDE; px++) {
                double x = at[k] + (px + 0.5 - SIDE / 2) * 100 / SIDE, z = -at[k] + (py + 0.5 - SIDE / 2) * 100 / SIDE;
                worst = fmax(worst, fabs(read[py * SIDE + px] - reference(x, z)));
            }
        assert_true(worst < 0.001); /* false of NaN, too */
    }
    assert_int_equal(view_messages(view), 0);
    view_destroy(view);
    free(read);
}

static ViewCamera looking(double x, double z, double heading) {
    double y = hill(x, z) + 12;
    return (ViewCamera){.from = {x, y, z}, .to = {x + 100 * sin(heading), y - 14, z - 100 * cos(heading)}};
}

static void draw(View *view, const ViewCamera *camera, uint8_t *rgba) {
    view_draw(view, camera);
    view_read_color(view, rgba);
}

static long count_different(const uint8_t *a, const uint8_t *b, int by) {
    long count = 0;
    for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
        count += abs(a[i] - b[i]) > by;
    return count;
}

/* The windows move with the eye, a strip at a time; what is in them is what a new view asks for. */
static void test_whichever_way_the_eye_came(void **state) {
    (void)state;
    enum { STOPS = 6 };
    View *walked = open_view(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .magenta = true});
    uint8_t *seen[STOPS], *b = malloc(WIDTH * HEIGHT * 4);
    static const double way[STOPS][2] = {{0, 0}, {40, 9}, {70, -130}, {-20, -90}, {900, 400}, {100000, 30}};
    middle = 0;
    for (int k = 0; k < STOPS; k++) {
        ViewCamera camera = looking(way[k][0], way[k][1], k);
        asked = 0;
        draw(walked, &camera, seen[k] = malloc(WIDTH * HEIGHT * 4));
        if (k == 1) assert_true(asked > 1000 && asked < 400000); /* of the 3 million of the first frame */
    }
    for (int k = 3; k < STOPS; k += 2) {
        View *fresh = open_view(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .magenta = true});
        if (walked) view_destroy(walked); /* another view's end is not this one's */
        walked = NULL;
        ViewCamera camera = looking(way[k][0], way[k][1], k);
        draw(fresh, &camera, b);
        assert_int_equal(count_different(seen[k], b, 2), 0);
        view_destroy(fresh);
    }
    for (int k = 0; k < STOPS; k++)
        free(seen[k]);
    free(b);
}

/* The same hills 100 km away look the same: nothing is counted from the origin. */
static void test_far_away_nothing_shakes(void **state) {
    (void)state;
    uint8_t *a = malloc(WIDTH * HEIGHT * 4), *b = malloc(WIDTH * HEIGHT * 4);
    for (int k = 0; k < 2; k++) {
        View *view = open_view(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .magenta = true});
        middle = k ? 131072 : 0; /* whole tiles of every level away */
        ViewCamera camera = looking(middle + 17.25, 40.5, 2);
        draw(view, &camera, k ? b : a);
        view_destroy(view);
    }
    print_message("%ld of %d\n", count_different(a, b, 8), WIDTH * HEIGHT * 4);
    assert_in_range(count_different(a, b, 8), 0, WIDTH * HEIGHT / 1000);
    middle = 0;
    free(a), free(b);
}

static void test_no_cracks(void **state) {
    (void)state;
    View *view = open_view(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .magenta = true, .validate = true});
    uint8_t *rgba = malloc(WIDTH * HEIGHT * 4);
    for (int k = 0; k < 16; k++) {
        double x = (k < 8 ? 0 : 100000) + 21 * k, z = 13 * k, y = hill(x, z) + 30 + 9 * k;
        ViewCamera camera = {.from = {x, y, z}, .to = {x + 40 * sin(k), y - 60, z + 40 * cos(k)}};
        draw(view, &camera, rgba);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            assert_false(rgba[4 * i] > rgba[4 * i + 1] + 20 && rgba[4 * i + 2] > rgba[4 * i + 1] + 20);
    }
    assert_int_equal(view_messages(view), 0);
    view_destroy(view);
    free(rgba);
}

/* A mountain that was flown over counts no more where it is out of sight. */
static double peak;

static bool mountain(void *user, size_t n, const double *xz, float *out) {
    (void)user;
    for (size_t i = 0; i < n; i++)
        out[i] = (float)(peak * exp(-hypot(xz[2 * i], xz[2 * i + 1]) / 3000));
    return true;
}

static void test_what_was_flown_over(void **state) {
    (void)state;
    char error[512] = "";
    View *view = open_or_skip(&(ViewDesc){.width = WIDTH, .height = HEIGHT});
    WorldScene scene = make_scene();
    scene.land_source.heights = mountain;
    peak = 4000;
    assert_true(view_set_scene(view, &scene, error, sizeof error));
    const Eye over = {.at = {0, 5000, 0}}, far = {.at = {1e6, 5000, 0}}, nearer = {.at = {20000, 5000, 0}};
    land_move(&view->land, &over);
    assert_true(fabsf(view->land.lod.high - 4000) < 1);
    land_move(&view->land, &nearer); /* still in the windows, if coarse */
    assert_true(view->land.lod.high > 3000);
    land_move(&view->land, &far);
    assert_true(view->land.lod.high < 1 && view->land.lod.low >= 0);
    view_destroy(view);
}

/* What cannot be worked out is level ground, never a hole or an end. */
static void test_a_function_that_fails(void **state) {
    (void)state;
    char error[512] = "";
    View *view = open_or_skip(&(ViewDesc){.width = WIDTH, .height = HEIGHT});
    uint8_t *rgba = malloc(WIDTH * HEIGHT * 4);
    WorldScene scene = make_scene();
    scene.land_source.heights = fails;
    assert_true(view_set_scene(view, &scene, error, sizeof error));
    ViewCamera camera = {.from = {0, 10, 0}, .to = {100, 0, 0}};
    draw(view, &camera, rgba);
    assert_true(view->land.triangles > 1000 && view->land.clip.high == 0);
    assert_true(view_land_failed(view));
    assert_false(view_land_failed(view)); /* it was told */
    view_destroy(view);
    free(rgba);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact_near_the_eye), cmocka_unit_test(test_whichever_way_the_eye_came),
                                       cmocka_unit_test(test_far_away_nothing_shakes), cmocka_unit_test(test_no_cracks),
                                       cmocka_unit_test(test_what_was_flown_over), cmocka_unit_test(test_a_function_that_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
