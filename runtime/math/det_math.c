#include "runtime/math/det_math.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* sin(r) / r - 1 and cos(r) - 1 as polynomials in r^2, |r| <= pi/4; the first term left out is
 * below 2^-60. */
static double sin_kernel(double r) {
    double t = r * r, p = 1.0 / 355687428096000.0;
    p = p * t - 1.0 / 1307674368000.0;
    p = p * t + 1.0 / 6227020800.0;
    p = p * t - 1.0 / 39916800.0;
    p = p * t + 1.0 / 362880.0;
    p = p * t - 1.0 / 5040.0;
    p = p * t + 1.0 / 120.0;
    p = p * t - 1.0 / 6.0;
    return r + r * (t * p);
}

static double cos_kernel(double r) {
    double t = r * r, p = -1.0 / 6402373705728000.0;
    p = p * t + 1.0 / 20922789888000.0;
    p = p * t - 1.0 / 87178291200.0;
    p = p * t + 1.0 / 479001600.0;
    p = p * t - 1.0 / 3628800.0;
    p = p * t + 1.0 / 40320.0;
    p = p * t - 1.0 / 720.0;
    p = p * t + 1.0 / 24.0;
    double half = 0.5 * t, top = 1 - half;
    return top + (((1 - top) - half) + t * t * p);
}

void det_sincos(double radians, double *sine, double *cosine) {
    /* pi/2 in three parts of 33, 33 and 53 bits: whole * part is exact for whole up to 2^20. */
    const double part1 = 0x1.921fb544p+0, part2 = 0x1.0b4611a6p-34, part3 = 0x1.3198a2e037073p-69;
    double whole = floor(radians * (2 / DET_PI) + 0.5);
    double first = radians - whole * part1, second = first - whole * part2;
    double r = second - whole * part3;
    double rest =
        ((first - second) - whole * part2) + ((second - r) - whole * part3); /* what r lost */
    double quarter = whole - 4 * floor(whole * 0.25), s = sin_kernel(r), c = cos_kernel(r);
    double sine_part = s;
    s += rest * c;
    c -= rest * sine_part;
    *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
    *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}

/* atan of 0 <= t <= 1. The argument is brought below 0.2 by subtracting known angles: tan(pi/8) and
 * tan(pi/4). */
static double atan_unit(double t) {
    double base = 0;
    if (t > 0.6681786379192989) { /* tan(3 pi / 16) */
        base = 0.78539816339744831;
        t = (t - 1) / (1 + t);
    } else if (t > 0.1989123673796580) { /* tan(pi / 16) */
        const double tan8 = 0.41421356237309503;
        base = 0.39269908169872414;
        t = (t - tan8) / (1 + t * tan8);
    }
    double s = t * t, p = 1.0 / 23;
    for (int k = 21; k >= 3; k -= 2)
        p = 1.0 / k - p * s;
    return base + (t - t * (s * p));
}

double det_atan2(double y, double x) {
    double ay = fabs(y), ax = fabs(x);
    if (ax == 0 && ay == 0) return 0;
    double angle = ay <= ax ? atan_unit(ay / ax) : DET_PI / 2 - atan_unit(ax / ay);
    if (x < 0) angle = DET_PI - angle;
    return y < 0 ? -angle : angle;
}

static const double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45; /* the first has 42 bits */

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double det_exp(double x) {
    x = x < -700 ? -700 : x > 700 ? 700 : x;
    double whole = floor(x * 1.4426950408889634 + 0.5), r = (x - whole * ln2_high) - whole * ln2_low, p = 1;
    for (int k = 13; k >= 1; k--)
        p = 1 + r / k * p;
    return p * from_bits((uint64_t)(1023 + (int64_t)whole) << 52);
}

double det_log(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int64_t power = (int64_t)(bits >> 52) - 1023;
    double part = from_bits((bits & 0xfffffffffffffull) | (uint64_t)1023 << 52); /* 1 to 2 */
    if (part > 1.4142135623730951) {
        part *= 0.5;
        power++;
    }
    double s = (part - 1) / (part + 1), t = s * s, p = 0;
    for (int k = 21; k >= 3; k -= 2)
        p = 1.0 / k + p * t;
    return (double)power * ln2_high + (2 * s + (2 * s * (t * p) + (double)power * ln2_low));
}
