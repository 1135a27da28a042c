#include "runtime/mesh/grown.h"

#include "runtime/math/det_math.h"

#include <math.h>

static Vec3 unit_or(Vec3 v, Vec3 other) {
    double length = sqrt(vec3_dot(v, v));
    return length > 0 ? vec3_scale(v, 1 / length) : other;
}

static Vec3 any_across(Vec3 way) {
    Vec3 axis = fabs(way.y) < 0.9 ? (Vec3){0, 1, 0} : (Vec3){1, 0, 0};
    return unit_or(vec3_cross(axis, way), (Vec3){1, 0, 0});
}

/* -- tubes -- */

/* Place i of a course whose stretches are each cut in `subdivide`: on a Catmull-Rom curve through
 * the places, its ends doubled. */
static TubePlace course_place(const TubeCourse *tube, int64_t i) {
    int64_t k = i / tube->subdivide, last = tube->count - 1;
    if (i % tube->subdivide == 0) return tube->places[k];
    double t = (double)(i % tube->subdivide) / (double)tube->subdivide, u = 1 - t;
    const TubePlace *a = &tube->places[k], *b = &tube->places[k + 1];
    Vec3 before = tube->places[k > 0 ? k - 1 : 0].at,
         after = tube->places[k + 1 < last ? k + 2 : last].at;
    Vec3 at_a = vec3_scale(vec3_sub(b->at, before), 0.5),
         at_b = vec3_scale(vec3_sub(after, a->at), 0.5);
    Vec3 places = vec3_add(vec3_scale(a->at, u * u * (1 + 2 * t)),
                           vec3_scale(b->at, t * t * (3 - 2 * t)));
    Vec3 slopes = vec3_sub(vec3_scale(at_a, t * u * u), vec3_scale(at_b, t * t * u));
    return (TubePlace){vec3_add(places, slopes), a->radius + (b->radius - a->radius) * t};
}

typedef struct TubeRing {
    TubePlace place;
    Vec3 way, across; /* along the course there; a way round it that never twists */
    double along;     /* meters from the course's beginning */
} TubeRing;

static TubeRing *lay_rings(Arena *arena, const TubeCourse *tube, int64_t count) {
    TubeRing *rings = ARENA_ARRAY(arena, TubeRing, count);
    for (int64_t i = 0; i < count; i++)
        rings[i].place = course_place(tube, i);
    for (int64_t i = 0; i < count; i++) {
        Vec3 back = rings[i > 0 ? i - 1 : 0].place.at,
             on = rings[i + 1 < count ? i + 1 : i].place.at;
        Vec3 before = i > 0 ? rings[i - 1].way : (Vec3){0, 1, 0};
        rings[i].way = unit_or(vec3_sub(on, back), before);
        Vec3 kept = i > 0 ? rings[i - 1].across : any_across(rings[i].way);
        kept = vec3_sub(kept, vec3_scale(rings[i].way, vec3_dot(kept, rings[i].way)));
        rings[i].across = unit_or(kept, any_across(rings[i].way));
        if (i == 0) continue;
        Vec3 step = vec3_sub(rings[i].place.at, rings[i - 1].place.at);
        rings[i].along = rings[i - 1].along + sqrt(vec3_dot(step, step));
    }
    return rings;
}

typedef struct TubeBuilder {
    MeshBuilder mesh;
    VEC(double) coords; /* two a vertex */
} TubeBuilder;

static uint32_t add_vertex(TubeBuilder *b, Vec3 at, Vec3 normal, double u, double v) {
    VEC_PUSH(b->mesh.arena, &b->coords, u);
    VEC_PUSH(b->mesh.arena, &b->coords, v);
    return mesh_add_vertex(&b->mesh, at, normal);
}

/* The last vertex stands where the first does, a whole number of tiles on. */
static uint32_t add_ring(TubeBuilder *b, const TubeRing *ring, int64_t sides, double tiles,
                         double tile) {
    Vec3 up = vec3_cross(ring->way, ring->across);
    uint32_t first = (uint32_t)b->mesh.vertices.count;
    for (int64_t k = 0; k <= sides; k++) {
        double s, c, turn = (double)k / (double)sides;
        det_sincos(k == sides ? 0 : DET_TURN * turn, &s, &c);
        Vec3 out = vec3_add(vec3_scale(ring->across, c), vec3_scale(up, s));
        add_vertex(b, vec3_add(ring->place.at, vec3_scale(out, ring->place.radius)), out,
                   turn * tiles, ring->along / tile);
    }
    return first;
}

