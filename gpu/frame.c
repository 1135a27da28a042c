#include "gpu/frame.h"

#include "gpu/buffer.h"
#include "gpu/state.h"

#include <string.h>

void frame_init(Frame *frame) {
    frame->buffer = buffer_create_dynamic(sizeof(FrameBlock));
}

void frame_fini(Frame *frame) {
    glDeleteBuffers(1, &frame->buffer);
    *frame = (Frame){0};
}

static void set_row(float out[4], Vec v, double w) {
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
    out[3] = (float)w;
}

FrameBlock frame_block(const Eye *eye, int width, int height) {
    FrameBlock block = {0};
    memcpy(block.clip, eye->clip, sizeof block.clip);
    set_row(block.eye, eye->at, eye->orthographic);
    set_row(block.ray_right, vec_scale(eye->right, eye->half_width), 0);
    set_row(block.ray_up, vec_scale(eye->up, eye->half_height), 0);
    set_row(block.ray_forward, eye->forward, 0);
    block.picture[0] = (float)width;
    block.picture[1] = (float)height;
    block.picture[2] = (float)(2 * eye->half_height / height);
    return block;
}

void frame_use(const Frame *frame, const FrameBlock *block) {
    glNamedBufferSubData(frame->buffer, 0, sizeof *block, block);
    state_uniforms(0, frame->buffer);
}

/* clip(p + viewer - light), x and y moved from -1..1 to 0..1. */
void frame_shadow_matrix(float out[16], const Eye *viewer, const Eye *light) {
    Vec shift = vec_sub(viewer->at, light->at);
    const double offset[3] = {shift.x, shift.y, shift.z};
    for (int row = 0; row < 4; row++) {
        double scale = row < 2 ? 0.5 : 1, base = row < 2 ? 0.5 : 0, moved = light->clip[12 + row];
        for (int column = 0; column < 3; column++) {
            out[column * 4 + row] = (float)(scale * light->clip[column * 4 + row]);
            moved += light->clip[column * 4 + row] * offset[column];
        }
        out[12 + row] = (float)(scale * moved + base);
    }
}
