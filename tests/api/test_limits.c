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

/* -- long work over lands -- */

typedef struct Waiting {
    World *world;
    const char *task; /* that is waited for */
    double done, stops_at; /* the share that was told last; from which on it is told to stop */
    int told;
    double stopped; /* when */
} Waiting;

static bool wait_for(void *user, const char *what, double seconds) {
    Waiting *waiting = user;
    const char *task = NULL;
    double done = world_progress(waiting->world, &task);
    (void)seconds;
    assert_true(done >= -1 && done <= 1 && (done >= 0) == (task[0] != '\0'));
    if (strcmp(task, waiting->task) != 0) return false;
    assert_string_equal(what, "land");
    assert_true(done >= waiting->done);
    waiting->done = done;
    waiting->told++;
    if (done < waiting->stops_at) return false;
    if (waiting->stopped == 0) waiting->stopped = now();
    return true;
}

/* It tells how much of it is done, on one thread and on three; told to stop, as by Control-C, or out of time, it ends soon. */
static void test_long_work_tells_and_stops(void **state) {
    (void)state;
    static const char *const works[][2] = {
        {"erosion", "erosion.erodeCpu(bare(300), erosion.wear(steps: 1000000)).ground"},
        {"stream power", "erosion.streamPower(bare(300), spec: erosion.uplift(steps: 100000))"},
        {"drainage", "drainage.filled(bare(1500), epsilon: 1 mm)"}};
    for (int i = 0; i < 6; i++) {
        const char *const *work = works[i % 3];
        char text[400];
        bool late = i == 3 || i == 4; /* drainage is done before */
        snprintf(text, sizeof text, "use erosion\nuse drainage\nfn bare(points: int) heightGrid { heightGrid(cell: 5 m, points: points, height: p => 300 m * fbm(p.x / 700 m, p.z / 700 m, seed: 3, octaves: 3)) }\n"
                 "field land: heightGrid = %s\n", work[1]);
        WorldEngine *engine = make_engine((WorldEngineDesc){.threads = i < 3 ? 1 : 3, .limits.build_seconds = late ? 1 : 0});
        Waiting waiting = {.task = work[0], .stops_at = late ? 2 : i % 3 == 2 ? 0.5 : 1e-5};
        WorldDesc desc = {.progress = wait_for, .progress_user = &waiting};
        assert_int_equal(world_open_text(engine, text, strlen(text), &desc, &waiting.world), WORLD_OK);
        assert_true(world_progress(waiting.world, NULL) == -1);
        double begin = now();
        WorldStatus status = world_build(waiting.world);
        if (status == WORLD_OK && i % 3 == 2) { /* a fast machine */
            world_engine_destroy(engine);
            continue;
        }
        assert_int_equal(status, WORLD_ERROR_LIMIT);
        assert_true(waiting.told > 0 && now() - (late ? begin : waiting.stopped) < 60); /* unstopped they take hours */
        assert_diagnostic(engine, waiting.world, "E0514", late ? "the time limit of 1 s" : "stopped before it was done");
        assert_true(world_progress(waiting.world, NULL) == -1);
        world_engine_destroy(engine);
    }
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
        cmocka_unit_test(test_long_work_tells_and_stops),
        cmocka_unit_test(test_values_after_their_engine),
        cmocka_unit_test(test_deep_parts_reload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
