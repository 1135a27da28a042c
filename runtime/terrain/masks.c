#include "runtime/terrain/masks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_A_CHUNK = 32, COLUMNS_A_CHUNK = 256 };

typedef struct Layer {
    int32_t columns, rows;
    double cell;
    const float *in;
    float *out;
    double to_x, to_y, to_z; /* the way to the sun */
    float highest;
    int heading; /* of the sky's lines */
} Layer;

/* -- distances: down and up the columns, in squares; then the lower hull of parabolas along the rows -- */

static void distance_columns(Rt *rt, void *user, int64_t begin, int64_t end) {
    (void)rt;
    const Layer *layer = user;
    int64_t n = layer->columns;
    for (int64_t row = 0; row < layer->rows; row++)
        for (int64_t i = row * n + begin; i < row * n + end; i++)
            layer->out[i] = layer->in[i] > 0.5F ? 0 : row > 0 ? layer->out[i - n] + 1 : INFINITY;
    for (int64_t row = layer->rows - 2; row >= 0; row--)
        for (int64_t i = row * n + begin; i < row * n + end; i++)
            if (layer->out[i + n] + 1 < layer->out[i]) layer->out[i] = layer->out[i + n] + 1;
}

/* Of one row: parabola `stack[k]` is the lowest from ends[k] on. */
static void hull_row(const Layer *layer, float *line, int32_t *stack, double *ends, double *values) {
    int32_t k = -1;
    for (int32_t q = 0; q < layer->columns; q++) {
        double value = (double)line[q] * (double)line[q], end = -INFINITY;
        if (isinf(value)) continue;
        for (; k >= 0; k--) {
            int32_t p = stack[k];
            end = ((value + (double)q * q) - (values[k] + (double)p * p)) / (2.0 * (q - p));
            if (end > ends[k]) break;
            end = -INFINITY;
        }
        stack[++k] = q;
        values[k] = value;
        ends[k] = end;
    }
    for (int32_t q = 0, i = 0; q < layer->columns && k >= 0; q++) {
        while (i < k && ends[i + 1] < q)
            i++;
        double far = q - stack[i];
        line[q] = (float)(sqrt(far * far + values[i]) * layer->cell);
    }
}

static void distance_rows(Rt *rt, void *user, int64_t begin, int64_t end) {
    const Layer *layer = user;
    size_t n = (size_t)layer->columns;
    RtScratchMark mark = rt_scratch_mark(rt);
    int32_t *stack = rt_scratch_push(rt, sizeof *stack * n);
    double *ends = rt_scratch_push(rt, sizeof *ends * n), *values = rt_scratch_push(rt, sizeof *values * n);
    for (int64_t row = begin; row < end; row++)
        hull_row(layer, layer->out + row * layer->columns, stack, ends, values);
    rt_scratch_pop(rt, mark);
}

void mask_distances(Rt *rt, int32_t columns, int32_t rows, double cell, const float *mask, float *distances) {
    Layer layer = {.columns = columns, .rows = rows, .cell = cell, .in = mask, .out = distances};
    rt_parallel(rt, columns, COLUMNS_A_CHUNK, distance_columns, &layer);
    rt_parallel(rt, rows, LINES_A_CHUNK, distance_rows, &layer);
}

/* -- the sky -- */

/* Eight lines, each walked both ways. */
static const struct {
    int8_t dx, dz;
} headings[8] = {{1, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 1}, {-1, 2}, {-1, 1}, {-2, 1}};

typedef struct Hull {
    const float *heights; /* of the line's squares */
    int32_t *stack;
    int32_t count;
    double step; /* meters from square to square */
} Hull;

/* The steepest rise from square i back to one before it, which is on their upper hull; then i joins it. */
static double hull_rise(Hull *hull, int32_t i) {
    const float *h = hull->heights;
    while (hull->count > 1) {
        int32_t a = hull->stack[hull->count - 1], b = hull->stack[hull->count - 2];
        if ((double)(h[a] - h[i]) * (i - b) > (double)(h[b] - h[i]) * (i - a)) break;
        hull->count--;
    }
    double rise = hull->count > 0 ? (double)(h[hull->stack[hull->count - 1]] - h[i]) / ((i - hull->stack[hull->count - 1]) * hull->step) : 0;
    hull->stack[hull->count++] = i;
    return rise > 0 ? rise : 0;
}

/* A sky of one brightness lights level ground by the square of the horizon's cosine. */
static float open_share(double rise) {
    return (float)(1 / (1 + rise * rise));
}

/* One line of squares, `first` and every `stride` on: both ways along it. */
static void sky_line(const Layer *layer, int64_t first, int64_t stride, int32_t count, double step, float *heights, int32_t *stack) {
    float *out = layer->out;
    for (int32_t i = 0; i < count; i++)
        heights[i] = layer->in[first + i * stride];
    Hull hull = {.heights = heights, .stack = stack, .step = step};
    for (int32_t i = 0; i < count; i++)
        out[first + i * stride] += open_share(hull_rise(&hull, i));
    for (int32_t i = 0; i < count / 2; i++) {
        float kept = heights[i];
        heights[i] = heights[count - 1 - i];
        heights[count - 1 - i] = kept;
    }
    hull.count = 0;
    for (int32_t i = 0; i < count; i++)
        out[first + (count - 1 - i) * stride] += open_share(hull_rise(&hull, i));
}

