/* The meshes of things on the card: each once, those that come later behind the others. */
#include "gpu/buffer.h"
#include "gpu/cards.h"
#include "gpu/content.h"
#include "gpu/things.h"

#include <math.h>
#include <stdlib.h>

static const float reach_most = 2; /* meters, as shaders/things.vert has it */

/* One vertex as the card reads it; normals and colors as 16-bit fractions. Colors go up to 4. The fourth of the normal is how far the
 * vertex is from its foot, of `reach_most`; the fourth of the color tells feet apart. */
typedef struct ThingVertex {
    float place[3];
    int16_t normal[4];
    uint16_t color[4];
    float coords[2];
} ThingVertex;

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

/* -- meshes that are there already -- */

static int by_content(const void *a, const void *b) {
    const ThingChain *first = a, *second = b;
    return first->content < second->content ? -1 : first->content > second->content;
}

/* The chains in the order of what they hold. */
static ThingChain *sort_chains(Things *things) {
    size_t count = (size_t)things->chains.count;
    ThingChain *sorted = ARENA_ARRAY(&things->scratch, ThingChain, count + 1);
    if (count) memcpy(sorted, things->chains.items, sizeof *sorted * count);
    if (count) qsort(sorted, count, sizeof *sorted, by_content);
    return sorted;
}

static void use_chain(Things *things, const ThingChain *chain, int material) {
    VEC_PUSH(&things->arena, &things->firsts, chain->first);
    things->sways |= chain->sways;
    for (uint32_t m = chain->first; m < chain->first + chain->count; m++)
        things->meshes.items[m].material = material;
}

/* The scene's meshes from the first that is not listed yet, which are listed then; answers those that are not there, each with its coarser
 * ones behind it. */
static const WorldMesh **list_meshes(Things *things, const WorldScene *scene, size_t *count) {
    size_t first = (size_t)things->firsts.count, most = 1;
    for (size_t m = first; m < scene->mesh_count; m++)
        for (const WorldMesh *at = &scene->meshes[m]; at; at = at->coarser)
            most++;
    const WorldMesh **fresh = ARENA_ARRAY(&things->scratch, const WorldMesh *, most);
    size_t known = (size_t)things->chains.count;
    const ThingChain *sorted = sort_chains(things);
    *count = 0;
    for (size_t m = first; m < scene->mesh_count; m++) {
        ThingChain chain = {.content = content_of_mesh(&scene->meshes[m]), .first = (uint32_t)((size_t)things->meshes.count + *count)};
        const ThingChain *found = known ? bsearch(&chain, sorted, known, sizeof chain, by_content) : NULL;
        if (found) {
            use_chain(things, found, scene->meshes[m].material);
            continue;
        }
        for (const WorldMesh *at = &scene->meshes[m]; at; at = at->coarser, chain.count++) {
            chain.sways |= at->wind != NULL || at->pivots != NULL;
            fresh[(*count)++] = at;
        }
        things->sways |= chain.sways;
        VEC_PUSH(&things->arena, &things->chains, chain);
        VEC_PUSH(&things->arena, &things->firsts, chain.first);
    }
    return fresh;
}

static size_t count_vertices(const WorldScene *scene) {
    size_t count = 0;
    for (size_t m = 0; m < scene->mesh_count; m++)
        for (const WorldMesh *at = &scene->meshes[m]; at; at = at->coarser)
            count += at->vertex_count;
    return count;
}

/* Whether memory was out while the last were listed. */
static bool is_torn(const Things *things) {
    const ThingChain *last = things->chains.count ? &things->chains.items[things->chains.count - 1] : NULL;
    return last && last->first + last->count != (uint32_t)things->meshes.count;
}

void things_forget_meshes(Things *things, const WorldScene *scene) {
    if (is_torn(things) || things->vertex_count > 2 * count_vertices(scene)) things_drop_meshes(things);
    things->firsts.count = 0;
    things->sways = false;
}

/* -- uploading -- */

static void add_mesh(Things *things, const WorldMesh *mesh, size_t vertex, size_t index) {
    ThingMesh thing = {.base_vertex = (GLint)vertex,
                       .first_index = index,
                       .index_count = (GLsizei)mesh->index_count,
                       .two_sided = mesh->two_sided,
                       .water = mesh->water,
                       .material = mesh->material,
                       .picture = cards_texture(mesh->picture),
                       .coarser = mesh->coarser ? (uint32_t)things->meshes.count + 1 : 0,
                       .coarser_below = mesh->coarser_below};
    measure_mesh(mesh, &thing);
    VEC_PUSH(&things->arena, &things->meshes, thing);
}

