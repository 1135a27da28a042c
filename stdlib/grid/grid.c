/* The grid package's native part: making grids, and the extremes of a function of a place. What a
 * grid answers is written in the language (grid.world), so that it is compiled into whatever asks.
 */
#include "runtime/grid/grid.h"

#include "runtime/grid/lattice.h"
#include "stdlib/stdlib_externs.h"

static const RtGrid *make(Rt *rt, const GridShape *shape, const RtClosure *height) {
    RtGrid *grid = grid_create(rt, shape);
    return grid && grid_fill(rt, grid, height) ? grid : NULL;
}

const RtHeightGrid *grid_heightGrid(Rt *rt, double cell, int64_t points, const RtClosure *height,
                                    double outside) {
    double half = ((double)points - 1) * cell / 2;
    return make(rt, &(GridShape){points, points, cell, -half, -half, outside}, height);
}

const RtHeightGrid *grid_heightGridOver(Rt *rt, double cell, Vec3 corner, int64_t columns,
                                        int64_t rows, const RtClosure *height, double outside) {
    return make(rt, &(GridShape){columns, rows, cell, corner.x, corner.z, outside}, height);
}

double grid_highest(Rt *rt, const RtClosure *f, double every, double over) {
    return lattice_extreme(rt, f, every, over, 1).value;
}

double grid_lowest(Rt *rt, const RtClosure *f, double every, double over) {
    return -lattice_extreme(rt, f, every, over, -1).value;
}

Vec3 grid_highestPlace(Rt *rt, const RtClosure *f, double every, double over) {
    return lattice_extreme(rt, f, every, over, 1).place;
}

Vec3 grid_lowestPlace(Rt *rt, const RtClosure *f, double every, double over) {
    return lattice_extreme(rt, f, every, over, -1).place;
}