/* Lines begin where the square before would be past the border: those that begin in rows `begin` to `end`. */
static void sky_rows(Rt *rt, void *user, int64_t begin, int64_t end) {
    const Layer *layer = user;
    int32_t dx = headings[layer->heading].dx, dz = headings[layer->heading].dz, longest = layer->columns > layer->rows ? layer->columns : layer->rows;
    double step = sqrt((double)(dx * dx + dz * dz)) * layer->cell;
    RtScratchMark mark = rt_scratch_mark(rt);
    float *heights = rt_scratch_push(rt, sizeof *heights * (size_t)longest);
    int32_t *stack = rt_scratch_push(rt, sizeof *stack * (size_t)longest);
    for (int32_t row = (int32_t)begin; row < end; row++)
        for (int32_t column = 0; column < layer->columns; column++) {
            int32_t x = column - dx, z = row - dz;
            if (x >= 0 && z >= 0 && x < layer->columns && z < layer->rows) continue;
            int32_t count = 1;
            for (x = column + dx, z = row + dz; x >= 0 && z >= 0 && x < layer->columns && z < layer->rows; x += dx, z += dz)
                count++;
            sky_line(layer, (int64_t)row * layer->columns + column, (int64_t)dz * layer->columns + dx, count, step, heights, stack);
        }
    rt_scratch_pop(rt, mark);
}

void mask_sky(Rt *rt, int32_t columns, int32_t rows, double cell, const float *heights, float *sky) {
    Layer layer = {.columns = columns, .rows = rows, .cell = cell, .in = heights, .out = sky};
    size_t count = (size_t)columns * (size_t)rows;
    memset(sky, 0, sizeof *sky * count);
    for (layer.heading = 0; layer.heading < 8 && !rt->stop; layer.heading++)
        rt_parallel(rt, rows, LINES_A_CHUNK, sky_rows, &layer);
    for (size_t i = 0; i < count; i++)
        sky[i] /= 16;
}

/* -- the sun -- */

static double height_between(const Layer *layer, double column, double row) {
    int32_t i = (int32_t)column, j = (int32_t)row;
    if (i > layer->columns - 2) i = layer->columns - 2;
    if (j > layer->rows - 2) j = layer->rows - 2;
    const float *at = layer->in + (int64_t)j * layer->columns + i;
    double s = column - i, t = row - j;
    double north = (double)at[0] + ((double)at[1] - (double)at[0]) * s;
    double south = (double)at[layer->columns] + ((double)at[layer->columns + 1] - (double)at[layer->columns]) * s;
    return north + (south - north) * t;
}

/* The way to the sun goes a square at a time along the axis it runs most along, so that only one interpolation is between two squares. */
static float sun_at(const Layer *layer, int32_t column, int32_t row) {
    static const double half_width = 0.00465; /* of the sun, as a rise */
    double run = fmax(fabs(layer->to_x), fabs(layer->to_z));
    double dx = layer->to_x / run, dz = layer->to_z / run, far = sqrt(dx * dx + dz * dz) * layer->cell;
    double rise = layer->to_y / sqrt(layer->to_x * layer->to_x + layer->to_z * layer->to_z);
    double ground = (double)layer->in[(int64_t)row * layer->columns + column], lit = 1;
    for (int64_t k = 1;; k++) {
        double x = column + (double)k * dx, z = row + (double)k * dz, distance = (double)k * far, ray = ground + rise * distance;
        if (x < 0 || z < 0 || x > layer->columns - 1 || z > layer->rows - 1) break;
        if (ray - half_width * distance > (double)layer->highest) break;
        double under = (ray - height_between(layer, x, z)) / distance;
        double share = 0.5 + 0.5 * under / half_width;
        if (share < lit) lit = share;
        if (lit <= 0) return 0;
    }
    return (float)lit;
}

static void sun_rows(Rt *rt, void *user, int64_t begin, int64_t end) {
    (void)rt;
    const Layer *layer = user;
    for (int32_t row = (int32_t)begin; row < end; row++)
        for (int32_t column = 0; column < layer->columns; column++)
            layer->out[(int64_t)row * layer->columns + column] = layer->to_y <= 0 ? 0 : sun_at(layer, column, row);
}

void mask_sun(Rt *rt, int32_t columns, int32_t rows, double cell, const float *heights, double to_x, double to_y, double to_z, float *lit) {
    Layer layer = {.columns = columns, .rows = rows, .cell = cell, .in = heights, .out = lit, .to_x = to_x, .to_y = to_y, .to_z = to_z, .highest = heights[0]};
    int64_t count = (int64_t)columns * rows;
    for (int64_t i = 0; i < count; i++)
        if (heights[i] > layer.highest) layer.highest = heights[i];
    if (to_x == 0 && to_z == 0) {
        for (int64_t i = 0; i < count; i++)
            lit[i] = to_y > 0 ? 1 : 0;
        return;
    }
    rt_parallel(rt, rows, LINES_A_CHUNK, sun_rows, &layer);
}
