/* What parts of a scene hold, as numbers: of what was given before nothing is given to the card again. By what lies in them, not by
 * where, so that it does not matter who made the scene or how. Each is other than 0.
 */
#ifndef WORLD_GPU_CONTENT_H
#define WORLD_GPU_CONTENT_H

#include "world/world.h"

/* With its coarser ones; the number of its material left out. */
uint64_t content_of_mesh(const WorldMesh *mesh);
/* The grid, and where it is seen finely. */
uint64_t content_of_land(const WorldScene *scene);
uint64_t content_of_materials(const WorldScene *scene);
/* Beside the land and the materials. */
uint64_t content_of_cover(const WorldCover *cover);

#endif
