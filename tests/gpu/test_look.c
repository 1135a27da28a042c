/* What a picture shows, in numbers: the light's model written once more, and places that must differ. Lands are plain
 * and white where light is asked, so that no noise is in the way. */
#include "gpu/view_parts.h"
#include "tests/gpu/island.h"
#include "tests/gpu/skip.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { WIDTH = 320, HEIGHT = 240, POINTS = 65 };

typedef struct Color {
    double part[3];
} Color;

static uint8_t picture[WIDTH * HEIGHT * 4];
static float heights[POINTS * POINTS];

static void draw(View *view, const WorldScene *scene, const ViewCamera *camera) {
    char error[512] = "";
    assert_true(view_set_scene(view, scene, error, sizeof error));
    view_draw(view, camera);
    view_read_color(view, picture);
    assert_int_equal(view_messages(view), 0);
}

static View *open_view(void) {
    return open_or_skip(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .validate = true});
}

/* Straight down on `extent` meters about (x, z); north is up. */
static ViewCamera above(double x, double z, double extent) {
    return (ViewCamera){.from = {x, 200, z}, .to = {x, 0, z}, .orthographic = true, .extent = extent};
}

static Color pixel(int x, int y) {
    assert_true(x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT);
    const uint8_t *p = picture + (y * WIDTH + x) * 4;
    return (Color){{p[0], p[1], p[2]}};
}

/* Of a place seen from above. */
static Color at(const ViewCamera *camera, double x, double z) {
    double scale = HEIGHT / camera->extent;
    return pixel((int)floor(WIDTH / 2.0 + (x - camera->from[0]) * scale),
                 (int)floor(HEIGHT / 2.0 + (z - camera->from[2]) * scale));
}

/* Means of a square of `side` meters. */
static Color mean(const ViewCamera *camera, double x, double z, double side) {
    Color sum = {{0, 0, 0}};
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            Color one = at(camera, x + side * (i / 15.0 - 0.5), z + side * (j / 15.0 - 0.5));
            for (int k = 0; k < 3; k++)
                sum.part[k] += one.part[k] / 256;
        }
    return sum;
}

/* -- the light's model -- */

static const double sun[3] = {-0.646, 0.625, 0.438};
static const double sun_light[3] = {3.1, 3.1 * 0.88, 3.1 * 0.70};
static const double sky_light[3] = {0.95 * 0.50, 0.95 * 0.66, 0.95 * 0.95};
static const double ground_light[3] = {0.42, 0.38, 0.32};

static double greatest(const double c[3]) {
    return fmax(c[0], fmax(c[1], c[2]));
}

/* The tone mapper once more, of the three channels at once. */
static void to_screen(const double light[3], double out[3]) {
    double c[3], peak;
    for (int k = 0; k < 3; k++)
        c[k] = light[k] * 0.8;
    peak = greatest(c);
    double bent = peak > 0.76 ? 1 - 0.24 * 0.24 / (peak + 0.24 - 0.76) : peak, white = 1 - 1 / (0.15 * (peak - bent) + 1);
    for (int k = 0; k < 3; k++) {
        double one = c[k] * bent / peak * (1 - white) + bent * white;
        out[k] = 255 * (one <= 0.0031308 ? 12.92 * one : 1.055 * pow(one, 1 / 2.4) - 0.055);
    }
}

static void assert_lit(Color seen, const double paint[3], const double normal[3], bool shadow, double open) {
    double size = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]), facing = 0;
    for (int k = 0; k < 3; k++)
        facing += normal[k] / size * sun[k];
    double direct = shadow || facing < 0 ? 0 : facing, up = normal[1] / size * 0.5 + 0.5;
    double light[3], want[3];
    for (int k = 0; k < 3; k++)
        light[k] = paint[k] * (sun_light[k] * direct + (ground_light[k] + (sky_light[k] - ground_light[k]) * up) * open);
    to_screen(light, want);
    for (int k = 0; k < 3; k++)
        if (fabs(seen.part[k] - want[k]) > 4) /* 3, and the dither */
            fail_msg("part %d is %g, wanted %g; facing %g, open %g", k, seen.part[k], want[k], facing, open);
}

