#include "runtime/solid/solid.h"

#include <math.h>

static const double least_size = 0.1;  /* meters: smaller pieces are stepped over */
static const double filled = 0.9;      /* of its hull: what fills so much is one */
static const double thin = 0.2;        /* of the thickest stem */
enum { MOST_TRIANGLES = 8192 };        /* of a piece that is its triangles; a finer one is its hull */

static void put(double *to, Vec3 v) {
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

void solid_add_capsule(SolidList *list, Vec3 from, Vec3 to, double radius) {
    WorldSolid solid = {.kind = WORLD_SOLID_CAPSULE, .radius = radius};
    put(solid.from, from);
    put(solid.to, to);
    VEC_PUSH(list->arena, &list->items, solid);
}

static void add_hull(SolidList *list, const Hull *hull) {
    WorldSolid solid = {.kind = WORLD_SOLID_HULL};
    if (hull_is_box(hull, &solid)) solid.kind = WORLD_SOLID_BOX;
    double *points = ARENA_ARRAY(list->arena, double, 3 * hull->point_count);
    uint32_t *triangles = ARENA_ARRAY(list->arena, uint32_t, 3 * hull->face_count);
    for (int32_t i = 0; i < hull->point_count; i++)
        put(points + 3 * i, hull->points[i]);
    for (int32_t i = 0; i < 3 * hull->face_count; i++)
        triangles[i] = (uint32_t)hull->faces[i / 3][i % 3];
    solid.points = points, solid.triangles = triangles;
    solid.point_count = (uint32_t)hull->point_count, solid.triangle_count = (uint32_t)hull->face_count;
    VEC_PUSH(list->arena, &list->items, solid);
}

/* The triangles of a piece; of all pieces where `piece` is -1. */
static void add_triangles(SolidList *list, const RtMesh *mesh, const SolidPieces *pieces, int32_t piece) {
    int32_t total = mesh->index_count / 3, *number = ARENA_ARRAY(list->scratch, int32_t, mesh->vertex_count + 1);
    WorldSolid solid = {.kind = WORLD_SOLID_MESH};
    for (int32_t t = 0; t < total; t++)
        solid.triangle_count += piece < 0 || pieces->of[t] == piece;
    uint32_t *triangles = ARENA_ARRAY(list->arena, uint32_t, 3 * solid.triangle_count + 1), *next = triangles;
    double *points = ARENA_ARRAY(list->arena, double, 9 * (size_t)solid.triangle_count + 1);
    for (int32_t i = 0; i < 3 * total; i++) {
        if (piece >= 0 && pieces->of[i / 3] != piece) continue;
        int32_t vertex = pieces->same[mesh->indices[i]];
        if (number[vertex] == 0) {
            put(points + 3 * (size_t)solid.point_count, mesh_position(mesh, vertex));
            number[vertex] = (int32_t)++solid.point_count;
        }
        *next++ = (uint32_t)number[vertex] - 1;
    }
    solid.points = points, solid.triangles = triangles;
    if (solid.triangle_count) VEC_PUSH(list->arena, &list->items, solid);
}

/* -- as a mesh looks -- */

static double piece_size(const RtMesh *mesh, const int32_t *vertices, int32_t count) {
    Vec3 low = mesh_position(mesh, vertices[0]), high = low;
    for (int32_t i = 1; i < count; i++) {
        Vec3 p = mesh_position(mesh, vertices[i]);
        low = (Vec3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
        high = (Vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
    }
    return fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
}

/* Six times what each piece encloses, and its triangles. */
static void measure(const RtMesh *mesh, const SolidPieces *pieces, double *six, int32_t *triangles) {
    for (int32_t t = 0; t < mesh->index_count / 3; t++) {
        int32_t piece = pieces->of[t];
        Vec3 o = mesh_position(mesh, pieces->vertices[pieces->first[piece]]), corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = vec3_sub(mesh_position(mesh, (int32_t)mesh->indices[3 * t + k]), o);
        six[piece] += vec3_dot(corner[0], vec3_cross(corner[1], corner[2]));
        triangles[piece]++;
    }
}

static void add_piece(SolidList *list, const RtMesh *mesh, const SolidPieces *pieces, int32_t piece, double volume, int32_t triangles) {
    Hull *hull = ARENA_NEW(list->scratch, Hull);
    hull_make(hull, mesh->positions, pieces->vertices + pieces->first[piece], pieces->first[piece + 1] - pieces->first[piece]);
    bool full = hull->face_count && (volume >= filled * hull->volume || triangles > MOST_TRIANGLES);
    if (full)
        add_hull(list, hull);
    else if (triangles <= MOST_TRIANGLES)
        add_triangles(list, mesh, pieces, piece);
}

static void add_pieces(SolidList *list, const RtMesh *mesh) {
    SolidPieces pieces = solid_pieces(list->scratch, mesh);
    double *six = ARENA_ARRAY(list->scratch, double, pieces.count + 1);
    int32_t *triangles = ARENA_ARRAY(list->scratch, int32_t, pieces.count + 1);
    measure(mesh, &pieces, six, triangles);
    for (int32_t p = 0; p < pieces.count; p++) {
        const int32_t *vertices = pieces.vertices + pieces.first[p];
        if (triangles[p] == 0 || piece_size(mesh, vertices, pieces.first[p + 1] - pieces.first[p]) < least_size) continue;
        ArenaMark mark = arena_mark(list->scratch);
        add_piece(list, mesh, &pieces, p, six[p] / 6, triangles[p]);
        arena_release(list->scratch, mark);
    }
}

static void add_stems(SolidList *list, const RtMesh *mesh) {
    float thickest = 0;
    for (int32_t i = 0; i < mesh->stem_count; i++)
        thickest = fmaxf(thickest, mesh->stems[STEM_FLOATS * (size_t)i + 6]);
    for (int32_t i = 0; i < mesh->stem_count; i++) {
        const float *stem = mesh->stems + STEM_FLOATS * (size_t)i;
        if ((double)stem[6] >= thin * (double)thickest) solid_add_capsule(list, mesh_get(stem, 0), mesh_get(stem, 1), stem[6]);
    }
}

static void add_whole(SolidList *list, const RtMesh *mesh, SolidRule rule) {
    Hull *hull = ARENA_NEW(list->scratch, Hull);
    Vec3 low, high;
    float corners[24];
    mesh_bounds(mesh, &low, &high);
    for (int i = 0; i < 8; i++)
        mesh_put(corners, i, (Vec3){i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
    if (rule == SOLID_BOX)
        hull_make(hull, corners, NULL, 8);
    else
        hull_make(hull, mesh->positions, NULL, mesh->vertex_count);
    if (hull->face_count)
        add_hull(list, hull);
    else
        solid_add_mesh(list, mesh, SOLID_MESH); /* it is flat */
}

void solid_add_mesh(SolidList *list, const RtMesh *mesh, SolidRule rule) {
    ArenaMark mark = arena_mark(list->scratch);
    if (rule == SOLID_BOX || rule == SOLID_HULL) {
        add_whole(list, mesh, rule);
    } else if (rule == SOLID_MESH) {
        SolidPieces pieces = solid_pieces(list->scratch, mesh);
        add_triangles(list, mesh, &pieces, -1);
    } else if (mesh->stem_count) {
        add_stems(list, mesh);
    } else if (!mesh->two_sided) {
        add_pieces(list, mesh);
    }
    arena_release(list->scratch, mark);
}
