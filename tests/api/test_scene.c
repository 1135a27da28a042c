/* What there is to draw, and the maps that a land shows. */
#include <math.h>

#include "tests/support/host.h"

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
    char text[2048];
    snprintf(text, sizeof text, mapped, maps);
    return open_host((WorldEngineDesc){.threads = 2}, text);
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

/* A mesh alone in a part's body is drawn, with the part's own look, as what stands after its name is. */
static void test_meshes_in_bodies(void **state) {
    (void)state;
    const WorldScene *scene;
    Host host = open_host((WorldEngineDesc){.threads = 1}, "part a, tint: (0.5, 0.5, 0.5)\n  shapes.box((1 m, 1 m, 1 m))\n  shapes.box((2 m, 1 m, 1 m)).drawing()\n"
                                                           "part b: shapes.box((3 m, 1 m, 1 m))\n  field kept = shapes.box((4 m, 1 m, 1 m))\n");
    must(&host, world_scene(host.world, &scene));
    assert_int_equal(scene->instance_count, 3);
    assert_true(scene->instances[0].tints[0] == 0.5f && scene->instances[2].tints[0] == 1);
    world_engine_destroy(host.engine);
}

/* What 32 bits cannot hold is told, not drawn at infinity. */
static void test_too_far(void **state) {
    (void)state;
    static const char *const texts[] = {
        "part a: shapes.box((1 m, 1 m, 1 m)), at: (1e39, 0, 0)", "part a: shapes.box((1 m, 1 m, 1 m)), scale: 1e39",
        "part a, at: (0, 0, 1e39), edge: open()\n  field ground: heightGrid = heightGrid(cell: 1 m, points: 3, height: p => 0 m)\n"
        "  fn height(here: point) meters { ground.heightAt(here) }\n  fn gradient(here: point) direction { (0, 0, 0) }\n"
        "  fn slope(here: point) number { 0 }\n  fn normal(here: point) direction { (0, 1, 0) }\n"
        "  fn curvature(here: point, over: meters) number { 0 }",
        "part a\n  field layout: List[placed] = scatter(over: land, rules: [rule(name: r, candidates: [(0, 0, 0)], place: box(size: 1e39))])\n"
        "part box\n  shapes.box((1 m, 1 m, 1 m))\npart land\n  fn height(here: point) meters { 0 m }\n"
        "  fn gradient(here: point) direction { (0, 0, 0) }\n  fn slope(here: point) number { 0 }\n"
        "  fn normal(here: point) direction { (0, 1, 0) }\n  fn curvature(here: point, over: meters) number { 0 }"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const WorldScene *scene;
        WorldDiagnostic first = {.size = sizeof first};
        Host host = open_host((WorldEngineDesc){.threads = 1}, texts[i]);
        assert_int_equal(world_scene(host.world, &scene), WORLD_ERROR_WORLD);
        must(&host, world_diagnostic(host.engine, host.world, 0, &first));
        assert_non_null(strstr(first.message, "stands too far off, or is too large, to be drawn"));
        assert_int_equal(first.line, 1);
        world_engine_destroy(host.engine);
    }
}

/* More columns than there are numbers for, in one row: refused like any other, however much a host allows. */
static void test_endless_map(void **state) {
    (void)state;
    char text[2048];
    const WorldScene *scene;
    snprintf(text, sizeof text, mapped,
             ", maps: [landMap(name: \"thin\", of: here => 1, cell: 0.00001 mm,\n"
             "    over: rectangle(x0: -2 m, x1: 2 m, z0: 0 m, z1: 0 m))]");
    WorldLimits most = {.memory_bytes = 64 << 20, .grid_samples = UINT64_MAX};
    Host host = open_host((WorldEngineDesc){.limits = most, .threads = 1}, text);
    assert_int_equal(world_scene(host.world, &scene), WORLD_ERROR_MEMORY);
    world_engine_destroy(host.engine);
    snprintf(text, sizeof text, mapped,
             ", maps: [landMap(name: \"thin\", of: here => 1, cell: 0.000001 mm,\n"
             "    over: rectangle(x0: -2 m, x1: 2 m, z0: 0 m, z1: 0 m))]");
    host = open_host((WorldEngineDesc){.limits = most, .threads = 1}, text);
    assert_int_equal(world_scene(host.world, &scene), WORLD_ERROR_WORLD);
    assert_first_id(&host, host.world, "E0512");
    world_engine_destroy(host.engine);
}

/* -- records that a world puts together past what makes them -- */

