/* The grid package's native part: making grids, and the extremes of a function of a place. What a
 * grid answers is written in the language (grid.world), so that it is compiled into whatever asks.
 */
#include "runtime/grid/grid.h"

#include <math.h>

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

const RtHeightGrid *grid_heightGridLike(Rt *rt, const RtHeightGrid *like, const RtClosure *height, double outside) {
    RtGrid *grid = grid_create_like(rt, like, outside);
    return grid && grid_fill(rt, grid, height) ? grid : NULL;
}

/* -- lands by windows -- */

/* The greatest power of 2 that divides it, and all sums of what it divides. */
static double unit_of(double value) {
    int exponent;
    double mantissa = frexp(value, &exponent) * 0x1p53;
    if (value == 0 || !isfinite(value)) return INFINITY;
    int64_t bits = (int64_t)mantissa;
    return ldexp((double)(bits & -bits), exponent - 53);
}

/* Whether no place of the lattice is rounded: all are so many of one unit, fewer than a double can count. */
static bool is_exact(double cell, double corner, int64_t points) {
    double unit = fmin(unit_of(cell), unit_of(corner));
    return (fabs(corner) + (double)points * cell) / unit < 0x1p53;
}

void grid_checkExpanse(Rt *rt, double cell, Vec3 corner, int64_t columns, int64_t rows, int64_t halo) {
    static const int64_t most = (int64_t)1 << 30;
    if (!(cell > 0 && cell <= 1e9) || columns < 2 || rows < 2 || columns > most || rows > most || halo < 0 || halo > 1 << 16)
        rt_fault(rt, RT_FAULT_ARGUMENT, "a land of %lld x %lld points, %g m apart, with a halo of %lld: of points there are 2 to 2^30 a side, a cell is more than 0 m, a halo 0 to 65536 points",
                 (long long)columns, (long long)rows, cell, (long long)halo);
    else if (!(fabs(corner.x) <= 1e12 && fabs(corner.z) <= 1e12) || !is_exact(cell, corner.x, columns) || !is_exact(cell, corner.z, rows))
        rt_fault(rt, RT_FAULT_ARGUMENT, "points %.17g m apart from (%.17g m, %.17g m) on are rounded, each by another amount, and tiles would not meet; a cell of halves, quarters, eighths of a meter or of whole ones is exact",
                 cell, corner.x, corner.z);
}

const RtHeightGrid *grid_window(Rt *rt, const RtHeightGrid *grid, int64_t column, int64_t row, int64_t columns, int64_t rows) {
    return grid_take_window(rt, grid, column, row, columns, rows);
}

void grid_checkWindow(Rt *rt, StdTuple_int64t_int64t size, StdTuple_int64t_int64t_int64t_int64t window) {
    bool good = window.item0 >= 0 && window.item1 >= 0 && window.item2 >= 2 && window.item3 >= 2 &&
                window.item2 <= size.item0 - window.item0 && window.item3 <= size.item1 - window.item1;
    if (!good)
        rt_fault(rt, RT_FAULT_ARGUMENT, "a window of %lld x %lld points from (%lld, %lld) on, of a land of %lld x %lld; it has 2 x 2 or more, and all lie on the land",
                 (long long)window.item2, (long long)window.item3, (long long)window.item0, (long long)window.item1, (long long)size.item0, (long long)size.item1);
}

/* The formula's heights; `window` as column, row, columns, rows. */
const RtHeightGrid *grid_expanseGround(Rt *rt, double cell, Vec3 corner, StdTuple_int64t_int64t size, StdTuple_int64t_int64t_int64t_int64t window,
                                       const RtClosure *height, double outside) {
    RtGrid *grid = grid_create(rt, &(GridShape){window.item2, window.item3, cell, corner.x + (double)window.item0 * cell,
                                                corner.z + (double)window.item1 * cell, outside});
    if (grid) grid->part = window.item2 < size.item0 || window.item3 < size.item1;
    return grid && grid_fill(rt, grid, height) ? grid : NULL;
}

/* What is made of a window lies where it lay, and is a part of the land as it was. */
const RtHeightGrid *grid_sameLattice(Rt *rt, const RtHeightGrid *made, const RtHeightGrid *given) {
    if (made->columns != given->columns || made->rows != given->rows || made->cell != given->cell || made->x0 != given->x0 || made->z0 != given->z0) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "shaped was given %d x %d points, %g m apart from (%g m, %g m) on, and made %d x %d, %g m apart from (%g m, %g m) on: it keeps them where they are",
                 (int)given->columns, (int)given->rows, given->cell, given->x0, given->z0, (int)made->columns, (int)made->rows, made->cell, made->x0, made->z0);
        return NULL;
    }
    RtGrid *copy = grid_copy(rt, made);
    copy->part = given->part;
    return copy;
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
