#include "runtime/ocean/ocean.h"

#include "runtime/math/det_math.h"
#include "runtime/math/pcg.h"

#include <math.h>
#include <string.h>

bool ocean_is_sound(const OceanSpec *spec) {
    return spec->wind > 0 && spec->fetch > 0 && spec->points >= OCEAN_LEAST && spec->points <= OCEAN_MOST &&
           (spec->points & (spec->points - 1)) == 0;
}

static const double largest = 13.1;              /* of the highest waves' length */
static const double golden = 1.618033988749895;  /* sizes of its powers share no multiple */
static const double share_kept = 0.42, most_kept = 0.9; /* of a tile's shortest waves: which the large tiles, and the small one, leave out */
static const double choppiness = 1;              /* 1: places go round as Gerstner has them */

void ocean_sizes(const OceanSpec *spec, double sizes[OCEAN_TILES]) {
    double peak = ocean_peak(spec);
    sizes[0] = largest * DET_TURN * OCEAN_GRAVITY / (peak * peak);
    sizes[1] = sizes[0] / golden;
    sizes[2] = sizes[0] / (golden * golden * golden);
}

/* The wave numbers that a tile has. */
typedef struct Band {
    double size, from, to, variance;
} Band;

static double omega_of(double number) {
    return sqrt(OCEAN_GRAVITY * number);
}

static double variance_of(const OceanSpec *spec, double from, double to) {
    enum { STEPS = 1000 };
    double sum = 0;
    for (int i = 0; i < STEPS; i++)
        sum += ocean_density(spec, from + (to - from) * (i + 0.5) / STEPS);
    return sum * (to - from) / STEPS;
}

/* Waves too short for any tile are counted to the smallest. */
static Band band_of(const OceanSpec *spec, int tile) {
    double sizes[OCEAN_TILES];
    ocean_sizes(spec, sizes);
    double cut = share_kept * DET_PI * spec->points / sizes[0], peak = ocean_peak(spec), middle = omega_of(cut);
    if (tile < 2) return (Band){sizes[tile], 0, cut, variance_of(spec, 0.4 * peak, middle) / 2};
    return (Band){sizes[2], cut, most_kept * DET_PI * spec->points / sizes[2], variance_of(spec, middle, 12 * peak)};
}

static int frequency(const OceanSpec *spec, int index) {
    return index < spec->points / 2 ? index : index - spec->points;
}

/* What the shares of all ways sum up to, at frequencies whose logarithms are equally far apart. */
enum { SHARES = 96, WAYS = 96 };
typedef struct Spread {
    double low, step; /* of logarithms */
    double sums[SHARES];
} Spread;

static void fill_spread(const OceanSpec *spec, const Band *band, Spread *spread) {
    double least = omega_of(fmax(band->from, DET_TURN / band->size)) * 0.99, most = omega_of(band->to) * 1.01;
    spread->low = det_log(least);
    spread->step = (det_log(most) - spread->low) / (SHARES - 1);
    for (int i = 0; i < SHARES; i++) {
        spread->sums[i] = 0;
        for (int way = 0; way < WAYS; way++) {
            double sine, cosine;
            det_sincos(DET_TURN * way / WAYS, &sine, &cosine);
            spread->sums[i] += ocean_share(spec, det_exp(spread->low + i * spread->step), cosine) * DET_TURN / WAYS;
        }
    }
}

static double spread_at(const Spread *spread, double omega) {
    double at = (det_log(omega) - spread->low) / spread->step;
    int i = at < 0 ? 0 : at > SHARES - 2 ? SHARES - 2 : (int)at;
    return spread->sums[i] + (spread->sums[i + 1] - spread->sums[i]) * (at - i);
}

/* The square of a wave's height, on the plane of wave numbers. */
static double strength(const OceanSpec *spec, const Band *band, const Spread *spread, double kx, double kz) {
    double number = sqrt(kx * kx + kz * kz);
    if (!(number > band->from && number <= band->to)) return 0;
    double omega = omega_of(number), cosine = (kx * spec->to_x + kz * spec->to_z) / number;
    return ocean_density(spec, omega) * ocean_share(spec, omega, cosine) / spread_at(spread, omega) * OCEAN_GRAVITY /
           (2 * omega * number);
}

/* Of a wave, 32 random bits. */
static uint32_t bits_of(const OceanSpec *spec, int tile, int x, int z) {
    return pcg_hash(pcg_hash(pcg_hash(pcg_hash(spec->seed ^ (uint32_t)tile) ^ (uint32_t)x) ^ (uint32_t)z) ^ 17);
}

