#include "gpu/things.h"

#include "gpu/buffer.h"
#include "gpu/cards.h"

#include <math.h>

static const double smallest = 0.7; /* pixels: what looks smaller is left out */
static const double shadow_size = 0.4; /* a shadow needs the detail of a thing that looks so much smaller */
static const double coarser_step = 0.8, coarsest = 0.05; /* of a copy's pixels, where triangles are too many */
static const double coarsest_card = 0.75; /* likewise, for the step to a picture: a texel is not to be seen */

static const float reach_most = 2; /* meters, as shaders/things.vert has it */

/* One vertex as the card reads it; normals and colors as 16-bit fractions. Colors go up to 4. The fourth of the normal is how far the
 * vertex is from its foot, of `reach_most`; the fourth of the color tells feet apart. */
typedef struct ThingVertex {
    float place[3];
    int16_t normal[4];
    uint16_t color[4];
    float coords[2];
} ThingVertex;

/* One copy, as things.vert reads it. */
typedef struct ThingCopy {
    float rows[3][4];
    float tint[4];
} ThingCopy;

void things_init(Things *things) {
    *things = (Things){0};
    memory_init(&things->memory, NULL, NULL, 0);
    arena_init(&things->arena, &things->memory);
    arena_init(&things->scratch, &things->memory);
    arena_init(&things->placed, &things->memory);
}

static void renew(Arena *arena, Memory *memory) {
    arena_fini(arena);
    arena_init(arena, memory);
}

static void drop_copies(Things *things) {
    const GLuint buffers[2] = {things->copies, things->visible_buffer};
    glDeleteBuffers(2, buffers);
    things->copies = things->visible_buffer = 0;
    things->group_count = things->count = 0;
    renew(&things->placed, &things->memory);
}

static void drop(Things *things) {
    const GLuint buffers[2] = {things->vertex_buffer, things->index_buffer};
    drop_copies(things);
    glDeleteBuffers(2, buffers);
    glDeleteVertexArrays(1, &things->vertices);
    for (size_t m = 0; m < things->mesh_count; m++)
        glDeleteTextures(1, &things->meshes[m].picture);
    things->vertices = things->vertex_buffer = things->index_buffer = 0;
    things->mesh_count = 0;
    things->sways = false;
    renew(&things->arena, &things->memory);
    renew(&things->scratch, &things->memory);
}

void things_fini(Things *things) {
    drop(things);
    *things = (Things){0};
}

/* -- uploading -- */

static int16_t signed_fraction(float v) {
    return (int16_t)lrintf(fmaxf(-1, fminf(1, v)) * 32767);
}

static uint16_t fraction(float v) {
    return (uint16_t)lrintf(fmaxf(0, fminf(1, v)) * 65535);
}

static void pack_leaf(const float *place, const float *pivot, float wind, ThingVertex *out) {
    float x = place[0] - pivot[0], y = place[1] - pivot[1], z = place[2] - pivot[2];
    float mark = pivot[0] * 13.7f + pivot[1] * 7.3f + pivot[2] * 17.9f;
    out->normal[3] = signed_fraction(wind * sqrtf(x * x + y * y + z * z) / reach_most);
    out->color[3] = fraction(mark - floorf(mark));
}

static float lowest_of(const WorldMesh *mesh) {
    float low = INFINITY;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        low = fminf(low, mesh->positions[3 * (size_t)v + 1]);
    return low;
}

/* How far each vertex goes with the wind. */
static void pack_sway(const WorldMesh *mesh, ThingVertex *out) {
    float low = mesh->pivots ? 0 : lowest_of(mesh);
    if (!mesh->pivots && !mesh->wind) return;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const float *place = mesh->positions + 3 * (size_t)v;
        float wind = mesh->wind ? mesh->wind[v] : 1;
        if (mesh->pivots)
            pack_leaf(place, mesh->pivots + 3 * (size_t)v, wind, &out[v]);
        else
            out[v].normal[3] = signed_fraction(wind * (place[1] - low) / reach_most);
    }
}

