#include "runtime/grid/feature.h"

#include <math.h>

#include "runtime/base/watch.h"
#include "runtime/geometry/scalar.h"
#include "runtime/grid/refine.h"

enum { ROWS_A_CHUNK = 16, TILES_A_CHUNK = 4 };

typedef struct Feature {
    const RtGrid *from;
    RtGrid *grid; /* a copy, once its rows are gone through */
    const RtSpine *spine;
    double reach;
    FeatureShape shape;
    const void *user;
    int32_t first_row, end_row; /* of those that can be near */
} Feature;

/* The grid's samples, or those of a patch of it. */
typedef struct Samples {
    const float *from;
    float *to;
    int64_t stride;           /* from row to row */
    int32_t column, row;      /* of the first, in the lattice of all of them */
    int32_t columns, rows;
    double cell;
} Samples;

static bool store(Rt *rt, float *to, double x, double z, double height) {
    *to = (float)height;
    if (isfinite(*to)) return true;
    rt_fault(rt, isnan(height) ? RT_FAULT_NAN : RT_FAULT_FIELD_INFINITE, "the height at (%g m, %g m) of a grid", x, z);
    return false;
}

static bool shape_row(Rt *rt, const Feature *feature, const Samples *samples, int32_t row) {
    double z = feature->grid->z0 + (samples->row + row) * samples->cell, x0, x1;
    if (!polyline_row_span(&feature->spine->plan, z, feature->reach, &x0, &x1)) return true;
    double origin = feature->grid->x0, last = samples->columns - 1;
    double first = scalar_clamp(ceil((x0 - origin) / samples->cell) - samples->column, 0, last + 1);
    double end = scalar_clamp(floor((x1 - origin) / samples->cell) - samples->column, -1, last);
    for (int32_t column = (int32_t)first; column <= (int32_t)end; column++) {
        double x = origin + (samples->column + column) * samples->cell;
        SpineHit hit = spine_find_nearest(feature->spine, x, z, feature->reach);
        if (!hit.found) continue;
        int64_t at = row * samples->stride + column;
        if (!store(rt, samples->to + at, x, z, feature->shape(feature->user, &hit, x, z, (double)samples->from[at])))
            return false;
    }
    return true;
}

/* Counted from the first that is gone through: of a copy all are. */
static void feature_rows(Rt *rt, void *user, int64_t begin, int64_t end) {
    const Feature *feature = user;
    const RtGrid *grid = feature->grid;
    bool copies = grid != feature->from;
    if (!copies) begin += feature->first_row, end += feature->first_row;
    int64_t columns = grid->columns, first = begin > feature->first_row ? begin : feature->first_row;
    Samples samples = {feature->from->heights, grid->heights, columns, 0, 0, grid->columns, grid->rows, grid->cell};
    if (copies) memcpy(grid->heights + begin * columns, feature->from->heights + begin * columns,
           sizeof(float) * (size_t)((end - begin) * columns));
    for (int64_t row = first; row < end && row < feature->end_row; row++)
        if (!shape_row(rt, feature, &samples, (int32_t)row)) return;
}

static int32_t held(int32_t value, int32_t most) {
    return value < most ? value : most;
}

static void feature_tiles(Rt *rt, void *user, int64_t begin, int64_t end) {
    const Feature *feature = user;
    const RtGrid *grid = feature->grid;
    FinerTiles from = grid_finer(feature->from), to = grid_finer(grid);
    int32_t step = FINER_TILE * grid->finer;
    for (int64_t tile = begin; tile < end; tile++) {
        int32_t column = (int32_t)(tile % to.across), row = (int32_t)(tile / to.across);
        int64_t number = finer_number(&to, column, row);
        if (number < 0) continue;
        Samples samples = {finer_patch(&from, number), (float *)(uintptr_t)finer_patch(&to, number), to.side, column * step, row * step, 0, 0,
                           grid->cell / grid->finer};
        samples.columns = held(to.side, (grid->columns - 1) * grid->finer + 1 - samples.column);
        samples.rows = held(to.side, (grid->rows - 1) * grid->finer + 1 - samples.row);
        for (int32_t k = 0; k < samples.rows; k++)
            if (!shape_row(rt, feature, &samples, k)) return;
    }
}

static void shape_tiles(Rt *rt, Feature *feature) {
    RtGrid *grid = feature->grid;
    int64_t samples = (int64_t)grid->columns * grid->rows;
    FinerTiles tiles = grid_finer(grid);
    if (grid != feature->from) memcpy(grid->heights + samples, feature->from->heights + samples, sizeof(float) * (size_t)grid->tail);
    rt_parallel(rt, (int64_t)finer_tile_count(&tiles), TILES_A_CHUNK, feature_tiles, feature);
    if (!rt_failed(rt)) grid_settle(grid);
}

