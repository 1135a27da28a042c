/* How a large land with many things comes to its first frame, and what it holds then: steps, each in processor time and by the clock, and memory.
 *
 *   bench_things FILE [COUNT]...       FILE: tests/bench/things.world, or like it, with a field `many`; 0, 50 000, 100 000 and 200 000 when no count is said
 *
 * Each count in a process of its own, since memory is its highest mark (VmHWM), of which the files' pages are told apart (smaps_rollup). "data": all that is there before a first frame can
 * be drawn: world, scene and upload. Then the frame that draws shadow maps too, and one that does not.
 */
#include "gpu/view_parts.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct Moment {
    double processor, clock; /* ms */
} Moment;

static double read_clock(clockid_t clock) {
    struct timespec at;
    clock_gettime(clock, &at);
    return (double)at.tv_sec * 1e3 + (double)at.tv_nsec * 1e-6;
}

static Moment now(void) {
    return (Moment){read_clock(CLOCK_PROCESS_CPUTIME_ID), read_clock(CLOCK_MONOTONIC)};
}

static int fail(const char *why) {
    fprintf(stderr, "bench_things: %s\n", why);
    return 1;
}

/* kB of a line of a file of /proc/self; -1: there is none. */
static long read_memory(const char *file, const char *name) {
    char line[256];
    long kb = -1;
    FILE *from = fopen(file, "r");
    while (from && fgets(line, sizeof line, from))
        if (strncmp(line, name, strlen(name)) == 0) sscanf(line + strlen(name), "%ld", &kb);
    if (from) fclose(from);
    return kb;
}

static void tell(Moment *before) {
    Moment after = now();
    printf(" %6.0f %6.0f |", after.processor - before->processor, after.clock - before->clock);
    *before = after;
}

static void tell_memory(void) {
    long all = read_memory("/proc/self/smaps_rollup", "Rss:"), own = read_memory("/proc/self/smaps_rollup", "Anonymous:");
    printf(" %5ld %5ld %5ld", read_memory("/proc/self/status", "VmHWM:") / 1000, all / 1000, (all - own) / 1000);
}

static void draw(View *view, const WorldScene *scene) {
    ViewCamera camera = view_default_camera(scene);
    view_draw(view, &camera);
    glFinish();
}

static int measure(const char *path, const char *count) {
    char error[512] = "";
    WorldEngine *engine;
    World *world;
    const WorldScene *scene;
    Moment begun = now(), at = begun;
    if (world_engine_create(&(WorldEngineDesc){0}, &engine) != WORLD_OK) return fail("no engine");
    if (world_open_file(engine, path, &(WorldDesc){0}, &world) != WORLD_OK || world_set(world, "many", count) != WORLD_OK || world_build(world) != WORLD_OK)
        return fail(world_diagnostics_text(engine, world, WORLD_STYLE_HUMAN));
    printf("%7s |", count);
    tell(&at);
    if (world_scene(world, &scene) != WORLD_OK) return fail(world_diagnostics_text(engine, world, WORLD_STYLE_HUMAN));
    tell(&at);
    View *view = view_create(&(ViewDesc){.width = 1280, .height = 720}, error, sizeof error);
    if (view == NULL) return fail(error);
    tell(&at);
    if (!view_set_scene(view, scene, error, sizeof error)) return fail(error);
    glFinish();
    tell(&at);
    tell(&begun);
    tell_memory();
    printf(" |");
    begun = at = now();
    draw(view, scene);
    tell(&at);
    draw(view, scene);
    tell(&at);
    tell_memory();
    printf("  %zu things\n", view->things.count);
    state_rest(&view->state);
    view_destroy(view);
    world_close(world);
    world_engine_destroy(engine);
    return 0;
}

int main(int argc, char **argv) {
    static const char *const usual[] = {"0", "50000", "100000", "200000"};
    if (argc < 2) return fail("FILE [COUNT]...");
    int counts = argc > 2 ? argc - 2 : (int)(sizeof usual / sizeof *usual);
    printf("        |     world     |     scene     |      view     |    upload     |   all of it   |  most  now files |  first frame  |     next      |  most  now files\n");
    printf("   many | ms cpu  clock | ms cpu  clock | ms cpu  clock | ms cpu  clock | ms cpu  clock |    MB    MB   MB | ms cpu  clock | ms cpu  clock |    MB    MB   MB\n");
    for (int i = 0; i < counts; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) exit(measure(argv[1], argc > 2 ? argv[2 + i] : usual[i]));
        int status = 1;
        if (child < 0 || waitpid(child, &status, 0) < 0 || status) return fail("a count failed");
    }
    return 0;
}
