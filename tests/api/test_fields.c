/* Fields through typed handles; the seeds of checks; and what the header says of wrong calls. */
#include <math.h>
#include <time.h>

#include "tests/support/host.h"

static const char world_text[] = "record size\n"
                                 "  wide: meters\n"
                                 "  count: int\n"
                                 "part land\n"
                                 "  field lift: meters, within: 0 ..= 100 = 2 m\n"
                                 "  field place: point = (1 m, 2 m, 3 m)\n"
                                 "  field shape: one of (round, square) = round\n"
                                 "  field depth: meters? = none\n"
                                 "  field size = size(wide: 2 m, count: 3)\n"
                                 "  field name = \"land\"\n"
                                 "  field open = true\n"
                                 "  field high: meters, within: 0 m ..= 2 * lift = 1 m\n"
                                 "field posts = 3\n"
                                 "part row\n"
                                 "  each i in 0 ..< posts {\n"
                                 "    part post[i], at: (i * 1 m, 0 m, 0 m)\n"
                                 "      field tall: meters = 1 m\n"
                                 "  }\n"
                                 "field twice: meters = land.lift * 2\n"
                                 "field total: meters = row.post[0].tall + row.post[1].tall\n"
                                 "fn far(x: number) number { x + land.lift / 1 m }\n"
                                 "fn overflow(x: int) int { x + 9223372036854775807 }\n";

static int open_world(void **state) {
    return begin_host(state, (WorldEngineDesc){.threads = 2}, world_text);
}

static WorldField find(const Host *host, const char *path, const char *type) {
    WorldField field;
    must(host, world_field(host->world, path, type, &field));
    return field;
}

static double get(const Host *host, WorldField field) {
    double value;
    must(host, world_field_get(host->world, field, &value));
    return value;
}

static void set(const Host *host, WorldField field, double value) {
    must(host, world_field_set(host->world, field, &value));
}

static void test_get_and_set(void **state) {
    const Host *host = *state;
    WorldField lift = find(host, "land.lift", "meters"), twice = find(host, "twice", "meters");
    assert_float_equal(get(host, lift), 2, 0);
    assert_float_equal(get(host, twice), 4, 0);
    uint64_t before = world_evaluations(host->world);
    set(host, lift, 5);
    assert_float_equal(get(host, lift), 5, 0);
    assert_float_equal(get(host, twice), 10, 0);
    assert_int_equal(world_evaluations(host->world) - before, 1); /* and nothing else */
    set(host, lift, 5);
    assert_float_equal(get(host, twice), 10, 0);
    assert_int_equal(world_evaluations(host->world) - before, 1);
    must(host, world_set(host->world, "land.lift", "7 m"));
    assert_float_equal(get(host, twice), 14, 0);
    set(host, twice, 3); /* a value worked out may be set too */
    set(host, lift, 1);
    assert_float_equal(get(host, twice), 3, 0);
    WorldField again = find(host, "land.lift", NULL);
    assert_int_equal(again.id, lift.id);
}

static void test_kinds(void **state) {
    const Host *host = *state;
    WorldField field = find(host, "land.place", "point");
    assert_string_equal(world_field_letters(host->world, field), "FFF");
    must(host, world_field_set(host->world, field, (double[]){4, 5, 6}));
    double place[3];
    must(host, world_field_get(host->world, field, place));
    assert_float_equal(place[2], 6, 0);
    field = find(host, "land.shape", NULL);
    must(host, world_field_set(host->world, field, (int64_t[]){1}));
    assert_int_equal(world_field_set(host->world, field, (int64_t[]){2}), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_field_set(host->world, field, (int64_t[]){-1}), WORLD_ERROR_ARGUMENT);
    field = find(host, "land.depth", NULL);
    assert_string_equal(world_field_letters(host->world, field), "BF");
    WorldSlot depth[2] = {{.bits = 1}, {.number = 3}};
    must(host, world_field_set(host->world, field, depth));
    depth[0].bits = 2;
    assert_int_equal(world_field_set(host->world, field, depth), WORLD_ERROR_ARGUMENT);
    depth[0].bits = 0; /* whatever stands in the number, it is none */
    must(host, world_field_set(host->world, field, depth));
    must(host, world_field_get(host->world, field, depth));
    assert_float_equal(depth[1].number, 0, 0);
    field = find(host, "land.size", "size");
    WorldSlot size[2] = {{.number = 1.5}, {.integer = 8}};
    must(host, world_field_set(host->world, field, size));
    WorldValue *value;
    must(host, world_ask(host->world, "land.size.count", &value));
    assert_string_equal(world_value_text(value), "8");
    assert_null(world_value_chars(value));
    world_value_destroy(value);
    must(host, world_ask(host->world, "\"a\\n\\\"b\"", &value));
    assert_string_equal(world_value_text(value), "\"a\\n\\\"b\"");
    assert_string_equal(world_value_chars(value), "a\n\"b");
    world_value_destroy(value);
    must(host, world_field_set(host->world, find(host, "land.open", "bool"), (uint64_t[]){0}));
}

