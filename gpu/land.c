#include "gpu/land.h"

#include "gpu/buffer.h"
#include "gpu/land_look.h"

#include <math.h>

/* Pixels of a cell: chunks whose cells look smaller are drawn coarser, and others too where triangles are too many. */
static const double least_far = 1.6, most_far = 3, far_step = 1.1;

/* The uniform block of ground.glsl and land.vert, laid out as std140. */
typedef struct LandBlock {
    float to_eye[3][4], from_eye[3][4];
    float grid[4];
    int32_t samples[4];
    float paint[4];
} LandBlock;

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

void land_init(Land *land) {
    *land = (Land){0};
    memory_init(&land->memory, NULL, NULL, 0);
    arena_init(&land->arena, &land->memory);
    arena_init(&land->scratch, &land->memory);
    land->uniforms = buffer_create_dynamic(sizeof(LandBlock));
}

static void drop(Land *land) {
    const GLuint maps[2] = {land->height_map, land->look_map};
    const GLuint buffers[2] = {land->heights, land->indices};
    glDeleteTextures(2, maps);
    glDeleteBuffers(2, buffers);
    glDeleteVertexArrays(1, &land->vertices);
    land->vertices = land->heights = land->indices = land->height_map = land->look_map = 0;
    land->columns = land->rows = land->chunk_count = 0;
    arena_fini(&land->arena);
    arena_fini(&land->scratch);
    arena_init(&land->arena, &land->memory);
    arena_init(&land->scratch, &land->memory);
}

void land_fini(Land *land) {
    drop(land);
    glDeleteBuffers(1, &land->uniforms);
    *land = (Land){0};
}

static void upload_mesh(Land *land, const LandMesh *mesh) {
    size_t samples = (size_t)land->columns * (size_t)land->rows;
    land->heights = buffer_create(mesh->heights, samples * sizeof(float));
    land->indices = buffer_create(mesh->indices, mesh->index_count * sizeof(uint32_t));
    glCreateVertexArrays(1, &land->vertices);
    glVertexArrayVertexBuffer(land->vertices, 0, land->heights, 0, sizeof(float));
    vertices_add(land->vertices, 0, 1, GL_FLOAT, 0);
    glVertexArrayElementBuffer(land->vertices, land->indices);
}

static void upload_maps(Land *land, const WorldScene *scene, float *look) {
    int columns = land->columns, rows = land->rows;
    land->height_map = create_map(GL_R32F, columns, rows);
    glTextureSubImage2D(land->height_map, 0, 0, 0, columns, rows, GL_RED, GL_FLOAT,
                        scene->land.heights);
    land_look_build(&scene->land, look);
    land->look_map = create_map(GL_RGBA16F, columns, rows);
    glTextureSubImage2D(land->look_map, 0, 0, 0, columns, rows, GL_RGBA, GL_FLOAT, look);
}

static void keep_chunks(Land *land, const LandMesh *mesh) {
    land->chunk_count = mesh->chunk_count;
    land->chunks = ARENA_ARRAY(&land->arena, LandChunk, mesh->chunk_count);
    memcpy(land->chunks, mesh->chunks, sizeof(LandChunk) * (size_t)mesh->chunk_count);
    land->counts = ARENA_ARRAY(&land->arena, GLsizei, mesh->chunk_count);
    land->firsts = ARENA_ARRAY(&land->arena, const void *, mesh->chunk_count);
    land->low = INFINITY;
    land->high = -INFINITY;
    for (int i = 0; i < mesh->chunk_count; i++) {
        land->low = fminf(land->low, mesh->chunks[i].low);
        land->high = fmaxf(land->high, mesh->chunks[i].high);
    }
}

void land_set(Land *land, const WorldScene *scene) {
    const WorldGridView *grid = &scene->land;
    drop(land);
    if (grid->columns < 2 || grid->rows < 2) return;
    LandMesh mesh =
        land_mesh_build(&land->scratch, grid, scene->land_fine_over, scene->land_fine_over_count);
    keep_chunks(land, &mesh);
    land->columns = grid->columns;
    land->rows = grid->rows;
    land->cell = grid->cell;
    land->x0 = grid->x0;
    land->z0 = grid->z0;
    land->transform = transform_of(scene->land_transform);
    land->inverse = transform_inverse(&land->transform);
    memcpy(land->paint, scene->land_tint, sizeof scene->land_tint);
    upload_mesh(land, &mesh);
    upload_maps(land, scene,
                ARENA_ARRAY(&land->scratch, float, (size_t)grid->columns *(size_t)grid->rows * 4));
    arena_fini(&land->scratch);
    arena_init(&land->scratch, &land->memory);
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
    const Transform *there = land->columns ? &land->transform : &identity;
    const Transform *back = land->columns ? &land->inverse : &identity;
    LandBlock block = {.grid = {(float)land->x0, (float)land->z0, (float)land->cell},
                       .samples = {land->columns, land->rows}};
    memcpy(block.paint, land->paint, sizeof block.paint);
    set_rows(block.to_eye, there, vec_scale(eye->at, -1));
    set_rows(block.from_eye, back, transform_vector(back, eye->at));
    glNamedBufferSubData(land->uniforms, 0, sizeof block, &block);
    state_uniforms(1, land->uniforms);
    state_texture(0, land->height_map);
    state_texture(1, land->look_map);
}

