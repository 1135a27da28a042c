/* press and carve: on the flat, on a slope of 30 degrees, in a hairpin tighter than the feature is
 * wide, below 0. */
#include "tests/unit/geometry_rt.h"

#include <math.h>

#include "runtime/geometry/scalar.h"
#include "runtime/grid/feature.h"
#include "runtime/grid/refine.h"
#include "tests/bench/land.h"

static RtGrid *ground(Rt *rt, int points, double cell, TestHeight height) {
    double half = (points - 1) * cell / 2;
    RtGrid *grid = grid_create(rt, &(GridShape){points, points, cell, -half, -half, -30});
    assert_true(grid_fill(rt, grid, test_closure(rt, height)));
    return grid;
}

static RtCurve *level(Rt *rt, double value) {
    RtCurve *curve = curve_create(rt, 1);
    curve->values[0] = value;
    return curve;
}

static double flat(double x, double z) {
    (void)x;
    (void)z;
    return 5;
}

static double steep(double x, double z) { /* 30 degrees */
    (void)z;
    return 0.577350269189626 * x - 8;
}

static const PressDesc walk = {.depth = 0.05,
                               .full_within = 1.4,
                               .gone_by = 6,
                               .smoothed_along = 9,
                               .passes = 2,
                               .has_end = true,
                               .end_height = 4.6,
                               .end_clear = 5,
                               .end_full = 14};

