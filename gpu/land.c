#include "gpu/land.h"

#include "gpu/buffer.h"
#include "gpu/content.h"
#include "gpu/land_look.h"
#include "runtime/base/finer.h"

#include <math.h>
#include <stdlib.h>

enum { LOD_UNIFORMS = 8 };             /* as shaders/lod.glsl has it */
enum { UPLOAD_SAMPLES = 1 << 18 };     /* at once: so many of them are there twice */
enum { MOST_LOOK_SAMPLES = 1 << 23 };  /* a larger land is looked at every second sample */
enum { REACH_STEPS = 12, MOST_FUNCTION_TILES = 1 << 14 };
enum { CLIP_UNIT = 14 }; /* as shaders/lod.glsl has them: heights, faces */
enum { DIVIDED_BINDING = 6 }; /* as shaders/divided.glsl has it */

/* The uniform block of place.glsl, laid out as std140. */
typedef struct LandBlock {
    float to_eye[3][4], from_eye[3][4];
    float grid[4];
    int32_t samples[4];
    float paint[4];
} LandBlock;

/* That of lod.glsl. */
typedef struct LodBlock {
    int32_t anchor[4]; /* the sample nearest to the eye; the lattice's last */
    float at[4];       /* that sample's x and z from the eye, the eye's height, how far it is over the land */
    float about[4];    /* of where distances are counted from, x and z from the eye */
    float way[4];      /* meters between samples; where vertices of level 0 begin to move, one by how long they do */
    int32_t source[4]; /* of a function the lattice's first sample, by its number in the windows; the coarsest level; 1: it is a function */
} LodBlock;

