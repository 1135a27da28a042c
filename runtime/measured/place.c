/* Where the samples of a file lie in the world's meters. */
#include <math.h>

#include "runtime/math/det_math.h"
#include "runtime/measured/measured.h"

static const double radians = 0.017453292519943295769; /* a degree */

#define FAULT(rt, name, format, ...) rt_fault(rt, RT_FAULT_HEIGHTS, "'%.*s' " format, STR_ARG(name), __VA_ARGS__)

/* Meters of a degree at a latitude, on the ellipsoid WGS 84: (east, north). */
static void degree_lengths(double latitude, double *east, double *north) {
    static const double axis = 6378137, flattening = 1 / 298.257223563;
    double square = flattening * (2 - flattening);
    double sine, cosine;
    det_sincos(latitude * radians, &sine, &cosine);
    double w = 1 - square * sine * sine;
    *east = radians * axis / sqrt(w) * cosine;
    *north = radians * axis * (1 - square) / (w * sqrt(w));
}

static bool looks_like_degrees(const RasterHead *head) {
    double south = head->north - (double)(head->rows - 1) * head->step_south;
    double last = head->east + (double)(head->columns - 1) * head->step_east;
    return head->step_east < 0.1 && head->east >= -360 && last <= 360 && south >= -91 && head->north <= 91;
}

static bool find_plane(Rt *rt, Str name, const RasterHead *head, const MeasuredDesc *desc, RasterPlane *plane) {
    *plane = head->plane;
    if (head->plane == RASTER_PLANE_NONE) {
        if (desc->plane != MEASURED_FILE) FAULT(rt, name, "%s", "does not say where it lies, so plane: says nothing of it");
        return desc->plane == MEASURED_FILE;
    }
    if (desc->plane != MEASURED_FILE) *plane = desc->plane == MEASURED_METERS ? RASTER_PLANE_METERS : RASTER_PLANE_DEGREES;
    if (*plane != RASTER_PLANE_UNSAID) return true;
    *plane = RASTER_PLANE_METERS;
    if (!looks_like_degrees(head)) return true;
    FAULT(rt, name, "may be counted in meters or in degrees: its samples are %g apart; plane: degrees, or plane: meters, says which",
          head->step_east);
    return false;
}

/* Meters between samples, and of one of the plane's units. */
typedef struct Scale {
    double step_x, step_z, east, north;
} Scale;

static bool scale_of_degrees(Rt *rt, Str name, const RasterHead *head, const MeasuredDesc *desc, Scale *scale) {
    double middle = head->north - (double)(head->rows - 1) * head->step_south / 2;
    if (!(fabs(middle) <= 89)) {
        FAULT(rt, name, "lies at latitude %g degrees; up to 89 there is a plan of it", middle);
        return false;
    }
    if (desc->spacing.given) {
        FAULT(rt, name, "%s", "is counted in degrees, which spacing: cannot say otherwise; cell: says how far apart the ground's samples are");
        return false;
    }
    degree_lengths(middle, &scale->east, &scale->north);
    scale->step_x = head->step_east * scale->east;
    scale->step_z = head->step_south * scale->north;
    return true;
}

static bool scale_of_meters(Rt *rt, Str name, const RasterHead *head, const MeasuredDesc *desc, Scale *scale) {
    *scale = (Scale){.east = head->plane_unit, .north = head->plane_unit};
    scale->step_x = desc->spacing.given ? desc->spacing.value : head->step_east * head->plane_unit;
    scale->step_z = desc->spacing.given ? desc->spacing.value : head->step_south * head->plane_unit;
    if (head->plane != RASTER_PLANE_NONE || desc->spacing.given) return true;
    FAULT(rt, name, "%s", "does not say how far apart its samples are: spacing: does");
    return false;
}

static bool is_near(double a, double b) {
    return fabs(a - b) <= 1e-6 * b;
}

/* The ground has square cells; samples that have none are made anew, and only when that is wanted. */
static bool check_square(Rt *rt, Str name, const Scale *scale, bool degrees, const MeasuredDesc *desc) {
    if (desc->cell.given || is_near(scale->step_x, scale->step_z)) return true;
    FAULT(rt, name, "%shas samples %.4g m apart from west to east and %.4g m from north to south; cell: %.3g m makes squares of them",
          degrees ? "is counted in degrees and " : "", scale->step_x, scale->step_z, scale->step_z);
    return false;
}

bool measured_place(Rt *rt, Str name, const RasterHead *head, const MeasuredDesc *desc, MeasuredPlace *place) {
    RasterPlane plane;
    Scale scale = {0};
    if (!find_plane(rt, name, head, desc, &plane)) return false;
    bool degrees = plane == RASTER_PLANE_DEGREES, somewhere = plane != RASTER_PLANE_NONE;
    if (!(degrees ? scale_of_degrees(rt, name, head, desc, &scale) : scale_of_meters(rt, name, head, desc, &scale))) return false;
    if (!(scale.step_x > 0 && scale.step_x <= 1e9 && scale.step_z > 0 && scale.step_z <= 1e9)) {
        FAULT(rt, name, "has samples %g m apart, which is no length for ground", scale.step_x);
        return false;
    }
    if (!check_square(rt, name, &scale, degrees, desc)) return false;
    double width = (double)(head->columns - 1), height = (double)(head->rows - 1);
    *place = (MeasuredPlace){.step_x = scale.step_x, .step_z = scale.step_z, .x0 = -width * scale.step_x / 2, .z0 = -height * scale.step_z / 2};
    double middle_east = head->east + width * head->step_east / 2, middle_north = head->north - height * head->step_south / 2;
    if (!somewhere && !(desc->east.given && desc->north.given)) {
        if (desc->east.given || desc->north.given) FAULT(rt, name, "%s", "does not say where it lies: east: and north: say it together");
        return !rt_failed(rt);
    }
    if (somewhere && desc->east.given) place->x0 += (middle_east - desc->east.value) * scale.east;
    if (somewhere && desc->north.given) place->z0 += (desc->north.value - middle_north) * scale.north;
    place->reference = (Reference){.east = desc->east.given ? desc->east.value : middle_east,
                                   .north = desc->north.given ? desc->north.value : middle_north,
                                   .east_per_meter = 1 / scale.east,
                                   .north_per_meter = 1 / scale.north,
                                   .epsg = head->epsg,
                                   .degrees = degrees};
    bool sound = isfinite(place->reference.east) && isfinite(place->reference.north) && fabs(place->x0) <= 1e12 && fabs(place->z0) <= 1e12;
    if (!sound) FAULT(rt, name, "lies %g m and %g m from the world's origin, which is too far", place->x0, place->z0);
    return sound;
}
