/* The public interface as a host uses it. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world/world.h"

typedef struct Host {
    WorldEngine *engine;
    World *world;
} Host;

static void must(const Host *host, WorldStatus status) {
    if (status == WORLD_OK) return;
    fail_msg("%s\n%s", world_status_text(status),
             world_diagnostics_text(host->engine, host->world, WORLD_STYLE_HUMAN));
}

static int open_small(void **state) {
    Host *host = calloc(1, sizeof *host);
    must(host, world_engine_create(&(WorldEngineDesc){.threads = 2}, &host->engine));
    must(host, world_open_file(host->engine, getenv("SMALL_WORLD"), &(WorldDesc){0}, &host->world));
    *state = host;
    return 0;
}

static int close_small(void **state) {
    Host *host = *state;
    world_engine_destroy(host->engine);
    free(host);
    return 0;
}

static const char *ask_text(const Host *host, const char *expression, char *out, size_t size) {
    WorldValue *value;
    must(host, world_ask(host->world, expression, &value));
    snprintf(out, size, "%s", world_value_text(value));
    world_value_destroy(value);
    return out;
}

/* The number of the first diagnostic; an engine without a world has its own list. */
static void assert_first_id(const Host *host, const World *world, const char *id) {
    WorldDiagnostic first = {.size = sizeof first};
    assert_int_equal(world_diagnostic(host->engine, world, 0, &first), WORLD_OK);
    assert_string_equal(first.id, id);
}

#define assert_answer(host, expression, expected)                                                  \
    do {                                                                                           \
        char text_[256];                                                                           \
        assert_string_equal(ask_text(host, expression, text_, sizeof text_), expected);            \
    } while (0)

static void test_answers(void **state) {
    const Host *host = *state;
    assert_answer(host, "land.height((0, 0, 330))", "4.6 m");
    assert_answer(host, "top", "4.6 m");
    assert_answer(host, "seed", "7");
    assert_answer(host, "90 deg", "90 deg");
    assert_answer(host, "12 deg", "12 deg");
    assert_answer(host, "3 m / 2 s", "1.5 m/s");
    assert_answer(host, "2 m * 3 m", "6 m^2");
    assert_answer(host, "1 / 4 s", "0.25 1/s");
    assert_answer(host, "yard.gate.at", "(5, 0, 0) m");
    assert_answer(host, "yard.stake[2].tall", "2 m");
    assert_answer(host, "yard.gate", "yard.gate");
    assert_answer(host, "yard.stake", "[yard.stake[0], yard.stake[1], yard.stake[2]]");
    assert_answer(host, "[1, 2, 3]", "[1, 2, 3]");
    assert_answer(host, "(1 m, true)", "(1 m, true)");
    assert_answer(host, "\"a\" + \"b\"", "\"ab\"");
    assert_answer(host, "yard.gate.shade", "(0.5, 0.5, 0.5)");
    assert_answer(host, "land.grid", "heightGrid of 129 x 129, 4 m apart");
    assert_answer(host, "1 < 2 && 2 < 3", "true");
}

static void test_value_tree(void **state) {
    const Host *host = *state;
    WorldValue *value;
    double numbers[3];
    must(host, world_ask(host->world, "[(1, 2, 3), (4, 5, 6.5)]", &value));
    assert_int_equal(world_value_kind(value), WORLD_VALUE_LIST);
    assert_int_equal(world_value_count(value), 2);
    const WorldValue *second = world_value_item(value, 1);
    assert_int_equal(world_value_kind(second), WORLD_VALUE_VECTOR);
    assert_int_equal(world_value_numbers(second, numbers), 3);
    assert_true(numbers[2] == 6.5);
    assert_null(world_value_item(value, 2));
    assert_string_equal(world_value_json(value), "[[1,2,3],[4,5,6.5]]");
    world_value_destroy(value);
}

