/* The land's grid: baseHeight of examples/island.world over 1025 x 1025 points, before anything is
 * pressed into it, against the same formula written by hand in C. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <world/world.h>

#include "tests/bench/land.h"
#include "tests/bench/table.h"

enum { POINTS = 1025, SAMPLES = POINTS * POINTS, TURNS = 5 };
static const double cell = 2; /* meters */

/* A world on an executor of its own, asked for all samples at once. */
typedef struct Ours {
    WorldEngine *engine;
    World *world;
    WorldFunction height;
    const double *places;
    double *heights;
} Ours;

/* A rival that a compiler built. */
typedef struct Rival {
    LandGrid *grid;
    double hill_top;
    float *heights;
} Rival;

static void run_ours(void *user) {
    Ours *ours = user;
    bench_require(world_call_batch(ours->world, ours->height, SAMPLES, ours->places,
                                   ours->heights) == WORLD_OK,
                  "baseHeight over the grid");
}

static void run_rival(void *user) {
    Rival *rival = user;
    rival->grid(rival->heights, POINTS, cell, rival->hill_top);
}

static Ours open_world(const BenchPlace *place, WorldEngineDesc desc, const double *places,
                       double *heights) {
    Ours ours = {.places = places, .heights = heights};
    bench_require(world_engine_create(&desc, &ours.engine) == WORLD_OK, "an engine");
    bench_require(world_open_file(ours.engine, place->island, &(WorldDesc){0}, &ours.world) ==
                      WORLD_OK,
                  "the island");
    bench_require(world_function(ours.world, "baseHeight", "fn(point) meters", &ours.height) ==
                      WORLD_OK,
                  "baseHeight");
    return ours;
}

static void close_world(Ours *ours) {
    world_close(ours->world);
    world_engine_destroy(ours->engine);
}

static double *grid_places(void) {
    double *places = calloc(3 * (size_t)SAMPLES, sizeof *places),
           corner = -0.5 * (POINTS - 1) * cell;
    bench_require(places != NULL, "memory");
    for (int i = 0; i < SAMPLES; i++) {
        places[3 * i] = corner + i % POINTS * cell;
        places[3 * i + 2] = corner + i / POINTS * cell;
    }
    return places;
}

static double worst_difference(const double *ours, const float *rival) {
    double worst = 0;
    for (int i = 0; i < SAMPLES; i++)
        worst = fmax(worst, fabs(ours[i] - rival[i]));
    return worst;
}

enum { BEST, AVX2, FOUR, INTERPRETER, VECTOR_CLANG, VECTOR_GCC, SCALAR_CLANG, SCALAR_GCC, NATIVE_CLANG, NATIVE_GCC, SIDE_COUNT };
enum { OURS = VECTOR_CLANG, RIVALS = SIDE_COUNT - VECTOR_CLANG };

static void row(const char *what, const BenchSide *ours, const BenchSide *rival, double bound) {
    double scale = 1e9 / SAMPLES;
    bench_row(
        &(BenchRow){what, "ns", ours->seconds * scale, rival->seconds * scale, BENCH_RATIO, bound});
}

static void one_thread_rows(const BenchSide *s) {
    row("grid, against vector C for this processor, by clang 19", &s[BEST], &s[NATIVE_CLANG], 1.15);
    row("grid, against vector C for this processor, by gcc", &s[BEST], &s[NATIVE_GCC], 1.15);
    row("grid held to AVX2, against vector C for AVX2, by clang 19", &s[AVX2], &s[VECTOR_CLANG], 1.15);
    row("grid held to AVX2, against vector C for AVX2, by gcc", &s[AVX2], &s[VECTOR_GCC], 1.15);
    row("  with 4 lanes, by clang 19", &s[FOUR], &s[VECTOR_CLANG], 1.3);
    row("  with 4 lanes, by gcc", &s[FOUR], &s[VECTOR_GCC], 1.3);
    row("grid, one thread, against scalar C by clang 19", &s[BEST], &s[SCALAR_CLANG], 0.4);
    row("grid, one thread, against scalar C by gcc", &s[BEST], &s[SCALAR_GCC], 0.4);
    row("grid, interpreter against machine code", &s[INTERPRETER], &s[BEST], 2);
}

