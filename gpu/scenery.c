#include "gpu/scenery.h"

#include "gpu/gl.h"

#include <stdint.h>

enum {
    NOISE_SIZE = 256,
    NOISE_CELL = 16,
    NOISE_LATTICE = NOISE_SIZE / NOISE_CELL,
    NOISE_FIELDS = 4
};

enum { BANK_RINGS = 4, BANK_FAN = 6, MOST_BANK = 2048 }; /* as shaders/field.vert has them; steps along two sides */

static uint32_t mix_bits(uint32_t h) {
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    return h ^ (h >> 16);
}

/* A lattice value, the lattice wrapping at the texture's size. */
static float corner(int i, int j, int field) {
    uint32_t h = mix_bits((uint32_t)(i % NOISE_LATTICE) + 131u * (uint32_t)(j % NOISE_LATTICE) +
                          7919u * (uint32_t)field);
    return (float)(h >> 8) / 16777216.0f;
}

static float fade(float t) {
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static float value_noise(int x, int y, int field) {
    int i = x / NOISE_CELL, j = y / NOISE_CELL;
    float u = fade((float)(x % NOISE_CELL) / NOISE_CELL),
          v = fade((float)(y % NOISE_CELL) / NOISE_CELL);
    float top = corner(i, j, field) * (1 - u) + corner(i + 1, j, field) * u;
    float bottom = corner(i, j + 1, field) * (1 - u) + corner(i + 1, j + 1, field) * u;
    return top * (1 - v) + bottom * v;
}

static GLuint create_noise_map(void) {
    static const GLenum wraps[2] = {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T};
    uint8_t texels[NOISE_SIZE][NOISE_SIZE][NOISE_FIELDS];
    for (int y = 0; y < NOISE_SIZE; y++)
        for (int x = 0; x < NOISE_SIZE; x++)
            for (int field = 0; field < NOISE_FIELDS; field++)
                texels[y][x][field] = (uint8_t)(value_noise(x, y, field) * 255 + 0.5f);
    GLuint map;
    glCreateTextures(GL_TEXTURE_2D, 1, &map);
    glTextureStorage2D(map, 9, GL_RGBA8, NOISE_SIZE, NOISE_SIZE);
    glTextureSubImage2D(map, 0, 0, 0, NOISE_SIZE, NOISE_SIZE, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenerateTextureMipmap(map);
    glTextureParameteri(map, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTextureParameteri(map, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    for (int i = 0; i < 2; i++)
        glTextureParameteri(map, wraps[i], GL_REPEAT);
    return map;
}

void scenery_set_sky(Scenery *scenery, int columns, int rows, const float *rgba) {
    glDeleteTextures(1, &scenery->sky_map);
    glCreateTextures(GL_TEXTURE_2D, 1, &scenery->sky_map);
    glTextureStorage2D(scenery->sky_map, 1, GL_RGBA16F, columns, rows);
    glTextureSubImage2D(scenery->sky_map, 0, 0, 0, columns, rows, GL_RGBA, GL_FLOAT, rgba);
    glTextureParameteri(scenery->sky_map, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(scenery->sky_map, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(scenery->sky_map, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

void scenery_init(Scenery *scenery) {
    glCreateVertexArrays(1, &scenery->nothing);
    scenery->noise_map = create_noise_map();
}

void scenery_fini(Scenery *scenery) {
    glDeleteVertexArrays(1, &scenery->nothing);
    glDeleteTextures(1, &scenery->noise_map);
    glDeleteTextures(1, &scenery->sky_map);
    *scenery = (Scenery){0};
}

void scenery_use(const Scenery *scenery) {
    state_texture(3, scenery->noise_map);
    state_texture(6, scenery->sky_map);
}

void scenery_draw_plane(const Scenery *scenery, State *state, GLuint program) {
    state_pipe(state, &(Pipe){.program = program,
                              .vertices = scenery->nothing,
                              .depth = PIPE_DEPTH_WRITE});
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static int steps_of(int samples, int apart) {
    return (samples - 1 + apart - 1) / apart;
}

void scenery_draw_bank(const Scenery *scenery, State *state, GLuint program, int columns, int rows, double width) {
    int apart = 1;
    while (steps_of(columns, apart) + steps_of(rows, apart) > MOST_BANK)
        apart *= 2;
    int count = 2 * (steps_of(columns, apart) + steps_of(rows, apart)) + 4 * BANK_FAN;
    state_pipe(state, &(Pipe){.program = program, .vertices = scenery->nothing, .depth = PIPE_DEPTH_WRITE});
    glProgramUniform2f(program, 0, (float)width, (float)apart);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 2 * (count + 1), BANK_RINGS);
    glProgramUniform2f(program, 0, 0, 0);
}

void scenery_draw_sky(const Scenery *scenery, State *state, const Programs *programs) {
    state_pipe(state, &(Pipe){.program = programs->names[PROGRAM_SKY],
                              .vertices = scenery->nothing,
                              .depth = PIPE_DEPTH_TEST});
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
