#include "runtime/mesh/mesh.h"

#include "runtime/base/watch.h"
#include "runtime/math/det_math.h"

#include <math.h>

/* -- building -- */

uint32_t mesh_add_vertex(MeshBuilder *builder, Vec3 at, Vec3 normal) {
    MeshVertex vertex = {at, normal, {1, 1, 1}};
    VEC_PUSH(builder->arena, &builder->vertices, vertex);
    return (uint32_t)builder->vertices.count - 1;
}

void mesh_add_triangle(MeshBuilder *builder, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t corners[3] = {a, b, c};
    for (int i = 0; i < 3; i++)
        VEC_PUSH(builder->arena, &builder->indices, corners[i]);
}

static Vec3 unit(Vec3 v) {
    double length = sqrt(vec3_dot(v, v));
    return length > 0 ? vec3_scale(v, 1 / length) : (Vec3){0, 1, 0};
}

void mesh_add_quad(MeshBuilder *builder, Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    Vec3 normal = unit(vec3_cross(vec3_sub(c, a), vec3_sub(d, b)));
    const Vec3 corners[4] = {a, b, c, d};
    uint32_t first = (uint32_t)builder->vertices.count;
    for (int i = 0; i < 4; i++)
        mesh_add_vertex(builder, corners[i], normal);
    mesh_add_triangle(builder, first, first + 1, first + 2);
    mesh_add_triangle(builder, first, first + 2, first + 3);
}

RtMesh *mesh_create(Arena *arena, int32_t vertices, int32_t indices) {
    size_t corners = sizeof(float) * 3 * (size_t)vertices;
    size_t bytes = sizeof(uint32_t) * (size_t)indices;
    RtMesh *mesh = arena_take(arena, sizeof *mesh);
    *mesh = (RtMesh){.head = {RT_MESH, 1}, .vertex_count = vertices, .index_count = indices};
    mesh->positions = arena_take(arena, corners);
    mesh->normals = arena_take(arena, corners);
    mesh->colors = arena_take(arena, corners);
    mesh->indices = arena_take(arena, bytes);
    return mesh;
}

static float *lay_rows(Arena *arena, const RtMesh *mesh, size_t width) {
    size_t bytes = sizeof(float) * width * (size_t)mesh->vertex_count;
    return memset(arena_take(arena, bytes), 0, bytes);
}

void mesh_lay_coords(Arena *arena, RtMesh *mesh) {
    mesh->coords = lay_rows(arena, mesh, 2);
}

void mesh_lay_pivots(Arena *arena, RtMesh *mesh) {
    mesh->pivots = lay_rows(arena, mesh, 3);
}

void mesh_lay_stems(Arena *arena, RtMesh *mesh, int32_t count) {
    if (count == 0) return;
    mesh->stems = arena_take(arena, sizeof(float) * STEM_FLOATS * (size_t)count);
    mesh->stem_count = count;
}

void mesh_drop_stems(Arena *arena, RtMesh *mesh) {
    if (mesh->stems) arena_give(arena, mesh->stems, sizeof(float) * STEM_FLOATS * (size_t)mesh->stem_count);
    mesh->stems = NULL;
    mesh->stem_count = 0;
}

RtMesh *mesh_finish(const MeshBuilder *builder) {
    RtMesh *mesh = mesh_create(builder->arena, builder->vertices.count, builder->indices.count);
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        mesh_put(mesh->positions, v, builder->vertices.items[v].at);
        mesh_put(mesh->normals, v, builder->vertices.items[v].normal);
        mesh_put(mesh->colors, v, builder->vertices.items[v].color);
    }
    if (mesh->index_count)
        memcpy(mesh->indices, builder->indices.items,
               (size_t)mesh->index_count * sizeof *mesh->indices);
    return mesh;
}

/* -- whole meshes -- */

void mesh_bounds(const RtMesh *mesh, Vec3 *low, Vec3 *high) {
    *low = *high = mesh->vertex_count ? mesh_position(mesh, 0) : (Vec3){0, 0, 0};
    for (int32_t v = 1; v < mesh->vertex_count; v++) {
        Vec3 p = mesh_position(mesh, v);
        *low = (Vec3){p.x < low->x ? p.x : low->x, p.y < low->y ? p.y : low->y,
                      p.z < low->z ? p.z : low->z};
        *high = (Vec3){p.x > high->x ? p.x : high->x, p.y > high->y ? p.y : high->y,
                       p.z > high->z ? p.z : high->z};
    }
}

