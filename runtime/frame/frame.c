#include "runtime/frame/frame.h"

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
