/* Circles on the plan, asked for overlap: a hierarchy of hash grids.
 *
 * A circle of radius r is kept on the level whose cell is the smallest power of two at least 2 r, in the cell its
 * center falls in, so a query looks at few cells of each level that is in use. Cells lie in blocks of 4 by 4, one after the
 * other, and it is blocks that are hashed: a query looks up one to four of a level and reads the rest in a row. The answer is exactly the O(n^2)
 * definition: a query circle overlaps when the distance of the centers is strictly less than the sum of the
 * radii (touching is clear), in doubles, by squares.
 *
 * Method: hierarchical spatial hashing, after Teschner et al., "Optimized Spatial Hashing for Collision Detection of
 * Deformable Objects" (VMV 2003), with levels by size as in Mirtich's HGrid; queries that would visit more cells than a level
 * has circles walk the level instead.
 */
#ifndef WORLD_SCATTER_INDEX_H
#define WORLD_SCATTER_INDEX_H

#include "runtime/base/memory.h"

enum { DISC_LEVELS = 64 };

typedef struct DiscEntry {
    double x, z, radius;   /* meters */
    int32_t next;          /* in its cell; -1 ends */
    int32_t next_in_level;
    int32_t tag;           /* the caller's */
} DiscEntry;

enum { DISC_BLOCK = 4 }; /* cells a side */

typedef struct DiscBlock {
    int64_t x, z; /* in blocks of its level */
    int32_t level;
    int32_t next; /* in its bucket; -1 ends */
    uint32_t used; /* a bit each of its cells that hold any */
    int32_t cells[DISC_BLOCK * DISC_BLOCK]; /* the newest entry of each, by rows; -1 none */
} DiscBlock;

typedef struct DiscIndex {
    Arena *arena;
    VEC(DiscEntry) entries;
    VEC(DiscBlock) blocks;
    int32_t *buckets; /* power of two; block indices, -1 empty */
    int bucket_count;
    int32_t level_head[DISC_LEVELS]; /* newest entry of each level, -1 none */
    int level_count[DISC_LEVELS];
    uint64_t levels;                  /* a bit each that has circles */
    double level_radius[DISC_LEVELS]; /* the largest radius on the level */
    int32_t likely; /* the entry that discs_overlap met last: the next circle often lies beside the one before; -1 none */
} DiscIndex;

void discs_init(DiscIndex *index, Arena *arena);
/* Radii below 0 count as 0. Coordinates must be finite. */
void discs_add(DiscIndex *index, double x, double z, double radius, int32_t tag);
/* The overlapped circle that was added first, or NULL. */
const DiscEntry *discs_first_overlap(const DiscIndex *index, double x, double z, double radius);
/* Whether any is overlapped: may end sooner than discs_first_overlap. */
bool discs_overlap(DiscIndex *index, double x, double z, double radius);

#endif