static void test_calls(void **state) {
    const Host *host = *state;
    WorldFunction height, twice;
    int arguments, results;
    must(host, world_function(host->world, "land.height", "fn(point) meters", &height));
    must(host, world_function_shape(host->world, height, &arguments, &results));
    assert_int_equal(arguments, 3);
    assert_int_equal(results, 1);
    double place[3] = {0, 0, 330}, y = 0;
    must(host, world_call(host->world, height, place, &y));
    assert_true(y == 4.6);

    enum { N = 5000 };
    static double xz[2 * N], rows[3 * N], out[N], again[N];
    for (int i = 0; i < N; i++) {
        rows[3 * i] = xz[2 * i] = i % 211;
        rows[3 * i + 2] = xz[2 * i + 1] = -(i % 197);
    }
    must(host, world_heights(host->world, height, N, xz, out));
    must(host, world_call_batch(host->world, height, N, rows, again));
    for (int i = 0; i < N; i++) {
        must(host, world_call(host->world, height, &rows[3 * i], &y));
        assert_true(out[i] == y && again[i] == y);
    }

    must(host, world_function(host->world, "land.double", "fn(point, int) meters", &twice));
    union {
        double number;
        int64_t whole;
    } row[4] = {{.number = 0}, {.number = 0}, {.number = 0}, {.whole = 3}};
    must(host, world_call(host->world, twice, row, &y));
    assert_true(y == 4.6 * 3);
}

static void test_call_expression(void **state) {
    const Host *host = *state;
    WorldFunction function;
    double place[3] = {120, 0, -120}, y = 0;
    must(host, world_function(host->world, "fn(here: point) { land.height(here) + 1 m }", NULL,
                              &function));
    must(host, world_call(host->world, function, place, &y));
    assert_true(y == 4.6 + 5 + 1);
}

static void test_wrong_calls(void **state) {
    const Host *host = *state;
    WorldFunction function = {0};
    WorldValue *value;
    double y;
    assert_int_equal(world_function(host->world, "land.height", "fn(point) number", &function),
                     WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_diagnostic_count(host->engine, host->world), 1);
    assert_first_id(host, host->world, "E0803");
    assert_int_equal(world_function(host->world, "lerp", NULL, &function), WORLD_ERROR_WORLD);
    assert_first_id(host, host->world, "E0412");
    assert_int_equal(world_call(host->world, function, &y, &y), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_ask(host->world, "land.hieght((0, 0, 0))", &value), WORLD_ERROR_WORLD);
    assert_true(world_diagnostic_count(host->engine, host->world) > 0);
    assert_int_equal(world_ask(host->world, "1 +", &value), WORLD_ERROR_WORLD);
    assert_int_equal(world_ask(host->world, "[1, 2][5]", &value), WORLD_ERROR_WORLD);
    WorldDiagnostic diagnostic = {.size = sizeof diagnostic};
    assert_int_equal(world_diagnostic(host->engine, host->world, 0, &diagnostic), WORLD_OK);
    assert_string_equal(diagnostic.id, "E0503");
    assert_answer(host, "1 + 1", "2"); /* and all is well again */
}

static void test_set(void **state) {
    const Host *host = *state;
    assert_answer(host, "doubled", "9.2 m");
    assert_answer(host, "yard.gate.at", "(5, 0, 0) m");
    uint64_t before = world_evaluations(host->world);
    must(host, world_set(host->world, "base", "10 m"));
    assert_answer(host, "doubled", "21.2 m");
    assert_answer(host, "yard.gate.at", "(5, 0, 0) m");
    assert_int_equal(world_evaluations(host->world) - before,
                     2); /* top and doubled, and nothing else */
    assert_int_equal(world_set(host->world, "base", "10 s"), WORLD_ERROR_WORLD);
    assert_int_equal(world_set(host->world, "bse", "10 m"), WORLD_ERROR_NOT_FOUND);
}

typedef struct Seen {
    int count;
    double gate[3], turn;
} Seen;

static bool see(void *user, const WorldPartInfo *part) {
    Seen *seen = user;
    seen->count++;
    if (strcmp(part->path, "yard.gate") == 0) {
        memcpy(seen->gate, part->at, sizeof seen->gate);
        seen->turn = part->turn;
        assert_string_equal(part->design, "post");
        assert_int_equal(part->depth, 1);
    }
    return true;
}

