#include "gpu/land_clip.h"

#include <math.h>
#include <stdlib.h>

enum { STEP = LOD_SIDE, ROOT_LEVELS = 5 }; /* a window is so many doublings of a tile of its own level */
enum { MOST_SAMPLES = (CLIP_SIDE + 2) * (CLIP_SIDE + 2) };

static const double farthest = 120000; /* meters: so far the coarsest window goes, or farther */

_Static_assert(LOD_SIDE << ROOT_LEVELS == CLIP_SIDE, "the coarsest window is the square that tiles are chosen from");
_Static_assert(CLIP_REACH + 3 * LOD_SIDE <= CLIP_SIDE / 2 - STEP, "a tile of a level lies in its window");

void clip_init(Clip *clip) {
    *clip = (Clip){0};
}

void clip_fini(Clip *clip) {
    const GLuint maps[2] = {clip->heights, clip->faces};
    glDeleteTextures(2, maps);
    free(clip->places);
    free(clip->answers);
    free(clip->normals);
    *clip = (Clip){0};
}

static GLuint create_layers(GLenum format, int levels) {
    GLuint map;
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &map);
    glTextureStorage3D(map, 1, format, CLIP_SIDE, CLIP_SIDE, levels);
    glTextureParameteri(map, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(map, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return map;
}

bool clip_set(Clip *clip, const WorldSource *source) {
    clip_fini(clip);
    if (source->heights == NULL) return true;
    clip->places = malloc(sizeof *clip->places * 2 * MOST_SAMPLES);
    clip->answers = malloc(sizeof *clip->answers * MOST_SAMPLES);
    clip->normals = malloc(sizeof *clip->normals * 2 * CLIP_SIDE * CLIP_SIDE);
    if (!clip->places || !clip->answers || !clip->normals) return clip_fini(clip), false;
    clip->source = *source;
    for (clip->levels = 1; clip->levels < CLIP_LEVELS && ldexp(source->cell * CLIP_REACH, clip->levels - 1) < farthest;)
        clip->levels++;
    clip->heights = create_layers(GL_R32F, clip->levels);
    clip->faces = create_layers(GL_RG16_SNORM, clip->levels);
    return true;
}

/* A rectangle of samples of a level. */
typedef struct Stretch {
    int level;
    int64_t x, z;
    int columns, rows;
} Stretch;

/* The answers of a stretch and a sample round it; what cannot be worked out is level ground at 0. */
static void ask(Clip *clip, const Stretch *of) {
    double cell = ldexp(clip->source.cell, of->level), *place = clip->places;
    size_t count = (size_t)(of->columns + 2) * (size_t)(of->rows + 2);
    for (int j = -1; j <= of->rows; j++)
        for (int i = -1; i <= of->columns; i++) {
            *place++ = (double)(of->x + i) * cell;
            *place++ = (double)(of->z + j) * cell;
        }
    clip->failed = clip->failed || !clip->source.heights(clip->source.user, count, clip->places, clip->answers);
    for (size_t k = 0; k < count; k++)
        if (clip->failed || !isfinite(clip->answers[k])) clip->answers[k] = 0;
}

/* Leaves of the answers the stretch's own. */
static void work_faces(Clip *clip, const Stretch *of) {
    float less = (float)(1 / (2 * ldexp(clip->source.cell, of->level)));
    int columns = of->columns + 2;
    for (int j = 0; j < of->rows; j++)
        for (int i = 0; i < of->columns; i++) {
            const float *at = clip->answers + (size_t)(j + 1) * (size_t)columns + (size_t)(i + 1);
            float x = (at[1] - at[-1]) * less, z = (at[columns] - at[-columns]) * less, size = sqrtf(1 + x * x + z * z);
            float *normal = clip->normals + 2 * ((size_t)j * (size_t)of->columns + (size_t)i);
            normal[0] = -x / size, normal[1] = -z / size;
        }
    for (int j = 0; j < of->rows; j++)
        memmove(clip->answers + (size_t)j * (size_t)of->columns, clip->answers + (size_t)(j + 1) * (size_t)columns + 1, sizeof(float) * (size_t)of->columns);
}

static int wrapped(int64_t at) {
    return (int)(at & (CLIP_SIDE - 1));
}

static void measure_square(Clip *clip, const Stretch *of, int i, int j) {
    int column = wrapped(of->x + i) / STEP, row = wrapped(of->z + j) / STEP;
    float low = INFINITY, high = -INFINITY;
    for (int v = j; v < j + STEP; v++)
        for (int u = i; u < i + STEP; u++) {
            float height = clip->answers[(size_t)v * (size_t)of->columns + (size_t)u];
            low = fminf(low, height), high = fmaxf(high, height);
        }
    clip->lows[of->level][row][column] = low, clip->highs[of->level][row][column] = high;
}

/* Windows move by whole squares, so a stretch is made of them. */
static void measure(Clip *clip, const Stretch *of) {
    for (int j = 0; j < of->rows; j += STEP)
        for (int i = 0; i < of->columns; i += STEP)
            measure_square(clip, of, i, j);
}

/* In up to four pieces, where the window goes round the texture's border. */
static void upload(const Clip *clip, const Stretch *of) {
    glPixelStorei(GL_UNPACK_ROW_LENGTH, of->columns);
    for (int j = 0; j < of->rows;) {
        int to_z = wrapped(of->z + j), rows = of->rows - j < CLIP_SIDE - to_z ? of->rows - j : CLIP_SIDE - to_z;
        for (int i = 0; i < of->columns;) {
            int to_x = wrapped(of->x + i), columns = of->columns - i < CLIP_SIDE - to_x ? of->columns - i : CLIP_SIDE - to_x;
            size_t from = (size_t)j * (size_t)of->columns + (size_t)i;
            glTextureSubImage3D(clip->heights, 0, to_x, to_z, of->level, columns, rows, 1, GL_RED, GL_FLOAT, clip->answers + from);
            glTextureSubImage3D(clip->faces, 0, to_x, to_z, of->level, columns, rows, 1, GL_RG, GL_FLOAT, clip->normals + 2 * from);
            i += columns;
        }
        j += rows;
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

static void fill(Clip *clip, int level, int64_t x, int64_t z, int64_t columns, int64_t rows) {
    Stretch stretch = {level, x, z, (int)columns, (int)rows};
    if (columns <= 0 || rows <= 0) return;
    ask(clip, &stretch);
    work_faces(clip, &stretch);
    measure(clip, &stretch);
    upload(clip, &stretch);
}

static void move_level(Clip *clip, int level, int64_t x, int64_t z) {
    int64_t old_x = clip->x[level], old_z = clip->z[level], dx = x - old_x, dz = z - old_z;
    bool fresh = !clip->filled[level] || llabs(dx) >= CLIP_SIDE || llabs(dz) >= CLIP_SIDE;
    clip->x[level] = x, clip->z[level] = z;
    clip->filled[level] = true;
    if (fresh) {
        fill(clip, level, x, z, CLIP_SIDE, CLIP_SIDE);
        return;
    }
    fill(clip, level, dx > 0 ? old_x + CLIP_SIDE : x, z, llabs(dx), CLIP_SIDE);
    fill(clip, level, dx > 0 ? x : x - dx, dz > 0 ? old_z + CLIP_SIDE : z, CLIP_SIDE - llabs(dx), llabs(dz));
}

/* By whole tiles of the level, so that it moves seldom. */
static int64_t first_of(double at, double cell) {
    double tile = floor(fmax(-1e12, fmin(1e12, at / (cell * STEP))) + 0.5);
    return ((int64_t)tile - CLIP_SIDE / STEP / 2) * STEP;
}

static void find_bounds(Clip *clip) {
    clip->low = INFINITY, clip->high = -INFINITY;
    for (int level = 0; level < clip->levels; level++)
        for (int row = 0; row < CLIP_BLOCKS; row++)
            for (int column = 0; column < CLIP_BLOCKS; column++) {
                clip->low = fminf(clip->low, clip->lows[level][row][column]);
                clip->high = fmaxf(clip->high, clip->highs[level][row][column]);
            }
}

void clip_move(Clip *clip, double x, double z) {
    for (int level = 0; level < clip->levels; level++) {
        double cell = ldexp(clip->source.cell, level);
        int64_t to_x = first_of(x, cell), to_z = first_of(z, cell);
        if (!clip->filled[level] || to_x != clip->x[level] || to_z != clip->z[level]) move_level(clip, level, to_x, to_z);
    }
    find_bounds(clip);
}

LodLand clip_land(const Clip *clip) {
    int last = clip->levels - 1;
    double cell = ldexp(clip->source.cell, last);
    LodLattice corner = {.cell = clip->source.cell, .x0 = (double)clip->x[last] * cell, .z0 = (double)clip->z[last] * cell};
    return lod_of_function(&corner, last + ROOT_LEVELS, last, clip->low, clip->high);
}
