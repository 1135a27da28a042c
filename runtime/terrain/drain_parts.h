/* What the files of drainage share. */
#ifndef WORLD_TERRAIN_DRAIN_PARTS_H
#define WORLD_TERRAIN_DRAIN_PARTS_H

#include "runtime/terrain/drain.h"

enum { END_BORDER = 1, END_SEA };

/* `ends`: 0, or why water ends in a square. */
void fill_levels(Rt *rt, const Land *land, float *levels, uint8_t *ends);
/* The ways across lakes and flats, where `ways` says WAY_FLAT. */
enum { WAY_FLAT = 9 };
void cross_flats(Rt *rt, Drainage *drainage);

/* What falls on a square. */
int64_t drain_rain(const Drainage *drainage, int64_t square);
/* Of two squares that are alike otherwise. */
bool drain_goes_before(const Land *land, int32_t a, int32_t b);

static inline bool land_is_border(const Land *land, int32_t square) {
    int32_t column = square % land->columns, row = square / land->columns;
    return column == 0 || row == 0 || column == land->columns - 1 || row == land->rows - 1;
}

/* -1: past the border. */
static inline int32_t land_next(const Land *land, int32_t square, int way) {
    int32_t column = square % land->columns + drain_dx[way], row = square / land->columns + drain_dz[way];
    return column >= 0 && row >= 0 && column < land->columns && row < land->rows ? row * land->columns + column : -1;
}

/* A square of the sea with one beside it that is none. */
static inline bool land_is_shore(const Land *land, const uint8_t *ends, int32_t square) {
    for (int way = 1; way <= 8; way++) {
        int32_t next = land_next(land, square, way);
        if (next >= 0 && ends[next] == 0) return true;
    }
    return false;
}

#endif
