/* The masks package's native part. */
#include <math.h>

#include "runtime/grid/grid.h"
#include "runtime/terrain/masks.h"
#include "stdlib/stdlib_externs.h"

const RtHeightGrid *masks_distanceGrid(Rt *rt, const RtHeightGrid *mask, double most) {
    RtGrid *out = grid_create_like(rt, mask, 0);
    if (out == NULL) return NULL;
    mask_distances(rt, mask->columns, mask->rows, mask->cell, mask->heights, out->heights);
    for (int64_t i = 0; i < (int64_t)out->columns * out->rows; i++)
        if (!((double)out->heights[i] <= most)) out->heights[i] = (float)most;
    return out;
}

const RtHeightGrid *masks_skyView(Rt *rt, const RtHeightGrid *ground) {
    RtGrid *out = grid_demand_whole(rt, ground, "skyView") ? grid_create_like(rt, ground, 0) : NULL;
    if (out) mask_sky(rt, ground->columns, ground->rows, ground->cell, ground->heights, out->heights);
    return out;
}

const RtHeightGrid *masks_sunlight(Rt *rt, const RtHeightGrid *ground, Vec3 to) {
    double size = sqrt(to.x * to.x + to.y * to.y + to.z * to.z);
    if (!(size > 0 && isfinite(size))) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "toSun is (%g, %g, %g), which is no direction", to.x, to.y, to.z);
        return NULL;
    }
    RtGrid *out = grid_demand_whole(rt, ground, "sunlight") ? grid_create_like(rt, ground, 0) : NULL;
    if (out) mask_sun(rt, ground->columns, ground->rows, ground->cell, ground->heights, to.x, to.y, to.z, out->heights);
    return out;
}
