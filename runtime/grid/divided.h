/* The triangles of a grid's divided squares (base/finer.h), for who draws or meets the ground itself: what grid_height_at answers.
 *
 * A window is a rectangle of squares. Its points are the grid's own, row by row, and behind them those of each divided tile, as far as it lies in the
 * window, row by row too. Where a tile that is not divided lies beside, points of its border are the grid's: nothing is open there.
 */
#ifndef WORLD_GRID_DIVIDED_H
#define WORLD_GRID_DIVIDED_H

#include "runtime/grid/grid.h"

typedef struct DividedWindow {
    const RtGrid *grid;
    FinerTiles tiles;
    int32_t i0, j0, i1, j1; /* squares from (i0, j0) to before (i1, j1) */
} DividedWindow;

/* A divided tile, as far as it lies in the window: points of the fine lattice. */
typedef struct DividedTile {
    int32_t column, row;
    int32_t p0, q0, p1, q1; /* first and last */
    uint32_t first;         /* number of its first point */
} DividedTile;

DividedWindow divided_window(const RtGrid *grid, int32_t i0, int32_t j0, int32_t i1, int32_t j1);
bool divided_is_square(const DividedWindow *window, int32_t i, int32_t j);
/* The tile after that one; the first after one of column -1 that is otherwise 0. False: there is none. */
bool divided_next(const DividedWindow *window, DividedTile *tile);
static inline int32_t divided_row_points(const DividedTile *tile) {
    return tile->p1 - tile->p0 + 1;
}
/* The points of row q, x, y, z each. */
void divided_points(const DividedWindow *window, const DividedTile *tile, int32_t q, float *xyz);
/* Three points' numbers a triangle, counterclockwise from above, of the fine squares from row q to the next; `corners` may be NULL. How many triangles. */
int32_t divided_triangles(const DividedWindow *window, const DividedTile *tile, int32_t q, uint32_t *corners);

/* Of the whole window, the undivided squares not among them. */
void divided_count(const DividedWindow *window, size_t *points, size_t *triangles);

#endif
