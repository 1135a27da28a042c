/* What is shown beside a picture, what a frame may hold, what is let go, and where an eye begins. */
#include "gpu/view_parts.h"
#include "tests/gpu/island.h"
#include "tests/gpu/skip.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { WIDTH = 192, HEIGHT = 108, PIXELS = WIDTH * HEIGHT };

static Memory memory;
static Arena arena;
static WorldScene scene;

static int set_up(void **state) {
    (void)state;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    scene = island_scene(&arena, 129, 16, 400);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    arena_fini(&arena);
    return 0;
}

static View *open_with(ViewDesc desc) {
    char error[512] = "";
    desc.width = WIDTH, desc.height = HEIGHT, desc.validate = true;
    View *view = open_or_skip(&desc);
    assert_true(view_set_scene(view, &scene, error, sizeof error));
    return view;
}

static void draw(View *view, unsigned looks, uint8_t *rgba) {
    ViewCamera camera = view_default_camera(&scene);
    view_set_looks(view, looks);
    view_draw(view, &camera);
    view_read_color(view, rgba);
}

/* -- ways to look -- */

static int count_different(const uint8_t *a, const uint8_t *b, int x0, int y0, int x1, int y1) {
    int count = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            count += memcmp(a + 4 * (y * WIDTH + x), b + 4 * (y * WIDTH + x), 3) != 0;
    return count;
}

static void test_looks(void **state) {
    (void)state;
    static uint8_t plain[4 * PIXELS], other[4 * PIXELS];
    View *view = open_with((ViewDesc){0});
    draw(view, 0, plain);
    draw(view, VIEW_WIRE, other); /* lines leave most of the land open */
    assert_true(count_different(plain, other, 0, HEIGHT / 2, WIDTH, HEIGHT) > PIXELS / 20);
    draw(view, VIEW_LEVELS, other);
    assert_true(count_different(plain, other, 0, 0, WIDTH, HEIGHT) > PIXELS / 20);
    draw(view, VIEW_MINIMAP, other); /* at the top right, and nowhere else */
    int left = WIDTH - 48 - 12, bottom = 48 + 12;
    assert_true(count_different(plain, other, left, 12, WIDTH - 12, bottom) > 48 * 48 * 3 / 4);
    assert_int_equal(count_different(plain, other, 0, 0, left - 2, HEIGHT), 0);
    assert_int_equal(count_different(plain, other, 0, bottom + 2, WIDTH, HEIGHT), 0);
    draw(view, 0, other);
    assert_memory_equal(plain, other, sizeof plain);
    view_set_words(view, "LAND.HEIGHT");
    draw(view, 0, other);
    assert_true(count_different(plain, other, 0, HEIGHT - 40, 80, HEIGHT) > 300);
    assert_int_equal(count_different(plain, other, 0, 0, WIDTH, HEIGHT - 40), 0);
    assert_int_equal(view_messages(view), 0);
    view_destroy(view);
}

/* The device chooses, unless it is told; either way it is said. Passes are timed where there is a clock. */
static void test_quality(void **state) {
    (void)state;
    static uint8_t rgba[4 * PIXELS];
    char text[1024];
    View *low = open_with((ViewDesc){.quality = VIEW_LOW});
    draw(low, VIEW_TIMES, rgba);
    view_status(low, text, sizeof text);
    assert_non_null(strstr(text, "quality low, as asked"));
    assert_non_null(strstr(text, "of at most 400000"));
    assert_true(low->timer.can ? strstr(text, "shadows ") && strstr(text, "land ") && strstr(text, " ms") : strstr(text, "no clock") != NULL);
    low->timer.read = 0, low->timer.can = false;
    view_status(low, text, sizeof text);
    assert_non_null(strstr(text, "this device has no clock"));
    view_destroy(low);
    View *high = open_with((ViewDesc){.quality = VIEW_HIGH});
    draw(high, 0, rgba);
    view_status(high, text, sizeof text);
    assert_non_null(strstr(text, "quality high, as asked"));
    assert_null(strstr(text, " ms"));
    assert_true(view_most_triangles(high) == 1200000);
    view_destroy(high);
    View *own = open_with((ViewDesc){0});
    assert_true(own->low == own->device.software);
    view_destroy(own);
}