static void test_refused(void **state) {
    const Host *host = *state;
    WorldField lift = find(host, "land.lift", NULL), other = {77, 77}, none = {0};
    WorldDiagnostic first = {.size = sizeof first};
    double value;
    assert_int_equal(world_field(host->world, "land.lift", "number", &other), WORLD_ERROR_ARGUMENT);
    must(host, world_diagnostic(host->engine, host->world, 0, &first));
    assert_string_equal(first.id, "E0803");
    assert_int_equal(world_field(host->world, "land.name", NULL, &other), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_field(host->world, "land.lfit", NULL, &other), WORLD_ERROR_NOT_FOUND);
    assert_int_equal(world_field(host->world, "lnad.lift", NULL, &other), WORLD_ERROR_WORLD);
    assert_int_equal(other.id, 77); /* untouched */
    assert_int_equal(world_field_get(host->world, other, &value), WORLD_ERROR_STALE);
    assert_int_equal(world_field_get(host->world, none, &value), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_field_get(host->world, lift, NULL), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_field_set(host->world, lift, NULL), WORLD_ERROR_ARGUMENT);
    for (int i = 0; i < 3; i++) {
        value = i == 0 ? (double)NAN : i == 1 ? (double)INFINITY : 101;
        WorldStatus expected = i == 2 ? WORLD_ERROR_WORLD : WORLD_ERROR_ARGUMENT;
        assert_int_equal(world_field_set(host->world, lift, &value), expected);
    }
    must(host, world_diagnostic(host->engine, host->world, 0, &first));
    assert_string_equal(first.id, "E0506");
    assert_float_equal(get(host, lift), 2, 0);
}

/* All or none, each judged by the world as it was. */
static void test_many_at_once(void **state) {
    const Host *host = *state;
    WorldField fields[3] = {find(host, "land.lift", NULL), find(host, "land.place", NULL),
                            find(host, "land.high", NULL)};
    double slots[5] = {50, 7, 8, 9, 3};
    must(host, world_field_set_all(host->world, fields, 3, slots));
    assert_float_equal(get(host, fields[0]), 50, 0);
    assert_float_equal(get(host, fields[2]), 3, 0);
    double wrong[5] = {60, 1, 1, 1, 101};
    assert_int_equal(world_field_set_all(host->world, fields, 3, wrong), WORLD_ERROR_WORLD);
    assert_float_equal(get(host, fields[0]), 50, 0);
    double place[3];
    must(host, world_field_get(host->world, fields[1], place));
    assert_float_equal(place[0], 7, 0);
    must(host, world_field_set_all(host->world, NULL, 0, NULL));
    assert_int_equal(world_field_set_all(host->world, NULL, 1, slots), WORLD_ERROR_ARGUMENT);
}

/* A member's handle is of the part that has its number now, not of one that is gone. */
static void test_member(void **state) {
    const Host *host = *state;
    WorldField tall = find(host, "row.post[1].tall", "meters"), posts = find(host, "posts", "int"),
               total = find(host, "total", NULL);
    double value = 4;
    set(host, tall, 4);
    assert_float_equal(get(host, total), 5, 0);
    must(host, world_field_set(host->world, posts, (int64_t[]){1}));
    assert_int_equal(world_field_get(host->world, tall, &value), WORLD_ERROR_WORLD);
    assert_int_equal(world_field_set(host->world, tall, &value), WORLD_ERROR_WORLD);
    must(host, world_field_set(host->world, posts, (int64_t[]){2}));
    set(host, tall, 6);
    assert_float_equal(get(host, tall), 6, 0);
    assert_float_equal(get(host, total), 7, 0);
}

static void test_stale(void **state) {
    const Host *host = *state;
    WorldField lift = find(host, "land.lift", NULL);
    double value = 9;
    must(host, world_reload(host->world));
    assert_int_equal(world_field_get(host->world, lift, &value), WORLD_ERROR_STALE);
    assert_int_equal(world_field_set(host->world, lift, &value), WORLD_ERROR_STALE);
    assert_string_equal(world_field_letters(host->world, lift), "");
    assert_float_equal(value, 9, 0);
    assert_float_equal(get(host, find(host, "land.lift", NULL)), 2, 0);
}

/* -- the seeds of checks -- */

static uint64_t evaluations_of_checks(const Host *host, const char *checks, WorldStatus expected) {
    char text[1024];
    snprintf(text, sizeof text,
             "field seed: u32 = 5\n"
             "field a: int = int(seed) + 1\n"
             "field b: int = a * 2\n"
             "field c: int = b + a\n%s",
             checks);
    World *world = open_text(host, text);
    WorldStatus status = world_check(world);
    if (status != expected)
        fail_msg("%s", world_diagnostics_text(host->engine, world, WORLD_STYLE_HUMAN));
    uint64_t evaluations = world_evaluations(world);
    world_close(world);
    return evaluations;
}

