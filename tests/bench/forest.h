/* A forest planted by hand in C: the rival of the scatter. Built by two compilers, as the land is. */
#ifndef WORLD_TESTS_BENCH_FOREST_H
#define WORLD_TESTS_BENCH_FOREST_H

#include "tests/bench/land.h"

/* What it stands on: the island's grid, and the walkway's laid points. */
typedef struct ForestLand {
    const float *heights;
    int points;           /* a side */
    double cell, x0, z0;  /* meters */
    const double *course; /* x, z a point */
    int course_points;
} ForestLand;

typedef struct ForestTree {
    double x, y, z, turn, size, room;
    int64_t k;
    int variant;
} ForestTree;

/* Plants spots `cell` meters apart, a draw of the stream in each square; spacings shrink with the cell. Answers how many
 * stand; at most one a spot. */
typedef int64_t ForestPlant(const ForestLand *land, double cell, uint32_t seed, ForestTree *trees);
ForestPlant forest_plant, forest_plant_clang;

#endif
