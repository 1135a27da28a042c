#include "runtime/frame/frame.h"

#include <math.h>

#include "runtime/math/det_math.h"

Frame frame_identity(void) {
    return (Frame){.cos = 1, .scale = 1};
}

Frame frame_make(Vec3 at, double turn, double scale) {
    Frame frame = {.at = at, .turn = turn, .scale = scale};
    det_sincos(turn, &frame.sin, &frame.cos);
    return frame;
}

Vec3 frame_direction_to_outer(const Frame *frame, Vec3 d) {
    return (Vec3){d.x * frame->cos + d.z * frame->sin, d.y, d.z * frame->cos - d.x * frame->sin};
}

Vec3 frame_direction_to_local(const Frame *frame, Vec3 d) {
    return (Vec3){d.x * frame->cos - d.z * frame->sin, d.y, d.z * frame->cos + d.x * frame->sin};
}

Vec3 frame_to_outer(const Frame *frame, Vec3 p) {
    return vec3_add(frame->at, vec3_scale(frame_direction_to_outer(frame, p), frame->scale));
}

Vec3 frame_to_local(const Frame *frame, Vec3 p) {
    return vec3_scale(frame_direction_to_local(frame, vec3_sub(p, frame->at)), 1 / frame->scale);
}

Frame frame_compose(const Frame *outer, const Frame *local) {
    Frame frame = {.at = frame_to_outer(outer, local->at),
                   .turn = outer->turn + local->turn,
                   .scale = outer->scale * local->scale};
    frame.cos = outer->cos * local->cos - outer->sin * local->sin;
    frame.sin = outer->sin * local->cos + outer->cos * local->sin;
    return frame;
}

Frame frame_inverse(const Frame *frame) {
    Frame inverse = {
        .cos = frame->cos, .sin = -frame->sin, .turn = -frame->turn, .scale = 1 / frame->scale};
    inverse.at = frame_to_local(frame, (Vec3){0, 0, 0});
    return inverse;
}

/* Rows of the turn that takes (0, 1, 0) to the unit vector u the shortest way; straight down, half round the x axis. */
static void lean_rows(Vec3 u, Vec3 rows[3]) {
    bool over = u.y <= -1;
    double k = over ? 0 : 1 / (1 + u.y);
    rows[0] = (Vec3){1 - k * u.x * u.x, u.x, -k * u.x * u.z};
    rows[1] = (Vec3){-u.x, u.y, -u.z};
    rows[2] = (Vec3){-k * u.x * u.z, u.z, over ? -1 : 1 - k * u.z * u.z};
}

static Vec3 leant(const Vec3 rows[3], Vec3 p) {
    return (Vec3){vec3_dot(rows[0], p), vec3_dot(rows[1], p), vec3_dot(rows[2], p)};
}

bool frame_leaning(const Frame *outer, const Frame *inner, Vec3 up, double matrix[12]) {
    double length = sqrt(vec3_dot(up, up));
    Vec3 rows[3];
    if (!(length > 0)) return false;
    lean_rows(vec3_scale(up, 1 / length), rows);
    double c = inner->cos * inner->scale, s = inner->sin * inner->scale;
    const Vec3 columns[3] = {{c, 0, -s}, {0, inner->scale, 0}, {s, 0, c}};
    Vec3 at = frame_to_outer(outer, leant(rows, inner->at));
    for (int i = 0; i < 3; i++) {
        Vec3 seen = vec3_scale(frame_direction_to_outer(outer, leant(rows, columns[i])), outer->scale);
        matrix[i] = seen.x;
        matrix[4 + i] = seen.y;
        matrix[8 + i] = seen.z;
    }
    matrix[3] = at.x;
    matrix[7] = at.y;
    matrix[11] = at.z;
    return true;
}