/* -- where a world without a camera is seen from -- */

/* A ball as large as the way that the eye would go back. */
static void test_clear_eye(void **state) {
    (void)state;
    static const float transform[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    WorldScene bare = {.meshes = scene.meshes, .mesh_count = scene.mesh_count};
    WorldInstances groups[2] = {{0, 1, transform, NULL}};
    bare.instances = groups;
    bare.instance_count = 1;
    ViewCamera free_eye = view_default_camera(&bare);
    float other[12] = {1, 0, 0, (float)free_eye.from[0], 0, 1, 0, (float)free_eye.from[1] - 5, 0, 0, 1, (float)free_eye.from[2]};
    bare.land = scene.land, bare.has_sea = true;
    memcpy(bare.land_transform, scene.land_transform, sizeof bare.land_transform);
    ViewCamera over_land = view_default_camera(&bare);
    other[3] = (float)over_land.from[0], other[7] = (float)over_land.from[1] - 5, other[11] = (float)over_land.from[2];
    groups[1] = (WorldInstances){0, 1, other, NULL}; /* a pine of 9 m where the eye would be */
    bare.instance_count = 2;
    ViewCamera moved = view_default_camera(&bare);
    double away = 0;
    for (int k = 0; k < 3; k++)
        away += (moved.from[k] - over_land.from[k]) * (moved.from[k] - over_land.from[k]);
    assert_true(sqrt(away) > 2);
    for (int k = 0; k < 3; k++)
        assert_true(moved.to[k] == over_land.to[k]);
}

/* -- what the card holds -- */

/* Counts what is made and let go by taking the loader's pointers. */
static long alive;
static PFNGLCREATEBUFFERSPROC real_create_buffers;
static PFNGLCREATETEXTURESPROC real_create_textures;
static PFNGLCREATEVERTEXARRAYSPROC real_create_vertices;
static PFNGLCREATEFRAMEBUFFERSPROC real_create_targets;
static PFNGLCREATEPROGRAMPROC real_create_program;
static PFNGLCREATESHADERPROC real_create_shader;
static PFNGLDELETEBUFFERSPROC real_delete_buffers;
static PFNGLDELETETEXTURESPROC real_delete_textures;
static PFNGLDELETEVERTEXARRAYSPROC real_delete_vertices;
static PFNGLDELETEFRAMEBUFFERSPROC real_delete_targets;
static PFNGLDELETEPROGRAMPROC real_delete_program;
static PFNGLDELETESHADERPROC real_delete_shader;

static long count_names(GLsizei count, const GLuint *names) {
    long named = 0;
    for (GLsizei i = 0; i < count; i++)
        named += names[i] != 0;
    return named;
}

static void GLAD_API_PTR create_buffers(GLsizei n, GLuint *names) { real_create_buffers(n, names), alive += n; }
static void GLAD_API_PTR create_textures(GLenum target, GLsizei n, GLuint *names) { real_create_textures(target, n, names), alive += n; }
static void GLAD_API_PTR create_vertices(GLsizei n, GLuint *names) { real_create_vertices(n, names), alive += n; }
static void GLAD_API_PTR create_targets(GLsizei n, GLuint *names) { real_create_targets(n, names), alive += n; }
static void GLAD_API_PTR delete_buffers(GLsizei n, const GLuint *names) { real_delete_buffers(n, names), alive -= count_names(n, names); }
static void GLAD_API_PTR delete_textures(GLsizei n, const GLuint *names) { real_delete_textures(n, names), alive -= count_names(n, names); }
static void GLAD_API_PTR delete_vertices(GLsizei n, const GLuint *names) { real_delete_vertices(n, names), alive -= count_names(n, names); }
static void GLAD_API_PTR delete_targets(GLsizei n, const GLuint *names) { real_delete_targets(n, names), alive -= count_names(n, names); }
static GLuint GLAD_API_PTR create_program(void) { return alive++, real_create_program(); }
static GLuint GLAD_API_PTR create_shader(GLenum stage) { return alive++, real_create_shader(stage); }
static void GLAD_API_PTR delete_program(GLuint name) { real_delete_program(name), alive -= name != 0; }
static void GLAD_API_PTR delete_shader(GLuint name) { real_delete_shader(name), alive -= name != 0; }

#define TAKE(real, pointer, ours) real = pointer, pointer = ours
static void take_pointers(void) {
    TAKE(real_create_buffers, glad_glCreateBuffers, create_buffers);
    TAKE(real_create_textures, glad_glCreateTextures, create_textures);
    TAKE(real_create_vertices, glad_glCreateVertexArrays, create_vertices);
    TAKE(real_create_targets, glad_glCreateFramebuffers, create_targets);
    TAKE(real_create_program, glad_glCreateProgram, create_program);
    TAKE(real_create_shader, glad_glCreateShader, create_shader);
    TAKE(real_delete_buffers, glad_glDeleteBuffers, delete_buffers);
    TAKE(real_delete_textures, glad_glDeleteTextures, delete_textures);
    TAKE(real_delete_vertices, glad_glDeleteVertexArrays, delete_vertices);
    TAKE(real_delete_targets, glad_glDeleteFramebuffers, delete_targets);
    TAKE(real_delete_program, glad_glDeleteProgram, delete_program);
    TAKE(real_delete_shader, glad_glDeleteShader, delete_shader);
}
#undef TAKE

/* Two hundred times another world, with a material and a day of its own each tenth time. */
static void test_reloads(void **state) {
    (void)state;
    static const char text[] =
        "#define MATERIAL_COLOR\nvoid material_color(float x, float y, float z, float nx, float ny, float nz, float height, float slope, float distance, float pixel,"
        " float time, float or, float og, float ob, float across, float along, float tile, out bool said, out float r, out float g, out float b) { said = true; r = 0.5; g = 0.5; b = x; }\n";
    static const uint32_t words[1];
    static const float flat[25];
    static const double sun[3] = {0.3, 0.9, 0.3};
    WorldCard material = {text, words, 1};
    WorldScene bare = island_bare(5, 5, 8, flat), other = bare;
    char error[512] = "";
    bare.meshes = scene.meshes, bare.mesh_count = scene.mesh_count;
    bare.instances = scene.instances, bare.instance_count = scene.instance_count;
    bare.has_sea = other.has_sea = true;
    other.materials = &material, other.material_count = 1, other.land_material = 1;
    other.sky = (WorldSky){.path = "today", .sun = {sun[0], sun[1], sun[2]}, .haze = 0.3};
    ViewDesc desc = {.width = 16, .height = 9, .validate = true};
    View *view = open_or_skip(&desc);
    ViewCamera camera = {.from = {0, 20, 40}, .to = {0, 0, 0}, .fov = 0.8};
    take_pointers();
    long after_ten = 0;
    for (int i = 0; i < 200; i++) {
        assert_true(view_set_scene(view, i % 10 ? &bare : &other, error, sizeof error));
        if (i % 10 < 2) view_draw(view, &camera);
        if (i == 9) after_ten = alive;
        if (i > 9 && i % 10 == 9) assert_int_equal(alive, after_ten);
    }
    assert_int_equal(view_messages(view), 0);
    view_destroy(view);
}

/* -- what is uploaded -- */

typedef struct Seen {
    const WorldScene *scene;
    size_t uploaded;
    uint8_t rgba[4 * PIXELS];
} Seen;

static void see(View *view, Seen *seen) {
    char error[512] = "";
    ViewCamera camera = view_default_camera(&scene);
    assert_true(view_set_scene(view, seen->scene, error, sizeof error));
    seen->uploaded = view_uploaded(view);
    view_draw(view, &camera);
    view_read_color(view, seen->rgba);
    assert_int_equal(view_messages(view), 0);
}

/* What one view shows one after the other is what each shows that never saw another. */
static void see_all(Seen *seen, int count) {
    static Seen fresh;
    ViewDesc desc = {.width = WIDTH, .height = HEIGHT, .validate = true};
    View *view = open_or_skip(&desc);
    for (int i = 0; i < count; i++)
        see(view, &seen[i]);
    view_destroy(view);
    for (int i = 0; i < count; i++) {
        View *other = open_or_skip(&desc);
        fresh.scene = seen[i].scene;
        see(other, &fresh);
        view_destroy(other);
        assert_memory_equal(seen[i].rgba, fresh.rgba, sizeof fresh.rgba);
    }
}

/* Copies always; a mesh and the land when they are others, by what lies in them and not by where. */
static void test_uploads(void **state) {
    (void)state;
    enum { VERTEX = 36, INDEX = 4, COPY = 64, SAMPLE = 8 };
    size_t samples = (size_t)scene.land.columns * (size_t)scene.land.rows, copies = 0;
    for (size_t g = 0; g < scene.instance_count; g++)
        copies += COPY * (size_t)scene.instances[g].count;
    WorldMesh *meshes = ARENA_ARRAY(&arena, WorldMesh, scene.mesh_count), *painted = ARENA_ARRAY(&arena, WorldMesh, scene.mesh_count);
    float *colors[2], *heights[2];
    for (int i = 0; i < 2; i++) {
        colors[i] = ARENA_ARRAY(&arena, float, 3 * scene.meshes->vertex_count), heights[i] = ARENA_ARRAY(&arena, float, samples);
        memcpy(colors[i], scene.meshes->colors, 3 * sizeof(float) * scene.meshes->vertex_count);
        memcpy(heights[i], scene.land.heights, sizeof(float) * samples);
    }
    memcpy(meshes, scene.meshes, sizeof *meshes * scene.mesh_count);
    memcpy(painted, scene.meshes, sizeof *meshes * scene.mesh_count);
    for (uint32_t i = 0; i < 3 * scene.meshes->vertex_count; i++)
        colors[1][i] = 0.9f;
    for (size_t i = 0; i < samples; i++)
        heights[1][i] += 3;
    meshes->colors = colors[0], painted->colors = colors[1];
    WorldScene elsewhere = scene, bright = scene, high = scene;
    elsewhere.meshes = meshes, elsewhere.land.heights = heights[0];
    bright.meshes = painted, high.land.heights = heights[1];
    static Seen seen[6];
    const WorldScene *shown[6] = {&scene, &scene, &elsewhere, &bright, &high, &scene};
    const size_t more[6] = {0, 0, 0, VERTEX * scene.meshes->vertex_count + INDEX * scene.meshes->index_count, SAMPLE * samples, SAMPLE * samples};
    for (int i = 0; i < 6; i++)
        seen[i].scene = shown[i];
    see_all(seen, 6);
    assert_true(seen[0].uploaded > copies + SAMPLE * samples);
    for (int i = 1; i < 6; i++)
        assert_int_equal(seen[i].uploaded, copies + more[i]);
    assert_memory_equal(seen[0].rgba, seen[5].rgba, sizeof seen->rgba); /* the mesh that was there first still is */
    assert_memory_not_equal(seen[0].rgba, seen[3].rgba, sizeof seen->rgba);
    assert_memory_not_equal(seen[0].rgba, seen[4].rgba, sizeof seen->rgba);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_uploads), cmocka_unit_test(test_looks), cmocka_unit_test(test_quality), cmocka_unit_test(test_clear_eye), cmocka_unit_test(test_reloads)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
