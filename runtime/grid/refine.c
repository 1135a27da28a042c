#include "runtime/grid/refine.h"

#include <math.h>

#include "runtime/geometry/scalar.h"

/* Of the samples' own triangles, at a point of the fine lattice. */
static float coarse_height(const RtGrid *grid, int32_t p, int32_t q, int32_t finer) {
    int32_t i = p / finer < grid->columns - 1 ? p / finer : grid->columns - 2, j = q / finer < grid->rows - 1 ? q / finer : grid->rows - 2;
    double s = (double)(p - i * finer) / finer, t = (double)(q - j * finer) / finer;
    return (float)grid_square_height(grid->heights + (int64_t)j * grid->columns + i, grid->columns, (i + j) % 2 == 0, s, t);
}

/* The points of a tile's patch that lie on the grid. */
typedef struct Patch {
    float *heights;
    int32_t p0, q0, p1, q1; /* first and last, in the fine lattice */
} Patch;

/* False: the tile has none. */
static bool find_patch(const RtGrid *grid, const FinerTiles *tiles, int32_t column, int32_t row, Patch *patch) {
    int64_t number = finer_number(tiles, column, row);
    if (number < 0) return false;
    int32_t step = FINER_TILE * grid->finer, last_p = (grid->columns - 1) * grid->finer, last_q = (grid->rows - 1) * grid->finer;
    *patch = (Patch){(float *)(uintptr_t)finer_patch(tiles, number), column * step, row * step, (column + 1) * step, (row + 1) * step};
    if (patch->p1 > last_p) patch->p1 = last_p;
    if (patch->q1 > last_q) patch->q1 = last_q;
    return true;
}

static bool is_tile(const FinerTiles *tiles, int32_t column, int32_t row) {
    return column >= 0 && row >= 0 && column < tiles->across && row < tiles->down;
}

/* Whether a tile that is not divided comes within one fine square of a point. Told by the place alone, so that tiles which share a point agree. */
static bool is_beside_coarse(const FinerTiles *tiles, int32_t p, int32_t q) {
    int32_t step = FINER_TILE * tiles->finer;
    for (int32_t row = (q + step - 2) / step - 1; row <= (q + 1) / step; row++)
        for (int32_t column = (p + step - 2) / step - 1; column <= (p + 1) / step; column++)
            if (is_tile(tiles, column, row) && finer_number(tiles, column, row) < 0) return true;
    return false;
}

/* Inside of the tile no neighbor is near, and only points of the grid are settled. */
static void settle_row(const RtGrid *grid, const FinerTiles *tiles, const Patch *patch, int32_t q) {
    int32_t finer = tiles->finer, step = FINER_TILE * finer;
    bool inner = q > patch->q0 + 1 && q < patch->q0 + step - 1;
    for (int32_t p = patch->p0; p <= patch->p1; p++) {
        bool near = !inner || p <= patch->p0 + 1 || p >= patch->p0 + step - 1;
        if ((p % finer == 0 && q % finer == 0) || (near && is_beside_coarse(tiles, p, q)))
            patch->heights[(int64_t)(q - patch->q0) * tiles->side + (p - patch->p0)] = coarse_height(grid, p, q, finer);
    }
}

void grid_settle(RtGrid *grid) {
    FinerTiles tiles = grid_finer(grid);
    Patch patch;
    for (int32_t row = 0; row < tiles.down; row++)
        for (int32_t column = 0; column < tiles.across; column++) {
            if (!find_patch(grid, &tiles, column, row, &patch)) continue;
            for (int32_t q = patch.q0; q <= patch.q1; q++)
                settle_row(grid, &tiles, &patch, q);
        }
}

/* -- dividing -- */

/* 0 after a fault. */
static int32_t find_finer(Rt *rt, const RtGrid *grid, double step) {
    for (int32_t finer = 2; finer <= FINER_MOST; finer *= 2) {
        if (fabs(grid->cell / step - finer) > 1e-9 * finer) continue;
        if (grid->finer == 0 || grid->finer == finer) return finer;
        rt_fault(rt, RT_FAULT_ARGUMENT, "step is %g m, and squares of this grid are %g m wide where it is refined: all of a grid are refined alike", step, grid->cell / grid->finer);
        return 0;
    }
    rt_fault(rt, RT_FAULT_ARGUMENT, "step is %g m; squares of %g m are divided into ones of %g m, %g m, %g m or %g m", step, grid->cell, grid->cell / 2, grid->cell / 4, grid->cell / 8, grid->cell / 16);
    return 0;
}

static double beyond(double value, double low, double high) {
    return value < low ? low - value : value > high ? value - high : 0;
}