/* -- lands -- */

static WorldScene plain_land(double slope_x, double slope_z, const float paint[3]) {
    for (int j = 0; j < POINTS; j++)
        for (int i = 0; i < POINTS; i++)
            heights[j * POINTS + i] = (float)(slope_x * (i - POINTS / 2) + slope_z * (j - POINTS / 2));
    WorldScene scene = island_bare(POINTS, POINTS, 1, heights);
    memcpy(scene.land_tint, paint, sizeof scene.land_tint);
    return scene;
}

/* The sky that is left over a slope: eight ways, three of them up it. */
static double open_over(double slope) {
    double side = slope / sqrt(2);
    return 1 - (slope / sqrt(1 + slope * slope) + 2 * side / sqrt(1 + side * side)) / 8;
}

static void test_slopes(void **state) {
    (void)state;
    static const float paint[3] = {0.4f, 0.3f, 0.2f};
    static const double paints[3] = {0.4, 0.3, 0.2};
    static const double slopes[][2] = {{0, 0}, {0.5, 0}, {-0.5, 0}, {0, 0.5}, {0, -0.5}, {-2, 0}};
    View *view = open_view();
    for (int i = 0; i < 6; i++) {
        double x = slopes[i][0], z = slopes[i][1];
        WorldScene scene = plain_land(x, z, paint);
        ViewCamera camera = above(0, 0, 20);
        draw(view, &scene, &camera);
        assert_lit(at(&camera, 0.3, 0.2), paints, (double[]){-x, 1, -z}, false, open_over(fabs(x + z)));
    }
    view_destroy(view);
}

/* A land that is no square, and on each axis level before its middle and steep behind it: the light falls where the ground does. */
static void test_oblong(void **state) {
    (void)state;
    static const float paint[3] = {0.4f, 0.3f, 0.2f};
    enum { COLUMNS = 65, ROWS = 33 };
    View *view = open_view();
    for (int axis = 0; axis < 2; axis++) {
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < COLUMNS; i++)
                heights[j * COLUMNS + i] = (float)fmax(0, axis == 0 ? i - COLUMNS / 2 : j - ROWS / 2);
        WorldScene scene = island_bare(COLUMNS, ROWS, 1, heights);
        memcpy(scene.land_tint, paint, sizeof scene.land_tint);
        ViewCamera camera = above(0, 0, 30);
        draw(view, &scene, &camera);
        Color steep = at(&camera, axis == 0 ? 10.3 : 0.3, axis == 0 ? 0.2 : 10.2), level = at(&camera, axis == 0 ? -10.3 : 0.3, axis == 0 ? 0.2 : -10.2);
        double rise = steep.part[0] - level.part[0]; /* the sun stands in the west, and less so in the south */
        assert_true(axis == 0 ? rise > 10 : rise < -10);
    }
    view_destroy(view);
}

/* -- things -- */

static const float box_corners[8][3] = {{-1, 0, -1}, {1, 0, -1}, {1, 2, -1}, {-1, 2, -1},
                                        {-1, 0, 1},  {1, 0, 1},  {1, 2, 1},  {-1, 2, 1}};
static float box_normals[24], box_colors[24];
static const uint32_t box_indices[] = {3, 6, 2, 3, 7, 6, 0, 3, 2, 0, 2, 1, 4, 5, 6, 4, 6, 7, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5};

/* Two boxes, each two meters wide, as tall as is said, with normals that point up. */
static WorldScene with_boxes(WorldScene scene, const float transforms[24], const float tints[6]) {
    static WorldMesh mesh;
    static WorldInstances group;
    for (int v = 0; v < 24; v++) {
        box_normals[v] = v % 3 == 1;
        box_colors[v] = 0.5f;
    }
    mesh = (WorldMesh){8, 30, box_corners[0], box_normals, box_colors, box_indices};
    group = (WorldInstances){0, 2, transforms, tints};
    scene.meshes = &mesh;
    scene.instances = &group;
    scene.mesh_count = scene.instance_count = 1;
    return scene;
}

