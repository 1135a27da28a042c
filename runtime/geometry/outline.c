#include "runtime/geometry/outline.h"

#include <math.h>

#include "runtime/geometry/scalar.h"

enum { MAX_CORNERS = 4 << 20 };

static PlanBox corners_box(const PlanPoint *corners, int32_t count) {
    PlanBox box = {corners[0].x, corners[0].x, corners[0].z, corners[0].z};
    for (int32_t i = 1; i < count; i++) {
        box.x0 = scalar_min(box.x0, corners[i].x);
        box.x1 = scalar_max(box.x1, corners[i].x);
        box.z0 = scalar_min(box.z0, corners[i].z);
        box.z1 = scalar_max(box.z1, corners[i].z);
    }
    return box;
}

/* The shoelace sum, taken from the first corner so that places far from the origin lose nothing. */
static double corners_area(const PlanPoint *corners, int32_t count) {
    double twice = 0;
    PlanPoint o = corners[0];
    for (int32_t i = 1; i < count; i++) {
        PlanPoint a = corners[i], b = corners[i + 1];
        twice += (a.x - o.x) * (b.z - o.z) - (b.x - o.x) * (a.z - o.z);
    }
    return fabs(twice) / 2;
}

RtOutline *outline_create(Rt *rt, const PlanPoint *corners, int64_t count) {
    if (count < 3 || count > MAX_CORNERS) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "points has %lld corners; an outline takes 3 to %d",
                 (long long)count, (int)MAX_CORNERS);
        return NULL;
    }
    for (int64_t i = 0; i < count; i++) {
        if (fabs(corners[i].x) <= 1e12 && fabs(corners[i].z) <= 1e12) continue;
        rt_fault(rt, RT_FAULT_ARGUMENT, "corner %lld of an outline is no place", (long long)i);
        return NULL;
    }
    RtOutline *outline = ARENA_NEW(rt->arena, RtOutline);
    outline->head.kind = RT_OUTLINE;
    outline->count = (int32_t)count;
    outline->corners = ARENA_ARRAY(rt->arena, PlanPoint, count + 1);
    memcpy(outline->corners, corners, (size_t)count * sizeof *corners);
    outline->corners[count] = corners[0];
    outline->box = corners_box(outline->corners, outline->count);
    outline->area = corners_area(outline->corners, outline->count);
    polyline_init(&outline->border, rt->arena, outline->corners, outline->count);
    return outline;
}

/* A place that is no number is in no outline, and has no distance. */
bool outline_has_place(const RtOutline *outline, double x, double z) {
    if (isnan(x) || isnan(z)) return false;
    return polyline_classify(&outline->border, (PlanPoint){x, z}) != PLAN_OUTSIDE;
}

double outline_signed_distance(const RtOutline *outline, double x, double z) {
    PlanPoint p = {x, z};
    if (isnan(x) || isnan(z)) return NAN;
    PlanSide side = polyline_classify(&outline->border, p);
    if (side == PLAN_BORDER) return 0;
    double distance = sqrt(polyline_find_nearest(&outline->border, p, INFINITY).square);
    return side == PLAN_INSIDE ? -distance : distance;
}

PlanPoint outline_find_nearest(const RtOutline *outline, double x, double z) {
    return polyline_find_nearest(&outline->border, (PlanPoint){x, z}, INFINITY).at;
}