/* How far the longest stretch is from its middle to its ends: so far may what lies between two laid points be from both. */
static double half_stretch(const RtSpine *spine) {
    double longest = 0;
    for (int32_t i = 1; i < spine->count; i++) {
        double dx = spine->points[i].x - spine->points[i - 1].x, dz = spine->points[i].z - spine->points[i - 1].z;
        longest = scalar_max(longest, sqrt(dx * dx + dz * dz));
    }
    return longest / 2;
}

/* Marks the tiles that come within reach of a place. */
static void mark_near(const RtGrid *grid, const FinerTiles *tiles, Vec3 at, double reach, bool *marks) {
    double side = FINER_TILE * grid->cell, x = at.x - grid->x0, z = at.z - grid->z0;
    int32_t first_row = (int32_t)scalar_clamp(floor((z - reach) / side), 0, tiles->down), end_row = (int32_t)scalar_clamp(floor((z + reach) / side) + 1, 0, tiles->down);
    int32_t first = (int32_t)scalar_clamp(floor((x - reach) / side), 0, tiles->across), end = (int32_t)scalar_clamp(floor((x + reach) / side) + 1, 0, tiles->across);
    for (int32_t row = first_row; row < end_row; row++)
        for (int32_t column = first; column < end; column++) {
            double dx = beyond(x, column * side, (column + 1) * side), dz = beyond(z, row * side, (row + 1) * side);
            if (dx * dx + dz * dz <= reach * reach) marks[(int64_t)row * tiles->across + column] = true;
        }
}

/* The same ground, of whose tiles those that are marked are divided. NULL after a fault. */
static RtGrid *divide(Rt *rt, const RtGrid *grid, int32_t finer, const bool *marks) {
    FinerTiles old = grid_finer(grid), tiles = finer_tiles(grid->columns, grid->rows, finer, NULL);
    int64_t count = (int64_t)finer_tile_count(&tiles), patches = 0, samples = (int64_t)grid->columns * grid->rows, most = grid_limit(rt);
    for (int64_t i = 0; i < count; i++)
        patches += marks[i];
    if (patches > (most - samples - count) / (int64_t)finer_patch_size(&tiles)) {
        rt_fault(rt, RT_FAULT_LIMIT, "a grid of %d x %d points, of which %lld tiles of %d x %d are refined; at most %lld points in all: `within` may be less, or `step` more",
                 (int)grid->columns, (int)grid->rows, (long long)patches, tiles.side, tiles.side, (long long)most);
        return NULL;
    }
    RtGrid like = *grid;
    like.finer = finer;
    like.tail = count + patches * (int64_t)finer_patch_size(&tiles);
    RtGrid *divided = grid_twin(rt, &like);
    memcpy(divided->heights, grid->heights, sizeof(float) * (size_t)samples);
    memset(divided->heights + samples, 0, sizeof(float) * (size_t)like.tail);
    for (int64_t i = 0, next = 0; i < count; i++)
        divided->heights[samples + i] = marks[i] ? (float)next++ : -1;
    tiles = grid_finer(divided);
    Patch patch;
    for (int32_t row = 0; row < tiles.down; row++)
        for (int32_t column = 0; column < tiles.across; column++) {
            if (!find_patch(divided, &tiles, column, row, &patch)) continue;
            int64_t before = grid->finer ? finer_number(&old, column, row) : -1;
            if (before >= 0) memcpy(patch.heights, finer_patch(&old, before), sizeof(float) * finer_patch_size(&old));
            for (int32_t q = patch.q0; before < 0 && q <= patch.q1; q++)
                for (int32_t p = patch.p0; p <= patch.p1; p++)
                    patch.heights[(int64_t)(q - patch.q0) * tiles.side + (p - patch.p0)] = coarse_height(grid, p, q, finer);
        }
    return divided;
}

RtGrid *grid_refine(Rt *rt, const RtGrid *grid, const RtSpine *spine, double within, double step) {
    if (!grid_demand_whole(rt, grid, "refine")) return NULL;
    if (!(within >= 0 && within <= 1e9)) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "within is %g m, at least 0 m is needed", within);
        return NULL;
    }
    int32_t finer = find_finer(rt, grid, step);
    if (finer == 0) return NULL;
    RtScratchMark mark = rt_scratch_mark(rt);
    FinerTiles old = grid_finer(grid), tiles = finer_tiles(grid->columns, grid->rows, finer, NULL);
    size_t count = finer_tile_count(&tiles);
    bool *marks = rt_scratch_push(rt, count * sizeof *marks);
    for (size_t i = 0; i < count; i++)
        marks[i] = grid->finer && old.numbers[i] >= 0;
    double reach = within + grid->cell + half_stretch(spine); /* beside a border the finer points are settled: a square more */
    for (int32_t i = 0; i < spine->count; i++)
        mark_near(grid, &tiles, spine->points[i], reach, marks);
    RtGrid *divided = divide(rt, grid, finer, marks);
    rt_scratch_pop(rt, mark);
    return divided;
}
