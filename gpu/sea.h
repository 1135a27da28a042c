/* The sea: a surface at the scene's level that reaches the horizon, moved by its waves and calmed by the ground under it. */
#ifndef WORLD_GPU_SEA_H
#define WORLD_GPU_SEA_H

#include "gpu/frame.h"
#include "gpu/land.h"
#include "gpu/waves.h"

typedef struct Sea {
    Waves waves;
    bool low;
    GLuint vertices, indices, uniforms, shore_map;
    int columns, rings;
    int drawn_rings; /* of the rings, for the eye in hand */
    double grows;    /* each ring by the one before, as log2 */
    float shore_scale[2];
    uint64_t shore_content; /* of the land that the map is of; 0: none that is known */
} Sea;

/* A coarser mesh if it is to cost little. False when memory is out. */
bool sea_init(Sea *sea, bool low);
void sea_fini(Sea *sea);
/* False when memory is out. */
bool sea_set(Sea *sea, const WorldScene *scene, const Land *land);
/* Fills and binds what the shaders know of the sea at a time. `height`: of the picture, pixels; `level`: the sea's, meters. */
void sea_use(Sea *sea, const Eye *eye, int height, double level, double time);
/* `rest`: only where no program of the sea drew it before. */
void sea_draw(const Sea *sea, State *state, GLuint program, bool rest);
/* sea_shore.c: of a grid's samples, in blocks of `block` a side, 255 where one is under water that reaches the grid's border, and 0
 * elsewhere; each block beside such a one has 255 too. Columns and rows of blocks are grid's by block, rounded up. False when memory is out. */
bool sea_shore(const WorldGridView *grid, int block, uint8_t *out);

#endif
