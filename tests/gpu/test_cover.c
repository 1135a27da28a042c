/* The ground's cover on the card: the same tufts as the world's own functions place, none lost that may be seen, one picture for one scene. */
#include "gpu/view_parts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { WIDTH = 240, HEIGHT = 135, MOST = 20000 };

/* The maps' lattice is none of the land's, and the land stands elsewhere, turned. */
static const char world_text[] =
    "world version 1\n"
    "use groundcover\n"
    "use shapes\n"
    "fn hills(here: point) meters { 6 m + 3 m * fbm(here.x / 30 m, here.z / 30 m, seed: 2, octaves: 3) }\n"
    "part land, at: (40, 1, -25), turn: 30 deg\n"
    "  field ground: heightGrid = heightGrid(cell: 1 m, points: 65, height: hills)\n"
    "  fn height(here: point) meters { ground.heightAt(here) }\n"
    "  fn gradient(here: point) direction { ground.gradientAt(here) }\n"
    "  fn slope(here: point) number { length(gradient(here)) }\n"
    "  fn normal(here: point) direction { ground.normalAt(here) }\n"
    "  fn curvature(here: point, over: meters) number { ground.curvatureAt(here, over) }\n"
    "part meadow: groundcover.cover(maps: ground, kinds: [ferns, lawn, daisies, moss, needles])\n"
    "  field ground = groundcover.maps(height: land.height, square: 60 m, texel: 1.5 m, slope: land.slope, path: p => abs(p.x + 2 m),\n"
    "    water: p => land.height(p) - 4 m, canopy: p => 0.5 + 0.5 * value2(p.x / 9 m, p.z / 9 m, seed: 8).value)\n"
    "  field ferns = groundcover.meshKind(seed: 1, density: 0.4, perCluster: 3, clusterRadius: 0.6 m, canopy: atLeast(0.4, soft: 0.3), range: 22 m, fadeStart: 15 m,\n"
    "    meshes: [shapes.cone(radius: 0.2 m, height: 0.6 m)], alignment: 0.5)\n"
    "  field lawn = groundcover.grass(seed: 2, density: 9, slope: atMost(35 deg, soft: 10 deg), path: rising(0 m, 0.7 m), exposure: atLeast(0.1, soft: 0.3), range: 24 m,\n"
    "    fadeStart: 14 m, rings: 3, ringEnd: [6 m, 12 m, 24 m], givesWayTo: near(ferns, within: 0.8 m, strength: 0.7), bladesPerTuft: 5)\n"
    "  field daisies = groundcover.flowerKind(seed: 3, density: 2, height: between(3 m, 9 m, soft: 1 m), moisture: atLeast(0.2, soft: 0.2), range: 20 m, fadeStart: 12 m)\n"
    "  field moss = groundcover.patchKind(seed: 4, density: 1, canopy: atLeast(0.5, soft: 0.3), water: rising(0.2 m, 2 m), range: 18 m, fadeStart: 9 m)\n"
    "  field needles = groundcover.litterKind(seed: 5, density: 2, canopy: atMost(0.6, soft: 0.2), object: atLeast(1 m), range: 24 m, fadeStart: 14 m)\n"
    "field eye: point = land.toWorld((3, 12, -5))\n";
static const char *const kinds[] = {"ferns", "lawn", "daisies", "moss", "needles"};

static WorldEngine *engine;
static World *world;
static const WorldScene *scene;
static View *view;
static WorldFunction height;

static View *open_view(bool no_compute) {
    char error[512];
    View *made = view_create(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .validate = true, .magenta = true, .no_compute = no_compute}, error, sizeof error);
    if (made == NULL) {
        fprintf(stderr, "skipped: %s\n", error);
        exit(77);
    }
    if (!view_set_scene(made, scene, error, sizeof error)) fail_msg("%s", error);
    return made;
}

static int open_all(void **state) {
    (void)state;
    assert_int_equal(world_engine_create(&(WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER}, &engine), WORLD_OK);
    WorldStatus status = world_open_text(engine, world_text, strlen(world_text), &(WorldDesc){0}, &world);
    if (status == WORLD_OK) status = world_scene(world, &scene);
    if (status != WORLD_OK) fail_msg("%s", world_diagnostics_text(engine, world, WORLD_STYLE_HUMAN));
    assert_int_equal(world_function(world, "land.height", "fn(point) meters", &height), WORLD_OK);
    view = open_view(false);
    return 0;
}

static int close_all(void **state) {
    (void)state;
    view_destroy(view);
    world_close(world);
    world_engine_destroy(engine);
    return 0;
}

static ViewCamera camera_at(double rise, double ahead, double fall) {
    WorldValue *value;
    ViewCamera camera = {.fov = 1.2};
    assert_int_equal(world_ask(world, "eye", &value), WORLD_OK);
    assert_int_equal(world_value_numbers(value, camera.from), 3);
    world_value_destroy(value);
    camera.from[1] += rise;
    camera.to[0] = camera.from[0] + ahead, camera.to[1] = camera.from[1] - fall, camera.to[2] = camera.from[2] + 0.3 * ahead;
    return camera;
}