static void pack_vertices(const WorldMesh *mesh, ThingVertex *out) {
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        for (int k = 0; mesh->coords && k < 2; k++)
            out[v].coords[k] = mesh->coords[2 * (size_t)v + (size_t)k];
        for (int axis = 0; axis < 3; axis++) {
            size_t at = 3 * (size_t)v + (size_t)axis;
            out[v].place[axis] = mesh->positions[at];
            out[v].normal[axis] = signed_fraction(mesh->normals[at]);
            out[v].color[axis] = fraction(mesh->colors[at] / 4);
        }
    }
    pack_sway(mesh, out);
}

static void measure_mesh(const WorldMesh *mesh, ThingMesh *out) {
    Vec low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const float *p = mesh->positions + 3 * (size_t)v;
        low = (Vec){fmin(low.x, p[0]), fmin(low.y, p[1]), fmin(low.z, p[2])};
        high = (Vec){fmax(high.x, p[0]), fmax(high.y, p[1]), fmax(high.z, p[2])};
    }
    if (mesh->vertex_count == 0) low = high = (Vec){0};
    out->middle = vec_scale(vec_add(low, high), 0.5);
    out->radius = vec_length(vec_sub(high, low)) / 2;
}

/* The scene's meshes, then the coarser ones of each. */
static const WorldMesh **list_meshes(Things *things, const WorldScene *scene) {
    size_t count = scene->mesh_count;
    for (size_t m = 0; m < scene->mesh_count; m++)
        for (const WorldMesh *at = scene->meshes[m].coarser; at; at = at->coarser)
            count++;
    const WorldMesh **all = ARENA_ARRAY(&things->scratch, const WorldMesh *, count);
    things->meshes = ARENA_ARRAY(&things->arena, ThingMesh, count);
    things->mesh_count = scene->mesh_count;
    for (size_t m = 0; m < scene->mesh_count; m++) {
        ThingMesh *finer = &things->meshes[m];
        all[m] = &scene->meshes[m];
        for (const WorldMesh *at = all[m]; at->coarser; at = at->coarser) {
            finer->coarser = (uint32_t)things->mesh_count;
            finer->coarser_below = at->coarser_below;
            finer = &things->meshes[things->mesh_count];
            all[things->mesh_count++] = at->coarser;
        }
    }
    return all;
}

static void upload_meshes(Things *things, const WorldScene *scene) {
    const WorldMesh **all = list_meshes(things, scene);
    size_t vertex_count = 0, index_count = 0;
    for (size_t m = 0; m < things->mesh_count; m++) {
        vertex_count += all[m]->vertex_count;
        index_count += all[m]->index_count;
    }
    ThingVertex *vertices = ARENA_ARRAY(&things->scratch, ThingVertex, vertex_count);
    uint32_t *indices = ARENA_ARRAY(&things->scratch, uint32_t, index_count);
    size_t vertex = 0, index = 0;
    for (size_t m = 0; m < things->mesh_count; m++) {
        const WorldMesh *mesh = all[m];
        ThingMesh *thing = &things->meshes[m];
        thing->base_vertex = (GLint)vertex;
        thing->first_index = index;
        thing->index_count = (GLsizei)mesh->index_count;
        thing->two_sided = mesh->two_sided;
        thing->water = mesh->water;
        thing->material = mesh->material;
        things->sways |= mesh->wind != NULL || mesh->pivots != NULL;
        thing->picture = cards_texture(mesh->picture);
        measure_mesh(mesh, thing);
        pack_vertices(mesh, vertices + vertex);
        if (mesh->index_count)
            memcpy(indices + index, mesh->indices, mesh->index_count * sizeof(uint32_t));
        vertex += mesh->vertex_count;
        index += mesh->index_count;
    }
    things->vertex_buffer = buffer_create(vertices, vertex_count * sizeof *vertices);
    things->index_buffer = buffer_create(indices, index_count * sizeof *indices);
}

static void create_vertex_array(Things *things) {
    glCreateVertexArrays(1, &things->vertices);
    glVertexArrayVertexBuffer(things->vertices, 0, things->vertex_buffer, 0, sizeof(ThingVertex));
    glVertexArrayElementBuffer(things->vertices, things->index_buffer);
    vertices_add(things->vertices, 0, 3, GL_FLOAT, offsetof(ThingVertex, place));
    vertices_add(things->vertices, 1, 4, GL_SHORT, offsetof(ThingVertex, normal));
    vertices_add(things->vertices, 2, 4, GL_UNSIGNED_SHORT, offsetof(ThingVertex, color));
    vertices_add(things->vertices, 3, 2, GL_FLOAT, offsetof(ThingVertex, coords));
}

