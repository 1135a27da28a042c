/* A camera on its way: between the moments that the world answers it goes as a curve through them does (Catmull and Rom, 1974). */
#include "gpu/camera.h"

#include <math.h>
#include <string.h>

static void curve_at(const double *places, size_t count, double moment, double out[3]) {
    size_t i = (size_t)fmin(floor(moment), (double)(count - 2));
    double t = moment - (double)i;
    for (size_t k = 0; k < 3; k++) {
        double b = places[3 * i + k], c = places[3 * (i + 1) + k];
        double a = i > 0 ? places[3 * (i - 1) + k] : 2 * b - c, d = i + 2 < count ? places[3 * (i + 2) + k] : 2 * c - b;
        out[k] = b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
    }
}

ViewCamera view_camera_of(const WorldCamera *camera, double share) {
    ViewCamera out = {.fov = camera->fov};
    memcpy(out.from, camera->from, sizeof out.from);
    memcpy(out.to, camera->to, sizeof out.to);
    if (camera->moments < 2) return out;
    double moment = fmin(fmax(share, 0), 1) * (double)(camera->moments - 1);
    curve_at(camera->eyes, camera->moments, moment, out.from);
    curve_at(camera->looks, camera->moments, moment, out.to);
    return out;
}
