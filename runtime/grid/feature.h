/* Features of a land along a spine: press a walkway in, carve a brook through. Each gives a new
 * grid and leaves the old one as it was, unless nobody else holds that: then no more is touched than what the feature shapes. Only samples near the spine are touched, every one by its
 * own nearest place on the course, so a hairpin tighter than the feature is wide is pressed once.
 * Rows are worked on all threads. Where a spine leaves the grid there is no ground, and what is not
 * there counts for nothing: never the grid's answer past its border.
 */
#ifndef WORLD_GRID_FEATURE_H
#define WORLD_GRID_FEATURE_H

#include "runtime/geometry/curve.h"
#include "runtime/geometry/spine.h"
#include "runtime/grid/grid.h"

typedef struct PressDesc {
    double depth;                /* meters below the line */
    double full_within, gone_by; /* meters from the middle: the whole effect, none */
    int64_t smoothed_along;      /* laid points in the box that smooths the line */
    int64_t passes;
    bool has_end; /* the line's last point is set to end_height */
    double end_height;
    double end_clear,
        end_full;   /* meters from the spine's last point: no depth within, all of it beyond */
    const RtCurve *ground; /* heights along the spine by control-point number, of a land of which the grid is a window; or NULL */
    bool symmetric; /* the box keeps as many points on either side at the spine's ends */
    bool own; /* nobody else holds the grid: it is changed where it lies, and answered */
} PressDesc;

RtGrid *grid_press(Rt *rt, const RtGrid *grid, const RtSpine *spine, const PressDesc *desc);

/* Curves by control-point number. */
typedef struct CarveDesc {
    const RtCurve *bed;      /* height of the trench's floor */
    const RtCurve *flat;     /* half its width */
    const RtCurve *banks;    /* rise over run beyond */
    const RtCurve *rounding; /* width over which trench and ground are blended */
    double reach; /* meters: nothing farther is touched; the carving fades over its outer half */
    bool own;     /* as of PressDesc */
} CarveDesc;

RtGrid *grid_carve(Rt *rt, const RtGrid *grid, const RtSpine *spine, const CarveDesc *desc);

/* Puts every sample nearer to the spine than `reach` through `shape`, which answers its new height.
 */
typedef double (*FeatureShape)(const void *user, const SpineHit *hit, double x, double z,
                               double height);
RtGrid *feature_apply(Rt *rt, const RtGrid *grid, bool own, const RtSpine *spine, double reach,
                      FeatureShape shape, const void *user);

#endif
