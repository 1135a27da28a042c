/* The C rival of bench_jit.c, in a file of its own for its compiler flags. */
#ifndef WORLD_TESTS_BENCH_BENCH_JIT_H
#define WORLD_TESTS_BENCH_BENCH_JIT_H

#include <stdint.h>

void bench_jit_land_c(int n, const double *x, const double *z, uint32_t seed, double *out);

#endif
