/* Masks over a land: how far, how open to the sky, in whose shadow. Square by square, row by row from -z. */
#ifndef WORLD_TERRAIN_MASKS_H
#define WORLD_TERRAIN_MASKS_H

#include "runtime/rt/rt.h"

/* Meters from each square's middle to that of the nearest square whose mask is over one half: exact (Felzenszwalb and Huttenlocher, "Distance
 * Transforms of Sampled Functions", 2012). Infinite when there is none. */
void mask_distances(Rt *rt, int32_t columns, int32_t rows, double cell, const float *mask, float *distances);

/* The share of the sky's light that reaches each square: that of a sky as bright everywhere, over a horizon seen along sixteen lines through squares.
 * Each line is walked once, keeping the hull of what was passed, in which the horizon is found (Timonen and Westerholm 2010). */
void mask_sky(Rt *rt, int32_t columns, int32_t rows, double cell, const float *heights, float *sky);

/* How much of the sun each square sees, from 0 to 1: along the way to it, by how far the highest ground there is over the ray, or under it, against half a
 * sun's width. (to_x, to_y, to_z) is the way to the sun. */
void mask_sun(Rt *rt, int32_t columns, int32_t rows, double cell, const float *heights, double to_x, double to_y, double to_z, float *lit);

#endif
