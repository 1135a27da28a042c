/* The public interface as a host uses it. */
#include <pthread.h>

#include "tests/support/host.h"

static int open_small(void **state) {
    Host *host = calloc(1, sizeof *host);
    must(host, world_engine_create(&(WorldEngineDesc){.threads = 2}, &host->engine));
    must(host, world_open_file(host->engine, getenv("SMALL_WORLD"), &(WorldDesc){0}, &host->world));
    *state = host;
    return 0;
}

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

static void test_format(void **state) {
    const Host *host = *state;
    const char *text, *again;
    assert_int_equal(world_format(host->engine, "a.world", "field  x=1", 10, &text), WORLD_OK);
    assert_string_equal(text, "field x = 1\n");
    assert_int_equal(world_format(host->engine, NULL, NULL, 0, &again), WORLD_OK);
    assert_string_equal(again, "");
    assert_int_equal(world_format(host->engine, "b.world", "field x=", 8, &text), WORLD_ERROR_WORLD);
    assert_non_null(strstr(world_diagnostics_text(host->engine, NULL, WORLD_STYLE_ONE_LINE), "b.world:1"));
    assert_int_equal(world_format(host->engine, "a.world", NULL, 3, &text), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_format(host->engine, "a.world", "", 0, NULL), WORLD_ERROR_ARGUMENT);
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

int main(void) {
#define SMALL(test) cmocka_unit_test_setup_teardown(test, open_small, end_host)
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
        SMALL(test_inspect), SMALL(test_format),
        SMALL(test_complete_values),
        SMALL(test_many_threads),
        cmocka_unit_test(test_one_hash),
        cmocka_unit_test(test_reload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
