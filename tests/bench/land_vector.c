/* The island's land by hand, as vector code: LANES points at a time with the compilers' vector
 * extensions, noise and mathematics included. The rival a world's machine code is measured against.
 * Built for AVX2 without contraction.
 *
 * exp, sine and cosine are short polynomials of about 1e-13, good enough for a land; pow(x, 1.4)
 * goes through log2 and exp2. Branches that few points take are skipped when no lane wants them.
 */
#include "tests/bench/land.h"

#ifndef LANES
#define LANES 8
#endif

typedef double V __attribute__((vector_size(8 * LANES)));
typedef int64_t M __attribute__((vector_size(8 * LANES))); /* masks, and 64-bit whole numbers */
typedef uint32_t U __attribute__((vector_size(4 * LANES)));
typedef int32_t S __attribute__((vector_size(4 * LANES)));

static inline V splat(double v) {
    return v - (V){0};
}
static inline V pick(M mask, V a, V b) {
    return (V)((mask & (M)a) | (~mask & (M)b));
}
static inline V vmin(V a, V b) {
    return pick(a < b, a, b);
}
static inline V vmax(V a, V b) {
    return pick(a > b, a, b);
}
static inline V clamp01(V v) {
    return vmin(vmax(v, splat(0)), splat(1));
}
static inline int any(M mask) {
    int64_t all = 0;
    for (int i = 0; i < LANES; i++)
        all |= mask[i];
    return all != 0;
}
static inline V vsqrt(V v) {
    V out;
    for (int i = 0; i < LANES; i++)
        out[i] = __builtin_sqrt(v[i]);
    return out;
}
static inline V vfloor(V v) {
    V out;
    for (int i = 0; i < LANES; i++)
        out[i] = __builtin_floor(v[i]);
    return out;
}
static inline V vabs(V v) {
    return (V)((M)v & INT64_MAX);
}
static inline V length2(V x, V y) {
    return vsqrt(x * x + y * y);
}
static inline V smooth(double a, double b, V x) {
    V t = clamp01((x - a) * (1 / (b - a)));
    return t * t * (3 - 2 * t);
}

/* -- mathematics -- */

static inline V exp2_of(V x) {
    V whole = vfloor(x + 0.5), f = (x - whole) * 0.6931471805599453;
    V p = splat(1.0 / 3628800);
    static const double terms[] = {1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
                                   1.0 / 24,     1.0 / 6,     0.5,        1,         1};
    for (unsigned i = 0; i < sizeof terms / sizeof *terms; i++)
        p = p * f + terms[i];
    M e = (__builtin_convertvector(vmax(whole, splat(-1000)), M) + 1023) << 52;
    return p * (V)e;
}
static inline V exp_of(V x) {
    return exp2_of(x * 1.4426950408889634);
}
/* log2 of positive normal numbers. */
static inline V log2_of(V x) {
    M bits = (M)x, e = (bits >> 52) - 1023;
    V m = (V)((bits & 0xfffffffffffff) | 0x3ff0000000000000);
    M high = m > 1.4142135623730951;
    m = pick(high, m * 0.5, m);
    e -= high;
    V t = (m - 1) / (m + 1), t2 = t * t, p = splat(1.0 / 21);
    for (int k = 19; k >= 1; k -= 2)
        p = p * t2 + 1.0 / k;
    return __builtin_convertvector(e, V) + 2 * t * p * 1.4426950408889634;
}
static inline void sincos_turns(V turns, V *s, V *c) {
    V x = (turns - vfloor(turns + 0.5)) * 6.283185307179586;
    V half = x * 0.5, t = half * half;
    V sp = splat(-1.0 / 1307674368000), cp = splat(1.0 / 20922789888000);
    static const double st[] = {
        1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6, 1};
    static const double ct[] = {-1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320,
                                -1.0 / 720,         1.0 / 24,        -0.5,           1};
    for (unsigned i = 0; i < 7; i++)
        sp = sp * t + st[i];
    for (unsigned i = 0; i < 8; i++)
        cp = cp * t + ct[i];
    V sh = half * sp, ch = cp;
    *s = 2 * sh * ch;
    *c = ch * ch - sh * sh;
}

/* -- noise -- */

