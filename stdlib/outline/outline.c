/* The outline package's native part. */
#include "runtime/geometry/outline.h"

#include "stdlib/stdlib_externs.h"

const RtOutline *outline_points(Rt *rt, const RtList *points) {
    int64_t count = rt_list_length(points);
    RtScratchMark mark = rt_scratch_mark(rt);
    PlanPoint *corners = rt_scratch_push(rt, sizeof *corners * (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        const Slot *item = rt_list_item(points, i);
        corners[i] = (PlanPoint){item[0].f, item[2].f};
    }
    RtOutline *outline = outline_create(rt, corners, count);
    rt_scratch_pop(rt, mark);
    return outline;
}

bool outline_contains(Rt *rt, const RtOutline *self, Vec3 here) {
    (void)rt;
    return outline_has_place(self, here.x, here.z);
}

double outline_signedDistance(Rt *rt, const RtOutline *self, Vec3 here) {
    (void)rt;
    return outline_signed_distance(self, here.x, here.z);
}

Vec3 outline_nearest(Rt *rt, const RtOutline *self, Vec3 here) {
    (void)rt;
    PlanPoint at = outline_find_nearest(self, here.x, here.z);
    return (Vec3){at.x, 0, at.z};
}

Vec3 outline_low(Rt *rt, const RtOutline *self) {
    (void)rt;
    return (Vec3){self->box.x0, 0, self->box.z0};
}

Vec3 outline_high(Rt *rt, const RtOutline *self) {
    (void)rt;
    return (Vec3){self->box.x1, 0, self->box.z1};
}

double outline_area(Rt *rt, const RtOutline *self) {
    (void)rt;
    return self->area;
}
