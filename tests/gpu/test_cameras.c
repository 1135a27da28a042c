/* Twenty pictures of the island, small: what each shows is what it showed when it was looked at, block by block and with tolerance, so that it holds
 * on any driver; no pixel is black or magenta by day; a frame keeps its budget of draws and triangles.
 *
 *   test_cameras ISLAND.world GOLDEN [--bless]      GOLDEN: a line a camera, three numbers a block
 */
#include "gpu/view_parts.h"
#include "tests/gpu/skip.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 128, HEIGHT = 72, ACROSS = 8, DOWN = 4, NUMBERS = 3 * ACROSS * DOWN, MOST_DRAWS = 150, MOST_WITH_SHADOWS = 200 };
static const double mean_off = 5, one_off = 32; /* of 255 */

static const struct Shot {
    double from[3], to[3], fov; /* degrees */
} shots[] = {
    {{400, 600, 900}, {0, 20, 0}, 38},       {{-40, 30, 460}, {-10, 6, 300}, 50},     {{-30, 9, 352}, {-16, 6, 330}, 50},    {{-24, 6.6, 352}, {-16, 5.6, 331}, 48},
    {{150, 5, 860}, {-20, 40, 0}, 36},       {{-19, 7.6, 422}, {-30, 4.2, 404}, 50},  {{0, 1000, 1}, {0, 0, 0}, 60},         {{2000, 900, 12000}, {0, 50, 0}, 20},
    {{-10, 0.8, 545}, {-22, 6, 480}, 55},    {{0, 150, 60}, {0, 40, 400}, 60},        {{300, 60, 0}, {0, 60, 0}, 50},        {{-300, 60, 0}, {0, 60, 0}, 50},
    {{0, 60, -400}, {0, 80, 0}, 50},         {{-4, 5.3, 346}, {-16, 5.6, 330}, 50},   {{-16, 5.6, 345}, {-30, 4, 410}, 55},  {{60, 90, 400}, {0, 0, 280}, 45},
    {{-120, 25, 300}, {40, 30, 200}, 50},    {{500, 12, 500}, {0, 60, 0}, 40},        {{-700, 40, 700}, {0, 40, 0}, 40},     {{0, 300, 10}, {0, 299, -100}, 90},
};
enum { SHOTS = sizeof shots / sizeof *shots };

static uint8_t rgba[4 * WIDTH * HEIGHT];
static int failures;

static void complain(int shot, const char *what, double value) {
    fprintf(stderr, "camera %d: %s (%g)\n", shot + 1, what, value);
    failures++;
}

/* -- draws -- */

static int draws;
static PFNGLDRAWELEMENTSPROC real_elements;
static PFNGLDRAWARRAYSPROC real_arrays;
static PFNGLDRAWELEMENTSINSTANCEDPROC real_instanced;
static PFNGLDRAWELEMENTSINSTANCEDBASEVERTEXPROC real_based;
static PFNGLDRAWELEMENTSINDIRECTPROC real_indirect;

static void GLAD_API_PTR count_elements(GLenum mode, GLsizei n, GLenum type, const void *at) { draws++, real_elements(mode, n, type, at); }
static void GLAD_API_PTR count_arrays(GLenum mode, GLint first, GLsizei n) { draws++, real_arrays(mode, first, n); }
static void GLAD_API_PTR count_instanced(GLenum mode, GLsizei n, GLenum type, const void *at, GLsizei copies) { draws++, real_instanced(mode, n, type, at, copies); }
static void GLAD_API_PTR count_based(GLenum mode, GLsizei n, GLenum type, const void *at, GLsizei copies, GLint base) { draws++, real_based(mode, n, type, at, copies, base); }
static void GLAD_API_PTR count_indirect(GLenum mode, GLenum type, const void *at) { draws++, real_indirect(mode, type, at); }

static void count_draws(void) {
    real_elements = glad_glDrawElements, glad_glDrawElements = count_elements;
    real_arrays = glad_glDrawArrays, glad_glDrawArrays = count_arrays;
    real_instanced = glad_glDrawElementsInstanced, glad_glDrawElementsInstanced = count_instanced;
    real_based = glad_glDrawElementsInstancedBaseVertex, glad_glDrawElementsInstancedBaseVertex = count_based;
    real_indirect = glad_glDrawElementsIndirect, glad_glDrawElementsIndirect = count_indirect;
}

