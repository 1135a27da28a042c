/* A world without an end in a view: an eye that goes on has no more in its view than one that stands, keeps the rows of what stays, and sees
 * what one sees who opens his eyes there. */
#include "gpu/view_parts.h"
#include "tests/gpu/skip.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { WIDTH = 160, HEIGHT = 90, STEP = 250, METERS = 5000 };

static const char text[] =
    "use worldgen\n"
    "use terrainlod\n"
    "use shapes\n"
    "fn relief(here: point) meters { 9 m * value2(here.x / 90 m, here.z / 90 m, seed: 2).value }\n"
    "part land: terrainlod.ground(source: relief, cell: 4 m)\n"
    "part pine\n"
    "  field variant: int = 0\n"
    "  part crown: shapes.cone(radius: [1.5 m, 2 m, 1 m][variant], height: 6 m, sides: 5).colored((0.1, 0.3, 0.1))\n"
    "part stone: shapes.box(size: (1 m, 1 m, 1 m)).colored((0.4, 0.4, 0.4))\n"
    "part rare: shapes.box(size: (3 m, 9 m, 3 m)).colored((0.8, 0.1, 0.1))\n"
    "part post: shapes.box(size: (1 m, 8 m, 1 m)), at: (3, 9, 4)\n"
    "field rules: worldgen.rules = worldgen.rules(\n"
    "    biomes: [worldgen.biome(\"heath\", recipes: [worldgen.share(\"pine\", \"groups\", 0.5), worldgen.share(\"stone\", \"stones\", 0.5)]),\n"
    "             worldgen.biome(\"past\", conditions: [worldgen.condition(\"far\", min: 3000, blend: 1)], recipes: [worldgen.share(\"rare\", \"groups\", 0.6)])],\n"
    "    recipes: [worldgen.recipe(\"pine\", anchor: worldgen.member(\"pine\", plant: \"pine\", footprint: 1 m)),\n"
    "              worldgen.recipe(\"rare\", anchor: worldgen.member(\"rare\", mesh: \"rare\", footprint: 1 m)),\n"
    "              worldgen.recipe(\"stone\", anchor: worldgen.member(\"stone\", mesh: \"stone\", footprint: 1 m))],\n"
    "    plants: [worldgen.plant(\"pine\", tints: [(0, 1, 0), (0, 0, 1), (1, 0, 0)])],\n"
    "    fields: [worldgen.formula(\"far\", of: here.x / 1 m)],\n"
    "    layers: [worldgen.layer(\"groups\", spacing: 24 m, chunkSize: 128 m, drawDistance: 300 m),\n"
    "             worldgen.layer(\"stones\", spacing: 12 m, chunkSize: 64 m, drawDistance: 120 m)])\n"
    "part wilds: worldgen.world(rules: rules, over: land, kinds: [worldgen.kind(\"pine\", pine(variant: tint)), worldgen.kind(\"stone\", stone()),\n"
    "    worldgen.kind(\"rare\", rare())])\n";

static WorldEngine *engine;
static World *world;

static void must(WorldStatus status) {
    if (status != WORLD_OK) fail_msg("%s", world_diagnostics_text(engine, world, WORLD_STYLE_HUMAN));
}

static int open_world(void **state) {
    (void)state;
    assert_int_equal(world_engine_create(&(WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER}, &engine), WORLD_OK);
    must(world_open_text(engine, text, strlen(text), &(WorldDesc){0}, &world));
    return 0;
}

static int close_world(void **state) {
    (void)state;
    world_close(world);
    world_engine_destroy(engine);
    return 0;
}

static View *open_view(void) {
    return open_or_skip(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .validate = true});
}

static void show(View *view, const WorldScene *scene, double x, uint8_t *rgba) {
    char error[512];
    ViewCamera camera = {.from = {x, 30, 0}, .to = {x + 60, 0, 20}};
    if (!view_set_scene(view, scene, error, sizeof error)) fail_msg("%s", error);
    view_draw(view, &camera);
    if (rgba) view_read_color(view, rgba);
    assert_int_equal(view_messages(view), 0);
}

static const WorldScene *look(WorldStream *stream, double x) {
    const WorldScene *scene;
    size_t missing;
    must(world_stream_scene(stream, (const double[3]){x, 30, 0}, 1000, &missing, &scene));
    assert_int_equal(missing, 0);
    return scene;
}

/* -- which things -- */

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Of every copy its thing, its mesh and where it stands, in order. */
static char **list_copies(const WorldScene *scene, size_t *count) {
    char line[300];
    *count = 0;
    for (size_t g = 0; g < scene->instance_count; g++)
        *count += scene->instances[g].count;
    char **lines = calloc(*count + 1, sizeof *lines);
    size_t at = 0;
    for (size_t g = 0; g < scene->instance_count; g++)
        for (uint32_t i = 0; i < scene->instances[g].count; i++) {
            const WorldInstances *group = &scene->instances[g];
            const WorldThing *thing = scene->things[scene->instance_things[g][i]];
            const float *m = group->transforms + 12 * (size_t)i;
            snprintf(line, sizeof line, "%s %s %s %u %a %a %a %a", thing->path, thing->design, thing->id, scene->meshes[group->mesh].vertex_count, (double)m[0],
                     (double)m[3], (double)m[7], (double)m[11]);
            lines[at++] = strdup(line);
        }
    qsort(lines, *count, sizeof *lines, by_text);
    return lines;
}

