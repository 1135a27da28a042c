#include "runtime/mesh/levels.h"

#include <math.h>
#include <meshoptimizer.h>

#include "runtime/base/roots.h"

/* -- pieces: triangles that share vertices -- */

typedef struct Piece {
    Vec3 low, high, sum;
    int32_t vertices;
} Piece;

struct MeshPieces {
    const RtMesh *mesh;
    int32_t *of;  /* of each vertex */
    Piece *items; /* in the order of their first vertices */
    int32_t count;
};

static void take_in(Piece *piece, Vec3 p) {
    if (piece->vertices++ == 0) piece->low = piece->high = p;
    piece->low = (Vec3){fmin(piece->low.x, p.x), fmin(piece->low.y, p.y), fmin(piece->low.z, p.z)};
    piece->high =
        (Vec3){fmax(piece->high.x, p.x), fmax(piece->high.y, p.y), fmax(piece->high.z, p.z)};
    piece->sum = vec3_add(piece->sum, p);
}

/* A root is the lowest vertex of its piece, so it is met first. */
MeshPieces *mesh_pieces(Arena *arena, const RtMesh *mesh) {
    MeshPieces *pieces = ARENA_NEW(arena, MeshPieces);
    int32_t *parent = ARENA_ARRAY(arena, int32_t, mesh->vertex_count + 1);
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        parent[v] = v;
    for (int32_t i = 0; i + 2 < mesh->index_count; i += 3) {
        roots_join(parent, (int32_t)mesh->indices[i], (int32_t)mesh->indices[i + 1]);
        roots_join(parent, (int32_t)mesh->indices[i], (int32_t)mesh->indices[i + 2]);
    }
    *pieces = (MeshPieces){.mesh = mesh, .of = ARENA_ARRAY(arena, int32_t, mesh->vertex_count + 1)};
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        int32_t root = roots_find(parent, v);
        pieces->of[v] = root == v ? pieces->count++ : pieces->of[root];
    }
    pieces->items = ARENA_ARRAY(arena, Piece, pieces->count + 1);
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        take_in(&pieces->items[pieces->of[v]], mesh_position(mesh, v));
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