static void test_boxes(void **state) {
    (void)state;
    static const float white[3] = {0.5f, 0.5f, 0.5f};
    static const float transforms[24] = {2, 0, 0, 0, 0, 5, 0, 0, 0, 0, 2, 0, 1, 0, 0, 12, 0, 1, 0, 0, 0, 0, 1, 9};
    static const float tints[6] = {0.8f, 0.6f, 0.4f, 0.2f, 0.4f, 0.6f};
    static const double up[3] = {0, 1, 0};
    View *view = open_view();
    WorldScene scene = with_boxes(plain_land(0, 0, white), transforms, tints);
    ViewCamera camera = above(0, 0, 40);
    draw(view, &scene, &camera);
    assert_lit(at(&camera, 0.2, 0.1), (double[]){0.4, 0.3, 0.2}, up, false, 0.9);
    assert_lit(at(&camera, 12.2, 9.1), (double[]){0.1, 0.2, 0.3}, up, false, 0.9);
    /* The taller is ten meters high: its shadow lies away from the sun, and nowhere else. */
    for (double t = 3.5; t < 8; t++) {
        double x = -sun[0] / sun[1] * t, z = -sun[2] / sun[1] * t;
        assert_lit(at(&camera, x, z), (double[]){0.5, 0.5, 0.5}, up, true, 1);
        assert_lit(at(&camera, -x, -z), (double[]){0.5, 0.5, 0.5}, up, false, 1);
        assert_lit(at(&camera, x, -z), (double[]){0.5, 0.5, 0.5}, up, false, 1);
    }
    view_destroy(view);
}

/* The ground beside a thing sees less of the sky, on its sunny side too; what hangs over the ground takes nothing from it. */
static void test_contact(void **state) {
    (void)state;
    static const float white[3] = {0.2f, 0.2f, 0.2f};
    float transforms[24] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 14, 0, 1, 0, 9, 0, 0, 1, 9};
    static const float tints[6] = {1, 1, 1, 1, 1, 1};
    View *view = open_view();
    WorldScene scene = with_boxes(plain_land(0, 0, white), transforms, tints);
    ViewCamera camera = above(0, 0, 40);
    draw(view, &scene, &camera);
    Color beside = at(&camera, -1.3, 0.5), away = at(&camera, -4, 3), under = at(&camera, 12.5, 10); /* the sun is in the west-southwest */
    for (int k = 0; k < 3; k++)
        if (!(beside.part[k] < away.part[k] - 4 && fabs(under.part[k] - away.part[k]) <= 3))
            fail_msg("part %d: %g beside, %g under, %g away", k, beside.part[k], under.part[k], away.part[k]);
    view_destroy(view);
}

/* What moves takes its shade along: where it went, also past where anything stood before, the picture is that of a scene which began so. */
static void test_contact_moves(void **state) {
    (void)state;
    static const float white[3] = {0.2f, 0.2f, 0.2f}, tints[6] = {1, 1, 1, 1, 1, 1};
    float transforms[24] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 14, 0, 1, 0, 0, 0, 0, 1, 9};
    View *view = open_view();
    ViewCamera camera = above(0, 0, 60);
    WorldScene scene = with_boxes(plain_land(0, 0, white), transforms, tints);
    scene.shape = 7;
    draw(view, &scene, &camera);
    Color away = at(&camera, -7, 3);
    for (int step = 0; step < 2; step++) {
        float to = step ? -20 : 6.25f; /* inside of what the map is over, then out of it */
        transforms[3] = to;
        draw(view, &scene, &camera);
        Color beside = at(&camera, (double)to - 1.3, 0.5), before = at(&camera, (step ? 6.25 : 0) - 1.3, 0.5);
        assert_true(beside.part[1] < away.part[1] - 4 && fabs(before.part[1] - away.part[1]) <= 3);
    }
    view_destroy(view);
}

