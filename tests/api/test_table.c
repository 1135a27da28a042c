/* Tables, and results that may grow: a host finds columns by name, and gives structs that say how much of them it knows. */
#include <math.h>

#include "tests/support/host.h"

static const char text[] =
    "record foot\n  width: meters\n  bare: bool\n"
    "record animal\n  name: text\n  legs: int\n  tag: u32\n  at: point\n  lean: angle\n  weight: number?\n  foot: foot?\n"
    "  friends: List[text]\n  color: color\n"
    "field cat = animal(name: \"cat, \\\"old\\\"\", legs: 4, tag: u32(7), at: (1, 2, 3), lean: 180 deg, weight: none, foot: none,\n"
    "    friends: [\"dog\", \"owl\"], color: (0.5, 0.25, 1))\n"
    "field hen = animal(name: \"hen\", legs: 2, tag: u32(4294967295), at: (4, 5, 6), lean: 0, weight: 1.5,\n"
    "    foot: foot(width: 3 cm, bare: true), friends: [], color: (0, 0, 0))\n"
    "field zoo = [cat, hen]\n"
    "field empty = zoo.filter(a => a.legs > 9)\n";

static int open_zoo(void **state) {
    return begin_host(state, (WorldEngineDesc){.threads = 1}, text);
}

static void assert_column(const WorldTable *table, const char *name, const char *type, WorldValueKind kind) {
    int column = world_table_find(table, name);
    if (column < 0) fail_msg("no column %s", name);
    assert_string_equal(world_table_name(table, column), name);
    assert_string_equal(world_table_type(table, column), type);
    assert_int_equal(world_table_kind(table, column), kind);
}

static void assert_columns(const WorldTable *table) {
    assert_int_equal(world_table_columns(table), 10);
    assert_column(table, "name", "text", WORLD_VALUE_TEXT);
    assert_column(table, "legs", "int", WORLD_VALUE_INT);
    assert_column(table, "tag", "u32", WORLD_VALUE_INT);
    assert_column(table, "at", "point", WORLD_VALUE_VECTOR);
    assert_column(table, "lean", "degrees", WORLD_VALUE_NUMBER);
    assert_column(table, "weight", "number", WORLD_VALUE_NUMBER);
    assert_column(table, "foot.width", "meters", WORLD_VALUE_NUMBER);
    assert_column(table, "foot.bare", "bool", WORLD_VALUE_BOOL);
    assert_column(table, "friends", "List[text]", WORLD_VALUE_TEXT);
    assert_column(table, "color", "color", WORLD_VALUE_VECTOR);
}

#define CELL(what, table, row, name) world_table_##what((table), (row), world_table_find((table), (name)))

static void test_list_of_records(void **state) {
    const Host *host = *state;
    WorldTable *zoo;
    double three[3] = {0};
    must(host, world_table(host->world, "zoo", &zoo));
    assert_int_equal(world_table_rows(zoo), 2);
    assert_columns(zoo);
    assert_string_equal(CELL(text, zoo, 0, "name"), "cat, \"old\"");
    assert_int_equal(CELL(int, zoo, 1, "legs"), 2);
    assert_true(CELL(int, zoo, 1, "tag") == INT64_C(4294967295));
    assert_true(CELL(number, zoo, 0, "legs") == 4);
    assert_true(world_table_vector(zoo, 1, world_table_find(zoo, "at"), three));
    assert_true(three[0] == 4 && three[1] == 5 && three[2] == 6);
    assert_true(fabs(CELL(number, zoo, 0, "lean") - 3.141592653589793) < 1e-15);
    assert_true(CELL(is_empty, zoo, 0, "weight") && isnan(CELL(number, zoo, 0, "weight")));
    assert_true(CELL(number, zoo, 1, "weight") == 1.5);
    assert_true(CELL(is_empty, zoo, 0, "foot.width") && CELL(is_empty, zoo, 0, "foot.bare"));
    assert_true(CELL(number, zoo, 1, "foot.width") == 0.03 && CELL(int, zoo, 1, "foot.bare") == 1);
    assert_string_equal(CELL(text, zoo, 0, "friends"), "[\"dog\", \"owl\"]");
    world_table_destroy(zoo);
}

/* An optional in an optional record, one in another and in a tuple of a record: the column has the innermost's kind, and
 * is empty unless all round it are there. */
