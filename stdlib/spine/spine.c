/* The spine package's native part: the runtime's spines as the language asks them. */
#include "runtime/geometry/spine.h"

#include <math.h>

#include "stdlib/placing/placing.h"
#include "stdlib/stdlib_externs.h"

const RtSpine *spine_through(Rt *rt, const RtList *points, int64_t kind, int64_t ends,
                             double every) {
    _Static_assert(sizeof(Vec3) == 3 * sizeof(Slot), "a list of points is an array of them");
    int64_t count = rt_list_length(points);
    const Vec3 *controls = count ? (const Vec3 *)(const void *)points->items : NULL;
    return spine_create(rt, controls, count, (SpineKind)kind, (SpineEnds)ends, every);
}

double spine_length(Rt *rt, const RtSpine *self) {
    (void)rt;
    return spine_get_length(self);
}

const RtList *spine_points(Rt *rt, const RtSpine *self) {
    RtList *list = rt_list_create(rt, (RtShape){3, 0}, self->count);
    for (int32_t i = 0; i < self->count; i++) {
        Slot item[3] = {slot_f(self->points[i].x), slot_f(self->points[i].y),
                        slot_f(self->points[i].z)};
        list = rt_list_append(rt, list, list->shape, item);
    }
    return list;
}

const RtList *spine_alongs(Rt *rt, const RtSpine *self) {
    RtList *list = rt_list_create(rt, (RtShape){1, 0}, self->count);
    for (int32_t i = 0; i < self->count; i++) {
        Slot item = slot_f(self->along[i]);
        list = rt_list_append(rt, list, list->shape, &item);
    }
    return list;
}

Vec3 spine_plainSpot(Rt *rt, const RtSpine *self, double along, double across) {
    (void)rt;
    return spine_spot(self, along, across);
}

Vec3 spine_headingAt(Rt *rt, const RtSpine *self, double along) {
    (void)rt;
    return spine_heading(self, along);
}

double spine_indexAt(Rt *rt, const RtSpine *self, double along) {
    (void)rt;
    return spine_index(self, along);
}

double spine_alongAt(Rt *rt, const RtSpine *self, double index) {
    (void)rt;
    return spine_along_of_index(self, index);
}

double spine_alongBy(Rt *rt, const RtSpine *self, double along, double points) {
    (void)rt;
    return spine_along_by(self, along, points);
}

StdNearestPlace spine_findNearest(Rt *rt, const RtSpine *self, Vec3 here, double within) {
    if (!(within >= 0))
        rt_fault(rt, RT_FAULT_ARGUMENT, "within is %g m, at least 0 m is needed", within);
    SpineHit hit = spine_find_nearest(self, here.x, here.z, within >= 0 ? within : 0);
    if (!hit.found) return (StdNearestPlace){.distance = hit.distance};
    return (StdNearestPlace){.found = true,
                             .distance = hit.distance,
                             .along = hit.along,
                             .across = hit.across,
                             .at = hit.at,
                             .index = hit.index};
}

const RtSpine *spine_laidOn(Rt *rt, const RtSpine *self, StdLand ground) {
    return spine_lay_on(rt, self, ground.height);
}

bool spine_isLaid(Rt *rt, const RtSpine *self) {
    (void)rt;
    return self->ground != NULL;
}

const RtClosure *spine_groundOf(Rt *rt, const RtSpine *self) {
    if (!self->ground) rt_fault(rt, RT_FAULT_ARGUMENT, "this spine is laid on no ground");
    return self->ground;
}

Vec3 spine_nearestGround(Rt *rt, const RtSpine *self, Vec3 here) {
    RtPart *land = placing_part_of(self->ground);
    double least = INFINITY;
    Vec3 nearest = here;
    for (int i = 0; land && i < land->cls->ground_count && least > 0 && !rt_failed(rt); i++) {
        Ground ground;
        Vec3 there = here;
        if (!placing_ground(rt, land, i, &ground)) continue;
        double distance = ground_distance(&ground, here.x, here.z, &there.x, &there.z);
        if (!(distance < least)) continue;
        least = distance;
        nearest = distance > 0 ? there : here;
    }
    return nearest;
}