/* A planet that becomes level ground is another scene to the programs, whatever its shape says. */
static void test_planet_and_back(void **state) {
    (void)state;
    View *view = open_view();
    WorldScene scene = {.shape = 9, .sky = {.path = "sky", .sun = {0, 1, 0}, .planet = 500, .middle = {0, -500, 0}}};
    ViewCamera camera = {.from = {0, 20, 0}, .to = {0, 10, 60}};
    draw(view, &scene, &camera);
    Color space = pixel(WIDTH / 2, HEIGHT - 2);
    scene.sky.planet = 0;
    draw(view, &scene, &camera);
    Color floor = pixel(WIDTH / 2, HEIGHT - 2);
    view_destroy(view);
    view = open_view();
    draw(view, &scene, &camera);
    Color fresh = pixel(WIDTH / 2, HEIGHT - 2);
    assert_true(fabs(floor.part[0] - fresh.part[0]) <= 1 && fabs(floor.part[0] - space.part[0]) > 10);
    view_destroy(view);
}

/* A land that ends without a sea lies in level ground of its own look, out to the horizon. */
static void test_field(void **state) {
    (void)state;
    static const float red[3] = {0.6f, 0.2f, 0.1f};
    View *view = open_view();
    WorldScene scene = plain_land(0, 0, red);
    ViewCamera camera = {.from = {0, 30, 200}, .to = {0, 10, 600}};
    draw(view, &scene, &camera);
    Color near = pixel(WIDTH / 2, HEIGHT - 4), sky = pixel(WIDTH / 2, HEIGHT / 4);
    assert_true(near.part[0] > near.part[2] + 60 && sky.part[2] > sky.part[0]);
    scene.land_edge.kind = WORLD_EDGE_FALL; /* but for one that is said to hang in the air */
    draw(view, &scene, &camera);
    near = pixel(WIDTH / 2, HEIGHT - 4);
    assert_true(near.part[0] < near.part[2] + 30);
    view_destroy(view);
}

/* A land that ends higher than that comes down to it: there is no dark gap under its border. */
static void test_bank(void **state) {
    (void)state;
    static const float gray[3] = {0.3f, 0.3f, 0.3f};
    View *view = open_view();
    WorldScene scene = plain_land(0, 0.3, gray);
    double end = POINTS / 2;
    ViewCamera camera = {.from = {0, 0.15 * end, 3 * end}, .to = {0, 0.15 * end, 0}};
    draw(view, &scene, &camera);
    Color field = pixel(WIDTH / 2, HEIGHT - 2);
    for (int y = 0; y < HEIGHT; y++)
        assert_true(pixel(WIDTH / 2, y).part[1] > field.part[1] - 60); /* the sky is no darker */
    camera = above(0, 1.5 * end, 2 * end); /* it slopes toward the sun, and ends under the field */
    draw(view, &scene, &camera);
    Color slope = at(&camera, 3, end + 0.2 * end), level = at(&camera, 3, 2.4 * end);
    assert_true(slope.part[1] > level.part[1] + 5 && fabs(level.part[1] - field.part[1]) < 20);
    view_destroy(view);
}

