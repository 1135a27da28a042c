#include "gpu/camera.h"

#include <math.h>

static const double near_distance = 0.1;      /* meters */
static const double orthographic_depth = 2e4; /* meters */

/* clip = (right.p / half_width, up.p / half_height, z, w), where z and w are affine in the distance
 * d = forward.p: perspective z = near, w = d; orthographic z = 1 - d / depth, w = 1. */
static void set_clip(Eye *eye, double z_slope, double z_base, double w_slope, double w_base) {
    Vec x = vec_scale(eye->right, 1 / eye->half_width),
        y = vec_scale(eye->up, 1 / eye->half_height);
    Vec z = vec_scale(eye->forward, z_slope), w = vec_scale(eye->forward, w_slope);
    const double columns[4][4] = {
        {x.x, y.x, z.x, w.x}, {x.y, y.y, z.y, w.y}, {x.z, y.z, z.z, w.z}, {0, 0, z_base, w_base}};
    for (int i = 0; i < 16; i++)
        eye->clip[i] = (float)columns[i / 4][i % 4];
}

static void set_plane(double plane[4], Vec normal, double distance) {
    double length = vec_length(normal);
    plane[0] = normal.x / length;
    plane[1] = normal.y / length;
    plane[2] = normal.z / length;
    plane[3] = distance / length;
}

static void set_planes(Eye *eye) {
    /* A place is inside when |right.p| <= half_width * (orthographic ? 1 : forward.p), and so for
     * up. */
    Vec along = eye->orthographic ? (Vec){0} : eye->forward;
    double base = eye->orthographic ? 1 : 0;
    const Vec sides[2] = {eye->right, eye->up};
    const double halves[2] = {eye->half_width, eye->half_height};
    for (int i = 0; i < 4; i++) {
        Vec side = vec_scale(sides[i / 2], i % 2 ? -1 : 1);
        set_plane(eye->planes[i], vec_add(side, vec_scale(along, halves[i / 2])),
                  base * halves[i / 2]);
    }
    set_plane(eye->planes[4], eye->forward, 0);
}

static void set_axes(Eye *eye, Vec forward, Vec up) {
    eye->forward = vec_unit(forward);
    Vec right = vec_cross(eye->forward, up);
    /* Looking straight up or down, north (-z) is at the top. */
    if (vec_length(right) < 1e-9) right = vec_cross(eye->forward, (Vec){0, 0, -1});
    eye->right = vec_unit(right);
    eye->up = vec_cross(eye->right, eye->forward);
}

Eye eye_orthographic(Vec at, Vec forward, Vec up, double half_width, double half_height,
                     double depth) {
    Eye eye = {
        .at = at, .half_width = half_width, .half_height = half_height, .orthographic = true};
    set_axes(&eye, forward, up);
    set_clip(&eye, -1 / depth, 1, 0, 1);
    set_planes(&eye);
    return eye;
}

Eye eye_of(const ViewCamera *camera, int width, int height) {
    Vec up = {camera->up[0], camera->up[1], camera->up[2]};
    if (vec_length(up) < 1e-9) up = (Vec){0, 1, 0};
    Vec from = {camera->from[0], camera->from[1], camera->from[2]};
    Vec to = {camera->to[0], camera->to[1], camera->to[2]};
    double aspect = (double)width / height;
    if (camera->orthographic) {
        double half = camera->extent > 0 ? camera->extent / 2 : 500;
        return eye_orthographic(from, vec_sub(to, from), up, half * aspect, half,
                                orthographic_depth);
    }
    double half = tan((camera->fov > 0 ? camera->fov : 50 * M_PI / 180) / 2);
    Eye eye = {.at = from, .half_width = half * aspect, .half_height = half};
    set_axes(&eye, vec_sub(to, from), up);
    set_clip(&eye, 0, near_distance, 1, 0);
    set_planes(&eye);
    return eye;
}

bool eye_sees_ball(const Eye *eye, Vec middle, double radius) {
    for (int i = 0; i < 5; i++) {
        const double *plane = eye->planes[i];
        if (plane[0] * middle.x + plane[1] * middle.y + plane[2] * middle.z + plane[3] < -radius)
            return false;
    }
    return true;
}

double eye_pixels(const Eye *eye, Vec middle, double radius, int height) {
    double distance = eye->orthographic ? 1 : vec_dot(middle, eye->forward);
    if (distance < near_distance) distance = near_distance;
    return radius / (eye->half_height * distance) * height;
}
