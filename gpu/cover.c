#include "gpu/cover.h"

#include "gpu/buffer.h"
#include "gpu/content.h"
#include "gpu/program.h"
#include "runtime/base/hash.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STRETCH = 64, DRAW_WORDS = 8, DISPATCH_WORD = 5, KIND_BINDING = 2, FAR_BINDING = 3, WORDS_BINDING = 7, FAR_UNIT = 7, MOST_TRIES = 4 };
enum { MOST_TUFTS = 1 << 24 }; /* at once: a gigabyte of the card's memory */

/* The uniform block of cover.glsl, laid out as std140. */
typedef struct KindBlock {
    float base[4], tip[4], alt[4], dry[4], petal[4], head[4];
    float shape[4], more[4], ends[4];
} KindBlock;

/* That of cover_far.glsl. */
typedef struct FarBlock {
    float grid[4], range[4];
} FarBlock;

static const char place_files[] = "frame.glsl place.glsl divided.glsl cover.glsl cover_place.comp";
static const char look_files[] = "frame.glsl planet.glsl cover.glsl light.glsl place.glsl cover_look.comp";
static const char blade_files[] = "frame.glsl wind.glsl planet.glsl cover.glsl light.glsl place.glsl cover_light.glsl cover.vert";
static const char mesh_files[] = "frame.glsl wind.glsl planet.glsl cover.glsl light.glsl place.glsl cover_light.glsl cover_mesh.vert";
static const char paint_files[] = "frame.glsl planet.glsl light.glsl cover.frag";

bool cover_can(void) {
    GLint invocations = 0, blocks = 0, vertex_blocks = 0;
    glGetIntegerv(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, &invocations);
    glGetIntegerv(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, &blocks);
    glGetIntegerv(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, &vertex_blocks);
    return invocations >= 256 && blocks >= 5 && vertex_blocks >= 2;
}

/* -- life -- */

static void renew(Arena *arena, Memory *memory) {
    arena_fini(arena);
    arena_init(arena, memory);
}

static void drop(Cover *cover) {
    for (int k = 0; k < cover->kind_count; k++) {
        glDeleteProgram(cover->programs[k].place);
        glDeleteBuffers(1, &cover->programs[k].uniforms);
    }
    for (int i = 0; i < cover->layer_count; i++)
        glDeleteVertexArrays(1, &cover->layers[i].vertices);
    for (int i = 0; i < cover->layer_count; i++)
        glDeleteBuffers(1, &cover->layers[i].indices);
    const GLuint programs[] = {cover->scan, cover->gather, cover->look, cover->blades, cover->meshes};
    for (int i = 0; i < 5; i++)
        glDeleteProgram(programs[i]);
    const GLuint buffers[] = {cover->words, cover->blocks, cover->stretches, cover->counts, cover->tufts, cover->draws};
    glDeleteBuffers(6, buffers);
    glDeleteTextures(1, &cover->far_map);
    cover->scan = cover->gather = cover->look = cover->blades = cover->meshes = cover->far_map = 0;
    cover->words = cover->blocks = cover->stretches = cover->counts = cover->tufts = cover->draws = 0;
    cover->kind_count = cover->layer_count = 0;
    cover->block_room = cover->stretch_room = 0;
    cover->placed = (CoverPlaced){0};
    cover->left_out = cover->windy = false;
    cover->triangles = cover->candidates = 0;
    renew(&cover->arena, &cover->memory);
    renew(&cover->scratch, &cover->memory);
}

void cover_init(Cover *cover) {
    *cover = (Cover){.share = {1, 1}};
    memory_init(&cover->memory, NULL, NULL, 0);
    arena_init(&cover->arena, &cover->memory);
    arena_init(&cover->scratch, &cover->memory);
    cover->far_uniforms = buffer_create_dynamic(sizeof(FarBlock));
}

