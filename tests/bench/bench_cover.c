/* The ground's cover: what placing it costs for each million candidates, and drawing it for each thousand tufts; a
 * frame with it and without.
 *
 *   bench_cover FILE X Y Z TO_X TO_Y TO_Z        meters: the eye, and what it looks at
 */
#include "gpu/view_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 7 };

static double now(clockid_t clock) {
    struct timespec at;
    clock_gettime(clock, &at);
    return (double)at.tv_sec * 1e3 + (double)at.tv_nsec * 1e-6;
}

typedef struct Spent {
    double wall, cpu; /* milliseconds */
} Spent;

static int by_wall(const void *a, const void *b) {
    double left = ((const Spent *)a)->wall, right = ((const Spent *)b)->wall;
    return left < right ? -1 : left > right;
}

typedef enum What { PLACE, DRAW, FRAME } What;

/* The median of some rounds after one that is not counted. */
static Spent measure(View *view, const ViewCamera *camera, const CoverView *seen, What what) {
    Spent rounds[ROUNDS];
    for (int i = -1; i < ROUNDS; i++) {
        glFinish();
        double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
        if (what == DRAW) cover_draw(&view->cover, &view->state);
        if (what == PLACE) cover_place(&view->cover, &view->state, seen);
        if (what == FRAME) view_draw(view, camera);
        glFinish();
        if (i >= 0) rounds[i] = (Spent){now(CLOCK_MONOTONIC) - wall, now(CLOCK_PROCESS_CPUTIME_ID) - cpu};
    }
    qsort(rounds, ROUNDS, sizeof *rounds, by_wall);
    return rounds[ROUNDS / 2];
}

static int fail(const char *why) {
    fprintf(stderr, "bench_cover: %s\n", why);
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 8) return fail("FILE X Y Z TO_X TO_Y TO_Z");
    char error[512];
    WorldEngine *engine;
    World *world;
    const WorldScene *scene;
    ViewCamera camera = {.from = {atof(argv[2]), atof(argv[3]), atof(argv[4])}, .to = {atof(argv[5]), atof(argv[6]), atof(argv[7])}};
    if (world_engine_create(&(WorldEngineDesc){0}, &engine) != WORLD_OK) return fail("no engine");
    if (world_open_file(engine, argv[1], &(WorldDesc){0}, &world) != WORLD_OK || world_scene(world, &scene) != WORLD_OK)
        return fail(world_diagnostics_text(engine, world, WORLD_STYLE_HUMAN));
    View *view = view_create(&(ViewDesc){.width = 1280, .height = 720}, error, sizeof error);
    if (view == NULL || !view_set_scene(view, scene, error, sizeof error)) return fail(error);
    view_draw(view, &camera);
    Eye eye = eye_of(&camera, 1280, 720);
    CoverView seen = {.eye = &eye, .land = &view->land, .ground = &view->materials.items[view->materials.ground]};
    Spent placed = measure(view, &camera, &seen, PLACE);
    double candidates = (double)view->cover.candidates / 1e6, tufts = 0;
    for (int i = 0; i < view->cover.layer_count; i++)
        tufts += view->cover.layers[i].count;
    picture_begin(&view->picture, &view->state, (float[]){0, 0, 0, 1});
    Spent drawn = measure(view, &camera, &seen, DRAW);
    printf("%s; %.0f tufts, %.2f million candidates\n", (const char *)glGetString(GL_RENDERER), tufts, candidates);
    printf("placing, a million candidates       %8.2f ms by the clock, %8.2f ms of the processor\n", placed.wall / candidates, placed.cpu / candidates);
    printf("drawing, a thousand tufts           %8.2f ms by the clock, %8.2f ms of the processor\n", drawn.wall / tufts * 1e3, drawn.cpu / tufts * 1e3);
    Spent frame = measure(view, &camera, &seen, FRAME);
    view->cover.layer_count = 0;
    Spent bare = measure(view, &camera, &seen, FRAME);
    printf("a frame of 1280 x 720               %8.2f ms by the clock, %8.2f ms of the processor\n", frame.wall, frame.cpu);
    printf("a frame without cover               %8.2f ms by the clock, %8.2f ms of the processor\n", bare.wall, bare.cpu);
    state_rest(&view->state);
    view_destroy(view);
    world_close(world);
    world_engine_destroy(engine);
    return 0;
}