static void test_optionals_in_optionals(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1},
                          "record inner\n  depth: meters?\n  count: int\nrecord outer\n  inner: inner?\n  name: text?\n"
                          "record thing\n  outer: outer?\n"
                          "field things = [thing(outer: none),\n"
                          "    thing(outer: outer(inner: none, name: \"a\")),\n"
                          "    thing(outer: outer(inner: inner(depth: none, count: 3), name: none)),\n"
                          "    thing(outer: outer(inner: inner(depth: 2 m, count: 4), name: \"b\"))]\n");
    WorldTable *table;
    must(&host, world_table(host.world, "things", &table));
    assert_int_equal(world_table_columns(table), 3);
    assert_column(table, "outer.inner.depth", "meters", WORLD_VALUE_NUMBER);
    assert_column(table, "outer.inner.count", "int", WORLD_VALUE_INT);
    assert_column(table, "outer.name", "text", WORLD_VALUE_TEXT);
    for (size_t row = 0; row < 4; row++) {
        assert_int_equal(CELL(is_empty, table, row, "outer.inner.depth"), row != 3);
        assert_int_equal(CELL(is_empty, table, row, "outer.inner.count"), row < 2);
        assert_int_equal(CELL(is_empty, table, row, "outer.name"), row == 0 || row == 2);
    }
    assert_true(CELL(number, table, 3, "outer.inner.depth") == 2 && CELL(int, table, 2, "outer.inner.count") == 3);
    world_table_destroy(table);
    world_engine_destroy(host.engine);
}

/* The library's containers are what they hold, in its order: a column of a table, items of a value. */
static void test_containers(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1},
                          "record shelf\n  names: Map[text, meters]\n  next: Queue[int]?\n"
                          "field shelves = [shelf(names: Map([(\"b\", 2 m), (\"a\", 1 m)]), next: none),\n"
                          "    shelf(names: Map(), next: Queue([7]))]\n"
                          "field nobody: Set[int] = Set()\n");
    WorldTable *table;
    WorldValue *value;
    double number[3];
    must(&host, world_table(host.world, "shelves", &table));
    assert_int_equal(world_table_columns(table), 2);
    assert_column(table, "names", "Map[text, meters]", WORLD_VALUE_TEXT);
    assert_column(table, "next", "Queue[int]", WORLD_VALUE_TEXT);
    assert_string_equal(CELL(text, table, 0, "names"), "Map([(\"b\", 2 m), (\"a\", 1 m)])");
    assert_true(CELL(is_empty, table, 0, "next"));
    assert_string_equal(CELL(text, table, 1, "next"), "Queue([7])");
    world_table_destroy(table);
    must(&host, world_ask(host.world, "shelves[0].names", &value));
    assert_int_equal(world_value_kind(value), WORLD_VALUE_LIST);
    assert_string_equal(world_value_type(value), "Map[text, meters]");
    assert_int_equal(world_value_count(value), 2);
    const WorldValue *pair = world_value_item(value, 1);
    assert_int_equal(world_value_kind(pair), WORLD_VALUE_LIST);
    assert_string_equal(world_value_type(pair), "(text, meters)");
    assert_string_equal(world_value_text(pair), "(\"a\", 1 m)");
    assert_string_equal(world_value_json(pair), "[\"a\",1]");
    assert_int_equal(world_value_numbers(world_value_item(pair, 1), number), 1);
    assert_true(number[0] == 1 && world_value_item_name(pair, 0) == NULL);
    world_value_destroy(value);
    must(&host, world_ask(host.world, "shelves[1]", &value));
    assert_int_equal(world_value_count(world_value_item(value, 0)), 0);
    assert_string_equal(world_value_json(world_value_item(value, 1)), "[7]");
    world_value_destroy(value);
    must(&host, world_ask(host.world, "nobody", &value));
    assert_true(world_value_kind(value) == WORLD_VALUE_LIST && world_value_count(value) == 0);
    world_value_destroy(value);
    world_engine_destroy(host.engine);
}

