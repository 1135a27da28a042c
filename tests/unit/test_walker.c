/* Walkers at every edge; the sea's rule on a cone of an island, in a narrow inlet, and from deep
 * water out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "runtime/walker/walker.h"

/* A cone: 10 m high in the middle, the shore at 20 m, -0.6 m at 21.2 m. */
static double cone_height(void *user, double x, double z) {
    (void)user;
    return 10 - 0.5 * sqrt(x * x + z * z);
}

static Vec3 cone_gradient(void *user, double x, double z) {
    (void)user;
    double r = sqrt(x * x + z * z);
    return r > 0 ? (Vec3){-0.5 * x / r, 0, -0.5 * z / r} : (Vec3){0, 0, 0};
}

static const WalkerLand cone = {
    .height = cone_height, .gradient = cone_gradient, .edge = WALKER_SEA, .wade = 0.6};

static void test_shore(void **state) {
    (void)state;
    Walker walker = walker_create(&cone, 0, 0);
    for (int i = 0; i < 1000; i++)
        walker_step(&walker, 0.05, 0); /* straight into the sea */
    assert_true(walker.at.y >= -0.6 && walker.at.y < -0.55 && walker.at.x < 21.2);
    double swept = 0, before = walker.at.z;
    for (int i = 0; i < 400; i++) { /* at a slant: slides round the shore, never deeper */
        WalkerOutcome outcome = walker_step(&walker, 0.05, 0.05);
        assert_true(outcome == WALKER_MOVED || outcome == WALKER_SLID || outcome == WALKER_STAYED);
        assert_true(walker.at.y >= -0.6);
        swept += fabs(walker.at.z - before);
        before = walker.at.z;
    }
    assert_true(swept > 10);
}

static void test_walks_out(void **state) {
    (void)state;
    Walker walker = walker_create(&cone, 40, 0); /* set down 10 m deep */
    assert_true(walker.at.y == -10);
    assert_int_equal(walker_step(&walker, 0.5, 0), WALKER_STAYED);
    assert_true(walker.at.x == 40 && walker.at.y == -10);
    for (int i = 0; i < 100; i++)
        walker_step(&walker, -0.5, 0);
    assert_true(walker.at.y > -0.6);
}

/* Deep water to the east; the slope says nothing (a cliff), so one axis is tried after the other.
 */
static double cliff_height(void *user, double x, double z) {
    (void)user;
    (void)z;
    return x < 5 ? 1 : -8;
}

static Vec3 no_gradient(void *user, double x, double z) {
    (void)user;
    (void)x;
    (void)z;
    return (Vec3){0, 0, 0};
}

static void test_one_axis(void **state) {
    (void)state;
    WalkerLand land = {
        .height = cliff_height, .gradient = no_gradient, .edge = WALKER_SEA, .wade = 0.6};
    Walker walker = walker_create(&land, 4.9, 0);
    assert_int_equal(walker_step(&walker, 0.2, 0.3), WALKER_SLID);
    assert_true(walker.at.x == 4.9 && walker.at.z == 0.3);
    assert_int_equal(walker_step(&walker, 0.2, 0), WALKER_STAYED);
    assert_int_equal(walker_step(&walker, NAN, 0), WALKER_STAYED);
    assert_int_equal(walker_step(&walker, -0.2, 0), WALKER_MOVED);
}

static void test_borders(void **state) {
    (void)state;
    WalkerLand land = {.height = cliff_height,
                       .gradient = no_gradient,
                       .x0 = -10,
                       .x1 = 10,
                       .z0 = -10,
                       .z1 = 10,
                       .edge = WALKER_WALL,
                       .fall_to = {1, -100, 2}};
    Walker walker = walker_create(&land, 9, 9);
    assert_int_equal(walker_step(&walker, 3, -1), WALKER_SLID);
    assert_true(walker.at.x == 10 && walker.at.z == 8);
    assert_int_equal(walker_step(&walker, 3, 0), WALKER_STAYED);
    land.edge = WALKER_WRAP;
    assert_int_equal(walker_step(&walker, 3, 0), WALKER_CROSSED);
    assert_true(walker.at.x == -7 && walker.at.z == 8);
    assert_int_equal(walker_step(&walker, -43, 1), WALKER_CROSSED);
    assert_true(walker.at.x == -10 && walker.at.z == 9);
    land.x0 = 0; /* a hair west of the border rounds to the far one, which is the near one */
    walker.at.x = 0;
    assert_int_equal(walker_step(&walker, -1e-20, 0), WALKER_CROSSED);
    assert_true(walker.at.x == 0);
    land.x0 = -10;
    walker.at.x = -10;
    land.edge = WALKER_FALL;
    assert_int_equal(walker_step(&walker, 0, 1),
                     WALKER_MOVED); /* the border itself is still land */
    assert_int_equal(walker_step(&walker, 0, 0.1), WALKER_FELL);
    assert_true(walker.at.x == 1 && walker.at.y == -100 && walker.at.z == 2);
    land.edge = WALKER_OPEN;
    assert_int_equal(walker_step(&walker, 0, 0), WALKER_STAYED); /* no step, whatever the edge */
    assert_true(walker.at.y == -100);
    assert_int_equal(walker_step(&walker, 1000, 0), WALKER_MOVED);
    assert_true(walker.at.y == -8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shore),
        cmocka_unit_test(test_walks_out),
        cmocka_unit_test(test_one_axis),
        cmocka_unit_test(test_borders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
