/* The sea's waves on the card: the very cells that the processor answers from (runtime/ocean), uploaded for a time. */
#ifndef WORLD_GPU_WAVES_H
#define WORLD_GPU_WAVES_H

#include "gpu/gl.h"
#include "runtime/ocean/ocean.h"
#include "world/world.h"

typedef struct Waves {
    OceanSpec spec;
    double sizes[OCEAN_TILES];
    Fft fft;
    OceanWave *waves;
    OceanCell *cells;
    float *work, *slopes; /* slopes: of a cell its slopes along x and z, its spread, and the square of the slope */
    double time;
    bool fresh; /* the maps are of `time` */
    GLuint cells_map, slope_map; /* a layer a tile; slope_map with its coarser levels */
} Waves;

/* The scene's waves, or a light breeze's. False when memory is out. `low`: their map is filtered as those of scenery.h. */
bool waves_set(Waves *waves, const WorldScene *scene, bool low);
void waves_fini(Waves *waves);
/* Works out and uploads what the sea is at a time, if it is not there yet, and binds both maps. */
void waves_use(Waves *waves, double time);

#endif
