/* SLEEF's vector mathematics, within 1 ulp (u10): the rivals of the library's own functions. Built for AVX2, four lanes, and for
 * AVX-512, eight.
 */
#ifndef WORLD_TESTS_BENCH_RIVAL_MATH_H
#define WORLD_TESTS_BENCH_RIVAL_MATH_H

/* out[i] of x[i] and y[i], for i < n, a multiple of 8. */
typedef void SleefLoop(const double *x, const double *y, double *out, int n);

typedef struct SleefRow {
    const char *name; /* of the function in math.world's words */
    SleefLoop *loop;
} SleefRow;

enum { SLEEF_ROWS = 9 };
extern const SleefRow sleef_avx2[SLEEF_ROWS], sleef_avx512[SLEEF_ROWS];

#endif
