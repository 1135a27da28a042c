#include "runtime/grid/grid.h"

#include <math.h>

#include "runtime/geometry/scalar.h"

/* The greatest grid: 16 thousand samples a side. */
static const int64_t max_samples = (int64_t)1 << 28;

int64_t grid_limit(const Rt *rt) {
    int64_t most =
        rt->host && rt->host->limits.grid_samples ? rt->host->limits.grid_samples : max_samples;
    return most < max_samples ? most : max_samples;
}

RtGrid *grid_create(Rt *rt, const GridShape *shape) {
    if (shape->columns < 2 || shape->rows < 2 || !(shape->cell > 0 && shape->cell <= 1e9) ||
        !(fabs(shape->x0) <= 1e12 && fabs(shape->z0) <= 1e12)) {
        rt_fault(rt, RT_FAULT_ARGUMENT,
                 "a grid of %lld x %lld points, cell is %g m; at least 2 x 2, and more than 0 m",
                 (long long)shape->columns, (long long)shape->rows, shape->cell);
        return NULL;
    }
    int64_t most = grid_limit(rt);
    if (shape->columns > most / shape->rows) {
        rt_fault(rt, RT_FAULT_LIMIT, "a grid of %lld x %lld points; at most %lld in all",
                 (long long)shape->columns, (long long)shape->rows, (long long)most);
        return NULL;
    }
    RtGrid *grid = arena_take(rt->arena, sizeof *grid);
    *grid = (RtGrid){.head = {RT_GRID, 1},
                     .columns = (int32_t)shape->columns,
                     .rows = (int32_t)shape->rows,
                     .cell = shape->cell,
                     .x0 = shape->x0,
                     .z0 = shape->z0,
                     .outside = shape->outside};
    grid->heights = arena_take(rt->arena, rt_grid_bytes(grid));
    memset(grid->heights, 0, rt_grid_bytes(grid));
    return grid;
}

/* That another was made of. */
static RtGrid *keep_origin(RtGrid *grid, const RtGrid *from, bool part) {
    if (grid == NULL) return NULL;
    grid->reference = from->reference;
    grid->part = from->part || part;
    return grid;
}

RtGrid *grid_create_like(Rt *rt, const RtGrid *like, double outside) {
    if (rt_failed(rt)) return NULL;
    return keep_origin(grid_create(rt, &(GridShape){like->columns, like->rows, like->cell, like->x0, like->z0, outside}), like, false);
}

RtGrid *grid_twin(Rt *rt, const RtGrid *grid) {
    RtGrid *twin = arena_take(rt->arena, sizeof *twin);
    *twin = *grid;
    twin->head.holders = 1;
    twin->heights = arena_take(rt->arena, rt_grid_bytes(grid));
    return twin;
}

RtGrid *grid_copy_samples(Rt *rt, const RtGrid *grid) {
    RtGrid *copy = grid_create_like(rt, grid, grid->outside);
    if (copy) memcpy(copy->heights, grid->heights, rt_grid_bytes(copy));
    return copy;
}

RtGrid *grid_copy(Rt *rt, const RtGrid *grid) {
    RtGrid *copy = grid_twin(rt, grid);
    memcpy(copy->heights, grid->heights, rt_grid_bytes(grid));
    return copy;
}

RtGrid *grid_take_window(Rt *rt, const RtGrid *grid, int64_t column, int64_t row, int64_t columns, int64_t rows) {
    if (column < 0 || row < 0 || columns > grid->columns - column || rows > grid->rows - row) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "a window of %lld x %lld points from (%lld, %lld) on, of a grid of %d x %d", (long long)columns,
                 (long long)rows, (long long)column, (long long)row, (int)grid->columns, (int)grid->rows);
        return NULL;
    }
    GridShape shape = {columns, rows, grid->cell, grid->x0 + (double)column * grid->cell, grid->z0 + (double)row * grid->cell, grid->outside};
    RtGrid *window = keep_origin(grid_create(rt, &shape), grid, columns < grid->columns || rows < grid->rows);
    if (window == NULL) return NULL;
    for (int64_t j = 0; j < rows; j++)
        memcpy(window->heights + j * columns, grid->heights + (row + j) * grid->columns + column, sizeof *grid->heights * (size_t)columns);
    return window;
}

