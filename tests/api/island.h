/* The island of the specification, for tests that ask what is known of it through the public header. */
#ifndef WORLD_TESTS_API_ISLAND_H
#define WORLD_TESTS_API_ISLAND_H

#include <math.h>

#include "tests/support/host.h"
#include "tests/support/things.h"

static inline Host open_island(WorldEngineDesc desc) {
    Host island = open_host(desc, NULL);
    must(&island, world_open_file(island.engine, getenv("ISLAND"), &(WorldDesc){0}, &island.world));
    return island;
}

/* One opened and used by the tests that only ask. */
static Host shared;

static inline int setup(void **state) {
    (void)state;
    shared = open_island((WorldEngineDesc){0});
    return 0;
}

static inline int teardown(void **state) {
    (void)state;
    world_engine_destroy(shared.engine);
    return 0;
}

static inline void ask(const char *expression, double out[3]) {
    WorldValue *value;
    must(&shared, world_ask(shared.world, expression, &value));
    out[0] = NAN;
    world_value_numbers(value, out);
    world_value_destroy(value);
}

static inline double number(const char *expression) {
    double out[3];
    ask(expression, out);
    return out[0];
}

static inline WorldFunction function(const char *name, const char *signature) {
    WorldFunction f;
    assert_int_equal(world_function(shared.world, name, signature, &f), WORLD_OK);
    return f;
}

static inline double at(WorldFunction f, double x, double z) {
    double p[3] = {x, 0, z}, answer;
    assert_int_equal(world_call(shared.world, f, p, &answer), WORLD_OK);
    return answer;
}

static inline Things placed(const char *path) {
    Things things;
    assert_int_equal(things_read(shared.world, path, &things), WORLD_OK);
    return things;
}

#endif
