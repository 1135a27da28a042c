/* Surfaces given by places and triangles between them: their normals, their coordinates, and
 * whether they close. */
#include "runtime/mesh/mesh.h"

#include "runtime/math/det_math.h"

#include <math.h>
#include <stdlib.h>

/* -- normals: smooth over edges that turn by less than the crease -- */

typedef struct Corners { /* which corners stand at each place: corner[first[p] .. first[p + 1]) */
    int32_t *first, *corner;
} Corners;

static Corners corners_by_place(Arena *arena, int32_t places, const int32_t *corners,
                                int32_t count) {
    Corners by = {ARENA_ARRAY(arena, int32_t, places + 2), ARENA_ARRAY(arena, int32_t, count + 1)};
    for (int32_t i = 0; i < count; i++)
        by.first[corners[i] + 2]++;
    for (int32_t p = 0; p < places; p++)
        by.first[p + 2] += by.first[p + 1];
    for (int32_t i = 0; i < count; i++)
        by.corner[by.first[corners[i] + 1]++] = i;
    return by;
}

static Vec3 *face_areas(Arena *arena, const Vec3 *places, const int32_t *corners, int32_t count) {
    Vec3 *areas = ARENA_ARRAY(arena, Vec3, count / 3 + 1);
    for (int32_t i = 0; i + 2 < count; i += 3) {
        Vec3 a = places[corners[i]];
        areas[i / 3] = vec3_cross(vec3_sub(places[corners[i + 1]], a),
                                  vec3_sub(places[corners[i + 2]], a));
    }
    return areas;
}

static double length(Vec3 v) {
    return sqrt(vec3_dot(v, v));
}

/* The sum of those of the faces round a place that face nearly as this one does. */
static Vec3 corner_normal(const Corners *by, const Vec3 *areas, int32_t place, int32_t face,
                          double least_cosine) {
    Vec3 own = areas[face], sum = {0, 0, 0};
    double own_length = length(own);
    for (int32_t k = by->first[place]; k < by->first[place + 1]; k++) {
        Vec3 other = areas[by->corner[k] / 3];
        if (vec3_dot(own, other) >= least_cosine * own_length * length(other))
            sum = vec3_add(sum, other);
    }
    double size = length(sum);
    return size > 0 ? vec3_scale(sum, 1 / size) : (Vec3){0, 1, 0};
}

static bool same(Vec3 a, Vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

RtMesh *mesh_from_places(Arena *arena, const MeshPlaces *surface, double crease) {
    MeshBuilder b = {.arena = arena};
    int32_t corner_count = surface->corner_count;
    Corners by = corners_by_place(arena, surface->count, surface->corners, corner_count);
    const Vec3 *areas = face_areas(arena, surface->places, surface->corners, corner_count);
    double s, c;
    det_sincos(crease, &s, &c);
    uint32_t *vertex = ARENA_ARRAY(arena, uint32_t, corner_count + 1);
    for (int32_t p = 0; p < surface->count; p++) {
        uint32_t first = (uint32_t)b.vertices.count;
        for (int32_t k = by.first[p]; k < by.first[p + 1]; k++) {
            Vec3 normal = corner_normal(&by, areas, p, by.corner[k] / 3, c - 1e-9);
            uint32_t v = first;
            while (v < (uint32_t)b.vertices.count && !same(b.vertices.items[v].normal, normal))
                v++;
            if (v == (uint32_t)b.vertices.count) {
                mesh_add_vertex(&b, surface->places[p], normal);
                if (surface->colors) b.vertices.items[v].color = surface->colors[p];
            }
            vertex[by.corner[k]] = v;
        }
    }
    for (int32_t i = 0; i + 2 < corner_count; i += 3)
        mesh_add_triangle(&b, vertex[i], vertex[i + 1], vertex[i + 2]);
    return mesh_finish(&b);
}

/* -- coordinates -- */

RtMesh *mesh_lay_boxed(Arena *arena, const RtMesh *mesh, double tile) {
    RtMesh *out = mesh_copy(arena, mesh);
    mesh_lay_coords(arena, out);
    for (int32_t v = 0; v < out->vertex_count; v++) {
        Vec3 p = vec3_scale(mesh_position(out, v), 1 / tile), n = mesh_get(out->normals, v);
        double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
        if (y >= x && y >= z)
            mesh_put_coord(out, v, p.x, p.z);
        else if (x >= z)
            mesh_put_coord(out, v, p.z, p.y);
        else
            mesh_put_coord(out, v, p.x, p.y);
    }
    return out;
}

/* -- does it close? -- */

typedef struct Corner {
    float at[3];
    int32_t vertex;
} Corner;

static int compare_places(const Corner *p, const Corner *q) {
    for (int i = 0; i < 3; i++)
        if (p->at[i] != q->at[i]) return p->at[i] < q->at[i] ? -1 : 1;
    return 0;
}

static int compare_corners(const void *a, const void *b) {
    const Corner *p = a, *q = b;
    int order = compare_places(p, q);
    return order ? order : (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

/* Vertices at one place have one number. */
static int32_t *number_places(Arena *arena, const RtMesh *mesh) {
    int32_t count = mesh->vertex_count, number = -1;
    Corner *sorted = ARENA_ARRAY(arena, Corner, count + 1);
    int32_t *numbers = ARENA_ARRAY(arena, int32_t, count + 1);
    for (int32_t v = 0; v < count; v++) {
        memcpy(sorted[v].at, mesh->positions + 3 * (size_t)v, sizeof sorted[v].at);
        sorted[v].vertex = v;
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_corners);
    for (int32_t i = 0; i < count; i++) {
        if (i == 0 || compare_places(&sorted[i], &sorted[i - 1]) != 0) number = i;
        numbers[sorted[i].vertex] = number;
    }
    return numbers;
}

static int compare_keys(const void *a, const void *b) {
    const uint64_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* Edges from the smaller number to the larger, the way they run in the lowest bit. */
int64_t mesh_open_edges(Arena *arena, const RtMesh *mesh) {
    const int32_t *place = number_places(arena, mesh);
    uint64_t *edges = ARENA_ARRAY(arena, uint64_t, mesh->index_count + 1);
    int64_t count = 0, open = 0;
    for (int32_t i = 0; i < mesh->index_count; i++) {
        int32_t next = i % 3 == 2 ? i - 2 : i + 1;
        uint64_t a = (uint64_t)place[mesh->indices[i]], b = (uint64_t)place[mesh->indices[next]];
        if (a == b) continue; /* a triangle that has no area there */
        edges[count++] = a < b ? a << 32 | b << 1 : b << 32 | a << 1 | 1;
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_keys);
    for (int64_t i = 0, next; i < count; i = next) {
        int64_t balance = 0;
        for (next = i; next < count && edges[next] >> 1 == edges[i] >> 1; next++)
            balance += edges[next] & 1 ? -1 : 1;
        open += balance < 0 ? -balance : balance;
    }
    return open;
}

double mesh_volume(const RtMesh *mesh) {
    double sum = 0;
    for (int32_t i = 0; i + 2 < mesh->index_count; i += 3) {
        Vec3 a = mesh_position(mesh, (int32_t)mesh->indices[i]),
             b = mesh_position(mesh, (int32_t)mesh->indices[i + 1]),
             c = mesh_position(mesh, (int32_t)mesh->indices[i + 2]);
        sum += vec3_dot(a, vec3_cross(b, c));
    }
    return sum / 6;
}
