/* What the ground's shading needs to know of every sample, worked out once when a land is uploaded. */
#ifndef WORLD_GPU_LAND_LOOK_H
#define WORLD_GPU_LAND_LOOK_H

#include "runtime/rt/pool.h"
#include "world/world.h"

/* On all cores. Leaves through memory_fail. */
RtPool *land_look_pool(Memory *memory);
/* Writes a word of three times ten bits for every `step`th sample of rows `step` * first on, `count` of them: the x and z of the way the
 * ground faces (from the heights 4 m either side, so that the grid's own corners do not show in the light; 511 is 0, 1022 is 1), and the
 * share of the sky that the sample sees. */
void land_look_rows(RtPool *pool, const WorldGridView *grid, int step, int first, int count, uint32_t *look);

#endif
