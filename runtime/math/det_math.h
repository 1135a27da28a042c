/* Deterministic mathematics for native code: the same bits on every machine, unlike the platform's libm.
 *
 * Only + - * / and floor, in a fixed order. sin and cos are within 1.3 ulp of the true answer for arguments up to 2^20 in
 * magnitude (measured over a million), which covers every angle of a world; atan2 within 2.1 ulp.
 * What authors call (sin, atan2, ...) is the standard library's `math`, written in the language and tested against MPFR; this is its
 * small twin for frames and mesh builders.
 *
 * Method: three-part Cody-Waite reduction by pi/2 (Cody and Waite, "Software Manual for the Elementary Functions", 1980),
 * then Taylor polynomials on [-pi/4, pi/4]; atan by one halving step of the argument and a Taylor series.
 */
#ifndef WORLD_MATH_DET_MATH_H
#define WORLD_MATH_DET_MATH_H

#include <float.h>

/* Else a float would be worked out as something larger, with other bits. */
_Static_assert(FLT_EVAL_METHOD == 0, "numbers must be worked out in their own precision: on 32-bit x86 say -msse2 -mfpmath=sse");

#define DET_PI 3.14159265358979323846
#define DET_TURN 6.28318530717958647692

void det_sincos(double radians, double *sine, double *cosine);
/* The angle of (x, y) from +x toward +y, -pi..pi; 0 at the origin. */
double det_atan2(double y, double x);
/* Within 2 ulp. An argument of exp past 700 either way is taken as that; log is for positive numbers that are not subnormal. */
double det_exp(double x);
double det_log(double x);

#endif