void cover_fini(Cover *cover) {
    drop(cover);
    glDeleteBuffers(1, &cover->far_uniforms);
    *cover = (Cover){0};
}

/* -- shapes: the triangles of a tuft's units -- */

static int levels_of(int ring) {
    return ring == 0 ? 4 : 3; /* 7 triangles a blade, then 5 */
}

static int corners_of(const WorldCoverKind *kind, int ring) {
    switch ((int)kind->style) {
    case WORLD_COVER_BLADES:
        return 2 * levels_of(ring) + 1;
    case WORLD_COVER_FLOWERS:
        return 5 + 4 * (int)kind->petals + 4;
    case WORLD_COVER_PATCHES:
        return 8;
    default:
        return 4;
    }
}

static void add_triangle(uint16_t *out, int *count, int a, int b, int c) {
    out[(*count)++] = (uint16_t)a;
    out[(*count)++] = (uint16_t)b;
    out[(*count)++] = (uint16_t)c;
}

static void add_strip(uint16_t *out, int *count, int first, int corners) {
    for (int i = 0; i + 2 < corners; i++)
        add_triangle(out, count, first + i, first + i + 1 + i % 2, first + i + 2 - i % 2);
}

static void add_unit(const WorldCoverKind *kind, int ring, int first, uint16_t *out, int *count) {
    switch ((int)kind->style) {
    case WORLD_COVER_BLADES:
        add_strip(out, count, first, 2 * levels_of(ring) + 1);
        return;
    case WORLD_COVER_FLOWERS:
        add_strip(out, count, first, 5);
        for (int petal = 0; petal < (int)kind->petals + 1; petal++) { /* and the middle */
            int at = first + 5 + 4 * petal;
            add_triangle(out, count, at, at + 1, at + 2);
            if (petal < (int)kind->petals)
                add_triangle(out, count, at + 1, at + 3, at + 2);
            else
                add_triangle(out, count, at, at + 2, at + 3);
        }
        return;
    case WORLD_COVER_PATCHES:
        for (int i = 0; i < 7; i++)
            add_triangle(out, count, first, first + 1 + i, first + 1 + (i + 1) % 7);
        return;
    default:
        add_strip(out, count, first, 4);
    }
}

enum { MOST_INDICES = 64 * 3 * 30 };

static void make_units(Cover *cover, CoverLayer *layer) {
    const WorldCoverKind *kind = &cover->kinds[layer->kind];
    uint16_t *indices = ARENA_ARRAY(&cover->scratch, uint16_t, MOST_INDICES);
    int count = 0;
    double left = pow(kind->ring_step, -layer->ring); /* as the shader thins them: the share that the ring begins with */
    layer->units = (int)kind->blades_per_tuft;
    if ((int)kind->style == WORLD_COVER_BLADES) layer->units = (int)ceil(kind->blades_per_tuft * left - 1e-6);
    layer->corners = corners_of(kind, layer->ring);
    layer->levels = levels_of(layer->ring);
    for (int unit = 0; unit < layer->units; unit++)
        add_unit(kind, layer->ring, unit * layer->corners, indices, &count);
    layer->index_count = (uint32_t)count;
    layer->indices = buffer_create(indices, sizeof *indices * (size_t)count);
    glCreateVertexArrays(1, &layer->vertices);
    glVertexArrayElementBuffer(layer->vertices, layer->indices);
}

