/* A host as a test of the public header is one: an engine with a world, of which nothing may go wrong unsaid; and one
 * that lives in scarcity, whose allocator fails from a wish on.
 */
#ifndef WORLD_TESTS_SUPPORT_HOST_H
#define WORLD_TESTS_SUPPORT_HOST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world/world.h"

/* Machine code always, where this build has any. */
static inline WorldExec exec_compiled(void) {
#ifdef NO_MACHINE_CODE
    return WORLD_EXEC_INTERPRETER;
#else
    return WORLD_EXEC_JIT_ALWAYS;
#endif
}

typedef struct Host {
    WorldEngine *engine;
    World *world;
} Host;

static inline void must(const Host *host, WorldStatus status) {
    if (status == WORLD_OK) return;
    fail_msg("%s\n%s", world_status_text(status),
             world_diagnostics_text(host->engine, host->world, WORLD_STYLE_HUMAN));
}

static inline World *open_text(const Host *host, const char *text) {
    World *world = NULL;
    must(host, world_open_text(host->engine, text, strlen(text), &(WorldDesc){0}, &world));
    return world;
}

static inline Host open_host(WorldEngineDesc desc, const char *text) {
    Host host = {0};
    must(&host, world_engine_create(&desc, &host.engine));
    if (text) host.world = open_text(&host, text);
    return host;
}

/* For a test that is given a host: `desc` says which. */
static inline int begin_host(void **state, WorldEngineDesc desc, const char *text) {
    Host *host = calloc(1, sizeof *host);
    *host = open_host(desc, text);
    *state = host;
    return 0;
}

static inline int end_host(void **state) {
    Host *host = *state;
    world_engine_destroy(host->engine);
    free(host);
    return 0;
}

static inline const char *ask_text(const Host *host, const char *expression, char *out, size_t size) {
    WorldValue *value;
    must(host, world_ask(host->world, expression, &value));
    snprintf(out, size, "%s", world_value_text(value));
    world_value_destroy(value);
    return out;
}

#define assert_answer(host, expression, expected)                                                  \
    do {                                                                                           \
        char text_[256];                                                                           \
        assert_string_equal(ask_text(host, expression, text_, sizeof text_), expected);            \
    } while (0)

/* The number of the first diagnostic; an engine without a world has its own list. */
static inline void assert_first_id(const Host *host, const World *world, const char *id) {
    WorldDiagnostic first = {.size = sizeof first};
    assert_int_equal(world_diagnostic(host->engine, world, 0, &first), WORLD_OK);
    assert_string_equal(first.id, id);
}

/* -- scarcity -- */

typedef struct Scarce { /* also knows how many blocks it still has to get back */
    long wishes, limit, held;
} Scarce;

static inline void *scarce_resize(void *user, void *pointer, size_t old_size, size_t new_size) {
    Scarce *scarce = user;
    if (new_size == 0) {
        __atomic_sub_fetch(&scarce->held, pointer != NULL, __ATOMIC_RELAXED);
        free(pointer);
        return NULL;
    }
    if (__atomic_add_fetch(&scarce->wishes, 1, __ATOMIC_RELAXED) > scarce->limit) return NULL;
    void *fresh = malloc(new_size);
    if (pointer)
        memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
    else
        __atomic_add_fetch(&scarce->held, 1, __ATOMIC_RELAXED);
    free(pointer);
    return fresh;
}

static inline WorldEngineDesc scarce_desc(Scarce *scarce) {
    return (WorldEngineDesc){
        .allocator = {scarce_resize, scarce}, .exec = WORLD_EXEC_INTERPRETER, .threads = 1};
}

/* Lives until no wish of the life fails any more: each other ends with WORLD_ERROR_MEMORY, and all is given back. */
static inline void assert_scarcity(WorldStatus (*live)(Scarce *scarce)) {
    WorldStatus status = WORLD_ERROR_MEMORY;
    long limit = 0;
    for (; status != WORLD_OK && limit < 10000000; limit += 1 + limit / 40) {
        Scarce scarce = {.limit = limit};
        status = live(&scarce);
        if (status != WORLD_OK) assert_int_equal(status, WORLD_ERROR_MEMORY);
        if (scarce.held != 0)
            fail_msg("%ld blocks lost when wish %ld failed", scarce.held, limit + 1);
    }
    assert_int_equal(status, WORLD_OK);
    assert_true(limit > 50);
}

/* Asks the world's checks with ever more memory until it suffices: each other time says that it did not, and the world is as it was, with
 * seed 7. Then all is given back. */
static inline void check_until_memory_suffices(Host *host, Scarce *scarce) {
    WorldStatus status = WORLD_ERROR_MEMORY;
    long room = 0;
    for (; status != WORLD_OK && room < 1000000; room++) {
        scarce->limit = scarce->wishes + room;
        status = world_check(host->world);
        scarce->limit = 10000000;
        if (status != WORLD_OK) assert_int_equal(status, WORLD_ERROR_MEMORY);
        assert_answer(host, "seed", "7");
    }
    assert_true(room > 3);
    world_engine_destroy(host->engine);
    assert_int_equal(scarce->held, 0);
}

#endif
