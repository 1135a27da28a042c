/* The island's land, hand-written in C: the rivals the benchmark measures the compiler against. */
#ifndef WORLD_TESTS_BENCH_LAND_H
#define WORLD_TESTS_BENCH_LAND_H

#include <stdint.h>

/* The largest raw hill over the 32 m lattice of the grid. */
double land_scalar_hill_top(void);
/* Meters, before the walkway is pressed in. */
double land_scalar_height(double x, double z, double hill_top);
/* Fills points * points samples, row by row from -z, centered on the origin. */
void land_scalar_grid(float *heights, int points, double cell, double hill_top);

/* The same as vector code: agrees with the scalar form to about a tenth of a millimeter. */
void land_vector_grid(float *heights, int points, double cell, double hill_top);

#endif
