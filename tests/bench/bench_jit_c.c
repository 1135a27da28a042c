/* The program of bench_jit.c, in C. */
#include "tests/bench/bench_jit.h"

#include <math.h>

static inline double fade(double t) {
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

static inline double corner(uint32_t i, uint32_t j, uint32_t seed) {
    uint32_t h = i * 2246822519u ^ j * 3266489917u ^ seed;
    h = (h ^ h >> 15) * 668265263u;
    h ^= h >> 15;
    return (double)h * 0x1p-31 - 1.0;
}

static inline double noise(double x, double z, uint32_t seed) {
    double fx = floor(x), fz = floor(z);
    uint32_t i = (uint32_t)(int64_t)fx, j = (uint32_t)(int64_t)fz;
    double u = fade(x - fx), v = fade(z - fz);
    double a = corner(i, j, seed), b = corner(i + 1, j, seed);
    double c = corner(i, j + 1, seed), d = corner(i + 1, j + 1, seed);
    double low = a + (b - a) * u, high = c + (d - c) * u;
    return low + (high - low) * v;
}

static inline double land(double x, double z, uint32_t seed) {
    double sum = 0.0, frequency = 1.0, amplitude = 1.0;
    for (uint32_t k = 0; k < 5; k++) {
        sum += noise(x * frequency, z * frequency, seed + k) * amplitude;
        frequency *= 2.1;
        amplitude *= 0.5;
    }
    return sum < 0.0 ? -(sum * sum) : fade(sqrt(sum));
}

void bench_jit_land_c(int n, const double *x, const double *z, uint32_t seed, double *out) {
    for (int i = 0; i < n; i++)
        out[i] = land(x[i], z[i], seed);
}
