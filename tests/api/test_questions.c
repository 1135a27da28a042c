/* A question ends: the thousandth costs what the second did, in bytes and in work, and what a host
 * keeps of it lives exactly as long as it is kept. */
#include "tests/support/host.h"

static const char world_text[] = "part p\n"
                                 "  field lift: meters, within: 0 ..= 1_000_000 = 2 m\n"
                                 "  field f: fn(number) number = x => x\n"
                                 "  field g: fn(number) number = x => x + 1\n"
                                 "  field xs: List[meters] = [1 m]\n"
                                 "  field names: List[text] = [\"a\"]\n"
                                 "field twice: meters = p.lift * 2\n"
                                 "field answer: number = p.f(2) + p.g(2)\n"
                                 "field count: int = p.xs.length() + p.names.length()\n"
                                 "fn apply(x: number) number { p.f(x) }\n"
                                 "record pair[A, B]\n  left: A\n  right: B\n"
                                 "contract ground\n  fn height(here: point) meters\n"
                                 "part hill\n"
                                 "  fn height(here: point) meters { here.x + p.lift }\n"
                                 "fn top(of: ground) meters { of.height((3 m, 0 m, 0 m)) }\n"
                                 "fn twiceOf[T](x: T) List[T] { [x, x] }\n";

/* Bytes, now and ever. */
static size_t held, asked_for;

static void *resize(void *user, void *pointer, size_t old_size, size_t new_size) {
    (void)user;
    held += new_size - old_size;
    asked_for += new_size;
    if (new_size) return realloc(pointer, new_size);
    free(pointer);
    return NULL;
}

static int open_world(void **state) {
    held = asked_for = 0;
    return begin_host(state, (WorldEngineDesc){.allocator = {resize}, .exec = WORLD_EXEC_INTERPRETER, .threads = 1},
                      world_text);
}

static int close_world(void **state) {
    end_host(state);
    assert_int_equal(held, 0);
    return 0;
}

static double ask_number(const Host *host, const char *expression) {
    WorldValue *value;
    double number[3] = {0};
    must(host, world_ask(host->world, expression, &value));
    world_value_numbers(value, number);
    world_value_destroy(value);
    return number[0];
}

/* -- many, each another text -- */

typedef void (*Step)(const Host *host, int i);

static void ask_new(const Host *host, int i) {
    char text[64];
    snprintf(text, sizeof text, "p.lift + %d m + [%d, 2].length() * 1 m", i, i);
    assert_float_equal(ask_number(host, text), ask_number(host, "p.lift") + i + 2, 1e-9);
}

static void ask_wrong(const Host *host, int i) {
    char text[64];
    WorldValue *value;
    snprintf(text, sizeof text, "p.lift + true + %d", i);
    assert_int_equal(world_ask(host->world, text, &value), WORLD_ERROR_WORLD);
    assert_true(world_diagnostic_count(host->engine, host->world) > 0);
}

static void set_new(const Host *host, int i) {
    char text[64];
    snprintf(text, sizeof text, "%d m", i);
    must(host, world_set(host->world, "p.lift", text));
    assert_float_equal(ask_number(host, "twice"), i * 2.0, 1e-9);
}

static void set_list(const Host *host, int i) {
    char text[64];
    snprintf(text, sizeof text, "[%d m, 1 m, 2 m]", i);
    must(host, world_set(host->world, "p.xs", text));
    snprintf(text, sizeof text, "[\"a%d\", \"b\"]", i);
    must(host, world_set(host->world, "p.names", text));
    assert_float_equal(ask_number(host, "count"), 5, 0);
    assert_float_equal(ask_number(host, "p.xs[0]"), i, 0);
}

/* A list that grows out of itself holds none of those before. */
static void set_longer(const Host *host, int i) {
    if (i % 10 == 0) must(host, world_set(host->world, "p.xs", "[0 m]"));
    must(host, world_set(host->world, "p.xs", "p.xs + [1 m]"));
}

static void set_function(const Host *host, int i) {
    char text[64];
    snprintf(text, sizeof text, "x => x * %d", i);
    must(host, world_set(host->world, "p.f", text));
    assert_float_equal(ask_number(host, "answer"), i * 2 + 3, 0);
}