/* A shallow cone over an end: to a tip half a radius out. */
static void add_end(TubeBuilder *b, const TubeRing *ring, uint32_t first, int64_t sides, double out,
                    double tile) {
    Vec3 way = vec3_scale(ring->way, out);
    Vec3 at = vec3_add(ring->place.at, vec3_scale(way, 0.5 * ring->place.radius));
    uint32_t tip = add_vertex(b, at, way, 0, ring->along / tile);
    for (uint32_t k = first; k < first + (uint32_t)sides; k++)
        mesh_add_triangle(&b->mesh, out > 0 ? k : k + 1, out > 0 ? k + 1 : k, tip);
}

static void add_tube(TubeBuilder *b, const TubeCourse *tube, double tile) {
    int64_t count = (tube->count - 1) * tube->subdivide + 1, sides = tube->sides;
    const TubeRing *rings = lay_rings(b->mesh.arena, tube, count);
    double tiles = floor(DET_TURN * rings[0].place.radius / tile + 0.5);
    if (tiles < 1) tiles = 1;
    uint32_t before = 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t ring = add_ring(b, &rings[i], sides, tiles, tile);
        if (i == 0) add_end(b, &rings[i], ring, sides, -1, tile);
        for (uint32_t k = 0; i > 0 && k < (uint32_t)sides; k++) {
            mesh_add_triangle(&b->mesh, before + k, before + k + 1, ring + k + 1);
            mesh_add_triangle(&b->mesh, before + k, ring + k + 1, ring + k);
        }
        before = ring;
    }
    add_end(b, &rings[count - 1], before, sides, 1, tile);
}

RtMesh *grown_tubes(Arena *arena, const TubeCourse *tubes, int64_t count, double tile) {
    TubeBuilder b = {.mesh.arena = arena};
    for (int64_t i = 0; i < count; i++)
        add_tube(&b, &tubes[i], tile);
    RtMesh *mesh = mesh_finish(&b.mesh);
    mesh_lay_coords(arena, mesh);
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        mesh_put_coord(mesh, v, b.coords.items[2 * v], b.coords.items[2 * v + 1]);
    return mesh;
}

/* -- copies -- */

typedef struct Axes {
    Vec3 x, y, z;
} Axes;

static Axes axes_of(const GrownCopy *copy) {
    Vec3 y = unit_or(copy->up, (Vec3){0, 1, 0});
    Vec3 flat = vec3_sub(copy->facing, vec3_scale(y, vec3_dot(copy->facing, y)));
    Vec3 z = unit_or(flat, any_across(y));
    return (Axes){vec3_cross(y, z), y, z};
}

static Vec3 turned(const Axes *axes, Vec3 v) {
    return vec3_add(vec3_add(vec3_scale(axes->x, v.x), vec3_scale(axes->y, v.y)),
                    vec3_scale(axes->z, v.z));
}

static void put_copy(RtMesh *out, int32_t at, const RtMesh *mesh, const GrownCopy *copy) {
    Axes axes = axes_of(copy);
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        Vec3 color = mesh_get(mesh->colors, v);
        Vec3 place = vec3_scale(turned(&axes, mesh_position(mesh, v)), copy->size);
        mesh_put(out->positions, at + v, vec3_add(copy->at, place));
        mesh_put(out->normals, at + v, turned(&axes, mesh_get(mesh->normals, v)));
        mesh_put(out->colors, at + v,
                 (Vec3){color.x * copy->color.x, color.y * copy->color.y, color.z * copy->color.z});
        if (out->pivots) mesh_put(out->pivots, at + v, copy->at);
    }
}

RtMesh *grown_copies(Arena *arena, const RtMesh *mesh, const GrownCopy *copies, int64_t count,
                     bool sway) {
    const RtMesh **all = ARENA_ARRAY(arena, const RtMesh *, count + 1);
    for (int64_t i = 0; i < count; i++)
        all[i] = mesh;
    RtMesh *out = mesh_merge(arena, all, count);
    if (sway) mesh_lay_pivots(arena, out);
    for (int64_t i = 0; i < count; i++)
        put_copy(out, (int32_t)i * mesh->vertex_count, mesh, &copies[i]);
    return out;
}

RtMesh *grown_crown(Arena *arena, const RtMesh *mesh, Vec3 middle, double share) {
    RtMesh *out = mesh_copy(arena, mesh);
    for (int32_t v = 0; v < out->vertex_count; v++) {
        Vec3 own = mesh_get(out->normals, v);
        Vec3 away = unit_or(vec3_sub(mesh_position(out, v), middle), own);
        if (vec3_dot(own, away) < 0) own = vec3_scale(own, -1); /* leaves have no right side */
        Vec3 mixed = vec3_add(vec3_scale(own, 1 - share), vec3_scale(away, share));
        mesh_put(out->normals, v, unit_or(mixed, away));
    }
    return out;
}