/* A seed builds the world once, for all the checks that want it. */
static void test_seeds_once(void **state) {
    const Host *host = *state;
    uint64_t one =
        evaluations_of_checks(host, "check \"one\", seeds: 0 ..< 40 { c > 0 }\n", WORLD_OK);
    uint64_t many = evaluations_of_checks(host,
                                          "check \"one\", seeds: 0 ..< 40 { c > 0 }\n"
                                          "check \"two\", seeds: 0 ..< 40 { b > 0 && c > b }\n"
                                          "check \"three\", seeds: 10 ..< 30 { c > b }\n",
                                          WORLD_OK);
    assert_true(one >= 120);
    assert_int_equal(one, many);
    /* each check ends at its own first seed that fails */
    uint64_t failed = evaluations_of_checks(host,
                                            "check \"one\", seeds: 0 ..< 40 { c < 10 }\n"
                                            "check \"two\", seeds: 0 ..< 40 { b < 10 }\n",
                                            WORLD_ERROR_WORLD);
    assert_true(failed < 40);
}

/* -- what the header says -- */

static void test_descriptions(void **state) {
    (void)state;
    WorldEngine *engine;
    const WorldEngineDesc wrong[] = {{.width = 3},
                                     {.width = 16},
                                     {.limits.build_seconds = -1},
                                     {.limits.build_seconds = (double)NAN},
                                     {.threads = -1},
                                     {.processor = "x86-64-v1"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(world_engine_create(&wrong[i], &engine), WORLD_ERROR_ARGUMENT);
}

static void test_lengths(void **state) {
    const Host *host = *state;
    World *world = NULL;
    assert_int_equal(
        world_open_text(host->engine, "field a = 1\n", SIZE_MAX, &(WorldDesc){0}, &world),
        WORLD_ERROR_ARGUMENT);
    /* Of a text that is said to be past the limit nothing is read. */
    assert_int_equal(world_open_text(host->engine, "field a = 1\n", SIZE_MAX / 2, &(WorldDesc){0}, &world), WORLD_ERROR_LIMIT);
    assert_int_equal(world_state_load(host->world, "{}", SIZE_MAX), WORLD_ERROR_ARGUMENT);
    const char *formatted = "kept";
    assert_int_equal(world_format(host->engine, "a", "field a = 1\n", SIZE_MAX / 2, &formatted), WORLD_ERROR_ARGUMENT);
    assert_string_equal(formatted, "kept");
    Host small = {0};
    must(&small, world_engine_create(&(WorldEngineDesc){.limits.source_bytes = 5}, &small.engine));
    assert_int_equal(world_open_text(small.engine, "field a = 1\n", 12, &(WorldDesc){0}, &world),
                     WORLD_ERROR_LIMIT);
    assert_null(world);
    world_engine_destroy(small.engine);
}

static void test_results_untouched(void **state) {
    const Host *host = *state;
    WorldFunction overflow;
    must(host, world_function(host->world, "overflow", NULL, &overflow));
    int64_t rows[600], out[600];
    for (int i = 0; i < 600; i++) {
        rows[i] = -i;
        out[i] = 42;
    }
    rows[599] = 1;
    assert_int_equal(world_call(host->world, overflow, &rows[599], out), WORLD_ERROR_WORLD);
    assert_int_equal(out[0], 42);
    assert_int_equal(world_call_batch(host->world, overflow, 600, rows, out), WORLD_ERROR_WORLD);
    for (int i = 0; i < 600; i++)
        assert_int_equal(out[i], 42);
    must(host, world_call_batch(host->world, overflow, 599, rows, out));
    assert_int_equal(out[1], INT64_MAX - 1);
    must(host, world_call_batch(host->world, overflow, 0, NULL, NULL));
}

/* The time that a host let pass before a call is not the call's. */
static void test_time_of_a_call(void **state) {
    (void)state;
    Host host = {0};
    WorldEngineDesc desc = {.limits.build_seconds = 1, .threads = 1};
    must(&host, world_engine_create(&desc, &host.engine));
    host.world = open_text(&host, world_text);
    static double rows[600];
    WorldFunction far;
    must(&host, world_function(host.world, "far", NULL, &far));
    must(&host, world_call(host.world, far, rows, rows)); /* all is ready */
    nanosleep(&(struct timespec){1, 50000000}, NULL);
    must(&host, world_call_batch(host.world, far, 600, rows, rows));
    world_engine_destroy(host.engine);
}

static void test_value_after_engine(void **state) {
    (void)state;
    Host host = {0};
    WorldValue *value, *other;
    must(&host, world_engine_create(&(WorldEngineDesc){0}, &host.engine));
    host.world = open_text(&host, "field a = [1, 2]\n");
    must(&host, world_ask(host.world, "a", &value));
    must(&host, world_ask(host.world, "a", &other));
    world_value_destroy(other);
    world_engine_destroy(host.engine);
    assert_string_equal(world_value_text(value), "[1, 2]");
    world_value_destroy(value);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, end_host)
    const struct CMUnitTest tests[] = {
        TEST(test_get_and_set),
        TEST(test_kinds),
        TEST(test_refused),
        TEST(test_many_at_once),
        TEST(test_member),
        TEST(test_stale),
        TEST(test_seeds_once),
        TEST(test_lengths),
        TEST(test_results_untouched),
        cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_time_of_a_call),
        cmocka_unit_test(test_value_after_engine),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