static void place_copy(const ThingMesh *mesh, const float *rows, const float *tint, ThingCopy *copy,
                       ThingBall *ball) {
    memcpy(copy->rows, rows, sizeof copy->rows);
    for (int i = 0; i < 3; i++)
        copy->tint[i] = tint ? tint[i] : 1;
    Transform transform = transform_of(rows);
    ball->middle = transform_point(&transform, mesh->middle);
    ball->radius = mesh->radius * transform_scale(&transform);
}

static void upload_copies(Things *things, const WorldScene *scene) {
    for (size_t g = 0; g < scene->instance_count; g++)
        things->count += scene->instances[g].count;
    ThingCopy *copies = ARENA_ARRAY(&things->scratch, ThingCopy, things->count);
    things->balls = ARENA_ARRAY(&things->placed, ThingBall, things->count);
    things->visible = ARENA_ARRAY(&things->placed, uint32_t, things->count);
    things->across = ARENA_ARRAY(&things->placed, float, things->count);
    things->groups = ARENA_ARRAY(&things->placed, ThingGroup, scene->instance_count);
    uint32_t at = 0;
    for (size_t g = 0; g < scene->instance_count; g++) {
        const WorldInstances *group = &scene->instances[g];
        things->groups[g] = (ThingGroup){group->mesh, at, group->count};
        for (size_t i = 0; i < group->count; i++, at++)
            place_copy(&things->meshes[group->mesh], group->transforms + 12 * i,
                       group->tints ? group->tints + 3 * i : NULL, &copies[at], &things->balls[at]);
    }
    things->group_count = scene->instance_count;
    things->copies = buffer_create(copies, things->count * sizeof *copies);
    things->visible_buffer = buffer_create_dynamic(things->count * sizeof(uint32_t));
}

void things_set(Things *things, const WorldScene *scene) {
    drop(things);
    if (scene->mesh_count == 0) return;
    upload_meshes(things, scene);
    create_vertex_array(things);
    upload_copies(things, scene);
    renew(&things->scratch, &things->memory);
}

void things_move(Things *things, const WorldScene *scene) {
    drop_copies(things);
    if (scene->mesh_count == 0) return;
    upload_copies(things, scene);
    renew(&things->scratch, &things->memory);
}

/* -- drawing -- */

/* How large each copy of a group looks across, in pixels; 0: not seen. */
static void measure_copies(Things *things, const ThingGroup *group, const ThingsView *view) {
    for (uint32_t i = group->first; i < group->first + group->count; i++) {
        Vec middle = vec_sub(things->balls[i].middle, view->eye->at);
        double radius = things->balls[i].radius;
        double pixels = eye_sees_ball(view->eye, middle, radius)
                            ? eye_pixels(view->eye, middle, radius, view->height)
                            : 0;
        double counted = pixels * (view->materials ? 1 : shadow_size) * things->fineness;
        things->across[i] = pixels >= smallest ? (float)counted : 0;
    }
}

/* Appends the copies of a group that look at least `least` and less than `most` pixels across; how
 * many. */
static uint32_t list_copies(const Things *things, const ThingGroup *group, double least,
                            double most, uint32_t *out) {
    uint32_t count = 0;
    for (uint32_t i = group->first; i < group->first + group->count; i++)
        if (things->across[i] > 0 && things->across[i] >= least && things->across[i] < most)
            out[count++] = i;
    return count;
}

/* Copies that one draw shows. */
typedef struct ThingDraw {
    uint32_t mesh, first, count;
    int level; /* 0: as it was made */
} ThingDraw;

typedef struct ThingDraws {
    VEC(ThingDraw) items;
    uint32_t total; /* copies */
} ThingDraws;

/* A group's visible copies, each at the level that does for its size. */
static void list_group(Things *things, const ThingGroup *group, const ThingsView *view,
                       ThingDraws *draws) {
    double most = INFINITY;
    if (things->meshes[group->mesh].water && !view->materials) return;
    measure_copies(things, group, view);
    int level = 0;
    for (uint32_t mesh = group->mesh, next;; mesh = next, level++) {
        next = things->meshes[mesh].coarser;
        double least = next ? things->meshes[mesh].coarser_below : 0;
        if (things->meshes[next].picture) least *= fmin(1, things->fineness / coarsest_card);
        ThingDraw draw = {mesh, draws->total, 0, level};
        draw.count = list_copies(things, group, least, most, things->visible + draws->total);
        draws->total += draw.count;
        if (draw.count) VEC_PUSH(&things->scratch, &draws->items, draw);
        if (next == 0) return;
        most = least;
    }
}

