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

static GLuint create_tiling(GLenum kind, GLenum format, const void *texels, bool low) {
    static const GLenum wraps[2] = {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T};
    GLuint map;
    glCreateTextures(GL_TEXTURE_2D, 1, &map);
    glTextureStorage2D(map, 9, kind, NOISE_SIZE, NOISE_SIZE);
    glTextureSubImage2D(map, 0, 0, 0, NOISE_SIZE, NOISE_SIZE, format, GL_UNSIGNED_BYTE, texels);
    glGenerateTextureMipmap(map);
    glTextureParameteri(map, GL_TEXTURE_MIN_FILTER, low ? GL_LINEAR_MIPMAP_NEAREST : GL_LINEAR_MIPMAP_LINEAR);
    glTextureParameteri(map, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    for (int i = 0; i < 2; i++)
        glTextureParameteri(map, wraps[i], GL_REPEAT);
    return map;
}

static GLuint create_noise_map(bool low) {
    uint8_t texels[NOISE_SIZE][NOISE_SIZE][NOISE_FIELDS];
    for (int y = 0; y < NOISE_SIZE; y++)
        for (int x = 0; x < NOISE_SIZE; x++)
            for (int field = 0; field < NOISE_FIELDS; field++)
                texels[y][x][field] = (uint8_t)(value_noise(x, y, field) * 255 + 0.5f);
    return create_tiling(GL_RGBA8, GL_RGBA, texels, low);
}

/* Between texels, and past the last one the first. */
static float noise_between(float x, float y) {
    int i = (int)x, j = (int)y, right = (i + 1) % NOISE_SIZE, below = (j + 1) % NOISE_SIZE;
    float u = x - (float)i, v = y - (float)j;
    i %= NOISE_SIZE, j %= NOISE_SIZE;
    return (value_noise(i, j, 0) * (1 - u) + value_noise(right, j, 0) * u) * (1 - v) + (value_noise(i, below, 0) * (1 - u) + value_noise(right, below, 0) * u) * v;
}

/* Half of a byte's range is no slope; as shaders/noise.glsl reads it. */
static GLuint create_slope_map(bool low) {
    const float step = 0.14f * NOISE_CELL;
    uint8_t texels[NOISE_SIZE][NOISE_SIZE][2];
    for (int y = 0; y < NOISE_SIZE; y++)
        for (int x = 0; x < NOISE_SIZE; x++) {
            float here = value_noise(x, y, 0), along = noise_between((float)x + step, (float)y), across = noise_between((float)x, (float)y + step);
            texels[y][x][0] = (uint8_t)((0.5f + (along - here) * 2 / 1.1f) * 255 + 0.5f);
            texels[y][x][1] = (uint8_t)((0.5f + (across - here) * 2 / 1.1f) * 255 + 0.5f);
        }
    return create_tiling(GL_RG8, GL_RG, texels, low);
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

void scenery_init(Scenery *scenery, bool low) {
    glCreateVertexArrays(1, &scenery->nothing);
    scenery->noise_map = create_noise_map(low);
    scenery->slope_map = create_slope_map(low);
}

void scenery_fini(Scenery *scenery) {
    glDeleteVertexArrays(1, &scenery->nothing);
    glDeleteTextures(1, &scenery->noise_map);
    glDeleteTextures(1, &scenery->slope_map);
    glDeleteTextures(1, &scenery->sky_map);
    *scenery = (Scenery){0};
}

void scenery_use(const Scenery *scenery) {
    state_texture(2, scenery->slope_map);
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
