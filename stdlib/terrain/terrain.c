/* The terrain package's native part. */
#include "runtime/grid/feature.h"
#include "runtime/grid/refine.h"

#include "stdlib/stdlib_externs.h"

/* The grid of which a feature makes another is let go of, unless that is the same. */
static const RtGrid *given_back(Rt *rt, const RtGrid *grid, const RtGrid *made) {
    if (made != grid) rt_release(rt, grid);
    return made;
}

const RtHeightGrid *terrain_refine(Rt *rt, const RtHeightGrid *grid, const RtSpine *spine, double within, double step) {
    return grid_refine(rt, grid, spine, within, step);
}

const RtHeightGrid *terrain_press(Rt *rt, const RtHeightGrid *grid, const RtSpine *spine,
                                  double depth, double full_within, double gone_by,
                                  int64_t smoothed_along, int64_t passes,
                                  StdOptional_double end_height, double end_clear, double end_full,
                                  int64_t end_box, StdOptional_constRtCurve ground) {
    PressDesc desc = {.depth = depth,
                      .full_within = full_within,
                      .gone_by = gone_by,
                      .smoothed_along = smoothed_along,
                      .passes = passes,
                      .has_end = end_height.present,
                      .end_height = end_height.value,
                      .end_clear = end_clear,
                      .end_full = end_full,
                      .ground = ground.present ? ground.value : NULL,
                      .symmetric = end_box == STD_PRESS_END_BOX_SYMMETRIC,
                      .own = grid->head.holders == 1};
    return given_back(rt, grid, grid_press(rt, grid, spine, &desc));
}

void terrain_demandWhole(Rt *rt, const RtHeightGrid *grid, const RtText *what) {
    grid_demand_whole(rt, grid, str_printf(rt->arena, "%.*s", STR_ARG(what->text)).ptr);
}

const RtHeightGrid *terrain_carve(Rt *rt, const RtHeightGrid *grid, const RtSpine *spine,
                                  const RtCurve *bed, const RtCurve *flat, const RtCurve *banks,
                                  const RtCurve *rounding, double reach) {
    CarveDesc desc = {bed, flat, banks, rounding, reach, grid->head.holders == 1};
    return given_back(rt, grid, grid_carve(rt, grid, spine, &desc));
}
