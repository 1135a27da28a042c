/* A text that is read again: what it comes to is what a fresh world comes to, to the bit, however much of the old one was
 * taken over; and how much that is, in counts.
 */
#include <math.h>
#include <unistd.h>

#include "tests/support/host.h"

static const char text[] =
    "field seed: seed = 7\n"
    "field lift: meters, within: 0 m ..= 50 m = 6 m\n"
    "part land, maps: [landMap(name: \"lift\", of: here => lift / 1 m),\n"
    "                  landMap(name: \"wood\", of: here => land.density(here), cell: 2 m, over: rectangle(x0: -40 m, x1: 40 m, z0: -40 m, z1: 40 m))]\n"
    "  part path: spine.through([(-80, 0, -10), (-30, 0, 12), (10, 0, -6), (50, 0, 8), (90, 0, -12)])\n"
    "  field raw: heightGrid = heightGrid(cell: 4 m, points: 65, height: shape)\n"
    "  field ground: heightGrid = press(raw, path, depth: 5 cm, fullWithin: 1.4 m, goneBy: 6 m, smoothedAlong: 9, passes: 2)\n"
    "  fn shape(here: point) meters { lift + 3 m * fbm(here.x / 31 m, here.z / 23 m, seed: 3, octaves: 4) }\n"
    "  fn height(here: point) meters { ground.heightAt(here) }\n"
    "  fn gradient(here: point) direction { ground.gradientAt(here) }\n"
    "  fn slope(here: point) number { length(gradient(here)) }\n"
    "  fn normal(here: point) direction { ground.normalAt(here) }\n"
    "  fn curvature(here: point, over: meters) number { ground.curvatureAt(here, over) }\n"
    "  fn pathDistance(here: point) meters { path.nearest(here, within: 60 m).distance }\n"
    "  fn density(here: point) fraction { 0.9 * smoothstep(pathDistance(here), from: 2 m, to: 30 m) }\n"
    "field deep: fn(number) number = (0 ..< 300000).toList().fold(fn(x: number) number { x }, fn(f: fn(number) number, i: int) fn(number) number { fn(x: number) number { f(x) + i } })\n"
    "part pine\n"
    "  field variant: int = 0\n"
    "  field bark: color = (0.2, 0.15, 0.1)\n"
    "  part trunk: shapes.cone(radius: 0.3 m, height: 4 m + 1 m * variant, sides: 30).colored(bark)\n"
    "part ball: shapes.sphere(radius: 1 m).colored((0.7, 0.09, 0.06)), at: (5, land.height((5, 0, 5)), 5), clearance: 1 m\n"
    "part grove\n"
    "  field main = randomStream(seed: seed, salt: 1)\n"
    "  field layout: List[placed] = scatter(over: land, rules: [forest])\n"
    "  field count: int = layout.length()\n"
    "  field crowns: List[disc] = discsOf(layout, thing => 1 m * thing.size)\n"
    "  field forest = rule(draws: main,\n"
    "      candidates: jitteredGrid(cell: 6 m, x: -90 m ..< 90 m, z: -60 m ..< 60 m),\n"
    "      keep: land.slope(here) < 0.62 && land.pathDistance(here) > 4.5 m && uniform(0, 1) < 0.9,\n"
    "      spacing: 7 m + 6 m * (1 - land.density(here)), test: spacing / 2, room: spacing / 2 - 0.4 m,\n"
    "      place: pine(variant: below(3), size: 0.75 + 0.55 * uniform(0, 1)))\n"
    "part lamps\n"
    "  field step: meters = 20 m\n"
    "  each i in 0 ..< 4 {\n    part lamp[i]: shapes.box((0.2 m, 2 m, 0.2 m)), at: (step * i, land.height((step * i, 0, 3)), 3)\n  }\n"
    "  field lit: int = lamp.length()\n"
    "  field twice: fn(number) number = fn(x: number) number { x * 2 }\n";

typedef struct Edit {
    const char *from, *to;
    uint64_t fields; /* that are worked out again, of 189, at most. 29 always are: what holds spines or streams, functions deep in functions, and families */
    uint64_t levels; /* meshes that get new coarser ones */
    uint64_t layers; /* made anew, of the land's two maps and its look */
} Edit;

