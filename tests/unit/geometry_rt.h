/* An Rt of a test's own: an arena, no engine. Closures are C functions: `func` is an index in
 * rt_functions. */
#ifndef WORLD_TESTS_GEOMETRY_RT_H
#define WORLD_TESTS_GEOMETRY_RT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/rt/rt.h"

typedef double (*TestHeight)(double x, double z);
static TestHeight test_height;

typedef struct TestRt {
    Memory memory;
    Arena arena;
    Rt rt;
} TestRt;

static void test_run(Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in,
                     Slot *const *out) {
    (void)rt;
    (void)func;
    for (int64_t i = 0; i < n; i++)
        out[0][i].f = test_height(in[0][uniform & 1 ? 0 : i].f, in[2][uniform & 4 ? 0 : i].f);
}

static bool test_poll(Rt *rt) {
    (void)rt;
    return false;
}

static inline Rt *test_rt_open(TestRt *test) {
    static const RtHost host = {.run = test_run, .poll = test_poll};
    *test = (TestRt){0};
    memory_init(&test->memory, NULL, NULL, 0);
    arena_init(&test->arena, &test->memory);
    rt_init(&test->rt, &host, NULL, &test->arena);
    return &test->rt;
}

static inline void test_rt_close(TestRt *test) {
    rt_fini(&test->rt);
    arena_fini(&test->arena);
}

/* fn(point) meters that asks `height`. One at a time. */
static inline RtClosure *test_closure(Rt *rt, TestHeight height) {
    test_height = height;
    return rt_closure(rt, 0, 0, 0, 3, 1, false);
}

/* A generator of test numbers, -1 to 1. */
static inline double test_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

#endif
