/* A scatter of 10^4 to 10^6 candidates on the island's land, with the keep and the spacings of its
 * forest, against the same loop written by hand in C (forest.c). The spacings shrink with the
 * candidates' cell, so that a like share of them stands.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <world/world.h>

#include "tests/bench/forest.h"
#include "tests/bench/table.h"

enum { TURNS = 5 };

/* The land alone, and a forest. */
static const char land_ends[] = "// -- what stands on it";
static const char forest[] =
    "field crowdCell: meters = 1 m\n"
    "field crowdSeed: seed = 1\n"
    "part tree\n"
    "  field variant: int = 0\n"
    "part crowd\n"
    "  field main = randomStream(seed: crowdSeed, salt: 9)\n"
    "  field layout: List[placed] = scatter(over: land, rules: [forest])\n"
    "  field forest = rule(draws: main,\n"
    "      candidates: jitteredGrid(cell: crowdCell, x: -230 m ..< 210 m, z: 300 m ..< 520 m),\n"
    "      keep: land.height(here) > 2.6 m && land.dressed(here) && land.slope(here) < 0.42\n"
    "            && land.pathDistance(here) > 4.5 m && land.forestDensity(here) > 0.18,\n"
    "      spacing: (7 m + 6 m * (1 - land.forestDensity(here))) * (crowdCell / 6 m),\n"
    "      test: spacing / 2, room: spacing / 2 - 0.4 m * (crowdCell / 6 m),\n"
    "      place: tree(variant: below(6), size: 0.8 + 0.5 * uniform(0, 1)))\n";

typedef struct Planting {
    World *world;
    const ForestLand *land;
    ForestPlant *plant; /* NULL: the world plants */
    double cell;
    uint32_t seed; /* another each turn */
    ForestTree *trees;
    int64_t standing;
} Planting;

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    bench_require(file && text && fread(text, 1, (1 << 20) - sizeof forest, file) > 0,
                  "the island's text");
    fclose(file);
    char *end = strstr(text, land_ends);
    bench_require(end != NULL, "the end of the island's land");
    memcpy(end, forest, sizeof forest);
    return text;
}

static int64_t ask_count(World *world, const char *list) {
    WorldValue *value;
    double count[3] = {0};
    char question[64];
    snprintf(question, sizeof question, "%s.length()", list);
    bench_require(world_ask(world, question, &value) == WORLD_OK, question);
    world_value_numbers(value, count);
    world_value_destroy(value);
    return (int64_t)count[0];
}

static void set(World *world, const char *field, const char *format, double value) {
    char text[64];
    snprintf(text, sizeof text, format, value);
    bench_require(world_set(world, field, text) == WORLD_OK, field);
}

static void plant(void *user) {
    Planting *p = user;
    p->seed++;
    if (p->plant) {
        p->standing = p->plant(p->land, p->cell, p->seed, p->trees);
        return;
    }
    set(p->world, "crowdCell", "%.17g m", p->cell);
    set(p->world, "crowdSeed", "%.0f", p->seed);
    p->standing = ask_count(p->world, "crowd.layout");
}

static ForestLand land_of(World *world) {
    WorldGridView grid = {.size = sizeof grid};
    WorldValue *points;
    bench_require(world_ask(world, "land.walkway.points()", &points) == WORLD_OK,
                  "the walkway's points");
    int count = (int)world_value_count(points);
    double *course = calloc(2 * (size_t)count, sizeof *course);
    for (int i = 0; i < count; i++) {
        double at[3] = {0};
        world_value_numbers(world_value_item(points, i), at);
        course[2 * i] = at[0];
        course[2 * i + 1] = at[2];
    }
    world_value_destroy(points);
    bench_require(world_grid(world, "land.ground", &grid) == WORLD_OK, "the land's grid");
    return (ForestLand){grid.heights, grid.columns, grid.cell, grid.x0, grid.z0, course, count};
}

/* Nanoseconds a candidate, ours and the better C's, and whether they planted alike. */
static void plant_both(World *world, const ForestLand *land, double candidates, double *ours,
                       double *by_hand) {
    double cell = sqrt(440.0 * 220.0 / candidates);
    ForestTree *trees = malloc(sizeof *trees * (size_t)(candidates * 1.2));
    Planting plantings[] = {
        {.world = world, .cell = cell},
        {.land = land, .plant = forest_plant, .cell = cell, .trees = trees},
        {.land = land, .plant = forest_plant_clang, .cell = cell, .trees = trees}};
    BenchSide sides[3];
    for (int i = 0; i < 3; i++)
        sides[i] = (BenchSide){plant, &plantings[i], 0};
    bench_measure(sides, 3, TURNS, BENCH_CPU);
    double apart = fabs((double)(plantings[0].standing - plantings[1].standing));
    bench_note("%.0f candidates: %lld stand, by hand %lld", candidates,
               (long long)plantings[0].standing, (long long)plantings[1].standing);
    bench_require(apart <= 1 + 0.01 * (double)plantings[1].standing,
                  "the C plants as the world does");
    *ours = sides[0].seconds * 1e9 / candidates;
    *by_hand = fmin(sides[1].seconds, sides[2].seconds) * 1e9 / candidates;
    free(trees);
}

void bench_scatter(const BenchPlace *place) {
    WorldEngine *engine;
    World *world;
    char *text = read_text(place->island);
    double ours[3], by_hand[3];
    bench_require(world_engine_create(&(WorldEngineDesc){.threads = 1}, &engine) == WORLD_OK,
                  "an engine");
    WorldStatus status = world_open_text(engine, text, strlen(text), &(WorldDesc){0}, &world);
    bench_require(status == WORLD_OK, world_diagnostics_text(engine, NULL, WORLD_STYLE_HUMAN));
    ForestLand land = land_of(world);
    for (int i = 0; i < 3; i++)
        plant_both(world, &land, pow(10, 4 + i), &ours[i], &by_hand[i]);
    bench_row(&(BenchRow){"scatter, 10^5 candidates, each, against C with a hash grid", "ns",
                          ours[1], by_hand[1], BENCH_SPEED, 0.6});
    bench_row(&(BenchRow){"scatter, 10^4 candidates, each, against C with a hash grid", "ns",
                          ours[0], by_hand[0], BENCH_SPEED, 0.6});
    bench_row(&(BenchRow){"scatter, 10^6 candidates, each, against C with a hash grid", "ns",
                          ours[2], by_hand[2], BENCH_SPEED, 0.6});
    bench_row(&(BenchRow){"scatter, a candidate of 10^6 against one of 10^4", "ns", ours[2],
                          ours[0], BENCH_RATIO, 1.5});
    free((void *)(uintptr_t)land.course);
    world_close(world);
    world_engine_destroy(engine);
    free(text);
}
