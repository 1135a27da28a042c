/* Cards show their picture where it is covered, materials know a mesh's own color and coordinates, and leaves turn in the wind. */
#include "gpu/view_parts.h"
#include "tests/gpu/island.h"
#include "tests/gpu/skip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { SIZE = 64, TEXELS = 32 };

/* A square of 8 meters that lies at a height of one, over a land of one color; seen straight down. */
static const float corners[12] = {-4, 1, 4, 4, 1, 4, 4, 1, -4, -4, 1, -4}, up[12] = {0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0};
static const float white[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, coords[8] = {0, 1, 1, 1, 1, 0, 0, 0};
static const float pivots[12] = {0};
static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
static const float flat[9], unmoved[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, tint[3] = {1, 1, 1};
static const WorldInstances group = {0, 1, unmoved, tint};

static WorldMesh square(void) {
    return (WorldMesh){.vertex_count = 4, .index_count = 6, .positions = corners, .normals = up, .colors = white, .indices = indices,
                       .coords = coords, .two_sided = true};
}

static WorldScene over_land(const WorldMesh *mesh) {
    WorldScene scene = island_bare(3, 3, 20, flat);
    for (int k = 0; k < 3; k++)
        scene.land_tint[k] = 0.1f;
    scene.meshes = mesh;
    scene.instances = &group;
    scene.mesh_count = scene.instance_count = 1;
    return scene;
}

static void look(View *view, double time, uint8_t rgba[SIZE * SIZE * 4]) {
    ViewCamera camera = {.from = {0, 50, 0}, .to = {0, 0, 0}, .orthographic = true, .extent = 16};
    view->time = time;
    view_draw(view, &camera);
    view_read_color(view, rgba);
    assert_int_equal(view_messages(view), 0);
}

static View *show(const WorldScene *scene) {
    char error[512] = "";
    View *view = open_or_skip(&(ViewDesc){.width = SIZE, .height = SIZE, .validate = true});
    if (!view_set_scene(view, scene, error, sizeof error)) fail_msg("%s", error);
    return view;
}

static const uint8_t *seen(const uint8_t *rgba, int x, int y) {
    return rgba + 4 * (y * SIZE + x);
}

/* Red to the west, nothing to the east; north is at the top of the picture. */
static void test_picture_on_a_card(void **state) {
    (void)state;
    static uint8_t texels[TEXELS * TEXELS * 4], rgba[SIZE * SIZE * 4];
    for (int i = 0; i < TEXELS * TEXELS; i++) {
        bool west = i % TEXELS < TEXELS / 2, north = i / TEXELS < TEXELS / 2;
        texels[4 * i] = 200;
        texels[4 * i + 1] = north ? 0 : 200;
        texels[4 * i + 3] = west ? 255 : 0;
    }
    const WorldPicture picture = {TEXELS, TEXELS, texels};
    WorldMesh mesh = square();
    mesh.picture = &picture;
    WorldScene scene = over_land(&mesh);
    View *view = show(&scene);
    look(view, 0, rgba);
    const uint8_t *north = seen(rgba, 24, 24), *south = seen(rgba, 24, 40), *east = seen(rgba, 40, 24), *land = seen(rgba, 4, 4);
    assert_true(north[0] > 100 && north[1] < 70 && south[0] > 100 && south[1] > 80);
    assert_true(abs(east[0] - east[1]) < 24); /* the gray land, in the card's shadow, which the sky lights, or out of it */
    assert_true(abs(land[0] - land[1]) < 12);
    view_destroy(view);
}

/* A card of a material multiplies what the material makes of the picture's color; a mesh's coordinates reach its material. */
static void test_own_color_and_coordinates(void **state) {
    (void)state;
    static const char text[] = "#define MATERIAL_COLOR\n"
        "void material_color(float x, float y, float z, float nx, float ny, float nz, float height, float slope, float distance, float pixel,"
        " float time, float or, float og, float ob, float across, float along, float tile, out bool said, out float r, out float g, out float b) {"
        " said = true; r = or * 0.5 * across; g = og * 0.5 * along; b = tile > 0.02 && tile < 0.05 ? 0.5 : 0.0; }\n";
    static const uint32_t words[1];
    static uint8_t rgba[SIZE * SIZE * 4];
    const WorldCard material = {text, words, 1};
    WorldMesh mesh = square();
    mesh.material = 1;
    WorldScene scene = over_land(&mesh);
    scene.materials = &material;
    scene.material_count = 1;
    View *view = show(&scene);
    look(view, 0, rgba);
    const uint8_t *southeast = seen(rgba, 46, 46), *northwest = seen(rgba, 18, 18); /* a pixel is 1/32 of the square */
    assert_true(southeast[0] > 2 * northwest[0] && southeast[1] > 2 * northwest[1] && northwest[0] > 20);
    assert_true(southeast[2] > 90 && northwest[2] > 90);
    view_destroy(view);
}

static void test_wind(void **state) {
    (void)state;
    static uint8_t before[SIZE * SIZE * 4], after[SIZE * SIZE * 4];
    for (int swaying = 0; swaying < 2; swaying++) {
        WorldMesh mesh = square();
        mesh.pivots = swaying ? pivots : NULL;
        WorldScene scene = over_land(&mesh);
        View *view = show(&scene);
        look(view, 0, before);
        look(view, 1.3, after);
        assert_true((memcmp(before, after, sizeof before) != 0) == swaying);
        look(view, 0, after);
        assert_memory_equal(before, after, sizeof before);
        view_destroy(view);
    }
}

/* How many pixels a second and a third changes. */
static int moved_pixels(WorldWind wind) {
    static uint8_t before[SIZE * SIZE * 4], after[SIZE * SIZE * 4];
    WorldMesh mesh = square();
    mesh.pivots = pivots;
    WorldScene scene = over_land(&mesh);
    scene.wind = wind;
    View *view = show(&scene);
    int moved = 0;
    look(view, 0, before);
    look(view, 1.3, after);
    for (int i = 0; i < SIZE * SIZE * 4; i++)
        moved += before[i] != after[i];
    view_destroy(view);
    return moved;
}

/* The world's own wind in place of the breeze: none moves nothing, a stronger one more; without one it is as with a breeze of 5 m/s. */
static void test_weather(void **state) {
    (void)state;
    int none = moved_pixels((WorldWind){0}), breeze = moved_pixels((WorldWind){"air", {0.8, 0.6}, 5, 1}), gale = moved_pixels((WorldWind){"air", {0.8, 0.6}, 20, 1});
    assert_int_equal(moved_pixels((WorldWind){"air", {1, 0}, 0, 1}), 0);
    assert_true(breeze > 0 && none == breeze && gale > breeze);
}

/* Things get coarser until a frame keeps its budget, and are as fine as they were made where it does. */
static void test_budget(void **state) {
    (void)state;
    enum { TRIANGLES = 5000, COPIES = 400 };
    static uint32_t many[3 * TRIANGLES];
    static float transforms[12 * COPIES], tints[3 * COPIES];
    static uint8_t rgba[SIZE * SIZE * 4];
    for (int i = 0; i < 3 * TRIANGLES; i++)
        many[i] = i < 6 ? indices[i] : 0; /* they count, and cover nothing */
    for (int i = 0; i < COPIES; i++) {
        memcpy(transforms + 12 * i, unmoved, sizeof unmoved);
        memcpy(tints + 3 * i, tint, sizeof tint);
    }
    WorldMesh coarse = square(), fine = square();
    fine.indices = many;
    fine.index_count = 3 * TRIANGLES;
    fine.coarser = &coarse;
    fine.coarser_below = 30; /* it looks 45 pixels across */
    const uint32_t counts[2] = {10, COPIES};
    for (int k = 0; k < 2; k++) {
        const WorldInstances copies = {0, counts[k], transforms, tints};
        WorldScene scene = over_land(&fine);
        scene.instances = &copies;
        View *view = show(&scene);
        look(view, 0, rgba);
        uint64_t most = view->device.software ? 400000 : 1200000;
        assert_true(view_triangles(view) <= most && (view_triangles(view) > 10 * TRIANGLES) == (k == 0));
        view_destroy(view);
    }
}

/* Of a great many copies, in no order, those that are seen are drawn, each once; the rest is passed over by blocks, whether it lies beside the picture or looks too small. */
static void test_many(void **state) {
    (void)state;
    enum { COUNT = 30011 };
    float *transforms = malloc(12 * sizeof *transforms * COUNT);
    uint32_t random = 9;
    for (int i = 0; i < COUNT; i++) {
        float at[2];
        for (int k = 0; k < 2; k++, random = random * 1664525u + 1013904223u)
            at[k] = (float)(random >> 8) / 16777216.0f * 4000 - 2000;
        memcpy(transforms + 12 * i, (float[]){0.25f, 0, 0, at[0], 0, 0.25f, 0, 0, 0, 0, 0.25f, at[1]}, 12 * sizeof *transforms);
    }
    WorldMesh mesh = square();
    WorldScene scene = over_land(&mesh);
    const WorldInstances many = {0, COUNT, transforms, NULL};
    scene.instances = &many;
    View *view = show(&scene);
    static const double froms[4][3] = {{0, 30, 0}, {-1800, 5, 300}, {3000, 400, 0}, {0, 1500, 0}};
    for (int k = 0; k < 4; k++) {
        ViewCamera camera = {.from = {froms[k][0], froms[k][1], froms[k][2]}, .to = {200, 0, 100}};
        view_draw(view, &camera);
        Eye eye = eye_of(&camera, SIZE, SIZE);
        size_t wanted = 0, passed = 0;
        for (int i = 0; i < COUNT; i++) {
            const ThingMesh *drawn = &view->things.meshes.items[view->things.firsts.items[0]];
            const float *t = transforms + 12 * i;
            Vec middle = vec_sub((Vec){(double)t[3] + drawn->middle.x / 4, drawn->middle.y / 4, (double)t[11] + drawn->middle.z / 4}, eye.at);
            bool is_seen = eye_sees_ball(&eye, middle, drawn->radius / 4);
            wanted += is_seen && eye_pixels(&eye, middle, drawn->radius / 4, SIZE) >= 0.7;
            passed += !is_seen;
        }
        assert_int_equal(view->things.triangles, 2 * wanted);
        print_message("%zu drawn, %zu looked at, %zu beside the picture\n", wanted, view->things.looked_at, passed);
        assert_true(view->things.looked_at >= wanted && view->things.looked_at < wanted + COUNT / 10);
    }
    assert_int_equal(view_messages(view), 0);
    view_destroy(view);
    free(transforms);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_picture_on_a_card), cmocka_unit_test(test_own_color_and_coordinates),
                                       cmocka_unit_test(test_wind), cmocka_unit_test(test_weather), cmocka_unit_test(test_budget), cmocka_unit_test(test_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