/* A visitor may ask the world that called it. */
static bool ask_tall(void *user, const WorldPartInfo *part) {
    const Host *host = user;
    char expression[64], text[64];
    if (strncmp(part->path, "yard.stake", 10) != 0) return true;
    snprintf(expression, sizeof expression, "%s.tall >= 1 m", part->path);
    assert_string_equal(ask_text(host, expression, text, sizeof text), "true");
    return true;
}

static void test_asking_visitor(void **state) {
    Host *host = *state;
    must(host, world_parts(host->world, "", ask_tall, host));
}

static void test_parts(void **state) {
    const Host *host = *state;
    Seen seen = {0};
    must(host, world_parts(host->world, "", see, &seen));
    assert_int_equal(seen.count, 6); /* land, yard, its gate and three stakes */
    /* A quarter turn takes east to north: the gate, 5 m east in the yard, is 5 m north of it. */
    assert_true(seen.gate[0] > 10 - 1e-9 && seen.gate[0] < 10 + 1e-9);
    assert_true(seen.gate[2] > 15 - 1e-9 && seen.gate[2] < 15 + 1e-9);
    seen.count = 0;
    must(host, world_parts(host->world, "yard.stake", see, &seen));
    assert_int_equal(seen.count, 3);
    assert_int_equal(world_parts(host->world, "top", see, &seen), WORLD_ERROR_NOT_FOUND);
}

static void test_build_and_hash(void **state) {
    const Host *host = *state;
    uint64_t first, second;
    WorldGridView grid = {.size = sizeof grid};
    must(host, world_build(host->world));
    uint64_t before = world_evaluations(host->world);
    must(host, world_hash(host->world, &first));
    assert_int_equal(world_evaluations(host->world), before);
    must(host, world_grid(host->world, "land.grid", &grid));
    assert_int_equal(grid.columns, 129);
    assert_true(grid.heights[0] == 4.6f);
    must(host, world_set(host->world, "base", "5 m"));
    must(host, world_hash(host->world, &second));
    assert_int_not_equal(first, second);
    must(host, world_set(host->world, "base", "4 m"));
    must(host, world_hash(host->world, &second));
    assert_int_equal(first, second);
    must(host, world_check(host->world));
    must(host, world_set(host->world, "top", "1 m"));
    assert_int_equal(world_check(host->world), WORLD_ERROR_WORLD);
}

static void test_one_hash(void **state) {
    (void)state;
    uint64_t hashes[4];
    static const WorldEngineDesc descs[] = {
        {.exec = WORLD_EXEC_INTERPRETER, .threads = 1},
        {.exec = WORLD_EXEC_INTERPRETER, .threads = 2, .optimize = 1},
        {.exec = WORLD_EXEC_DEFAULT, .threads = 2, .optimize = 4},
        {.exec = WORLD_EXEC_DEFAULT, .threads = 1, .optimize = 1}};
    for (int i = 0; i < 4; i++) {
        Host host = {0};
        must(&host, world_engine_create(&descs[i], &host.engine));
        must(&host,
             world_open_file(host.engine, getenv("SMALL_WORLD"), &(WorldDesc){0}, &host.world));
        must(&host, world_hash(host.world, &hashes[i]));
        world_engine_destroy(host.engine);
        assert_int_equal(hashes[i], hashes[0]);
    }
}

static double tide(double at, double strength) {
    return at * strength;
}

static void mirror(void *user, double x, double y, double z, int64_t k, double *out) {
    *(int *)user += 1;
    out[0] = -x;
    out[1] = y * (double)k;
    out[2] = z;
}

static double push(double x, double y, double z, double rate) {
    return ((x * 10 + y) * 10 + z) * 10 + rate;
}

static uint32_t flip(uint32_t word, bool all) {
    return all ? ~word : word ^ 1;
}