static uint32_t octave_seed(uint32_t x, uint32_t y) {
    x = x * 1664525u + 1013904223u;
    y = y * 1664525u + 1013904223u;
    x += y * 1664525u;
    y += x * 1664525u;
    x ^= x >> 16;
    y ^= y >> 16;
    x += y * 1664525u;
    return x ^ x >> 16;
}
static inline void pcg3d(U *x, U *y, uint32_t seed) {
    U a = *x * 1664525u + 1013904223u, b = *y * 1664525u + 1013904223u;
    U c = (U){0} + (seed * 1664525u + 1013904223u);
    a += b * c;
    b += c * a;
    c += a * b;
    a ^= a >> 16;
    b ^= b >> 16;
    c ^= c >> 16;
    a += b * c;
    b += c * a;
    *x = a;
    *y = b;
}
static inline V to_signed(U h) {
    return __builtin_convertvector((S)(h >> 8), V) * 0x1p-23 - 1;
}
static inline V corner(U ix, U iy, uint32_t seed, V dx, V dy) {
    pcg3d(&ix, &iy, seed);
    return to_signed(ix) * dx + to_signed(iy) * dy;
}
static inline V fade(V t) {
    return t * t * t * (t * (t * 6 - 15) + 10);
}
static V gradient2(V x, V y, uint32_t seed) {
    V fx = vfloor(x), fy = vfloor(y), dx = x - fx, dy = y - fy, u = fade(dx), v = fade(dy);
    U ix = (U) __builtin_convertvector(fx, S), iy = (U) __builtin_convertvector(fy, S);
    V a = corner(ix, iy, seed, dx, dy), b = corner(ix + 1, iy, seed, dx - 1, dy);
    V c = corner(ix, iy + 1, seed, dx, dy - 1), d = corner(ix + 1, iy + 1, seed, dx - 1, dy - 1);
    return a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v;
}
static V fbm(V x, V y, uint32_t seed, int octaves) {
    V sum = splat(0);
    double amplitude = 1;
    for (int i = 0; i < octaves; i++, amplitude *= 0.5, x *= 2, y *= 2)
        sum += amplitude * gradient2(x, y, octave_seed((uint32_t)i, seed));
    return sum;
}
static V ridged(V x, V y, uint32_t seed, int octaves) {
    V sum = splat(0);
    double amplitude = 1;
    for (int i = 0; i < octaves; i++, amplitude *= 0.5, x *= 2, y *= 2) {
        V n = 1 - vabs(gradient2(x, y, octave_seed((uint32_t)i, seed)));
        sum += amplitude * n * n;
    }
    return sum;
}

/* -- the land -- */

static inline V smin(V a, V b, double k) {
    V h = clamp01(0.5 + (b - a) * (0.5 / k));
    return b + (a - b) * h - k * h * (1 - h);
}
static inline V smax(V a, V b, double k) {
    return -smin(-a, -b, k);
}
static inline V capsule(V x, V z, double ax, double az, double bx, double bz, double radius) {
    double ux = bx - ax, uz = bz - az;
    V t = clamp01(((x - ax) * ux + (z - az) * uz) * (1 / (ux * ux + uz * uz)));
    return length2(x - ax - t * ux, z - az - t * uz) - radius;
}
static V coast(V x, V z) {
    V d = length2(x, z + 40) - 640;
    d = smin(d, capsule(x, z, 420, 380, 700, 600, 75), 100);
    d = smin(d, capsule(x, z, -330, 430, -250, 720, 65), 100);
    d = smin(d, capsule(x, z, 190, 600, 130, 730, 45), 60);
    d = smax(d, -(length2(x + 60, z - 790) - 290), 80);
    d = smax(d, -(length2(x - 430, z + 470) - 100), 60);
    d = smax(d, -(length2(x + 640, z + 60) - 80), 50);
    d = smax(d, -(length2(x + 120, z + 700) - 70), 50);
    V w = 1 - smooth(70, 130, vabs(d));
    if (!any(w > 0)) return d;
    V qx = x + 40 * fbm(x / 300, z / 300, 11, 3),
      qz = z + 40 * fbm(x / 300 + 17, z / 300 - 9, 13, 3);
    return d + 22 * w * fbm(qx / 180, qz / 180, 17, 6);
}
static V raw_hill(V x, V z) {
    V wx = x + 70 * fbm(x / 300 + 3.1, z / 300 + 7.7, 21, 3),
      wz = z + 70 * fbm(x / 300 + 11.3, z / 300 + 2.2, 23, 3);
    V t = length2((wx - 30) * 0.86, wz + 230) * (1.0 / 540);
    if (!any(t < 1)) return splat(0);
    V base = vmax(1 - smooth(0, 1, t), splat(1e-300));
    V f = exp2_of(1.4 * log2_of(base)), ridge = ridged(wx / 230, wz / 230, 29, 5);
    V flank = smooth(0, 0.25, t) * (1 - smooth(0.6, 1, t));
    return pick(t < 1, f + 0.16 * f * (ridge - 0.9) * (0.35 + flank), splat(0));
}
static void phacelle2(V x, V y, V dx, V dy, uint32_t seed, V *wave_c, V *wave_s) {
    V fx = vfloor(x), fy = vfloor(y), px = x - fx, py = y - fy, c = splat(0), s = c, weights = c;
    U ix = (U) __builtin_convertvector(fx, S), iy = (U) __builtin_convertvector(fy, S);
    for (int j = -1; j <= 2; j++)
        for (int i = -1; i <= 2; i++) {
            U hx = ix + (uint32_t)i, hy = iy + (uint32_t)j;
            pcg3d(&hx, &hy, seed);
            V vx = px - i - 0.5 * to_signed(hx), vy = py - j - 0.5 * to_signed(hy), ps, pc;
            V weight = vmax(exp_of(-2 * (vx * vx + vy * vy)) - 0.01111, splat(0));
            sincos_turns(vy * dx - vx * dy, &ps, &pc);
            c += pc * weight;
            s += ps * weight;
            weights += weight;
        }
    c /= weights;
    s /= weights;
    V norm = vmax(length2(c, s), splat(0.6));
    *wave_c = c / norm;
    *wave_s = s / norm;
}
static V gullies(V x, V z, V h, V gx, V gz) {
    V height = h, steep = smooth(0.02, 0.2, h / 150) * (1 - 0.6 * smooth(0.75, 1, h / 150));
    double amplitude = 9, wavelength = 140;
    for (int octave = 0; octave < 4; octave++, amplitude *= 0.5, wavelength *= 0.5) {
        V size = length2(gx, gz), c, s;
        M on = (h > 1) & (size > 0.02);
        if (!any(on)) continue;
        V dx = gx / vmax(size, splat(1e-9)), dz = gz / vmax(size, splat(1e-9));
        phacelle2(x / wavelength, z / wavelength, dx, dz, 31u + (uint32_t)octave, &c, &s);
        V e = 1 - clamp01(size * 4), k = pick(on, amplitude * (1 - e * e) * steep, splat(0));
        height += k * (0.5 * c - 0.5);
        V turn = s * k * (0.5 * 6.283185307179586 / wavelength);
        gx -= turn * -dz;
        gz -= turn * dx;
    }
    return height;
}