/* A ball round a chunk's box, eye-relative, and the highest that the chunk reaches. */
static Vec chunk_ball(const Land *land, const LandChunk *chunk, const Eye *eye, double *radius,
                      double *top) {
    double half_x = chunk->columns * land->cell / 2, half_z = chunk->rows * land->cell / 2;
    double half_y = (chunk->high - chunk->low) / 2.0;
    Vec middle = {land->x0 + chunk->column * land->cell + half_x, (chunk->high + chunk->low) / 2.0,
                  land->z0 + chunk->row * land->cell + half_z};
    middle = transform_point(&land->transform, middle);
    *radius = sqrt(half_x * half_x + half_y * half_y + half_z * half_z) *
              transform_scale(&land->transform);
    const double *up = land->transform.row[1];
    *top = middle.y + fabs(up[0]) * half_x + fabs(up[1]) * half_y + fabs(up[2]) * half_z;
    return vec_sub(middle, eye->at);
}

static bool looks_far(const Land *land, const LandView *what, Vec middle, double radius) {
    if (what->height == 0) return false;
    Vec nearest = vec_sub(middle, vec_scale(what->eye->forward, radius));
    return eye_pixels(what->eye, nearest, land->cell / 2, what->height) < land->far_pixels;
}

/* Lists the visible chunks as runs of triangles, neighbours joined. */
static int list_runs(Land *land, const LandView *what) {
    int runs = 0;
    uint32_t end = 0;
    for (int i = 0; i < land->chunk_count; i++) {
        const LandChunk *chunk = &land->chunks[i];
        double radius, top;
        Vec middle = chunk_ball(land, chunk, what->eye, &radius, &top);
        if (top < what->above || !eye_sees_ball(what->eye, middle, radius)) continue;
        bool far = looks_far(land, what, middle, radius);
        uint32_t first = far ? chunk->far_first : chunk->first,
                 count = far ? chunk->far_count : chunk->count;
        if (runs && end == first) {
            land->counts[runs - 1] += (GLsizei)count;
        } else {
            land->counts[runs] = (GLsizei)count;
            land->firsts[runs++] = (const void *)((size_t)first * sizeof(uint32_t));
        }
        end = first + count;
    }
    return runs;
}

static int choose_runs(Land *land, const LandView *what) {
    for (land->far_pixels = least_far;; land->far_pixels *= far_step) {
        int runs = list_runs(land, what);
        land->triangles = 0;
        for (int i = 0; i < runs; i++)
            land->triangles += (uint64_t)land->counts[i] / 3;
        bool fits = what->most == 0 || land->triangles <= what->most;
        if (fits || land->far_pixels > most_far) return runs;
    }
}

uint64_t land_count(Land *land, const LandView *what) {
    choose_runs(land, what);
    return land->triangles;
}

void land_draw(Land *land, State *state, const LandView *what, const Pipe *pipe) {
    int runs = choose_runs(land, what);
    if (runs == 0) return;
    Pipe own = *pipe;
    own.vertices = land->vertices;
    state_pipe(state, &own);
    glMultiDrawElements(GL_TRIANGLES, land->counts, GL_UNSIGNED_INT, land->firsts, runs);
}

static void set_exact(GLuint program, GLint location, double x, double y, double z, double w) {
    glProgramUniform4d(program, location, x, y, z, w);
}

/* Run by run, because the shader finds its triangle by its number within a draw. */
void land_draw_heights(Land *land, State *state, const Eye *eye, GLuint program, int width,
                       int height) {
    const double at[3] = {eye->at.x, eye->at.y, eye->at.z};
    Vec right = vec_scale(eye->right, eye->half_width), up = vec_scale(eye->up, eye->half_height);
    for (int i = 0; i < 3; i++) {
        const double *row = land->transform.row[i];
        set_exact(program, 1 + i, row[0], row[1], row[2], row[3] - at[i]);
    }
    set_exact(program, 4, land->x0, land->z0, land->cell, land->columns);
    set_exact(program, 5, right.x, right.y, right.z, width);
    set_exact(program, 6, up.x, up.y, up.z, height);
    state_storage(2, land->indices);
    state_storage(3, land->heights);
    state_pipe(state, &(Pipe){.program = program,
                              .vertices = land->vertices,
                              .depth = PIPE_DEPTH_WRITE,
                              .cull = true});
    int runs = list_runs(land, &(LandView){.eye = eye, .above = -INFINITY});
    for (int i = 0; i < runs; i++) {
        glProgramUniform1i(program, 0, (GLint)((size_t)land->firsts[i] / (3 * sizeof(uint32_t))));
        glDrawElements(GL_TRIANGLES, land->counts[i], GL_UNSIGNED_INT, land->firsts[i]);
    }
}

void land_bounds(const Land *land, double floor, Vec *low, Vec *high) {
    *low = (Vec){INFINITY, INFINITY, INFINITY};
    *high = (Vec){-INFINITY, -INFINITY, -INFINITY};
    Eye origin = {0};
    for (int i = 0; i < land->chunk_count; i++) {
        double radius, top;
        Vec middle = chunk_ball(land, &land->chunks[i], &origin, &radius, &top);
        if (top < floor) continue;
        *low = (Vec){fmin(low->x, middle.x - radius), fmin(low->y, middle.y - radius),
                     fmin(low->z, middle.z - radius)};
        *high = (Vec){fmax(high->x, middle.x + radius), fmax(high->y, middle.y + radius),
                      fmax(high->z, middle.z + radius)};
    }
}