static void test_host_functions(void **state) {
    (void)state;
    Host host = {0};
    int calls = 0;
    must(&host, world_engine_create(&(WorldEngineDesc){0}, &host.engine));
    must(&host, world_register(host.engine, "tide(at: seconds, strength: number = 2) seconds",
                               (void (*)(void))tide, NULL));
    must(&host, world_register(host.engine, "mirror(here: point, k: int) point",
                               (void (*)(void))mirror, &calls));
    must(&host,
         world_register(host.engine, "flip(word: u32, all: bool) u32", (void (*)(void))flip, NULL));
    static const char *const strangers[] = {
        "bad(name: text) text",          "bad(xs: List[number]) number",
        "bad(x: number) List[number]",   "bad(x: (number, int)) number",
        "bad(x: number?) number",        "bad(x: number) spine",
        "bad(f: fn(number) number) int",
        "bad(x: meters) meters / spine",
    };
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        assert_int_equal(world_register(host.engine, strangers[i], (void (*)(void))tide, NULL),
                         WORLD_ERROR_ARGUMENT);
        assert_first_id(&host, NULL, "E0802");
    }
    must(&host, world_register(host.engine, "fits(area: meters^2, rate: meters / seconds) number",
                               (void (*)(void))tide, NULL));
    assert_int_equal(world_register(host.engine, "bad(", (void (*)(void))tide, NULL),
                     WORLD_ERROR_ARGUMENT);
    static const char *const refused[] = {
        "bad(at: metres) meters",  "bad(all: List[int]) int",   "bad(at = 1) number",
        "bad(over: spine) number", "bad(pair: (int, int)) int", "bad(way: direction * meters) int",
        "bad(at: meters)"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(world_register(host.engine, refused[i], (void (*)(void))tide, NULL),
                         WORLD_ERROR_ARGUMENT);
        assert_first_id(&host, NULL, "E0802");
    }
    must(&host,
         world_register(host.engine,
                        "push(by: vector[meters / seconds], rate: meters^2 / seconds) number",
                        (void (*)(void))push, NULL));
    must(&host, world_open_text(host.engine, "", 0, &(WorldDesc){0}, &host.world));
    assert_answer(&host, "push((1, 2, 3) / 1 s * 1 m, 4 m * 1 m / 1 s)", "1234");
    assert_answer(&host, "tide(3 s)", "6 s");
    assert_answer(&host, "tide(3 s, strength: 5)", "15 s");
    assert_answer(&host, "mirror((1, 2, 3), 4)", "(-1, 8, 3) m");
    assert_answer(&host, "flip(0, true)", "4294967295");
    assert_answer(&host, "flip(4, false)", "5");
    assert_int_equal(calls, 1);
    world_engine_destroy(host.engine);
}

static int64_t ticket(void *user) {
    return ++*(int64_t *)user;
}

/* A host's function that says it has a state is called as often as it is written, at each level. */
static void test_host_function_with_state(void **state) {
    (void)state;
    static const char text[] = "fn three() (int, int, int) {\n  let a = ticket()\n"
                               "  let _ = ticket()\n  (a, ticket(), ticket())\n}\n"
                               "fn many() List[int] { [0, 0, 0].map(_ => ticket()) }\n";
    for (int level = 0; level <= 3; level++) {
        Host host = {0};
        int64_t given = 0;
        must(&host, world_engine_create(&(WorldEngineDesc){.optimize = 1 + level}, &host.engine));
        must(&host, world_register(host.engine, "ticket() int, effect: draws",
                                   (void (*)(void))ticket, &given));
        must(&host, world_open_text(host.engine, text, strlen(text), &(WorldDesc){0}, &host.world));
        assert_answer(&host, "three()", "(1, 3, 4)");
        assert_answer(&host, "many()", "[5, 6, 7]");
        world_engine_destroy(host.engine);
    }
}

