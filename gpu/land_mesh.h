/* The land's triangles, chosen on the processor: which samples are drawn, and how they are joined.
 *
 * The grid is cut into blocks of four cells a side. A block is fine (every cell by the triangle
 * rule, so that what is seen is what `land.height` answers) or coarse (one cell of four times the
 * size, split by the same rule on blocks).
 *
 *     coarse | fine      Where they meet, the three samples between two coarse corners are moved
 *     +------+-+-+-      onto the coarse line, and the coarse block is cut into a fan that uses
 *     |     /o-+-+-      them too: both sides share every vertex, so nothing can crack. That bends
 *     |   /--o-+-+-      the outermost cells of the fine side; therefore a block is fine when the
 *     | /----o-+-+-      outline comes within one cell of it, and every place inside the outline
 *     +------+-+-+-      stays exact. Blocks cut short by the grid's border are always fine.
 *
 * Blocks are gathered in chunks, which are drawn or left out as a whole. A chunk so far away that
 * its cells look smaller than a pixel may be drawn whole in coarse blocks. It keeps its border as
 * it is, sample by sample, so any two chunks fit together, whichever way each is drawn.
 */
#ifndef WORLD_GPU_LAND_MESH_H
#define WORLD_GPU_LAND_MESH_H

#include "runtime/base/memory.h"
#include "world/world.h"

enum { LAND_BLOCK = 4, LAND_CHUNK_BLOCKS = 8 };

typedef struct LandChunk {
    uint32_t first, count;         /* indices */
    uint32_t far_first, far_count; /* when it is drawn coarse as a whole */
    int column, row;               /* of its first sample */
    int columns, rows;             /* cells it spans */
    float low, high;               /* of its samples, meters */
} LandChunk;

typedef struct LandMesh {
    uint32_t *indices; /* of samples, row by row; triangles, counterclockwise from above */
    size_t index_count;
    LandChunk *chunks;
    int chunk_count;
    float *heights; /* columns * rows, as drawn */
} LandMesh;

/* `outline`: corners (x, z), `corners` of them; 0 for all fine. Everything lives in `arena`. */
LandMesh land_mesh_build(Arena *arena, const WorldGridView *grid, const double *outline,
                         size_t corners);

#endif
