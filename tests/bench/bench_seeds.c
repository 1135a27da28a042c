/* A hundred seeds checked, by the clock, against one build: of the island, whose land the seed leaves as it is, and of a land that the seed
 * makes, where a hundred builds are a hundred.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <world/world.h>

#include "tests/bench/table.h"

enum { TURNS = 3 };

static const char island_ends[] =
    "\ncheck \"trees stand\", seeds: 0 ..< 100 { island.vegetation.layout.length() > 200 && island.vegetation.crowns.length() > 20 }\n";
static const char seeded[] =
    "field seed: seed = 1\n"
    "field land = heightGrid(cell: 2 m, points: 257, height: p => 40 m * fbm(p.x / 90 m, p.z / 90 m, seed: seed, octaves: 6))\n"
    "field highest: meters = highest(p => land.heightAt(p), every: 2 m)\n"
    "check \"a hill\", seeds: 0 ..< 100 { highest > 1 m }\n";

typedef struct Seeds {
    WorldEngine *engine;
    const char *text;
    WorldStatus (*run)(World *world);
} Seeds;

static void run(void *user) {
    const Seeds *seeds = user;
    World *world;
    WorldStatus status = world_open_text(seeds->engine, seeds->text, strlen(seeds->text), &(WorldDesc){0}, &world);
    bench_require(status == WORLD_OK, world_diagnostics_text(seeds->engine, NULL, WORLD_STYLE_HUMAN));
    status = seeds->run(world);
    bench_require(status == WORLD_OK, world_diagnostics_text(seeds->engine, world, WORLD_STYLE_HUMAN));
    world_close(world);
}

static char *read_island(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    bench_require(file && text && fread(text, 1, (1 << 20) - sizeof island_ends, file) > 0, "the island's text");
    fclose(file);
    return strcat(text, island_ends);
}

static double measure(const char *what, const char *text, int threads) {
    char row[128];
    WorldEngine *engine;
    bench_require(world_engine_create(&(WorldEngineDesc){.threads = threads}, &engine) == WORLD_OK, "an engine");
    Seeds check = {engine, text, world_check}, build = {engine, text, world_build};
    BenchSide sides[] = {{run, &check, 0}, {run, &build, 0}};
    bench_measure(sides, 2, TURNS, BENCH_WALL);
    snprintf(row, sizeof row, "100 seeds of %s, %d thread%s, against a build", what, threads, threads > 1 ? "s" : "");
    bench_row(&(BenchRow){row, "ms", sides[0].seconds * 1e3, sides[1].seconds * 1e3, threads > 1 ? BENCH_RATIO : BENCH_NO_GOAL, 60});
    world_engine_destroy(engine);
    return sides[0].seconds;
}

void bench_seeds(const BenchPlace *place) {
    char *island = read_island(place->island);
    for (int k = 0; k < 2; k++) {
        const char *what = k ? "a land that the seed makes" : "the island";
        double one = measure(what, k ? seeded : island, 1), two = measure(what, k ? seeded : island, 2);
        bench_row(&(BenchRow){k ? "  two threads against one" : "  two threads against one, the land made twice", "ms", two * 1e3, one * 1e3,
                              BENCH_NO_GOAL, 0});
    }
    free(island);
}