/* What is not there is empty, and no call of it is wrong. */
static void test_nothing_there(void **state) {
    const Host *host = *state;
    WorldTable *table, *kept = (WorldTable *)host->world;
    double three[3] = {7, 7, 7};
    must(host, world_table(host->world, "empty", &table));
    assert_int_equal(world_table_rows(table), 0);
    assert_columns(table);
    world_table_destroy(table);
    must(host, world_table(host->world, "zoo", &table));
    assert_int_equal(world_table_find(table, "wings"), -1);
    assert_int_equal(world_table_kind(table, 99), WORLD_VALUE_NONE);
    assert_string_equal(world_table_name(table, -1), "");
    assert_true(world_table_is_empty(table, 0, -1) && world_table_is_empty(table, 9, 0));
    assert_string_equal(CELL(text, table, 0, "legs"), "");
    assert_true(isnan(CELL(number, table, 0, "name")) && CELL(int, table, 0, "name") == 0);
    assert_false(world_table_vector(table, 0, world_table_find(table, "legs"), three));
    assert_true(three[0] == 7);
    world_table_destroy(table);
    assert_int_equal(world_table(host->world, "zoo.length()", &kept), WORLD_ERROR_NOT_FOUND);
    assert_int_equal(world_table(host->world, "zou", &kept), WORLD_ERROR_WORLD);
    assert_int_equal(world_table(NULL, "zoo", &kept), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_table(host->world, "zoo", NULL), WORLD_ERROR_ARGUMENT);
    assert_ptr_equal(kept, host->world);
    world_table_destroy(NULL);
    assert_int_equal(world_table_rows(NULL) + (size_t)world_table_columns(NULL), 0);
}

static void test_plain_list(void **state) {
    const Host *host = *state;
    WorldTable *table;
    must(host, world_table(host->world, "[2 m, 30 cm]", &table));
    assert_column(table, "value", "meters", WORLD_VALUE_NUMBER);
    assert_true(CELL(number, table, 1, "value") == 0.3);
    world_table_destroy(table);
}

/* It holds itself all it says. */
static void test_outlives_its_world(void **state) {
    (void)state;
    Host other = {0};
    WorldTable *zoo;
    must(&other, world_engine_create(&(WorldEngineDesc){.threads = 1}, &other.engine));
    must(&other, world_open_text(other.engine, text, strlen(text), &(WorldDesc){0}, &other.world));
    must(&other, world_table(other.world, "zoo", &zoo));
    world_engine_destroy(other.engine);
    assert_string_equal(CELL(text, zoo, 1, "name"), "hen");
    world_table_destroy(zoo);
}

/* A host that was built when the struct was shorter gets what it knows, and nothing past it is touched. */
static void test_short_structs(void **state) {
    const Host *host = *state;
    WorldValue *value;
    WorldDiagnostic whole = {.size = sizeof whole}, part = {.size = offsetof(WorldDiagnostic, message), .help = "mine"};
    assert_int_equal(world_ask(host->world, "zou", &value), WORLD_ERROR_WORLD);
    must(host, world_diagnostic(host->engine, host->world, 0, &whole));
    must(host, world_diagnostic(host->engine, host->world, 0, &part));
    assert_int_equal(whole.size, sizeof whole);
    assert_int_equal(whole.severity, WORLD_SEVERITY_ERROR);
    assert_string_equal(whole.id, part.id);
    assert_int_equal(whole.column, part.column);
    assert_non_null(whole.message);
    assert_null(part.message);
    assert_string_equal(part.help, "mine");
    WorldDiagnostic unsaid = {0};
    assert_int_equal(world_diagnostic(host->engine, host->world, 0, &unsaid), WORLD_ERROR_ARGUMENT);
    WorldGridView grid = {0};
    assert_int_equal(world_grid(host->world, "heightGrid(cell: 1 m, points: 2, height: p => 1 m)", &grid),
                     WORLD_ERROR_ARGUMENT);
    grid.size = sizeof grid;
    must(host, world_grid(host->world, "heightGrid(cell: 1 m, points: 2, height: p => 1 m)", &grid));
    assert_int_equal(grid.columns, 2);
    assert_true(grid.heights[0] == 1 && grid.heights[3] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_of_records),    cmocka_unit_test(test_nothing_there), cmocka_unit_test(test_plain_list),
        cmocka_unit_test(test_outlives_its_world), cmocka_unit_test(test_short_structs),
        cmocka_unit_test(test_optionals_in_optionals), cmocka_unit_test(test_containers),
    };
    return cmocka_run_group_tests(tests, open_zoo, end_host);
}
