/* What stays until a world changes, who may change it when, and what many threads may do meanwhile. */
#include <pthread.h>

#include "tests/support/host.h"

#include <math.h>

static const char world_text[] = "field seed: seed = 7\n"
                                 "field lift: meters = 2 m\n"
                                 "field word = \"a\"\n"
                                 "field ground: heightGrid = heightGrid(cell: 1 m, points: 3, height: p => p.x + lift)\n"
                                 "part box: shapes.box((1 m, lift, 1 m))\n"
                                 "part row\n  each i in 0 ..< 3 {\n    part post[i], at: (i * 1 m, 0 m, 0 m)\n  }\n";

static int setup(void **state) {
    return begin_host(state, (WorldEngineDesc){.threads = 2}, world_text);
}

/* -- grids -- */

static WorldGridView grid_of(const Host *host, const char *expression) {
    WorldGridView view = {.size = sizeof view};
    must(host, world_grid(host->world, expression, &view));
    return view;
}

/* One made on the spot stays too, whatever is asked meanwhile, and is the same when it is asked for again. */
static void test_grid_stays(void **state) {
    const Host *host = *state;
    static const char made[] = "heightGrid(cell: 1 m, points: 2, height: p => p.x + 5 m)";
    WorldGridView spot = grid_of(host, made), field = grid_of(host, "ground");
    for (int i = 0; i < 100; i++) {
        char text[128];
        snprintf(text, sizeof text, "heightGrid(cell: 1 m, points: 9, height: p => %d m).heightAt((0, 0, 0))", i);
        ask_text(host, text, text, sizeof text);
    }
    assert_true(spot.heights[0] == 4.5F && spot.heights[1] == 5.5F && spot.heights[3] == 5.5F);
    assert_true(field.heights[0] == 1 && field.heights[8] == 3);
    assert_ptr_equal(grid_of(host, made).heights, spot.heights);
    assert_ptr_equal(grid_of(host, "ground").heights, field.heights);
    must(host, world_set(host->world, "lift", "3 m"));
    assert_true(grid_of(host, "ground").heights[0] == 2);
    assert_true(grid_of(host, made).heights[0] == 4.5F);
    WorldGridView view = {.size = sizeof view};
    assert_int_equal(world_grid(host->world, "lift", &view), WORLD_ERROR_NOT_FOUND);
    assert_int_equal(world_grid(host->world, "box", &view), WORLD_ERROR_NOT_FOUND);
}

/* -- what a field handle takes -- */

static void test_nothing_is_a_value(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1},
                          "record pair\n  a: meters?\n  b: bool?\nfield depth: meters? = 1 m\n"
                          "field both: (meters?, int) = (1 m, 2)\nfield two: pair = pair(a: 1 m, b: true)\n");
    WorldField depth, both, two;
    must(&host, world_field(host.world, "depth", NULL, &depth));
    must(&host, world_field(host.world, "both", NULL, &both));
    must(&host, world_field(host.world, "two", NULL, &two));
    WorldSlot none[4] = {{.bits = 0}, {.number = (double)NAN}, {.integer = 9}};
    must(&host, world_field_set(host.world, depth, none));
    assert_answer(&host, "depth", "none");
    must(&host, world_field_set(host.world, both, none));
    assert_answer(&host, "both", "(none, 9)");
    WorldSlot record[4] = {{.bits = 0}, {.number = (double)INFINITY}, {.bits = 0}, {.bits = 77}};
    must(&host, world_field_set(host.world, two, record));
    assert_answer(&host, "two", "pair(a: none, b: none)");
    none[0].bits = 1;
    assert_int_equal(world_field_set(host.world, depth, none), WORLD_ERROR_ARGUMENT);
    none[0].bits = 2;
    none[1].number = 1;
    assert_int_equal(world_field_set(host.world, depth, none), WORLD_ERROR_ARGUMENT);
    record[2].bits = 1;
    assert_int_equal(world_field_set(host.world, two, record), WORLD_ERROR_ARGUMENT);
    assert_answer(&host, "depth", "none");
    world_engine_destroy(host.engine);
}

/* -- a world that stopped -- */

static void test_stopped_world(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, NULL);
    WorldTable *table;
    WorldValue *value;
    const char *text;
    WorldDesc desc = {.stop_after = "check"};
    must(&host, world_open_text(host.engine, world_text, strlen(world_text), &desc, &host.world));
    must(&host, world_timings(host.world, &table));
    assert_true(world_table_rows(table) > 3);
    assert_string_equal(world_table_text(table, 0, world_table_find(table, "phase")), "read");
    world_table_destroy(table);
    must(&host, world_dump(host.world, "check", NULL, &text));
    assert_int_equal(world_ask(host.world, "lift", &value), WORLD_ERROR_WORLD);
    assert_first_id(&host, host.world, "E0831");
    assert_non_null(strstr(world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN), "'check'"));
    assert_int_equal(world_set(host.world, "lift", "3 m"), WORLD_ERROR_WORLD);
    assert_first_id(&host, host.world, "E0831");
    world_engine_destroy(host.engine);
}

