/* The grid package's native part: making grids, and the extremes of a function of a place. What a
 * grid answers is written in the language (grid.world), so that it is compiled into whatever asks.
 */
#include "runtime/grid/grid.h"

#include "runtime/grid/lattice.h"
#include "stdlib/stdlib_externs.h"

const RtHeightGrid *grid_heightGridOver(Rt *rt, double cell, Vec3 corner, int64_t columns,
                                        int64_t rows, const RtClosure *height, double outside) {
    GridShape shape = {columns, rows, cell, corner.x, corner.z, outside};
    RtGrid *grid = grid_create(rt, &shape);
    if (!grid || !grid_fill(rt, grid, height)) return NULL;
    return grid;
}

double grid_highest(Rt *rt, const RtClosure *f, double every, double over) {
    return lattice_extreme(rt, f, every, over, 1);
}

double grid_lowest(Rt *rt, const RtClosure *f, double every, double over) {
    return -lattice_extreme(rt, f, every, over, -1);
}
