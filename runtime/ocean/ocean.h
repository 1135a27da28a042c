/* An ocean's surface: sums of waves whose heights follow a spectrum, on three square tiles that repeat.
 *
 * Tessendorf, "Simulating Ocean Water" (2001), for the sums; Hasselmann et al., JONSWAP (1973) and "Directional Wave Spectra" (1980) as
 * Horvath, "Empirical Directional Wave Spectra for Computer Graphics" (2015), collects them, for the heights. Every wave has the height
 * that its spectrum says, and a phase of its own from the seed; so what is measured on a tile is what the spectrum says, whatever the
 * seed. Two tiles, whose sizes have no common multiple, share the long waves, and a smaller one has the short ones.
 * The same bits on every machine; what draws the sea draws the very cells that answer.
 */
#ifndef WORLD_OCEAN_OCEAN_H
#define WORLD_OCEAN_OCEAN_H

#include "runtime/ocean/fft.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OCEAN_TILES = 3, OCEAN_LEAST = 64, OCEAN_MOST = FFT_MOST };
#define OCEAN_GRAVITY 9.81

typedef struct OceanSpec {
    double wind;   /* meters a second, 10 m up */
    double to_x, to_z; /* the way it blows, of length 1 */
    double fetch;  /* over how much water it blew, meters */
    uint32_t seed;
    int points;    /* of a tile a side: a power of two, OCEAN_LEAST to OCEAN_MOST */
} OceanSpec;

/* What a place of a tile is like; it is that of the water that lies there in still water. */
typedef struct OceanCell {
    float height, east, south; /* how far it is moved, meters */
    float spread;              /* how far the water is drawn apart, of its area; below 0: pressed together */
} OceanCell;

/* -- spectrum.c: of the waves of a sea -- */

/* Radians a second where the waves are highest. */
double ocean_peak(const OceanSpec *spec);
/* Variance of the height per radian a second (JONSWAP, no higher than a sea that has grown up). */
double ocean_density(const OceanSpec *spec, double omega);
/* The share of it that runs at an angle from the wind's way, per radian (Hasselmann), before it is made to sum up to 1. */
double ocean_share(const OceanSpec *spec, double omega, double cosine);
/* Four times the deviation of the height. */
double ocean_significant_height(const OceanSpec *spec);

/* -- ocean.c -- */

/* Whether it is a sea's: all below asks for one. What a fault left behind, or a world put together by itself, may be none. */
bool ocean_is_sound(const OceanSpec *spec);
void ocean_sizes(const OceanSpec *spec, double sizes[OCEAN_TILES]);
/* Of all tiles. */
static inline size_t ocean_cell_count(const OceanSpec *spec) {
    return (size_t)OCEAN_TILES * (size_t)spec->points * (size_t)spec->points;
}
/* Each wave as it is at time 0: its real and imaginary part. */
typedef struct OceanWave {
    float real, imaginary;
} OceanWave;
void ocean_waves(const OceanSpec *spec, OceanWave *waves);
/* Numbers that ocean_surface works with. */
static inline size_t ocean_work_count(const OceanSpec *spec) {
    return 6 * (size_t)spec->points * (size_t)spec->points;
}
/* The cells of a time, tile after tile, row by row from -z; seconds, at most a day either way. */
void ocean_surface(const OceanSpec *spec, const Fft *fft, const OceanWave *waves, double time, OceanCell *cells, float *work);

#endif