static void tile_waves(const OceanSpec *spec, int tile, OceanWave *waves) {
    Spread spread;
    Band band = band_of(spec, tile);
    fill_spread(spec, &band, &spread);
    double sum = 0, unit = DET_TURN / band.size;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < spec->points; j++)
            for (int i = 0; i < spec->points; i++) {
                int x = frequency(spec, i), z = frequency(spec, j);
                OceanWave *wave = &waves[j * spec->points + i];
                if (pass == 0) {
                    double square = strength(spec, &band, &spread, x * unit, z * unit);
                    *wave = (OceanWave){(float)sqrt(square), 0};
                    sum += square;
                    continue;
                }
                double sine, cosine, size = (double)wave->real * sqrt(sum > 0 ? band.variance / (2 * sum) : 0);
                det_sincos(DET_TURN * ((double)bits_of(spec, tile, x, z) * 0x1p-32), &sine, &cosine);
                *wave = (OceanWave){(float)(size * cosine), (float)(size * sine)};
            }
}

void ocean_waves(const OceanSpec *spec, OceanWave *waves) {
    for (int tile = 0; tile < OCEAN_TILES; tile++)
        tile_waves(spec, tile, waves + (size_t)tile * (size_t)spec->points * (size_t)spec->points);
}

/* -- a time -- */

/* The sums' terms at a time. Of two real fields one is the real part and one the imaginary: height and east, south and spread. */
typedef struct Terms {
    float *part[4];
    double kx, kz, number;
} Terms;

static void put_term(const Terms *t, int at, double way, double re, double im) {
    double first = 1 - choppiness * way * t->kx / t->number, second = choppiness * (way * t->kz / t->number - t->number);
    t->part[0][at] = (float)(re * first);
    t->part[1][at] = (float)(im * first);
    t->part[2][at] = (float)(-im * second);
    t->part[3][at] = (float)(re * second);
}

/* A wave and the one that runs against it are one term, and its mirror's conjugate. */
static void fill_terms(const OceanSpec *spec, const OceanWave *waves, double size, double time, Terms *t) {
    int points = spec->points;
    double unit = DET_TURN / size;
    for (int part = 0; part < 4; part++)
        memset(t->part[part], 0, sizeof(float) * (size_t)points * (size_t)points);
    for (int j = 0; j < points; j++)
        for (int i = 0; i < points; i++) {
            int at = j * points + i, opposite = (points - j) % points * points + (points - i) % points;
            OceanWave a = waves[at], b = waves[opposite];
            if (opposite <= at || (a.real == 0 && a.imaginary == 0 && b.real == 0 && b.imaginary == 0)) continue;
            t->kx = frequency(spec, i) * unit;
            t->kz = frequency(spec, j) * unit;
            t->number = sqrt(t->kx * t->kx + t->kz * t->kz);
            double sine, cosine, turns = omega_of(t->number) * time / DET_TURN;
            det_sincos(DET_TURN * (turns - floor(turns)), &sine, &cosine);
            double re = ((double)a.real + (double)b.real) * cosine + ((double)a.imaginary + (double)b.imaginary) * sine;
            double im = ((double)a.imaginary - (double)b.imaginary) * cosine - ((double)a.real - (double)b.real) * sine;
            put_term(t, at, 1, re, im);
            put_term(t, opposite, -1, re, -im);
        }
}

void ocean_surface(const OceanSpec *spec, const Fft *fft, const OceanWave *waves, double time, OceanCell *cells, float *work) {
    double sizes[OCEAN_TILES];
    size_t count = (size_t)spec->points * (size_t)spec->points;
    Terms terms = {.part = {work, work + count, work + 2 * count, work + 3 * count}};
    float *const *parts = terms.part;
    ocean_sizes(spec, sizes);
    for (int tile = 0; tile < OCEAN_TILES; tile++, waves += count, cells += count) {
        fill_terms(spec, waves, sizes[tile], time, &terms);
        fft_square(fft, parts[0], parts[1], work + 4 * count, work + 5 * count);
        fft_square(fft, parts[2], parts[3], work + 4 * count, work + 5 * count);
        for (size_t k = 0; k < count; k++)
            cells[k] = (OceanCell){parts[0][k], parts[1][k], parts[2][k], parts[3][k]};
    }
}