/* One with mistakes tells them again, whatever it is asked. */
static void test_wrong_world_tells_again(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, NULL);
    WorldDesc desc = {.keep_on_error = true};
    WorldValue *value;
    assert_int_equal(world_open_text(host.engine, "field a: meters = 1 s\n", 22, &desc, &host.world), WORLD_ERROR_WORLD);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(world_ask(host.world, "a", &value), WORLD_ERROR_WORLD);
        assert_int_equal(world_diagnostic_count(host.engine, host.world), 1);
        assert_first_id(&host, host.world, "E0301");
    }
    world_engine_destroy(host.engine);
}

/* A folder that is not there is an error, and what was to be counted stays. */
static void test_no_folder(void **state) {
    const Host *host = *state;
    size_t count = 42;
    assert_int_equal(world_load_bakes(host->world, "/no/such/folder", &count), WORLD_ERROR_FILE);
    assert_first_id(host, host->world, "E0832");
    assert_int_equal(world_bake(host->world, "/no/such/folder", &count), WORLD_ERROR_FILE);
    assert_int_equal(world_load_bakes(host->world, "/dev/null", &count), WORLD_ERROR_FILE);
    assert_int_equal(count, 42);
    must(host, world_load_bakes(host->world, "/", &count));
    assert_int_equal(count, 0);
}

/* -- building again and again -- */

static size_t timing_rows(const Host *host) {
    WorldTable *table;
    must(host, world_timings(host->world, &table));
    size_t rows = world_table_rows(table);
    world_table_destroy(table);
    return rows;
}

static void test_timings_do_not_grow(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1, .exec = WORLD_EXEC_INTERPRETER},
                          "field n = 1\nfield slow = (0 ..< 300000).toList().fold(0, fn(a, b) { a + b % 7 }) + n\n");
    must(&host, world_build(host.world));
    size_t rows = timing_rows(&host);
    for (int i = 2; i < 6; i++) {
        char text[32];
        snprintf(text, sizeof text, "%d", i);
        must(&host, world_set(host.world, "n", text));
        must(&host, world_build(host.world));
        assert_int_equal(timing_rows(&host), rows);
    }
    must(&host, world_build(host.world)); /* nothing is left to build */
    assert_int_equal(timing_rows(&host), rows - 1);
    world_engine_destroy(host.engine);
}

/* -- a check that runs out of memory leaves the seed as it was -- */

static void test_check_in_scarcity(void **state) {
    (void)state;
    static const char text[] =
        "field seed: seed = 7\n"
        "field many = (0 ..< 100 + int(random(seed, 1)) % 9).toList().map(i => [i, i])\n"
        "check \"there are many\", seeds: 0 ..< 9 { many.length() >= 100 && many.map(m => m.length()).length() > 9 }\n";
    Scarce scarce = {.limit = 10000000};
    Host host = open_host(scarce_desc(&scarce), text);
    assert_answer(&host, "seed", "7");
    check_until_memory_suffices(&host, &scarce);
}

/* -- what is no number is one value, whichever bits it has -- */

static void test_hash_of_no_number(void **state) {
    (void)state;
    static const char *const values[] = {"[1, 2].map(k => (k - k) / (k - k))", "[1, 2].map(k => -((k - k) / (k - k)))",
                                         "[-1, -2].map(k => log(k))"};
    Host host = open_host((WorldEngineDesc){.threads = 1},
                          "field xs: List[number] = []\nfield at: List[point] = []\n");
    uint64_t first = 0, other = 0, hash = 0;
    must(&host, world_hash(host.world, &other));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char points[128];
        snprintf(points, sizeof points, "%s.map(x => (x * 1 m, 2 m, x * 1 m))", values[i]);
        must(&host, world_set(host.world, "xs", values[i]));
        must(&host, world_set(host.world, "at", points));
        must(&host, world_hash(host.world, i ? &hash : &first));
        if (i) assert_true(hash == first);
    }
    assert_true(first != other);
    must(&host, world_set(host.world, "xs", "[0, 0]"));
    must(&host, world_hash(host.world, &other));
    assert_true(first != other);
    world_engine_destroy(host.engine);
}

