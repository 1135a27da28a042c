/* What is drawn is what the land answers: heights read back from above against the triangle rule,
 * on unkind lands. No place may be missing, none more than a millimeter off.
 */
#include "gpu/view.h"
#include "tests/gpu/divided.h"
#include "tests/gpu/skip.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 1024, CELL_PIXELS = 16 };

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

typedef float (*HeightFn)(int i, int j, uint32_t random);

static float rough(int i, int j, uint32_t random) {
    (void)i, (void)j;
    return (float)random / 16777216.0f * 180 - 30;
}

static float checkerboard(int i, int j, uint32_t random) {
    (void)random;
    return (i + j) % 2 ? 20 : 0;
}

static float cliff(int i, int j, uint32_t random) {
    return i + j / 3 + (int)(random % 2) < 40 ? -30 : 150;
}

/* The triangle rule, as the language states it; of divided squares as `land.height` answers (tests/api/test_land.c). */
static double reference(const WorldGridView *grid, double x, double z) {
    if (grid->finer) {
        RtGrid own = {.columns = grid->columns, .rows = grid->rows, .cell = grid->cell, .x0 = grid->x0, .z0 = grid->z0, .outside = -30, .finer = grid->finer,
                      .heights = (float *)(uintptr_t)grid->heights};
        return grid_height_at(&own, x, z);
    }
    double column = (x - grid->x0) / grid->cell, row = (z - grid->z0) / grid->cell;
    int i = (int)fmin(floor(column), grid->columns - 2), j = (int)fmin(floor(row), grid->rows - 2);
    double u = column - i, v = row - j;
    const float *north = grid->heights + (size_t)j * (size_t)grid->columns + i,
                *south = north + grid->columns;
    double nw = north[0], ne = north[1], sw = south[0], se = south[1];
    if ((i + j) % 2 == 0)
        return u > v ? nw + (ne - nw) * u + (se - ne) * v : nw + (se - sw) * u + (sw - nw) * v;
    return u + v < 1 ? nw + (ne - nw) * u + (sw - nw) * v
                     : se + (sw - se) * (1 - u) + (ne - se) * (1 - v);
}

typedef struct Tally {
    long samples, missing;
    double worst;
} Tally;

/* Whether a place lies in the scene's finest part. */
static bool is_finest(const WorldScene *scene, double x, double z) {
    const double *corners = scene->land_fine_over;
    size_t count = scene->land_fine_over_count;
    bool inside = count == 0;
    for (size_t i = 0; i < count; i++) {
        const double *p = corners + 2 * i, *q = corners + 2 * ((i + 1) % count);
        if ((p[1] > z) != (q[1] > z) && x < p[0] + (z - p[1]) / (q[1] - p[1]) * (q[0] - p[0]))
            inside = !inside;
    }
    return inside;
}

static void compare(const WorldScene *scene, const ViewCamera *camera, const double *heights,
                    Tally *tally) {
    double pixel = camera->extent / SIDE;
    for (int py = 0; py < SIDE; py++)
        for (int px = 0; px < SIDE; px++) {
            double x = camera->from[0] + (px + 0.5 - SIDE / 2) * pixel,
                   z = camera->from[2] + (py + 0.5 - SIDE / 2) * pixel;
            double read = heights[(size_t)py * SIDE + px];
            if (!is_finest(scene, x, z)) continue;
            tally->samples++;
            if (isnan(read))
                tally->missing++;
            else
                tally->worst = fmax(tally->worst, fabs(read - reference(&scene->land, x, z)));
        }
}

/* Four tiles of a million samples, over the corners and the middle of the grid. */
static Tally read_land(View *view, const WorldScene *scene) {
    static const double tiles[4][2] = {{-1, -1}, {1, 1}, {0, 0}, {1, -1}};
    double extent = SIDE / CELL_PIXELS * scene->land.cell;
    double reach = (scene->land.columns - 1) * scene->land.cell / 2 - extent / 2;
    double *heights = malloc(sizeof(double) * SIDE * SIDE);
    Tally tally = {0};
    for (int t = 0; t < 4; t++) {
        double x = tiles[t][0] * reach, z = tiles[t][1] * reach;
        ViewCamera camera = {
            .from = {x, 500, z}, .to = {x, 0, z}, .orthographic = true, .extent = extent};
        view_read_land_height(view, &camera, heights);
        compare(scene, &camera, heights, &tally);
    }
    free(heights);
    return tally;
}

static void check_part(HeightFn height, int points, double cell, const double *outline,
                       size_t corners) {
    char error[512] = "";
    uint32_t random = 7;
    ViewDesc desc = {.width = SIDE, .height = SIDE, .validate = true};
    View *view = open_or_skip(&desc);
    float *heights = malloc(sizeof(float) * (size_t)points * (size_t)points);
    for (int j = 0; j < points; j++)
        for (int i = 0; i < points; i++)
            heights[j * points + i] = height(i, j, next_random(&random));
    WorldScene scene = island_bare(points, points, cell, heights);
    scene.land_fine_over = outline;
    scene.land_fine_over_count = corners;
    assert_true(view_set_scene(view, &scene, error, sizeof error));
    Tally tally = read_land(view, &scene);
    print_message("%ld samples, %ld missing, worst %.6f m\n", tally.samples, tally.missing,
                  tally.worst);
    assert_true(tally.samples > 1000000);
    assert_int_equal(tally.missing, 0);
    assert_true(tally.worst < 0.001);
    assert_int_equal(view_messages(view), 0);
    view_destroy(view);
    free(heights);
}