bool grid_demand_whole(Rt *rt, const RtGrid *grid, const char *what) {
    if (!grid->part) return true;
    rt_fault(rt, RT_FAULT_TILED, "%s looks at all of a land, and this is a window of %d x %d points of one: each window would have another answer",
             what, (int)grid->columns, (int)grid->rows);
    return false;
}

static bool refuse_height(Rt *rt, const RtGrid *grid, int32_t column, int32_t row, bool is_nan) {
    rt_fault(rt, is_nan ? RT_FAULT_NAN : RT_FAULT_FIELD_INFINITE, "the height at (%g m, %g m), sample (%d, %d) of a grid",
             grid_x(grid, column), grid_z(grid, row), (int)column, (int)row);
    return false;
}

bool grid_store(Rt *rt, RtGrid *grid, int32_t column, int32_t row, double height) {
    float stored = (float)height;
    if (!isfinite(stored)) return refuse_height(rt, grid, column, row, isnan(height));
    grid->heights[(int64_t)row * grid->columns + column] = stored;
    return true;
}

bool grid_check(Rt *rt, const RtGrid *grid) {
    for (int64_t i = 0; i < (int64_t)grid->columns * grid->rows; i++)
        if (!isfinite(grid->heights[i]))
            return refuse_height(rt, grid, (int32_t)(i % grid->columns), (int32_t)(i / grid->columns), isnan(grid->heights[i]));
    return true;
}

/* -- filling: bands of rows, each one batch -- */

enum { BAND_POINTS = 64 * 1024 };

typedef struct Band {
    int32_t rows; /* at most */
    Slot *x, *y, *z, *height;
} Band;

/* In the working storage. */
static Band band_create(Rt *rt, const RtGrid *grid) {
    Band band = {.rows = grid->columns < BAND_POINTS ? BAND_POINTS / grid->columns : 1};
    if (band.rows > grid->rows) band.rows = grid->rows;
    size_t count = (size_t)band.rows * (size_t)grid->columns;
    band.x = rt_scratch_push(rt, count * sizeof *band.x);
    band.y = rt_scratch_push(rt, count * sizeof *band.y);
    band.z = rt_scratch_push(rt, count * sizeof *band.z);
    band.height = rt_scratch_push(rt, count * sizeof *band.height);
    for (size_t i = 0; i < count; i++) {
        band.x[i].f = grid_x(grid, (int32_t)(i % (size_t)grid->columns));
        band.y[i].f = 0;
    }
    return band;
}

static bool band_store(Rt *rt, const Band *band, RtGrid *grid, int32_t first, int32_t end) {
    int64_t i = 0;
    for (int32_t row = first; row < end; row++)
        for (int32_t column = 0; column < grid->columns; column++)
            if (!grid_store(rt, grid, column, row, band->height[i++].f)) return false;
    return true;
}

bool grid_fill(Rt *rt, RtGrid *grid, const RtClosure *height) {
    RtScratchMark mark = rt_scratch_mark(rt);
    Band band = band_create(rt, grid);
    const Slot *in[] = {band.x, band.y, band.z};
    Slot *out[] = {band.height};
    bool good = true;
    for (int32_t first = 0; good && first < grid->rows; first += band.rows) {
        int32_t end = first + band.rows < grid->rows ? first + band.rows : grid->rows;
        int64_t count = (int64_t)(end - first) * grid->columns;
        for (int64_t i = 0; i < count; i++)
            band.z[i].f = grid_z(grid, first + (int32_t)(i / grid->columns));
        rt_call_batch(rt, height, count, in, out);
        good = !rt_failed(rt) && !rt->stop && band_store(rt, &band, grid, first, end);
    }
    rt_scratch_pop(rt, mark);
    return good;
}

/* -- answers -- */

static bool on_axis(double u, int32_t samples) {
    return u >= -GRID_BORDER_SLACK && u <= samples - 1 + GRID_BORDER_SLACK;
}

