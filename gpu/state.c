#include "gpu/state.h"

static void set_capability(GLenum capability, bool on) {
    if (on)
        glEnable(capability);
    else
        glDisable(capability);
}

static void set_depth(PipeDepth depth) {
    set_capability(GL_DEPTH_TEST, depth != PIPE_DEPTH_NONE);
    glDepthMask(depth == PIPE_DEPTH_WRITE || depth == PIPE_DEPTH_NEARER);
    glDepthFunc(depth == PIPE_DEPTH_NEARER ? GL_GREATER : GL_GEQUAL);
}

void state_init(State *state) {
    *state = (State){0};
    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    glFrontFace(GL_CCW);
    glCullFace(GL_BACK);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glPolygonOffset(-1.6f, -2.0f);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    state_srgb(true);
    set_depth(PIPE_DEPTH_NONE);
}

void state_pipe(State *state, const Pipe *pipe) {
    Pipe *now = &state->pipe;
    if (now->program != pipe->program) glUseProgram(pipe->program);
    if (now->vertices != pipe->vertices) glBindVertexArray(pipe->vertices);
    if (now->depth != pipe->depth) set_depth(pipe->depth);
    if (now->cull != pipe->cull) set_capability(GL_CULL_FACE, pipe->cull);
    if (now->blend != pipe->blend) set_capability(GL_BLEND, pipe->blend);
    if (now->bias != pipe->bias) set_capability(GL_POLYGON_OFFSET_FILL, pipe->bias);
    *now = *pipe;
}

void state_rest(State *state) {
    state_pipe(state, &(Pipe){0});
    state_target(state, 0, 0, 0);
}

void state_wire(State *state, bool on) {
    if (state->wire != on) glPolygonMode(GL_FRONT_AND_BACK, on ? GL_LINE : GL_FILL);
    state->wire = on;
}

void state_target(State *state, GLuint framebuffer, int width, int height) {
    if (state->target != framebuffer) glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    if (state->width != width || state->height != height) glViewport(0, 0, width, height);
    state->target = framebuffer;
    state->width = width;
    state->height = height;
}

void state_srgb(bool on) {
    set_capability(GL_FRAMEBUFFER_SRGB, on);
}

void state_texture(GLuint unit, GLuint texture) {
    glBindTextureUnit(unit, texture);
}

void state_uniforms(GLuint binding, GLuint buffer) {
    glBindBufferBase(GL_UNIFORM_BUFFER, binding, buffer);
}

void state_storage(GLuint binding, GLuint buffer) {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
}

void state_draws(GLuint buffer) {
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffer);
}

void state_dispatches(GLuint buffer) {
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, buffer);
}