static GLuint create_map(GLenum format, int columns, int rows) {
    GLuint map;
    glCreateTextures(GL_TEXTURE_2D, 1, &map);
    glTextureStorage2D(map, 1, format, columns, rows);
    glTextureParameteri(map, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(map, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(map, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(map, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return map;
}

/* One patch for all tiles: its vertices are known by their numbers, and each tile by a row of numbers. */
static void create_patch(Land *land) {
    uint16_t indices[LOD_INDICES];
    lod_indices(indices);
    land->indices = buffer_create(indices, sizeof indices);
    glCreateBuffers(1, &land->tile_buffer);
    glCreateVertexArrays(1, &land->vertices);
    glVertexArrayElementBuffer(land->vertices, land->indices);
    glVertexArrayVertexBuffer(land->vertices, 0, land->tile_buffer, 0, sizeof(LodTile));
    glEnableVertexArrayAttrib(land->vertices, 0);
    glVertexArrayAttribIFormat(land->vertices, 0, 4, GL_INT, 0);
    glVertexArrayAttribBinding(land->vertices, 0, 0);
    glVertexArrayBindingDivisor(land->vertices, 0, 1);
}

void land_init(Land *land) {
    *land = (Land){0};
    memory_init(&land->memory, NULL, NULL, 0);
    arena_init(&land->arena, &land->memory);
    land->uniforms = buffer_create_dynamic(sizeof(LandBlock));
    land->lod_uniforms = buffer_create_dynamic(sizeof(LodBlock));
    clip_init(&land->clip);
    create_patch(land);
}

static void drop(Land *land) {
    const GLuint maps[2] = {land->height_map, land->look_map};
    glDeleteTextures(2, maps);
    glDeleteBuffers(1, &land->divided);
    land->height_map = land->look_map = land->divided = 0;
    land->columns = land->rows = land->tile_count = 0;
    land->content = 0;
    clip_fini(&land->clip);
    arena_fini(&land->arena);
    arena_init(&land->arena, &land->memory);
}

void land_fini(Land *land) {
    const GLuint buffers[4] = {land->indices, land->tile_buffer, land->uniforms, land->lod_uniforms};
    drop(land);
    glDeleteBuffers(4, buffers);
    glDeleteVertexArrays(1, &land->vertices);
    *land = (Land){0};
}

/* A stretch of rows at a time: so much the driver may keep beside. */
static void upload_maps(Land *land, const WorldGridView *grid) {
    int columns = land->columns, rows = land->rows, step = land->look_step;
    int look_columns = (columns - 1) / step + 1, look_rows = (rows - 1) / step + 1;
    int band = UPLOAD_SAMPLES / columns > 0 ? UPLOAD_SAMPLES / columns : 1;
    Arena scratch;
    arena_init(&scratch, &land->memory);
    uint32_t *look = arena_alloc_raw(&scratch, sizeof *look * (size_t)look_columns * (size_t)band);
    RtPool *pool = land_look_pool(&land->memory);
    land->height_map = create_map(GL_R32F, columns, rows);
    land->look_map = create_map(GL_RGB10_A2, look_columns, look_rows);
    for (int first = 0; first < rows; first += band) {
        int count = rows - first < band ? rows - first : band;
        glTextureSubImage2D(land->height_map, 0, 0, first, columns, count, GL_RED, GL_FLOAT, grid->heights + (size_t)first * (size_t)columns);
    }
    for (int first = 0; first < look_rows; first += band) {
        int count = look_rows - first < band ? look_rows - first : band;
        land_look_rows(pool, grid, step, first, count, look);
        glTextureSubImage2D(land->look_map, 0, 0, first, look_columns, count, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, look);
    }
    rt_pool_destroy(pool);
    arena_fini(&scratch);
}

bool land_is(const Land *land) {
    return land->columns > 0 || land->clip.levels > 0;
}

static void set_function(Land *land, const WorldSource *source) {
    if (!clip_set(&land->clip, source)) memory_fail();
    land->most_tiles = MOST_FUNCTION_TILES;
    land->tiles = ARENA_ARRAY(&land->arena, LodTile, land->most_tiles);
}

void land_move(Land *land, const Eye *eye) {
    Vec at = transform_point(&land->inverse, eye->at);
    if (land->clip.levels == 0) return;
    clip_move(&land->clip, at.x, at.z);
    land->lod = clip_land(&land->clip);
}

static const float *tail_of(const WorldGridView *grid) {
    return grid->heights + (size_t)grid->columns * (size_t)grid->rows;
}

/* Tiles of the finest level, and those of the grid's own cells. */
static int count_tiles(const Land *land, const WorldGridView *grid) {
    const LodLevel *own = &land->lod.levels[land->lod.base];
    FinerTiles tiles = finer_tiles(grid->columns, grid->rows, grid->finer, tail_of(grid));
    int count = own->columns * own->rows;
    if (grid->finer) count += (int)((grid->tail - finer_tile_count(&tiles)) / finer_patch_size(&tiles)) * grid->finer * grid->finer;
    return count;
}

static void set_grid(Land *land, const WorldScene *scene) {
    const WorldGridView *grid = &scene->land;
    land->lod = lod_build(&land->arena, &(LodDesc){.columns = grid->columns,
                                                   .rows = grid->rows,
                                                   .cell = grid->cell,
                                                   .x0 = grid->x0,
                                                   .z0 = grid->z0,
                                                   .heights = grid->heights,
                                                   .finer = grid->finer,
                                                   .tail = tail_of(grid),
                                                   .outline = scene->land_fine_over,
                                                   .corners = scene->land_fine_over_count});
    land->most_tiles = count_tiles(land, grid);
    land->tiles = ARENA_ARRAY(&land->arena, LodTile, land->most_tiles);
    land->columns = grid->columns;
    land->rows = grid->rows;
    land->cell = grid->cell;
    land->x0 = grid->x0;
    land->z0 = grid->z0;
    land->look_step = (int64_t)grid->columns * grid->rows > MOST_LOOK_SAMPLES ? 2 : 1;
    upload_maps(land, grid);
    if (grid->finer) land->divided = buffer_create(tail_of(grid), sizeof(float) * grid->tail);
}

size_t land_set(Land *land, const WorldScene *scene) {
    bool is_grid = scene->land.columns >= 2 && scene->land.rows >= 2;
    uint64_t content = is_grid && !scene->land_source.heights ? content_of_land(scene) : 0;
    bool same = content && content == land->content;
    if (!same) drop(land);
    land->transform = transform_of(scene->land_transform);
    land->inverse = transform_inverse(&land->transform);
    memcpy(land->paint, scene->land_tint, sizeof scene->land_tint);
    if (same) return 0;
    if (scene->land_source.heights) set_function(land, &scene->land_source);
    if (is_grid) set_grid(land, scene);
    land->content = content;
    return is_grid ? (sizeof *scene->land.heights + sizeof(uint32_t)) * (size_t)scene->land.columns * (size_t)scene->land.rows + sizeof(float) * scene->land.tail : 0;
}

static void set_rows(float out[3][4], const Transform *t, Vec shift) {
    const double moved[3] = {shift.x, shift.y, shift.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            out[i][j] = (float)t->row[i][j];
        out[i][3] = (float)(t->row[i][3] + moved[i]);
    }
}

void land_use(const Land *land, const Eye *eye) {
    Transform identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    const Transform *there = land_is(land) ? &land->transform : &identity;
    const Transform *back = land_is(land) ? &land->inverse : &identity;
    LandBlock block = {.grid = {(float)land->x0, (float)land->z0, (float)land->cell, (float)(land->cell * land->look_step)},
                       .samples = {land->columns, land->rows}};
    if (land->columns) block.samples[2] = (land->columns - 1) / land->look_step + 1, block.samples[3] = (land->rows - 1) / land->look_step + 1;
    memcpy(block.paint, land->paint, sizeof block.paint);
    set_rows(block.to_eye, there, vec_scale(eye->at, -1));
    set_rows(block.from_eye, back, transform_vector(back, eye->at));
    glNamedBufferSubData(land->uniforms, 0, sizeof block, &block);
    state_uniforms(1, land->uniforms);
    state_texture(0, land->height_map);
    state_texture(1, land->look_map);
    if (land->divided) state_storage(DIVIDED_BINDING, land->divided);
}

/* -- which tiles -- */

typedef struct Seen {
    const Land *land;
    const LandView *what;
} Seen;

/* A ball round a box of the land, eye-relative, and the highest that the box reaches. */
static Vec box_ball(const Land *land, const double low[3], const double high[3], const Eye *eye, double *radius, double *top) {
    double half_x = (high[0] - low[0]) / 2, half_y = (high[1] - low[1]) / 2, half_z = (high[2] - low[2]) / 2;
    Vec middle = transform_point(&land->transform, (Vec){low[0] + half_x, low[1] + half_y, low[2] + half_z});
    *radius = sqrt(half_x * half_x + half_y * half_y + half_z * half_z) * transform_scale(&land->transform);
    const double *up = land->transform.row[1];
    *top = middle.y + fabs(up[0]) * half_x + fabs(up[1]) * half_y + fabs(up[2]) * half_z;
    return vec_sub(middle, eye->at);
}

static bool is_seen(const void *user, const double low[3], const double high[3]) {
    const Seen *seen = user;
    double radius, top;
    Vec middle = box_ball(seen->land, low, high, seen->what->eye, &radius, &top);
    return top >= seen->what->above && eye_sees_ball(seen->what->eye, middle, radius);
}

static void choose_with(Land *land, const LodEye *eye) {
    int count = lod_choose(&land->lod, eye, land->tiles, land->most_tiles);
    land->tile_count = count < land->most_tiles ? count : land->most_tiles;
    land->triangles = (uint64_t)land->tile_count * LOD_TILE_TRIANGLES;
}

static bool fits(const Land *land, const LandView *what) {
    return what->most == 0 || land->triangles <= what->most;
}

/* Without perspective all is one level: the finest whose cells look large enough, and that fits. */
static void choose_uniform(Land *land, const LandView *what, LodEye *eye) {
    double pixels = what->height ? land->lod.lattice.cell * transform_scale(&land->transform) / (2 * what->eye->half_height) * what->height : INFINITY;
    eye->uniform = 0;
    while (eye->uniform < land->lod.top && ldexp(pixels, eye->uniform) < what->cell_pixels)
        eye->uniform++;
    for (choose_with(land, eye); !fits(land, what) && eye->uniform < land->lod.top; choose_with(land, eye))
        eye->uniform++;
}

/* As far as cells look large enough; where these are too many, so far that they just fit: then nothing changes at once while the eye moves. */
static void choose_by_distance(Land *land, const LandView *what, LodEye *eye) {
    double least = LOD_LEAST_REACH * land->lod.lattice.cell;
    double most = fmax(least, land->lod.lattice.cell * what->height / (2 * what->eye->half_height * what->cell_pixels));
    if (land->clip.levels) most = fmin(most, CLIP_REACH * land->lod.lattice.cell);
    eye->reach = most;
    choose_with(land, eye);
    if (fits(land, what) || most <= least) return;
    double good = least, bad = most;
    for (int i = 0; i < REACH_STEPS; i++) {
        eye->reach = sqrt(good * bad);
        choose_with(land, eye);
        *(fits(land, what) ? &good : &bad) = eye->reach;
    }
    eye->reach = good;
    choose_with(land, eye);
}

static LodEye choose(Land *land, const LandView *what) {
    Vec at = transform_point(&land->inverse, what->eye->at);
    Seen seen = {land, what};
    LodEye eye = {.at = {at.x, at.y, at.z}, .uniform = -1, .sees = is_seen, .user = &seen};
    if (what->as && land_is(land)) {
        eye = choose(land, what->as);
        eye.sees = is_seen, eye.user = &seen;
        choose_with(land, &eye);
    } else if (!land_is(land))
        land->tile_count = 0, land->triangles = 0;
    else if (land->clip.levels && (what->eye->orthographic || what->height == 0))
        eye.reach = CLIP_REACH * land->lod.lattice.cell, choose_with(land, &eye); /* its windows are about the eye */
    else if (what->eye->orthographic || what->height == 0)
        choose_uniform(land, what, &eye);
    else
        choose_by_distance(land, what, &eye);
    eye.user = NULL;
    return eye;
}

uint64_t land_count(Land *land, const LandView *what) {
    choose(land, what);
    return land->triangles;
}

/* -- drawing -- */

static int32_t sample_by(double at, double begin, double cell) {
    return (int32_t)fmin(fmax(floor((at - begin) / cell + 0.5), -1e9), 1e9);
}

/* Places are counted from the sample nearest to the eye, so that they are as exact far from the origin as at it. */
static void use_lod(const Land *land, const LodEye *eye, const Eye *from) {
    Vec stood = transform_point(&land->inverse, from->at);
    const LodLattice *lattice = &land->lod.lattice;
    int32_t x = sample_by(stood.x, lattice->x0, lattice->cell), z = sample_by(stood.z, lattice->z0, lattice->cell);
    double from_way, to_way;
    lod_way(&land->lod, eye, &from_way, &to_way);
    LodBlock block = {.anchor = {x, z, lattice->columns - 1, lattice->rows - 1},
                      .at = {(float)(lattice->x0 + x * lattice->cell - stood.x), (float)(lattice->z0 + z * lattice->cell - stood.z),
                             (float)stood.y, (float)lod_over(&land->lod, eye)},
                      .way = {(float)lattice->cell, (float)from_way, (float)(1 / (to_way - from_way))},
                      .about = {(float)(eye->at[0] - stood.x), (float)(eye->at[2] - stood.z)},
                      .source = {0, 0, land->lod.coarsest, land->clip.levels > 0}};
    if (land->clip.levels) {
        int last = land->clip.levels - 1;
        block.source[0] = (int32_t)((land->clip.x[last] & (CLIP_SIDE - 1)) << last), block.source[1] = (int32_t)((land->clip.z[last] & (CLIP_SIDE - 1)) << last);
        state_texture(CLIP_UNIT, land->clip.heights);
        state_texture(CLIP_UNIT + 1, land->clip.faces);
    }
    glNamedBufferSubData(land->lod_uniforms, 0, sizeof block, &block);
    state_uniforms(LOD_UNIFORMS, land->lod_uniforms);
    glNamedBufferData(land->tile_buffer, (GLsizeiptr)sizeof(LodTile) * land->tile_count, land->tiles, GL_STREAM_DRAW);
}

static void draw_tiles(const Land *land) {
    glDrawElementsInstanced(GL_TRIANGLES, LOD_INDICES, GL_UNSIGNED_SHORT, NULL, land->tile_count);
}

void land_draw(Land *land, State *state, const LandView *what, const Pipe *pipe) {
    LodEye eye = choose(land, what);
    if (land->tile_count == 0) return;
    Pipe own = *pipe;
    own.vertices = land->vertices;
    state_pipe(state, &own);
    use_lod(land, &eye, what->eye);
    draw_tiles(land);
}

static void set_exact(GLuint program, GLint location, double x, double y, double z, double w) {
    glProgramUniform4d(program, location, x, y, z, w);
}

void land_draw_heights(Land *land, State *state, const Eye *eye, GLuint program, int width,
                       int height) {
    const double at[3] = {eye->at.x, eye->at.y, eye->at.z};
    Vec right = vec_scale(eye->right, eye->half_width), up = vec_scale(eye->up, eye->half_height);
    for (int i = 0; i < 3; i++) {
        const double *row = land->transform.row[i];
        set_exact(program, 1 + i, row[0], row[1], row[2], row[3] - at[i]);
    }
    set_exact(program, 4, land->lod.lattice.x0, land->lod.lattice.z0, land->lod.lattice.cell, 0);
    set_exact(program, 5, right.x, right.y, right.z, width);
    set_exact(program, 6, up.x, up.y, up.z, height);
    LandView what = {.eye = eye, .above = -INFINITY};
    Pipe pipe = {.program = program, .depth = PIPE_DEPTH_WRITE, .cull = true};
    land_draw(land, state, &what, &pipe);
}

void land_bounds(const Land *land, double floor, Vec *low, Vec *high) {
    *low = (Vec){INFINITY, INFINITY, INFINITY};
    *high = (Vec){-INFINITY, -INFINITY, -INFINITY};
    Eye origin = {0};
    if (land->columns == 0) return;
    const LodLevel *level = &land->lod.levels[land->lod.base];
    double side = LOD_SIDE * land->cell;
    for (int k = 0; k < level->columns * level->rows; k++) {
        double radius, top, x = land->x0 + k % level->columns * side, z = land->z0 + k / level->columns * side;
        const double from[3] = {x, (double)level->low[k], z}, to[3] = {x + side, (double)level->high[k], z + side};
        Vec middle = box_ball(land, from, to, &origin, &radius, &top);
        if (top < floor) continue;
        *low = (Vec){fmin(low->x, middle.x - radius), fmin(low->y, middle.y - radius),
                     fmin(low->z, middle.z - radius)};
        *high = (Vec){fmax(high->x, middle.x + radius), fmax(high->y, middle.y + radius),
                      fmax(high->z, middle.z + radius)};
    }
}
