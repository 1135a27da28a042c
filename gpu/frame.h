/* The frame block: what every shader knows of the eye, the light and the sea (shaders/frame.glsl).
 */
#ifndef WORLD_GPU_FRAME_H
#define WORLD_GPU_FRAME_H

#include "gpu/camera.h"
#include "gpu/gl.h"

enum { SHADOW_MAPS = 2 };

/* Laid out as std140. */
typedef struct FrameBlock {
    float clip[16];
    float eye[4], ray_right[4], ray_up[4], ray_forward[4];
    float sun[4], sea[4], picture[4], moment[4];
    float sun_color[4], sky_color[4], ground_color[4], air[4], wind[4];
    float shadow[SHADOW_MAPS][16];
    float planet[4];
    float gusts[4];
} FrameBlock;

typedef struct Frame {
    GLuint buffer;
} Frame;

void frame_init(Frame *frame);
void frame_fini(Frame *frame);
/* The part that follows from the eye; the rest is zero. */
FrameBlock frame_block(const Eye *eye, int width, int height);
/* Uploads and binds. */
void frame_use(const Frame *frame, const FrameBlock *block);
/* The eye-relative matrix of `viewer` that gives the texture coordinates and depth of `light`'s
 * map. */
void frame_shadow_matrix(float out[16], const Eye *viewer, const Eye *light);

#endif