/* -- what is seen -- */

static void measure(double blocks[NUMBERS]) {
    for (int b = 0; b < NUMBERS; b++) {
        int block = b / 3, x0 = block % ACROSS * WIDTH / ACROSS, y0 = block / ACROSS * HEIGHT / DOWN;
        blocks[b] = 0;
        for (int y = y0; y < y0 + HEIGHT / DOWN; y++)
            for (int x = x0; x < x0 + WIDTH / ACROSS; x++)
                blocks[b] += rgba[4 * (y * WIDTH + x) + b % 3];
        blocks[b] /= WIDTH / ACROSS * (HEIGHT / DOWN);
    }
}

/* What was not drawn is black, and what is no number becomes black too. */
static void look_for_holes(int shot) {
    int black = 0, magenta = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const uint8_t *c = rgba + 4 * i;
        black += c[0] < 3 && c[1] < 3 && c[2] < 3;
        magenta += c[0] > 250 && c[1] < 5 && c[2] > 250;
    }
    if (black) complain(shot, "black pixels by day", black);
    if (magenta) complain(shot, "magenta pixels", magenta);
}

static void compare(int shot, FILE *golden, const double blocks[NUMBERS]) {
    double off = 0, most = 0, wanted;
    for (int b = 0; b < NUMBERS; b++) {
        if (fscanf(golden, "%lf", &wanted) != 1) {
            complain(shot, "the golden file is too short", b);
            return;
        }
        off += fabs(blocks[b] - wanted) / NUMBERS;
        most = fmax(most, fabs(blocks[b] - wanted));
    }
    if (off > mean_off) complain(shot, "the picture is another than it was, on average by", off);
    if (most > one_off) complain(shot, "a block of the picture is another than it was, by", most);
}

static void bless(FILE *golden, const double blocks[NUMBERS]) {
    for (int b = 0; b < NUMBERS; b++)
        fprintf(golden, b ? " %.0f" : "%.0f", blocks[b]);
    fputc('\n', golden);
}

static void shoot(View *view, int shot) {
    ViewCamera camera = {.fov = shots[shot].fov * M_PI / 180};
    memcpy(camera.from, shots[shot].from, sizeof camera.from);
    memcpy(camera.to, shots[shot].to, sizeof camera.to);
    draws = 0;
    view_draw(view, &camera); /* with its shadows */
    if (draws > MOST_WITH_SHADOWS) complain(shot, "draws of a frame that draws its shadows too", draws);
    if (draws > MOST_DRAWS) draws = 0, view_draw(view, &camera); /* they stand now */
    view_read_color(view, rgba);
    if (draws > MOST_DRAWS) complain(shot, "draws", draws);
    if (view_triangles(view) > view_most_triangles(view) * 11 / 10) complain(shot, "triangles", (double)view_triangles(view));
}

int main(int argc, char **argv) {
    char error[512] = "";
    WorldEngine *engine;
    World *world;
    const WorldScene *scene;
    bool blessed = argc == 4 && strcmp(argv[3], "--bless") == 0;
    if (argc != 3 && !blessed) return 2;
    View *view = view_create(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .validate = true, .quality = VIEW_LOW}, error, sizeof error);
    if (view == NULL) {
        fprintf(stderr, "skipped: %s\n", error);
        return 77;
    }
    if (world_engine_create(&(WorldEngineDesc){0}, &engine) != WORLD_OK || world_open_file(engine, argv[1], &(WorldDesc){0}, &world) != WORLD_OK ||
        world_scene(world, &scene) != WORLD_OK || !view_set_scene(view, scene, error, sizeof error)) {
        fprintf(stderr, "the island does not open: %s\n", error);
        return 1;
    }
    FILE *golden = fopen(argv[2], blessed ? "w" : "r");
    if (golden == NULL) return 1;
    count_draws();
    for (int shot = 0; shot < SHOTS; shot++) {
        double blocks[NUMBERS];
        shoot(view, shot);
        measure(blocks);
        look_for_holes(shot);
        if (blessed)
            bless(golden, blocks);
        else
            compare(shot, golden, blocks);
    }
    fclose(golden);
    if (view_messages(view)) complain(SHOTS - 1, "GL complains", view_messages(view));
    view_destroy(view);
    world_close(world);
    world_engine_destroy(engine);
    return failures != 0;
}