static V height(V x, V z, double hill_top) {
    V s = -coast(x, z), pad = length2(x + 4, z - 338), u = -s;
    V h = pick(s < 0, -0.3 - vmin(splat(30), 0.05 * u + 0.0003 * u * u),
               -0.3 + 6.1 * smooth(0, 90, s) + 1.2 * smooth(0, 18, s));
    M land = s > 0;
    if (any(land)) {
        double k = 150 / hill_top;
        V gx = (raw_hill(x + 2, z) - raw_hill(x - 2, z)) * (k / 4),
          gz = (raw_hill(x, z + 2) - raw_hill(x, z - 2)) * (k / 4);
        V roll = 0.9 * fbm(x / 70, z / 70, 41, 4) + 0.25 * fbm(x / 26, z / 26, 43, 2);
        V more = gullies(x, z, raw_hill(x, z) * k, gx, gz) * smooth(60, 220, s);
        more += roll * (0.8 + 7.5 * smooth(46, 170, pad)) * smooth(0, 40, s);
        h += pick(land, more, splat(0));
    }
    return h + (4.6 - h) * (1 - smooth(46, 100, pad));
}

void LAND(land_vector_grid)(float *heights, int points, double cell, double hill_top) {
    double corner_at = -0.5 * (points - 1) * cell;
    for (int row = 0; row < points; row++) {
        V z = splat(corner_at + row * cell);
        for (int column = 0; column < points; column += LANES) {
            V x, h;
            for (int i = 0; i < LANES; i++)
                x[i] = corner_at + (column + i) * cell;
            h = height(x, z, hill_top);
            for (int i = 0; i < LANES && column + i < points; i++)
                heights[row * points + column + i] = (float)h[i];
        }
    }
}

/* -- the noise alone -- */

static V phacelle_wave(V x, V z) {
    V c, s;
    phacelle2(x, z, splat(0.6), splat(0.8), 31, &c, &s);
    return c;
}

#define NOISE(name, expression)                                                                    \
    static void name(const double *xs, const double *zs, double *out, int n) {                     \
        for (int i = 0; i < n; i += LANES) {                                                       \
            V x, z;                                                                                \
            __builtin_memcpy(&x, xs + i, sizeof x);                                                \
            __builtin_memcpy(&z, zs + i, sizeof z);                                                \
            V answer = expression;                                                                 \
            __builtin_memcpy(out + i, &answer, sizeof answer);                                     \
        }                                                                                          \
    }
NOISE(noise_gradient, gradient2(x, z, 7))
NOISE(noise_fbm, fbm(x, z, 17, 6))
NOISE(noise_ridged, ridged(x, z, 29, 5))
NOISE(noise_phacelle, phacelle_wave(x, z))
LandNoise *const LAND(land_noises)[LAND_NOISES] = {noise_gradient, noise_fbm, noise_ridged, noise_phacelle};