/* Copies `from` into `to` from the given vertex and index on. */
static void copy_into(RtMesh *to, int32_t vertex, int32_t index, const RtMesh *from) {
    size_t bytes = 3 * (size_t)from->vertex_count * sizeof(float), at = 3 * (size_t)vertex;
    if (from->vertex_count) {
        memcpy(to->positions + at, from->positions, bytes);
        memcpy(to->normals + at, from->normals, bytes);
        memcpy(to->colors + at, from->colors, bytes);
        if (from->coords) memcpy(to->coords + at / 3 * 2, from->coords, bytes / 3 * 2);
        if (to->pivots) memcpy(to->pivots + at, from->pivots ? from->pivots : from->positions, bytes);
    }
    for (int32_t i = 0; i < from->index_count; i++)
        to->indices[index + i] = from->indices[i] + (uint32_t)vertex;
    to->two_sided |= from->two_sided;
}

static void copy_stems(RtMesh *to, int32_t stem, const RtMesh *from) {
    if (from->stems) memcpy(to->stems + STEM_FLOATS * (size_t)stem, from->stems, sizeof(float) * STEM_FLOATS * (size_t)from->stem_count);
}

RtMesh *mesh_copy(Arena *arena, const RtMesh *mesh) {
    return mesh_merge(arena, &mesh, 1);
}

RtMesh *mesh_merge(Arena *arena, const RtMesh *const *meshes, int64_t count) {
    int32_t vertices = 0, indices = 0, stems = 0;
    for (int64_t i = 0; i < count; i++) {
        vertices += meshes[i]->vertex_count;
        indices += meshes[i]->index_count;
        stems += meshes[i]->stem_count;
    }
    RtMesh *merged = mesh_create(arena, vertices, indices);
    for (int64_t i = 0; i < count; i++) { /* what one has, all have: what stands still turns about itself */
        if (meshes[i]->coords && !merged->coords) mesh_lay_coords(arena, merged);
        if (meshes[i]->pivots && !merged->pivots) mesh_lay_pivots(arena, merged);
    }
    mesh_lay_stems(arena, merged, stems);
    vertices = indices = stems = 0;
    for (int64_t i = 0; i < count; i++) {
        copy_into(merged, vertices, indices, meshes[i]);
        copy_stems(merged, stems, meshes[i]);
        stems += meshes[i]->stem_count;
        vertices += meshes[i]->vertex_count;
        indices += meshes[i]->index_count;
    }
    return merged;
}

void mesh_renew_normals(RtMesh *mesh) {
    memset(mesh->normals, 0, 3 * (size_t)mesh->vertex_count * sizeof(float));
    for (int32_t i = 0; i + 2 < mesh->index_count; i += 3) {
        const int32_t t[3] = {(int32_t)mesh->indices[i], (int32_t)mesh->indices[i + 1],
                              (int32_t)mesh->indices[i + 2]};
        watch_work(4);
        Vec3 a = mesh_position(mesh, t[0]);
        Vec3 area = vec3_cross(vec3_sub(mesh_position(mesh, t[1]), a),
                               vec3_sub(mesh_position(mesh, t[2]), a));
        for (int k = 0; k < 3; k++)
            mesh_put(mesh->normals, t[k], vec3_add(mesh_get(mesh->normals, t[k]), area));
    }
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        mesh_put(mesh->normals, v, unit(mesh_get(mesh->normals, v)));
}

RtMesh *mesh_facet(Arena *arena, const RtMesh *mesh) {
    RtMesh *out = mesh_create(arena, mesh->index_count, mesh->index_count);
    out->two_sided = mesh->two_sided;
    if (mesh->coords) mesh_lay_coords(arena, out);
    if (mesh->pivots) mesh_lay_pivots(arena, out);
    for (int32_t i = 0; i < mesh->index_count; i++) {
        int32_t from = (int32_t)mesh->indices[i];
        mesh_put(out->positions, i, mesh_position(mesh, from));
        mesh_put(out->colors, i, mesh_get(mesh->colors, from));
        if (out->pivots) mesh_put(out->pivots, i, mesh_get(mesh->pivots, from));
        if (out->coords)
            mesh_put_coord(out, i, mesh->coords[2 * from], mesh->coords[2 * from + 1]);
        out->indices[i] = (uint32_t)i;
    }
    mesh_renew_normals(out);
    return out;
}

/* -- places -- */

static double row_dot(const double row[4], Vec3 v) {
    return row[0] * v.x + row[1] * v.y + row[2] * v.z;
}

static Vec3 row_of(const double row[4]) {
    return (Vec3){row[0], row[1], row[2]};
}