/* Through the eye: how wide it sees, and which way round; haze lies over what is far. */
static void test_eye(void **state) {
    (void)state;
    static const float transforms[24] = {5, 0, 0, 20, 0, 5, 0, 15, 0, 0, 5, -100, 5, 0, 0, -61, 0, 5, 0, -5, 0, 0, 5, -100};
    static const float tints[6] = {1, 0.02f, 0.02f, 0.02f, 1, 0.02f};
    View *view = open_view();
    WorldScene scene = with_boxes((WorldScene){0}, transforms, tints);
    ViewCamera camera = {.from = {0, 10, 0}, .to = {0, 10, -100}};
    draw(view, &scene, &camera);
    double scale = HEIGHT / 2.0 / (tan(25 * M_PI / 180) * 95); /* pixels a meter, at the boxes' near sides */
    Color red = pixel((int)(WIDTH / 2.0 + 20 * scale), (int)(HEIGHT / 2.0 - 10 * scale));
    Color sky = pixel((int)(WIDTH / 2.0 - 20 * scale), (int)(HEIGHT / 2.0 - 10 * scale));
    assert_true(red.part[0] > 2 * red.part[2] && sky.part[2] > sky.part[0]);
    /* The green one's middle is past the left border: its part that is not is seen. */
    Color green = pixel(1, HEIGHT / 2 + (int)(10 * scale));
    assert_true(green.part[1] > 2 * green.part[0]);
    int wide = 0;
    for (int x = 0; x < WIDTH; x++) {
        Color c = pixel(x, (int)(HEIGHT / 2.0 - 10 * scale));
        wide += c.part[0] > 2 * c.part[2];
    }
    assert_true(fabs(wide - (25 - 15 * 95 / 105.0) * scale) < 2); /* with the side that faces the middle */
    static const float far_off[24] = {900, 0, 0, 0, 0, 900, 0, 15, 0, 0, 900, -9000, 5, 0, 0, 70, 0, 5, 0, -5, 0, 0, 5, -100};
    scene = with_boxes((WorldScene){0}, far_off, tints);
    draw(view, &scene, &camera);
    Color hazy = pixel(WIDTH / 2, HEIGHT / 2 - 5);
    assert_true(hazy.part[2] > red.part[2] + 40);
    view_destroy(view);
}

/* -- materials, the sea -- */

static void test_material(void **state) {
    (void)state;
    static const char text[] = "#define MATERIAL_COLOR\n"
        "void material_color(float x, float y, float z, float nx, float ny, float nz, float height, float slope, float distance, float pixel,"
        " float time, float or, float og, float ob, float across, float along, float tile, out bool said, out float r, out float g, out float b) { said = true; r = x > 0.0 ? 0.5 : 0.0; g = height > 10.0 ? 0.5 : 0.0; b = z > 0.0 ? 0.5 : 0.0; }\n";
    static const uint32_t words[1];
    static const float tint[3] = {1, 1, 0.5f};
    WorldCard material = {text, words, 1};
    View *view = open_view();
    WorldScene scene = plain_land(0, 0, tint);
    scene.materials = &material;
    scene.material_count = 1;
    scene.land_material = 1;
    ViewCamera camera = above(0, 0, 60);
    draw(view, &scene, &camera);
    assert_lit(at(&camera, 5, 5), (double[]){0.5, 0, 0.25}, (double[]){0, 1, 0}, false, 1);
    assert_lit(at(&camera, -5, 5), (double[]){0, 0, 0.25}, (double[]){0, 1, 0}, false, 1);
    for (int k = 0; k < POINTS * POINTS; k++)
        heights[k] = 20;
    draw(view, &scene, &camera);
    assert_lit(at(&camera, -5, -5), (double[]){0, 0.5, 0}, (double[]){0, 1, 0}, false, 1);
    material.text = "no program";
    char error[400] = "";
    assert_false(view_set_scene(view, &scene, error, sizeof error));
    assert_true(error[0] != 0);
    view_destroy(view);
}

/* The light of a day: the zenith bluer than the horizon, a low sun redder than a high one, nothing of it by night; a picture of
 * its ground says the same, and noon is no brighter than white. */