/* The same buffer with room for so many bytes, and what was in it. */
static void grow_buffer(GLuint *buffer, size_t *room, size_t used, size_t wanted) {
    if (wanted <= *room) return;
    *room = used ? wanted * 2 : wanted; /* what comes at once is most often all */
    GLuint grown = buffer_create_dynamic(*room);
    if (used) glCopyNamedBufferSubData(*buffer, grown, 0, 0, (GLsizeiptr)used);
    glDeleteBuffers(1, buffer);
    *buffer = grown;
}

static void describe_vertices(Things *things) {
    if (things->vertices == 0) {
        glCreateVertexArrays(1, &things->vertices);
        vertices_add(things->vertices, 0, 3, GL_FLOAT, offsetof(ThingVertex, place));
        vertices_add(things->vertices, 1, 4, GL_SHORT, offsetof(ThingVertex, normal));
        vertices_add(things->vertices, 2, 4, GL_UNSIGNED_SHORT, offsetof(ThingVertex, color));
        vertices_add(things->vertices, 3, 2, GL_FLOAT, offsetof(ThingVertex, coords));
    }
    glVertexArrayVertexBuffer(things->vertices, 0, things->vertex_buffer, 0, sizeof(ThingVertex));
    glVertexArrayElementBuffer(things->vertices, things->index_buffer);
}

static void write_buffer(GLuint buffer, size_t at, const void *data, size_t size) {
    if (size) glNamedBufferSubData(buffer, (GLintptr)at, (GLsizeiptr)size, data);
}

void things_add_meshes(Things *things, const WorldScene *scene) {
    size_t count, vertex_count = 0, index_count = 0;
    if ((size_t)things->firsts.count >= scene->mesh_count) return;
    const WorldMesh **all = list_meshes(things, scene, &count);
    if (count == 0) return;
    for (size_t m = 0; m < count; m++) {
        vertex_count += all[m]->vertex_count;
        index_count += all[m]->index_count;
    }
    ThingVertex *vertices = ARENA_ARRAY(&things->scratch, ThingVertex, vertex_count);
    uint32_t *indices = ARENA_ARRAY(&things->scratch, uint32_t, index_count);
    size_t vertex = 0, index = 0;
    for (size_t m = 0; m < count; m++) {
        const WorldMesh *mesh = all[m];
        add_mesh(things, mesh, things->vertex_count + vertex, things->index_count + index);
        pack_vertices(mesh, vertices + vertex);
        if (mesh->index_count) memcpy(indices + index, mesh->indices, mesh->index_count * sizeof(uint32_t));
        vertex += mesh->vertex_count;
        index += mesh->index_count;
    }
    size_t vertex_size = sizeof *vertices, vertices_used = things->vertex_count * vertex_size, indices_used = things->index_count * sizeof *indices;
    grow_buffer(&things->vertex_buffer, &things->vertex_room, vertices_used, vertices_used + vertex_count * vertex_size);
    grow_buffer(&things->index_buffer, &things->index_room, indices_used, indices_used + index_count * sizeof *indices);
    write_buffer(things->vertex_buffer, vertices_used, vertices, vertex_count * vertex_size);
    write_buffer(things->index_buffer, indices_used, indices, index_count * sizeof *indices);
    things->vertex_count += vertex_count;
    things->index_count += index_count;
    things->uploaded += vertex_count * vertex_size + index_count * sizeof *indices;
    describe_vertices(things);
}

void things_drop_meshes(Things *things) {
    const GLuint buffers[2] = {things->vertex_buffer, things->index_buffer};
    glDeleteBuffers(2, buffers);
    glDeleteVertexArrays(1, &things->vertices);
    for (int m = 0; m < things->meshes.count; m++)
        glDeleteTextures(1, &things->meshes.items[m].picture);
    things->vertices = things->vertex_buffer = things->index_buffer = 0;
    things->vertex_count = things->index_count = things->vertex_room = things->index_room = 0;
    things->sways = false;
    memset(&things->meshes, 0, sizeof things->meshes);
    memset(&things->firsts, 0, sizeof things->firsts);
    memset(&things->chains, 0, sizeof things->chains);
    arena_fini(&things->arena);
    arena_init(&things->arena, &things->memory);
}
