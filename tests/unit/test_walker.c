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

/* -- obstacles, on ground at 0: a wall, steps, a deck, a trunk, a low branch, a roof of triangles -- */

static double flat_height(void *user, double x, double z) {
    (void)user;
    (void)x;
    (void)z;
    return 0;
}

static const uint32_t box_triangles[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
static const double upright[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

typedef struct Yard {
    Memory memory;
    Arena arena;
    Obstacle obstacles[8];
    WalkerLand land;
} Yard;

static void begin_yard(Yard *yard) {
    *yard = (Yard){.land = {.height = flat_height, .gradient = no_gradient, .radius = 0.25, .tall = 1.7, .step = 0.4}};
    memory_init(&yard->memory, NULL, NULL, 0);
    arena_init(&yard->arena, &yard->memory);
    yard->land.obstacles = yard->obstacles;
}

static void add_box_by(Yard *yard, double x0, double x1, double y0, double y1, double z0, double z1, const double *rows) {
    double points[24];
    for (int i = 0; i < 8; i++)
        points[3 * i] = i & 1 ? x1 : x0, points[3 * i + 1] = i & 2 ? y1 : y0, points[3 * i + 2] = i & 4 ? z1 : z0;
    WorldSolid solid = {.kind = WORLD_SOLID_BOX, .points = points, .triangles = box_triangles, .point_count = 8, .triangle_count = 12};
    yard->obstacles[yard->land.obstacle_count++] = obstacle_make(&yard->arena, &solid, rows);
}

static void add_box(Yard *yard, double x0, double x1, double y0, double y1, double z0, double z1) {
    add_box_by(yard, x0, x1, y0, y1, z0, z1, upright);
}

static void add_capsule(Yard *yard, Vec3 from, Vec3 to, double radius) {
    WorldSolid solid = {.kind = WORLD_SOLID_CAPSULE, .from = {from.x, from.y, from.z}, .to = {to.x, to.y, to.z}, .radius = radius};
    yard->obstacles[yard->land.obstacle_count++] = obstacle_make(&yard->arena, &solid, upright);
}

static void assert_at(const Walker *walker, double x, double y, double z) {
    Vec3 at = walker->at;
    if (!(fabs(at.x - x) < 1e-6 && fabs(at.y - y) < 1e-6 && fabs(at.z - z) < 1e-6))
        fail_msg("(%.9g, %.9g, %.9g), not (%.9g, %.9g, %.9g)", at.x, at.y, at.z, x, y, z);
}

/* Straight at a wall it stops a radius before it; at a slant it goes on along it, and past its end. */
static void test_against_a_wall(void **state) {
    (void)state;
    Yard yard;
    begin_yard(&yard);
    add_box(&yard, 5, 5.3, 0, 3, -4, 4);
    Walker walker = walker_create(&yard.land, 0, 0);
    for (int i = 0; i < 100; i++)
        walker_step(&walker, 0.1, 0);
    assert_at(&walker, 4.75, 0, 0);
    assert_int_equal(walker_step(&walker, 0.1, 0), WALKER_STAYED);
    assert_int_equal(walker_step(&walker, 0.1, 0.1), WALKER_SLID);
    assert_at(&walker, 4.75, 0, 0.1);
    for (int i = 0; i < 60; i++)
        walker_step(&walker, 0.1, 0.1);
    assert_true(walker.at.x > 5.55 && walker.at.z > 4.25); /* round the corner, and on */
    walker = walker_create(&yard.land, 5.1, 0);             /* set down in it: out it may go */
    assert_int_equal(walker_step(&walker, 0.1, 0), WALKER_MOVED);
    for (int i = 0; i < 6; i++)
        walker_step(&walker, 0.1, 0);
    assert_true(walker.at.x > 5.5);
    arena_fini(&yard.arena);
}

/* Up a step of 40 cm and not of 41; over stairs, along a deck, and down where it ends; under the deck where that is high. */
static void test_steps_and_decks(void **state) {
    (void)state;
    Yard yard;
    begin_yard(&yard);
    add_box(&yard, 1, 2, 0, 0.4, -1, 1);
    add_box(&yard, 2, 3, 0, 0.8, -1, 1);
    add_box(&yard, 3, 9, 1, 1.2, -1, 1); /* a deck that is open below */
    add_box(&yard, 20, 21, 0, 0.41, -1, 1);
    Walker walker = walker_create(&yard.land, 0.05, 0);
    const double heights[] = {0, 0.4, 0.8, 1.2, 1.2};
    for (int i = 0; i < 5; i++) {
        assert_at(&walker, i + 0.05, heights[i], 0);
        for (int k = 0; k < 10; k++)
            walker_step(&walker, 0.1, 0);
    }
    for (int k = 0; k < 50; k++)
        walker_step(&walker, 0.1, 0);
    assert_at(&walker, 10.05, 0, 0);
    for (int k = 0; k < 50; k++)
        walker_step(&walker, -0.1, 0); /* back, against the deck's side */
    assert_at(&walker, 9.25, 0, 0);
    walker = walker_create(&yard.land, 19, 0);
    for (int k = 0; k < 50; k++)
        walker_step(&walker, 0.1, 0);
    assert_at(&walker, 19.75, 0, 0);
    walker = walker_create_from(&yard.land, 5, 9, 0);
    assert_at(&walker, 5, 1.2, 0);
    walker = walker_create_from(&yard.land, 5, 1.1, 0);
    assert_at(&walker, 5, 0, 0);
    arena_fini(&yard.arena);
}

/* Round a trunk, never nearer than both radii; under a branch that is higher than its head, not under a lower one; over a log that lies. */
static void test_trunks(void **state) {
    (void)state;
    Yard yard;
    begin_yard(&yard);
    add_capsule(&yard, (Vec3){3, -1, 0}, (Vec3){3, 9, 0}, 0.3);
    add_capsule(&yard, (Vec3){8, 2.1, -3}, (Vec3){8, 2.1, 3}, 0.2);
    add_capsule(&yard, (Vec3){12, 0.1, -3}, (Vec3){12, 0.1, 3}, 0.2);
    add_capsule(&yard, (Vec3){16, 1.8, -3}, (Vec3){16, 1.8, 3}, 0.2);
    Walker walker = walker_create(&yard.land, 0, 0.05);
    double nearest = 9;
    for (int i = 0; i < 120 && walker.at.x < 7.999; i++) {
        walker_step(&walker, 0.1, 0);
        nearest = fmin(nearest, sqrt((walker.at.x - 3) * (walker.at.x - 3) + walker.at.z * walker.at.z));
    }
    assert_true(nearest > 0.55 - 1e-6 && nearest < 0.56); /* along it */
    assert_true(walker.at.x >= 7.999 && walker.at.z > 0.5 && walker.at.y == 0);
    for (int i = 0; i < 39 || walker.at.x < 11.99; i++)
        walker_step(&walker, 0.1, 0);
    walker = walker_create_from(&yard.land, 12, 0.4, 0);
    assert_at(&walker, 12, 0.3, 0);
    walker = walker_create_from(&yard.land, 12.2, 0.4, 0);
    assert_at(&walker, 12.2, 0.1 + sqrt(0.04 - 0.075 * 0.075), 0); /* the foot's edge */
    for (int i = 0; i < 100; i++)
        walker_step(&walker, 0.1, 0);
    assert_true(walker.at.x > 15.5 && walker.at.x < 15.6); /* its head: 0.1 m over the axis's lowest */
    arena_fini(&yard.arena);
}

/* A turned, scaled wall of triangles; and the same way again, to the bit. */
static void test_turned(void **state) {
    (void)state;
    Walker ends[2];
    for (int run = 0; run < 2; run++) {
        Yard yard;
        begin_yard(&yard);
        const double eighth = 0.70710678118654757, rows[12] = {2 * eighth, 0, 2 * eighth, 4, 0, 2, 0, 0, -2 * eighth, 0, 2 * eighth, 0};
        add_box_by(&yard, -0.1, 0.1, 0, 1, -9, 9, rows);
        yard.obstacles[0].kind = WORLD_SOLID_MESH;
        Walker walker = walker_create(&yard.land, 0, 0);
        for (int i = 0; i < 100; i++)
            walker_step(&walker, 0.13, 0.01);
        /* The wall runs along (1, 1) through (4, 0): the walker is a radius and half its thickness off, on its side. */
        double off = (walker.at.x - 4 - walker.at.z) * eighth;
        assert_true(fabs(off + 0.45) < 1e-6 && walker.at.z > 3);
        ends[run] = walker;
        arena_fini(&yard.arena);
    }
    assert_memory_equal(&ends[0].at, &ends[1].at, sizeof ends[0].at);
}

/* A pier over deep water is walked on; beside it the sea's rule holds. */
static void test_pier(void **state) {
    (void)state;
    Yard yard;
    begin_yard(&yard);
    yard.land.height = cliff_height;
    yard.land.edge = WALKER_SEA;
    yard.land.wade = 0.6;
    add_box(&yard, 4, 30, 0.9, 1.1, -1, 1);
    Walker walker = walker_create(&yard.land, 0, 0);
    for (int i = 0; i < 200; i++)
        walker_step(&walker, 0.1, 0.001);
    assert_at(&walker, 20, 1.1, 0.2);
    for (int i = 0; i < 200; i++)
        walker_step(&walker, 0, 0.1); /* it does not step down into it */
    assert_true(walker.at.y == 1.1 && walker.at.z <= 1.125 && walker.at.z > 1);
    arena_fini(&yard.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shore),
        cmocka_unit_test(test_walks_out),
        cmocka_unit_test(test_one_axis),
        cmocka_unit_test(test_borders),
        cmocka_unit_test(test_against_a_wall),
        cmocka_unit_test(test_steps_and_decks),
        cmocka_unit_test(test_trunks),
        cmocka_unit_test(test_turned),
        cmocka_unit_test(test_pier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
