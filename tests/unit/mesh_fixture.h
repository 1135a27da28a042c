/* What tests of meshes stand on: an arena, and an Rt that has no more. */
#ifndef WORLD_TESTS_UNIT_MESH_FIXTURE_H
#define WORLD_TESTS_UNIT_MESH_FIXTURE_H

#include "runtime/rt/rt.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

typedef struct Fixture {
    Memory memory;
    Arena arena;
    Rt rt;
} Fixture;

static int set_up(void **state) {
    Fixture *f = calloc(1, sizeof *f);
    memory_init(&f->memory, NULL, NULL, 0);
    arena_init(&f->arena, &f->memory);
    f->rt.arena = &f->arena;
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    Fixture *f = *state;
    arena_fini(&f->arena);
    free(f);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
