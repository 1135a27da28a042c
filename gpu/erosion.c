#include "gpu/erosion.h"

#include <stdio.h>
#include <stdlib.h>

#include "gpu/buffer.h"
#include "gpu/program.h"
#include "gpu/state.h"

enum { BEFORE, AFTER, BASE, HELD, DRIVEN, SHARES, MAPS, BUFFER_COUNT };
enum { DRIVE, SHARE, WORK, PASS_COUNT };
enum { SIZE, CELL, FLOW, CARRY, SLOPE, SEA }; /* uniforms */
enum { GROUP = 8, STEPS_AT_ONCE = 32 };

typedef struct Run {
    const CardErosion *erosion;
    GLuint buffers[BUFFER_COUNT], passes[PASS_COUNT];
    size_t squares;
    float *numbers; /* four a square */
    State state;
} Run;

/* -- what it begins with -- */

static bool make_passes(Run *run, char *error, size_t size) {
    static const char *const files[PASS_COUNT] = {"erode.glsl erode_drive.comp", "erode.glsl erode_share.comp", "erode.glsl erode_work.comp"};
    const Programs none = {0};
    for (int i = 0; i < PASS_COUNT; i++) {
        run->passes[i] = program_compute(&none, files[i], NULL, NULL, error, size);
        if (run->passes[i] == 0) return false;
    }
    return true;
}

static void set_numbers(const Run *run) {
    const CardErosion *e = run->erosion;
    const ErodeSpec *s = e->spec;
    for (int i = 0; i < PASS_COUNT; i++) {
        GLuint pass = run->passes[i];
        glProgramUniform2i(pass, SIZE, e->columns, e->rows);
        glProgramUniform1f(pass, CELL, (float)e->cell);
        glProgramUniform4f(pass, FLOW, (float)s->pipe, s->open ? (float)s->pipe : 0, (float)s->rain, (float)(1 - s->evaporation));
        glProgramUniform4f(pass, CARRY, (float)s->capacity, (float)s->deep, (float)s->dissolve, (float)s->settle);
        glProgramUniform2f(pass, SLOPE, (float)(s->talus * e->cell), (float)s->slide);
        glProgramUniform2f(pass, SEA, s->has_sea ? 1 : 0, (float)s->sea);
    }
}

static bool make_buffers(Run *run, char *error, size_t size) {
    const CardErosion *e = run->erosion;
    GLint64 most = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    if (run->squares * 4 * sizeof(float) > (size_t)most) {
        snprintf(error, size, "%d x %d points are more than this card takes", (int)e->columns, (int)e->rows);
        return false;
    }
    run->numbers = calloc(run->squares, 4 * sizeof *run->numbers);
    if (run->numbers == NULL) {
        snprintf(error, size, "out of memory");
        return false;
    }
    size_t two = run->squares * 2 * sizeof(float);
    run->buffers[HELD] = buffer_create(run->numbers, two);
    run->buffers[DRIVEN] = buffer_create(run->numbers, two);
    run->buffers[SHARES] = buffer_create(run->numbers, two);
    run->buffers[AFTER] = buffer_create(run->numbers, 2 * two);
    run->buffers[BASE] = buffer_create(e->heights, run->squares * sizeof(float));
    for (size_t i = 0; i < run->squares; i++)
        run->numbers[4 * i + 3] = e->heights[i] - (e->loose ? e->loose[i] : 0);
    run->buffers[BEFORE] = buffer_create(run->numbers, 2 * two);
    for (size_t i = 0; i < run->squares; i++) {
        run->numbers[2 * i] = e->rain ? e->rain[i] : 1;
        run->numbers[2 * i + 1] = e->soft ? e->soft[i] : 1;
    }
    run->buffers[MAPS] = buffer_create(run->numbers, two);
    return glGetError() == GL_NO_ERROR || (snprintf(error, size, "the card has no memory for %d x %d points", (int)e->columns, (int)e->rows), false);
}

/* -- steps -- */

static void step(Run *run) {
    for (int i = 0; i < BUFFER_COUNT; i++)
        state_storage((GLuint)i, run->buffers[i]);
    for (int i = 0; i < PASS_COUNT; i++) {
        state_pipe(&run->state, &(Pipe){.program = run->passes[i]});
        glDispatchCompute((GLuint)(run->erosion->columns + GROUP - 1) / GROUP, (GLuint)(run->erosion->rows + GROUP - 1) / GROUP, 1);
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    }
    GLuint after = run->buffers[AFTER];
    run->buffers[AFTER] = run->buffers[BEFORE];
    run->buffers[BEFORE] = after;
}

static bool work(Run *run) {
    const CardErosion *e = run->erosion;
    for (int64_t k = 0; k < e->steps; k++) {
        if (k % STEPS_AT_ONCE == 0) {
            glFinish();
            if (e->goes_on && !e->goes_on(e->user, (double)k / (double)e->steps)) return false;
        }
        step(run);
    }
    return true;
}

static void read_answers(const Run *run, float *ground, float *water) {
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(run->buffers[BEFORE], 0, (GLsizeiptr)(run->squares * 4 * sizeof(float)), run->numbers);
    for (size_t i = 0; i < run->squares; i++) {
        const float *square = run->numbers + 4 * i;
        if (ground) ground[i] = (float)((double)run->erosion->heights[i] + ((double)square[0] + (double)square[2]));
        if (water) water[i] = square[1];
    }
}

bool erosion_on_card(const CardErosion *erosion, float *ground, float *water, char *error, size_t size) {
    Run run = {.erosion = erosion, .squares = (size_t)erosion->columns * (size_t)erosion->rows};
    snprintf(error, size, "%s", "");
    state_init(&run.state);
    bool good = make_passes(&run, error, size) && make_buffers(&run, error, size);
    if (good) set_numbers(&run);
    good = good && work(&run);
    if (good) read_answers(&run, ground, water);
    state_rest(&run.state);
    for (int i = 0; i < PASS_COUNT; i++)
        glDeleteProgram(run.passes[i]);
    glDeleteBuffers(BUFFER_COUNT, run.buffers);
    free(run.numbers);
    return good;
}
