/* The island's land, hand-written in C: the rivals the benchmark measures the compiler against, and a second opinion for
 * tests. The benchmark builds them once more with clang; those names end with _clang.
 */
#ifndef WORLD_TESTS_BENCH_LAND_H
#define WORLD_TESTS_BENCH_LAND_H

#include <stdint.h>

#if defined LAND_CLANG && defined LAND_NATIVE
#define LAND(name) name##_clang_native
#elif defined LAND_NATIVE
#define LAND(name) name##_native
#elif defined LAND_CLANG
#define LAND(name) name##_clang
#else
#define LAND(name) name
#endif

/* The largest raw hill over the 32 m lattice of the grid. */
typedef double LandHillTop(void);
/* Meters, before the walkway is pressed in. */
typedef double LandHeight(double x, double z, double hill_top);
/* Fills points * points samples, row by row from -z, centered on the origin. */
typedef void LandGrid(float *heights, int points, double cell, double hill_top);

LandHillTop land_scalar_hill_top, land_scalar_hill_top_clang;
LandHeight land_scalar_height, land_scalar_height_clang;
LandGrid land_scalar_grid, land_scalar_grid_clang;
/* The same as vector code: agrees with the scalar form to about a tenth of a millimeter. */
LandGrid land_vector_grid, land_vector_grid_clang;
/* out[i] of the place (x[i], z[i]), for i < n, a multiple of 8: gradient noise, fbm of 6 octaves, ridged of 5, phacelle waves. */
typedef void LandNoise(const double *x, const double *z, double *out, int n);
enum { LAND_NOISES = 4 };
extern LandNoise *const land_noises_clang[LAND_NOISES], *const land_noises_clang_native[LAND_NOISES], *const land_noises[LAND_NOISES], *const land_noises_native[LAND_NOISES];
/* Built for the processor that the benchmark is built on. */
LandGrid land_vector_grid_native, land_vector_grid_clang_native;

#endif
