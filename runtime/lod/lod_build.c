/* What is known of a land's tiles before any eye: how high they reach, how fine they may be drawn, how far levels lie apart. */
#include "runtime/lod/lod.h"

#include <math.h>

typedef struct Builder {
    const LodDesc *desc;
    LodLand land;
} Builder;

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

/* -- the tiles at the base, in cells of the grid -- */

static float height_at(const LodDesc *desc, int i, int j) {
    return desc->heights[(size_t)j * (size_t)desc->columns + (size_t)i];
}

static int smaller(int a, int b) {
    return a < b ? a : b;
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
static int finest_of(const LodDesc *desc, int i0, int j0, float *low, float *high) {
    double at[2] = {desc->x0 + (i0 - 1) * desc->cell, desc->z0 + (j0 - 1) * desc->cell}, side = (LOD_SIDE + 2) * desc->cell;
    int finest = desc->finer + LOD_COARSER, times = 1 << desc->finer;
    if (desc->corners == 0 || outline_meets_box(desc, at, (double[2]){at[0] + side, at[1] + side})) finest = desc->finer;
    for (int k = 0; k < desc->patch_count; k++) {
        const LodPatch *patch = &desc->patches[k];
        int i = patch->x / times, j = patch->z / times;
        if (i > i0 + LOD_SIDE + 1 || j > j0 + LOD_SIDE + 1) continue;
        if (i + (patch->columns - 1) / times < i0 - 1 || j + (patch->rows - 1) / times < j0 - 1) continue;
        finest = 0;
        for (size_t s = 0; s < (size_t)patch->columns * (size_t)patch->rows; s++)
            *low = fminf(*low, patch->heights[s]), *high = fmaxf(*high, patch->heights[s]);
    }
    return finest;
}

static void make_level(Arena *arena, LodLevel *level, int columns, int rows) {
    size_t count = (size_t)columns * (size_t)rows;
    *level = (LodLevel){columns, rows, arena_alloc(arena, count * sizeof(float)), arena_alloc(arena, count * sizeof(float)), arena_alloc(arena, count)};
}

static void fill_base(Builder *b, LodLevel *level) {
    for (int row = 0; row < level->rows; row++)
        for (int column = 0; column < level->columns; column++) {
            size_t at = (size_t)row * (size_t)level->columns + (size_t)column;
            measure(b->desc, column * LOD_SIDE, row * LOD_SIDE, &level->low[at], &level->high[at]);
            level->finest[at] = (uint8_t)finest_of(b->desc, column * LOD_SIDE, row * LOD_SIDE, &level->low[at], &level->high[at]);
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

/* -- how far a level lies from the one below it -- */

/* Between two samples of the coarser level, on one line, where the last may be the border's. */
typedef struct Between {
    int before, after;
    double share;
} Between;

static Between between(int at, int step, int last) {
    int before = at / (2 * step) * (2 * step), after = smaller(before + 2 * step, last);
    return (Between){before, after, after > before ? (double)(at - before) / (after - before) : 0};
}

static double off_line(double a, double b, double share, double height) {
    return fabs(a + (b - a) * share - height);
}

/* Of the sample (i, j) of a level with `step` cells of the grid, odd on an axis. By the border squares are no squares, and how far two
 * triangles lie from four is bounded by how far their corners lie apart. */
static double sample_off(const LodDesc *desc, int i, int j, int step) {
    bool odd_i = i / step % 2, odd_j = j / step % 2;
    Between x = between(i, step, desc->columns - 1), z = between(j, step, desc->rows - 1);
    double nw = (double)height_at(desc, x.before, z.before), ne = (double)height_at(desc, x.after, z.before);
    double sw = (double)height_at(desc, x.before, z.after), se = (double)height_at(desc, x.after, z.after), height = (double)height_at(desc, i, j);
    bool square = x.after - x.before == 2 * step && z.after - z.before == 2 * step;
    if (!square) return fmax(height, fmax(fmax(nw, ne), fmax(sw, se))) - fmin(height, fmin(fmin(nw, ne), fmin(sw, se)));
    if (!odd_j) return off_line(nw, ne, x.share, height);
    if (!odd_i) return off_line(nw, sw, z.share, height);
    return (x.before + z.before) / (2 * step) % 2 ? off_line(ne, sw, z.share, height) : off_line(nw, se, z.share, height);
}

static double level_off(const LodDesc *desc, int step) {
    double worst = 0;
    for (int j = 0; j < desc->rows; j += step)
        for (int i = j / step % 2 ? 0 : step; i < desc->columns; i += j / step % 2 ? step : 2 * step)
            worst = fmax(worst, sample_off(desc, i, j, step));
    return worst;
}

/* In a patch the levels below the base are at most as far apart as its samples are. */
static void measure_steps(Builder *b) {
    LodLand *land = &b->land;
    double apart = 0;
    for (int k = 0; k < b->desc->patch_count; k++) {
        const LodPatch *patch = &b->desc->patches[k];
        float low = INFINITY, high = -INFINITY;
        for (size_t s = 0; s < (size_t)patch->columns * (size_t)patch->rows; s++)
            low = fminf(low, patch->heights[s]), high = fmaxf(high, patch->heights[s]);
        apart = fmax(apart, (double)high - (double)low);
    }
    for (int level = 1; level <= land->base; level++)
        land->step[level] = apart;
    for (int level = land->base + 1; level <= land->top; level++)
        land->step[level] = level_off(b->desc, 1 << (level - land->base - 1));
}

/* Two times the next step: on its way a vertex lies on the level's own ground, at most a step from the coarser; so do the triangles
 * between such vertices, none of which crosses an edge of the coarser. */
double lod_error(const LodLand *land, int level) {
    double error = 0;
    for (int k = 1; k <= level; k++)
        error += land->step[k];
    return level < land->top ? error + 2 * land->step[level + 1] : error;
}

static int over(int cells, int side) {
    return (cells + side - 1) / side;
}

LodLand lod_build(Arena *arena, const LodDesc *desc) {
    Builder b = {.desc = desc};
    LodLand *land = &b.land;
    land->base = desc->finer;
    land->lattice = (LodLattice){((desc->columns - 1) << desc->finer) + 1, ((desc->rows - 1) << desc->finer) + 1, ldexp(desc->cell, -desc->finer), desc->x0, desc->z0};
    LodLevel *level = &land->levels[land->top = land->base];
    make_level(arena, level, over(desc->columns - 1, LOD_SIDE), over(desc->rows - 1, LOD_SIDE));
    fill_base(&b, level);
    while (level->columns > 1 || level->rows > 1) {
        level = &land->levels[++land->top];
        make_level(arena, level, over(level[-1].columns, 2), over(level[-1].rows, 2));
        fill_above(level - 1, level);
    }
    land->coarsest = land->top;
    land->low = level->low[0], land->high = level->high[0];
    measure_steps(&b);
    return *land;
}

LodLand lod_of_function(const LodLattice *corner, int top, int coarsest, float low, float high) {
    LodLand land = {.lattice = *corner, .top = top, .coarsest = coarsest, .low = low, .high = high};
    land.lattice.columns = land.lattice.rows = (LOD_SIDE << top) + 1;
    return land;
}