/* Nothing stays of a handle that was refused, and one found again is the same. */
static void find_handles(const Host *host, int i) {
    WorldFunction function;
    WorldField field;
    char text[64];
    snprintf(text, sizeof text, "fn(x: number) { x * %d }", i);
    assert_int_equal(world_function(host->world, text, "fn(int) int", &function),
                     WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_function(host->world, "apply", "fn(int) int", &function),
                     WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_field(host->world, "p.lfit", NULL, &field), WORLD_ERROR_NOT_FOUND);
    must(host, world_function(host->world, "apply", NULL, &function));
    must(host, world_field(host->world, "p.lift", "meters", &field));
}

static void assert_flat(void **state, Step step, int last) {
    Host *host = *state;
    for (int i = 1; i <= 200; i++)
        step(host, i);
    size_t before = held, most = 0, start = asked_for;
    for (int i = 201; i <= 300; i++)
        step(host, i);
    size_t early = asked_for - start;
    for (int i = 301; i <= last - 100; i++) {
        step(host, i);
        if (held > most) most = held;
    }
    start = asked_for;
    for (int i = last - 99; i <= last; i++)
        step(host, i);
    size_t late = asked_for - start;
    if (most > before + 512 * 1024) fail_msg("%zu bytes are held, then %zu", before, most);
    if (late > early + early / 5)
        fail_msg("100 steps ask for %zu bytes, then for %zu", early, late);
}

#if defined(__SANITIZE_ADDRESS__) || defined(WORLD_TINY)
enum { MANY = 2100 };
#else
enum { MANY = 20000 };
#endif

static void test_asks(void **state) {
    assert_flat(state, ask_new, MANY);
}
static void test_wrong_asks(void **state) {
    assert_flat(state, ask_wrong, 2100);
}
static void test_sets(void **state) {
    assert_flat(state, set_new, MANY);
}
static void test_list_sets(void **state) {
    assert_flat(state, set_list, 2100);
}
static void test_longer_sets(void **state) {
    assert_flat(state, set_longer, 2100);
}
static void test_function_sets(void **state) {
    assert_flat(state, set_function, 2100);
}

static void test_finding(void **state) {
    assert_flat(state, find_handles, 2100);
}

/* -- what is kept of a question -- */

static void ask_many(const Host *host) {
    for (int i = 0; i < 100; i++)
        ask_new(host, i);
}

/* The function that a field was set to is there as long as the field holds it. */
static void test_set_function_stays(void **state) {
    const Host *host = *state;
    WorldFunction apply;
    double x = 5, y = 0;
    must(host, world_function(host->world, "apply", "fn(number) number", &apply));
    must(host, world_set(host->world, "p.f", "x => x * 7"));
    must(host, world_set(host->world, "p.g", "p.f"));
    must(host, world_set(host->world, "p.f", "x => [x, x * 3][1] + 0.5"));
    ask_many(host);
    must(host, world_call(host->world, apply, &x, &y));
    assert_float_equal(y, 15.5, 0);
    assert_float_equal(ask_number(host, "p.g(3)"), 21, 0); /* held by g alone */
    must(host, world_set(host->world, "p.g", "p.g"));
    ask_many(host);
    assert_float_equal(ask_number(host, "p.g(3)"), 21, 0);
}

/* A mistake inside a set function is shown in the text of the question that made it. */
static void test_fault_in_set_function(void **state) {
    const Host *host = *state;
    WorldFunction apply;
    WorldDiagnostic first = {.size = sizeof first};
    double x = 9, y = 42;
    must(host, world_set(host->world, "p.f", "x => [1.0, 2][int(x)]"));
    ask_many(host);
    must(host, world_function(host->world, "apply", NULL, &apply));
    assert_int_equal(world_call(host->world, apply, &x, &y), WORLD_ERROR_WORLD);
    assert_float_equal(y, 42, 0); /* untouched */
    must(host, world_diagnostic(host->engine, host->world, 0, &first));
    assert_string_equal(first.file, "<ask>");
    assert_int_equal(first.column, 6);
}

static void test_function_handles(void **state) {
    const Host *host = *state;
    WorldFunction twice, named, again, library;
    double x = 4, y = 0;
    must(host, world_function(host->world, "fn(x: number) { p.f(x) * 2 + 1 }", "fn(number) number",
                              &twice));
    must(host, world_function(host->world, "sin", "fn(degrees) number", &library));
    must(host, world_function(host->world, "apply", NULL, &named));
    must(host, world_function(host->world, "apply", NULL, &again));
    assert_int_equal(named.id, again.id);
    ask_many(host);
    must(host, world_call(host->world, twice, &x, &y));
    assert_float_equal(y, 9, 0);
    must(host, world_call(host->world, library, &x, &y));
    assert_float_equal(y, -0.7568024953079282, 1e-12);
}

