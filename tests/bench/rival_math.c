/* Built twice: with AVX2 and with AVX-512, whose header declares what the compiler may count on. */
#include "tests/bench/rival_math.h"

#include <immintrin.h>
#include <sleef.h>

#ifdef __AVX512F__
#define OF(function, accuracy) Sleef_##function##d8_##accuracy##avx512f
#define WITH(function) _mm512_##function
#define ROWS sleef_avx512
typedef __m512d Vector;
#else
#define OF(function, accuracy) Sleef_##function##d4_##accuracy##avx2
#define WITH(function) _mm256_##function
#define ROWS sleef_avx2
typedef __m256d Vector;
#endif

#define LOOP(name, call)                                                                           \
    static void name(const double *x, const double *y, double *out, int n) {                       \
        for (int i = 0; i < n; i += (int)(sizeof(Vector) / sizeof *x)) {                           \
            Vector a = WITH(loadu_pd)(x + i), b = WITH(loadu_pd)(y + i);                           \
            (void)b;                                                                               \
            WITH(storeu_pd)(out + i, call);                                                        \
        }                                                                                          \
    }

LOOP(exp_, OF(exp, u10)(a))
LOOP(log_, OF(log, u10)(a))
LOOP(pow_, OF(pow, u10)(a, b))
LOOP(sin_, OF(sin, u10)(a))
LOOP(cos_, OF(cos, u10)(a))
LOOP(atan2_, OF(atan2, u10)(a, b))
LOOP(hypot_, OF(hypot, u05)(a, b))
LOOP(cbrt_, OF(cbrt, u10)(a))
LOOP(sqrt_, WITH(sqrt_pd)(a))

#define ROW(name) {#name, name##_}
const SleefRow ROWS[SLEEF_ROWS] = {ROW(exp), ROW(log), ROW(pow), ROW(sin), ROW(cos), ROW(atan2), ROW(hypot), ROW(cbrt), ROW(sqrt)};
