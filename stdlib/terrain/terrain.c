/* The terrain package's native part. */
#include "runtime/grid/feature.h"

#include "stdlib/stdlib_externs.h"

const RtHeightGrid *terrain_press(Rt *rt, const RtHeightGrid *grid, const RtSpine *spine,
                                  double depth, double full_within, double gone_by,
                                  int64_t smoothed_along, int64_t passes,
                                  StdOptional_double end_height, double end_clear,
                                  double end_full) {
    PressDesc desc = {depth,   full_within,        gone_by,          smoothed_along,
                      passes,  end_height.present, end_height.value, end_clear,
                      end_full};
    return grid_press(rt, grid, spine, &desc);
}

const RtHeightGrid *terrain_carve(Rt *rt, const RtHeightGrid *grid, const RtSpine *spine,
                                  const RtCurve *bed, const RtCurve *flat, const RtCurve *banks,
                                  const RtCurve *rounding, double reach) {
    CarveDesc desc = {bed, flat, banks, rounding, reach};
    return grid_carve(rt, grid, spine, &desc);
}
