/* The erosion package's native part. */
#include "runtime/grid/grid.h"
#include "runtime/terrain/erode.h"
#include "runtime/terrain/uplift.h"
#include "stdlib/stdlib_externs.h"

static double number_at(const RtList *numbers, int64_t index) {
    return rt_list_item(numbers, index)->f;
}

static bool fits(Rt *rt, const RtGrid *grid, int32_t least, int32_t most) {
    if (grid->columns >= least && grid->rows >= least && grid->columns <= most && grid->rows <= most) return true;
    rt_fault(rt, RT_FAULT_ARGUMENT, "a grid of %d x %d points; from %d to %d a side are possible", (int)grid->columns, (int)grid->rows, (int)least, (int)most);
    return false;
}

static double all_ground(const Erosion *erosion) {
    double sum = 0;
    for (int64_t i = 0; i < (int64_t)erosion->columns * erosion->rows; i++)
        sum += erosion->ground[i] + erosion->load[i];
    return sum;
}

static bool store_all(Rt *rt, const Erosion *erosion, RtGrid *ground, RtGrid *water, RtGrid *loose) {
    for (int32_t row = 0; row < ground->rows; row++)
        for (int32_t column = 0; column < ground->columns; column++) {
            int64_t i = (int64_t)row * ground->columns + column;
            double deep = erosion->ground[i] - (double)erosion->rock[i];
            if (!grid_store(rt, ground, column, row, erosion->ground[i])) return false;
            if (!grid_store(rt, water, column, row, erosion->water[i])) return false;
            if (!grid_store(rt, loose, column, row, deep > 0 ? deep : 0)) return false;
        }
    return true;
}

StdEroded erosion_erodeGrid(Rt *rt, const RtHeightGrid *ground, const RtHeightGrid *rain, const RtHeightGrid *soft, const RtHeightGrid *loose, int64_t steps,
                            const RtList *numbers, StdOptional_double sea, int64_t border) {
    StdEroded made = {0};
    if (rt_failed(rt) || rt_list_length(numbers) != 9 || !fits(rt, ground, ERODE_LEAST, ERODE_MOST)) return made;
    ErodeSpec spec = {.rain = number_at(numbers, 0), .evaporation = number_at(numbers, 1), .pipe = number_at(numbers, 2), .capacity = number_at(numbers, 3),
                      .deep = number_at(numbers, 4), .dissolve = number_at(numbers, 5), .settle = number_at(numbers, 6), .talus = number_at(numbers, 7),
                      .slide = number_at(numbers, 8), .has_sea = sea.present, .sea = sea.value, .open = border == 0};
    RtGrid *out = grid_create_like(rt, ground, ground->outside), *water = grid_create_like(rt, ground, 0), *soil = grid_create_like(rt, ground, 0);
    if (out == NULL || water == NULL || soil == NULL) return made;
    RtScratchMark mark = rt_scratch_mark(rt);
    Erosion erosion;
    erosion_init(rt, &erosion, ground->columns, ground->rows, ground->cell, ground->heights, loose->heights);
    erosion.rain = rain->heights;
    erosion.soft = soft->heights;
    double before = all_ground(&erosion), square = ground->cell * ground->cell;
    if (erosion_run(rt, &erosion, &spec, steps)) {
        erosion_settle(&erosion);
        if (store_all(rt, &erosion, out, water, soil))
            made = (StdEroded){out, water, soil, erosion.left * square, (before - all_ground(&erosion) - erosion.left) * square};
    }
    rt_scratch_pop(rt, mark);
    return made;
}

const RtHeightGrid *erosion_upliftGrid(Rt *rt, const RtHeightGrid *ground, const RtHeightGrid *rise, int64_t steps, const RtList *numbers, StdOptional_double sea) {
    if (rt_failed(rt) || rt_list_length(numbers) != 4 || !fits(rt, ground, ERODE_LEAST, ERODE_MOST) || !grid_demand_whole(rt, ground, "streamPower")) return NULL;
    RtGrid *out = grid_copy_samples(rt, ground);
    if (out == NULL) return NULL;
    UpliftSpec spec = {.step = number_at(numbers, 0), .rate = number_at(numbers, 1), .cut = number_at(numbers, 2), .talus = number_at(numbers, 3),
                       .has_sea = sea.present, .sea = sea.value};
    uplift_run(rt, ground->columns, ground->rows, ground->cell, out->heights, rise->heights, &spec, steps);
    return out;
}
