/* From a saved edit to what a window draws next, on the island: the text read again, its scene gathered, what changed uploaded.
 *
 *   bench_edit FILE [TURNS [EDIT]]        EDIT: words of one of them
 *
 * Medians, nothing is drawn. Steps in processor time of the process, which other programs hardly move; all of it by the clock, too. Each edit is of the text as it was, to another value each turn, as an author turns a number; the
 * way back is not counted.
 */
#include "gpu/view_parts.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 7, MOST_TURNS = 64, STEPS = 5 };

typedef struct Edit {
    const char *what, *from, *to; /* `to`: a format of one number */
    double first, step, goal;     /* goal: ms */
    bool broken;
} Edit;

static const Edit edits[] = {
    {"a color of a thing", ".colored((0.7, 0.09, 0.06))", ".colored((0.7, %.4f, 0.06))", 0.1, 0.01, 60, false},
    {"a color that many things read", "field iron: color = (0.045, 0.042, 0.04)", "field iron: color = (0.045, %.4f, 0.04)", 0.05, 0.001, 60, false},
    {"a rule's number", "< 0.66 { conifer", "< %.4f { conifer", 0.67, 0.001, 150, false},
    {"a density", "(0.55 + 0.45 * smooth(-0.25, 0.3", "(%.4f + 0.45 * smooth(-0.25, 0.3", 0.56, 0.001, 200, false},
    {"a point of the walkway", "(-14, 0, 424)", "(-14, 0, %.4f)", 424.1, 0.1, 300, false},
    {"a number of the land's formula", "let wx = x + 70 * fbm", "let wx = x + %.4f * fbm", 70.1, 0.1, 0, false},
    {"a text that is broken", "part ball: shapes", "part ball%.4f((( shapes", 1, 1, 30, true},
};

static double now(clockid_t clock) {
    struct timespec at;
    clock_gettime(clock, &at);
    return (double)at.tv_sec * 1e3 + (double)at.tv_nsec * 1e-6;
}

static int by_size(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_size);
    return values[count / 2];
}

static void fail(const char *why) {
    fprintf(stderr, "bench_edit: %s\n", why);
    exit(1);
}

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail(path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) fail("read");
    fclose(file);
    return text;
}

/* The text, `from` replaced by `to`, as the file. */
static void save(const char *path, const char *text, const char *from, const char *to) {
    FILE *file = fopen(path, "wb");
    const char *at = from ? strstr(text, from) : text + strlen(text);
    if (file == NULL || at == NULL) fail(from ? from : path);
    fwrite(text, 1, (size_t)(at - text), file);
    if (from) fprintf(file, "%s%s", to, at + strlen(from));
    fclose(file);
}

typedef struct Window {
    WorldEngine *engine;
    World *world;
    View *view;
    char path[64];
    const char *text;
} Window;

static void must(Window *window, WorldStatus status) {
    if (status != WORLD_OK) fail(world_diagnostics_text(window->engine, window->world, WORLD_STYLE_HUMAN));
}

/* What is saved is shown: milliseconds of reading, of the scene, of the upload, and all; by the clock. */
static void take(Window *window, bool broken, double steps[STEPS]) {
    char error[512];
    const WorldScene *scene;
    double clock = now(CLOCK_MONOTONIC), begin = now(CLOCK_PROCESS_CPUTIME_ID);
    WorldStatus status = world_reload(window->world);
    if (broken != (status != WORLD_OK)) fail(world_diagnostics_text(window->engine, window->world, WORLD_STYLE_HUMAN));
    if (broken) world_diagnostics_text(window->engine, window->world, WORLD_STYLE_HUMAN);
    double read = now(CLOCK_PROCESS_CPUTIME_ID);
    if (!broken) must(window, world_scene(window->world, &scene));
    double gathered = now(CLOCK_PROCESS_CPUTIME_ID);
    if (!broken && !view_set_scene(window->view, scene, error, sizeof error)) fail(error);
    glFinish();
    double shown = now(CLOCK_PROCESS_CPUTIME_ID);
    memcpy(steps, (double[]){read - begin, gathered - read, shown - gathered, shown - begin, now(CLOCK_MONOTONIC) - clock}, sizeof(double[STEPS]));
}

static void measure(Window *window, const Edit *edit, int turns) {
    double steps[STEPS], times[STEPS][MOST_TURNS];
    for (int i = 0; i < turns; i++) {
        char to[256];
        snprintf(to, sizeof to, edit->to, edit->first + edit->step * i);
        save(window->path, window->text, edit->from, to);
        take(window, edit->broken, steps);
        for (int k = 0; k < STEPS; k++)
            times[k][i] = steps[k];
        save(window->path, window->text, NULL, NULL);
        take(window, false, steps);
    }
    printf("  %-34s", edit->what);
    for (int k = 0; k < STEPS; k++)
        printf("%9.1f", median(times[k], turns));
    if (edit->goal > 0) printf("   <= %3.0f%s", edit->goal, times[STEPS - 2][turns / 2] > edit->goal ? "  MISSED" : "");
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc < 2) fail("FILE [TURNS [EDIT]]");
    char error[512], folder[] = "/tmp/bench-edit-XXXXXX", cache[64], command[128];
    Window window = {.text = read_text(argv[1])};
    int turns = argc > 2 ? atoi(argv[2]) : TURNS;
    if (turns < 1 || turns > MOST_TURNS || mkdtemp(folder) == NULL) fail("turns");
    snprintf(window.path, sizeof window.path, "%s/world.world", folder);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    save(window.path, window.text, NULL, NULL);
    const WorldScene *scene;
    if (world_engine_create(&(WorldEngineDesc){.cache_dir = cache}, &window.engine) != WORLD_OK) fail("no engine");
    if (world_open_file(window.engine, window.path, &(WorldDesc){0}, &window.world) != WORLD_OK) fail(world_diagnostics_text(window.engine, NULL, WORLD_STYLE_HUMAN));
    must(&window, world_scene(window.world, &scene));
    window.view = view_create(&(ViewDesc){.width = 64, .height = 64}, error, sizeof error);
    if (window.view == NULL || !view_set_scene(window.view, scene, error, sizeof error)) fail(error);
    printf("  %-34s%9s%9s%9s%9s%9s   goal, ms\n", "", "read", "scene", "upload", "all", "by clock");
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
        if (argc < 4 || strstr(edits[i].what, argv[3])) measure(&window, &edits[i], turns);
    state_rest(&window.view->state);
    view_destroy(window.view);
    world_close(window.world);
    world_engine_destroy(window.engine);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0;
}