static Vec3 carried(const double rows[3][4], Vec3 v) {
    return (Vec3){row_dot(rows[0], v) + rows[0][3], row_dot(rows[1], v) + rows[1][3],
                  row_dot(rows[2], v) + rows[2][3]};
}

/* A stem that is stretched unevenly grows by the mean in thickness. */
static void carry_stems(RtMesh *mesh, const double rows[3][4]) {
    double squares = 0;
    for (int i = 0; i < 9; i++)
        squares += rows[i / 3][i % 3] * rows[i / 3][i % 3];
    double thicker = sqrt(squares / 3);
    for (int32_t i = 0; i < mesh->stem_count; i++) {
        float *stem = mesh->stems + STEM_FLOATS * (size_t)i;
        mesh_put(stem, 0, carried(rows, mesh_get(stem, 0)));
        mesh_put(stem, 1, carried(rows, mesh_get(stem, 1)));
        stem[6] *= (float)thicker;
    }
}

RtMesh *mesh_transform(Arena *arena, const RtMesh *mesh, const double rows[3][4]) {
    RtMesh *out = mesh_copy(arena, mesh);
    /* Normals turn by the cofactors, which are the cross products of the rows. */
    Vec3 x = row_of(rows[0]), y = row_of(rows[1]), z = row_of(rows[2]);
    Vec3 cofactors[3] = {vec3_cross(y, z), vec3_cross(z, x), vec3_cross(x, y)};
    double side = vec3_dot(x, cofactors[0]) < 0 ? -1 : 1;
    carry_stems(out, rows);
    for (int32_t v = 0; v < out->vertex_count; v++) {
        watch_work(4);
        Vec3 n = vec3_scale(mesh_get(mesh->normals, v), side);
        mesh_put(out->positions, v, carried(rows, mesh_position(mesh, v)));
        if (out->pivots) mesh_put(out->pivots, v, carried(rows, mesh_get(mesh->pivots, v)));
        mesh_put(out->normals, v,
                 unit((Vec3){vec3_dot(cofactors[0], n), vec3_dot(cofactors[1], n),
                             vec3_dot(cofactors[2], n)}));
    }
    for (int32_t i = 0; side < 0 && i + 2 < out->index_count; i += 3) {
        uint32_t kept = out->indices[i + 1];
        out->indices[i + 1] = out->indices[i + 2];
        out->indices[i + 2] = kept;
    }
    return out;
}

RtMesh *mesh_move(Arena *arena, const RtMesh *mesh, Vec3 by) {
    const double rows[3][4] = {{1, 0, 0, by.x}, {0, 1, 0, by.y}, {0, 0, 1, by.z}};
    return mesh_transform(arena, mesh, rows);
}

RtMesh *mesh_scale(Arena *arena, const RtMesh *mesh, Vec3 by) {
    const double rows[3][4] = {{by.x, 0, 0, 0}, {0, by.y, 0, 0}, {0, 0, by.z, 0}};
    return mesh_transform(arena, mesh, rows);
}

/* Rodrigues' formula. */
RtMesh *mesh_rotate(Arena *arena, const RtMesh *mesh, Vec3 axis, double angle) {
    double s, c;
    det_sincos(angle, &s, &c);
    Vec3 u = unit(axis);
    double t = 1 - c;
    const double rows[3][4] = {
        {t * u.x * u.x + c, t * u.x * u.y - s * u.z, t * u.x * u.z + s * u.y, 0},
        {t * u.y * u.x + s * u.z, t * u.y * u.y + c, t * u.y * u.z - s * u.x, 0},
        {t * u.z * u.x - s * u.y, t * u.z * u.y + s * u.x, t * u.z * u.z + c, 0}};
    return mesh_transform(arena, mesh, rows);
}

/* -- colors -- */

RtMesh *mesh_paint(Arena *arena, const RtMesh *mesh, Vec3 low, Vec3 high) {
    RtMesh *out = mesh_copy(arena, mesh);
    Vec3 bottom, top;
    mesh_bounds(mesh, &bottom, &top);
    double tall = top.y - bottom.y;
    for (int32_t v = 0; v < out->vertex_count; v++) {
        double t = tall > 0 ? (mesh_position(out, v).y - bottom.y) / tall : 0;
        Vec3 paint = vec3_add(low, vec3_scale(vec3_sub(high, low), t)),
             color = mesh_get(mesh->colors, v);
        mesh_put(out->colors, v, (Vec3){color.x * paint.x, color.y * paint.y, color.z * paint.z});
    }
    return out;
}