/* What is drawn is made room for by these numbers: each is looked at before, and the error stands at the part. */
static void test_unsound_records(void **state) {
    (void)state;
    static const char covered[] = "use groundcover\n"
                                  "field maps = groundcover.maps(height: here => 5 m, square: 16 m)\n"
                                  "field lawn = groundcover.grass(density: 4)\n"
                                  "part cover: groundcover.cover(%s)\n";
    static const char sea[] = "use oceanwaves\n"
                              "field waves: OceanSpec = forSea(beaufort(5), seed: 1, points: 64)\n\n"
                              "part surf: oceanwaves.ocean(spec: %s)\n";
    static const struct {
        const char *text, *part, *says;
    } rows[] = {{covered, "maps: maps, kinds: [lawn.with(rings: 9)]", "rings: 9"},
                {covered, "maps: maps, kinds: [lawn.with(rings: 3, ringEnd: [])]", "the count of ringEnd: 0"},
                {covered, "maps: maps, kinds: [lawn.with(bladesPerTuft: 100000)]", "bladesPerTuft: 100000"},
                {covered, "maps: maps.with(red: groundcover.maps(height: here => 5 m, square: 4 m).red), kinds: [lawn.with(farWeight: 1)]", "other texels"},
                {covered, "maps: maps, kinds: [lawn.with(farWeight: 1)]", NULL},
                {sea, "waves.with(points: 100000)", "'surf'"},
                {sea, "waves.with(points: 65)", "'surf'"},
                {sea, "waves", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        const WorldScene *scene;
        WorldDiagnostic first = {.size = sizeof first};
        snprintf(text, sizeof text, rows[i].text, rows[i].part);
        Host host = open_host((WorldEngineDesc){.threads = 1}, text);
        assert_int_equal(world_scene(host.world, &scene), rows[i].says ? WORLD_ERROR_WORLD : WORLD_OK);
        if (rows[i].says) {
            must(&host, world_diagnostic(host.engine, host.world, 0, &first));
            assert_non_null(strstr(first.message, rows[i].says));
            assert_true(first.line == 4 && strcmp(first.file, "<text>") == 0);
        }
        world_engine_destroy(host.engine);
    }
}

/* Who draws no ground cover is given none, and does not wait for it. */
static void test_no_cover(void **state) {
    (void)state;
    static const char text[] = "use groundcover\n"
                               "part cover: groundcover.cover(maps: groundcover.maps(height: here => 5 m, square: 16 m), kinds: [groundcover.grass(density: 4)])\n";
    const WorldScene *scene;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    must(&host, world_scene(host.world, &scene));
    assert_string_equal(scene->cover.path, "cover");
    assert_int_equal(scene->cover.kind_count, 1);
    World *bare;
    must(&host, world_open_text(host.engine, text, sizeof text - 1, &(WorldDesc){.no_cover = true}, &bare));
    must(&host, world_scene(bare, &scene));
    assert_null(scene->cover.path);
    assert_int_equal(scene->cover.kind_count, 0);
    world_engine_destroy(host.engine);
}

/* -- things that lean -- */

static void assert_row(const float *m, int row, double x, double y, double z, double at) {
    const double want[4] = {x, y, z, at};
    for (int i = 0; i < 4; i++)
        assert_true(fabs((double)m[4 * row + i] - want[i]) < 1e-6);
}

/* A thing turned by a quarter, twice its size, whose up points east: its north (-z) is west before it leans, and down after. */
static void test_leaning(void **state) {
    (void)state;
    const WorldScene *scene;
    Host host = open_host((WorldEngineDesc){0},
                          "part thing\n"
                          "  part box: shapes.box(size: (1 m, 1 m, 1 m)), at: (0, 3, 0)\n"
                          "part yard, at: (10, 0, 0), turn: 0.5 turn\n"
                          "  field one = [placed(kind: thing, variant: 0, at: (5, 0, 0), turn: 0.25 turn, up: (2, 0, 0), size: 2,\n"
                          "      sink: 0, room: 0 m, rule: \"a\", k: 0, id: \"a/0\")]\n"
                          "part other, hidden: true\n"
                          "  part copy: thing\n"
                          "  field flat = [placed(kind: thing, variant: 0, at: (5, 0, 0), turn: 0, up: (0, 0, 0), size: 2,\n"
                          "      sink: 0, room: 0 m, rule: \"a\", k: 0, id: \"a/0\")]\n");
    must(&host, world_scene(host.world, &scene));
    assert_true(scene->instance_count == 1 && scene->instances[0].count == 1);
    const float *m = scene->instances[0].transforms;
    assert_row(m, 0, 0, -2, 0, -1);
    assert_row(m, 1, 0, 0, -2, 0);
    assert_row(m, 2, 2, 0, 0, 0);
    must(&host, world_set(host.world, "other.hidden", "false"));
    assert_int_equal(world_scene(host.world, &scene), WORLD_ERROR_WORLD);
    assert_first_id(&host, host.world, "E0512");
    world_engine_destroy(host.engine);
}

/* -- materials and cameras -- */

/* The same functions are one material, whoever has them; what is plain has none. */
static void test_materials(void **state) {
    (void)state;
    const WorldScene *scene;
    Host host = open_host((WorldEngineDesc){0},
                          "use shapes\n"
                          "field red: material = material(color: (at.x / 1 m, 0, 0), roughness: 0.5)\n"
                          "part a: shapes.box((1 m, 1 m, 1 m)), material: red\n"
                          "part b: shapes.box((2 m, 1 m, 1 m)), material: red\n"
                          "part c: shapes.box((3 m, 1 m, 1 m)), material: material(emission: (0, time / 1 s, 0))\n"
                          "part d: shapes.box((4 m, 1 m, 1 m)), material: plain((1, 0, 0))\n");
    must(&host, world_scene(host.world, &scene));
    assert_int_equal(scene->material_count, 2);
    assert_int_equal(scene->mesh_count, 4);
    const int wanted[4] = {1, 1, 2, 0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(scene->meshes[i].material, wanted[i]);
    const char *first = scene->materials[0].text, *second = scene->materials[1].text;
    assert_non_null(strstr(first, "#define MATERIAL_COLOR\n#define MATERIAL_ROUGHNESS\n"));
    assert_non_null(strstr(first, "void material_color(float"));
    assert_null(strstr(first, "MATERIAL_TIMED"));
    assert_non_null(strstr(second, "#define MATERIAL_EMISSION\n#define MATERIAL_TIMED\n"));
    assert_true(scene->instances[3].tints[0] == 1 && scene->instances[3].tints[1] == 0);
    assert_int_equal(scene->land_material, 0);
    world_engine_destroy(host.engine);
    host = open_mapped("");
    must(&host, world_scene(host.world, &scene)); /* the library's ground */
    assert_int_equal(scene->land_material, 1);
    assert_true(scene->materials[0].word_count >= 25); /* how it hollows */
    world_engine_destroy(host.engine);
    host = open_mapped(", material: plain((0.5, 1, 1))");
    must(&host, world_scene(host.world, &scene));
    assert_true(scene->land_material == 0 && scene->material_count == 0 && scene->land_tint[0] == 0.5f);
    world_engine_destroy(host.engine);
}

static void test_cameras(void **state) {
    (void)state;
    const WorldScene *scene;
    Host host = open_host((WorldEngineDesc){0}, "use camera\n"
                                                "part hut, at: (0, 5, 0), turn: 90 deg\n"
                                                "  part porch: camera.view(from: (3, 2, 1), look: (0, 0, 0))\n"
                                                "part view\n");
    must(&host, world_scene(host.world, &scene));
    assert_int_equal(scene->camera_count, 1); /* a part of the author's that has the name is none */
    const WorldCamera *porch = &scene->cameras[0];
    assert_string_equal(porch->path, "hut.porch");
    const double from[3] = {1, 7, -3}, to[3] = {0, 5, 0};
    for (int i = 0; i < 3; i++)
        assert_true(fabs(porch->from[i] - from[i]) < 1e-12 && fabs(porch->to[i] - to[i]) < 1e-12);
    assert_true(fabs(porch->fov - 50 * 0.017453292519943295) < 1e-12);
    assert_true(porch->moments == 0 && porch->lasts == 0);
    world_engine_destroy(host.engine);
}

/* The way is that of the spine, in the frame of the part, at equal steps; it looks ahead, past the end too. */
static void test_camera_path(void **state) {
    (void)state;
    const WorldScene *scene;
    Host host = open_host((WorldEngineDesc){0}, "use camera\n"
                                                "part hut, at: (0, 5, 0), turn: 90 deg\n"
                                                "  part ride: camera.path(along: spine.through([(0, 0, 0), (24, 0, 0)], kind: straight), rise: 1 m, ahead: 2 m, lasts: 6 s)\n");
    must(&host, world_scene(host.world, &scene));
    assert_int_equal(scene->camera_count, 1);
    const WorldCamera *ride = &scene->cameras[0];
    assert_string_equal(ride->path, "hut.ride");
    assert_int_equal(ride->moments, 241);
    assert_true(ride->lasts == 6);
    for (size_t i = 0; i < ride->moments; i++) {
        const double *from = ride->eyes + 3 * i, *to = ride->looks + 3 * i, along = (double)i / 10;
        assert_true(fabs(from[0]) < 1e-9 && fabs(from[1] - 6) < 1e-9 && fabs(from[2] + along) < 1e-9);
        assert_true(fabs(to[0]) < 1e-9 && fabs(to[1] - 6) < 1e-9 && fabs(to[2] + along + 2) < 1e-9);
    }
    world_engine_destroy(host.engine);
}

/* The way it blows is the frame's, of length 1; it changes with the clock and is no other scene for it. */
static void test_wind(void **state) {
    (void)state;
    const WorldScene *scene;
    Host host = open_host((WorldEngineDesc){0}, "use weather\nuse clock\npart box: shapes.box((1 m, 1 m, 1 m))\n"
                                                "part hut, turn: 90 deg\n  part air: weather.wind(direction: (3, 5, 4), speed: 1 m/s + 2 * clock.now * 1 m/s / 1 s, gusts: 0.25)\n");
    must(&host, world_scene(host.world, &scene));
    uint64_t shape = scene->shape;
    const WorldWind *wind = &scene->wind;
    assert_string_equal(wind->path, "hut.air");
    assert_true(fabs(wind->toward[0] - 0.8) < 1e-9 && fabs(wind->toward[1] + 0.6) < 1e-9 && wind->speed == 1 && wind->gusts == 0.25);
    must(&host, world_step(host.world, 2));
    must(&host, world_scene(host.world, &scene));
    assert_true(fabs(scene->wind.speed - 5) < 1e-9 && scene->shape == shape);
    world_engine_destroy(host.engine);
    host = open_host((WorldEngineDesc){0}, "use weather\n\npart air: weather.wind(direction: (0, 1, 0))\n");
    assert_int_equal(world_scene(host.world, &scene), WORLD_ERROR_WORLD);
    WorldDiagnostic first = {.size = sizeof first};
    must(&host, world_diagnostic(host.engine, host.world, 0, &first));
    assert_true(first.line == 3 && strstr(first.message, "says no way on the plan"));
    world_engine_destroy(host.engine);
    host = open_host((WorldEngineDesc){0}, "part box: shapes.box((1 m, 1 m, 1 m))\n");
    must(&host, world_scene(host.world, &scene));
    assert_null(scene->wind.path);
    world_engine_destroy(host.engine);
}

/* -- what a scene holds -- */

static void *count_bytes(void *user, void *pointer, size_t old_size, size_t new_size) {
    size_t *held = user;
    if (new_size == 0) {
        *held -= old_size;
        free(pointer);
        return NULL;
    }
    void *made = realloc(pointer, new_size);
    if (made) *held += new_size - old_size;
    return made;
}

/* What a card reads of a map that is no raster of the scene is held once, in the card; of copies that grew one by one at most twice of what is theirs. */
static void test_held(void **state) {
    (void)state;
    enum { POINTS = 1025, THINGS = 40000 };
    static const char text[] =
        "part land, material: shaded(terrain)\n"
        "  field ground: heightGrid = heightGrid(cell: 2 m, points: 1025, height: p => 2 m + p.x / 50)\n"
        "  fn height(here: point) meters { ground.heightAt(here) }\n"
        "  fn gradient(here: point) direction { ground.gradientAt(here) }\n"
        "  fn slope(here: point) number { length(gradient(here)) }\n"
        "  fn normal(here: point) direction { ground.normalAt(here) }\n"
        "  fn curvature(here: point, over: meters) number { ground.curvatureAt(here, over) }\n"
        "part fir: shapes.box((1 m, 2 m, 1 m))\n"
        "part woods\n"
        "  field layout: List[placed] = scatter(over: land, rules: [firs])\n"
        "  field firs = rule(draws: perSpot, candidates: jitteredGrid(cell: 5 m, x: -500 m ..< 500 m, z: -500 m ..< 500 m), test: none, blocks: false, place: fir())\n";
    size_t held = 0;
    const WorldScene *scene;
    Host host = open_host((WorldEngineDesc){.allocator = {count_bytes, &held}, .exec = WORLD_EXEC_INTERPRETER, .threads = 1}, text);
    must(&host, world_build(host.world));
    size_t before = held;
    must(&host, world_scene(host.world, &scene));
    const WorldCard *card = &scene->materials[scene->land_material - 1];
    assert_true(card->word_count > POINTS * POINTS && scene->instances[0].count == THINGS);
    size_t words = sizeof *card->words * card->word_count, copies = THINGS * (15 * sizeof(float) + sizeof(uint32_t) + sizeof(WorldThing) + sizeof(WorldThing *) + 32);
    assert_true(held - before < words + 2 * copies);
    world_engine_destroy(host.engine);
    assert_int_equal(held, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_wrong_maps),
        cmocka_unit_test(test_meshes_in_bodies),
        cmocka_unit_test(test_too_far),
        cmocka_unit_test(test_endless_map),
        cmocka_unit_test(test_unsound_records),
        cmocka_unit_test(test_no_cover),
        cmocka_unit_test(test_leaning),
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_cameras),
        cmocka_unit_test(test_camera_path),
        cmocka_unit_test(test_wind),
        cmocka_unit_test(test_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