/* Nor is there more than one hash of a container that holds the same. */
static void test_hash_of_containers(void **state) {
    (void)state;
    static const char *const texts[] = {"made(false)", "made(true)", "other()"};
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "fn made(late: bool) (Queue[int], Heap[int, int], DisjointSets, Map[int, int]) {\n"
                 "  var q = if late { Queue([1, 2, 3]) } else { Queue([9, 2, 3]) }\n  let _ = q.pop()\n"
                 "  if late { q = Queue([2, 3]) }\n"
                 "  var h = if late { Heap([1, 2], keys: [1, 2]) } else { Heap([2, 1], keys: [2, 1]) }\n"
                 "  var d = DisjointSets(3)\n"
                 "  if late { d.join(2, 0) } else { d.join(0, 2) }\n"
                 "  var m = Map([(1, 1), (2, 2)])\n  if late { m[3] = 3 }\n  m.remove(3)\n  (q, h, d, m)\n}\n"
                 "fn other() (Queue[int], Heap[int, int], DisjointSets, Map[int, int]) {\n"
                 "  (Queue([2, 3]), Heap([1, 2], keys: [1, 3]), DisjointSets(3), Map([(1, 1), (2, 2)]))\n}\n"
                 "field all = %s\n", texts[i]);
        Host host = open_host((WorldEngineDesc){.threads = 1}, text);
        must(&host, world_hash(host.world, &hashes[i]));
        world_engine_destroy(host.engine);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_true(hashes[0] != hashes[2]);
}

/* -- limits above all that can be counted -- */

static void test_large_limits(void **state) {
    (void)state;
    WorldLimits most = {.memory_bytes = UINT64_MAX, .source_bytes = UINT64_MAX, .nesting = UINT32_MAX,
                        .parts = UINT32_MAX, .list_items = UINT64_MAX, .grid_samples = UINT64_MAX,
                        .data_bytes = UINT64_MAX, .files = UINT32_MAX, .build_seconds = (double)INFINITY};
    Host host = open_host((WorldEngineDesc){.limits = most, .threads = 1}, world_text);
    must(&host, world_build(host.world));
    assert_answer(&host, "[1, 2].length() + int((((((1))))))", "3");
    assert_answer(&host, "ground.heightAt((0, 0, 0))", "2 m");
    static char deep[16384] = "1", deeper[16384];
    for (int i = 0; i < 300; i++) {
        snprintf(deeper, sizeof deeper, "if lift > 1 m { %.16000s } else { 2 }", deep);
        memcpy(deep, deeper, sizeof deep);
    }
    WorldValue *value;
    assert_int_equal(world_ask(host.world, deep, &value), WORLD_ERROR_LIMIT);
    assert_first_id(&host, host.world, "E0601");
    world_engine_destroy(host.engine);
}

/* -- handles are read while others are made -- */

enum { READERS = 3, HANDLES = 300 };

typedef struct Reading {
    const Host *host;
    WorldFunction function;
    WorldField field;
    int wrong;
} Reading;

static void *read_much(void *user) {
    Reading *reading = user;
    for (int i = 0; i < 20000; i++) {
        double x = i, y = 0, lift = 0;
        World *world = reading->host->world;
        reading->wrong += world_call(world, reading->function, &x, &y) != WORLD_OK || y != i + 2;
        reading->wrong += world_field_get(world, reading->field, &lift) != WORLD_OK || lift != 2;
        reading->wrong += world_evaluations(world) == 0;
    }
    return NULL;
}

static void test_handles_while_read(void **state) {
    const Host *host = *state;
    Reading reading[READERS];
    pthread_t threads[READERS];
    WorldFunction function;
    WorldField field;
    must(host, world_function(host->world, "fn(x: meters) { x + lift }", NULL, &function));
    must(host, world_field(host->world, "lift", NULL, &field));
    for (int i = 0; i < READERS; i++) {
        reading[i] = (Reading){host, function, field, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, read_much, &reading[i]), 0);
    }
    for (int i = 0; i < HANDLES; i++) {
        char text[64];
        WorldFunction more;
        snprintf(text, sizeof text, "fn(x: meters) { x + %d m }", i);
        must(host, world_function(host->world, text, NULL, &more));
        double x = 1, y = 0;
        must(host, world_call(host->world, more, &x, &y));
        assert_true(y == i + 1);
    }
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(reading[i].wrong, 0);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, end_host)
    const struct CMUnitTest tests[] = {
        TEST(test_grid_stays),
        TEST(test_handles_while_read),
        TEST(test_no_folder),
        cmocka_unit_test(test_nothing_is_a_value),
        cmocka_unit_test(test_stopped_world),
        cmocka_unit_test(test_wrong_world_tells_again),
        cmocka_unit_test(test_timings_do_not_grow),
        cmocka_unit_test(test_check_in_scarcity),
        cmocka_unit_test(test_hash_of_no_number),
        cmocka_unit_test(test_hash_of_containers),
        cmocka_unit_test(test_large_limits),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
