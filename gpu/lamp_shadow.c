#include "gpu/lamp_shadow.h"

#include "gpu/shadow.h"

#include <math.h>

enum { SIDE = 512, LAMP_UNIT = 13 }; /* texels; as shaders/light.glsl has it */

static const double begins = 0.5, wide = 6; /* meters under the lamp, past its own glass; meters to a side at a meter: as light.glsl has them */

void lamp_shadow_init(LampShadow *shadow, bool low) {
    *shadow = (LampShadow){0};
    if (low) return;
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &shadow->map);
    glTextureStorage3D(shadow->map, 1, GL_DEPTH_COMPONENT32F, SIDE, SIDE, LAMPS_SHADED);
    shadow_sampled(shadow->map);
    glCreateFramebuffers(LAMPS_SHADED, shadow->framebuffers);
    for (int i = 0; i < LAMPS_SHADED; i++) {
        glNamedFramebufferTextureLayer(shadow->framebuffers[i], GL_DEPTH_ATTACHMENT, shadow->map, 0, i);
        glNamedFramebufferDrawBuffer(shadow->framebuffers[i], GL_NONE);
    }
}

void lamp_shadow_fini(LampShadow *shadow) {
    glDeleteFramebuffers(shadow->map ? LAMPS_SHADED : 0, shadow->framebuffers);
    glDeleteTextures(1, &shadow->map);
    *shadow = (LampShadow){0};
}

void lamp_shadow_forget(LampShadow *shadow) {
    for (int i = 0; i < LAMPS_SHADED; i++)
        shadow->drawn[i] = 0;
}

static void draw(const LampShadow *shadow, int layer, const Lamp *lamp, const LampScene *scene) {
    static const GLfloat far = 0;
    ViewCamera camera = {.from = {lamp->at.x, lamp->at.y, lamp->at.z}, .to = {lamp->at.x, lamp->at.y - 1, lamp->at.z}, .up = {0, 0, -1}, .fov = 2 * atan(wide)};
    Eye eye = eye_of(&camera, SIDE, SIDE);
    eye.clip[14] = (float)begins;
    FrameBlock block = frame_block(&eye, SIDE, SIDE);
    frame_use(scene->frame, &block);
    state_target(scene->state, shadow->framebuffers[layer], SIDE, SIDE);
    Pipe things = {.program = scene->programs->names[PROGRAM_SHADOW_THINGS], .depth = PIPE_DEPTH_WRITE, .bias = true};
    state_pipe(scene->state, &things);
    glClearNamedFramebufferfv(shadow->framebuffers[layer], GL_DEPTH, 0, &far);
    things_draw(scene->things, scene->state,
                &(ThingsView){.eye = &eye, .height = SIDE, .solid = &things, .cards = scene->programs->names[PROGRAM_SHADOW_CARDS]});
}

static int find_layer(const LampShadow *shadow, size_t number) {
    for (int i = 0; i < LAMPS_SHADED; i++)
        if (shadow->drawn[i] == number + 1) return i;
    return -1;
}

/* Of none of the first of the lamps. */
static int find_free(const LampShadow *shadow, const Lamps *lamps) {
    for (int i = 0; i < LAMPS_SHADED; i++) {
        bool needed = false;
        for (size_t k = 0; k < lamps->shine && k < LAMPS_SHADED; k++)
            needed |= shadow->drawn[i] == lamps->items[k].number + 1;
        if (!needed) return i;
    }
    return -1;
}

void lamp_shadow_update(LampShadow *shadow, Lamps *lamps, const LampScene *scene) {
    for (size_t k = 0; k < lamps->shine; k++) {
        Lamp *lamp = &lamps->items[k];
        lamp->layer = -1;
        if (shadow->map == 0 || k >= LAMPS_SHADED) continue;
        lamp->layer = find_layer(shadow, lamp->number);
        if (lamp->layer >= 0) continue;
        lamp->layer = find_free(shadow, lamps);
        draw(shadow, lamp->layer, lamp, scene);
        shadow->drawn[lamp->layer] = lamp->number + 1;
    }
}

void lamp_shadow_use(const LampShadow *shadow) {
    state_texture(LAMP_UNIT, shadow->map);
}