bool grid_covers(const RtGrid *grid, double x, double z) {
    return on_axis((x - grid->x0) / grid->cell, grid->columns) &&
           on_axis((z - grid->z0) / grid->cell, grid->rows);
}

static inline double sample_height(const RtGrid *grid, int32_t i, int32_t j, double s, double t) {
    return grid_square_height(grid->heights + (int64_t)j * grid->columns + i, grid->columns, (i + j) % 2 == 0, s, t);
}

/* At (u, v) in cells, in square (i, j), whose tile may be finer. */
static double divided_height(const RtGrid *grid, double u, double v, int32_t i, int32_t j) {
    FinerTiles tiles = grid_finer(grid);
    int32_t column = i / FINER_TILE, row = j / FINER_TILE, step = FINER_TILE * grid->finer;
    int64_t number = finer_number(&tiles, column, row);
    if (number < 0) return sample_height(grid, i, j, scalar_clamp(u - i, 0, 1), scalar_clamp(v - j, 0, 1));
    u *= grid->finer, v *= grid->finer;
    int32_t p = (int32_t)scalar_clamp(u, 0, (double)(grid->columns - 1) * grid->finer - 1),
            q = (int32_t)scalar_clamp(v, 0, (double)(grid->rows - 1) * grid->finer - 1);
    const float *first = finer_patch(&tiles, number) + (int64_t)(q - row * step) * tiles.side + (p - column * step);
    return grid_square_height(first, tiles.side, (p + q) % 2 == 0, scalar_clamp(u - p, 0, 1), scalar_clamp(v - q, 0, 1));
}

/* On or past the far and near borders, or where tiles are finer. */
static double border_height(const RtGrid *grid, double u, double v) {
    if (!on_axis(u, grid->columns) || !on_axis(v, grid->rows)) return grid->outside;
    int32_t i = (int32_t)scalar_clamp(u, 0, grid->columns - 2), j = (int32_t)scalar_clamp(v, 0, grid->rows - 2);
    if (grid->finer) return divided_height(grid, u, v, i, j);
    return sample_height(grid, i, j, scalar_clamp(u - i, 0, 1), scalar_clamp(v - j, 0, 1));
}

double grid_height_at(const RtGrid *grid, double x, double z) {
    double u = (x - grid->x0) / grid->cell, v = (z - grid->z0) / grid->cell;
    if (!(u >= 0 && v >= 0 && u < grid->columns - 1 && v < grid->rows - 1) || grid->finer)
        return border_height(grid, u, v);
    int32_t i = (int32_t)u, j = (int32_t)v;
    return sample_height(grid, i, j, u - i, v - j);
}

/* Dividing by a power of two is multiplying by what it divides 1 into, to the bit. */
static bool is_power_of_two(double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return v > 0x1p-1000 && v < 0x1p1000 && bits << 12 == 0;
}

/* `factor` 0: divide. In locals: what is written might else be taken for a field of the grid. */
static inline void heights_at(const RtGrid *grid, int64_t n, const double *xz, double *out, double factor) {
    const RtGrid g = *grid;
    const double columns = g.columns - 1, rows = g.rows - 1;
    for (int64_t k = 0; k < n; k++) {
        double x = xz[2 * k] - g.x0, z = xz[2 * k + 1] - g.z0;
        double u = factor > 0 ? x * factor : x / g.cell, v = factor > 0 ? z * factor : z / g.cell;
        if (u >= 0 && v >= 0 && u < columns && v < rows) {
            int32_t i = (int32_t)u, j = (int32_t)v;
            out[k] = sample_height(&g, i, j, u - i, v - j);
        } else {
            out[k] = border_height(&g, u, v);
        }
    }
}

void grid_heights_at(const RtGrid *grid, int64_t n, const double *xz, double *out) {
    for (int64_t k = 0; k < n && grid->finer; k++)
        out[k] = grid_height_at(grid, xz[2 * k], xz[2 * k + 1]);
    if (grid->finer) return;
    if (is_power_of_two(grid->cell))
        heights_at(grid, n, xz, out, 1 / grid->cell);
    else
        heights_at(grid, n, xz, out, 0);
}
