#include "gpu/sea.h"

#include "gpu/buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHORE_UNIT = 11, SEA_UNIFORMS = 4 }; /* as shaders/waves.glsl has them */
enum { COLUMNS = 256, RINGS = 384, COLUMNS_IF_LOW = 96, RINGS_IF_LOW = 176 };
enum { SHORE_SIDE = 1024 }; /* blocks of the shore map, at most about */

static const double farthest = 1e6, farthest_by_height = 8000; /* meters; how far the sea is drawn */
static const double grows = 0.04, grows_if_low = 0.085; /* each ring by the one before, as log2 */
static const double ring_pixels = 1.5;                  /* of a ring's height in the picture, at least */
static const double widened = 0.14;  /* radians: of the fan, on both sides */
static const double steepest = 1.35; /* radians an eye may look down or up and still see a part of the circle */

/* The uniform block of waves.glsl, laid out as std140. */
typedef struct SeaBlock {
    float tile_size[4], tile_eye[3][4], state[4], fan[4], shore_scale[4];
    int32_t lattice[4];
} SeaBlock;

/* From where the sea is seen. */
typedef struct SeaEye {
    int height; /* of the picture, pixels */
    double level, high; /* the sea's; of its waves */
} SeaEye;

static bool create_lattice(Sea *sea) {
    int across = sea->columns + 1, k = 0;
    uint32_t *indices = malloc(sizeof *indices * 6 * (size_t)sea->columns * (size_t)sea->rings);
    if (indices == NULL) return false;
    for (int j = 0; j < sea->rings; j++)
        for (int i = 0; i < sea->columns; i++) {
            uint32_t a = (uint32_t)(j * across + i), b = a + (uint32_t)across;
            const uint32_t square[6] = {a, b + 1, b, a, a + 1, b + 1};
            memcpy(indices + k, square, sizeof square);
            k += 6;
        }
    sea->indices = buffer_create(indices, (size_t)k * sizeof *indices);
    glCreateVertexArrays(1, &sea->vertices);
    glVertexArrayElementBuffer(sea->vertices, sea->indices);
    free(indices);
    return true;
}

bool sea_init(Sea *sea, bool low) {
    memset(sea, 0, sizeof *sea);
    sea->low = low;
    sea->columns = low ? COLUMNS_IF_LOW : COLUMNS;
    sea->rings = low ? RINGS_IF_LOW : RINGS;
    sea->grows = low ? grows_if_low : grows;
    sea->uniforms = buffer_create_dynamic(sizeof(SeaBlock));
    return create_lattice(sea);
}

void sea_fini(Sea *sea) {
    const GLuint buffers[2] = {sea->indices, sea->uniforms};
    waves_fini(&sea->waves);
    glDeleteTextures(1, &sea->shore_map);
    glDeleteBuffers(2, buffers);
    glDeleteVertexArrays(1, &sea->vertices);
    memset(sea, 0, sizeof *sea);
}