static void test_day(void **state) {
    (void)state;
    static SkyLight noon, evening, night;
    static const float white[3] = {0.8f, 0.8f, 0.8f};
    sky_of((Vec){0.3, 0.9, 0.316}, 0.3, &noon);
    sky_of((Vec){-0.99, 0.06, 0.127}, 0.3, &evening);
    sky_of((Vec){-0.6, -0.8, 0}, 0.3, &night);
    const float *zenith = noon.sky[SKY_ROWS - 1][20], *horizon = noon.sky[1][40];
    assert_true(zenith[2] / zenith[0] > 2 * horizon[2] / horizon[0] && horizon[1] > zenith[1]);
    assert_true(noon.sun[0] / noon.sun[2] < 1.6 && evening.sun[0] / evening.sun[2] > 4 && evening.sun[0] < noon.sun[0]);
    assert_true(evening.sky[2][0][0] > 3 * evening.sky[2][SKY_COLUMNS - 1][0]); /* it glows where the sun is */
    assert_true(night.sun[0] == 0 && night.sky[SKY_ROWS - 1][0][2] < 0.01 && night.exposure > 5);
    View *view = open_view();
    WorldScene scene = plain_land(0, 0, white);
    ViewCamera camera = above(0, 0, 60);
    scene.sky = (WorldSky){.path = "today", .sun = {0.3, 0.9, 0.316}, .haze = 0.3};
    draw(view, &scene, &camera);
    Color day = at(&camera, 3, 3);
    scene.sky = (WorldSky){.path = "today", .sun = {-0.6, -0.8, 0}, .haze = 0.3, .stars = true};
    draw(view, &scene, &camera);
    Color dark = at(&camera, 3, 3);
    assert_true(day.part[0] > 200 && day.part[0] < 255 && day.part[0] >= day.part[2]);
    assert_true(dark.part[1] < 60 && dark.part[2] > dark.part[0]);
    view_destroy(view);
}

static Color sky_from(View *view, const double from[3], const double way[3]) {
    WorldScene scene = {.sky = {.path = "air", .sun = {1, 0, 0}, .planet = 1000, .middle = {0, 50, 0}}};
    ViewCamera camera = {.from = {from[0], from[1], from[2]}, .to = {from[0] + way[0], from[1] + way[1], from[2] + way[2]}, .fov = 0.1};
    draw(view, &scene, &camera);
    return pixel(WIDTH / 2, HEIGHT / 2);
}

/* A planet's air: blue over where it is day, whichever way is up there, none where it is night or far out; from far out its rim
 * shines. No floor lies under it. */
static void test_planet(void **state) {
    (void)state;
    View *view = open_view();
    Color noon = sky_from(view, (double[]){1002, 50, 0}, (double[]){1, 0.2, 0}), south = sky_from(view, (double[]){700, -664, 0}, (double[]){0.2, -1, 0});
    Color night = sky_from(view, (double[]){-1002, 50, 0}, (double[]){-1, 0.2, 0}), out = sky_from(view, (double[]){5000, 50, 0}, (double[]){1, 1, 0});
    Color rim = sky_from(view, (double[]){3000, 50, 3000}, (double[]){-3000, 1040, -3000}), down = sky_from(view, (double[]){3000, 50, 3000}, (double[]){0, -1, 0.1});
    assert_true(noon.part[2] > 120 && noon.part[2] > 1.4 * noon.part[0]);
    assert_true(south.part[2] > 90 && south.part[2] > 1.2 * south.part[0]);
    assert_true(rim.part[2] > 90);
    for (int k = 0; k < 3; k++)
        assert_true(night.part[k] < 30 && out.part[k] < 10 && down.part[k] < 10);
    view_destroy(view);
}

/* A lamp lights the ground under it by night, less the farther, and nothing past its reach; by day nobody sees it. */
static void test_lamps(void **state) {
    (void)state;
    static const float white[3] = {0.8f, 0.8f, 0.8f};
    View *view = open_view();
    WorldScene scene = plain_land(0, 0, white);
    ViewCamera camera = above(0, 0, 60);
    WorldLamp lamps[20] = {{.path = "lamp", .at = {5, 2, 5}, .reach = 12, .color = {1, 0.7, 0.4}, .lumens = 400}};
    scene.sky = (WorldSky){.path = "tonight", .sun = {-0.6, -0.8, 0}, .haze = 0.3};
    draw(view, &scene, &camera);
    Color dark = at(&camera, 5, 5), far = at(&camera, -9, -9);
    for (int k = 1; k < 20; k++)
        lamps[k] = (WorldLamp){.path = "far", .at = {3000 + k, 2, 0}, .reach = 5, .color = {0, 0, 1}, .lumens = 1e5};
    scene.lamps = lamps;
    scene.lamp_count = 20;
    draw(view, &scene, &camera);
    Color lit = at(&camera, 5, 5), beside = at(&camera, 8, 8), past = at(&camera, -9, -9);
    assert_true(lit.part[0] > dark.part[0] + 40 && lit.part[0] > lit.part[2] + 20);
    assert_true(beside.part[0] > dark.part[0] + 5 && beside.part[0] < lit.part[0] - 10);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(past.part[k] - far.part[k]) <= 1);
    scene.sky = (WorldSky){0};
    draw(view, &scene, &camera);
    Color day = at(&camera, 5, 5), elsewhere = at(&camera, -9, -9);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(day.part[k] - elsewhere.part[k]) <= 2);
    view_destroy(view);
}