static void test_failed_open(void **state) {
    (void)state;
    Host host = {0};
    static const char text[] = "field a: meters = 1 s\n";
    must(&host, world_engine_create(&(WorldEngineDesc){0}, &host.engine));
    assert_int_equal(
        world_open_text(host.engine, text, strlen(text), &(WorldDesc){.name = "bad"}, &host.world),
        WORLD_ERROR_WORLD);
    assert_null(host.world);
    WorldDiagnostic diagnostic = {.size = sizeof diagnostic};
    assert_int_equal(world_diagnostic(host.engine, NULL, 0, &diagnostic), WORLD_OK);
    assert_string_equal(diagnostic.file, "bad");
    assert_int_equal(diagnostic.line, 1);
    assert_int_equal(world_open_file(host.engine, "no/such.world", &(WorldDesc){0}, &host.world),
                     WORLD_ERROR_FILE);
    WorldDesc keep = {.name = "bad", .keep_on_error = true};
    assert_int_equal(world_open_text(host.engine, text, strlen(text), &keep, &host.world),
                     WORLD_ERROR_WORLD);
    assert_non_null(host.world);
    assert_true(world_diagnostic_count(host.engine, host.world) > 0);
    WorldValue *value;
    assert_int_equal(world_ask(host.world, "1", &value), WORLD_ERROR_WORLD);
    world_engine_destroy(host.engine);
}

static void test_seed_and_limits(void **state) {
    (void)state;
    Host host = {0};
    WorldDesc seeded = {.has_seed = true, .seed = 99};
    must(&host,
         world_engine_create(&(WorldEngineDesc){.limits.memory_bytes = 256 << 20}, &host.engine));
    must(&host, world_open_file(host.engine, getenv("SMALL_WORLD"), &seeded, &host.world));
    assert_answer(&host, "seed", "99");
    WorldValue *value;
    assert_int_equal(world_ask(host.world, "(0 ..< 2000000000).toList().length()", &value),
                     WORLD_ERROR_MEMORY);
    assert_answer(&host, "1 + 1", "2");
    world_engine_destroy(host.engine);
}

/* -- many threads -- */

enum { THREADS = 4, PLACES = 3000 };

typedef struct Asking {
    const Host *host;
    WorldFunction height;
    int number;
    double sum;
    int wrong;
} Asking;

static void *ask_much(void *user) {
    Asking *asking = user;
    for (int i = 0; i < PLACES; i++) {
        double place[3] = {i % 250 - 100, 0, -(i % 190)}, y = 0;
        asking->wrong += world_call(asking->host->world, asking->height, place, &y) != WORLD_OK;
        asking->sum += y;
        if (i % 500 != asking->number) continue;
        WorldValue *value;
        if (world_ask(asking->host->world, "doubled", &value) != WORLD_OK)
            asking->wrong++;
        else
            asking->wrong += strcmp(world_value_text(value), "9.2 m") != 0;
        world_value_destroy(value);
    }
    return NULL;
}

