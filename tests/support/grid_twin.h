/* Slopes of a height grid in C: the twin that the standard library's, written in the language, are held against to the bit.
 * Definitions: stdlib/grid/grid.world. */
#ifndef WORLD_TESTS_GRID_TWIN_H
#define WORLD_TESTS_GRID_TWIN_H

#include <math.h>

#include "runtime/grid/grid.h"

static inline double twin_end_x(const RtGrid *grid) {
    return grid->x0 + (grid->columns - 1) * grid->cell;
}

static inline double twin_end_z(const RtGrid *grid) {
    return grid->z0 + (grid->rows - 1) * grid->cell;
}

static inline bool twin_on_axis(double u, int32_t samples) {
    return u >= -1e-9 && u <= samples - 1 + 1e-9;
}

static inline bool twin_contains(const RtGrid *grid, double x, double z) {
    return twin_on_axis((x - grid->x0) / grid->cell, grid->columns) &&
           twin_on_axis((z - grid->z0) / grid->cell, grid->rows);
}

static inline double twin_clamp(double value, double lo, double hi) {
    return value < lo ? lo : value > hi ? hi : value;
}

/* Rise over run, uphill, from the heights `reach` either side; at the border from the part that is on the grid; level
 * past it. y is 0. */
static inline Vec3 twin_gradient(const RtGrid *grid, double x, double z, double reach) {
    if (!twin_contains(grid, x, z)) return (Vec3){0, 0, 0};
    double west = twin_clamp(x - reach, grid->x0, twin_end_x(grid));
    double east = twin_clamp(x + reach, grid->x0, twin_end_x(grid));
    double north = twin_clamp(z - reach, grid->z0, twin_end_z(grid));
    double south = twin_clamp(z + reach, grid->z0, twin_end_z(grid));
    double rise_x = grid_height_at(grid, east, z) - grid_height_at(grid, west, z);
    double rise_z = grid_height_at(grid, x, south) - grid_height_at(grid, x, north);
    return (Vec3){rise_x / (east - west), 0, rise_z / (south - north)};
}

static inline Vec3 twin_normal(const RtGrid *grid, double x, double z, double reach) {
    Vec3 g = twin_gradient(grid, x, z, reach);
    double size = sqrt(g.x * g.x + 1 + g.z * g.z);
    return (Vec3){-g.x / size, 1 / size, -g.z / size};
}

/* The heights `over` away on x and z, added, less four times the one between, by over squared. Nearer to the border than
 * `over`, of the nearest place that has them all, at most half the grid over; 0 past it. */
static inline double twin_curvature(const RtGrid *grid, double x, double z, double over) {
    if (!twin_contains(grid, x, z)) return 0;
    double wide = twin_end_x(grid) - grid->x0, deep = twin_end_z(grid) - grid->z0;
    double half = (deep < wide ? deep : wide) / 2;
    over = half < fabs(over) ? half : fabs(over);
    double cx = twin_clamp(x, grid->x0 + over, twin_end_x(grid) - over);
    double cz = twin_clamp(z, grid->z0 + over, twin_end_z(grid) - over);
    double sum = grid_height_at(grid, cx - over, cz) + grid_height_at(grid, cx + over, cz) +
                 grid_height_at(grid, cx, cz - over) + grid_height_at(grid, cx, cz + over);
    return (sum - 4 * grid_height_at(grid, cx, cz)) / (over * over);
}

#endif