/* What stands under a lamp keeps its light from the ground behind; where the processor draws it does not. */
static void test_lamp_shadow(void **state) {
    (void)state;
    static const float white[3] = {0.8f, 0.8f, 0.8f}, tints[6] = {1, 1, 1, 1, 1, 1};
    static const float transforms[24] = {1, 0, 0, 4, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 300, 0, 1, 0, 0, 0, 0, 1, 0}; /* a box of 2 m at x = 4 */
    static const WorldLamp lamp = {.path = "lamp", .at = {0, 4, 0}, .reach = 20, .color = {1, 1, 1}, .lumens = 900};
    for (int quality = VIEW_LOW; quality <= VIEW_HIGH; quality++) {
        View *view = open_or_skip(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .validate = true, .quality = (ViewQuality)quality});
        WorldScene scene = with_boxes(plain_land(0, 0, white), transforms, tints);
        scene.sky = (WorldSky){.path = "tonight", .sun = {-0.6, -0.8, 0}, .haze = 0.3};
        scene.lamps = &lamp;
        scene.lamp_count = 1;
        ViewCamera camera = above(0, 0, 30);
        draw(view, &scene, &camera);
        Color behind = at(&camera, 7.5, 0.1), before = at(&camera, -7.5, 0.1), beside = at(&camera, 0.1, 7.5);
        assert_true(fabs(before.part[0] - beside.part[0]) < 8);
        assert_true(quality == VIEW_HIGH ? behind.part[0] < before.part[0] - 15 : fabs(behind.part[0] - before.part[0]) < 8);
        view_destroy(view);
    }
}

/* Of more small things than a frame may hold the smallest are left out, and what is larger stands. */
static void test_many(void **state) {
    (void)state;
    enum { ACROSS = 300, COUNT = ACROSS * ACROSS };
    static const float white[3] = {0.6f, 0.6f, 0.6f};
    static float transforms[COUNT * 12];
    for (int i = 0; i < COUNT; i++) {
        float size = i == COUNT / 2 + ACROSS / 2 ? 4 : 0.1f;
        const float rows[12] = {size, 0, 0, (float)(i % ACROSS - ACROSS / 2) * 0.4f, 0, size, 0, 0, 0, 0, size, (float)(i / ACROSS - ACROSS / 2) * 0.4f};
        memcpy(transforms + 12 * (size_t)i, rows, sizeof rows);
    }
    View *view = open_or_skip(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .validate = true, .quality = VIEW_LOW});
    WorldScene scene = with_boxes(plain_land(0, 0, white), transforms, NULL);
    WorldInstances many = {.mesh = 0, .count = COUNT, .transforms = transforms};
    scene.instances = &many;
    ViewCamera camera = {.from = {-60, 60, 0}, .to = {0, 0, 0}};
    draw(view, &scene, &camera);
    assert_true(view_triangles(view) < view_most_triangles(view) * 11 / 10);
    assert_true(view->things.triangles >= 10);
    view_destroy(view);
}

