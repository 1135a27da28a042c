/* Curves: a quantity that runs in straight lines from key to key and stays level past the first and
 * the last. The values' unit is the checker's business; here they are numbers.
 */
#ifndef WORLD_GEOMETRY_CURVE_H
#define WORLD_GEOMETRY_CURVE_H

#include "runtime/rt/rt.h"

typedef struct RtCurve {
    RtObject head; /* RT_CURVE */
    int32_t count; /* at least 1 */
    double *keys;  /* rising */
    double *values;
} RtCurve;

/* Room for `count` keys, to be filled in by the caller. */
RtCurve *curve_create(Rt *rt, int32_t count);

double curve_value(const RtCurve *curve, double x);

/* left + scale * right at every x: its keys are those of both. */
RtCurve *curve_add_scaled(Rt *rt, const RtCurve *left, const RtCurve *right, double scale);

#endif
