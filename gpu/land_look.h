/* What the ground's shading needs to know of every sample, worked out once when a land is uploaded.
 */
#ifndef WORLD_GPU_LAND_LOOK_H
#define WORLD_GPU_LAND_LOOK_H

#include "world/world.h"

/* Writes 4 floats a sample: gradient x and z (rise over run, from the heights 4 m either side, so
 * that the grid's own corners do not show in the light), hollow (curvature over 9 m, per meter,
 * positive in a hollow), and the share of the sky that the sample sees. */
void land_look_build(const WorldGridView *grid, float *look);

#endif
