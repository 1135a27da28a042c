/* Land at any distance: which squares of a land are drawn, how fine each, and where its vertices lie. Plain C; the view's shaders
 * answer the same (gpu/shaders/land.glsl).
 *
 * After Strugar, "Continuous Distance-Dependent Level of Detail for Rendering Heightmaps" (2009): a tree of square tiles, each drawn from
 * one shared patch of LOD_SIDE cells a side, whose cells are twice as large at each level. A tile is divided while the eye is nearer than
 * its level's range, and ranges double with the levels; so cells look the same size at every distance. What differs from there:
 *
 *     o---o---o    A vertex moves along an edge of the triangles about it, from its own sample to one of the next level: so it never
 *     |\  |  /|    leaves the ground, and no triangle turns over, because the patch's diagonals (those of runtime/grid) make every
 *     |  \|/  |    square of four cells a fan about its middle, and the middle moves along the coarse square's own diagonal. Whole on
 *     o---o---o    its way the patch is the coarser one to the bit, with half of its triangles empty.
 *     |  /|\  |
 *     |/  |  \|    Along its border a tile's vertices are those of the coarsest tile that touches them there (`beside`), and move as
 *     o---o---o    its do. Where a vertex lies follows from its sample and that level alone, so tiles of any two levels share every
 *                  vertex of their border, and nothing can crack, however levels lie side by side.
 *
 * A land says how fine each of its places may be drawn: inside fineOver down to its grid's own cells, elsewhere to four of them. Tiles whose squares are
 * divided (base/finer.h) are drawn finer still: samples are then counted in the fine lattice, and tiles of the grid's own cells are of level `base`.
 */
#ifndef WORLD_LOD_LOD_H
#define WORLD_LOD_LOD_H

#include "runtime/base/memory.h"

enum {
    LOD_SIDE = 16,       /* cells of a tile */
    LOD_LEVELS = 16,     /* at most: a level fits four bits of LodTile.beside */
    LOD_COARSER = 2,     /* levels: outside of the outline */
    LOD_INDICES = LOD_SIDE * LOD_SIDE * 6,
    LOD_TILE_TRIANGLES = LOD_INDICES / 3,
    LOD_LEAST_REACH = 64 /* cells: with less, the way in which a vertex moves would begin before it is whole a level below */
};

/* Samples of the finest lattice, `cell` meters apart; sample (0, 0) lies at (x0, z0). */
typedef struct LodLattice {
    int columns, rows;
    double cell, x0, z0;
} LodLattice;

typedef struct LodDesc {
    int columns, rows;     /* samples of the grid */
    double cell, x0, z0;
    const float *heights;  /* row by row */
    int finer;             /* squares a side of a divided one; 0: none is */
    const float *tail;     /* as base/finer.h has it */
    const double *outline; /* corners (x, z) of what is drawn at its finest; */
    size_t corners;        /* 0: everything */
} LodDesc;

typedef struct LodLevel { /* the tiles of a level */
    int columns, rows;
    float *low, *high;    /* of their ground */
    uint8_t *finest;      /* how fine anything in them may be drawn */
} LodLevel;

typedef struct LodLand {
    LodLattice lattice; /* the fine one */
    int base; /* level of the grid's own cells; 0 when no square is divided */
    int top;  /* whose one tile is everything */
    int coarsest; /* that is drawn; of a grid the top */
    float low, high;
    LodLevel levels[LOD_LEVELS]; /* from `base` on; of a function's land nothing is known */
} LodLand;

/* The square of a land that is a function, from a place of its finest lattice on: `top` levels of tiles, all of them as fine as may be. */
LodLand lod_of_function(const LodLattice *corner, int top, int coarsest, float low, float high);
/* Everything lives in the arena; may leave through memory_fail. */
LodLand lod_build(Arena *arena, const LodDesc *desc);

typedef struct LodEye {
    double at[3];  /* in the land's frame, meters */
    double reach;  /* of level 0, meters; twice as much of each next; at least LOD_LEAST_REACH cells */
    int uniform;   /* everything at this level, or as fine as it may be: for eyes to which distance makes nothing smaller; -1: by distance */
    bool (*sees)(const void *user, const double low[3], const double high[3]); /* a box of the land; NULL: all */
    const void *user;
} LodEye;

typedef struct LodTile { /* as the card gets it */
    int32_t x, z;    /* its first sample */
    int32_t level;
    uint32_t beside; /* the level of the vertices at its corners and edges, four bits each: north-west, north, north-east, west, east, ... */
} LodTile;

/* Takes the tiles that are seen; how many, also past `most`, of which no more are written. */
int lod_choose(const LodLand *land, const LodEye *eye, LodTile *tiles, int most);

/* -- a vertex -- */

typedef struct LodVertex {
    int32_t x, z, to_x, to_z; /* from its sample to one of the next level; past the lattice's last column or row, that one is meant */
    int level;
} LodVertex;

LodVertex lod_vertex(const LodTile *tile, int u, int v);
/* How far on its way a vertex at a place is, 0 to 1. */
double lod_morph(const LodLand *land, const LodEye *eye, int level, double x, double z);
/* Meters that count as the eye's height over the land: none while it is lower than the land's highest. */
double lod_over(const LodLand *land, const LodEye *eye);
/* Of level 0: where a vertex begins to move, and where it is whole there; twice as far at each next level. */
void lod_way(const LodLand *land, const LodEye *eye, double *from, double *to);
/* The patch's triangles, of vertices v * (LOD_SIDE + 1) + u, counterclockwise from above. */
void lod_indices(uint16_t indices[LOD_INDICES]);

#endif