/* All begin while nothing is worked out yet. */
static void test_many_threads(void **state) {
    const Host *host = *state;
    Asking asking[THREADS];
    pthread_t threads[THREADS];
    WorldFunction height;
    must(host, world_function(host->world, "land.stored", "fn(point) meters", &height));
    for (int i = 0; i < THREADS; i++) {
        asking[i] = (Asking){.host = host, .height = height, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, ask_much, &asking[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(asking[i].wrong, 0);
        assert_true(asking[i].sum == asking[0].sum);
    }
}

/* An allocator that fails from the n-th wish on, and knows what it still has to get back. */
typedef struct Scarce {
    long wishes, limit, held;
} Scarce;

static void *scarce_resize(void *user, void *pointer, size_t old_size, size_t new_size) {
    Scarce *scarce = user;
    if (new_size == 0) {
        scarce->held -= pointer != NULL;
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

static WorldStatus live_in_scarcity(Scarce *scarce) {
    Host host = {0};
    WorldValue *value = NULL;
    const WorldScene *scene;
    WorldEngineDesc desc = {
        .allocator = {scarce_resize, scarce}, .exec = WORLD_EXEC_INTERPRETER, .threads = 1};
    WorldStatus status = world_engine_create(&desc, &host.engine);
    if (status == WORLD_OK)
        status = world_register(host.engine, "tide(at: seconds, strength: number = 2) seconds",
                                (void (*)(void))tide, NULL);
    if (status == WORLD_OK)
        status = world_open_file(host.engine, getenv("SMALL_WORLD"), &(WorldDesc){0}, &host.world);
    if (status == WORLD_OK) status = world_ask(host.world, "yard.stake", &value);
    world_value_destroy(value);
    if (status == WORLD_OK) status = world_build(host.world);
    if (status == WORLD_OK) status = world_set(host.world, "base", "5 m");
    if (status == WORLD_OK) status = world_scene(host.world, &scene);
    if (status == WORLD_OK) status = world_reload(host.world);
    world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN);
    world_engine_destroy(host.engine);
    return status;
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    WorldStatus status = WORLD_ERROR_MEMORY;
    long limit = 0;
    for (; status != WORLD_OK && limit < 10000000; limit += 1 + limit / 40) {
        Scarce scarce = {.limit = limit};
        status = live_in_scarcity(&scarce);
        if (status != WORLD_OK) assert_int_equal(status, WORLD_ERROR_MEMORY);
        if (scarce.held != 0)
            fail_msg("%ld blocks lost when wish %ld failed", scarce.held, limit + 1);
    }
    assert_true(limit > 50);
}

static void assert_limit(WorldLimits limits, const char *text, const char *part_of_message) {
    Host host = {0};
    WorldDiagnostic diagnostic = {.size = sizeof diagnostic};
    must(&host, world_engine_create(&(WorldEngineDesc){.limits = limits}, &host.engine));
    must(&host, world_open_text(host.engine, text, strlen(text), &(WorldDesc){0}, &host.world));
    assert_int_equal(world_build(host.world), WORLD_ERROR_LIMIT);
    must(&host, world_diagnostic(host.engine, host.world, 0, &diagnostic));
    assert_string_equal(diagnostic.id, "E0513");
    if (!strstr(diagnostic.message, part_of_message)) fail_msg("%s", diagnostic.message);
    world_engine_destroy(host.engine);
}

static void test_limits(void **state) {
    (void)state;
    assert_limit((WorldLimits){.list_items = 10}, "field a = (0 ..< 11).toList()\n", "at most 10");
    assert_limit((WorldLimits){.grid_samples = 80},
                 "fn f(here: point) meters { 1 m }\nfield g: heightGrid = heightGrid(cell: 1 m, "
                 "points: 9, height: f)\n",
                 "at most 80");
    assert_limit((WorldLimits){.parts = 5}, "part a\n  each i in 0 ..< 5 {\n    part b[i]\n  }\n",
                 "at most 5");
    assert_limit((WorldLimits){0},
                 "fn f(n: int) int {\n  var s = 0\n  each i in 0 ..< n { s += i % 3 }\n  "
                 "s\n}\nfield a = f(1000000000000)\n",
                 "steps");
}

static bool stop_at_once(void *user, const char *what, double seconds) {
    (void)what;
    (void)seconds;
    *(int *)user += 1;
    return true;
}

static void test_stop(void **state) {
    (void)state;
    Host host = {0};
    int asked = 0;
    WorldDesc desc = {.progress = stop_at_once, .progress_user = &asked};
    static const char text[] =
        "field grid: heightGrid = heightGrid(cell: 1 m, points: 8193, height: wavy)\n"
        "fn wavy(here: point) meters { 1 m * sin(here.x * 1 deg / 1 m) * cos(here.z * 1 deg / 1 m) "
        "}\n";
    must(&host,
         world_engine_create(&(WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER}, &host.engine));
    must(&host, world_open_text(host.engine, text, strlen(text), &desc, &host.world));
    assert_int_equal(world_build(host.world), WORLD_ERROR_LIMIT);
    assert_int_equal(asked, 1);
    world_engine_destroy(host.engine);
}

static void test_inspect(void **state) {
    const Host *host = *state;
    const char *text;
    const char *const *names;
    size_t count;
    must(host, world_dump(host->world, "ir", "land.height", &text));
    assert_non_null(strstr(text, "func @land.height"));
    must(host, world_doc(host->world, "land.height", &text));
    assert_non_null(strstr(text, "height(here: point) meters"));
    must(host, world_doc(host->world, "post", &text));
    assert_non_null(strstr(text, "A post that an author may make taller."));
    must(host, world_complete(host->world, "land.he", &names, &count));
    assert_int_equal(count, 1);
    assert_string_equal(names[0], "land.height");
    assert_int_equal(world_dump(host->world, "nothing", NULL, &text), WORLD_ERROR_NOT_FOUND);
}

/* What may follow a value is what its type has: methods, a record's fields, a part's members; also of what was called. */
static void test_complete_values(void **state) {
    const Host *host = *state;
    static const struct {
        const char *prefix, *one; /* NULL: there are none */
        size_t count;             /* 0: several */
    } cases[] = {
        {"[1, 2].firstW", "[1, 2].firstWhere", 1},
        {"[1, 2].", "[1, 2].map", 0},
        {"[1, 2].map(n => n * 2 m).su", "[1, 2].map(n => n * 2 m).sum", 0},
        {"\"a.b\".si", "\"a.b\".size", 1},
        {"yard.gate.ta", "yard.gate.tall", 1},
        {"yard.gate.at.", "yard.gate.at.z", 0},
        {"land.height((0, 0, 0)).nothing", NULL, 0},
        {"[1, 2].nothing", NULL, 0},
        {"[1, 2", NULL, 0},
        {"nowhere().", NULL, 0},
        {"2 +.", NULL, 0},
    };
    const char *const *names;
    size_t count;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        must(host, world_complete(host->world, cases[i].prefix, &names, &count));
        bool found = false;
        for (size_t k = 0; k < count; k++)
            found = found || (cases[i].one && strcmp(names[k], cases[i].one) == 0);
        if (found != (cases[i].one != NULL) || (cases[i].count && count != cases[i].count) ||
            (cases[i].one == NULL && count))
            fail_msg("%s: %zu names, the first %s", cases[i].prefix, count, count ? names[0] : "");
        assert_int_equal(world_diagnostic_count(host->engine, host->world), 0);
    }
}

static int64_t counted(void *user, int64_t n) {
    *(int *)user += 1;
    return n + 4;
}

/* Only what changed is worked out again: the host's function knows how often it was asked. */
static void test_reload(void **state) {
    (void)state;
    Host host = {0};
    char path[] = "/tmp/world_reload_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    fputs("field a: meters = 1 m\nfield b: meters = a * 2\nfield c: number = 7\n"
          "field count: int = counted(3) + 4\n",
          out);
    fclose(out);
    int calls = 0;
    must(&host, world_engine_create(&(WorldEngineDesc){0}, &host.engine));
    must(&host,
         world_register(host.engine, "counted(n: int) int", (void (*)(void))counted, &calls));
    must(&host, world_open_file(host.engine, path, &(WorldDesc){0}, &host.world));
    must(&host, world_build(host.world));
    assert_int_equal(calls, 1);
    out = fopen(path, "w");
    fputs("// a line more\nfield a: meters = 1 m\nfield b: meters = a * 3\nfield c: number = 7\n"
          "field count: int = counted(3) + 4\n",
          out);
    fclose(out);
    must(&host, world_reload(host.world));
    assert_answer(&host, "b", "3 m");
    assert_answer(&host, "count", "11");
    assert_int_equal(calls, 1);
    out = fopen(path, "w");
    fputs("field a: meters = 1 s\n", out);
    fclose(out);
    assert_int_equal(world_reload(host.world), WORLD_ERROR_WORLD);
    assert_true(world_diagnostic_count(host.engine, host.world) > 0);
    assert_answer(&host, "b", "3 m"); /* the old world stays */
    remove(path);
    world_engine_destroy(host.engine);
}

/* -- maps of a land -- */

static const char mapped[] =
    "part land%s\n"
    "  field first: heightGrid = heightGrid(cell: 9 m, points: 3, height: p => 1 m)\n"
    "  field last: heightGrid = heightGrid(cell: 2 m, points: 5, height: p => 2 m)\n"
    "  fn height(here: point) meters { last.heightAt(here) }\n"
    "  fn gradient(here: point) direction { last.gradientAt(here) }\n"
    "  fn slope(here: point) number { length(gradient(here)) }\n"
    "  fn normal(here: point) direction { last.normalAt(here) }\n"
    "  fn curvature(here: point, over: meters) number { last.curvatureAt(here, over) }\n";

static Host open_mapped(const char *maps) {
    Host host = {0};
    char text[2048];
    snprintf(text, sizeof text, mapped, maps);
    must(&host, world_engine_create(&(WorldEngineDesc){.threads = 2}, &host.engine));
    must(&host, world_open_text(host.engine, text, strlen(text), &(WorldDesc){0}, &host.world));
    return host;
}

static void test_maps(void **state) {
    (void)state;
    uint64_t with, without;
    const WorldScene *scene;
    Host host = open_mapped(", maps: [landMap(name: \"east\", of: here => here.x / 1 m),\n"
                            "  landMap(name: \"fine\", of: here => land.height(here) / 1 m, cell: 50 cm,\n"
                            "          over: rectangle(x0: -1 m, x1: 1.2 m, z0: 0 m, z1: 3 m))]");
    must(&host, world_scene(host.world, &scene));
    assert_int_equal(scene->land.columns, 5); /* the last grid */
    assert_int_equal(scene->land_raster_count, 2);
    const WorldRaster *east = scene->land_rasters[0], *fine = scene->land_rasters[1];
    assert_string_equal(east->name, "east");
    assert_true(east->columns == 5 && east->rows == 5 && east->cell == 2 && east->x0 == -4);
    for (int s = 0; s < 25; s++)
        assert_true(east->values[s] == (float)(-4 + s % 5 * 2));
    assert_string_equal(fine->name, "fine");
    assert_true(fine->columns == 5 && fine->rows == 7 && fine->cell == 0.5 && fine->z0 == 0);
    assert_true(fine->values[34] == 2);
    must(&host, world_hash(host.world, &with)); /* nothing of the world hangs on them */
    world_engine_destroy(host.engine);
    host = open_mapped("");
    must(&host, world_hash(host.world, &without));
    assert_true(with == without);
    must(&host, world_scene(host.world, &scene));
    assert_int_equal(scene->land_raster_count, 0);
    world_engine_destroy(host.engine);
}

static void test_wrong_maps(void **state) {
    (void)state;
    static const struct {
        const char *map, *id;
    } rows[] = {{"of: here => sqrt(here.x / 1 m)", "E0504"},
                {"of: here => 1 / (here.x / 1 m)", "E0517"},
                {"of: here => 1, cell: 0 m", "E0512"},
                {"of: here => 1, cell: -1 m", "E0512"},
                {"of: here => 1, cell: 1 m, over: rectangle(x0: 9 m, x1: 0 m, z0: 0 m, z1: 9 m)", "E0512"},
                {"of: here => 1, cell: 0.01 mm", "E0512"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char maps[256];
        const WorldScene *scene;
        WorldDiagnostic first = {.size = sizeof first};
        snprintf(maps, sizeof maps, ", maps: [landMap(name: \"bad\", %s)]", rows[i].map);
        Host host = open_mapped(maps);
        assert_int_equal(world_scene(host.world, &scene), WORLD_ERROR_WORLD);
        must(&host, world_diagnostic(host.engine, host.world, 0, &first));
        assert_non_null(strstr(first.message, "bad"));
        assert_true(first.line == 1 && strcmp(first.file, "<text>") == 0);
        assert_string_equal(first.id, rows[i].id);
        world_engine_destroy(host.engine);
    }
}

int main(void) {
#define SMALL(test) cmocka_unit_test_setup_teardown(test, open_small, close_small)
    const struct CMUnitTest tests[] = {
        SMALL(test_answers),
        SMALL(test_value_tree),
        SMALL(test_calls),
        SMALL(test_call_expression),
        SMALL(test_wrong_calls),
        SMALL(test_set),
        SMALL(test_parts),
        SMALL(test_asking_visitor),
        SMALL(test_build_and_hash),
        SMALL(test_inspect),
        SMALL(test_complete_values),
        SMALL(test_many_threads),
        cmocka_unit_test(test_one_hash),
        cmocka_unit_test(test_host_functions),
        cmocka_unit_test(test_host_function_with_state),
        cmocka_unit_test(test_failed_open),
        cmocka_unit_test(test_seed_and_limits),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_reload),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_wrong_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