static const Edit edits[] = {
    {"", "", 29, 0, 0},
    {"", "// nothing\n", 29, 0, 0},
    {"field seed", "// a line more\nfield seed", 29, 0, 0},
    {"lit: int = lamp.length()", "lit: int = (0 ..< lamp.length()).toList().filter(fn(i: int) bool { i >= 0 }).length()", 30, 0, 0}, /* functions behind have other numbers */
    {"(0.7, 0.09, 0.06)", "(0.7, 0.3, 0.06)", 30, 1, 0},           /* the ball's mesh */
    {"(0.2, 0.15, 0.1)", "(0.2, 0.25, 0.1)", 35, 3, 0},            /* that of every pine */
    {"uniform(0, 1) < 0.9", "uniform(0, 1) < 0.8", 32, 0, 0},      /* what stands where, and what rests on it */
    {"0.9 * smoothstep", "0.7 * smoothstep", 33, 0, 3},
    {"seed = 7", "seed = 8", 33, 0, 0},
    {"(10, 0, -6)", "(10, 0, -4)", 43, 0, 3},                      /* the path: the land as it left it, and all that stands on that */
    {"3 m * fbm", "4 m * fbm", 44, 0, 2},                          /* the land */
    {"cell: 4 m, points: 65", "cell: 8 m, points: 33", 44, 0, 2},       /* what a map has no lattice of its own for is laid on the land's */
    {"0 m ..= 50 m = 6 m", "0 m ..= 50 m = 7 m", 45, 0, 2},
    {"0 m ..= 50 m", "0 m ..= 40 m", 45, 0, 2},                    /* the value is the same, and what it must satisfy is not */
    {"= 20 m", "= 21 m", 38, 0, 0},                                /* the members */
    {"0 ..< 4", "0 ..< 5", 92, 0, 0},                             /* one more: none is what it was */
    {"field count", "field another: int = 3\n  field count", 190, 0, 3}, /* the classes are others: nothing is taken over but levels */
};

/* -- texts -- */

static char path[] = "/tmp/world_reload_XXXXXX";

static void save(const Edit *edit) {
    FILE *file = fopen(path, "w");
    const char *at = strstr(text, edit->from);
    assert_true(file && at);
    fwrite(text, 1, (size_t)(at - text), file);
    fputs(edit->to, file);
    fputs(at + strlen(edit->from), file);
    fclose(file);
}

/* -- all that a view is given -- */