static void check_land(HeightFn height, int points, double cell) {
    check_part(height, points, cell, NULL, 0);
}

static void test_rough(void **state) {
    (void)state;
    check_land(rough, 257, 2);
}

static void test_checkerboard(void **state) {
    (void)state;
    check_land(checkerboard, 257, 2);
}

static void test_cliff(void **state) {
    (void)state;
    check_land(cliff, 257, 2);
}

static void test_whole_size(void **state) {
    (void)state;
    check_land(rough, 1025, 2);
}

static void test_odd_cells(void **state) {
    (void)state;
    check_land(checkerboard, 131, 1.0 / 3);
    check_land(rough, 131, 0.1);
    check_land(cliff, 131, 0.7);
}

/* A land that is turned a quarter and moved is drawn where it stands. */
static void test_placed_land(void **state) {
    (void)state;
    char error[512] = "";
    uint32_t random = 9;
    View *view = open_or_skip(&(ViewDesc){.width = SIDE, .height = SIDE, .validate = true});
    float *heights = malloc(sizeof(float) * 129 * 129);
    double *read = malloc(sizeof(double) * SIDE * SIDE), worst = 0;
    for (int i = 0; i < 129 * 129; i++)
        heights[i] = rough(0, 0, next_random(&random));
    WorldScene scene = island_bare(129, 129, 2, heights);
    const float placed[12] = {0, 0, 1, 256, 0, 1, 0, 7, -1, 0, 0, -512}; /* east becomes north */
    for (int i = 0; i < 12; i++)
        scene.land_transform[i] = placed[i];
    assert_true(view_set_scene(view, &scene, error, sizeof error));
    ViewCamera camera = {
        .from = {256, 500, -512}, .to = {256, 0, -512}, .orthographic = true, .extent = 128};
    view_read_land_height(view, &camera, read);
    for (int py = 0; py < SIDE; py++)
        for (int px = 0; px < SIDE; px++) {
            double x = (px + 0.5 - SIDE / 2) / 8, z = (py + 0.5 - SIDE / 2) / 8;
            worst = fmax(worst, fabs(read[py * SIDE + px] - 7 - reference(&scene.land, -z, x)));
        }
    assert_true(worst < 0.001);
    view_destroy(view);
    free(heights);
    free(read);
}

/* With an outline, up to its very edge; its edges slant, and one runs along the blocks. */
static void test_fine_over(void **state) {
    (void)state;
    static const double outline[] = {-210, -256, 200,  -160, 256,  256,
                                     -30,  90,   -208, 120,  -208, -60};
    check_part(rough, 257, 2, outline, 6);
    check_part(checkerboard, 257, 2, outline, 6);
    check_part(cliff, 257, 2, outline, 6);
}

static void check_divided(double cell, double step, double span, const double *outline, size_t corners) {
    enum { POINTS = 257 };
    char error[512] = "";
    uint32_t random = 7;
    View *view = open_or_skip(&(ViewDesc){.width = SIDE, .height = SIDE, .validate = true});
    TestRt test;
    Rt *rt = test_rt_open(&test);
    float *heights = ARENA_ARRAY(rt->arena, float, POINTS * POINTS);
    for (int k = 0; k < POINTS * POINTS; k++)
        heights[k] = rough(k % POINTS, k / POINTS, next_random(&random)) / 10;
    WorldScene scene = divided_scene(divided_land(rt, POINTS, cell, step, span, 2, heights));
    scene.land_fine_over = outline;
    scene.land_fine_over_count = corners;
    assert_true(view_set_scene(view, &scene, error, sizeof error));
    Tally tally = read_land(view, &scene);
    print_message("%ld samples, %ld missing, worst %.6f m\n", tally.samples, tally.missing, tally.worst);
    assert_true(tally.samples > 1000000 && tally.worst < 0.001);
    assert_int_equal(tally.missing, 0);
    assert_int_equal(view_messages(view), 0);
    view_destroy(view);
    test_rt_close(&test);
}

/* Divided squares, and what lies beside them: nothing is missing where they end. */
static void test_divided(void **state) {
    (void)state;
    static const double outline[] = {-210, -256, 200, -160, 256, 256, -30, 90, -208, 120, -208, -60};
    check_divided(2, 0.5, 250, NULL, 0);
    check_divided(2, 1, 100, outline, 6);
    check_divided(1, 0.0625, 30, NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rough),      cmocka_unit_test(test_checkerboard),
        cmocka_unit_test(test_cliff),      cmocka_unit_test(test_whole_size),
        cmocka_unit_test(test_odd_cells),  cmocka_unit_test(test_fine_over),   cmocka_unit_test(test_divided),
        cmocka_unit_test(test_placed_land)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
