/* What the files of drainage share. */
#ifndef WORLD_TERRAIN_DRAIN_PARTS_H
#define WORLD_TERRAIN_DRAIN_PARTS_H

#include "runtime/base/watch.h"
#include "runtime/terrain/drain.h"

/* For loops over all squares, whose k-th takes so many steps: looks whether to end. */
static inline void drain_watch(int64_t k, int64_t steps) {
    enum { APART = 1 << 14 };
    if (k % APART == 0) watch_work(APART * steps);
}

/* Of a square whose way is across a lake or a flat, until that is found. */
enum { WAY_FLAT = 9 };

/* Which squares water ends in: 1, of others 0. */
void find_ends(Rt *rt, const Land *land, uint8_t *ends);
/* In their place the ways over bare ground, and WAY_FLAT where none goes down. */
void choose_ways(Rt *rt, const Land *land, uint8_t *ways);
/* By these the levels of the filled land, and which squares they are over. */
void fill_levels(Rt *rt, const Land *land, const uint8_t *ways, float *levels, uint8_t *raised);
/* The ways over the filled land. */
void mend_ways(Rt *rt, const Land *land, const float *levels, const uint8_t *raised, uint8_t *ways);
/* The ways across lakes and flats. */
void cross_flats(Rt *rt, Drainage *drainage);

/* What falls on a square. */
int64_t drain_rain(const Drainage *drainage, int64_t square);
/* Of two squares that are alike otherwise. */
bool drain_goes_before(const Land *land, int32_t a, int32_t b);

/* -1: past the border. */
static inline int32_t land_next(const Land *land, int32_t square, int way) {
    int32_t column = square % land->columns + drain_dx[way], row = square / land->columns + drain_dz[way];
    return column >= 0 && row >= 0 && column < land->columns && row < land->rows ? row * land->columns + column : -1;
}

#endif