RtGrid *feature_apply(Rt *rt, const RtGrid *grid, bool own, const RtSpine *spine, double reach,
                      FeatureShape shape, const void *user) {
    PlanBox box = polyline_box(&spine->plan);
    double first = scalar_clamp(ceil((box.z0 - reach - grid->z0) / grid->cell), 0, grid->rows);
    double end =
        scalar_clamp(floor((box.z1 + reach - grid->z0) / grid->cell) + 1, first, grid->rows);
    Feature feature = {grid, own ? (RtGrid *)(uintptr_t)grid : grid_twin(rt, grid), spine, reach, shape, user, (int32_t)first, (int32_t)end};
    rt_parallel(rt, own ? feature.end_row - feature.first_row : grid->rows, ROWS_A_CHUNK, feature_rows, &feature);
    if (grid->finer) shape_tiles(rt, &feature);
    return feature.grid;
}

/* -- press -- */

typedef struct Press {
    const PressDesc *desc;
    const double *line; /* a height for every laid point */
    Vec3 end;           /* the spine's last point */
} Press;

/* A stretch of a line that is smoothed as if there were nothing past it. A box that would reach past an
 * end is cut off there, or kept as long on either side. */
typedef struct Stretch {
    double *line;
    int64_t count;
    bool cut_first, cut_last;
} Stretch;

static int64_t least(int64_t a, int64_t b) {
    return b < a ? b : a;
}

/* One pass of a box of `width` points round each, of an even number one more after than before.
 * `sums` has room for count + 1. */
static void smooth_stretch(const Stretch *stretch, int64_t width, double *sums) {
    int64_t count = stretch->count;
    watch_work(4 * count);
    sums[0] = 0;
    for (int64_t i = 0; i < count; i++)
        sums[i + 1] = sums[i] + stretch->line[i];
    for (int64_t i = 0; i < count; i++) {
        int64_t room_before = i, room_after = count - 1 - i;
        int64_t before = least((width - 1) / 2, room_before), after = least(width / 2, room_after);
        if (!stretch->cut_first) after = least(after, room_before);
        if (!stretch->cut_last) before = least(before, room_after);
        stretch->line[i] = (sums[i + after + 1] - sums[i - before]) / (double)(before + after + 1);
    }
}

/* The heights of a spine's laid points, as far as there is ground under them. */
typedef struct Line {
    const RtSpine *spine;
    double *heights;
    bool *known;
} Line;

static int32_t line_find(const Line *line, int32_t from, bool known) {
    while (from < line->spine->count && line->known[from] != known)
        from++;
    return from;
}

/* Each run of points on the grid by itself: past the border nothing is known. */
static void line_smooth(const Line *line, const PressDesc *desc, double *sums) {
    int32_t count = line->spine->count, first = line_find(line, 0, true);
    while (first < count) {
        int32_t end = line_find(line, first, false);
        Stretch stretch = {line->heights + first, end - first, first == 0 && !desc->symmetric,
                           end == count && !desc->symmetric};
        for (int64_t pass = 0; pass < desc->passes; pass++)
            smooth_stretch(&stretch, desc->smoothed_along, sums);
        first = line_find(line, end, true);
    }
}

/* Past the known point `edge`: the line runs on straight for a stretch, and then level. */
static void line_run_on(const Line *line, int32_t edge, int step) {
    const double *along = line->spine->along;
    double height = line->heights[edge];
    int32_t count = line->spine->count, inner = edge - step, outer = edge + step;
    if (inner >= 0 && inner < count && line->known[inner] && outer >= 0 && outer < count)
        height += (height - line->heights[inner]) *
                  ((along[outer] - along[edge]) / (along[edge] - along[inner]));
    for (int32_t i = outer; i >= 0 && i < count; i += step)
        line->heights[i] = height;
}

static void line_bridge(const Line *line, int32_t from, int32_t to) {
    const double *along = line->spine->along;
    for (int32_t i = from + 1; i < to; i++)
        line->heights[i] = scalar_lerp(line->heights[from], line->heights[to],
                                       (along[i] - along[from]) / (along[to] - along[from]));
}

/* Heights where there is no ground, from those where there is. False: there is none at all. */
static bool line_fill(const Line *line) {
    int32_t count = line->spine->count, last = line_find(line, 0, true);
    if (last == count) return false;
    line_run_on(line, last, -1);
    for (int32_t next = line_find(line, last + 1, true); next < count;
         next = line_find(line, last + 1, true)) {
        line_bridge(line, last, next);
        last = next;
    }
    line_run_on(line, last, 1);
    return true;
}

