#include "runtime/mesh/levels.h"

#include <math.h>
#include <meshoptimizer.h>

/* -- pieces: triangles that share vertices -- */

typedef struct Piece {
    Vec3 low, high, sum;
    int32_t vertices;
} Piece;

typedef struct Pieces {
    int32_t *of;  /* of each vertex */
    Piece *items; /* in the order of their first vertices */
    int32_t count;
} Pieces;

static int32_t find_root(int32_t *parent, int32_t v) {
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

static void join(int32_t *parent, uint32_t a, uint32_t b) {
    int32_t x = find_root(parent, (int32_t)a), y = find_root(parent, (int32_t)b);
    if (x < y)
        parent[y] = x;
    else
        parent[x] = y;
}

static void take_in(Piece *piece, Vec3 p) {
    if (piece->vertices++ == 0) piece->low = piece->high = p;
    piece->low = (Vec3){fmin(piece->low.x, p.x), fmin(piece->low.y, p.y), fmin(piece->low.z, p.z)};
    piece->high =
        (Vec3){fmax(piece->high.x, p.x), fmax(piece->high.y, p.y), fmax(piece->high.z, p.z)};
    piece->sum = vec3_add(piece->sum, p);
}

/* A root is the lowest vertex of its piece, so it is met first. */
static Pieces find_pieces(Arena *arena, const RtMesh *mesh) {
    Pieces pieces = {.of = ARENA_ARRAY(arena, int32_t, mesh->vertex_count + 1),
                     .items = ARENA_ARRAY(arena, Piece, mesh->vertex_count + 1)};
    int32_t *parent = ARENA_ARRAY(arena, int32_t, mesh->vertex_count + 1);
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        parent[v] = v;
    for (int32_t i = 0; i + 2 < mesh->index_count; i += 3) {
        join(parent, mesh->indices[i], mesh->indices[i + 1]);
        join(parent, mesh->indices[i], mesh->indices[i + 2]);
    }
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        int32_t root = find_root(parent, v);
        pieces.of[v] = root == v ? pieces.count++ : pieces.of[root];
        take_in(&pieces.items[pieces.of[v]], mesh_position(mesh, v));
    }
    return pieces;
}

static double size_of(Vec3 low, Vec3 high) {
    Vec3 d = vec3_sub(high, low);
    return sqrt(vec3_dot(d, d));
}

/* -- which stay -- */

/* Every piece a step of the golden section, so that those that stay are spread evenly. */
static bool stays_in_row(int32_t piece, double share) {
    double at = piece * 0.6180339887498949;
    return piece == 0 || at - floor(at) < share;
}

static bool *choose(Arena *arena, const RtMesh *mesh, const Pieces *pieces, double share,
                    double smallest) {
    bool *stays = ARENA_ARRAY(arena, bool, pieces->count + 1);
    Vec3 low, high;
    mesh_bounds(mesh, &low, &high);
    double least = smallest * size_of(low, high);
    int32_t largest = 0;
    for (int32_t i = 0; i < pieces->count; i++) {
        double size = size_of(pieces->items[i].low, pieces->items[i].high);
        if (size > size_of(pieces->items[largest].low, pieces->items[largest].high)) largest = i;
        stays[i] = mesh->two_sided ? stays_in_row(i, share) : size >= least;
    }
    stays[largest] = true;
    return stays;
}

static void keep_triangles(RtMesh *out, const Pieces *pieces, const bool *stays) {
    int32_t kept = 0;
    for (int32_t i = 0; i + 2 < out->index_count; i += 3) {
        if (!stays[pieces->of[out->indices[i]]]) continue;
        for (int k = 0; k < 3; k++)
            out->indices[kept++] = out->indices[i + k];
    }
    out->index_count = kept;
}

static void enlarge(RtMesh *mesh, const Pieces *pieces, double by) {
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        const Piece *piece = &pieces->items[pieces->of[v]];
        Vec3 middle = vec3_scale(piece->sum, 1.0 / piece->vertices);
        Vec3 away = vec3_sub(mesh_position(mesh, v), middle);
        mesh_put(mesh->positions, v, vec3_add(middle, vec3_scale(away, by)));
    }
}

size_t mesh_simplify_memory(size_t vertices, size_t indices) {
    return 160 * vertices + 40 * indices + 65536;
}

/* meshoptimizer takes its memory by operator new, which ends the process when there is none: so there is, before it is asked. */
static void simplify(Arena *arena, RtMesh *mesh, double share, int32_t full) {
    size_t target = (size_t)(share * full / 3) * 3, count = (size_t)mesh->index_count;
    if (target >= count) return;
    uint32_t *fewer = ARENA_ARRAY(arena, uint32_t, count + 1);
    size_t taken = mesh_simplify_memory((size_t)mesh->vertex_count, count);
    if (!memory_hold(arena->memory, taken, taken)) memory_fail();
    size_t left = meshopt_simplify(fewer, mesh->indices, count, mesh->positions,
                                   (size_t)mesh->vertex_count, 3 * sizeof(float), target, 0.05f, 0,
                                   NULL);
    memory_drop(arena->memory, taken);
    if (left == 0) return;
    memcpy(mesh->indices, fewer, left * sizeof *fewer);
    mesh->index_count = (int32_t)left;
}

/* -- only the vertices that are used -- */

static RtMesh *compact(Arena *arena, const RtMesh *mesh) {
    MeshBuilder b = {.arena = arena};
    uint32_t *number = ARENA_ARRAY(arena, uint32_t, mesh->vertex_count + 1);
    for (int32_t i = 0; i < mesh->index_count; i++) {
        int32_t v = (int32_t)mesh->indices[i];
        if (number[v] == 0) {
            uint32_t fresh =
                mesh_add_vertex(&b, mesh_position(mesh, v), mesh_get(mesh->normals, v));
            b.vertices.items[fresh].color = mesh_get(mesh->colors, v);
            number[v] = fresh + 1;
        }
        VEC_PUSH(arena, &b.indices, number[v] - 1);
    }
    RtMesh *out = mesh_finish(&b);
    out->two_sided = mesh->two_sided;
    return out;
}

RtMesh *mesh_coarser(Arena *arena, const RtMesh *mesh, double share, double smallest) {
    Pieces pieces = find_pieces(arena, mesh);
    RtMesh *out = mesh_copy(arena, mesh);
    keep_triangles(out, &pieces, choose(arena, mesh, &pieces, share, smallest));
    if (mesh->two_sided)
        enlarge(out, &pieces, sqrt(1 / share));
    else
        simplify(arena, out, share, mesh->index_count);
    return compact(arena, out);
}