static void free_lines(char **lines, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(lines[i]);
    free(lines);
}

/* What is round the eye is the same; what one has more is what the other left behind, past the reach. */
static void assert_same_round(const WorldScene *came, const WorldScene *opened, double x) {
    size_t count, other, at = 0;
    char **mine = list_copies(came, &count), **others = list_copies(opened, &other);
    for (size_t i = 0; i < count; i++) {
        double place[4];
        bool same = at < other && strcmp(mine[i], others[at]) == 0;
        at += same;
        if (same) continue;
        const char *rest = strstr(mine[i], "stones@") ? "120" : "300";
        assert_int_equal(sscanf(strstr(mine[i], "/") ? strrchr(mine[i], '/') : mine[i], "%*s %*u %la %la %la %la", &place[0], &place[1], &place[2], &place[3]), 4);
        if (hypot(place[1] - x, place[3]) < atof(rest)) fail_msg("only who came sees %s", mine[i]);
    }
    if (at < other) fail_msg("only who opens his eyes there sees %s", others[at]);
    free_lines(mine, count);
    free_lines(others, other);
}

/* -- an eye that goes on -- */

typedef struct Kept { /* the rows of groups before a step */
    size_t count;
    ThingGroup groups[1000];
} Kept;

static Kept keep(const View *view) {
    Kept kept = {view->things.group_count, {{0}}};
    assert_true(kept.count < sizeof kept.groups / sizeof *kept.groups);
    if (kept.count) memcpy(kept.groups, view->things.groups, kept.count * sizeof *kept.groups);
    return kept;
}

/* How many of the groups are where they were. */
static size_t count_kept(const View *view, const Kept *kept) {
    size_t same = 0;
    for (size_t g = 0; g < view->things.group_count; g++)
        for (size_t k = 0; k < kept->count; k++) {
            const ThingGroup *now = &view->things.groups[g], *before = &kept->groups[k];
            if (!now->standing || now->standing != before->standing) continue;
            assert_true(now->first == before->first && now->count == before->count && now->mesh == before->mesh);
            same++;
        }
    return same;
}

static void test_flight(void **state) {
    (void)state;
    static uint8_t there[WIDTH * HEIGHT * 4], opened[WIDTH * HEIGHT * 4];
    WorldStream *stream, *other;
    View *view = open_view();
    must(world_stream_create(world, &stream));
    const WorldScene *scene = look(stream, 0);
    uint64_t shape = scene->shape;
    size_t meshes = scene->mesh_count, most = 0;
    assert_int_equal(meshes, 5); /* the post, three pines, a stone */
    for (double x = 0; x <= METERS; x += STEP) {
        Kept before = keep(view);
        scene = look(stream, x);
        assert_true(scene->shape == shape);
        show(view, scene, x, there);
        const Rows *rows = &view->things.rows;
        assert_true(rows->used == view->things.count && view->things.count > 150);
        if (view->things.count > most) most = view->things.count;
        if (x > 0) assert_true(count_kept(view, &before) > 3);
    }
    print_message("5 km: at most %zu copies, %u rows, %d meshes\n", most, view->things.rows.count, view->things.firsts.count);
    assert_int_equal(scene->mesh_count, 6); /* and what stands only past 3 km */
    assert_int_equal(view->things.firsts.count, 6);
    assert_true(most < 1000 && view->things.rows.count < 3 * most);
    /* Who opens his eyes there. */
    View *fresh = open_view();
    must(world_stream_create(world, &other));
    const WorldScene *seen = look(other, METERS);
    show(fresh, seen, METERS, opened);
    scene = look(stream, METERS); /* the world's own scene is another since the second stream came: copies are made again */
    show(view, scene, METERS, NULL);
    assert_same_round(scene, seen, METERS);
    show(view, seen, METERS, there); /* without what was left behind, which widens the shadows' map */
    assert_memory_equal(there, opened, sizeof there);
    view_destroy(fresh);
    view_destroy(view);
    world_stream_destroy(other);
    world_stream_destroy(stream);
}

/* A chunk that comes or goes takes its own rows, and no other's. */
static void test_rows(void **state) {
    (void)state;
    Memory memory;
    memory_init(&memory, NULL, NULL, 0);
    Rows rows = {0};
    uint32_t a, b, c, d;
    assert_false(rows_take(&rows, 1, &a));
    rows_add(&rows, &memory, 10);
    assert_true(rows_take(&rows, 4, &a) && rows_take(&rows, 3, &b) && rows_take(&rows, 3, &c));
    assert_true(a == 0 && b == 4 && c == 7 && rows.used == 10 && rows.free_count == 0);
    rows_give(&rows, &memory, a, 4);
    rows_give(&rows, &memory, c, 3);
    assert_int_equal(rows.free_count, 2);
    assert_false(rows_take(&rows, 5, &d));
    rows_give(&rows, &memory, b, 3);
    assert_true(rows.free_count == 1 && rows.free[0].first == 0 && rows.free[0].count == 10 && rows.used == 0);
    assert_true(rows_take(&rows, 10, &d) && d == 0);
    rows_add(&rows, &memory, 5);
    assert_true(rows_take(&rows, 5, &d) && d == 10 && rows.count == 15);
    rows_fini(&rows, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test_setup_teardown(test_flight, open_world, close_world)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
