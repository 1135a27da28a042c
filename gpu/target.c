#include "gpu/target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_complete(GLuint framebuffer, char *error, size_t size) {
    GLenum status = glCheckNamedFramebufferStatus(framebuffer, GL_FRAMEBUFFER);
    if (status == GL_FRAMEBUFFER_COMPLETE) return true;
    snprintf(error, size, "the driver refuses a framebuffer (0x%x)", status);
    return false;
}

static void create_color(Picture *p) {
    if (p->one_sample) {
        glCreateTextures(GL_TEXTURE_2D, 1, &p->color);
        glTextureStorage2D(p->color, 1, GL_RGBA8, p->width, p->height);
        glTextureParameteri(p->color, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTextureParameteri(p->color, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTextureParameteri(p->color, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glNamedFramebufferTexture(p->framebuffer, GL_COLOR_ATTACHMENT0, p->color, 0);
        return;
    }
    glCreateRenderbuffers(1, &p->color);
    glNamedRenderbufferStorageMultisample(p->color, TARGET_SAMPLES, GL_SRGB8_ALPHA8, p->width, p->height);
    glNamedFramebufferRenderbuffer(p->framebuffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, p->color);
}

bool picture_init(Picture *p, const PictureDesc *desc, char *error, size_t size) {
    int width = desc->width, height = desc->height;
    *p = (Picture){.width = width, .height = height, .one_sample = desc->one_sample};
    glCreateFramebuffers(1, &p->framebuffer);
    create_color(p);
    glCreateRenderbuffers(1, &p->depth);
    glNamedRenderbufferStorageMultisample(p->depth, p->one_sample ? 0 : TARGET_SAMPLES, GL_DEPTH_COMPONENT32F, width, height);
    glNamedFramebufferRenderbuffer(p->framebuffer, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, p->depth);
    glCreateTextures(GL_TEXTURE_2D, 1, &p->resolved);
    glTextureStorage2D(p->resolved, 1, GL_SRGB8_ALPHA8, width, height);
    glCreateFramebuffers(1, &p->resolved_framebuffer);
    glNamedFramebufferTexture(p->resolved_framebuffer, GL_COLOR_ATTACHMENT0, p->resolved, 0);
    if (is_complete(p->framebuffer, error, size) &&
        is_complete(p->resolved_framebuffer, error, size))
        return true;
    picture_fini(p);
    return false;
}

void picture_fini(Picture *p) {
    glDeleteFramebuffers(1, &p->framebuffer);
    glDeleteFramebuffers(1, &p->resolved_framebuffer);
    if (p->one_sample)
        glDeleteTextures(1, &p->color);
    else
        glDeleteRenderbuffers(1, &p->color);
    glDeleteRenderbuffers(1, &p->depth);
    glDeleteTextures(1, &p->resolved);
    *p = (Picture){0};
}

void picture_begin(const Picture *p, State *state, const float background[4]) {
    static const GLfloat far = 0;
    state_target(state, p->framebuffer, p->width, p->height);
    state_pipe(state, &(Pipe){.depth = PIPE_DEPTH_WRITE});
    glClearNamedFramebufferfv(p->framebuffer, GL_COLOR, 0, background);
    glClearNamedFramebufferfv(p->framebuffer, GL_DEPTH, 0, &far);
}

/* All of it is copied, byte for byte, and then only edges are drawn over it. */
static void smooth(const Picture *p, State *state, GLuint edges, GLuint nothing) {
    glCopyImageSubData(p->color, GL_TEXTURE_2D, 0, 0, 0, 0, p->resolved, GL_TEXTURE_2D, 0, 0, 0, 0, p->width, p->height, 1);
    state_srgb(false);
    state_texture(1, p->color);
    state_pipe(state, &(Pipe){.program = edges, .vertices = nothing});
    glDrawArrays(GL_TRIANGLES, 0, 3);
    state_srgb(true);
}

void picture_resolve(const Picture *p, State *state, GLuint edges, GLuint nothing) {
    state_target(state, p->resolved_framebuffer, p->width, p->height);
    if (p->one_sample) {
        smooth(p, state, edges, nothing);
        return;
    }
    glBlitNamedFramebuffer(p->framebuffer, p->resolved_framebuffer, 0, 0, p->width, p->height, 0, 0,
                           p->width, p->height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

static void swap_rows(unsigned char *a, unsigned char *b, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

void picture_read(const Picture *p, unsigned char *rgba) {
    size_t row = (size_t)p->width * 4, rows = (size_t)p->height;
    glGetTextureImage(p->resolved, 0, GL_RGBA, GL_UNSIGNED_BYTE, (GLsizei)(row * rows), rgba);
    for (size_t j = 0; j < rows / 2; j++)
        swap_rows(rgba + j * row, rgba + (rows - 1 - j) * row, row);
}

void picture_show(const Picture *p, int width, int height) {
    /* The window's buffer holds sRGB bytes without saying so: copy them as they are. */
    state_srgb(false);
    glBlitNamedFramebuffer(p->resolved_framebuffer, 0, 0, 0, p->width, p->height, 0, 0, width,
                           height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    state_srgb(true);
}

bool height_picture_init(HeightPicture *p, int width, int height, char *error, size_t size) {
    *p = (HeightPicture){.width = width, .height = height};
    glCreateTextures(GL_TEXTURE_2D, 1, &p->value);
    glTextureStorage2D(p->value, 1, GL_R32F, width, height);
    glCreateRenderbuffers(1, &p->depth);
    glNamedRenderbufferStorage(p->depth, GL_DEPTH_COMPONENT32F, width, height);
    glCreateFramebuffers(1, &p->framebuffer);
    glNamedFramebufferTexture(p->framebuffer, GL_COLOR_ATTACHMENT0, p->value, 0);
    glNamedFramebufferRenderbuffer(p->framebuffer, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, p->depth);
    if (is_complete(p->framebuffer, error, size)) return true;
    height_picture_fini(p);
    return false;
}

void height_picture_fini(HeightPicture *p) {
    glDeleteFramebuffers(1, &p->framebuffer);
    glDeleteRenderbuffers(1, &p->depth);
    glDeleteTextures(1, &p->value);
    *p = (HeightPicture){0};
}

void height_picture_begin(const HeightPicture *p, State *state) {
    static const GLfloat nothing[4] = {NAN, NAN, NAN, NAN}, far = 0;
    state_target(state, p->framebuffer, p->width, p->height);
    state_pipe(state, &(Pipe){.depth = PIPE_DEPTH_WRITE});
    glClearNamedFramebufferfv(p->framebuffer, GL_COLOR, 0, nothing);
    glClearNamedFramebufferfv(p->framebuffer, GL_DEPTH, 0, &far);
}

void height_picture_read(const HeightPicture *p, float *values) {
    GLsizei bytes = (GLsizei)((size_t)p->width * (size_t)p->height * sizeof(float));
    glGetTextureImage(p->value, 0, GL_RED, GL_FLOAT, bytes, values);
}
