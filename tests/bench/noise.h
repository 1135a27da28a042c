/* Gradient noise by hand, a point at a time: the pieces the hand-written land and forest share. */
#ifndef WORLD_TESTS_BENCH_NOISE_H
#define WORLD_TESTS_BENCH_NOISE_H

#include <math.h>
#include <stdint.h>

static inline uint32_t pcg2d_x(uint32_t x, uint32_t y) {
    x = x * 1664525u + 1013904223u;
    y = y * 1664525u + 1013904223u;
    x += y * 1664525u;
    y += x * 1664525u;
    x ^= x >> 16;
    y ^= y >> 16;
    x += y * 1664525u;
    return x ^ x >> 16;
}

static inline void pcg3d(uint32_t v[3]) {
    for (int i = 0; i < 3; i++)
        v[i] = v[i] * 1664525u + 1013904223u;
    v[0] += v[1] * v[2];
    v[1] += v[2] * v[0];
    v[2] += v[0] * v[1];
    for (int i = 0; i < 3; i++)
        v[i] ^= v[i] >> 16;
    v[0] += v[1] * v[2];
    v[1] += v[2] * v[0];
    v[2] += v[0] * v[1];
}

static inline double to_signed(uint32_t h) {
    return (double)(h >> 8) * 0x1p-23 - 1;
}

static inline double corner(int32_t ix, int32_t iy, uint32_t seed, double dx, double dy) {
    uint32_t v[3] = {(uint32_t)ix, (uint32_t)iy, seed};
    pcg3d(v);
    return to_signed(v[0]) * dx + to_signed(v[1]) * dy;
}

static inline double fade(double t) {
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static inline double gradient2(double x, double y, uint32_t seed) {
    double fx = floor(x), fy = floor(y), dx = x - fx, dy = y - fy, u = fade(dx), v = fade(dy);
    int32_t ix = (int32_t)fx, iy = (int32_t)fy;
    double a = corner(ix, iy, seed, dx, dy), b = corner(ix + 1, iy, seed, dx - 1, dy);
    double c = corner(ix, iy + 1, seed, dx, dy - 1),
           d = corner(ix + 1, iy + 1, seed, dx - 1, dy - 1);
    return a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v;
}

static inline double fbm(double x, double y, uint32_t seed, int octaves) {
    double sum = 0, amplitude = 1;
    for (int i = 0; i < octaves; i++) {
        sum += amplitude * gradient2(x, y, pcg2d_x((uint32_t)i, seed));
        amplitude *= 0.5;
        x *= 2;
        y *= 2;
    }
    return sum;
}

static inline double clamp01(double v) {
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

static inline double smooth(double a, double b, double x) {
    double t = clamp01((x - a) / (b - a));
    return t * t * (3 - 2 * t);
}

#endif
