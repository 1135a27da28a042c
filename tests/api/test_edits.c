/* Edits of placed things through the public face: a thousand felled trees stay felled whatever the rules do, what a host applies
 * is what the file says when it comes again, only what reads a layout is worked out again, and nothing is lost on the way.
 */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/host.h"

enum { FELLED = 1000 };

static char folder[64];

static const char *path_of(const char *name) {
    static char path[4][128];
    static int next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

/* A wood, the stones among it, and what is read of them; `rules` in front of the trees' own. */
static const char text[] =
    "part land\n"
    "  field ground: heightGrid = heightGrid(cell: 8 m, points: 65, height: here => here.x / 10)\n"
    "  fn height(here: point) meters { ground.heightAt(here) }\n"
    "  fn gradient(here: point) direction { ground.gradientAt(here) }\n"
    "  fn slope(here: point) number { 0 }\n"
    "  fn normal(here: point) direction { (0, 1, 0) }\n"
    "  fn curvature(here: point, over: meters) number { 0 }\n"
    "part tree\n"
    "part stone\n"
    "part wood\n"
    "  field layout = scatter(over: land, rules: [%strees]).edited(over: land, by: edits(\"wood.edits.json\"))\n"
    "  field first = rule(candidates: jitteredGrid(cell: 20 m, x: -100 m ..< 100 m, z: -100 m ..< 100 m), draws: perSpot, test: 0.5 m, place: stone())\n"
    "  field trees = rule(candidates: jitteredGrid(cell: %s m, x: -100 m ..< 100 m, z: -100 m ..< 100 m), draws: perSpot, test: none, place: tree(size: uniform(1, 2)))\n"
    "  fn shade(here: point) int { layout.count(t => planDistance(t.at, here) < 5 m) }\n"
    "  field count = layout.length()\n"
    "field other = scatter(over: land, rules: [pebbles]).edited(over: land, by: edits(\"other.edits.json\"))\n"
    "field pebbles = rule(candidates: [point(1, 0, 1)], place: stone())\n";

static void write_world(const char *rules, const char *cell) {
    FILE *file = fopen(path_of("w.world"), "wb");
    assert_non_null(file);
    fprintf(file, text, rules, cell);
    fclose(file);
}

static Host open_wood(WorldEngineDesc desc) {
    Host host = {0};
    must(&host, world_engine_create(&desc, &host.engine));
    must(&host, world_open_file(host.engine, path_of("w.world"), &(WorldDesc){0}, &host.world));
    return host;
}

static int begin(void **state) {
    (void)state;
    strcpy(folder, "/tmp/world_edits_XXXXXX");
    assert_non_null(mkdtemp(folder));
    write_world("", "4");
    return 0;
}

static int end(void **state) {
    (void)state;
    static const char *const names[] = {"w.world", "wood.edits.json", "other.edits.json", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove(path_of(names[i]));
    return 0;
}

static double number(const Host *host, const char *expression) {
    WorldValue *value;
    double out[3];
    must(host, world_ask(host->world, expression, &value));
    assert_true(world_value_numbers(value, out) >= 1);
    world_value_destroy(value);
    return out[0];
}

static WorldEdit remove_edit(const char *id) {
    return (WorldEdit){.size = sizeof(WorldEdit), .kind = WORLD_EDIT_REMOVE, .id = id};
}

/* Every other tree, in one call; their ids stay in `ids`. */
static void fell(const Host *host, char ids[FELLED][32]) {
    WorldTable *table;
    WorldEdit edits[FELLED];
    must(host, world_table(host->world, "wood.layout.filter(t => t.rule == \"trees\")", &table));
    assert_true(world_table_rows(table) >= 2 * FELLED);
    for (size_t i = 0; i < FELLED; i++) {
        snprintf(ids[i], sizeof ids[i], "%s", world_table_text(table, 2 * i, world_table_find(table, "id")));
        edits[i] = remove_edit(ids[i]);
    }
    world_table_destroy(table);
    must(host, world_edit(host->world, edits, FELLED, NULL));
}

static int count_standing(const Host *host, char ids[FELLED][32]) {
    WorldTable *table;
    int count = 0;
    must(host, world_table(host->world, "wood.layout", &table));
    for (size_t row = 0; row < world_table_rows(table); row++)
        for (int i = 0; i < FELLED; i++)
            count += strcmp(ids[i], world_table_text(table, row, world_table_find(table, "id"))) == 0;
    world_table_destroy(table);
    return count;
}

static uint64_t hash_of(const Host *host) {
    uint64_t hash;
    must(host, world_hash(host->world, &hash));
    return hash;
}

/* Felled, saved, the rules edited, read again: they stay felled, and what was added stands. */
static void test_felled_stay_felled(void **state) {
    (void)state;
    static char ids[FELLED][32];
    const char *added;
    WorldEdit plant = {.size = sizeof plant, .kind = WORLD_EDIT_ADD, .layout = "wood.layout", .design = "stone",
                       .has_x = true, .x = 7, .has_z = true, .z = -3};
    Host host = open_wood((WorldEngineDesc){0});
    double before = number(&host, "wood.count");
    assert_true(before == 2500);
    fell(&host, ids);
    must(&host, world_edit(host.world, &plant, 1, &added));
    assert_string_equal(added, "+1");
    assert_true(number(&host, "wood.count") == before - FELLED + 1);
    assert_answer(&host, "wood.layout.last().at", "(7, 0.7000000104308128, -3) m");
    assert_int_equal(count_standing(&host, ids), 0);
    uint64_t applied = hash_of(&host);
    must(&host, world_edit_save(host.world));
    write_world("first, ", "4"); /* stones come first, and keep trees off */
    assert_true(world_stale(host.world));
    must(&host, world_reload(host.world));
    assert_true(number(&host, "wood.layout.count(t => t.rule == \"first\")") == 100);
    assert_int_equal(count_standing(&host, ids), 0);
    assert_answer(&host, "wood.layout.last().id", "\"+1\"");
    write_world("", "4");
    must(&host, world_reload(host.world));
    assert_true(hash_of(&host) == applied);
    assert_true(number(&host, "wood.count") == before - FELLED + 1);
    world_engine_destroy(host.engine);
}

/* The same from the file, with every executor and number of threads. */
static void test_one_hash(void **state) {
    (void)state;
    static char ids[FELLED][32];
    Host host = open_wood((WorldEngineDesc){0});
    fell(&host, ids);
    WorldEdit turn = {.size = sizeof turn, .kind = WORLD_EDIT_CHANGE, .id = "trees/-24:-25", .has_turn = true, .turn = 1.0 / 3,
                      .has_scale = true, .scale = 0.1, .has_x = true, .x = 1e-7, .design = "stone", .has_variant = true, .variant = 3};
    must(&host, world_edit(host.world, &turn, 1, NULL));
    uint64_t applied = hash_of(&host);
    must(&host, world_edit_save(host.world));
    world_engine_destroy(host.engine);
    for (int i = 0; i < 4; i++) {
        host = open_wood((WorldEngineDesc){.exec = i % 2 ? WORLD_EXEC_INTERPRETER : WORLD_EXEC_DEFAULT, .threads = 1 + i / 2});
        assert_true(hash_of(&host) == applied);
        world_engine_destroy(host.engine);
    }
}

/* An edit works nothing out again but what reads its layout; undone, all is as it was. */
static void test_and_nothing_else(void **state) {
    (void)state;
    Host host = open_wood((WorldEngineDesc){0});
    uint64_t before = hash_of(&host), evaluations = world_evaluations(host.world);
    WorldEdit edit = remove_edit("trees/0:0");
    must(&host, world_edit(host.world, &edit, 1, NULL));
    assert_true(hash_of(&host) != before);
    assert_true(world_evaluations(host.world) - evaluations == 2); /* the layout and its count */
    must(&host, world_edit_undo(host.world, "wood.layout"));
    assert_true(hash_of(&host) == before);
    assert_int_equal(world_edit_undo(host.world, "wood.layout"), WORLD_ERROR_ARGUMENT);
    assert_first_id(&host, host.world, "E0846");
    must(&host, world_edit_save(host.world));
    world_engine_destroy(host.engine);
}

/* What was not saved is forgotten by a reload, wholly; what is saved is not. */
static void test_reload_forgets_unsaved(void **state) {
    (void)state;
    Host host = open_wood((WorldEngineDesc){0});
    WorldEdit edit = remove_edit("trees/0:0");
    must(&host, world_edit(host.world, &edit, 1, NULL));
    must(&host, world_edit_save(host.world));
    edit = remove_edit("trees/1:0");
    must(&host, world_edit(host.world, &edit, 1, NULL));
    assert_true(number(&host, "wood.count") == 2498);
    must(&host, world_reload(host.world));
    assert_true(number(&host, "wood.count") == 2499);
    must(&host, world_edit_undo(host.world, "wood.layout")); /* of the file, in which it is since */
    assert_true(number(&host, "wood.count") == 2500);
    must(&host, world_edit_save(host.world));
    must(&host, world_reload(host.world));
    assert_true(number(&host, "wood.count") == 2500);
    world_engine_destroy(host.engine);
}

/* A file that somebody else wrote meanwhile stays as it is. */
static void test_somebody_else(void **state) {
    (void)state;
    Host host = open_wood((WorldEngineDesc){0}), other = open_wood((WorldEngineDesc){0});
    WorldEdit edit = remove_edit("trees/0:0");
    must(&host, world_edit(host.world, &edit, 1, NULL));
    must(&other, world_edit(other.world, &edit, 1, NULL));
    must(&other, world_edit_save(other.world));
    assert_int_equal(world_edit_save(host.world), WORLD_ERROR_FILE);
    assert_first_id(&host, host.world, "E0847");
    must(&host, world_reload(host.world));
    edit = remove_edit("trees/1:0");
    must(&host, world_edit(host.world, &edit, 1, NULL));
    must(&host, world_edit_save(host.world));
    assert_true(number(&host, "wood.count") == 2498);
    world_engine_destroy(other.engine);
    world_engine_destroy(host.engine);
}

/* All of them or none; each mistake has its number. */
static void test_mistakes(void **state) {
    (void)state;
    Host host = open_wood((WorldEngineDesc){0});
    static const struct {
        WorldEdit edit;
        WorldStatus status;
        const char *id;
    } rows[] = {
        {{.kind = WORLD_EDIT_REMOVE, .id = "trees/900:0"}, WORLD_ERROR_NOT_FOUND, "E0837"},
        {{.kind = WORLD_EDIT_REMOVE}, WORLD_ERROR_ARGUMENT, "E0845"},
        {{.kind = (WorldEditKind)9, .id = "trees/0:0"}, WORLD_ERROR_ARGUMENT, "E0845"},
        {{.kind = WORLD_EDIT_CHANGE, .id = "trees/0:0", .has_x = true, .x = NAN}, WORLD_ERROR_ARGUMENT, "E0845"},
        {{.kind = WORLD_EDIT_CHANGE, .id = "trees/0:0", .has_turn = true, .turn = INFINITY}, WORLD_ERROR_ARGUMENT, "E0845"},
        {{.kind = WORLD_EDIT_CHANGE, .id = "trees/0:0", .has_scale = true, .scale = -1}, WORLD_ERROR_ARGUMENT, "E0845"},
        {{.kind = WORLD_EDIT_CHANGE, .id = "trees/0:0", .has_variant = true, .variant = -1}, WORLD_ERROR_ARGUMENT, "E0845"},
        {{.kind = WORLD_EDIT_CHANGE, .id = "trees/0:0", .design = "land"}, WORLD_ERROR_ARGUMENT, "E0845"},
        {{.kind = WORLD_EDIT_CHANGE, .id = "trees/0:0", .layout = "wood.count"}, WORLD_ERROR_NOT_FOUND, "E0838"},
        {{.kind = WORLD_EDIT_ADD, .design = "tree", .has_x = true}, WORLD_ERROR_ARGUMENT, "E0845"},
        {{.kind = WORLD_EDIT_ADD, .design = "tree", .has_x = true, .has_z = true}, WORLD_ERROR_ARGUMENT, "E0839"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        WorldEdit edits[2] = {remove_edit("trees/0:0"), rows[i].edit};
        edits[1].size = sizeof *edits;
        assert_int_equal(world_edit(host.world, edits, 2, NULL), rows[i].status);
        assert_first_id(&host, host.world, rows[i].id);
        assert_true(number(&host, "wood.count") == 2500);
    }
    WorldEdit unsized = {.kind = WORLD_EDIT_REMOVE, .id = "trees/0:0"};
    assert_int_equal(world_edit(host.world, &unsized, 1, NULL), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_edit(host.world, NULL, 1, NULL), WORLD_ERROR_ARGUMENT);
    must(&host, world_edit(host.world, NULL, 0, NULL));
    must(&host, world_edit_save(host.world));
    assert_int_not_equal(access(path_of("wood.edits.json"), F_OK), 0); /* nothing was changed */
    world_engine_destroy(host.engine);
}

/* -- scarcity -- */

static WorldStatus live(Scarce *scarce) {
    WorldEngineDesc desc = scarce_desc(scarce);
    WorldEngine *engine = NULL;
    World *world = NULL;
    WorldTable *table = NULL;
    WorldEdit edit = remove_edit("pebbles/0");
    WorldStatus status = world_engine_create(&desc, &engine);
    if (status == WORLD_OK) status = world_open_file(engine, path_of("w.world"), &(WorldDesc){0}, &world);
    if (status == WORLD_OK) status = world_edit(world, &edit, 1, NULL);
    if (status == WORLD_OK) status = world_edit_undo(world, "other");
    if (status == WORLD_OK) status = world_edits(world, "", &table);
    if (status == WORLD_OK) status = world_edit_save(world);
    if (status == WORLD_OK) status = world_reload(world);
    world_table_destroy(table);
    world_engine_destroy(engine);
    return status;
}

static void test_scarcity(void **state) {
    (void)state;
    write_world("", "100");
    assert_scarcity(live);
}

/* -- a planet -- */

static const char planet[] =
    "use worldgen\n"
    "part pine\n"
    "field rules: worldgen.rules = worldgen.rules(\n"
    "    biomes: [worldgen.biome(\"wood\", recipes: [worldgen.share(\"pine\", \"trees\", 0.7)])],\n"
    "    recipes: [worldgen.recipe(\"pine\", anchor: worldgen.member(\"pine\", mesh: \"pine\", footprint: 1 m))],\n"
    "    layers: [worldgen.layer(\"trees\", spacing: 40 m, chunkSize: 200 m, drawDistance: reach)])\n"
    "field reach: meters = 300 m\n"
    "part ball: worldgen.world(rules: rules, surface: planet, radius: 1 km, ground: up => 20 m * up.x, viewer: (0, 1000, 0), kinds: [worldgen.kind(\"pine\", pine())],\n"
    "    changes: edits(\"wood.edits.json\"))\n";

static const char *id_at(const Host *host, const char *list, size_t row) {
    static char id[4][100];
    static int next;
    WorldTable *table;
    char *out = id[next++ % 4];
    must(host, world_table(host->world, list, &table));
    assert_true(world_table_rows(table) > row);
    snprintf(out, sizeof id[0], "%s", world_table_text(table, row, world_table_find(table, "id")));
    world_table_destroy(table);
    return out;
}

static void assert_carved(const Host *host, const char *felled, const char *moved, double count) {
    char question[300], answer[100];
    assert_true(number(host, "ball.placements.length()") == count);
    snprintf(question, sizeof question, "ball.placements.count(t => t.id == \"%s\")", felled);
    assert_string_equal(ask_text(host, question, answer, sizeof answer), "0");
    snprintf(question, sizeof question, "ball.placements.filter(t => t.id == \"%s\").map(t => abs(t.at.x - 1020 m) < 1 mm && t.up == (1, 0, 0))", moved);
    assert_string_equal(ask_text(host, question, answer, sizeof answer), "[true]");
    assert_answer(host, "ball.placements.filter(t => t.id == \"+1\").map(t => (t.kind, t.at))", "[(pine, (0, 1000, 0) m)]");
}

/* Removed, changed and added, on a planet too, and of what its viewer does not see; all of it when it is read again. */
static void test_planet(void **state) {
    (void)state;
    FILE *file = fopen(path_of("w.world"), "wb");
    assert_non_null(file);
    fputs(planet, file);
    fclose(file);
    Host host = open_wood((WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER});
    double count = number(&host, "ball.placements.length()");
    const char *felled = id_at(&host, "ball.placements", 0), *moved = id_at(&host, "ball.placements", 1), *unseen = id_at(&host, "ball.placementsNear((0, -1000, 0), 200 m)", 0);
    WorldEdit edits[] = {remove_edit(felled),
                         {.size = sizeof *edits, .kind = WORLD_EDIT_CHANGE, .id = moved, .has_x = true, .x = 5000, .has_y = true, .has_z = true},
                         {.size = sizeof *edits, .kind = WORLD_EDIT_ADD, .design = "pine", .has_x = true, .has_y = true, .y = 1, .has_z = true},
                         remove_edit(unseen)};
    must(&host, world_edit(host.world, edits, 4, NULL));
    assert_carved(&host, felled, moved, count);
    must(&host, world_edit_save(host.world));
    must(&host, world_reload(host.world));
    assert_carved(&host, felled, moved, count);
    WorldDiagnostic told = {.size = sizeof told};
    must(&host, world_build(host.world));
    assert_int_equal(world_diagnostic(host.engine, host.world, 0, &told), WORLD_ERROR_NOT_FOUND); /* what is elsewhere is not missed */
    char question[200], answer[40];
    must(&host, world_set(host.world, "reach", "3 km"));
    snprintf(question, sizeof question, "ball.placements.count(t => t.id == \"%s\")", unseen);
    assert_string_equal(ask_text(&host, question, answer, sizeof answer), "0");
    const WorldEdit none = remove_edit("trees@1:f0:99,99/pine@1/pine.0");
    assert_int_equal(world_edit(host.world, &none, 1, NULL), WORLD_ERROR_NOT_FOUND);
    world_engine_destroy(host.engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_felled_stay_felled, begin, end),
        cmocka_unit_test_setup_teardown(test_one_hash, begin, end),
        cmocka_unit_test_setup_teardown(test_and_nothing_else, begin, end),
        cmocka_unit_test_setup_teardown(test_reload_forgets_unsaved, begin, end),
        cmocka_unit_test_setup_teardown(test_somebody_else, begin, end),
        cmocka_unit_test_setup_teardown(test_mistakes, begin, end),
        cmocka_unit_test_setup_teardown(test_scarcity, begin, end),
        cmocka_unit_test_setup_teardown(test_planet, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
