/* Meshes: triangles with a normal and a color a vertex, built by plain functions over an arena.
 *
 * A mesh never changes once it is made: moving, coloring, roughening give a new one. y is up;
 * triangles are counterclockwise seen from outside. Everything is worked out with + - * / sqrt
 * floor and det_math, so a mesh is the same bits on every machine. Only float32 is kept (RtMesh of
 * rt.h), because that is what is drawn and exported.
 */
#ifndef WORLD_MESH_MESH_H
#define WORLD_MESH_MESH_H

#include "runtime/geometry/vec3.h"
#include "runtime/rt/rt.h"

/* -- building -- */

typedef struct MeshVertex {
    Vec3 at, normal, color;
} MeshVertex;

typedef struct MeshBuilder {
    Arena *arena;
    VEC(MeshVertex) vertices;
    VEC(uint32_t) indices;
} MeshBuilder;

/* White; the vertex's number. */
uint32_t mesh_add_vertex(MeshBuilder *builder, Vec3 at, Vec3 normal);
void mesh_add_triangle(MeshBuilder *builder, uint32_t a, uint32_t b, uint32_t c);
/* Four corners counterclockwise, flat, with vertices of its own. */
void mesh_add_quad(MeshBuilder *builder, Vec3 a, Vec3 b, Vec3 c, Vec3 d);
RtMesh *mesh_finish(const MeshBuilder *builder);
/* Rows to be filled, every one of them: what lies there is whatever it was. */
RtMesh *mesh_create(Arena *arena, int32_t vertices, int32_t indices);
/* Empty rows of coordinates or pivots, for a builder of meshes to fill. */
void mesh_lay_coords(Arena *arena, RtMesh *mesh);
void mesh_lay_pivots(Arena *arena, RtMesh *mesh);
/* Rows of stems to be filled. They go along when a mesh is moved, merged or colored. */
void mesh_lay_stems(Arena *arena, RtMesh *mesh, int32_t count);
/* It is another shape now. */
void mesh_drop_stems(Arena *arena, RtMesh *mesh);

/* -- meshes from meshes -- */

/* One row of a mesh's positions, normals, colors or pivots. */
static inline Vec3 mesh_get(const float *array, int32_t vertex) {
    const float *v = array + 3 * (size_t)vertex;
    return (Vec3){v[0], v[1], v[2]};
}
static inline Vec3 mesh_position(const RtMesh *mesh, int32_t vertex) {
    return mesh_get(mesh->positions, vertex);
}
/* For builders of meshes. */
static inline void mesh_put(float *array, int32_t vertex, Vec3 v) {
    float *row = array + 3 * (size_t)vertex;
    row[0] = (float)v.x;
    row[1] = (float)v.y;
    row[2] = (float)v.z;
}
static inline void mesh_put_coord(RtMesh *mesh, int32_t vertex, double u, double v) {
    mesh->coords[2 * (size_t)vertex] = (float)u;
    mesh->coords[2 * (size_t)vertex + 1] = (float)v;
}
void mesh_bounds(const RtMesh *mesh, Vec3 *low, Vec3 *high);
RtMesh *mesh_copy(Arena *arena, const RtMesh *mesh);
/* rows of a 3x4 matrix; a mirroring one turns the triangles round. */
RtMesh *mesh_transform(Arena *arena, const RtMesh *mesh, const double rows[3][4]);
RtMesh *mesh_move(Arena *arena, const RtMesh *mesh, Vec3 by);
RtMesh *mesh_scale(Arena *arena, const RtMesh *mesh, Vec3 by);
/* About an axis through the origin (need not be of length 1), counterclockwise seen from its tip;
 * radians. */
RtMesh *mesh_rotate(Arena *arena, const RtMesh *mesh, Vec3 axis, double angle);
RtMesh *mesh_merge(Arena *arena, const RtMesh *const *meshes, int64_t count);

/* Every vertex's color times a color that goes from `low` at the lowest vertex to `high` at the
 * highest. */
RtMesh *mesh_paint(Arena *arena, const RtMesh *mesh, Vec3 low, Vec3 high);
/* Colors made lighter and darker by up to `amount`, in patches of about `size` meters. */
RtMesh *mesh_mottle(Arena *arena, const RtMesh *mesh, double amount, double size, uint32_t seed);
/* Places moved by up to `amount` meters each way, by smooth noise of features of about `size`
 * meters. */
RtMesh *mesh_roughen(Arena *arena, const RtMesh *mesh, double amount, double size, uint32_t seed);
/* Cut flat by `count` planes that face every way, at distances from the middle of depth to depth +
 * 0.14 of the half extents, as a quarried or broken stone is. */
RtMesh *mesh_chip(Arena *arena, const RtMesh *mesh, int64_t count, double depth, uint32_t seed);
/* Bent upward: what runs along x runs round a circle about z, `angle` radians over the mesh's length. */
RtMesh *mesh_bend(Arena *arena, const RtMesh *mesh, double angle);
/* What lies under `height` is pressed up onto it. */
RtMesh *mesh_flatten(Arena *arena, const RtMesh *mesh, double height);
/* Every triangle with vertices and a normal of its own. */
RtMesh *mesh_facet(Arena *arena, const RtMesh *mesh);
/* Triangles between places, three numbers of places each; all numbers are in range. */
typedef struct MeshPlaces {
    const Vec3 *places, *colors; /* colors NULL: white */
    int32_t count;
    const int32_t *corners;
    int32_t corner_count;
} MeshPlaces;
/* Edges that turn by more than `crease` radians stay sharp. */
RtMesh *mesh_from_places(Arena *arena, const MeshPlaces *surface, double crease);
/* Coordinates in meters, laid on from the side that each triangle faces most. */
RtMesh *mesh_lay_boxed(Arena *arena, const RtMesh *mesh, double tile);
/* Edges that have no opposite: 0 when the mesh closes, whatever its vertices share. */
int64_t mesh_open_edges(Arena *arena, const RtMesh *mesh);
/* What it encloses, by the divergence theorem: positive when the triangles face out. */
double mesh_volume(const RtMesh *mesh);
/* Normals from the triangles, weighted by area. In place: for a mesh that is still being made. */
void mesh_renew_normals(RtMesh *mesh);

#endif
