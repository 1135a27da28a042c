/* Spines: a course through control points, laid out as short straight stretches and asked by
 * distance along.
 *
 *     control points   0 ───────────── 1 ──────── 2     numbers that `index` answers
 *     laid points      ·──·──·──·──·──·──·──·──·──·     int(chord) + 1 a span, in equal steps
 *     along            0 m .. length; past the ends a spine runs on straight
 *     across           meters to the right, looking the way it runs: the left is negative
 *
 * `along` is measured through space, `across` and the nearest place on the plan. Nothing here
 * follows the curve between laid points: what is answered is what is drawn.
 */
#ifndef WORLD_GEOMETRY_SPINE_H
#define WORLD_GEOMETRY_SPINE_H

#include "runtime/geometry/polyline.h"
#include "runtime/geometry/vec3.h"
#include "runtime/rt/rt.h"

typedef enum SpineKind { SPINE_UNIFORM, SPINE_CENTRIPETAL, SPINE_STRAIGHT } SpineKind;

/* How the curve begins and ends: as if its end point stood there twice, or as if it had come from
 * the mirror image of its neighbor. */
typedef enum SpineEnds { SPINE_DOUBLED, SPINE_OPEN } SpineEnds;

typedef struct RtSpine {
    RtObject head; /* RT_SPINE */
    int32_t control_count;
    int32_t count; /* laid points, at least 2, no two in a row the same */
    Vec3 *points;
    double *along;    /* of each laid point, rising from 0 */
    double *index;    /* control-point number of each */
    PlanPoint *sides; /* of each stretch: a meter to the right */
    Polyline plan;
    const RtClosure *ground; /* fn(point) meters, asked by whoever asks for spots; NULL: none */
} RtSpine;

typedef struct SpineHit {
    bool found; /* false: farther than asked; then only `distance` means anything */
    int32_t stretch;
    double t; /* 0 to 1 along the stretch */
    double distance, along, across, index;
    Vec3 at;
} SpineHit;

/* Lays a spine through `controls`. NULL after a fault: fewer than two places, a place that is no
 * number, or more laid points than the limit. `every` is the greatest length of a laid stretch,
 * about. */
RtSpine *spine_create(Rt *rt, const Vec3 *controls, int64_t count, SpineKind kind, SpineEnds ends,
                      double every);
/* The same course, its spots laid on a ground. */
RtSpine *spine_lay_on(Rt *rt, const RtSpine *spine, const RtClosure *ground);

double spine_get_length(const RtSpine *spine);
/* On the spine itself, whatever it is laid on. */
Vec3 spine_spot(const RtSpine *spine, double along, double across);
/* Of length 1. */
Vec3 spine_heading(const RtSpine *spine, double along);
/* Between 0 and the last control point's number. */
double spine_index(const RtSpine *spine, double along);
/* How far along a control point's number lies; held at the two ends. */
double spine_along_of_index(const RtSpine *spine, double index);
/* So many laid points farther on, with fractions between them; held at the two ends. */
double spine_along_by(const RtSpine *spine, double along, double points);
SpineHit spine_find_nearest(const RtSpine *spine, double x, double z, double within);

/* A value given for each laid point, at a place that spine_find_nearest found. */
static inline double spine_blend(const double *values, const SpineHit *hit) {
    double a = values[hit->stretch], b = values[hit->stretch + 1];
    return a + (b - a) * hit->t;
}

#endif
