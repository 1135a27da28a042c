/* The circle index answers exactly what looking at every circle would: runtime/scatter/index.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "runtime/scatter/clear.h"

typedef struct Circle {
    double x, z, r;
} Circle;

static uint64_t next_random(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static double unit(uint64_t *state) {
    return (double)(next_random(state) >> 11) * 0x1p-53;
}

/* Radii from 0 and 0.01 to 40 cells of 6 m, most of them small; half of the places on a lattice, so
 * that circles touch exactly. */
static Circle random_circle(uint64_t *state, double origin) {
    double pick = unit(state), r = pick < 0.1   ? 0
                                   : pick < 0.8 ? 0.01 + 3 * unit(state)
                                                : 240 * unit(state) * unit(state);
    double x = 400 * unit(state), z = 400 * unit(state);
    if (pick < 0.5) {
        x = floor(x);
        z = floor(z);
        r = floor(r);
    }
    return (Circle){origin + x, origin - z, r};
}

static int brute_first(const Circle *circles, int n, Circle q) {
    for (int i = 0; i < n; i++) {
        double dx = circles[i].x - q.x, dz = circles[i].z - q.z, sum = circles[i].r + q.r;
        if (dx * dx + dz * dz < sum * sum) return i;
    }
    return -1;
}

static void check_origin(double origin, uint64_t seed) {
    enum { COUNT = 3000 };
    static Circle circles[COUNT];
    Memory memory;
    Arena arena;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    DiscIndex index;
    discs_init(&index, &arena);
    for (int i = 0; i < COUNT; i++) {
        Circle q = random_circle(&seed, origin);
        int expected = brute_first(circles, i, q);
        const DiscEntry *found = discs_first_overlap(&index, q.x, q.z, q.r);
        assert_int_equal(found ? found->tag : -1, expected);
        assert_int_equal(discs_overlap(&index, q.x, q.z, q.r), expected >= 0);
        circles[i] = random_circle(&seed, origin);
        if (i % 3 == 0) circles[i].r = unit(&seed) * 0.02; /* keep room for clear answers */
        discs_add(&index, circles[i].x, circles[i].z, circles[i].r, i);
    }
    arena_fini(&arena);
}

static void test_equals_definition(void **state) {
    (void)state;
    check_origin(0, 1);
    check_origin(-200, 2);
    check_origin(1e6, 3);
}

static void test_touching_is_clear(void **state) {
    (void)state;
    Memory memory;
    Arena arena;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    DiscIndex index;
    discs_init(&index, &arena);
    discs_add(&index, 0, 0, 2, 0);
    assert_false(discs_overlap(&index, 5, 0, 3));
    assert_true(discs_overlap(&index, 4.999999, 0, 3));
    assert_false(discs_overlap(&index, 2, 0, 0));
    assert_true(discs_overlap(&index, 1.999999, 0, 0));
    arena_fini(&arena);
}

static void test_footprint_grows_squarely(void **state) {
    (void)state;
    Footprint plain = {
        .x = -16, .z = 330, .cos = 1, .sin = 0, .x0 = -2, .x1 = 3, .z0 = -6, .z1 = 0};
    double depth;
    /* In the grown corner a round grow would answer clear. */
    assert_true(footprint_contains(&plain, -12.1, 330.9, 1, &depth));
    assert_float_equal(depth, 0.1, 1e-9);
    assert_false(footprint_contains(&plain, -12, 330.9, 1, &depth)); /* on the edge: clear */
    /* A quarter turn counterclockwise seen from above takes east (+x) to north (-z). */
    Footprint turned = plain;
    turned.cos = 0;
    turned.sin = 1;
    assert_true(footprint_contains(&turned, -16, 330 - 2.9, 0.5, &depth));
    assert_false(footprint_contains(&turned, -16, 330 + 2.9, 0.5, &depth));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_definition),
        cmocka_unit_test(test_touching_is_clear),
        cmocka_unit_test(test_footprint_grows_squarely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
