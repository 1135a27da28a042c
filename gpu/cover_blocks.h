/* Which blocks of a kind's cells are looked at: plain C. A block holds so many cells a side; what stands in it lies inside its box. */
#ifndef WORLD_GPU_COVER_BLOCKS_H
#define WORLD_GPU_COVER_BLOCKS_H

#include "gpu/camera.h"
#include "runtime/base/memory.h"

/* The least and the greatest height of the land in squares of samples. */
typedef struct CoverHeights {
    int columns, rows; /* of squares; 0: no land */
    double side, x0, z0;
    const float *range; /* two a square */
} CoverHeights;

CoverHeights cover_heights(Arena *arena, const WorldGridView *land);
/* Over a rectangle; what lies past the land counts as its border. */
void cover_height_range(const CoverHeights *heights, double x0, double x1, double z0, double z1, double *low, double *high);

/* How far a tuft of a kind reaches from its foot, of its size, but for its width. */
double cover_reach(const WorldCoverKind *kind);
/* And how far one of the largest does, in meters; `widened` is by how much the farthest are. */
double cover_margin(const WorldCoverKind *kind, double widened);

typedef struct CoverBlock {
    int x, z; /* its first cell */
} CoverBlock;

typedef struct CoverBox {
    Vec low, high; /* in the land's frame */
} CoverBox;

/* What a ring is looked for with. */
typedef struct CoverRing {
    const WorldCoverKind *kind;
    const CoverHeights *heights;
    int side;        /* cells of a block */
    double from, to; /* meters from the eye */
    double margin;   /* as of cover_margin */
    Vec eye;         /* in the land's frame */
    const Eye *seen; /* NULL: all round */
    const Transform *to_world;
} CoverRing;

/* Cells of a block's side, for rings that end so far off. */
int cover_block_side(const WorldCoverKind *kind, double to);
CoverBox cover_box(const CoverRing *ring, CoverBlock block);
/* The blocks in which something of the ring may stand and be seen, in rows. */
int cover_list(Arena *arena, const CoverRing *ring, CoverBlock **blocks);

#endif