/* -- the card against the processor -- */

typedef struct Found {
    double at[3], size, width, dry;
    uint32_t word;
} Found;

static int by_word(const void *a, const void *b) {
    uint32_t left = ((const Found *)a)->word, right = ((const Found *)b)->word;
    return left < right ? -1 : left > right;
}

static int read_card(int kind, Found *out) {
    static CoverTuft tufts[MOST];
    int count = 0;
    for (int i = 0; i < view->cover.layer_count; i++) {
        if (view->cover.layers[i].kind != kind) continue;
        int n = cover_read(&view->cover, i, tufts, MOST);
        for (int t = 0; t < n && count < MOST; t++, count++)
            out[count] = (Found){{(double)tufts[t].foot[0], (double)tufts[t].foot[1], (double)tufts[t].foot[2]},
                                 (double)tufts[t].size, (double)tufts[t].width, (double)tufts[t].dry, tufts[t].word};
    }
    qsort(out, (size_t)count, sizeof *out, by_word);
    return count;
}

static int ask_processor(int kind, Found *out) {
    char expression[300];
    WorldTable *table;
    snprintf(expression, sizeof expression, "groundcover.tufts(meadow.%s, meadow.ground, (3, 12, -5), reach: %.17g, density: %.17g)", kinds[kind],
             (double)(float)view->cover.share.reach, (double)(float)view->cover.density);
    if (world_table(world, expression, &table) != WORLD_OK) fail_msg("%s", world_diagnostics_text(engine, world, WORLD_STYLE_HUMAN));
    int count = (int)world_table_rows(table), size = world_table_find(table, "size"), width = world_table_find(table, "width"),
        dry = world_table_find(table, "dry"), word = world_table_find(table, "word"), at = world_table_find(table, "at");
    assert_true(count <= MOST);
    for (int i = 0; i < count; i++) {
        size_t row = (size_t)i;
        assert_true(world_table_vector(table, row, at, out[i].at));
        out[i].size = world_table_number(table, row, size);
        out[i].width = world_table_number(table, row, width);
        out[i].dry = world_table_number(table, row, dry);
        out[i].word = (uint32_t)world_table_int(table, row, word);
    }
    world_table_destroy(table);
    qsort(out, (size_t)count, sizeof *out, by_word);
    return count;
}

/* A tuft that only one has is one whose rank lies within rounding of its share: it is about to vanish. */
static void assert_tie(const Found *tuft) {
    if (!(tuft->size < 0.001)) fail_msg("tuft %08x of %g m at (%g, %g) is only on one side", tuft->word, tuft->size, tuft->at[0], tuft->at[2]);
}

static void assert_same(const Found *card, const Found *own) {
    const double xz[2] = {own->at[0], own->at[2]};
    double ground;
    assert_int_equal(world_heights(world, height, 1, xz, &ground), WORLD_OK);
    assert_true(fabs(card->at[0] - own->at[0]) < 0.001 && fabs(card->at[2] - own->at[2]) < 0.001);
    assert_true(fabs(card->at[1] - ground) < 0.001);
    assert_true(fabs(card->size - own->size) < 0.001 && fabs(card->width - own->width) < 0.0001 && fabs(card->dry - own->dry) < 0.001);
}

static void compare(int kind) {
    static Found card[MOST], own[MOST];
    int placed = read_card(kind, card), asked = ask_processor(kind, own), i = 0, j = 0, ties = 0;
    printf("%-8s %d on the card, %d on the processor\n", kinds[kind], placed, asked);
    assert_true(asked > 20);
    while (i < placed || j < asked) {
        int order = i == placed ? 1 : j == asked ? -1 : by_word(&card[i], &own[j]);
        if (order == 0)
            assert_same(&card[i++], &own[j++]);
        else
            assert_tie(order < 0 ? &card[i++] : &own[j++]), ties++;
    }
    assert_true(ties <= 1 + asked / 1000);
}

/* As a slow device has them, and whole. */
static void test_the_same_tufts(void **state) {
    (void)state;
    static const CoverShare shares[] = {{0.62, 0.4}, {1, 1}};
    CoverShare before = view->cover.share;
    ViewCamera down = camera_at(0, 0, 1);
    down.to[0] = down.from[0], down.to[2] = down.from[2];
    down.orthographic = true, down.extent = 90;
    view->cover.uncut = true;
    for (int i = 0; i < 2; i++) {
        view->cover.share = shares[i];
        view_draw(view, &down);
        for (int kind = 0; kind < 5; kind++)
            compare(kind);
    }
    view->cover.uncut = false;
    view->cover.share = before;
}

/* -- what is left out because it is not seen -- */

