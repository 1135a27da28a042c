#include "gpu/waves.h"

#include "gpu/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_UNIT = 9, SLOPE_UNIT = 10 }; /* as shaders/waves.glsl has them */

static const double breeze = 5.5, breeze_fetch = 15000, least_wind = 0.5; /* of a sea that no part tells of: meters a second, meters */

/* Of no part: by the wind, or the breeze's. */
static OceanSpec spec_of(const WorldOcean *ocean, const WorldWind *wind) {
    if (ocean->path == NULL && wind->path)
        return (OceanSpec){.wind = fmax(wind->speed, least_wind), .to_x = wind->toward[0], .to_z = wind->toward[1], .fetch = breeze_fetch, .seed = 1, .points = 128};
    if (ocean->path == NULL)
        return (OceanSpec){.wind = breeze, .to_x = -0.6, .to_z = -0.8, .fetch = breeze_fetch, .seed = 1, .points = 128};
    return (OceanSpec){.wind = ocean->wind,
                       .to_x = ocean->toward[0],
                       .to_z = ocean->toward[1],
                       .fetch = ocean->fetch,
                       .seed = ocean->seed,
                       .points = ocean->points};
}

static GLuint create_map(GLenum format, int points, int levels, GLenum filter) {
    GLuint map;
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &map);
    glTextureStorage3D(map, levels, format, points, points, OCEAN_TILES);
    glTextureParameteri(map, GL_TEXTURE_MIN_FILTER, filter);
    glTextureParameteri(map, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    return map;
}

static bool same_spec(const OceanSpec *a, const OceanSpec *b) {
    return a->wind == b->wind && a->to_x == b->to_x && a->to_z == b->to_z && a->fetch == b->fetch && a->seed == b->seed &&
           a->points == b->points;
}

bool waves_set(Waves *waves, const WorldScene *scene, bool low) {
    OceanSpec spec = spec_of(&scene->ocean, &scene->wind);
    if (waves->cells && same_spec(&spec, &waves->spec)) return true;
    waves_fini(waves);
    size_t count = ocean_cell_count(&spec);
    waves->spec = spec;
    waves->waves = malloc(count * sizeof *waves->waves);
    waves->cells = malloc(count * sizeof *waves->cells);
    waves->slopes = malloc(count * 4 * sizeof *waves->slopes);
    waves->work = malloc(ocean_work_count(&spec) * sizeof *waves->work);
    if (!waves->waves || !waves->cells || !waves->slopes || !waves->work) {
        waves_fini(waves);
        return false;
    }
    int levels = 1;
    for (int points = spec.points; points > 1; points /= 2)
        levels++;
    fft_init(&waves->fft, spec.points);
    ocean_waves(&spec, waves->waves);
    ocean_sizes(&spec, waves->sizes);
    waves->cells_map = create_map(GL_RGBA32F, spec.points, 1, GL_LINEAR);
    waves->slope_map = create_map(GL_RGBA16F, spec.points, levels, low ? GL_LINEAR_MIPMAP_NEAREST : GL_LINEAR_MIPMAP_LINEAR);
    return true;
}

void waves_fini(Waves *waves) {
    const GLuint maps[2] = {waves->cells_map, waves->slope_map};
    glDeleteTextures(2, maps);
    free(waves->waves);
    free(waves->cells);
    free(waves->slopes);
    free(waves->work);
    memset(waves, 0, sizeof *waves);
}

static void fill_slopes(const Waves *waves, int tile) {
    int points = waves->spec.points, last = points - 1;
    float over = (float)(points / (2 * waves->sizes[tile]));
    const OceanCell *cells = waves->cells + (size_t)tile * (size_t)points * (size_t)points;
    float *out = waves->slopes + (size_t)tile * (size_t)points * (size_t)points * 4;
    for (int j = 0; j < points; j++)
        for (int i = 0; i < points; i++, out += 4) {
            out[0] = (cells[j * points + ((i + 1) & last)].height - cells[j * points + ((i - 1) & last)].height) * over;
            out[1] = (cells[((j + 1) & last) * points + i].height - cells[((j - 1) & last) * points + i].height) * over;
            out[2] = cells[j * points + i].spread;
            out[3] = out[0] * out[0] + out[1] * out[1];
        }
}

void waves_use(Waves *waves, double time) {
    int points = waves->spec.points;
    if (!waves->fresh || waves->time != time) {
        ocean_surface(&waves->spec, &waves->fft, waves->waves, time, waves->cells, waves->work);
        for (int tile = 0; tile < OCEAN_TILES; tile++)
            fill_slopes(waves, tile);
        glTextureSubImage3D(waves->cells_map, 0, 0, 0, 0, points, points, OCEAN_TILES, GL_RGBA, GL_FLOAT, waves->cells);
        glTextureSubImage3D(waves->slope_map, 0, 0, 0, 0, points, points, OCEAN_TILES, GL_RGBA, GL_FLOAT, waves->slopes);
        glGenerateTextureMipmap(waves->slope_map);
        waves->time = time;
        waves->fresh = true;
    }
    state_texture(CELLS_UNIT, waves->cells_map);
    state_texture(SLOPE_UNIT, waves->slope_map);
}
