#include "runtime/grid/feature.h"

#include <math.h>

#include "runtime/geometry/scalar.h"

enum { ROWS_A_CHUNK = 16 };

typedef struct Feature {
    RtGrid *grid;
    const RtSpine *spine;
    double reach;
    FeatureShape shape;
    const void *user;
    int32_t first_row; /* of those that can be near */
} Feature;

static bool feature_row(Rt *rt, const Feature *feature, int32_t row) {
    RtGrid *grid = feature->grid;
    double z = grid_z(grid, row), x0, x1;
    if (!polyline_row_span(&feature->spine->plan, z, feature->reach, &x0, &x1)) return true;
    double last = grid->columns - 1;
    double first = scalar_clamp(ceil((x0 - grid->x0) / grid->cell), 0, last + 1);
    double end = scalar_clamp(floor((x1 - grid->x0) / grid->cell), -1, last);
    for (int32_t column = (int32_t)first; column <= (int32_t)end; column++) {
        double x = grid_x(grid, column), height = grid_get(grid, column, row);
        SpineHit hit = spine_find_nearest(feature->spine, x, z, feature->reach);
        if (!hit.found) continue;
        if (!grid_store(rt, grid, column, row, feature->shape(feature->user, &hit, x, z, height)))
            return false;
    }
    return true;
}

static void feature_rows(Rt *rt, void *user, int64_t begin, int64_t end) {
    const Feature *feature = user;
    for (int64_t row = begin; row < end; row++)
        if (!feature_row(rt, feature, feature->first_row + (int32_t)row)) return;
}

RtGrid *feature_apply(Rt *rt, const RtGrid *grid, const RtSpine *spine, double reach,
                      FeatureShape shape, const void *user) {
    PlanBox box = polyline_box(&spine->plan);
    double first = scalar_clamp(ceil((box.z0 - reach - grid->z0) / grid->cell), 0, grid->rows);
    double end =
        scalar_clamp(floor((box.z1 + reach - grid->z0) / grid->cell) + 1, first, grid->rows);
    Feature feature = {grid_copy(rt, grid), spine, reach, shape, user, (int32_t)first};
    rt_parallel(rt, (int64_t)(end - first), ROWS_A_CHUNK, feature_rows, &feature);
    return feature.grid;
}

/* -- press -- */

typedef struct Press {
    const PressDesc *desc;
    const double *line; /* a height for every laid point */
    Vec3 end;           /* the spine's last point */
} Press;

/* One pass of a box of `width` points round each, shorter at the two ends. `sums` has room for
 * count + 1. */
static void smooth_line(double *line, int32_t count, int64_t width, double *sums) {
    int64_t before = (width - 1) / 2, after = width / 2;
    sums[0] = 0;
    for (int32_t i = 0; i < count; i++)
        sums[i + 1] = sums[i] + line[i];
    for (int64_t i = 0; i < count; i++) {
        int64_t first = i - before > 0 ? i - before : 0;
        int64_t end = i + after + 1 < count ? i + after + 1 : count;
        line[i] = (sums[end] - sums[first]) / (double)(end - first);
    }
}

/* In the working storage. */
static const double *press_line(Rt *rt, const RtGrid *grid, const RtSpine *spine,
                                const PressDesc *desc) {
    double *line = rt_scratch_push(rt, sizeof *line * (size_t)spine->count);
    double *sums = rt_scratch_push(rt, sizeof *sums * ((size_t)spine->count + 1));
    for (int32_t i = 0; i < spine->count; i++)
        line[i] = grid_height_at(grid, spine->points[i].x, spine->points[i].z);
    for (int64_t pass = 0; pass < desc->passes; pass++)
        smooth_line(line, spine->count, desc->smoothed_along, sums);
    if (desc->has_end) line[spine->count - 1] = desc->end_height;
    return line;
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
                 "smoothedAlong of 1 or more and passes of 0 to 1000");
        return NULL;
    }
    RtScratchMark mark = rt_scratch_mark(rt);
    Press press = {desc, press_line(rt, grid, spine, desc), spine->points[spine->count - 1]};
    RtGrid *pressed = feature_apply(rt, grid, spine, desc->gone_by, press_shape, &press);
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

RtGrid *grid_carve(Rt *rt, const RtGrid *grid, const RtSpine *spine, const CarveDesc *desc) {
    if (!(desc->reach > 0 && desc->reach <= 1e9)) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "carve wants a reach above 0 m");
        return NULL;
    }
    return feature_apply(rt, grid, spine, desc->reach, carve_shape, desc);
}
