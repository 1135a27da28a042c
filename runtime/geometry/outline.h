/* Outlines: a closed border on the plan, its corners (x, z), asked what lies inside.
 *
 * Inside is the even-odd rule: where the border crosses itself, what it goes round twice is
 * outside. The border itself belongs to the outline, decided exactly. Winding makes no difference.
 */
#ifndef WORLD_GEOMETRY_OUTLINE_H
#define WORLD_GEOMETRY_OUTLINE_H

#include "runtime/geometry/polyline.h"
#include "runtime/rt/rt.h"

typedef struct RtOutline {
    RtObject head;      /* RT_OUTLINE */
    int32_t count;      /* corners, at least 3 */
    PlanPoint *corners; /* count + 1: the first again at the end */
    Polyline border;
    PlanBox box; /* exactly round the corners */
    double area; /* square meters, never negative; of a border that crosses itself the net one */
} RtOutline;

/* NULL after a fault: fewer than three corners or a corner that is no place. */
RtOutline *outline_create(Rt *rt, const PlanPoint *corners, int64_t count);

bool outline_has_place(const RtOutline *outline, double x, double z);
/* Meters from the border: negative inside, positive outside, 0 on it. */
double outline_signed_distance(const RtOutline *outline, double x, double z);
/* The nearest place on the border. */
PlanPoint outline_find_nearest(const RtOutline *outline, double x, double z);

#endif
