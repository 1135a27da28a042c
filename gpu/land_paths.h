/* Where the land's paths run, as a picture of distances: sharp at any size, because the card blends
 * distances, not colors. */
#ifndef WORLD_GPU_LAND_PATHS_H
#define WORLD_GPU_LAND_PATHS_H

#include "runtime/base/memory.h"
#include "world/world.h"

typedef struct LandPaths {
    int columns, rows; /* texels; 0 without paths */
    double x0, z0;     /* the picture's corner, in the land's frame */
    double texel;      /* meters */
    float *distances;  /* to the nearest path's edge, meters, negative on it; at most
                          LAND_PATHS_REACH */
} LandPaths;

#define LAND_PATHS_REACH 6.0

LandPaths land_paths_build(Arena *arena, const WorldPath *paths, size_t count);

#endif
