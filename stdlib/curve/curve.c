/* The curve package's native part. */
#include "runtime/geometry/curve.h"

#include <math.h>

#include "stdlib/stdlib_externs.h"

const RtCurve *curve_curve(Rt *rt, const RtList *points) {
    int64_t count = rt_list_length(points);
    if (count < 1 || count > INT32_MAX) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "points has %lld keys; a curve takes 1 or more", (long long)count);
        return NULL;
    }
    RtCurve *curve = curve_create(rt, (int32_t)count);
    for (int32_t i = 0; i < curve->count; i++) {
        const Slot *item = rt_list_item(points, i);
        curve->keys[i] = item[0].f;
        curve->values[i] = item[1].f;
        bool rises = i == 0 || curve->keys[i] > curve->keys[i - 1];
        if (rises && isfinite(curve->keys[i]) && isfinite(curve->values[i])) continue;
        if (rises)
            rt_fault(rt, RT_FAULT_ARGUMENT, "key %d of a curve is %g, its value %g", (int)i,
                     curve->keys[i], curve->values[i]);
        else
            rt_fault(rt, RT_FAULT_ARGUMENT, "a curve's keys must rise: %g after %g", curve->keys[i],
                     curve->keys[i - 1]);
        return NULL;
    }
    return curve;
}

double curve_at(Rt *rt, const RtCurve *self, double x) {
    (void)rt;
    return curve_value(self, x);
}

const RtList *curve_keys(Rt *rt, const RtCurve *self) {
    RtList *list = rt_list_create(rt, (RtShape){2, 0}, self->count);
    for (int32_t i = 0; i < self->count; i++) {
        Slot item[2] = {slot_f(self->keys[i]), slot_f(self->values[i])};
        list = rt_list_append(rt, list, list->shape, item);
    }
    return list;
}

double curve_firstKey(Rt *rt, const RtCurve *self) {
    (void)rt;
    return self->keys[0];
}

double curve_lastKey(Rt *rt, const RtCurve *self) {
    (void)rt;
    return self->keys[self->count - 1];
}

const RtCurve *curve_plus(Rt *rt, const RtCurve *self, const RtCurve *other) {
    return curve_add_scaled(rt, self, other, 1);
}

const RtCurve *curve_minus(Rt *rt, const RtCurve *self, const RtCurve *other) {
    return curve_add_scaled(rt, self, other, -1);
}
