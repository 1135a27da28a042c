/* Draws the test island to a file: picture OUT.png [fromx fromy fromz tox toy toz [fov degrees]].
 * To look at. */
#include "gpu/view.h"
#include "runtime/export/png.h"
#include "tests/gpu/island.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double argument(char **argv, int argc, int index, double otherwise) {
    return index < argc ? atof(argv[index]) : otherwise;
}

int main(int argc, char **argv) {
    char error[512];
    Memory memory;
    Arena arena;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    WorldScene scene = island_scene(&arena, 1025, 2, 9000);
    ViewDesc desc = {.width = 1280, .height = 720, .validate = true};
    double begin = seconds();
    View *view = view_create(&desc, error, sizeof error);
    if (!view || argc < 2) {
        fprintf(stderr, "%s\n", view ? "picture OUT.png [from to]" : error);
        return 1;
    }
    double created = seconds();
    if (!view_set_scene(view, &scene, error, sizeof error)) return 1;
    double loaded = seconds();
    ViewCamera camera = view_default_camera(&scene);
    for (int i = 0; i < 3; i++) {
        camera.from[i] = argument(argv, argc, 2 + i, camera.from[i]);
        camera.to[i] = argument(argv, argc, 5 + i, camera.to[i]);
    }
    if (argc > 8) camera.fov = atof(argv[8]) * M_PI / 180;
    uint8_t *rgba = malloc((size_t)desc.width * (size_t)desc.height * 4);
    view_draw(view, &camera);
    view_read_color(view, rgba);
    double first = seconds();
    view_draw(view, &camera);
    view_read_color(view, rgba);
    double second = seconds();
    bool written = png_write_rgba(argv[1], desc.width, desc.height, rgba, error, sizeof error);
    printf("create %.0f ms, upload %.0f ms, first frame %.0f ms, next frame %.0f ms, %d messages\n",
           (created - begin) * 1e3, (loaded - created) * 1e3, (first - loaded) * 1e3,
           (second - first) * 1e3, view_messages(view));
    view_destroy(view);
    free(rgba);
    arena_fini(&arena);
    return written ? 0 : 1;
}
