/* Outlines: the even-odd rule and its border against a plain exact walk round the corners;
 * distances. Curves. */
#include "tests/unit/geometry_rt.h"

#include <math.h>

#include "runtime/geometry/curve.h"
#include "runtime/geometry/exact.h"
#include "runtime/geometry/outline.h"

static const PlanPoint dressed[] = {{-190, 285}, {175, 285},  {200, 430}, {175, 540},
                                    {120, 552},  {60, 525},   {0, 507},   {-60, 505},
                                    {-120, 512}, {-200, 545}, {-215, 420}};

static void test_dressed(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtOutline *outline = outline_create(rt, dressed, 11);
    assert_true(outline_has_place(outline, -22, 400));
    assert_true(outline_has_place(outline, -190, 285)); /* a corner */
    assert_true(outline_has_place(outline, 0, 285));    /* on an edge */
    assert_false(outline_has_place(outline, 0, 284.999999));
    assert_false(outline_has_place(outline, 500, 400));
    assert_true(outline_signed_distance(outline, 0, 285) == 0);
    assert_true(fabs(outline_signed_distance(outline, 0, 280) - 5) < 1e-12);
    assert_true(fabs(outline_signed_distance(outline, 0, 300) + 15) < 1e-12);
    assert_true(outline->box.x0 == -215 && outline->box.x1 == 200 && outline->box.z0 == 285 &&
                outline->box.z1 == 552);
    test_rt_close(&test);
}

static void test_square(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    const PlanPoint corners[] = {{1e6, 1e6}, {1e6 + 3, 1e6}, {1e6 + 3, 1e6 + 2}, {1e6, 1e6 + 2}};
    RtOutline *outline = outline_create(rt, corners, 4);
    assert_true(outline->area == 6);
    PlanPoint near = outline_find_nearest(outline, 1e6 + 1, 1e6 + 0.25);
    assert_true(near.x == 1e6 + 1 && near.z == 1e6);
    test_rt_close(&test);
}

/* A five-pointed star drawn in one stroke: its middle is gone round twice, and so outside. */
static void test_star(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    const PlanPoint star[] = {{0, -10}, {6, 8}, {-9, -3}, {9, -3}, {-6, 8}};
    RtOutline *outline = outline_create(rt, star, 5);
    assert_false(outline_has_place(outline, 0, 0));
    assert_true(outline_has_place(outline, 0, -8));
    test_rt_close(&test);
}

static bool within(double v, double a, double b) {
    return a < b ? a <= v && v <= b : b <= v && v <= a;
}

static bool contains_by_force(const RtOutline *outline, double x, double z) {
    bool odd = false;
    for (int i = 0; i < outline->count; i++) {
        PlanPoint a = outline->corners[i], b = outline->corners[i + 1];
        int side = exact_side(a.x, a.z, b.x, b.z, x, z);
        if (side == 0 && within(x, a.x, b.x) && within(z, a.z, b.z)) return true;
        if ((a.z <= z) != (b.z <= z)) odd ^= (side > 0) == (a.z <= z);
    }
    return odd;
}

static void test_by_force(void **state) {
    (void)state;
    uint64_t seed = 5;
    int inside = 0;
    for (int round = 0; round < 200; round++) {
        TestRt test;
        Rt *rt = test_rt_open(&test);
        int count = 3 + round % 90;
        PlanPoint corners[100];
        for (int i = 0; i < count; i++) {
            PlanPoint p = {test_random(&seed) * 8, test_random(&seed) * 8};
            corners[i] = round % 2 ? (PlanPoint){floor(p.x), floor(p.z)} : p;
        }
        RtOutline *outline = outline_create(rt, corners, count);
        for (int k = 0; k < 500; k++) {
            double x = test_random(&seed) * 9, z = test_random(&seed) * 9;
            if (k % 2) x = floor(x), z = floor(z);
            bool want = contains_by_force(outline, x, z);
            assert_int_equal(outline_has_place(outline, x, z), want);
            assert_true(want ? outline_signed_distance(outline, x, z) <= 0
                             : outline_signed_distance(outline, x, z) > 0);
            inside += want;
        }
        test_rt_close(&test);
    }
    assert_true(inside > 20000 && inside < 80000);
}

static void test_curve(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtCurve *table = curve_create(rt, 3), *depth = curve_create(rt, 2);
    memcpy(table->keys, (double[]){0, 1, 25}, 3 * sizeof(double));
    memcpy(table->values, (double[]){30.3, 19.1, 0.15}, 3 * sizeof(double));
    memcpy(depth->keys, (double[]){0.5, 8}, 2 * sizeof(double));
    memcpy(depth->values, (double[]){0.5, 0.22}, 2 * sizeof(double));
    assert_true(curve_value(table, -3) == 30.3 && curve_value(table, 26) == 0.15 &&
                curve_value(table, 1) == 19.1);
    assert_true(fabs(curve_value(table, 13) - (19.1 + 0.15) / 2) < 1e-12);
    assert_true(isnan(curve_value(table, NAN)));
    RtCurve *bed = curve_add_scaled(rt, table, depth, -1);
    assert_int_equal(bed->count, 5);
    for (double x = -1; x < 30; x += 0.125)
        assert_true(fabs(curve_value(bed, x) - (curve_value(table, x) - curve_value(depth, x))) <
                    1e-12);
    test_rt_close(&test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dressed),  cmocka_unit_test(test_square), cmocka_unit_test(test_star),
        cmocka_unit_test(test_by_force), cmocka_unit_test(test_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