static void check_answers(const Ours *worlds, const Rival *rivals) {
    double vector = 0, scalar = 0;
    for (int i = 0; i <= INTERPRETER; i++) {
        for (int r = 0; r < RIVALS; r++) {
            bool is_scalar = r == SCALAR_CLANG - VECTOR_CLANG || r == SCALAR_GCC - VECTOR_CLANG;
            double worst = worst_difference(worlds[i].heights, rivals[r].heights);
            if (is_scalar)
                scalar = fmax(scalar, worst);
            else
                vector = fmax(vector, worst);
        }
    }
    bench_note("farthest from the vector C %.2g m, from the scalar C %.2g m", vector, scalar);
    bench_require(vector < 1e-3 && scalar < 1e-3, "the C agrees with the world");
}

static void *heights_of(size_t size) {
    void *heights = calloc(SAMPLES, size);
    bench_require(heights != NULL, "memory");
    return heights;
}

static void one_thread(const BenchPlace *place, const double *places) {
    static const WorldEngineDesc descs[] = {
        {.threads = 1},
        {.threads = 1, .processor = "x86-64-v3"},
        {.threads = 1, .processor = "x86-64-v3", .width = 4},
        {.threads = 1, .exec = WORLD_EXEC_INTERPRETER}};
    double top = land_scalar_hill_top_clang();
    Rival rivals[] = {{land_vector_grid_clang, top, NULL},
                      {land_vector_grid, top, NULL},
                      {land_scalar_grid_clang, top, NULL},
                      {land_scalar_grid, top, NULL},
                      {land_vector_grid_clang_native, top, NULL},
                      {land_vector_grid_native, top, NULL}};
    _Static_assert(sizeof rivals / sizeof *rivals == RIVALS, "a rival a side");
    Ours worlds[OURS];
    BenchSide sides[SIDE_COUNT];
    for (int i = 0; i < OURS; i++) {
        worlds[i] = open_world(place, descs[i], places, heights_of(sizeof(double)));
        sides[i] = (BenchSide){run_ours, &worlds[i], 0};
    }
    for (int i = 0; i < RIVALS; i++) {
        rivals[i].heights = heights_of(sizeof(float));
        sides[VECTOR_CLANG + i] = (BenchSide){run_rival, &rivals[i], 0};
    }
    bench_measure(sides, SIDE_COUNT, TURNS, BENCH_CPU);
    bench_note("%s", world_engine_describe(worlds[0].engine));
    check_answers(worlds, rivals);
    one_thread_rows(sides);
    for (int i = 0; i < RIVALS; i++)
        free(rivals[i].heights);
    for (int i = 0; i < OURS; i++) {
        free(worlds[i].heights);
        close_world(&worlds[i]);
    }
}

static void two_threads(const BenchPlace *place, const double *places) {
    double *heights = heights_of(sizeof(double));
    Ours worlds[2];
    BenchSide sides[2];
    for (int i = 0; i < 2; i++) {
        worlds[i] = open_world(place, (WorldEngineDesc){.threads = i + 1}, places, heights);
        sides[i] = (BenchSide){run_ours, &worlds[i], 0};
    }
    bench_measure(sides, 2, TURNS, BENCH_WALL);
    row("grid, two threads against one", &sides[1], &sides[0], 0.55);
    for (int i = 0; i < 2; i++)
        close_world(&worlds[i]);
    free(heights);
}

void bench_land(const BenchPlace *place) {
    double *places = grid_places();
    one_thread(place, places);
    two_threads(place, places);
    free(places);
}
