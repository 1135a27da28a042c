/* The island's land by hand, scalar: what a careful C programmer would write from the same figures,
 * one point at a time. The rival of tests/bench, and an independent second opinion on
 * examples/island.world. It uses the platform's mathematics, so its answers agree with the world's
 * closely, not to the bit.
 */
#include "tests/bench/land.h"

#include <math.h>

#include "tests/bench/noise.h"

typedef struct Pair {
    double x, y;
} Pair;

static double ridged(double x, double y, uint32_t seed, int octaves) {
    double sum = 0, amplitude = 1;
    for (int i = 0; i < octaves; i++) {
        double n = 1 - fabs(gradient2(x, y, pcg2d_x((uint32_t)i, seed)));
        sum += amplitude * n * n;
        amplitude *= 0.5;
        x *= 2;
        y *= 2;
    }
    return sum;
}

static double smin(double a, double b, double k) {
    double h = clamp01(0.5 + 0.5 * (b - a) / k);
    return b + (a - b) * h - k * h * (1 - h);
}

static double smax(double a, double b, double k) {
    return -smin(-a, -b, k);
}

static double length2(double x, double y) {
    return sqrt(x * x + y * y);
}

static double capsule(double x, double z, double ax, double az, double bx, double bz,
                      double radius) {
    double ux = bx - ax, uz = bz - az;
    double t = clamp01(((x - ax) * ux + (z - az) * uz) / (ux * ux + uz * uz));
    return length2(x - ax - t * ux, z - az - t * uz) - radius;
}

static double base_coast(double x, double z) {
    double d = length2(x, z + 40) - 640;
    d = smin(d, capsule(x, z, 420, 380, 700, 600, 75), 100);
    d = smin(d, capsule(x, z, -330, 430, -250, 720, 65), 100);
    d = smin(d, capsule(x, z, 190, 600, 130, 730, 45), 60);
    d = smax(d, -(length2(x + 60, z - 790) - 290), 80);
    d = smax(d, -(length2(x - 430, z + 470) - 100), 60);
    d = smax(d, -(length2(x + 640, z + 60) - 80), 50);
    return smax(d, -(length2(x + 120, z + 700) - 70), 50);
}

static double coast(double x, double z) {
    double d = base_coast(x, z), w = 1 - smooth(70, 130, fabs(d));
    if (w <= 0) return d;
    double qx = x + 40 * fbm(x / 300, z / 300, 11, 3),
           qz = z + 40 * fbm(x / 300 + 17, z / 300 - 9, 13, 3);
    return d + 22 * w * fbm(qx / 180, qz / 180, 17, 6);
}

static double shelf(double s) {
    if (s < 0) return -0.3 - fmin(30, 0.05 * -s + 0.0003 * s * s);
    return -0.3 + (5.8 + 0.3) * smooth(0, 90, s) + 1.2 * smooth(0, 18, s);
}

static double raw_hill(double x, double z) {
    double wx = x + 70 * fbm(x / 300 + 3.1, z / 300 + 7.7, 21, 3);
    double wz = z + 70 * fbm(x / 300 + 11.3, z / 300 + 2.2, 23, 3);
    double t = length2((wx - 30) * 0.86, wz + 230) / 540;
    if (t >= 1) return 0;
    double f = pow(1 - smooth(0, 1, t), 1.4), ridge = ridged(wx / 230, wz / 230, 29, 5);
    double flank = smooth(0, 0.25, t) * (1 - smooth(0.6, 1, t));
    return f + 0.16 * f * (ridge - 0.9) * (0.35 + flank);
}

/* The averaged wave at (x, y), running along the unit vector (dx, dy); *side is its phase's
 * gradient. */
static Pair phacelle2(double x, double y, double dx, double dy, double normalization, uint32_t seed,
                      Pair *side) {
    const double turn = 6.283185307179586;
    double fx = floor(x), fy = floor(y), px = x - fx, py = y - fy, c = 0, s = 0, weights = 0;
    *side = (Pair){-dy * turn, dx * turn};
    for (int j = -1; j <= 2; j++) {
        for (int i = -1; i <= 2; i++) {
            uint32_t v[3] = {(uint32_t)((int32_t)fx + i), (uint32_t)((int32_t)fy + j), seed};
            pcg3d(v);
            double vx = px - i - 0.5 * to_signed(v[0]), vy = py - j - 0.5 * to_signed(v[1]);
            double weight = fmax(0, exp(-2 * (vx * vx + vy * vy)) - 0.01111);
            double phase = vx * side->x + vy * side->y;
            c += cos(phase) * weight;
            s += sin(phase) * weight;
            weights += weight;
        }
    }
    c /= weights;
    s /= weights;
    double norm = fmax(length2(c, s), 1 - normalization);
    return (Pair){c / norm, s / norm};
}

static double gullies(double x, double z, double h, Pair slope) {
    double height = h, amplitude = 9, wavelength = 140;
    if (h <= 1) return h;
    double steep = smooth(0.02, 0.2, h / 150) * (1 - 0.6 * smooth(0.75, 1, h / 150));
    for (int octave = 0; octave < 4; octave++, amplitude *= 0.5, wavelength *= 0.5) {
        double size = length2(slope.x, slope.y);
        if (size <= 0.02) continue;
        Pair side, wave = phacelle2(x / wavelength, z / wavelength, slope.x / size, slope.y / size,
                                    0.4, 31u + (uint32_t)octave, &side);
        double e = 1 - clamp01(size / 0.25), k = amplitude * (1 - e * e) * steep;
        height += k * (0.5 * wave.x - 0.5);
        slope.x -= wave.y * side.x / wavelength * k * 0.5;
        slope.y -= wave.y * side.y / wavelength * k * 0.5;
    }
    return height;
}

double LAND(land_scalar_hill_top)(void) {
    double top = -INFINITY;
    for (int j = 0; j <= 64; j++)
        for (int i = 0; i <= 64; i++)
            top = fmax(top, raw_hill(-1024 + 32 * i, -1024 + 32 * j));
    return top;
}

double LAND(land_scalar_height)(double x, double z, double hill_top) {
    double s = -coast(x, z), h = shelf(s), pad = length2(x + 4, z - 338), k = 150 / hill_top;
    if (s > 0) {
        Pair slope = {(raw_hill(x + 2, z) - raw_hill(x - 2, z)) * k / 4,
                      (raw_hill(x, z + 2) - raw_hill(x, z - 2)) * k / 4};
        double roll = 0.9 * fbm(x / 70, z / 70, 41, 4) + 0.25 * fbm(x / 26, z / 26, 43, 2);
        h += gullies(x, z, raw_hill(x, z) * k, slope) * smooth(60, 220, s);
        h += roll * (0.8 + 7.5 * smooth(46, 170, pad)) * smooth(0, 40, s);
    }
    return h + (4.6 - h) * (1 - smooth(46, 100, pad));
}

void LAND(land_scalar_grid)(float *heights, int points, double cell, double hill_top) {
    double corner_at = -0.5 * (points - 1) * cell;
    for (int row = 0; row < points; row++)
        for (int column = 0; column < points; column++)
            heights[row * points + column] = (float)LAND(land_scalar_height)(
                corner_at + column * cell, corner_at + row * cell, hill_top);
}
