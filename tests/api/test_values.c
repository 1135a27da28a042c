/* What tells one value from another: the hash of a world, and a reload, which works out anew what has changed and nothing
 * else. A row for every type of value.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <world/world.h>

typedef struct Host {
    WorldEngine *engine;
    World *world;
} Host;

static const char before[] = "record tree\n  at: point\n  name: text = \"oak\"\n  age: int? = none\n"
                             "type kind = one of (oak, elm)\npart lamp\n  field watts: int\npart lantern\n  field watts: int\n"
                             "part one: lamp(watts: 1)\npart two: lamp(watts: 1)\n"
                             "fn row(n: int) List[number] { (0 ..< n).toList().map(i => i * 0.5) }\n"
                             "fn course(p: List[point]) spine { spine.through(points: p, kind: straight, every: 3 m) }\n"
                             "fn quad(c: List[int]) mesh { shapes.surface([(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)], c) }\n"
                             /* three triangles that meet in one place, each turned by 30 degrees */
                             "fn leaf(k: int) List[offset] { [0 m, 1 m].map(z => offset(cos(k * 30 deg) * 1 m, sin(k * 30 deg) * 1 m, z)) }\n"
                             "fn fan(c: angle) mesh {\n"
                             "  shapes.surface([offset(0, 0, 0)] + leaf(0) + leaf(1) + leaf(2), [0, 1, 2, 0, 3, 4, 0, 5, 6], crease: c)\n}\n"
                             "fn swaying(foot: offset) mesh {\n"
                             "  let one = shapes.standing(at: foot, up: (0, 1, 0), facing: (0, 0, 1))\n"
                             "  shapes.copiesOf(shapes.box(size: (1, 1, 1)).moved(by: -foot), at: [one], sway: true)\n}\n";