static bool *choose(Arena *arena, const MeshPieces *pieces, double share, double smallest) {
    const RtMesh *mesh = pieces->mesh;
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

typedef struct Triangles {
    uint32_t *items; /* three vertices each */
    size_t count;    /* of items */
} Triangles;

static Triangles list_kept(Arena *arena, const MeshPieces *pieces, const bool *stays) {
    const RtMesh *mesh = pieces->mesh;
    Triangles kept = {ARENA_ARRAY(arena, uint32_t, mesh->index_count + 1), 0};
    for (int32_t i = 0; i + 2 < mesh->index_count; i += 3) {
        if (!stays[pieces->of[mesh->indices[i]]]) continue;
        for (int k = 0; k < 3; k++)
            kept.items[kept.count++] = mesh->indices[i + k];
    }
    return kept;
}

size_t mesh_simplify_memory(size_t vertices, size_t indices) {
    return 160 * vertices + 40 * indices + 65536;
}

static const double sloppy = 0.2; /* of the size: what may be so far off needs no faces that hang together */

static void keep(Triangles *kept, const uint32_t *out, size_t count) {
    if (count) memcpy(kept->items, out, count * sizeof *out);
    if (count) kept->count = count;
}

/* Edge by edge; and where that ends early, as it does on what is round, by a lattice whose corners are all that is left. */
static void simplify(uint32_t *out, const RtMesh *mesh, Triangles *kept, double share, double off) {
    size_t target = (size_t)(share * mesh->index_count / 3) * 3, vertices = (size_t)mesh->vertex_count, stride = 3 * sizeof(float);
    if (target >= kept->count) return;
    keep(kept, out, meshopt_simplify(out, kept->items, kept->count, mesh->positions, vertices, stride, target, (float)off, 0, NULL));
    if (off < sloppy || kept->count < 3 * target / 2) return;
    keep(kept, out, meshopt_simplifySloppy(out, kept->items, kept->count, mesh->positions, vertices, stride, target, (float)off, NULL));
}

/* Fewer triangles of a solid, and those that follow each other share vertices: cards read them from a small cache. meshoptimizer takes
 * its memory by operator new, which ends the process when there is none: so there is, before it is asked. */
static void optimize(Arena *arena, const RtMesh *mesh, Triangles *kept, double share, double off) {
    uint32_t *out = ARENA_ARRAY(arena, uint32_t, kept->count + 1);
    size_t taken = mesh_simplify_memory((size_t)mesh->vertex_count, kept->count);
    if (!memory_hold(arena->memory, taken, taken)) memory_fail();
    if (!mesh->two_sided) simplify(out, mesh, kept, share, off);
    meshopt_optimizeVertexCache(out, kept->items, kept->count, (size_t)mesh->vertex_count);
    memory_drop(arena->memory, taken);
    kept->items = out;
}

static const double largest_leaf = 0.35; /* of the mesh's size */

/* How much larger fewer leaves are; none so large that it is no leaf: a blade of grass is as long as its tuft. */
static double growth_of(const MeshPieces *pieces, double share) {
    Vec3 low, high;
    double largest = 0;
    mesh_bounds(pieces->mesh, &low, &high);
    for (int32_t i = 0; i < pieces->count; i++)
        largest = fmax(largest, size_of(pieces->items[i].low, pieces->items[i].high));
    double most = largest > 0 ? largest_leaf * size_of(low, high) / largest : 1;
    return fmax(1, fmin(sqrt(1 / share), most));
}

/* A place of a vertex's piece, away from the middle of that. */
static Vec3 enlarged(const MeshPieces *pieces, int32_t v, Vec3 at, double by) {
    const Piece *piece = &pieces->items[pieces->of[v]];
    Vec3 middle = vec3_scale(piece->sum, 1.0 / piece->vertices);
    return by == 1 ? at : vec3_add(middle, vec3_scale(vec3_sub(at, middle), by));
}

/* -- only the vertices that are used -- */

static RtMesh *gathered(Arena *arena, Arena *scratch, const MeshPieces *pieces, Triangles kept,
                        double larger) {
    const RtMesh *mesh = pieces->mesh;
    uint32_t *number = ARENA_ARRAY(scratch, uint32_t, mesh->vertex_count + 1); /* 1 + the new one */
    int32_t *used = ARENA_ARRAY(scratch, int32_t, kept.count + 1), count = 0;
    for (size_t i = 0; i < kept.count; i++) {
        uint32_t v = kept.items[i];
        if (number[v] == 0) {
            used[count] = (int32_t)v;
            number[v] = (uint32_t)++count;
        }
        kept.items[i] = number[v] - 1;
    }
    RtMesh *out = mesh_create(arena, count, (int32_t)kept.count);
    if (mesh->coords) mesh_lay_coords(arena, out);
    if (mesh->pivots) mesh_lay_pivots(arena, out);
    for (int32_t v = 0; v < count; v++) {
        int32_t from = used[v];
        mesh_put(out->positions, v, enlarged(pieces, from, mesh_position(mesh, from), larger));
        mesh_put(out->normals, v, mesh_get(mesh->normals, from));
        mesh_put(out->colors, v, mesh_get(mesh->colors, from));
        if (mesh->coords) memcpy(out->coords + 2 * (size_t)v, mesh->coords + 2 * (size_t)from, 2 * sizeof(float));
        if (mesh->pivots) mesh_put(out->pivots, v, enlarged(pieces, from, mesh_get(mesh->pivots, from), larger));
    }
    if (kept.count) memcpy(out->indices, kept.items, kept.count * sizeof *kept.items);
    out->two_sided = mesh->two_sided;
    return out;
}

RtMesh *mesh_coarser(Arena *arena, Arena *scratch, const MeshPieces *pieces, double share,
                     double smallest, double off) {
    const RtMesh *mesh = pieces->mesh;
    Triangles kept = list_kept(scratch, pieces, choose(scratch, pieces, share, smallest));
    optimize(scratch, mesh, &kept, share, off);
    return gathered(arena, scratch, pieces, kept, mesh->two_sided ? growth_of(pieces, share) : 1);
}
