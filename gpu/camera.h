/* The eye: a ViewCamera worked out for one frame.
 *
 * Everything is drawn relative to the eye's place (worked out in double), so a world far from the
 * origin does not shake. Clip space has reversed depth with no far plane for a perspective eye.
 */
#ifndef WORLD_GPU_CAMERA_H
#define WORLD_GPU_CAMERA_H

#include "gpu/matrix.h"
#include "gpu/view.h"

typedef struct Eye {
    Vec at, right, up, forward;
    double half_width, half_height; /* at distance 1; in meters when orthographic */
    bool orthographic;
    float clip[16];      /* eye-relative place to clip space, column by column */
    double planes[5][4]; /* left, right, bottom, top, near; inside is positive, eye-relative */
} Eye;

Eye eye_of(const ViewCamera *camera, int width, int height);
/* An orthographic eye that looks along `forward`, seeing half_width by half_height and `depth`
 * meters deep, from `at`. */
Eye eye_orthographic(Vec at, Vec forward, Vec up, double half_width, double half_height,
                     double depth);
/* Whether a ball may be seen; its middle is eye-relative. */
bool eye_sees_ball(const Eye *eye, Vec middle, double radius);
/* How many pixels high a ball looks. */
double eye_pixels(const Eye *eye, Vec middle, double radius, int height);

#endif
