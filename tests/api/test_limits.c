/* Limits as a host meets them: what is told to end does, wherever it is, and says why; and a clock counts from the
 * operation's own begin. Bounds on time are wide: the machine may be busy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "world/world.h"

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static WorldEngine *make_engine(WorldEngineDesc desc) {
    WorldEngine *engine = NULL;
    assert_int_equal(world_engine_create(&desc, &engine), WORLD_OK);
    return engine;
}

static World *open_world(WorldEngine *engine, const char *text) {
    World *world = NULL;
    if (world_open_text(engine, text, strlen(text), &(WorldDesc){0}, &world) != WORLD_OK)
        fail_msg("%s", world_diagnostics_text(engine, NULL, WORLD_STYLE_HUMAN));
    return world;
}

static void assert_diagnostic(const WorldEngine *engine, const World *world, const char *id, const char *part) {
    WorldDiagnostic first = {.size = sizeof first};
    assert_int_equal(world_diagnostic(engine, world, 0, &first), WORLD_OK);
    assert_string_equal(first.id, id);
    if (!strstr(first.message, part)) fail_msg("%s", first.message);
}

/* -- opening -- */

/* Functions that call one another with ever more types: 2^levels of them, of which no more than a limit are made. */
static char *doubling(int levels) {
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    fprintf(to, "fn f0[T](x: T) int { 1 }\n");
    for (int i = 1; i < levels; i++) fprintf(to, "fn f%d[T](x: T) int { f%d([x]) + f%d((x, 1)) }\n", i, i - 1, i - 1);
    fprintf(to, "field r = f%d(1)\n", levels - 1);
    fclose(to);
    return text;
}

typedef struct Hook {
    int asked;
    bool stops;
} Hook;

static bool on_progress(void *user, const char *what, double seconds) {
    Hook *hook = user;
    assert_non_null(what);
    assert_true(seconds >= 0);
    hook->asked++;
    return hook->stops;
}

static WorldStatus try_open(WorldEngine *engine, const char *text, Hook *hook) {
    World *world = NULL;
    WorldDesc desc = {.progress = on_progress, .progress_user = hook};
    WorldStatus status = world_open_text(engine, text, strlen(text), &desc, &world);
    if (status != WORLD_OK) assert_null(world);
    return status;
}

static void test_hook_stops_opening(void **state) {
    (void)state;
    WorldEngine *engine = make_engine((WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER});
    char *text = doubling(40);
    Hook hook = {.stops = true};
    assert_int_equal(try_open(engine, text, &hook), WORLD_ERROR_LIMIT);
    assert_int_equal(hook.asked, 1);
    assert_diagnostic(engine, NULL, "E0514", "stopped before it was done");
    free(text);
    world_engine_destroy(engine);
}

static void test_time_limit_of_opening(void **state) {
    (void)state;
    WorldEngine *engine =
        make_engine((WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER, .limits.build_seconds = 0.05});
    char *text = doubling(40);
    double begin = now();
    assert_int_equal(try_open(engine, text, &(Hook){0}), WORLD_ERROR_LIMIT);
    assert_true(now() - begin < 5);
    assert_diagnostic(engine, NULL, "E0514", "the time limit of 0.05 s");
    free(text);
    world_engine_destroy(engine);
}

static void test_instances_are_bounded(void **state) {
    (void)state;
    WorldEngine *engine = make_engine((WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER});
    char *text = doubling(64);
    assert_int_equal(try_open(engine, text, &(Hook){0}), WORLD_ERROR_LIMIT);
    assert_diagnostic(engine, NULL, "E0601", "over the limit of 20000");
    free(text);
    world_engine_destroy(engine);
}

static void test_memory_of_opening(void **state) {
    (void)state;
    WorldEngine *engine =
        make_engine((WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER, .limits.memory_bytes = 16 << 20});
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    for (int i = 0; ftell(to) < 1 << 20; i++) fprintf(to, "field a%d = %d m\n", i, i);
    fclose(to);
    assert_int_equal(try_open(engine, text, &(Hook){0}), WORLD_ERROR_MEMORY);
    assert_diagnostic(engine, NULL, "E0602", "16777216 bytes");
    free(text);
    world_close(open_world(engine, "field a = 1\n")); /* all of it is given back */
    world_engine_destroy(engine);
}

/* -- the clock -- */

