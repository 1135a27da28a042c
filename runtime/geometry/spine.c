/* The questions of a spine. Laying it out is spine_layout.c. */
#include "runtime/geometry/spine.h"

#include <math.h>

#include "runtime/geometry/scalar.h"

double spine_get_length(const RtSpine *spine) {
    return spine->along[spine->count - 1];
}

/* The stretch in which a value lies that rises from laid point to laid point: at a joint the one that
 * begins there; the end ones run on. */
static int32_t stretch_of(const RtSpine *spine, const double *rising, double value) {
    int32_t lo = 0, hi = spine->count - 1;
    while (hi - lo > 1) {
        int32_t middle = lo + (hi - lo) / 2;
        if (rising[middle] <= value)
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

static int32_t stretch_at(const RtSpine *spine, double along) {
    return stretch_of(spine, spine->along, along);
}

static double stretch_part(const RtSpine *spine, int32_t stretch, double along) {
    double begin = spine->along[stretch], end = spine->along[stretch + 1];
    return (along - begin) / (end - begin);
}

Vec3 spine_spot(const RtSpine *spine, double along, double across) {
    int32_t i = stretch_at(spine, along);
    Vec3 run = vec3_sub(spine->points[i + 1], spine->points[i]);
    Vec3 spot = vec3_add(spine->points[i], vec3_scale(run, stretch_part(spine, i, along)));
    spot.x += spine->sides[i].x * across;
    spot.z += spine->sides[i].z * across;
    return spot;
}

Vec3 spine_heading(const RtSpine *spine, double along) {
    int32_t i = stretch_at(spine, along);
    Vec3 run = vec3_sub(spine->points[i + 1], spine->points[i]);
    return vec3_scale(run, 1 / sqrt(vec3_dot(run, run)));
}

double spine_index(const RtSpine *spine, double along) {
    if (along <= 0) return spine->index[0];
    if (along >= spine_get_length(spine)) return spine->index[spine->count - 1];
    int32_t i = stretch_at(spine, along);
    double begin = spine->index[i], end = spine->index[i + 1];
    return begin + (end - begin) * stretch_part(spine, i, along);
}

double spine_along_of_index(const RtSpine *spine, double index) {
    if (index <= spine->index[0]) return 0;
    if (index >= spine->index[spine->count - 1]) return spine_get_length(spine);
    int32_t i = stretch_of(spine, spine->index, index);
    double begin = spine->index[i], end = spine->index[i + 1];
    return scalar_lerp(spine->along[i], spine->along[i + 1], (index - begin) / (end - begin));
}

double spine_along_by(const RtSpine *spine, double along, double points) {
    double last = spine->count - 1;
    if (isnan(along) || isnan(points)) return NAN;
    along = scalar_clamp(along, 0, spine_get_length(spine));
    int32_t i = stretch_at(spine, along);
    double number = scalar_clamp(i + stretch_part(spine, i, along) + points, 0, last);
    i = (int32_t)scalar_min(floor(number), last - 1);
    return scalar_lerp(spine->along[i], spine->along[i + 1], number - i);
}

SpineHit spine_find_nearest(const RtSpine *spine, double x, double z, double within) {
    PolylineHit hit = polyline_find_nearest(&spine->plan, (PlanPoint){x, z}, within);
    if (hit.segment < 0) return (SpineHit){.distance = within};
    int32_t i = hit.segment;
    SpineHit answer = {.found = true, .stretch = i, .t = hit.t, .distance = sqrt(hit.square)};
    answer.along = spine_blend(spine->along, &answer);
    answer.index = spine_blend(spine->index, &answer);
    answer.across = (x - hit.at.x) * spine->sides[i].x + (z - hit.at.z) * spine->sides[i].z;
    double y = spine->points[i].y + (spine->points[i + 1].y - spine->points[i].y) * hit.t;
    answer.at = (Vec3){hit.at.x, y, hit.at.z};
    return answer;
}
