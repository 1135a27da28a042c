/* Height grids: the triangle rule against the drawn triangles, borders, slopes, filling, bad
 * heights. */
#include "tests/unit/geometry_rt.h"

#include <math.h>

#include "tests/support/grid_twin.h"

static RtGrid *filled(Rt *rt, int points, double cell, TestHeight height) {
    double half = (points - 1) * cell / 2;
    RtGrid *grid = grid_create(rt, &(GridShape){points, points, cell, -half, -half, -30});
    assert_non_null(grid);
    assert_true(grid_fill(rt, grid, test_closure(rt, height)));
    return grid;
}

static double rough(double x, double z) {
    int64_t h = (int64_t)floor(x * 31) * 7919 + (int64_t)floor(z * 17) * 104729;
    return (double)((h % 4001 + 4001) % 4001) / 50;
}

/* The height of the plane through three corners, of the triangle that contains the place: another
 * way to say the rule. */
static double by_triangle(const RtGrid *grid, int i, int j, double x, double z) {
    int ends[2][2] = {{i, j}, {i + 1, j + 1}}, others[2][2] = {{i + 1, j}, {i, j + 1}};
    if ((i + j) % 2)
        memcpy(ends[0], (int[]){i + 1, j, i, j + 1}, sizeof ends),
            memcpy(others[0], (int[]){i, j, i + 1, j + 1}, sizeof others);
    for (int k = 0; k < 2; k++) {
        double px[3] = {grid_x(grid, ends[0][0]), grid_x(grid, ends[1][0]),
                        grid_x(grid, others[k][0])};
        double pz[3] = {grid_z(grid, ends[0][1]), grid_z(grid, ends[1][1]),
                        grid_z(grid, others[k][1])};
        double h[3] = {grid_get(grid, ends[0][0], ends[0][1]),
                       grid_get(grid, ends[1][0], ends[1][1]),
                       grid_get(grid, others[k][0], others[k][1])};
        double all = (px[1] - px[0]) * (pz[2] - pz[0]) - (px[2] - px[0]) * (pz[1] - pz[0]);
        double w1 = ((x - px[0]) * (pz[2] - pz[0]) - (px[2] - px[0]) * (z - pz[0])) / all;
        double w2 = ((px[1] - px[0]) * (z - pz[0]) - (x - px[0]) * (pz[1] - pz[0])) / all;
        if (w1 < -1e-9 || w2 < -1e-9 || w1 + w2 > 1 + 1e-9) continue;
        return h[0] + w1 * (h[1] - h[0]) + w2 * (h[2] - h[0]);
    }
    fail();
    return 0;
}

static void test_triangles(void **state) {
    (void)state;
    static const double cells[] = {0.1, 1.0 / 3, 0.7, 2};
    uint64_t seed = 9;
    for (int c = 0; c < 4; c++) {
        TestRt test;
        Rt *rt = test_rt_open(&test);
        RtGrid *grid = filled(rt, 33, cells[c], rough);
        double half = 16 * cells[c];
        for (int k = 0; k < 50000; k++) {
            double x = test_random(&seed) * half, z = test_random(&seed) * half;
            int i = (int)floor((x + half) / cells[c]), j = (int)floor((z + half) / cells[c]);
            if (i > 31 || j > 31) continue;
            assert_true(fabs(grid_height_at(grid, x, z) - by_triangle(grid, i, j, x, z)) < 1e-9);
        }
        for (int i = 0; i < 33; i++) /* samples, border included, are answered as they are stored */
            for (int j = 0; j < 33; j++) {
                double h = grid_height_at(grid, grid_x(grid, i), grid_z(grid, j));
                assert_true(fabs(h - (double)grid_get(grid, i, j)) < 1e-9);
            }
        test_rt_close(&test);
    }
}

static double slope30(double x, double z) {
    (void)z;
    return 0.5 * x + 20;
}

static void test_border(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtGrid *grid = filled(rt, 65, 2, slope30);
    assert_true(grid->x0 == -64 && grid_height_at(grid, 64, 64) == 52 &&
                grid_height_at(grid, -64, 0) == -12);
    assert_true(grid_height_at(grid, 64.001, 0) == -30 && grid_height_at(grid, 0, -1e300) == -30);
    assert_true(grid_height_at(grid, NAN, 0) == -30);
    for (double x = -64; x <= 64; x += 0.25) { /* never the cliff */
        Vec3 g = twin_gradient(grid, x, 64, 1);
        assert_true(fabs(g.x - 0.5) < 1e-9 && fabs(g.z) < 1e-9);
        assert_true(fabs(twin_curvature(grid, x, -64, 9)) < 1e-9);
        Vec3 n = twin_normal(grid, 64, x, 4);
        assert_true(fabs(n.x + 0.5 * n.y) < 1e-9 && fabs(vec3_dot(n, n) - 1) < 1e-12);
    }
    Vec3 past = twin_gradient(grid, 65, 0, 1);
    assert_true(past.x == 0 && past.z == 0 && twin_normal(grid, 65, 0, 4).y == 1);
    test_rt_close(&test);
}

static double bowl(double x, double z) {
    return x * x + z * z;
}

static void test_curvature(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtGrid *grid = filled(rt, 33, 1, bowl);
    assert_true(fabs(twin_curvature(grid, 0, 0, 4) - 4) <
                1e-12); /* the sum of two second derivatives of 2 */
    assert_true(fabs(twin_curvature(grid, 16, 16, 4) - 4) <
                1e-12); /* at the corner: of the nearest whole place */
    test_rt_close(&test);
}

static double pit(double x, double z) {
    return x == 8 && z == -4 ? NAN : x == 10 && z == 6 ? INFINITY : 1;
}

static void test_bad_height(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtGrid *grid = grid_create(rt, &(GridShape){33, 33, 2, -32, -32, -30});
    assert_false(grid_fill(rt, grid, test_closure(rt, pit)));
    assert_int_equal(rt->fault.code, RT_FAULT_NAN); /* the first, row by row */
    const char wanted[] = "the height at (8 m, -4 m), sample (20, 14) of a grid";
    assert_int_equal(rt->fault.detail.len, sizeof wanted - 1);
    assert_memory_equal(rt->fault.detail.ptr, wanted, sizeof wanted - 1);
    test_rt_close(&test);
    rt = test_rt_open(&test);
    assert_null(grid_create(rt, &(GridShape){1, 33, 2, 0, 0, -30}));
    assert_int_equal(rt->fault.code, RT_FAULT_ARGUMENT);
    test_rt_close(&test);
    rt = test_rt_open(&test);
    assert_null(grid_create(rt, &(GridShape){INT64_MAX, 1 << 20, 2, 0, 0, -30}));
    assert_int_equal(rt->fault.code, RT_FAULT_LIMIT);
    test_rt_close(&test);
}

static void test_threads(void **state) {
    (void)state;
    TestRt one, two;
    Rt *rt = test_rt_open(&one);
    RtGrid *alone = filled(rt, 301, 0.37, rough);
    Rt *other = test_rt_open(&two);
    other->threads = 3;
    RtGrid *together = filled(other, 301, 0.37, rough);
    assert_memory_equal(alone->heights, together->heights, 301 * 301 * sizeof(float));
    test_rt_close(&one);
    test_rt_close(&two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangles), cmocka_unit_test(test_border),
        cmocka_unit_test(test_curvature), cmocka_unit_test(test_bad_height),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