static const ViewCamera *views(int *count) {
    static ViewCamera all[6];
    all[0] = camera_at(-5.4, 3, 0.4), all[1] = camera_at(-4, -5, 2), all[2] = camera_at(-5.6, 1, 3);
    all[3] = camera_at(-3, 9, 9), all[4] = camera_at(-5, -4, -1), all[5] = camera_at(2, 3, 9);
    *count = 6;
    return all;
}

static uint8_t *picture(const ViewCamera *camera, bool uncut) {
    uint8_t *rgba = malloc(WIDTH * HEIGHT * 4);
    view->cover.uncut = uncut;
    view_draw(view, camera);
    view->cover.uncut = false;
    view_read_color(view, rgba);
    return rgba;
}

static void test_nothing_that_is_seen_is_left_out(void **state) {
    (void)state;
    int count;
    const ViewCamera *cameras = views(&count);
    uint64_t cut = 0, whole = 0;
    for (int i = 0; i < count; i++) {
        uint8_t *a = picture(&cameras[i], true);
        whole += view->cover.candidates;
        uint8_t *b = picture(&cameras[i], false);
        cut += view->cover.candidates;
        assert_memory_equal(a, b, WIDTH * HEIGHT * 4);
        free(a), free(b);
    }
    printf("%llu of %llu candidates are looked at\n", (unsigned long long)cut, (unsigned long long)whole);
    assert_true(cut * 10 < whole * 7);
}

/* Each tuft's foot lies in the box of its block, and so far inside as it reaches: looked at for the whole ring at once. */
static void test_boxes_hold_their_tufts(void **state) {
    (void)state;
    static CoverTuft tufts[MOST];
    ViewCamera camera = camera_at(-5, 3, 1);
    free(picture(&camera, true));
    for (int i = 0; i < view->cover.layer_count; i++) {
        const CoverLayer *layer = &view->cover.layers[i];
        const WorldCoverKind *kind = &view->cover.kinds[layer->kind];
        CoverRing ring = {.kind = kind, .heights = &view->cover.heights, .side = cover_block_side(kind, 10), .margin = cover_margin(kind, 6)};
        int count = cover_read(&view->cover, i, tufts, MOST);
        for (int t = 0; t < count; t++) {
            const float *foot = tufts[t].foot;
            double side = ring.side * kind->cell, reach = cover_reach(kind) * (double)tufts[t].size + (double)tufts[t].width;
            bool held = false; /* by one of the blocks round it: a cluster's tuft may stand outside of its cell */
            for (int k = 0; k < 9; k++) {
                CoverBlock block = {((int)floor((double)foot[0] / side) + k % 3 - 1) * ring.side, ((int)floor((double)foot[2] / side) + k / 3 - 1) * ring.side};
                CoverBox box = cover_box(&ring, block);
                held |= box.low.x <= (double)foot[0] - reach && box.high.x >= (double)foot[0] + reach && box.low.y <= (double)foot[1] - reach &&
                        box.high.y >= (double)foot[1] + reach && box.low.z <= (double)foot[2] - reach && box.high.z >= (double)foot[2] + reach;
            }
            assert_true(held);
        }
    }
}

static void test_one_scene_gives_one_picture(void **state) {
    (void)state;
    ViewCamera camera = camera_at(-5.2, 3, 0.5);
    uint8_t *a = picture(&camera, false), *b = picture(&camera, false);
    assert_memory_equal(a, b, WIDTH * HEIGHT * 4);
    free(a), free(b);
    assert_int_equal(view_messages(view), 0);
}

static void test_budget(void **state) {
    (void)state;
    ViewCamera camera = camera_at(-5.2, 3, 0.5);
    CoverView seen = {.land = &view->land, .ground = &view->materials.items[view->materials.ground], .most = 4000};
    Eye eye = eye_of(&camera, WIDTH, HEIGHT);
    seen.eye = &eye;
    view_draw(view, &camera);
    assert_true(view->cover.triangles > 4000);
    cover_place(&view->cover, &view->state, &seen);
    assert_true(view->cover.triangles > 1000 && view->cover.triangles <= 4000);
    state_rest(&view->state);
}

static void test_without_compute(void **state) {
    (void)state;
    char note[200];
    ViewCamera camera = camera_at(-5.2, 3, 0.5);
    View *bare = open_view(true);
    view_draw(bare, &camera);
    view_cover_note(bare, note, sizeof note);
    assert_string_equal(note, "ground cover is left out: this device places none");
    assert_int_equal(bare->cover.triangles, 0);
    assert_int_equal(view_messages(bare), 0);
    view_destroy(bare);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_tufts),        cmocka_unit_test(test_nothing_that_is_seen_is_left_out),
        cmocka_unit_test(test_boxes_hold_their_tufts), cmocka_unit_test(test_one_scene_gives_one_picture),
        cmocka_unit_test(test_budget),                cmocka_unit_test(test_without_compute),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