/* An edge that leans over ten columns comes by shades, whether a pixel has four samples or edges are smoothed after they were drawn. */
static void test_edges(void **state) {
    (void)state;
    static const float white[3] = {0.6f, 0.6f, 0.6f}, tints[6] = {0.01f, 0.01f, 0.01f, 0.01f, 0.01f, 0.01f};
    static const float transforms[24] = {8, 0, 0.8f, 0, 0, 1, 0, 0, -0.8f, 0, 8, 0, 1, 0, 0, 40, 0, 1, 0, 0, 0, 0, 1, 40};
    for (int quality = VIEW_LOW; quality <= VIEW_HIGH; quality++) {
        View *view = open_or_skip(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .validate = true, .quality = (ViewQuality)quality});
        WorldScene scene = with_boxes(plain_land(0, 0, white), transforms, tints);
        ViewCamera camera = above(0, 0, 40);
        draw(view, &scene, &camera);
        double largest = 0;
        for (int y = HEIGHT / 2 - 40; y < HEIGHT / 2 + 40; y++) { /* of a row, the largest step from pixel to pixel at the border to the west */
            double most = 0, whole = pixel(WIDTH / 2 - 60, y).part[1] - pixel(WIDTH / 2 - 30, y).part[1];
            for (int x = WIDTH / 2 - 60; x < WIDTH / 2 - 30; x++)
                most = fmax(most, pixel(x, y).part[1] - pixel(x + 1, y).part[1]);
            assert_true(whole > 60);
            largest += most / whole / 80;
        }
        if (!(largest > 0.4 && largest < 0.85)) fail_msg("quality %d: of the whole step, one from pixel to pixel is %g", quality, largest);
        view_destroy(view);
    }
}

/* A bottom that falls to the east: the deeper, the darker, and red is lost first. */
static void test_sea(void **state) {
    (void)state;
    static const float white[3] = {1, 1, 1};
    View *view = open_view();
    WorldScene scene = plain_land(-0.25, 0, white);
    scene.has_sea = true;
    ViewCamera camera = above(0, 0, 60);
    draw(view, &scene, &camera);
    Color shallow = mean(&camera, 7, 0, 4), deep = mean(&camera, 26, 0, 4), land = mean(&camera, -15, 0, 4);
    for (int k = 0; k < 3; k++)
        assert_true(shallow.part[k] > deep.part[k] + 5);
    assert_true(deep.part[2] > 1.5 * deep.part[0]);
    assert_true(shallow.part[0] / shallow.part[2] > deep.part[0] / deep.part[2] + 0.15);
    assert_true(land.part[0] > 200);
    view_destroy(view);
}

/* -- letters -- */

static void test_text(void **state) {
    (void)state;
    static const float black[3] = {0.01f, 0.01f, 0.01f};
    char error[512] = "";
    View *view = open_view();
    WorldScene scene = plain_land(0, 0, black);
    ViewCamera camera = above(0, 0, 20);
    assert_true(view_set_scene(view, &scene, error, sizeof error));
    overlay_text(&view->overlay, "L", 10, 20, 4); /* a panel's border of 6, two rows above the letter */
    view_draw(view, &camera);
    view_read_color(view, picture);
    int x = 10 + 24 + 2, y = 20 + 24 + 8 + 2;
    assert_true(pixel(x, y).part[0] > 180 && pixel(x, y + 24).part[0] > 180); /* the upright */
    assert_true(pixel(x + 16, y + 24).part[0] > 180);                         /* the foot */
    assert_true(pixel(x + 16, y).part[0] < 100 && pixel(x, y + 32).part[0] < 100);
    view_destroy(view);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slopes), cmocka_unit_test(test_oblong), cmocka_unit_test(test_boxes), cmocka_unit_test(test_edges), cmocka_unit_test(test_many), cmocka_unit_test(test_contact), cmocka_unit_test(test_contact_moves), cmocka_unit_test(test_planet_and_back), cmocka_unit_test(test_field), cmocka_unit_test(test_bank),
                                       cmocka_unit_test(test_eye),    cmocka_unit_test(test_material), cmocka_unit_test(test_day), cmocka_unit_test(test_planet), cmocka_unit_test(test_lamps), cmocka_unit_test(test_lamp_shadow),
                                       cmocka_unit_test(test_sea),    cmocka_unit_test(test_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
