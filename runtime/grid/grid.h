/* Height grids: heights on a square lattice, and the answers between them.
 *
 *        i    i+1  i+2    Square (i, j) is two triangles. Its diagonal goes from (i, j) to
 *     j  +----+----+      (i+1, j+1) when i + j is even, else from (i+1, j) to (i, j+1). A height
 *        | \  |  / |      between samples is that of the triangle a place is in, worked out in
 *        |  \ | /  |      double from the stored 32-bit floats: what is answered is what is drawn.
 *    j+1 +----+----+
 *
 * A place within a billionth of a cell of the border is on it, so that a border point survives the
 * rounding of a frame. Farther out the answer is `outside`. Slopes never look past the border: they
 * would see its cliff.
 *
 * Squares of some tiles are divided (base/finer.h): there the same holds of the finer squares.
 *
 * The functions of the same names in stdlib/grid/grid.world answer the same bits.
 */
#ifndef WORLD_GRID_GRID_H
#define WORLD_GRID_GRID_H

#include "runtime/base/finer.h"
#include "runtime/geometry/vec3.h"
#include "runtime/rt/rt.h"

static const double GRID_BORDER_SLACK = 1e-9; /* cells */

typedef struct GridShape {
    int64_t columns, rows;
    double cell;    /* meters */
    double x0, z0;  /* of sample (0, 0) */
    double outside; /* the answer past the border */
} GridShape;

/* The most samples of one grid here. */
int64_t grid_limit(const Rt *rt);
/* All heights 0. NULL after a fault: fewer than 2 samples a side, too many, or a cell that is no
 * length. */
RtGrid *grid_create(Rt *rt, const GridShape *shape);
/* The samples of another, all 0, none finer: where it lies on the earth, and whether it is a window of a larger land, are kept. NULL after a fault. */
RtGrid *grid_create_like(Rt *rt, const RtGrid *like, double outside);
RtGrid *grid_twin(Rt *rt, const RtGrid *grid); /* its heights are to be filled */
/* Of the samples alone, none finer, for what changes only these. NULL after a fault. */
RtGrid *grid_copy_samples(Rt *rt, const RtGrid *grid);
/* With the same heights. */
RtGrid *grid_copy(Rt *rt, const RtGrid *grid);
/* The part that begins with that sample, of the samples alone. NULL after a fault: it is not all on the grid. */
RtGrid *grid_take_window(Rt *rt, const RtGrid *grid, int64_t column, int64_t row, int64_t columns, int64_t rows);
/* A fault when the grid is a window of a larger land, for `what` ("press") looks at all of one. */
bool grid_demand_whole(Rt *rt, const RtGrid *grid, const char *what);
/* Works out every height by fn(point) meters, on all threads. False after a fault: the function's
 * own, or a height that is no number. */
bool grid_fill(Rt *rt, RtGrid *grid, const RtClosure *height);
/* A fault, that of grid_store, when a height is no number: for who wrote them past it. */
bool grid_check(Rt *rt, const RtGrid *grid);
/* Stores a height; a fault when it is no number that 32 bits can hold. */
bool grid_store(Rt *rt, RtGrid *grid, int32_t column, int32_t row, double height);

static inline double grid_x(const RtGrid *grid, int32_t column) {
    return grid->x0 + column * grid->cell;
}

static inline double grid_z(const RtGrid *grid, int32_t row) {
    return grid->z0 + row * grid->cell;
}

static inline float grid_get(const RtGrid *grid, int32_t column, int32_t row) {
    return grid->heights[(int64_t)row * grid->columns + column];
}

static inline FinerTiles grid_finer(const RtGrid *grid) {
    return finer_tiles(grid->columns, grid->rows, grid->finer, grid->heights + (int64_t)grid->columns * grid->rows);
}

/* In a square whose smallest corner is `near_row`, s and t of it from there. */
static inline double grid_square_height(const float *near_row, int64_t row, bool even, double s, double t) {
    const float *far_row = near_row + row;
    double a = (double)near_row[0], b = (double)near_row[1], c = (double)far_row[0],
           d = (double)far_row[1];
    if (even) /* a to d */
        return s >= t ? a + (b - a) * s + (d - b) * t : a + (d - c) * s + (c - a) * t;
    return s + t <= 1 ? a + (b - a) * s + (c - a) * t : d + (c - d) * (1 - s) + (b - d) * (1 - t);
}

/* On the grid or its border. */
bool grid_covers(const RtGrid *grid, double x, double z);
double grid_height_at(const RtGrid *grid, double x, double z);
/* The same of n places, x and z in a row. */
void grid_heights_at(const RtGrid *grid, int64_t n, const double *xz, double *out);

#endif