static bool set_shore(Sea *sea, const WorldGridView *land) {
    glDeleteTextures(1, &sea->shore_map);
    sea->shore_map = 0;
    if (land->columns < 2) return true;
    int longer = land->columns > land->rows ? land->columns : land->rows, block = longer / SHORE_SIDE + 1;
    int columns = (land->columns + block - 1) / block, rows = (land->rows + block - 1) / block;
    uint8_t *shore = malloc((size_t)columns * (size_t)rows);
    bool good = shore && sea_shore(land, block, shore);
    if (good) {
        glCreateTextures(GL_TEXTURE_2D, 1, &sea->shore_map);
        glTextureStorage2D(sea->shore_map, 1, GL_R8, columns, rows);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTextureSubImage2D(sea->shore_map, 0, 0, 0, columns, rows, GL_RED, GL_UNSIGNED_BYTE, shore);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
        glTextureParameteri(sea->shore_map, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTextureParameteri(sea->shore_map, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTextureParameteri(sea->shore_map, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        sea->shore_scale[0] = 1 / (float)(block * columns);
        sea->shore_scale[1] = 1 / (float)(block * rows);
    }
    free(shore);
    return good;
}

bool sea_set(Sea *sea, const WorldScene *scene, const Land *land) {
    if (!scene->has_sea) return true;
    if (!waves_set(&sea->waves, scene, sea->low)) return false;
    if (land->content && land->content == sea->shore_content) return true;
    sea->shore_content = 0;
    if (!set_shore(sea, &scene->land)) return false;
    sea->shore_content = land->content;
    return true;
}

/* Rings that grow by the same share, from the nearest to where they would look too small: waves that stand high are seen farther. Past them so many
 * follow as reach the horizon. */
static void count_rings(Sea *sea, const Eye *eye, const SeaEye *seen, double nearest, SeaBlock *block) {
    double pixels = seen->height / (2 * eye->half_height), tall = fabs(eye->at.y - seen->level) + 2 * seen->high;
    double last = tall * pixels * (exp2(sea->grows) - 1) / ring_pixels;
    int follow = (int)ceil(1 / (1 - exp2(-sea->grows))), grown = 1 + (int)ceil(fmax(0, log2(last / nearest)) / sea->grows);
    if (grown > sea->rings - follow) grown = sea->rings - follow;
    block->lattice[2] = grown;
    sea->drawn_rings = grown + follow;
}

/* The fan about an eye: from which way to which, and where it begins, so that it covers what is seen of the sea. */
static void aim_fan(Sea *sea, const Eye *eye, const SeaEye *seen, SeaBlock *block) {
    double level = seen->level, high = seen->high;
    float *fan = block->fan;
    double height = fabs(eye->at.y - level), ahead = atan2(eye->forward.x, -eye->forward.z), half = 0, down = 0;
    for (int k = 0; k < 9; k++) {
        Vec ray = vec_add(eye->forward, vec_add(vec_scale(eye->right, eye->half_width * (k % 3 - 1)),
                                                vec_scale(eye->up, eye->half_height * (k / 3 - 1))));
        double off = remainder(atan2(ray.x, -ray.z) - ahead, 2 * M_PI);
        double dip = atan2(eye->at.y > level ? -ray.y : ray.y, hypot(ray.x, ray.z));
        half = fmax(half, fabs(off));
        down = fmax(down, dip);
    }
    double nearest = down < steepest ? 0.7 * fmax(height - 2 * high, 0) / tan(fmax(down, 0.01)) : 0;
    /* Waves near the eye are moved past the fan's sides. */
    half += widened + atan2(high, fmax(nearest, 0.01));
    if (down >= steepest || half > M_PI) half = M_PI;
    nearest = fmax(nearest, 0.1 + 0.02 * height);
    fan[0] = (float)(ahead - half);
    fan[1] = (float)(2 * half / sea->columns);
    fan[2] = (float)nearest;
    fan[3] = (float)sea->grows;
    count_rings(sea, eye, seen, nearest, block);
}

void sea_use(Sea *sea, const Eye *eye, int height, double level, double time) {
    if (sea->waves.cells == NULL) return;
    const OceanSpec *spec = &sea->waves.spec;
    double high = ocean_significant_height(spec), peak = ocean_peak(spec), deviations = fmax(0, 3.7 - 0.12 * spec->wind);
    SeaBlock block = {.tile_size = {0, 0, 0, (float)spec->points},
                      .state = {(float)high, (float)(0.105 * deviations), (float)spec->wind,
                                (float)(2 * M_PI * OCEAN_GRAVITY / (peak * peak))},
                      .shore_scale = {sea->shore_scale[0], sea->shore_scale[1], (float)fmax(farthest, farthest_by_height * fabs(eye->at.y - level))},
                      .lattice = {sea->columns, sea->rings}};
    for (int tile = 0; tile < OCEAN_TILES; tile++) {
        double x = eye->at.x / sea->waves.sizes[tile], z = eye->at.z / sea->waves.sizes[tile];
        block.tile_size[tile] = (float)sea->waves.sizes[tile];
        block.tile_eye[tile][0] = (float)(x - floor(x));
        block.tile_eye[tile][1] = (float)(z - floor(z));
    }
    sea->drawn_rings = sea->rings;
    if (!eye->orthographic) aim_fan(sea, eye, &(SeaEye){height, level, high}, &block);
    glNamedBufferSubData(sea->uniforms, 0, sizeof block, &block);
    state_uniforms(SEA_UNIFORMS, sea->uniforms);
    waves_use(&sea->waves, time);
    state_texture(SHORE_UNIT, sea->shore_map);
}

void sea_draw(const Sea *sea, State *state, GLuint program, bool rest) {
    state_pipe(state, &(Pipe){.program = program, .vertices = sea->vertices, .depth = rest ? PIPE_DEPTH_NEARER : PIPE_DEPTH_WRITE});
    glDrawElements(GL_TRIANGLES, 6 * sea->columns * sea->drawn_rings, GL_UNSIGNED_INT, NULL);
}
