/* Files that a world uses, through the public face: a folder for a text, reload of what changed and of
 * nothing else, bakes that know their files, and limits.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/host.h"

static char folder[64]; /* of the test */

static const char *path_of(const char *name) {
    static char path[4][128];
    static int next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static void write_text(const char *name, const char *text) {
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static Host make_host(WorldLimits limits) {
    Host host = {0};
    strcpy(folder, "/tmp/world_files_XXXXXX");
    assert_non_null(mkdtemp(folder));
    must(&host, world_engine_create(&(WorldEngineDesc){.threads = 1, .limits = limits}, &host.engine));
    mkdir(path_of("parts"), 0777);
    return host;
}

static void drop_host(Host *host) {
    static const char *const names[] = {"w.world", "parts/p.world", "parts/q.world", "parts/t.csv",
                                        "parts/m.png", "parts/t.txt",
                                        "bakes/ground.bake", "bakes", "parts", ""};
    world_engine_destroy(host->engine);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove(path_of(names[i]));
}

static double number(Host *host, const char *expression) {
    WorldValue *value;
    double out[3];
    must(host, world_ask(host->world, expression, &value));
    assert_true(world_value_numbers(value, out) >= 1);
    world_value_destroy(value);
    return out[0];
}

static void expect(Host *host, WorldStatus got, WorldStatus wanted, const char *id) {
    WorldDiagnostic first = {.size = sizeof first};
    assert_int_equal(got, wanted);
    must(host, world_diagnostic(host->engine, host->world, 0, &first));
    assert_string_equal(first.id, id);
}

/* -- texts -- */

static void test_text(void **state) {
    (void)state;
    Host host = make_host((WorldLimits){0});
    const char *text = "use p from \"parts/p.world\"\nfield x = p.a + 1\n";
    write_text("parts/p.world", "field a = 3\n");
    char own[sizeof folder];
    memcpy(own, folder, sizeof folder);
    WorldDesc desc = {.folder = own};
    must(&host, world_open_text(host.engine, text, strlen(text), &desc, &host.world));
    own[1] = 'x'; /* the world keeps the name */
    assert_true(number(&host, "x") == 4);
    assert_false(world_stale(host.world));
    write_text("parts/p.world", "field a = 30\n");
    assert_true(world_stale(host.world));
    must(&host, world_reload(host.world));
    assert_true(number(&host, "x") == 31);
    world_close(host.world);
    host.world = NULL;
    expect(&host, world_open_text(host.engine, text, strlen(text), &(WorldDesc){0}, &host.world),
           WORLD_ERROR_WORLD, "E0811");
    drop_host(&host);
}

/* -- reload -- */

/* How many cells are worked out to build the rest. */
static int cost(Host *host) {
    uint64_t before = world_evaluations(host->world);
    must(host, world_build(host->world));
    return (int)(world_evaluations(host->world) - before);
}

static const char *const world_text =
    "use p from \"parts/p.world\"\nfield x = p.far(3)\nfield y = p.near(3)\nfield z = p.wide + 1\n";

/* The world's own, and what it is read from. */
static void expect_files(Host *host) {
    static const char *const paths[] = {"w.world", "parts/p.world", "parts/q.world"};
    WorldTable *files;
    must(host, world_files(host->world, &files));
    assert_int_equal(world_table_rows(files), 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(world_table_text(files, i, world_table_find(files, "path")), paths[i]);
    assert_true(world_table_number(files, 0, world_table_find(files, "bytes")) == (double)strlen(world_text));
    assert_true(world_table_number(files, 2, world_table_find(files, "bytes")) == 33);
    world_table_destroy(files);
}

static void test_reload(void **state) {
    (void)state;
    Host host = make_host((WorldLimits){0});
    write_text("w.world", world_text);
    write_text("parts/p.world",
               "use q from \"q.world\"\nfield wide = q.width\nfn far(n: int) int { n * 2 }\n"
               "fn near(n: int) int { n + 1 }\n");
    write_text("parts/q.world", "field width = 5\nfield height = 6\n");
    must(&host, world_open_file(host.engine, path_of("w.world"), &(WorldDesc){0}, &host.world));
    expect_files(&host);
    int all = cost(&host);
    must(&host, world_reload(host.world));
    int idle = cost(&host); /* what a reload never keeps */
    write_text("parts/p.world",
               "use q from \"q.world\"\nfield wide = q.width\nfn far(n: int) int { n * 20 }\n"
               "fn near(n: int) int { n + 1 }\n");
    assert_true(world_stale(host.world));
    must(&host, world_reload(host.world));
    assert_false(world_stale(host.world));
    assert_int_equal(cost(&host), idle + 1); /* x alone */
    assert_true(number(&host, "x") == 60);
    write_text("parts/q.world", "field width = 50\nfield height = 6\n");
    must(&host, world_reload(host.world));
    assert_int_equal(cost(&host), idle + 3); /* q.width, p.wide, z */
    assert_true(number(&host, "z") == 51);
    assert_true(all > 5);

    write_text("parts/q.world", "field width = \n");
    expect(&host, world_reload(host.world), WORLD_ERROR_WORLD, "E0101");
    assert_true(number(&host, "z") == 51); /* the old one stays */
    assert_false(world_stale(host.world));
    remove(path_of("parts/q.world"));
    assert_true(world_stale(host.world));
    expect(&host, world_reload(host.world), WORLD_ERROR_FILE, "E0801");
    assert_false(world_stale(host.world));
    write_text("parts/q.world", "field width = 7\nfield height = 6\n");
    assert_true(world_stale(host.world));
    must(&host, world_reload(host.world));
    assert_true(number(&host, "z") == 8);
    drop_host(&host);
}

/* A table makes its readers new when its values change, and only then. */
static void test_data(void **state) {
    (void)state;
    Host host = make_host((WorldLimits){0});
    write_text("w.world",
               "record row\n  a: int\n  b: meters\n"
               "field rows: List[row] = table(\"parts/t.csv\")\n"
               "field count = rows.length()\nfield other = 3\nfield words = lines(\"parts/t.csv\")\n");
    write_text("parts/t.csv", "a,b\n1,2 m\n3,4 m\n");
    must(&host, world_open_file(host.engine, path_of("w.world"), &(WorldDesc){0}, &host.world));
    cost(&host);
    must(&host, world_reload(host.world));
    int idle = cost(&host);
    uint64_t before, after;
    must(&host, world_hash(host.world, &before));
    write_text("parts/t.csv", "b,a\n200 cm,1\n4,3\n");
    assert_true(world_stale(host.world));
    must(&host, world_reload(host.world));
    assert_int_equal(cost(&host), idle + 2); /* the lines and `words`: the table says the same */
    must(&host, world_hash(host.world, &after));
    assert_true(before != after);
    write_text("parts/t.csv", "b,a\n200 cm,1\n4,3\n5,6\n");
    must(&host, world_reload(host.world));
    assert_int_equal(cost(&host), idle + 5); /* those, the table, `rows` and `count` */
    assert_true(number(&host, "count") == 3);
    write_text("parts/t.csv", "b,a\n200 cm,1.5\n");
    expect(&host, world_reload(host.world), WORLD_ERROR_WORLD, "E0825");
    assert_true(number(&host, "count") == 3);
    drop_host(&host);
}

/* A file beside the golden data's world. */
static void copy_data(const char *name, const char *as) {
    char path[512];
    snprintf(path, sizeof path, "%s", getenv("DATA_WORLD"));
    char *end = strrchr(path, '/');
    assert_non_null(end);
    snprintf(end, (size_t)(path + sizeof path - end), "/data/%s", name);
    FILE *from = fopen(path, "rb"), *to = fopen(path_of(as), "wb");
    assert_true(from && to);
    for (int c = getc(from); c != EOF; c = getc(from))
        putc(c, to);
    fclose(from);
    fclose(to);
}

/* So do a picture and a text, each its own readers. */
static void test_pictures_and_texts(void **state) {
    (void)state;
    Host host = make_host((WorldLimits){0});
    uint64_t hashes[3];
    write_text("w.world", "field mask: Grid[number] = image(\"parts/m.png\")\nfield wide = mask.columns\n"
                          "field poem = contents(\"parts/t.txt\")\nfield size = poem.size()\nfield other = 3\n");
    copy_data("gray.png", "parts/m.png");
    write_text("parts/t.txt", "one\n");
    must(&host, world_open_file(host.engine, path_of("w.world"), &(WorldDesc){0}, &host.world));
    cost(&host);
    must(&host, world_hash(host.world, &hashes[0]));
    must(&host, world_reload(host.world));
    int idle = cost(&host);
    copy_data("bits.png", "parts/m.png");
    assert_true(world_stale(host.world));
    must(&host, world_reload(host.world));
    assert_int_equal(cost(&host), idle + 3); /* the picture, `mask` and `wide` */
    must(&host, world_hash(host.world, &hashes[1]));
    write_text("parts/t.txt", "four\n");
    assert_true(world_stale(host.world));
    must(&host, world_reload(host.world));
    assert_int_equal(cost(&host), idle + 2); /* `poem`, which is the text, and `size` */
    must(&host, world_hash(host.world, &hashes[2]));
    assert_true(hashes[0] != hashes[1] && hashes[1] != hashes[2]);
    assert_true(number(&host, "size") == 5);
    drop_host(&host);
}

/* -- what an author is offered -- */

static bool offers(Host *host, const char *prefix, const char *name) {
    const char *const *names;
    size_t count;
    must(host, world_complete(host->world, prefix, &names, &count));
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

/* What is private to a file, or of the library's insides, is nobody else's to complete. */
static void test_completion(void **state) {
    (void)state;
    static const char *const hidden[] = {"onAxis",     "randomPoint", "beginSpot", "spotState",
                                         "walkSpine", "mathkernel", "twofold",     "textEqual", "sortOrder"};
    Host host = make_host((WorldLimits){0});
    write_text("w.world", "use p from \"parts/p.world\"\nfield lamp = p.lamp()\n");
    write_text("parts/p.world",
               "record lamp\n  height: meters = 1 m\nfn twice(self: lamp) meters { self.height * 2 }\n"
               "private fn half(self: lamp) meters { self.height / 2 }\nprivate fn inner() int { 3 }\n"
               "fn outer() int { inner() }\n");
    must(&host, world_open_file(host.engine, path_of("w.world"), &(WorldDesc){0}, &host.world));
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        assert_false(offers(&host, hidden[i], hidden[i]));
    assert_true(offers(&host, "ringsA", "ringsAround") && offers(&host, "tabl", "table"));
    assert_true(offers(&host, "p", "p") && offers(&host, "p.", "p.outer"));
    assert_false(offers(&host, "p.", "p.inner") || offers(&host, "", "outer"));
    assert_true(offers(&host, "lamp.", "lamp.height") && offers(&host, "lamp.", "lamp.twice"));
    assert_false(offers(&host, "lamp.", "lamp.half"));
    drop_host(&host);
}

/* -- bakes -- */

static size_t taken(Host *host) {
    size_t count;
    world_close(host->world);
    must(host, world_open_file(host->engine, path_of("w.world"), &(WorldDesc){0}, &host->world));
    must(host, world_load_bakes(host->world, path_of("bakes"), &count));
    return count;
}

static void test_bakes(void **state) {
    (void)state;
    size_t count;
    Host host = make_host((WorldLimits){0});
    write_text("w.world",
               "use p from \"parts/p.world\"\n"
               "field ground = heightGrid(cell: 1 m, points: 9, height: fn(here) meters { p.low })\n");
    write_text("parts/p.world", "field low = 3 m\n");
    mkdir(path_of("bakes"), 0777);
    must(&host, world_open_file(host.engine, path_of("w.world"), &(WorldDesc){0}, &host.world));
    must(&host, world_bake(host.world, path_of("bakes"), &count));
    assert_int_equal(count, 1);
    assert_int_equal(taken(&host), 1);
    /* A byte that is another, wherever it stands: refused. And back again. */
    FILE *file = fopen(path_of("bakes/ground.bake"), "r+b");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long length = ftell(file), places[] = {0, length / 2, length - 30, length - 1};
    for (int i = 0; i < 8; i++) {
        fseek(file, places[i / 2], SEEK_SET);
        int byte = fgetc(file);
        fseek(file, places[i / 2], SEEK_SET);
        fputc(byte ^ 1, file);
        fflush(file);
        assert_int_equal(taken(&host), i % 2);
    }
    fclose(file);
    write_text("parts/p.world", "field low = 4 m\n");
    assert_int_equal(taken(&host), 0); /* another file: refused, with a warning */
    assert_int_equal(world_diagnostic_count(host.engine, host.world), 1);
    drop_host(&host);
}

/* What is taken anew takes the place of what was there, and what is refused is let go. */
static void test_bakes_again(void **state) {
    (void)state;
    size_t count;
    Host host = make_host((WorldLimits){.memory_bytes = 48 << 20});
    write_text("w.world", "field ground = heightGrid(cell: 1 m, points: 129, height: fn(here) meters { here.x })\n"
                          "field other = heightGrid(cell: 1 m, points: 3, height: fn(here) meters { here.x })\n");
    mkdir(path_of("bakes"), 0777);
    must(&host, world_open_file(host.engine, path_of("w.world"), &(WorldDesc){0}, &host.world));
    must(&host, world_bake(host.world, path_of("bakes"), &count));
    write_text("bakes/other.bake", "no bake\n");
    for (int i = 0; i < 1500; i++) {
        must(&host, world_load_bakes(host.world, path_of("bakes"), &count));
        assert_int_equal(count, 1);
        if (i % 100 == 0) assert_true(number(&host, "ground.heightAt((3, 0, 0)) / 1 m") == 3);
    }
    remove(path_of("bakes/other.bake"));
    drop_host(&host);
}

/* -- limits -- */

static void test_limits(void **state) {
    (void)state;
    Host host = make_host((WorldLimits){.files = 1, .source_bytes = 60});
    write_text("w.world", "use p from \"parts/p.world\"\n");
    write_text("parts/p.world", "use q from \"q.world\"\n");
    write_text("parts/q.world", "field a = 1\n");
    const char *path = path_of("w.world");
    expect(&host, world_open_file(host.engine, path, &(WorldDesc){0}, &host.world), WORLD_ERROR_LIMIT,
           "E0601");
    write_text("parts/p.world", "// longer than sixty bytes, which is what this host allows a file\n");
    expect(&host, world_open_file(host.engine, path_of("w.world"), &(WorldDesc){0}, &host.world),
           WORLD_ERROR_LIMIT, "E0601");
    write_text("w.world", "field a = lines(\"parts/q.world\")\n");
    world_engine_destroy(host.engine);
    WorldEngineDesc desc = {.threads = 1, .limits = {.data_bytes = 5}};
    must(&host, world_engine_create(&desc, &host.engine));
    expect(&host, world_open_file(host.engine, path_of("w.world"), &(WorldDesc){0}, &host.world),
           WORLD_ERROR_LIMIT, "E0601");
    drop_host(&host);
}

/* -- memory -- */

/* Packages, tables, pictures and texts: opened, built, looked at again, read again. */
static WorldStatus live_in_scarcity(Scarce *scarce) {
    Host host = {0};
    WorldEngineDesc desc = scarce_desc(scarce);
    WorldStatus status = world_engine_create(&desc, &host.engine);
    if (status == WORLD_OK)
        status = world_open_file(host.engine, getenv("DATA_WORLD"), &(WorldDesc){0}, &host.world);
    if (status == WORLD_OK) status = world_build(host.world);
    world_stale(host.world);
    if (status == WORLD_OK) status = world_reload(host.world);
    world_engine_destroy(host.engine);
    return status;
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    assert_scarcity(live_in_scarcity);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_reload),
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_pictures_and_texts),
        cmocka_unit_test(test_completion),
        cmocka_unit_test(test_bakes),
        cmocka_unit_test(test_bakes_again),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