/* What a question is first to need of the world and the library stays, of every kind that there is:
 * when it is needed again, the question that brought it is gone. */
static void test_what_is_learned(void **state) {
    static const char *const texts[] = {
        "twiceOf(1)",
        "twiceOf([\"a\"])",
        "twiceOf((1, true))",
        "twiceOf(pair(left: 1 m, right: \"b\")).map(x => x.left)",
        "pair(left: pair(left: 1, right: 2), right: [3])",
        "top(hill)",
        "[0 deg, 90 deg].map(sin)",
        "[0.5, 2].map(apply)",
        "[(1 m, 2 m, 3 m)].map(hill.height)",
        "max(1, 2.5)",
        "[3, 1, 2].sorted()",
        "[1, 2, 3].filter(n => n > 1).fold(0, fn(a, b) { a + b })",
        "(0 ..< 4).toList().map(i => (i, i * 2))",
        "fn(x: number) { x + p.lift / 1 m }(2)",
        "noise.fbm(1.5, 2.5, seed: 3, octaves: 4)",
        "hash2(1, 2, seed: 3)",
        "p.names + [\"z\"]",
        "p.f",
        "p.xs[7]",
        "twiceOf(none)",
        "hill.height(1)",
    };
    enum { COUNT = sizeof texts / sizeof *texts };
    const Host *host = *state;
    char *answers[COUNT] = {0};
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < COUNT; i++) {
            WorldValue *value = NULL;
            WorldStatus status = world_ask(host->world, texts[i], &value);
            const char *answer =
                status == WORLD_OK
                    ? world_value_text(value)
                    : world_diagnostics_text(host->engine, host->world, WORLD_STYLE_ONE_LINE);
            if (round == 0)
                answers[i] = strdup(answer);
            else if (status != WORLD_ERROR_WORLD || i >= COUNT - 3)
                assert_string_equal(answer, answers[i]);
            if (i < COUNT - 3 && status != WORLD_OK) fail_msg("%s: %s", texts[i], answer);
            world_value_destroy(value);
        }
        ask_many(host);
    }
    for (int i = 0; i < COUNT; i++)
        free(answers[i]);
}

/* -- who works it out -- */

#ifndef NO_MACHINE_CODE

static bool timed(const Host *host, const char *phase) {
    WorldTable *table;
    bool found = false;
    must(host, world_timings(host->world, &table));
    for (size_t row = 0; row < world_table_rows(table); row++)
        found |= strcmp(world_table_text(table, row, world_table_find(table, "phase")), phase) == 0;
    world_table_destroy(table);
    return found;
}

static bool made_machine_code(const Host *host) {
    return timed(host, "machine code");
}

/* Machine code that takes more memory than there may be is not begun: it is interpreted, and who asks is told. */
static void test_little_memory(void **state) {
    (void)state;
    if (exec_compiled() == WORLD_EXEC_INTERPRETER) skip();
    char text[4096] = "fn f(n: int) int {\n  var xs = listOf(9, n)\n  var ys = listOf(9, 1)\n";
    for (int i = 0; i < 8; i++)
        strcat(text, "  each i in 0 ..< 9 { each j in 0 ..< 9 {\n    xs[i] = (xs[j] + ys[i]) % 9\n    ys += [xs[i]]\n  } }\n");
    strcat(text, "  xs.length() + ys.length()\n}\n");
    for (int little = 0; little < 2; little++) {
        WorldEngineDesc desc = {.exec = WORLD_EXEC_JIT_ALWAYS, .threads = 1, .limits.memory_bytes = little ? (size_t)48 << 20 : 0};
        Host host = open_host(desc, text);
        assert_answer(&host, "f(3)", "666");
        assert_int_equal(timed(&host, "interpreted: there is too little memory to make machine code of all"), little);
        world_engine_destroy(host.engine);
    }
}