static void make_mesh(Cover *cover, CoverLayer *layer, const WorldMesh *mesh) {
    float *vertices = ARENA_ARRAY(&cover->scratch, float, 9 * mesh->vertex_count + 1);
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        memcpy(vertices + 9 * v, mesh->positions + 3 * v, 3 * sizeof(float));
        memcpy(vertices + 9 * v + 3, mesh->normals + 3 * v, 3 * sizeof(float));
        memcpy(vertices + 9 * v + 6, mesh->colors + 3 * v, 3 * sizeof(float));
    }
    size_t size = 9 * sizeof(float) * mesh->vertex_count, index_size = sizeof(uint32_t) * mesh->index_count;
    /* One buffer holds both: the vertices, then the indices. */
    layer->indices = buffer_create_dynamic(size + index_size);
    glNamedBufferSubData(layer->indices, 0, (GLsizeiptr)size, vertices);
    glNamedBufferSubData(layer->indices, (GLintptr)size, (GLsizeiptr)index_size, mesh->indices);
    glCreateVertexArrays(1, &layer->vertices);
    glVertexArrayVertexBuffer(layer->vertices, 0, layer->indices, 0, 9 * sizeof(float));
    glVertexArrayElementBuffer(layer->vertices, layer->indices);
    for (GLuint i = 0; i < 3; i++)
        vertices_add(layer->vertices, i, 3, GL_FLOAT, 3 * sizeof(float) * i);
    layer->index_count = mesh->index_count;
    layer->corners = (int)(size / sizeof(uint32_t)); /* where its indices begin */
}

/* -- uploading -- */

static void set_color(float out[4], const double color[3], double last) {
    for (int i = 0; i < 3; i++)
        out[i] = (float)color[i];
    out[3] = (float)last;
}

static KindBlock kind_block(const WorldCoverKind *kind, CoverShare share) {
    KindBlock block = {.shape = {(float)kind->lean, (float)kind->bend, (float)kind->blades_per_tuft, (float)kind->alignment},
                       .more = {(float)kind->sink, (float)kind->mottle, (float)kind->ring_step, (float)share.reach},
                       .ends = {(float)kind->ring_end[0], (float)kind->ring_end[1], (float)kind->rings,
                                (float)(1 / sqrt(kind->density * share.density))}};
    set_color(block.base, kind->base_color, kind->style);
    set_color(block.tip, kind->tip_color, kind->variation);
    set_color(block.alt, kind->alt_color, kind->dry_amount);
    set_color(block.dry, kind->dry_color, kind->translucency);
    set_color(block.petal, kind->flower, kind->petals);
    set_color(block.head, kind->flower_center, kind->wind);
    return block;
}

/* Each ring has room for what the kind may need in all. */
static void add_layers(Cover *cover) {
    int first = 0;
    cover->layers = ARENA_ARRAY(&cover->arena, CoverLayer, 3 * cover->kind_count + 1);
    for (int k = 0; k < cover->kind_count; k++) {
        const WorldCoverKind *kind = &cover->kinds[k];
        bool meshes = (int)kind->style == WORLD_COVER_MESHES;
        for (int ring = 0; ring < (int)kind->rings; ring++) {
            if (meshes && kind->meshes[ring] == NULL) continue;
            CoverLayer *layer = &cover->layers[cover->layer_count++];
            *layer = (CoverLayer){.kind = k, .ring = ring, .first = first, .most = (int)kind->max_instances};
            first += layer->most;
            if (meshes)
                make_mesh(cover, layer, kind->meshes[ring]);
            else
                make_units(cover, layer);
        }
    }
    cover->tufts = buffer_create(NULL, sizeof(CoverTuft) * (size_t)first);
    cover->draws = buffer_create_dynamic(sizeof(uint32_t) * DRAW_WORDS * (size_t)(cover->layer_count + 1));
    for (int i = 0; i < cover->layer_count; i++) {
        const CoverLayer *layer = &cover->layers[i];
        bool mesh = (int)cover->kinds[layer->kind].style == WORLD_COVER_MESHES;
        const uint32_t draw[DRAW_WORDS] = {layer->index_count, 0, mesh ? (uint32_t)layer->corners : 0, 0, 0, 0, 1, 1};
        glNamedBufferSubData(cover->draws, (GLintptr)(sizeof draw * (size_t)i), sizeof draw, draw);
    }
}

