/* A host of eight worlds, a thread each: one engine, one text, eight seeds. Each runs as it would alone; two of one seed are the same. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <world/world.h>

enum { WORLDS = 8, TICKS = 300 };

typedef struct Run {
    WorldEngine *engine;
    const char *file;
    uint32_t seed;
    WorldStatus status;
    uint64_t hash;
} Run;

/* Nothing is locked here: a world is its thread's own, and the engine may be asked from any. */
static void *run(void *user) {
    Run *r = user;
    World *world = NULL;
    r->status = world_open_file(r->engine, r->file, &(WorldDesc){.has_seed = true, .seed = r->seed}, &world);
    for (int tick = 0; tick < TICKS && r->status == WORLD_OK; tick++)
        r->status = world_tick(world);
    if (r->status == WORLD_OK) r->status = world_state_hash(world, &r->hash);
    if (r->status != WORLD_OK) fputs(world_diagnostics_text(r->engine, world, WORLD_STYLE_HUMAN), stderr);
    if (world) world_close(world);
    return NULL;
}

int main(int argc, char **argv) {
    WorldEngine *engine;
    pthread_t threads[WORLDS];
    Run runs[WORLDS];
    int failed = 0;
    if (argc < 2 || world_engine_create(&(WorldEngineDesc){.threads = 1}, &engine) != WORLD_OK) return 2;
    for (int i = 0; i < WORLDS; i++) {
        runs[i] = (Run){.engine = engine, .file = argv[1], .seed = (uint32_t)(i / 2)};
        if (pthread_create(&threads[i], NULL, run, &runs[i]) != 0) return 2;
    }
    for (int i = 0; i < WORLDS; i++) {
        pthread_join(threads[i], NULL);
        failed |= runs[i].status != WORLD_OK || (i % 2 && runs[i].hash != runs[i - 1].hash);
        printf("seed %" PRIu32 "  %016" PRIx64 "\n", runs[i].seed, runs[i].hash);
    }
    world_engine_destroy(engine);
    return failed;
}
