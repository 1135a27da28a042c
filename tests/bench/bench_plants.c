/* Plants of plants.world: grown from the trunk to the leaves, once compiled, on one thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <world/world.h>

#include "tests/bench/table.h"

enum { TURNS = 9, FEW_LIMBS = 70, MANY_LIMBS = 1400, CLOUD = 100000 };

typedef struct Growing {
    World *world;
    WorldFunction function;
    int64_t argument, answer;
    bool steps; /* another argument each turn */
} Growing;

static void grow(void *user) {
    Growing *growing = user;
    bench_require(world_call(growing->world, growing->function, &growing->argument, &growing->answer) == WORLD_OK,
                  "a plant");
    growing->argument += growing->steps;
}

/* Seconds a call, once it is compiled. */
static double time_growing(World *world, const char *name, int64_t argument, bool steps, int64_t *answer) {
    Growing growing = {.world = world, .argument = argument, .steps = steps};
    bench_require(world_function(world, name, "fn(int) int", &growing.function) == WORLD_OK, name);
    for (int i = 0; i < 3; i++)
        grow(&growing);
    BenchSide side = {grow, &growing, 0};
    bench_measure(&side, 1, TURNS, BENCH_CPU);
    *answer = growing.answer;
    return side.seconds;
}

static World *open_plants(WorldEngine *engine, const BenchPlace *place) {
    World *world;
    char path[4096];
    size_t folder = strlen(place->programs) - strlen("programs.world");
    snprintf(path, sizeof path, "%.*splants.world", (int)folder, place->programs);
    bench_require(world_open_file(engine, path, &(WorldDesc){0}, &world) == WORLD_OK,
                  world_diagnostics_text(engine, NULL, WORLD_STYLE_HUMAN));
    return world;
}

static void time_row(const char *what, double seconds, double bound) {
    bench_row(&(BenchRow){what, "ms", seconds * 1e3, 0, BENCH_TIME, bound});
}

void bench_plants(const BenchPlace *place) {
    WorldEngine *engine;
    bench_require(world_engine_create(&(WorldEngineDesc){.threads = 1}, &engine) == WORLD_OK, "an engine");
    World *world = open_plants(engine, place);
    int64_t triangles, few, many;
    double maple = time_growing(world, "maple", 3, true, &triangles);
    time_row("a red maple of 11 m, trunk to leaves", maple, 25);
    bench_note("%.1f million triangles a second (the goal: 10)", (double)triangles / maple * 1e-6);
    double variants = time_growing(world, "variants", 0, true, &triangles);
    time_row("all that the island grows, on one thread", variants, 250);
    bench_note("%.1f million triangles a second", (double)triangles / variants * 1e-6);
    double small = time_growing(world, "limbed", FEW_LIMBS, false, &few),
           large = time_growing(world, "limbed", MANY_LIMBS, false, &many);
    char what[128];
    snprintf(what, sizeof what, "a stem of a tree of %lld against one of %lld", (long long)many, (long long)few);
    bench_row(&(BenchRow){what, "ns", large / (double)many * 1e9, small / (double)few * 1e9, BENCH_RATIO, 1.5});
    double colonized = time_growing(world, "colonized", CLOUD, false, &many);
    time_row("branches toward 10^5 points", colonized, 2000);
    bench_note("%lld nodes", (long long)many);
    world_close(world);
    world_engine_destroy(engine);
}