static bool make_programs(Cover *cover, const Programs *programs, const WorldScene *scene, char *error, size_t size) {
    const char *ground = scene->land_material ? scene->materials[scene->land_material - 1].text : NULL;
    cover->scan = program_compute(programs, "cover_scan.comp", NULL, NULL, error, size);
    cover->gather = cover->scan ? program_compute(programs, "cover.glsl cover_gather.comp", NULL, NULL, error, size) : 0;
    cover->look = cover->gather ? program_compute(programs, look_files, ground, NULL, error, size) : 0;
    cover->blades = cover->look ? program_of(programs, blade_files, paint_files, error, size) : 0;
    cover->meshes = cover->blades ? program_of(programs, mesh_files, paint_files, error, size) : 0;
    bool good = cover->meshes != 0;
    cover->programs = ARENA_ARRAY(&cover->arena, CoverKindPrograms, cover->kind_count + 1);
    for (int k = 0; good && k < cover->kind_count; k++) {
        cover->programs[k].place = program_compute(programs, place_files, scene->cover.card.text, scene->cover.kinds[k].function, error, size);
        cover->programs[k].uniforms = buffer_create_dynamic(sizeof(KindBlock));
        good = cover->programs[k].place != 0;
    }
    return good;
}

static void set_far(Cover *cover, const WorldCover *from) {
    FarBlock block = {0};
    double begin = cover->left_out ? 0 : from->far_from * cover->share.reach, end = cover->left_out ? 1 : from->far_to * cover->share.reach;
    if (from->far_look)
        block = (FarBlock){{(float)from->far_x0, (float)from->far_z0, (float)from->far_cell, 1},
                           {(float)from->far_columns, (float)from->far_rows, (float)begin, (float)end}};
    glNamedBufferSubData(cover->far_uniforms, 0, sizeof block, &block);
    if (from->far_look == NULL) return;
    glCreateTextures(GL_TEXTURE_2D, 1, &cover->far_map);
    glTextureStorage2D(cover->far_map, 1, GL_RGBA16F, from->far_columns, from->far_rows);
    glTextureParameteri(cover->far_map, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(cover->far_map, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(cover->far_map, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTextureSubImage2D(cover->far_map, 0, 0, 0, from->far_columns, from->far_rows, GL_RGBA, GL_FLOAT, from->far_look);
}

static bool make(Cover *cover, const Programs *programs, const CoverScene *wanted, char *error, size_t size) {
    const WorldScene *scene = wanted->scene;
    const WorldCover *from = &scene->cover;
    CoverShare share = wanted->share;
    drop(cover);
    cover->share = share;
    cover->left_out = from->kind_count && !wanted->can_compute;
    set_far(cover, from);
    if (from->kind_count == 0 || cover->left_out) return true;
    GLint most = 0;
    glGetIntegerv(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    if (from->card.word_count > (size_t)most / sizeof(uint32_t)) {
        snprintf(error, size, "the cover's maps hold %zu numbers; this driver takes %zu: a greater texel makes fewer", from->card.word_count,
                 (size_t)most / sizeof(uint32_t));
        return false;
    }
    double room = 0;
    for (size_t k = 0; k < from->kind_count; k++)
        room += from->kinds[k].rings * from->kinds[k].max_instances;
    if (room > MOST_TUFTS) {
        snprintf(error, size, "the cover asks for room for %.0f tufts at once; %d is the most: a lesser maxInstances needs less", room, MOST_TUFTS);
        return false;
    }
    cover->kind_count = (int)from->kind_count;
    cover->kinds = ARENA_ARRAY(&cover->arena, WorldCoverKind, cover->kind_count);
    memcpy(cover->kinds, from->kinds, sizeof *cover->kinds * from->kind_count);
    if (!make_programs(cover, programs, scene, error, size)) return false;
    cover->words = buffer_create(from->card.words, sizeof(uint32_t) * from->card.word_count);
    cover->heights = cover_heights(&cover->arena, &scene->land);
    add_layers(cover);
    for (int k = 0; k < cover->kind_count; k++) {
        KindBlock block = kind_block(&cover->kinds[k], share);
        glNamedBufferSubData(cover->programs[k].uniforms, 0, sizeof block, &block);
        cover->windy |= cover->kinds[k].wind > 0;
    }
    renew(&cover->scratch, &cover->memory);
    return true;
}

static uint64_t content_of(const CoverScene *wanted) {
    const uint64_t made_of[] = {content_of_cover(&wanted->scene->cover), wanted->can_compute, wanted->programs, wanted->ground};
    return hash_bytes(made_of, sizeof made_of, hash_bytes(&wanted->share, sizeof wanted->share, 0)) | 1;
}

bool cover_set(Cover *cover, const Programs *programs, const CoverScene *scene, char *error, size_t size) {
    const WorldCover *from = &scene->scene->cover;
    uint64_t content = content_of(scene);
    cover->placed = (CoverPlaced){0};
    cover->uploaded = 0;
    if (content == cover->content) return true;
    cover->content = 0;
    if (!make(cover, programs, scene, error, size)) return false;
    cover->uploaded = sizeof(uint32_t) * from->card.word_count + 4 * sizeof(float) * (size_t)from->far_columns * (size_t)from->far_rows;
    cover->content = content;
    return true;
}

/* -- placing -- */

static void grow(GLuint *buffer, size_t *room, size_t wanted) {
    if (wanted <= *room) return;
    glDeleteBuffers(1, buffer);
    *room = wanted + wanted / 2;
    *buffer = buffer_create_dynamic(*room);
}

/* Room for the stretches of so many groups; their counts lie in a buffer of their own. */
static void grow_stretches(Cover *cover, size_t groups) {
    size_t room = cover->stretch_room;
    grow(&cover->stretches, &room, groups * STRETCH * sizeof(CoverTuft));
    if (room == cover->stretch_room) return;
    cover->stretch_room = room;
    glDeleteBuffers(1, &cover->counts);
    cover->counts = buffer_create_dynamic((room / (STRETCH * sizeof(CoverTuft)) + 2) * sizeof(uint32_t));
}

static void ring_of(const WorldCoverKind *kind, int ring, double reach, double *from, double *to) {
    bool last = ring == (int)kind->rings - 1;
    *from = ring ? kind->ring_end[ring - 1] * reach : 0;
    *to = (last ? kind->range : fmin(kind->ring_end[ring], kind->range)) * reach;
}

static double widened(const WorldCoverKind *kind, CoverShare share) {
    return pow(kind->ring_step, 1.5 * (kind->rings - 1)) / sqrt(share.density);
}

static CoverRing ring_view(const Cover *cover, const CoverLayer *layer, const CoverView *view, CoverShare share) {
    const WorldCoverKind *kind = &cover->kinds[layer->kind];
    CoverRing ring = {.kind = kind,
                      .heights = &cover->heights,
                      .margin = cover_margin(kind, widened(kind, share)),
                      .eye = transform_point(&view->land->inverse, view->eye->at),
                      .seen = cover->uncut ? NULL : view->eye,
                      .to_world = &view->land->transform};
    ring_of(kind, layer->ring, share.reach, &ring.from, &ring.to);
    ring.side = cover_block_side(kind, ring.to);
    return ring;
}

static void set_uniforms(const Cover *cover, GLuint program, const CoverRing *ring, const CoverView *view, CoverShare share) {
    double scale = transform_scale(&view->land->transform);
    float planes[5][4];
    for (int i = 0; i < 20; i++)
        planes[i / 4][i % 4] = cover->uncut ? 0 : (float)view->eye->planes[i / 4][i % 4];
    glProgramUniform4i(program, 0, ring->side, (GLint)ring->kind->per_cluster, 0, 0);
    glProgramUniform4f(program, 1, (float)ring->eye.x, (float)ring->eye.y, (float)ring->eye.z, (float)share.reach);
    glProgramUniform4f(program, 2, (float)ring->from, (float)ring->to, (float)share.density, (float)(cover_reach(ring->kind) * scale));
    glProgramUniform4fv(program, 3, 5, planes[0]);
}

static void set_kind(const Cover *cover, const CoverLayer *layer) {
    state_uniforms(KIND_BINDING, cover->programs[layer->kind].uniforms);
}

static void place_layer(Cover *cover, State *state, int index, const CoverView *view, CoverShare share) {
    CoverLayer *layer = &cover->layers[index];
    CoverRing ring = ring_view(cover, layer, view, share);
    ArenaMark mark = arena_mark(&cover->scratch);
    CoverBlock *blocks;
    int count = ring.to > ring.from ? cover_list(&cover->scratch, &ring, &blocks) : 0;
    int candidates = ring.side * ring.side * (int)ring.kind->per_cluster, groups = (candidates + STRETCH - 1) / STRETCH;
    cover->candidates += (uint64_t)candidates * (uint64_t)count;
    grow(&cover->blocks, &cover->block_room, sizeof *blocks * (size_t)(count + 1));
    grow_stretches(cover, (size_t)groups * (size_t)(count + 1));
    glNamedBufferSubData(cover->blocks, 0, (GLsizeiptr)(sizeof *blocks * (size_t)count), count ? blocks : NULL);
    arena_release(&cover->scratch, mark);
    set_kind(cover, layer);
    state_storage(0, cover->blocks);
    state_storage(1, cover->stretches);
    state_storage(2, cover->counts);
    state_storage(3, cover->draws);
    state_storage(WORDS_BINDING, cover->words);
    GLuint place = cover->programs[layer->kind].place;
    state_pipe(state, &(Pipe){.program = place});
    set_uniforms(cover, place, &ring, view, share);
    if (count) glDispatchCompute((GLuint)groups, (GLuint)count, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glProgramUniform1i(cover->scan, 0, groups * count);
    glProgramUniform1i(cover->scan, 1, index);
    glProgramUniform1i(cover->scan, 2, layer->most);
    state_pipe(state, &(Pipe){.program = cover->scan});
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    if (count == 0) return;
    state_storage(0, cover->tufts);
    glProgramUniform1i(cover->gather, 0, layer->first);
    glProgramUniform1i(cover->gather, 1, layer->most);
    state_pipe(state, &(Pipe){.program = cover->gather});
    glDispatchCompute((GLuint)groups, (GLuint)count, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    material_use(view->ground);
    glProgramUniform1i(cover->look, 0, layer->first);
    glProgramUniform1i(cover->look, 1, index);
    state_pipe(state, &(Pipe){.program = cover->look});
    state_dispatches(cover->draws);
    glDispatchComputeIndirect((GLintptr)(sizeof(uint32_t) * (size_t)(DRAW_WORDS * index + DISPATCH_WORD)));
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

static void count_triangles(Cover *cover) {
    uint32_t *draws = ARENA_ARRAY(&cover->scratch, uint32_t, DRAW_WORDS * cover->layer_count);
    glGetNamedBufferSubData(cover->draws, 0, (GLsizeiptr)(sizeof *draws * DRAW_WORDS * (size_t)cover->layer_count), draws);
    cover->triangles = 0;
    for (int i = 0; i < cover->layer_count; i++) {
        cover->layers[i].count = draws[DRAW_WORDS * i + 1];
        cover->triangles += (uint64_t)cover->layers[i].count * cover->layers[i].index_count / 3;
    }
}

static bool same_eye(const Eye *a, const Eye *b) {
    const double left[] = {a->at.x, a->at.y, a->at.z, a->forward.x, a->forward.y, a->forward.z, a->up.x, a->up.y, a->up.z, a->half_width, a->half_height, a->orthographic};
    const double right[] = {b->at.x, b->at.y, b->at.z, b->forward.x, b->forward.y, b->forward.z, b->up.x, b->up.y, b->up.z, b->half_width, b->half_height, b->orthographic};
    return memcmp(left, right, sizeof left) == 0;
}

/* While the eye stands, tufts stand as they were placed: the time only moves them. */
static bool is_placed(Cover *cover, const CoverView *view) {
    CoverPlaced now = {.eye = *view->eye, .share = cover->share, .most = view->most, .uncut = cover->uncut, .any = !view->timed}, *was = &cover->placed;
    bool same = was->any && now.any && same_eye(&was->eye, &now.eye) && was->share.reach == now.share.reach && was->share.density == now.share.density &&
                was->most == now.most && was->uncut == now.uncut;
    *was = now;
    return same;
}

/* What is too much is placed again, thinner; so the same eye sees the same. */
void cover_place(Cover *cover, State *state, const CoverView *view) {
    CoverShare share = cover->share;
    state_uniforms(FAR_BINDING, cover->far_uniforms);
    state_texture(FAR_UNIT, cover->far_map);
    if (cover->layer_count && view->land->columns && is_placed(cover, view)) return;
    cover->triangles = cover->candidates = 0;
    if (cover->layer_count == 0 || view->land->columns == 0) return;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        ArenaMark mark = arena_mark(&cover->scratch);
        for (int i = 0; i < cover->layer_count; i++)
            place_layer(cover, state, i, view, share);
        glMemoryBarrier(GL_COMMAND_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
        count_triangles(cover);
        arena_release(&cover->scratch, mark);
        cover->density = share.density;
        if (view->most == 0 || cover->triangles <= view->most) return;
        share.density *= 0.9 * (double)view->most / (double)cover->triangles;
    }
}

void cover_draw(const Cover *cover, State *state) {
    if (cover->triangles == 0) return;
    state_storage(0, cover->tufts);
    state_draws(cover->draws);
    for (int i = 0; i < cover->layer_count; i++) {
        const CoverLayer *layer = &cover->layers[i];
        bool mesh = (int)cover->kinds[layer->kind].style == WORLD_COVER_MESHES;
        if (layer->count == 0) continue;
        GLuint program = mesh ? cover->meshes : cover->blades;
        glProgramUniform1i(program, 0, layer->first);
        if (!mesh) {
            glProgramUniform1i(program, 1, layer->corners);
            glProgramUniform1i(program, 2, layer->levels);
        }
        set_kind(cover, layer);
        state_pipe(state, &(Pipe){.program = program, .vertices = layer->vertices, .depth = PIPE_DEPTH_WRITE});
        glDrawElementsIndirect(GL_TRIANGLES, mesh ? GL_UNSIGNED_INT : GL_UNSIGNED_SHORT, (const void *)(sizeof(uint32_t) * DRAW_WORDS * (size_t)i));
    }
}

int cover_read(const Cover *cover, int layer, CoverTuft *tufts, int most) {
    const CoverLayer *from = &cover->layers[layer];
    int count = (int)from->count < most ? (int)from->count : most;
    glGetNamedBufferSubData(cover->tufts, (GLintptr)(sizeof *tufts * (size_t)from->first), (GLsizeiptr)(sizeof *tufts * (size_t)count), tufts);
    return count;
}

void cover_note(const Cover *cover, char *text, size_t size) {
    uint64_t tufts = 0;
    for (int i = 0; i < cover->layer_count; i++)
        tufts += cover->layers[i].count;
    text[0] = 0;
    if (cover->left_out)
        snprintf(text, size, "ground cover is left out: this device places none");
    else if (cover->layer_count)
        snprintf(text, size, "ground cover: %llu tufts, %llu triangles, reach %.0f %%, density %.0f %%", (unsigned long long)tufts,
                 (unsigned long long)cover->triangles, 100 * cover->share.reach, 100 * cover->density);
}