static void test_press_profile(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtGrid *grid = ground(rt, 161, 0.5, flat);
    const Vec3 line[] = {{0, 0, 40}, {0, 0, -40}};
    RtSpine *spine = spine_create(rt, line, 2, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    PressDesc desc = walk;
    desc.has_end = false;
    RtGrid *pressed = grid_press(rt, grid, spine, &desc);
    assert_true(grid_height_at(grid, 0, 0) == 5); /* the old one stays */
    for (int i = 0; i < 161; i++) {
        double x = grid_x(pressed, i), d = fabs(x);
        double weight = 1 - scalar_smoothstep(d, 1.4, 6);
        assert_true(fabs((double)grid_get(pressed, i, 80) - (5 - 0.05 * weight)) < 1e-6);
        if (d < 4.8)
            assert_true(grid_get(pressed, i, 2) == 5); /* within endClear of the last point */
    }
    desc.has_end = true; /* the last laid meter runs down to the given height */
    pressed = grid_press(rt, grid, spine, &desc);
    assert_true(fabs(grid_height_at(pressed, 0, -40) - 4.6) < 1e-6);
    assert_true(fabs(grid_height_at(pressed, 0, 0) - 4.95) < 1e-6);
    test_rt_close(&test);
}

/* A hairpin whose arms are 3 m apart under a feature 12 m wide: every place is pressed once, by its
 * nearest arm. */
static void test_hairpin(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtGrid *grid = ground(rt, 161, 0.5, flat);
    const Vec3 pin[] = {{-1.5, 0, 30}, {-1.5, 0, -10}, {0, 0, -12}, {1.5, 0, -10}, {1.5, 0, 30}};
    RtSpine *spine = spine_create(rt, pin, 5, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    PressDesc desc = walk;
    desc.has_end = false;
    desc.end_clear = desc.end_full = 0;
    RtGrid *pressed = grid_press(rt, grid, spine, &desc);
    for (int i = 0; i < 161 * 161; i++) {
        assert_true(pressed->heights[i] >= 4.95f - 1e-6f && pressed->heights[i] <= 5);
    }
    assert_true(fabs(grid_height_at(pressed, 0, 10) - 4.95) < 1e-3); /* 1.5 m from both */
    test_rt_close(&test);
}

/* Along a contour and straight up a 30 degree slope, part of it below 0: a level bench, no spikes.
 */
static void test_steep(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtGrid *grid = ground(rt, 161, 0.5, steep);
    const Vec3 along[] = {{5, 0, 35}, {5, 0, -35}}, up[] = {{-35, 0, 0}, {35, 0, 0}};
    PressDesc desc = walk;
    desc.has_end = false;
    RtSpine *contour = spine_create(rt, along, 2, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    RtGrid *bench = grid_press(rt, grid, contour, &desc);
    double middle = steep(5, 0) - 0.05;
    for (double x = 4; x <= 6; x += 0.25)
        assert_true(fabs(grid_height_at(bench, x, 0) - middle) < 1e-6);
    for (double x = -38; x < 38; x += 0.5) /* still a slope everywhere: no dips, no walls */
        assert_true(grid_height_at(bench, x + 0.5, 0) - grid_height_at(bench, x, 0) > -0.01 &&
                    grid_height_at(bench, x + 0.5, 0) - grid_height_at(bench, x, 0) < 1.0);
    RtSpine *climb = spine_create(rt, up, 2, SPINE_STRAIGHT, SPINE_DOUBLED, 1);
    RtGrid *groove = grid_press(rt, grid, climb, &desc);
    for (double x = -25; x < 20; x += 0.5) /* a straight line smoothed is itself */
        assert_true(fabs(grid_height_at(groove, x, 0) - (steep(x, 0) - 0.05)) < 1e-3);
    test_rt_close(&test);
}

static void test_carve_profile(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtGrid *grid = ground(rt, 161, 0.5, flat);
    const Vec3 line[] = {{0, 0, 40}, {0, 0, -40}};
    RtSpine *spine = spine_create(rt, line, 2, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    CarveDesc desc = {level(rt, 3), level(rt, 2), level(rt, 0.5), level(rt, 1), 24};
    RtGrid *carved = grid_carve(rt, grid, spine, &desc);
    for (int i = 0; i < 161; i++) {
        double d = fabs(grid_x(carved, i)), trench = 3 + 0.5 * scalar_max(d - 2, 0);
        double want = trench < 6 ? scalar_smooth_min(5, trench, 1) : 5;
        assert_true(fabs((double)grid_get(carved, i, 80) - want) < 1e-6);
    }
    assert_true(grid_get(carved, 80, 80) == 3.0f && grid_get(carved, 0, 80) == 5);
    test_rt_close(&test);
}

/* The published figures of the island's walkway: its steepest meter, once pressed, is 9 degrees; it
 * ends level with the pad. The land is the hand-written one. */
static void test_island_walkway(void **state) {
    (void)state;
    static const Vec3 points[] = {{-22, 0, 498}, {-22, 0, 476}, {-34, 0, 450},
                                  {-14, 0, 424}, {-38, 0, 400}, {-12, 0, 378},
                                  {-22, 0, 354}, {-16, 0, 340}, {-16, 0, 333.6}};
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtGrid *grid = grid_create(rt, &(GridShape){1025, 1025, 2, -1024, -1024, -30});
    land_scalar_grid(grid->heights, 1025, 2, land_scalar_hill_top());
    RtSpine *spine = spine_create(rt, points, 9, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    RtGrid *pressed = grid_press(rt, grid, spine, &walk);
    double steepest = 0;
    for (double along = 0; along + 1 <= spine_get_length(spine); along += 0.05) {
        Vec3 a = spine_spot(spine, along, 0), b = spine_spot(spine, along + 1, 0);
        double run = sqrt((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z));
        double rise = fabs(grid_height_at(pressed, b.x, b.z) - grid_height_at(pressed, a.x, a.z));
        steepest = scalar_max(steepest, rise / run);
    }
    assert_true(steepest > 0.1563 && steepest < 0.1602); /* the tangents of 8.9 and 9.1 degrees */
    assert_true(fabs(grid_height_at(pressed, -16, 333.6) - 4.6) < 1e-6);
    test_rt_close(&test);
}

/* A grid of one's own is changed where it lies, and nothing is touched but what a copy would have another height at. */
static void test_own_ground(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    const Vec3 line[] = {{0, 0, 8}, {0, 0, -8}}, outside[] = {{500, 0, 8}, {500, 0, -8}};
    RtSpine *spine = spine_create(rt, line, 2, SPINE_UNIFORM, SPINE_DOUBLED, 1), *away = spine_create(rt, outside, 2, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    PressDesc press = walk;
    CarveDesc carve = {level(rt, 3), level(rt, 2), level(rt, 0.5), level(rt, 1), 12, false};
    RtGrid *grid = grid_refine(rt, ground(rt, 161, 0.5, steep), spine, 1, 0.25);
    RtGrid *pressed = grid_press(rt, grid, spine, &press), *carved = grid_carve(rt, pressed, spine, &carve), *own = grid_copy(rt, grid);
    press.own = carve.own = true;
    rt->threads = 2;
    assert_ptr_equal(grid_press(rt, own, spine, &press), own);
    assert_memory_equal(own->heights, pressed->heights, rt_grid_bytes(own));
    assert_ptr_equal(grid_carve(rt, own, spine, &carve), own);
    assert_memory_equal(own->heights, carved->heights, rt_grid_bytes(own));
    assert_ptr_equal(grid_press(rt, own, away, &press), own); /* no point of it lies on the grid */
    assert_memory_equal(own->heights, carved->heights, rt_grid_bytes(own));
    test_rt_close(&test);
}

static double shore(double x, double z) {
    (void)z;
    return x < 0 ? -0.3 + 0.05 * x : 0.1 * x;
}

/* A brook from the land out under the sea: nothing rises, far places keep their bits, threads make
 * no difference. */
static void test_carve_below_zero(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtGrid *grid = ground(rt, 257, 0.5, shore);
    const Vec3 course[] = {{60, 0, 5}, {20, 0, -12}, {0, 0, 6}, {-30, 0, 0}};
    RtSpine *spine = spine_create(rt, course, 4, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    RtCurve *bed = curve_create(rt, 4);
    memcpy(bed->keys, (double[]){0, 1, 2, 3}, 4 * sizeof(double));
    memcpy(bed->values, (double[]){5, 1, -1, -2.5}, 4 * sizeof(double));
    CarveDesc desc = {bed, level(rt, 1.5), level(rt, 0.4), level(rt, 0.8), 24};
    RtGrid *carved = grid_carve(rt, grid, spine, &desc);
    rt->threads = 3;
    RtGrid *again = grid_carve(rt, grid, spine, &desc);
    assert_memory_equal(carved->heights, again->heights, 257 * 257 * sizeof(float));
    for (int j = 0; j < 257; j++)
        for (int i = 0; i < 257; i++) {
            SpineHit hit = spine_find_nearest(spine, grid_x(grid, i), grid_z(grid, j), 1000);
            assert_true(grid_get(carved, i, j) <= grid_get(grid, i, j));
            if (hit.distance > 24) assert_true(grid_get(carved, i, j) == grid_get(grid, i, j));
            if (hit.distance < 1)
                assert_true((double)grid_get(carved, i, j) <= curve_value(bed, hit.index) + 1e-6);
        }
    test_rt_close(&test);
}

static double lumpy(double x, double z) {
    return 10 + 0.02 * x * x - 0.003 * x * z + (x > 3 ? 2 : 0);
}

/* Every sample of the grid, those of the outermost rows and columns a feature touches too: as if all
 * were looked at. The reaches end between samples, on them, and past the grid. */
static void test_press_rim(void **state) {
    (void)state;
    static const double reaches[] = {6, 6.2, 5.8, 2, 45};
    const Vec3 lines[][2] = {{{-9, 0, -7}, {8, 0, 10}},
                             {{0, 0, -10}, {0, 0, 10}},
                             {{-10, 0, 3}, {10, 0, 3}},
                             {{-25, 0, -25}, {-10, 0, 25}}};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        for (size_t r = 0; r < sizeof reaches / sizeof *reaches; r++) {
            TestRt test;
            Rt *rt = test_rt_open(&test);
            RtGrid *grid = ground(rt, 81, 0.5, flat);
            RtSpine *spine = spine_create(rt, lines[k], 2, SPINE_STRAIGHT, SPINE_DOUBLED, 1);
            PressDesc desc = {
                .depth = 1, .full_within = 0.1, .gone_by = reaches[r], .smoothed_along = 1};
            RtGrid *pressed = grid_press(rt, grid, spine, &desc);
            for (int j = 0; j < 81; j++)
                for (int i = 0; i < 81; i++) {
                    double d =
                        spine_find_nearest(spine, grid_x(grid, i), grid_z(grid, j), 1e6).distance;
                    double want = 5 - (1 - scalar_smoothstep(d, 0.1, reaches[r]));
                    assert_true(fabs((double)grid_get(pressed, i, j) - want) < 1e-6);
                }
            test_rt_close(&test);
        }
}

/* The height line written out again: a box of `width` points, of an even number one more after than
 * before, cut off at the ends or as short on either side. */
static void smoothed(double *line, int count, int width, bool symmetric) {
    double old[64];
    memcpy(old, line, sizeof *old * (size_t)count);
    for (int i = 0; i < count; i++) {
        int before = (width - 1) / 2, after = width / 2;
        if (symmetric) {
            int room = i < count - 1 - i ? i : count - 1 - i;
            before = before < room ? before : room;
            after = after < room ? after : room;
        }
        double sum = 0;
        int taken = 0;
        for (int k = i - before; k <= i + after; k++)
            if (k >= 0 && k < count) sum += old[k], taken++;
        line[i] = sum / taken;
    }
}

static void test_press_widths(void **state) {
    (void)state;
    static const int widths[] = {1, 2, 3, 4, 8, 9, 100};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (int mode = 0; mode < 4; mode++) {
            bool symmetric = mode & 1;
            int passes = 1 + mode / 2;
            TestRt test;
            Rt *rt = test_rt_open(&test);
            RtGrid *grid = ground(rt, 61, 1, lumpy);
            const Vec3 line[] = {{-20, 0, 4}, {20, 0, 4}};
            RtSpine *spine = spine_create(rt, line, 2, SPINE_STRAIGHT, SPINE_DOUBLED, 1.01);
            assert_int_equal(spine->count, 41);
            PressDesc desc = {.full_within = 1,
                              .gone_by = 3,
                              .smoothed_along = widths[w],
                              .passes = passes,
                              .symmetric = symmetric};
            RtGrid *pressed = grid_press(rt, grid, spine, &desc);
            double want[41];
            for (int i = 0; i < 41; i++)
                want[i] = (double)grid_get(grid, 10 + i, 34);
            for (int pass = 0; pass < passes; pass++)
                smoothed(want, 41, widths[w], symmetric);
            for (int i = 0; i < 41; i++)
                assert_true(fabs((double)grid_get(pressed, 10 + i, 34) - want[i]) < 1e-5);
            test_rt_close(&test);
        }
}

/* -- finer ground -- */

static const Vec3 meander[] = {{-60, 0, -35}, {-20, 0, -12}, {0, 0, 21}, {14, 0, 24}, {70, 0, 55}}; /* off the grid at its end */

static double rolling(double x, double z) {
    return 5 + 3 * sin(x / 9) * cos(z / 7) + 0.1 * x;
}

/* Divided, the ground is what it was; it may be divided again, and what was stays. */
static void test_refine_keeps_the_ground(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtGrid *grid = ground(rt, 65, 2, rolling);
    RtSpine *spine = spine_create(rt, meander, 5, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    RtGrid *fine = grid_refine(rt, grid, spine, 3, 0.5), *same = grid_refine(rt, fine, spine, 3, 0.5), *more = grid_refine(rt, fine, spine, 40, 0.5);
    assert_int_equal(fine->finer, 4);
    assert_true(fine->tail > 16 && fine->tail < more->tail && more->tail <= 16 + 16 * 65 * 65);
    assert_memory_equal(fine->heights, grid->heights, rt_grid_bytes(grid));
    assert_memory_equal(fine->heights, same->heights, rt_grid_bytes(fine));
    uint64_t seed = 3;
    for (int k = 0; k < 20000; k++) {
        double x = 66 * test_random(&seed), z = 66 * test_random(&seed), was = grid_height_at(grid, x, z);
        assert_true(fabs(grid_height_at(fine, x, z) - was) < 2e-6 && fabs(grid_height_at(more, x, z) - was) < 2e-6);
    }
    test_rt_close(&test);
}

static bool is_divided(const FinerTiles *tiles, double u, double v) {
    return finer_number(tiles, (int32_t)floor(u / FINER_TILE), (int32_t)floor(v / FINER_TILE)) >= 0;
}

/* Where a tile that is not divided is nearer than a fine square. */
static bool near_coarse(const RtGrid *grid, const FinerTiles *tiles, double u, double v) {
    double reach = 0.999 / grid->finer;
    bool near = false;
    for (int k = 0; k < 9; k++) {
        double a = u + (k % 3 - 1) * reach, b = v + (k / 3 - 1) * reach;
        if (a >= 0 && b >= 0 && a < grid->columns - 1 && b < grid->rows - 1 && !is_divided(tiles, a, b)) near = true;
    }
    return near;
}

static void check_carved(Rt *rt, double cell, double step, int points) {
    RtGrid *grid = ground(rt, points, cell, rolling);
    RtSpine *spine = spine_create(rt, meander, 5, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    CarveDesc desc = {level(rt, 2), level(rt, 0.6), level(rt, 1.5), level(rt, 0.2), 12};
    RtGrid *fine = grid_carve(rt, grid_refine(rt, grid, spine, 4, step), spine, &desc), *coarse = grid_carve(rt, grid, spine, &desc);
    FinerTiles tiles = grid_finer(fine);
    uint64_t seed = 5;
    int beside = 0, sharp = 0;
    assert_memory_equal(fine->heights, coarse->heights, rt_grid_bytes(coarse));
    for (int k = 0; k < 60000; k++) {
        double half = (points - 1) * cell / 2, u = (points - 1) * (test_random(&seed) + 1) / 2, v = (points - 1) * (test_random(&seed) + 1) / 2;
        double x = u * cell - half, z = v * cell - half, height = grid_height_at(fine, x, z);
        if (!is_divided(&tiles, u, v)) assert_true(height == grid_height_at(coarse, x, z));
        if (!is_divided(&tiles, u, v) || near_coarse(fine, &tiles, u, v)) { /* either kind of triangles may be drawn */
            beside += is_divided(&tiles, u, v);
            assert_true(fabs(height - grid_height_at(coarse, x, z)) < 2e-6);
        }
        double fine_x = floor(u * fine->finer) * step - half, fine_z = floor(v * fine->finer) * step - half; /* a point of the finer lattice */
        SpineHit hit = spine_find_nearest(spine, fine_x, fine_z, 4);
        if (!hit.found) continue;
        double trench = 2 + 1.5 * scalar_max(hit.distance - 0.6, 0), was = grid_height_at(grid, fine_x, fine_z);
        double want = trench < was + 0.2 ? scalar_smooth_min(was, trench, 0.2) : was;
        assert_true(fabs(grid_height_at(fine, fine_x, fine_z) - want) < 3e-6);
        sharp += fabs(grid_height_at(coarse, fine_x, fine_z) - want) > 0.2;
    }
    assert_true(beside > 100 && sharp > 100);
    rt->threads = 3;
    RtGrid *again = grid_carve(rt, grid_refine(rt, grid, spine, 4, step), spine, &desc);
    assert_memory_equal(again->heights, fine->heights, rt_grid_bytes(fine));
    rt->threads = 1;
}

/* A trench narrower than the grid's squares is what was asked for at each finer point near it; where finer ground ends nothing is open. */
static void test_refined_carve(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    check_carved(rt, 2, 0.5, 65);
    check_carved(rt, 2, 1, 73); /* tiles that the grid cuts off */
    check_carved(rt, 2, 0.125, 57);
    check_carved(rt, 4, 0.5, 50);
    test_rt_close(&test);
}

static void check_no_refine(double within, double step, int64_t limit, const char *word) {
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtHost host = *rt->host;
    host.limits.grid_samples = limit;
    rt->host = &host;
    RtGrid *grid = ground(rt, 65, 2, flat);
    RtSpine *spine = spine_create(rt, meander, 5, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    assert_null(grid_refine(rt, grid, spine, within, step));
    assert_int_equal(rt->fault.code, limit ? RT_FAULT_LIMIT : RT_FAULT_ARGUMENT);
    assert_non_null(strstr(rt->fault.detail.ptr, word));
    test_rt_close(&test);
}

static void test_refine_refused(void **state) {
    (void)state;
    check_no_refine(4, 0.6, 0, "divided into ones of 1 m, 0.5 m, 0.25 m or 0.125 m");
    check_no_refine(4, 2, 0, "divided into");
    check_no_refine(4, 0, 0, "divided into");
    check_no_refine(-1, 0.5, 0, "within is -1 m");
    check_no_refine(4, 0.5, 20000, "at most 20000 points");
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtSpine *spine = spine_create(rt, meander, 5, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    RtGrid *grid = grid_refine(rt, ground(rt, 65, 2, flat), spine, 4, 0.5);
    assert_null(grid_refine(rt, grid, spine, 4, 1));
    assert_int_equal(rt->fault.code, RT_FAULT_ARGUMENT);
    test_rt_close(&test);
}

static void test_refused(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtGrid *grid = ground(rt, 33, 1, flat);
    const Vec3 line[] = {{0, 0, 10}, {0, 0, -10}};
    RtSpine *spine = spine_create(rt, line, 2, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    PressDesc desc = walk;
    desc.gone_by = 1;
    assert_null(grid_press(rt, grid, spine, &desc));
    assert_int_equal(rt->fault.code, RT_FAULT_ARGUMENT);
    test_rt_close(&test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_press_profile),  cmocka_unit_test(test_hairpin),
        cmocka_unit_test(test_island_walkway), cmocka_unit_test(test_steep),
        cmocka_unit_test(test_carve_profile),  cmocka_unit_test(test_carve_below_zero),
        cmocka_unit_test(test_press_rim),      cmocka_unit_test(test_press_widths),
        cmocka_unit_test(test_refused),        cmocka_unit_test(test_refine_keeps_the_ground),
        cmocka_unit_test(test_own_ground),
        cmocka_unit_test(test_refined_carve),  cmocka_unit_test(test_refine_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
