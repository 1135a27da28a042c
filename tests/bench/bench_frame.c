/* What a frame takes: whole, without its cover, without its things, and bare of both; with the triangles of each.
 *
 *   bench_frame FILE [X Y Z TO_X TO_Y TO_Z]...        meters: eyes, and what they look at
 *
 * Medians of some frames after one that is not counted, with nothing that moves: shadow maps stand. Time of the processor, which other
 * programs hardly move.
 */
#include "gpu/view_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 3, NUMBERS = 6 };

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec * 1e3 + (double)at.tv_nsec * 1e-6;
}

static int by_size(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

static double measure(View *view, const ViewCamera *camera) {
    double rounds[ROUNDS];
    for (int i = -1; i < ROUNDS; i++) {
        glFinish();
        double before = now();
        view_draw(view, camera);
        glFinish();
        if (i >= 0) rounds[i] = now() - before;
    }
    qsort(rounds, ROUNDS, sizeof *rounds, by_size);
    return rounds[ROUNDS / 2];
}

static void measure_all(View *view, const ViewCamera *camera) {
    int layers = view->cover.layer_count;
    size_t things = view->things.count;
    double whole = measure(view, camera);
    printf("%7.0f ms  %7llu triangles (land %llu, cover %llu, things %llu)", whole, (unsigned long long)view_triangles(view), (unsigned long long)view->land.triangles,
           (unsigned long long)view->cover.triangles, (unsigned long long)view->things.triangles);
    view->cover.layer_count = 0, view->cover.triangles = 0;
    printf("; without cover %5.0f ms", measure(view, camera));
    view->things.count = 0;
    printf(", things %5.0f ms", measure(view, camera));
    view->cover.layer_count = layers, view->things.count = things;
    printf("\n");
    fflush(stdout);
}

static int fail(const char *why) {
    fprintf(stderr, "bench_frame: %s\n", why);
    return 1;
}

int main(int argc, char **argv) {
    if (argc < 2 || (argc - 2) % NUMBERS != 0) return fail("FILE [X Y Z TO_X TO_Y TO_Z]...");
    char error[512];
    WorldEngine *engine;
    World *world;
    const WorldScene *scene;
    if (world_engine_create(&(WorldEngineDesc){0}, &engine) != WORLD_OK) return fail("no engine");
    if (world_open_file(engine, argv[1], &(WorldDesc){0}, &world) != WORLD_OK || world_scene(world, &scene) != WORLD_OK)
        return fail(world_diagnostics_text(engine, world, WORLD_STYLE_HUMAN));
    View *view = view_create(&(ViewDesc){.width = 1280, .height = 720}, error, sizeof error);
    if (view == NULL || !view_set_scene(view, scene, error, sizeof error)) return fail(error);
    ViewCamera camera = view_default_camera(scene);
    measure_all(view, &camera);
    for (int k = 2; k < argc; k += NUMBERS) {
        camera = (ViewCamera){.from = {atof(argv[k]), atof(argv[k + 1]), atof(argv[k + 2])}, .to = {atof(argv[k + 3]), atof(argv[k + 4]), atof(argv[k + 5])}};
        measure_all(view, &camera);
    }
    state_rest(&view->state);
    view_destroy(view);
    world_close(world);
    world_engine_destroy(engine);
    return 0;
}