/* In the working storage; NULL when no point of the spine lies on the grid. */
static const double *press_line(Rt *rt, const RtGrid *grid, const RtSpine *spine,
                                const PressDesc *desc) {
    size_t count = (size_t)spine->count;
    Line line = {spine, rt_scratch_push(rt, sizeof(double) * count),
                 rt_scratch_push(rt, sizeof(bool) * count)};
    double *sums = rt_scratch_push(rt, sizeof *sums * (count + 1));
    for (int32_t i = 0; i < spine->count && desc->ground; i++) {
        line.known[i] = true;
        line.heights[i] = curve_value(desc->ground, spine->index[i]);
    }
    for (int32_t i = 0; i < spine->count && !desc->ground; i++) {
        line.known[i] = grid_covers(grid, spine->points[i].x, spine->points[i].z);
        line.heights[i] = grid_height_at(grid, spine->points[i].x, spine->points[i].z);
    }
    line_smooth(&line, desc, sums);
    if (desc->has_end) {
        line.heights[count - 1] = desc->end_height;
        line.known[count - 1] = true;
    }
    return line_fill(&line) ? line.heights : NULL;
}

static double press_shape(const void *user, const SpineHit *hit, double x, double z,
                          double height) {
    const Press *press = user;
    const PressDesc *desc = press->desc;
    double dx = x - press->end.x, dz = z - press->end.z, from_end = sqrt(dx * dx + dz * dz);
    double depth = desc->depth * scalar_smoothstep(from_end, desc->end_clear, desc->end_full);
    double weight = 1 - scalar_smoothstep(hit->distance, desc->full_within, desc->gone_by);
    return scalar_lerp(height, spine_blend(press->line, hit) - depth, weight);
}

RtGrid *grid_press(Rt *rt, const RtGrid *grid, const RtSpine *spine, const PressDesc *desc) {
    bool good = desc->full_within >= 0 && desc->gone_by >= desc->full_within &&
                desc->gone_by <= 1e9 && desc->end_clear >= 0 && desc->end_full >= desc->end_clear &&
                desc->smoothed_along >= 1 && desc->passes >= 0 && desc->passes <= 1000 &&
                isfinite(desc->depth);
    if (!good) {
        rt_fault(rt, RT_FAULT_ARGUMENT,
                 "press wants 0 m <= fullWithin <= goneBy, 0 m <= endClear <= endFull, "
                 "smoothedAlong of 1 or more, passes of 0 to 1000 and a depth that is a number");
        return NULL;
    }
    if (!desc->ground && !grid_demand_whole(rt, grid, "press without ground:")) return NULL;
    RtScratchMark mark = rt_scratch_mark(rt);
    Press press = {desc, press_line(rt, grid, spine, desc), spine->points[spine->count - 1]};
    RtGrid *pressed = press.line  ? feature_apply(rt, grid, desc->own, spine, desc->gone_by, press_shape, &press)
                      : desc->own ? (RtGrid *)(uintptr_t)grid
                                  : grid_copy(rt, grid);
    rt_scratch_pop(rt, mark);
    return pressed;
}

/* -- carve -- */

static double carve_shape(const void *user, const SpineHit *hit, double x, double z,
                          double height) {
    (void)x;
    (void)z;
    const CarveDesc *desc = user;
    double beyond = scalar_max(hit->distance - curve_value(desc->flat, hit->index), 0);
    double trench =
        curve_value(desc->bed, hit->index) + beyond * curve_value(desc->banks, hit->index);
    double rounding = curve_value(desc->rounding, hit->index);
    if (trench >= height + rounding) return height;
    double weight = 1 - scalar_smoothstep(hit->distance, desc->reach / 2, desc->reach);
    return scalar_lerp(height, scalar_smooth_min(height, trench, rounding), weight);
}

static bool is_least(Rt *rt, const RtCurve *curve, const char *what) {
    for (int32_t i = 0; i < curve->count; i++) {
        if (curve->values[i] >= 0) continue;
        rt_fault(rt, RT_FAULT_ARGUMENT, "%s is %g at the control point %g, at least 0 is needed", what, curve->values[i], curve->keys[i]);
        return false;
    }
    return true;
}

RtGrid *grid_carve(Rt *rt, const RtGrid *grid, const RtSpine *spine, const CarveDesc *desc) {
    if (!is_least(rt, desc->flat, "flat") || !is_least(rt, desc->banks, "banks") || !is_least(rt, desc->rounding, "rounding"))
        return NULL;
    if (!(desc->reach > 0 && desc->reach <= 1e9)) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "reach is %g m, more than 0 m is needed", desc->reach);
        return NULL;
    }
    return feature_apply(rt, grid, desc->own, spine, desc->reach, carve_shape, desc);
}
