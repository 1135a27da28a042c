/* Frames: where a part stands, how it is turned and how large it is, in its parent's frame or the world's.
 *
 * A turn is about the vertical, counterclockwise seen from above: a quarter turn takes east (+x) to north (-z).
 * Scale is uniform. A point p of the part lies at  at + scale * turn(p)  in the parent's frame.
 */
#ifndef WORLD_FRAME_FRAME_H
#define WORLD_FRAME_FRAME_H

#include <stdbool.h>

#include "runtime/geometry/vec3.h"

typedef struct Frame {
    Vec3 at;         /* meters */
    double cos, sin; /* of the turn */
    double turn;     /* radians, as the sum of the turns above it */
    double scale;
} Frame;

Frame frame_identity(void);
Frame frame_make(Vec3 at, double turn, double scale);
/* The frame of something that stands at `local` within `outer`. */
Frame frame_compose(const Frame *outer, const Frame *local);
/* The frame of what is outside, seen from within. The scale must not be 0. */
Frame frame_inverse(const Frame *frame);
/* A point of the frame, seen from outside it. */
Vec3 frame_to_outer(const Frame *frame, Vec3 p);
/* A point outside, seen in the frame. The scale must not be 0. */
Vec3 frame_to_local(const Frame *frame, Vec3 p);
/* A direction of the frame, seen from outside: turned, not moved or scaled. */
Vec3 frame_direction_to_outer(const Frame *frame, Vec3 d);
Vec3 frame_direction_to_local(const Frame *frame, Vec3 d);

/* The rows of a 3x4 matrix that takes what `inner` holds outside of `outer`, where between the two its own up leans to `up` of
 * `outer`, the shortest way. False: `up` is no direction. */
bool frame_leaning(const Frame *outer, const Frame *inner, Vec3 up, double matrix[12]);

#endif
