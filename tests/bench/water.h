/* Erosion by hand (water.c), as each compiler builds it. */
#ifndef WORLD_TESTS_BENCH_WATER_H
#define WORLD_TESTS_BENCH_WATER_H

typedef struct WaterLand {
    int n; /* squares a side */
    double *ground, *water, *load;
    float *east, *south, *share, *thick, *load_east, *load_south, *worn;
} WaterLand;

void water_step_gcc(WaterLand *land), water_step_clang(WaterLand *land);

#ifdef LAND_CLANG
#define WATER_STEP water_step_clang
#else
#define WATER_STEP water_step_gcc
#endif

#endif