/* What is mixed with a thing's color, and how much of it. */
static void set_level_paint(GLuint program, const ThingMesh *mesh, int level, bool shown) {
    static const float paints[][3] = {{1, 1, 1}, {0.1f, 0.8f, 0.15f}, {0.95f, 0.85f, 0.1f}, {0.95f, 0.4f, 0.05f}, {0.7f, 0.1f, 0.9f}};
    enum { PICTURE = sizeof paints / sizeof *paints - 1 };
    const float *paint = paints[mesh->picture || level > PICTURE ? PICTURE : level];
    glProgramUniform4f(program, 2, paint[0], paint[1], paint[2], shown ? 0.8f : 0);
}

static void draw_copies(const Things *things, State *state, const ThingDraw *draw,
                        const ThingsView *view) {
    const ThingMesh *mesh = &things->meshes[draw->mesh];
    Pipe own = *view->solid;
    own.vertices = things->vertices;
    own.cull = own.cull && !mesh->two_sided && !mesh->water;
    if (mesh->picture) cards_use(mesh->picture);
    if (mesh->picture) own.program = view->cards;
    if (view->materials) {
        const Material *material = &view->materials->items[mesh->water ? view->materials->ground : mesh->material];
        own.program = mesh->water ? material->water : mesh->picture ? material->cards : material->things;
        material_use(material);
    }
    state_pipe(state, &own);
    glProgramUniform1i(own.program, 0, (GLint)draw->first);
    if (view->materials && !mesh->water) glProgramUniform1f(own.program, 1, mesh->two_sided ? 0.45f : 0);
    if (view->materials && !mesh->water) set_level_paint(own.program, mesh, draw->level, view->show_levels);
    glDrawElementsInstancedBaseVertex(GL_TRIANGLES, mesh->index_count, GL_UNSIGNED_INT,
                                      (const void *)(mesh->first_index * sizeof(uint32_t)),
                                      (GLsizei)draw->count, mesh->base_vertex);
}

static ThingDraws list_draws(Things *things, const ThingsView *view) {
    ThingDraws draws = {0};
    for (size_t g = 0; g < things->group_count; g++)
        list_group(things, &things->groups[g], view, &draws);
    things->triangles = 0;
    for (int i = 0; i < draws.items.count; i++) {
        const ThingDraw *draw = &draws.items.items[i];
        things->triangles += (uint64_t)things->meshes[draw->mesh].index_count / 3 * draw->count;
    }
    return draws;
}

void things_draw(Things *things, State *state, const ThingsView *view) {
    things->triangles = 0;
    if (things->count == 0) return;
    ArenaMark mark = arena_mark(&things->scratch);
    things->fineness = 1;
    ThingDraws draws = list_draws(things, view);
    while (view->most && things->triangles > view->most && things->fineness > coarsest) {
        arena_release(&things->scratch, mark);
        things->fineness *= coarser_step;
        draws = list_draws(things, view);
    }
    glNamedBufferSubData(things->visible_buffer, 0, (GLsizeiptr)(draws.total * sizeof(uint32_t)),
                         things->visible);
    state_storage(0, things->copies);
    state_storage(1, things->visible_buffer);
    for (int i = 0; i < draws.items.count; i++)
        draw_copies(things, state, &draws.items.items[i], view);
    arena_release(&things->scratch, mark);
}

void things_bounds(const Things *things, Vec *low, Vec *high) {
    *low = (Vec){INFINITY, INFINITY, INFINITY};
    *high = (Vec){-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < things->count; i++) {
        Vec p = things->balls[i].middle;
        double r = things->balls[i].radius;
        *low = (Vec){fmin(low->x, p.x - r), fmin(low->y, p.y - r), fmin(low->z, p.z - r)};
        *high = (Vec){fmax(high->x, p.x + r), fmax(high->y, p.y + r), fmax(high->z, p.z + r)};
    }
}
