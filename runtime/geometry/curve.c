#include "runtime/geometry/curve.h"

#include <math.h>

#include "runtime/geometry/scalar.h"

RtCurve *curve_create(Rt *rt, int32_t count) {
    RtCurve *curve = ARENA_NEW(rt->arena, RtCurve);
    curve->head.kind = RT_CURVE;
    curve->count = count;
    curve->keys = ARENA_ARRAY(rt->arena, double, count);
    curve->values = ARENA_ARRAY(rt->arena, double, count);
    return curve;
}

double curve_value(const RtCurve *curve, double x) {
    const double *keys = curve->keys, *values = curve->values;
    if (isnan(x)) return x;
    if (x <= keys[0]) return values[0];
    if (x >= keys[curve->count - 1]) return values[curve->count - 1];
    int lo = 0, hi = curve->count - 1; /* keys[lo] <= x < keys[hi] */
    while (hi - lo > 1) {
        int middle = lo + (hi - lo) / 2;
        if (keys[middle] <= x)
            lo = middle;
        else
            hi = middle;
    }
    return values[lo] + (values[hi] - values[lo]) * ((x - keys[lo]) / (keys[hi] - keys[lo]));
}

RtCurve *curve_add_scaled(Rt *rt, const RtCurve *left, const RtCurve *right, double scale) {
    RtCurve *sum = curve_create(rt, left->count + right->count);
    int32_t count = 0, l = 0, r = 0;
    while (l < left->count || r < right->count) {
        double left_key = l < left->count ? left->keys[l] : INFINITY;
        double right_key = r < right->count ? right->keys[r] : INFINITY;
        double key = scalar_min(left_key, right_key);
        l += left_key == key;
        r += right_key == key;
        sum->keys[count] = key;
        sum->values[count++] = curve_value(left, key) + scale * curve_value(right, key);
    }
    sum->count = count;
    return sum;
}
