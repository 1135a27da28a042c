/* Scalar helpers that native code and the prelude share the meaning of: the same bits as the
 * functions of the same names in stdlib/math and stdlib/terrain.
 */
#ifndef WORLD_GEOMETRY_SCALAR_H
#define WORLD_GEOMETRY_SCALAR_H

static inline double scalar_min(double a, double b) {
    return b < a ? b : a;
}

static inline double scalar_max(double a, double b) {
    return b > a ? b : a;
}

static inline double scalar_clamp(double x, double lo, double hi) {
    return x < lo ? lo : x > hi ? hi : x;
}

static inline double scalar_lerp(double a, double b, double t) {
    return a + (b - a) * t;
}

/* 0 at `from`, 1 at `to`, smooth between; it falls when from > to, and (only here) steps when they
 * are equal. */
static inline double scalar_smoothstep(double x, double from, double to) {
    if (from == to) return x < from ? 0 : 1;
    double t = scalar_clamp((x - from) / (to - from), 0, 1);
    return t * t * (3 - 2 * t);
}

/* The smaller of two, rounded off where they differ by less than `width`. */
static inline double scalar_smooth_min(double a, double b, double width) {
    if (!(width > 0)) return scalar_min(a, b);
    double h = scalar_clamp(0.5 + 0.5 * ((b - a) / width), 0, 1);
    return scalar_lerp(b, a, h) - width * h * (1 - h);
}

#endif