static uint64_t add(uint64_t hash, const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    for (size_t i = 0; at && i < size; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash * 31 + size;
}

static uint64_t add_mesh(uint64_t hash, const WorldMesh *mesh) {
    for (; mesh; mesh = mesh->coarser) {
        size_t corners = sizeof(float) * mesh->vertex_count;
        hash = add(hash, mesh->positions, 3 * corners);
        hash = add(hash, mesh->normals, 3 * corners);
        hash = add(hash, mesh->colors, 3 * corners);
        hash = add(hash, mesh->indices, sizeof(uint32_t) * mesh->index_count);
        hash = add(hash, mesh->wind, mesh->wind ? corners : 0);
        hash = add(hash, &mesh->material, sizeof mesh->material);
        hash = add(hash, &mesh->coarser_below, sizeof mesh->coarser_below);
        if (mesh->picture) hash = add(hash, mesh->picture->rgba, (size_t)4 * mesh->picture->width * mesh->picture->height);
    }
    return hash;
}

static uint64_t hash_scene(const Host *host) {
    const WorldScene *scene;
    uint64_t hash = 0xcbf29ce484222325u;
    must(host, world_scene(host->world, &scene));
    for (size_t i = 0; i < scene->mesh_count; i++)
        hash = add_mesh(hash, &scene->meshes[i]);
    for (size_t i = 0; i < scene->instance_count; i++) {
        const WorldInstances *group = &scene->instances[i];
        hash = add(hash, &group->mesh, sizeof group->mesh);
        hash = add(hash, group->transforms, 12 * sizeof(float) * group->count);
        hash = add(hash, group->tints, group->tints ? 3 * sizeof(float) * group->count : 0);
    }
    for (size_t i = 0; i < scene->thing_count; i++) {
        hash = add(hash, scene->things[i]->path, strlen(scene->things[i]->path));
        hash = add(hash, scene->things[i]->id, strlen(scene->things[i]->id));
    }
    for (size_t i = 0; i < scene->material_count; i++) {
        hash = add(hash, scene->materials[i].text, strlen(scene->materials[i].text));
        hash = add(hash, scene->materials[i].words, sizeof(uint32_t) * scene->materials[i].word_count);
    }
    for (size_t i = 0; i < scene->land_raster_count; i++) {
        const WorldRaster *raster = scene->land_rasters[i];
        hash = add(hash, raster->values, sizeof(float) * (size_t)raster->columns * (size_t)raster->rows);
    }
    return add(hash, scene->land.heights, sizeof(float) * (size_t)scene->land.columns * (size_t)scene->land.rows);
}

typedef struct Hashes {
    uint64_t world, scene;
} Hashes;

static Hashes hashes_of(const Host *host) {
    Hashes hashes;
    must(host, world_hash(host->world, &hashes.world));
    hashes.scene = hash_scene(host);
    return hashes;
}

static Hashes fresh_hashes(const Host *host) {
    Host fresh = {.engine = host->engine};
    must(host, world_open_file(host->engine, path, &(WorldDesc){0}, &fresh.world));
    Hashes hashes = hashes_of(&fresh);
    world_close(fresh.world);
    return hashes;
}

static WorldWork work_of(const Host *host) {
    WorldWork work = {.size = sizeof work};
    must(host, world_work(host->world, &work));
    return work;
}

/* The text as it is in the file is read again. */
static WorldWork read_again(const Host *host, const char *what) {
    must(host, world_reload(host->world));
    Hashes mine = hashes_of(host), fresh = fresh_hashes(host);
    if (mine.world != fresh.world) fail_msg("'%s': the hash is not that of a fresh world", what);
    if (mine.scene != fresh.scene) fail_msg("'%s': the scene is not that of a fresh world", what);
    assert_answer(host, "lamps.twice(21)", "42"); /* a function that was carried on */
    return work_of(host);
}

/* -- the tests -- */

static int open_file(void **state) {
    static Host host;
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    save(&(Edit){"", ""});
    must(&host, world_engine_create(&(WorldEngineDesc){.threads = 2}, &host.engine));
    must(&host, world_open_file(host.engine, path, &(WorldDesc){0}, &host.world));
    *state = &host;
    return 0;
}

static int close_file(void **state) {
    const Host *host = *state;
    world_close(host->world);
    world_engine_destroy(host->engine);
    remove(path);
    strcpy(strrchr(path, '_') + 1, "XXXXXX");
    return 0;
}

/* Each edit of the text as it was, and back. */
static void test_edits(void **state) {
    const Host *host = *state;
    hashes_of(host);
    assert_int_equal(work_of(host).fields, 189);
    assert_int_equal(work_of(host).levels, 4);
    assert_int_equal(work_of(host).layers, 3);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        const Edit *edit = &edits[i];
        save(edit);
        WorldWork work = read_again(host, edit->to);
        if (work.fields > edit->fields) fail_msg("'%s': %d fields were worked out, %d are enough", edit->to, (int)work.fields, (int)edit->fields);
        if (work.levels != edit->levels) fail_msg("'%s': levels were made for %d meshes, in place of %d", edit->to, (int)work.levels, (int)edit->levels);
        if (work.layers != edit->layers) fail_msg("'%s': %d layers were made, in place of %d", edit->to, (int)work.layers, (int)edit->layers);
        save(&(Edit){"", ""});
        read_again(host, edit->from);
    }
}

/* What was set is set no more; what was not touched is taken over all the same. What is set to a view's world is seen in the next
 * scene, of which nothing else is made anew. */
static void test_set(void **state) {
    const Host *host = *state;
    hashes_of(host);
    uint64_t fields = work_of(host).fields;
    must(host, world_set(host->world, "ball.clearance", "2 m"));
    hash_scene(host);
    assert_true(work_of(host).fields - fields < 10);
    assert_int_equal(work_of(host).levels, 4);
    must(host, world_set(host->world, "lift", "9 m"));
    hashes_of(host);
    WorldWork work = read_again(host, "");
    assert_true(work.fields <= 47);
    must(host, world_tick(host->world)); /* time alone is nothing that came or went */
    assert_true(read_again(host, "").fields <= 29);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_edits, open_file, close_file),
                                       cmocka_unit_test_setup_teardown(test_set, open_file, close_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
