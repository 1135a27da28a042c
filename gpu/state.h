/* The one place where GL's state is changed.
 *
 * Whoever draws describes the pipeline it wants, whole; `state_pipe` compares it with what is set
 * and issues only the difference. Nothing else calls glEnable, glUseProgram, glBindFramebuffer and
 * their like.
 *
 * Depth is reversed: 1 is the eye's near plane, 0 infinitely far, so that float depth is precise
 * everywhere.
 */
#ifndef WORLD_GPU_STATE_H
#define WORLD_GPU_STATE_H

#include "gpu/gl.h"

#include <stdbool.h>

typedef enum PipeDepth {
    PIPE_DEPTH_NONE,
    PIPE_DEPTH_TEST, /* passes when nearer or equal, writes nothing */
    PIPE_DEPTH_WRITE, /* passes when nearer or equal, and writes */
    PIPE_DEPTH_NEARER /* passes when nearer, and writes */
} PipeDepth;

typedef struct Pipe {
    GLuint program;
    GLuint vertices; /* a vertex array */
    PipeDepth depth;
    bool cull;  /* back faces */
    bool blend; /* source over */
    bool bias;  /* pushes depth away from the eye by slope: for shadow maps */
} Pipe;

typedef struct State {
    Pipe pipe;
    GLuint target;
    int width, height;
    bool wire;
} State;

/* Sets what never changes again. */
void state_init(State *state);
/* Lets go of everything bound, so that it may be deleted (and its name come back for something
 * else). */
void state_rest(State *state);
void state_pipe(State *state, const Pipe *pipe);
/* Whether triangles are drawn as lines from now on. */
void state_wire(State *state, bool on);
/* Draws into a framebuffer; 0 is the window's own. */
void state_target(State *state, GLuint framebuffer, int width, int height);
/* Whether the target encodes sRGB as it is written; on but while bytes are copied as they are. */
void state_srgb(bool on);
void state_texture(GLuint unit, GLuint texture);
void state_uniforms(GLuint binding, GLuint buffer);
void state_storage(GLuint binding, GLuint buffer);
/* Where indirect draws read what they draw. */
void state_draws(GLuint buffer);
void state_dispatches(GLuint buffer);

#endif