/* A loop that pulls much in, though none of its rounds runs it, is compiled when it is a good deal longer than a short one. */
static void test_price(void **state) {
    (void)state;
    if (exec_compiled() == WORLD_EXEC_INTERPRETER) skip();
    char text[16384] = "fn sum(n: int) int {\n  var s = 0\n  each i in 0 ..< n {\n    if i < 0 {\n";
    for (int i = 0; i < 400; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "      s = (s * %d + i) %% 9\n", i + 2);
    strcat(text, "    }\n    s += 1\n  }\n  s\n}\n");
    for (int longer = 0; longer < 2; longer++) {
        Host host = open_host((WorldEngineDesc){.exec = WORLD_EXEC_DEFAULT, .threads = 1}, text);
        assert_answer(&host, longer ? "sum(400000)" : "sum(40000)", longer ? "400000" : "40000");
        assert_int_equal(made_machine_code(&host), longer);
        world_engine_destroy(host.engine);
    }
}

/* Always is always, for the few steps of a question too; else what is called once is compiled when its loops are long. */
static void test_who_works(void **state) {
    (void)state;
    if (exec_compiled() == WORLD_EXEC_INTERPRETER) skip(); /* there is nobody else */
    static const struct {
        WorldExec exec;
        int rounds;
        bool compiled;
    } cases[] = {{WORLD_EXEC_JIT_ALWAYS, 10, true},
                 {WORLD_EXEC_DEFAULT, 10, false},
                 {WORLD_EXEC_DEFAULT, 3000000, true},
                 {WORLD_EXEC_INTERPRETER, 3000000, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Host host = open_host((WorldEngineDesc){.exec = cases[i].exec, .threads = 1},
                              "fn sum(n: int) int {\n  var s = 0\n  each i in 0 ..< n { s = (s + i) % 7 }\n  s\n}\n");
        char text[64];
        snprintf(text, sizeof text, "sum(%d)", cases[i].rounds);
        ask_number(&host, text);
        assert_int_equal(made_machine_code(&host), cases[i].compiled);
        world_engine_destroy(host.engine);
    }
    Host host = open_host((WorldEngineDesc){.exec = WORLD_EXEC_JIT_ALWAYS, .threads = 1}, "field a = 1\n");
    assert_answer(&host, "[a, 2].map(x => x * 3)", "[3, 6]"); /* nothing of the world's own to compile */
    assert_true(made_machine_code(&host));
    world_engine_destroy(host.engine);
}

#endif

/* -- handles and reloads -- */

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A handle from before a reload is no other function, not even when there is one of its number. */
static void test_stale_handles(void **state) {
    Host *host = *state;
    char path[] = "/tmp/questions-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    write_file(path, "fn a(x: number) number { x }\n");
    World *world;
    must(host, world_open_file(host->engine, path, &(WorldDesc){0}, &world));
    WorldFunction old, fresh, none = {0};
    double x = 1, y[4] = {42, 42, 42, 42};
    must(host, world_function(world, "a", NULL, &old));
    assert_int_equal(world_call(host->world, old, &x, y), WORLD_ERROR_STALE); /* another world's */
    write_file(path, "fn b(x: number) (number, number, number, number) { (x, x, x, x) }\n");
    must(host, world_reload(world));
    must(host, world_function(world, "b", NULL, &fresh));
    assert_int_equal(world_call(world, old, &x, y), WORLD_ERROR_STALE);
    assert_float_equal(y[0], 42, 0);
    assert_int_equal(world_function_shape(world, old, NULL, NULL), WORLD_ERROR_STALE);
    assert_string_equal(world_function_letters(world, old), "");
    assert_int_equal(world_call(world, none, &x, y), WORLD_ERROR_ARGUMENT);
    must(host, world_call(world, fresh, &x, y));
    assert_float_equal(y[3], 1, 0);
    write_file(path, "fn b(\n"); /* a text with mistakes changes nothing */
    assert_int_equal(world_reload(world), WORLD_ERROR_WORLD);
    must(host, world_call(world, fresh, &x, y));
    world_close(world);
    remove(path);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)
    const struct CMUnitTest tests[] = {
        TEST(test_asks),
        TEST(test_wrong_asks),
        TEST(test_sets),
        TEST(test_list_sets),
        TEST(test_longer_sets),
        TEST(test_function_sets),
        TEST(test_finding),
        TEST(test_set_function_stays),
        TEST(test_fault_in_set_function),
        TEST(test_function_handles),
        TEST(test_what_is_learned),
        TEST(test_stale_handles),
#ifndef NO_MACHINE_CODE
        cmocka_unit_test(test_price), cmocka_unit_test(test_little_memory), cmocka_unit_test(test_who_works),
#endif
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
