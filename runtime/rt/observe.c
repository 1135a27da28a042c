/* Whether somebody watches what packages do. */
#include "runtime/rt/rt.h"

bool rt_is_counted(const Rt *rt) {
    return rt->observer && rt->observer->row && !rt->observer->asks;
}

bool rt_is_asked(const Rt *rt, double x, double z) {
    const RtObserver *observer = rt->observer;
    if (observer == NULL || !observer->asks) return false;
    double dx = x - observer->x, dz = z - observer->z;
    return dx * dx + dz * dz <= observer->radius * observer->radius;
}