/* Two values of a type that differ in as little as they can; `again`: a reload works such values out anew, always. */
static const struct {
    const char *type, *one, *other;
    bool again;
} pairs[] = {
    {"bool", "true", "false"},
    {"int", "4503599627370497", "4503599627370496"},
    {"u32", "u32(7)", "u32(8)"},
    {"number", "0.1 + 0.2", "0.3"},
    {"meters", "1 m", "1.0000000000000002 m"},
    {"angle", "30 deg", "31 deg"},
    {"text", "\"ab\"", "\"abc\""},
    {"text", "\"a\"", "\"A\""},
    {"point", "(1, 2, 3)", "(1, 3, 2)"},
    {"point", "(1, 2, 3)", "(1, 2, 4)"},
    {"direction", "(1, 0, 0)", "(0, 1, 0)"},
    {"color", "(1, 0, 0)", "(1, 0, 0.001)"},
    {"kind", "oak", "elm"},
    {"(int, text)", "(1, \"a\")", "(1, \"b\")"},
    {"(text, text)", "(\"ab\", \"c\")", "(\"a\", \"bc\")"},
    {"List[int]", "[1, 2]", "[2, 1]"},
    {"List[int]", "[1, 2]", "[1, 2, 0]"},
    {"List[List[int]]", "[[1], [2]]", "[[1, 2], []]"},
    {"List[text]", "[\"a\", \"bc\"]", "[\"ab\", \"c\"]"},
    {"int?", "none", "0"},
    {"int?", "3", "4"},
    {"text?", "none", "\"\""},
    {"(int?, int?)", "(none, 5)", "(5, none)"},
    {"tree", "tree((1, 0, 0))", "tree((1, 0, 0), name: \"elm\")"},
    {"tree", "tree((1, 0, 0))", "tree((1, 0, 0), age: 0)"},
    {"Map[text, int]", "Map([(\"a\", 1)])", "Map([(\"a\", 2)])"},
    {"Map[text, int]", "Map([(\"a\", 1), (\"b\", 1)])", "Map([(\"b\", 1), (\"a\", 1)])"},
    {"Set[int]", "Set([1, 2])", "Set([1])"},
    {"Heap[int, int]", "Heap([1, 2], keys: [1, 2])", "Heap([1, 2], keys: [1, 3])"},
    {"Queue[int]", "Queue([1, 2])", "Queue([1])"},
    {"Grid[int]", "Grid(2, 3, 0)", "Grid(3, 2, 0)"},
    {"Range[int]", "0 ..< 3", "0 ..= 3"},
    {"curve[meters]", "curve([(0, 1 m), (1, 2 m)])", "curve([(0, 1 m), (1, 3 m)])", true},
    {"curve[meters]", "curve([(0, 1 m), (1, 2 m)])", "curve([(0, 1 m), (2, 2 m)])", true},
    {"spine", "spine.through(points: [(0, 0, 0), (9, 0, 0)])", "spine.through(points: [(0, 0, 0), (9, 0.1, 0)])", true},
    {"spine", "course([(0, 0, 0), (9, 0, 0)])", "course([(0, 0, 0), (4.5, 0, 0), (9, 0, 0)])", true}, /* the same course, by other numbers */
    {"outline", "outline.points(points: [(0, 0), (9, 0), (0, 9)])", "outline.points(points: [(0, 0), (9, 0), (0, 8)])", true},
    {"outline", "outline.points(points: [(0, 0), (9, 0), (0, 9)])", "outline.points(points: [(0, 0), (9, 0), (1, 9)])", true},
    {"heightGrid", "heightGrid(cell: 1 m, points: 5, height: p => p.x)", "heightGrid(cell: 1 m, points: 5, height: p => p.z)"},
    {"heightGrid", "heightGrid(cell: 1 m, points: 5, height: p => 0 m)", "heightGrid(cell: 2 m, points: 5, height: p => 0 m)"},
    {"heightGrid", "heightGrid(cell: 1 m, points: 5, height: p => 0 m)", "heightGrid(cell: 1 m, points: 5, height: p => if p.z < 2 m { 0 m } else { 1 m })"},
    {"heightGrid", "heightGrid(cell: 1 m, points: 5, height: p => 0 m)", "heightGrid(cell: 1 m, points: 5, height: p => 0 m, outside: 0 m)"},
    {"mesh", "shapes.box(size: (1, 1, 1))", "shapes.box(size: (1, 1, 2))"},
    {"mesh", "shapes.box(size: (1, 1, 1)).colored((1, 0, 0))", "shapes.box(size: (1, 1, 1)).colored((0, 1, 0))"},
    {"mesh", "quad([0, 1, 2, 0, 2, 3])", "quad([0, 1, 3, 1, 2, 3])"},           /* of other triangles */
    {"mesh", "fan(40 deg)", "fan(10 deg)"},                                     /* with other normals */
    {"mesh", "shapes.box(size: (1, 1, 1)).tiled(tile: 1 m)", "shapes.box(size: (1, 1, 1)).tiled(tile: 2 m)"},
    {"mesh", "swaying((0, 0, 0))", "swaying((0.5, 0, 0))"}, /* that turn about other places */
    {"mesh", "quad([0, 1, 2, 0, 2, 3])", "quad([0, 1, 2, 0, 2, 3]).twoSided()"},
    {"stream", "randomStream(seed: 1, salt: 1)", "randomStream(seed: 1, salt: 2)", true},
    {"design", "lamp", "lantern"},
    {"anyPart", "one", "two"},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static void must(const Host *host, WorldStatus status, const char *what) {
    if (status != WORLD_OK)
        fail_msg("%s: %s", what, world_diagnostics_text(host->engine, host->world, WORLD_STYLE_HUMAN));
}

static int setup(void **state) {
    static Host host;
    *state = &host;
    return world_engine_create(&(WorldEngineDesc){.threads = 1}, &host.engine) != WORLD_OK;
}

static int teardown(void **state) {
    world_engine_destroy(((Host *)*state)->engine);
    return 0;
}

static void write_text(char *out, size_t size, const char *type, const char *value) {
    snprintf(out, size, "%sfield v: %s = %s\nfield w = v\nfield still = row(7)\n", before, type, value);
}

static uint64_t hash_of(Host *host, const char *type, const char *value) {
    char text[2048];
    uint64_t hash = 0;
    write_text(text, sizeof text, type, value);
    must(host, world_open_text(host->engine, text, strlen(text), &(WorldDesc){0}, &host->world), value);
    must(host, world_hash(host->world, &hash), value);
    world_close(host->world);
    host->world = NULL;
    return hash;
}

static void test_hash(void **state) {
    Host *host = *state;
    for (int i = 0; i < PAIRS; i++) {
        uint64_t one = hash_of(host, pairs[i].type, pairs[i].one);
        if (one == hash_of(host, pairs[i].type, pairs[i].other))
            fail_msg("%s: %s hashes as %s", pairs[i].type, pairs[i].one, pairs[i].other);
        if (one != hash_of(host, pairs[i].type, pairs[i].one)) fail_msg("%s: two hashes", pairs[i].one);
    }
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int evaluations(Host *host) {
    uint64_t start = world_evaluations(host->world);
    must(host, world_build(host->world), "build");
    return (int)(world_evaluations(host->world) - start);
}

/* The value that has changed and what reads it are worked out again; of a text that says the same nothing is. */
static void test_reload(void **state) {
    Host *host = *state;
    char folder[] = "/tmp/world_values_XXXXXX", path[64], text[2048];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/values.world", folder);
    for (int i = 0; i < PAIRS; i++) {
        write_text(text, sizeof text, pairs[i].type, pairs[i].one);
        write_file(path, text);
        must(host, world_open_file(host->engine, path, &(WorldDesc){0}, &host->world), pairs[i].one);
        uint64_t first = 0, second = 0;
        must(host, world_build(host->world), pairs[i].one); /* what the hash leaves out as well */
        must(host, world_hash(host->world, &first), pairs[i].one);
        strcat(text, "// the same\n");
        write_file(path, text);
        must(host, world_reload(host->world), pairs[i].one);
        int idle = evaluations(host);
        must(host, world_hash(host->world, &second), pairs[i].one);
        if (first != second) fail_msg("%s: a reload of the same text made %s another", pairs[i].type, pairs[i].one);
        write_text(text, sizeof text, pairs[i].type, pairs[i].other);
        write_file(path, text);
        must(host, world_reload(host->world), pairs[i].other);
        int cost = evaluations(host);
        must(host, world_hash(host->world, &second), pairs[i].other);
        if (first == second) fail_msg("%s: a reload of %s kept %s", pairs[i].type, pairs[i].other, pairs[i].one);
        if (second != hash_of(&(Host){.engine = host->engine}, pairs[i].type, pairs[i].other))
            fail_msg("%s: a reload of %s is another world", pairs[i].type, pairs[i].other);
        if (cost != idle + (pairs[i].again ? 0 : 2)) /* v, and w, which reads it */
            fail_msg("%s: %d evaluations for the same text, %d for %s\n", pairs[i].type, idle, cost, pairs[i].other);
        world_close(host->world);
        host->world = NULL;
    }
    unlink(path);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_reload),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
