/* What is known of a land's tiles before any eye: how high they reach, how fine they may be drawn. */
#include "runtime/base/finer.h"
#include "runtime/lod/lod.h"

#include <math.h>

/* -- the outline -- */

/* Narrows [*from, *to], the part of a segment that lies between low and high on one axis. */
static void clip_axis(double start, double step, double low, double high, double *from, double *to) {
    if (step == 0) {
        if (start < low || start > high) *to = -1;
        return;
    }
    double a = (low - start) / step, b = (high - start) / step;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
}

static bool segment_meets_box(const double *a, const double *b, const double low[2], const double high[2]) {
    double from = 0, to = 1;
    for (int axis = 0; axis < 2; axis++)
        clip_axis(a[axis], b[axis] - a[axis], low[axis], high[axis], &from, &to);
    return from <= to;
}

static bool outline_contains(const LodDesc *desc, double x, double z) {
    bool inside = false;
    for (size_t i = 0; i < desc->corners; i++) {
        const double *p = desc->outline + 2 * i, *q = desc->outline + 2 * ((i + 1) % desc->corners);
        if ((p[1] > z) != (q[1] > z) && x < p[0] + (z - p[1]) / (q[1] - p[1]) * (q[0] - p[0])) inside = !inside;
    }
    return inside;
}

static bool outline_meets_box(const LodDesc *desc, const double low[2], const double high[2]) {
    for (size_t i = 0; i < desc->corners; i++)
        if (segment_meets_box(desc->outline + 2 * i, desc->outline + 2 * ((i + 1) % desc->corners), low, high)) return true;
    return outline_contains(desc, (low[0] + high[0]) / 2, (low[1] + high[1]) / 2);
}

/* -- the tiles of the grid's own cells -- */

static float height_at(const LodDesc *desc, int i, int j) {
    return desc->heights[(size_t)j * (size_t)desc->columns + (size_t)i];
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

_Static_assert((int)LOD_SIDE == (int)FINER_TILE, "tiles of the grid's own cells are those whose squares are divided");

static void measure_patch(const FinerTiles *tiles, int64_t number, float *low, float *high) {
    const float *heights = finer_patch(tiles, number);
    for (size_t i = 0; i < finer_patch_size(tiles); i++) {
        *low = heights[i] < *low ? heights[i] : *low;
        *high = heights[i] > *high ? heights[i] : *high;
    }
}

static void measure(const LodDesc *desc, int i0, int j0, float *low, float *high) {
    float least = INFINITY, most = -INFINITY;
    int i1 = smaller(i0 + LOD_SIDE, desc->columns - 1), j1 = smaller(j0 + LOD_SIDE, desc->rows - 1);
    for (int j = j0; j <= j1; j++)
        for (int i = i0; i <= i1; i++) {
            float height = height_at(desc, i, j);
            least = height < least ? height : least;
            most = height > most ? height : most;
        }
    *low = least, *high = most;
}

/* The border of a tile is drawn by its neighbor's level; so a tile is as fine as anything that comes within a cell of it. */
static int finest_of(const LodDesc *desc, int i0, int j0) {
    double at[2] = {desc->x0 + (i0 - 1) * desc->cell, desc->z0 + (j0 - 1) * desc->cell}, side = (LOD_SIDE + 2) * desc->cell;
    bool fine = desc->corners == 0 || outline_meets_box(desc, at, (double[2]){at[0] + side, at[1] + side});
    return fine ? 0 : LOD_COARSER;
}

static void make_level(Arena *arena, LodLevel *level, int columns, int rows) {
    size_t count = (size_t)columns * (size_t)rows;
    *level = (LodLevel){columns, rows, arena_alloc(arena, count * sizeof(float)), arena_alloc(arena, count * sizeof(float)), arena_alloc(arena, count)};
}

static int base_of(const LodDesc *desc) {
    int base = 0;
    while (1 << base < desc->finer)
        base++;
    return base;
}

static void fill_first(const LodDesc *desc, LodLevel *level) {
    FinerTiles tiles = finer_tiles(desc->columns, desc->rows, desc->finer, desc->tail);
    int base = base_of(desc);
    for (int row = 0; row < level->rows; row++)
        for (int column = 0; column < level->columns; column++) {
            size_t at = (size_t)row * (size_t)level->columns + (size_t)column;
            measure(desc, column * LOD_SIDE, row * LOD_SIDE, &level->low[at], &level->high[at]);
            int finest = base + finest_of(desc, column * LOD_SIDE, row * LOD_SIDE);
            int64_t number = finer_number(&tiles, column, row);
            if (number >= 0) measure_patch(&tiles, number, &level->low[at], &level->high[at]);
            level->finest[at] = (uint8_t)(finest == base && number >= 0 ? 0 : finest);
        }
}

static void fill_above(const LodLevel *below, LodLevel *level) {
    for (int row = 0; row < level->rows; row++)
        for (int column = 0; column < level->columns; column++) {
            size_t at = (size_t)row * (size_t)level->columns + (size_t)column;
            level->low[at] = INFINITY, level->high[at] = -INFINITY, level->finest[at] = UINT8_MAX;
            for (int k = 0; k < 4; k++) {
                int i = 2 * column + k % 2, j = 2 * row + k / 2;
                if (i >= below->columns || j >= below->rows) continue;
                size_t from = (size_t)j * (size_t)below->columns + (size_t)i;
                level->low[at] = fminf(level->low[at], below->low[from]);
                level->high[at] = fmaxf(level->high[at], below->high[from]);
                if (below->finest[from] < level->finest[at]) level->finest[at] = below->finest[from];
            }
        }
}

static int over(int cells, int side) {
    return (cells + side - 1) / side;
}

LodLand lod_build(Arena *arena, const LodDesc *desc) {
    int base = base_of(desc), finer = 1 << base;
    LodLand land = {.lattice = {(desc->columns - 1) * finer + 1, (desc->rows - 1) * finer + 1, desc->cell / finer, desc->x0, desc->z0}, .base = base, .top = base};
    LodLevel *level = &land.levels[base];
    make_level(arena, level, over(desc->columns - 1, LOD_SIDE), over(desc->rows - 1, LOD_SIDE));
    fill_first(desc, level);
    while (level->columns > 1 || level->rows > 1) {
        level = &land.levels[++land.top];
        make_level(arena, level, over(level[-1].columns, 2), over(level[-1].rows, 2));
        fill_above(level - 1, level);
    }
    land.coarsest = land.top;
    land.low = level->low[0], land.high = level->high[0];
    return land;
}

LodLand lod_of_function(const LodLattice *corner, int top, int coarsest, float low, float high) {
    LodLand land = {.lattice = *corner, .top = top, .coarsest = coarsest, .low = low, .high = high};
    land.lattice.columns = land.lattice.rows = (LOD_SIDE << top) + 1;
    return land;
}