/* It counts from each operation's own begin, not from what was before. */
static void test_clock_begins_with_the_operation(void **state) {
    (void)state;
    WorldEngine *engine = make_engine((WorldEngineDesc){.limits.build_seconds = 1.5});
    World *world = open_world(engine, "fn f(here: point) meters { here.x * 2 }\nfield a: meters = 3 m\n");
    WorldFunction f;
    WorldField a;
    double place[3] = {2, 0, 0}, plan[2] = {2, 0}, answer = 0;
    assert_int_equal(world_function(world, "f", "fn(point) meters", &f), WORLD_OK);
    assert_int_equal(world_field(world, "a", "meters", &a), WORLD_OK);
    usleep(1600000);
    assert_int_equal(world_call(world, f, place, &answer), WORLD_OK);
    assert_true(answer == 4);
    assert_int_equal(world_call_batch(world, f, 1, place, &answer), WORLD_OK);
    assert_int_equal(world_heights(world, f, 1, plan, &answer), WORLD_OK);
    assert_int_equal(world_field_get(world, a, &answer), WORLD_OK);
    assert_int_equal(world_field_set(world, a, place), WORLD_OK);
    assert_int_equal(world_build(world), WORLD_OK);
    assert_int_equal(world_call_batch(world, f, 0, NULL, NULL), WORLD_OK);
    world_engine_destroy(engine);
}

static int64_t sleepy(void *user, int64_t n) {
    __atomic_fetch_add((int *)user, 1, __ATOMIC_RELAXED);
    usleep(20000);
    return n;
}

/* A host's function that takes its time, in a loop and on all threads; each would sleep for a minute. */
static void test_host_function_that_sleeps(void **state) {
    (void)state;
    static const char text[] = "fn one(n: int) int {\n  var s = 0\n  each i in 0 ..< n { s += sleepy(i) }\n  s\n}\n"
                               "fn many(n: int) int { (0 ..< n).toList().map(i => sleepy(i)).length() }\n";
    static const char *const questions[] = {"one(3000)", "many(12000)"};
    int calls = 0;
    WorldEngine *engine = make_engine((WorldEngineDesc){.threads = 4, .limits.build_seconds = 2});
    assert_int_equal(world_register(engine, "sleepy(n: int) int", (void (*)(void))sleepy, &calls), WORLD_OK);
    World *world = open_world(engine, text);
    for (int i = 0; i < 2; i++) {
        WorldValue *value = NULL;
        double begin = now();
        assert_int_equal(world_ask(world, questions[i], &value), WORLD_ERROR_LIMIT);
        assert_true(now() - begin < 30);
        assert_diagnostic(engine, world, "E0514", "the time limit of 2 s");
    }
    assert_in_range(calls, 2, 1000);
    world_engine_destroy(engine);
}

/* -- what is made outlives what made it -- */

static void test_values_after_their_engine(void **state) {
    (void)state;
    WorldEngine *engine = make_engine((WorldEngineDesc){0});
    World *world = open_world(engine, "record pair\n  a: int\n  b: text\nfield xs = [pair(a: 1, b: \"x\")]\n");
    WorldValue *value = NULL;
    WorldTable *table = NULL;
    assert_int_equal(world_ask(world, "xs", &value), WORLD_OK);
    assert_int_equal(world_table(world, "xs", &table), WORLD_OK);
    world_close(world);
    world_engine_destroy(engine);
    assert_string_equal(world_value_text(value), "[pair(a: 1, b: \"x\")]");
    assert_int_equal(world_value_count(value), 1);
    world_value_destroy(value);
    world_table_destroy(table);
}

/* -- depth -- */

/* Parts as deep as members are made, and a reload that judges each by the one it stands in. */
static void test_deep_parts_reload(void **state) {
    (void)state;
    static const char text[] = "part f\n  field deep: int = 3\n  field sum: int = deep + 1\n  if deep > 0 {\n"
                               "    part inner[0]: f(deep: deep - 1)\n  }\npart g: f(deep: 3000)\n";
    char path[] = "/tmp/world_limits_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    WorldEngine *engine = make_engine((WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER});
    World *world = NULL;
    uint64_t before, after;
    assert_int_equal(world_open_file(engine, path, &(WorldDesc){0}, &world), WORLD_OK);
    assert_int_equal(world_hash(world, &before), WORLD_OK);
    assert_int_equal(world_reload(world), WORLD_OK);
    assert_int_equal(world_hash(world, &after), WORLD_OK);
    assert_true(before == after);
    world_engine_destroy(engine);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hook_stops_opening),
        cmocka_unit_test(test_time_limit_of_opening),
        cmocka_unit_test(test_instances_are_bounded),
        cmocka_unit_test(test_memory_of_opening),
        cmocka_unit_test(test_clock_begins_with_the_operation),
        cmocka_unit_test(test_host_function_that_sleeps),
        cmocka_unit_test(test_values_after_their_engine),
        cmocka_unit_test(test_deep_parts_reload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
