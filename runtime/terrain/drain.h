/* Where water goes over a land: depressions filled, a way down from every square, what gathers on it.
 *
 * Levels: every depression full to its outlet, as Barnes, Lehman and Mulla, "Priority-flood" (2014), leave it. A level is the lowest of all ways' highest
 * squares, so no order of work can change it; and so a flood of basins over the passes between them finds the same (Cordonnier, Bovy and Braun, "A versatile,
 * linear complexity algorithm for flow routing in topographies with depressions", 2019; fill.c), and visits no square twice.
 *
 * Ways: of O'Callaghan and Mark (1984), to the neighbor that lies steepest down the filled land. Where nothing is lower, in lakes and on flats,
 * ways lead down to the lake's own valley and along it to the outlet (flats.c). Ties are decided by the land alone, never by which square is looked
 * at first: by heights, by how far the outlet is over level ground, then by a hash of the heights along the way, of a square's
 * surroundings, that is the same in a land mirrored, transposed or turned. So such a land has such rivers; what is left undecided is what is
 * symmetric itself.
 *
 *     codes of ways:   6 7 8      0: here it ends: in the sea, or past the border
 *                      5 . 1
 *                      4 3 2
 */
#ifndef WORLD_TERRAIN_DRAIN_H
#define WORLD_TERRAIN_DRAIN_H

#include "runtime/rt/rt.h"

typedef struct Land {
    int32_t columns, rows; /* at least 3 a side */
    double cell;           /* meters */
    const float *heights;
    bool has_sea;
    double sea; /* squares at or below it that reach the border through others are sea, where ways end */
} Land;

typedef struct Drainage {
    Land land;
    float *levels;   /* of the filled land */
    uint8_t *ways;   /* codes */
    int32_t *order;  /* all squares, each after those it takes water from */
    int64_t *area;   /* what gathers, in DRAIN_UNITs of a square's rain */
    const float *rain; /* by square; NULL: 1 */
} Drainage;

/* The greatest of the whole numbers from 0 on that floats hold all of. */
enum { DRAIN_MOST_NUMBER = 1 << 24 };
/* Of a basin or a lake as grids keep it; 0 for those past the greatest, which are the smallest. */
static inline float drain_number(int32_t number) {
    return number <= DRAIN_MOST_NUMBER ? (float)number : 0;
}

/* Sums of whole numbers are the same in any order. */
enum { DRAIN_UNIT = 1 << 12 };
/* A way along a side, one over a corner, in squares. */
#define DRAIN_CORNER 1.41421356237309504880

/* By code: columns and rows to the next square. */
extern const int8_t drain_dx[9], drain_dz[9];

static inline int32_t drain_next(const Drainage *drainage, int32_t square) {
    uint8_t way = drainage->ways[square];
    return way ? square + drain_dx[way] + drain_dz[way] * drainage->land.columns : -1;
}

/* Levels alone. */
void drain_fill(Rt *rt, const Land *land, float *levels);
/* All of it, in the working storage of rt. False: told to stop. */
bool drain_init(Rt *rt, Drainage *drainage, const Land *land, const float *rain);

/* The filled land made to fall: each square of a lake or flat at least `step` meters above the next on its way. */
void drain_lean(const Drainage *drainage, double step, float *levels);
/* The same water, shared between the two ways of Tarboton's steepest facet (1997): D-infinity. Angles are radians from +x toward +z, or -1
 * where ways end. `area` as in Drainage. */
void drain_spread(Rt *rt, const Drainage *drainage, float *angles, int64_t *area);
/* Basins by the square where they end, numbered from 1, the largest first; of equal ones the one whose end comes first. */
int32_t drain_basins(Rt *rt, const Drainage *drainage, int32_t *basins);
/* Strahler's order (1957) of the squares where at least `least` gathers; 0 elsewhere. */
void drain_strahler(const Drainage *drainage, int64_t least, uint8_t *orders);
/* A hash of the heights about a square, the same in a mirrored, transposed or turned land. */
uint32_t drain_look(const Land *land, int32_t square);

#endif
