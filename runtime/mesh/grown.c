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

static void lay_rings(TubeRing *rings, const TubeCourse *tube, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        rings[i] = (TubeRing){.place = course_place(tube, i)};
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
}

/* A mesh whose size is known, while it is filled. */
typedef struct TubeWriter {
    RtMesh *mesh;
    int32_t vertices, indices; /* so far */
    Vec3 color;
    double tile;
    int64_t sides;     /* of the tube */
    TubeRing *rings;   /* of the tube */
    double *sin, *cos; /* round it: sides + 1 */
} TubeWriter;

static int64_t ring_count(const TubeCourse *tube) {
    return (tube->count - 1) * tube->subdivide + 1;
}

static uint32_t put_vertex(TubeWriter *w, Vec3 at, Vec3 normal, double u, double v) {
    int32_t vertex = w->vertices++;
    mesh_put(w->mesh->positions, vertex, at);
    mesh_put(w->mesh->normals, vertex, normal);
    mesh_put(w->mesh->colors, vertex, w->color);
    mesh_put_coord(w->mesh, vertex, u, v);
    return (uint32_t)vertex;
}

static void put_triangle(TubeWriter *w, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *out = w->mesh->indices + w->indices;
    out[0] = a;
    out[1] = b;
    out[2] = c;
    w->indices += 3;
}

/* The last vertex stands where the first does, a whole number of tiles on. */
static uint32_t put_ring(TubeWriter *w, const TubeRing *ring, double tiles) {
    Vec3 up = vec3_cross(ring->way, ring->across);
    uint32_t first = (uint32_t)w->vertices;
    for (int64_t k = 0; k <= w->sides; k++) {
        Vec3 out = vec3_add(vec3_scale(ring->across, w->cos[k]), vec3_scale(up, w->sin[k]));
        put_vertex(w, vec3_add(ring->place.at, vec3_scale(out, ring->place.radius)), out,
                   (double)k / (double)w->sides * tiles, ring->along / w->tile);
    }
    return first;
}

/* A shallow cone over an end: to a tip half a radius out. */
static void put_end(TubeWriter *w, const TubeRing *ring, uint32_t first, double out) {
    Vec3 way = vec3_scale(ring->way, out);
    Vec3 at = vec3_add(ring->place.at, vec3_scale(way, 0.5 * ring->place.radius));
    uint32_t tip = put_vertex(w, at, way, 0, ring->along / w->tile);
    for (uint32_t k = first; k < first + (uint32_t)w->sides; k++)
        put_triangle(w, out > 0 ? k : k + 1, out > 0 ? k + 1 : k, tip);
}

/* Tubes of as many sides often follow each other. */
static void set_sides(TubeWriter *w, int64_t sides) {
    if (w->sides == sides) return;
    w->sides = sides;
    for (int64_t k = 0; k <= sides; k++)
        det_sincos(k == sides ? 0 : DET_TURN * ((double)k / (double)sides), &w->sin[k], &w->cos[k]);
}

static void put_tube(TubeWriter *w, const TubeCourse *tube) {
    int64_t count = ring_count(tube);
    set_sides(w, tube->sides);
    lay_rings(w->rings, tube, count);
    double tiles = floor(DET_TURN * w->rings[0].place.radius / w->tile + 0.5);
    if (tiles < 1) tiles = 1;
    uint32_t before = 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t ring = put_ring(w, &w->rings[i], tiles);
        if (i == 0) put_end(w, &w->rings[i], ring, -1);
        for (uint32_t k = 0; i > 0 && k < (uint32_t)w->sides; k++) {
            put_triangle(w, before + k, before + k + 1, ring + k + 1);
            put_triangle(w, before + k, ring + k + 1, ring + k);
        }
        before = ring;
    }
    put_end(w, &w->rings[count - 1], before, 1);
}

/* Straight stretches from place to place, as thick as in their middle. */
static void put_stems(RtMesh *mesh, const TubeCourse *tubes, int64_t count) {
    float *stem = mesh->stems;
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 1; k < tubes[i].count; k++, stem += STEM_FLOATS) {
            mesh_put(stem, 0, tubes[i].places[k - 1].at);
            mesh_put(stem, 1, tubes[i].places[k].at);
            stem[6] = (float)(0.5 * (tubes[i].places[k - 1].radius + tubes[i].places[k].radius));
        }
}

RtMesh *grown_tubes(Arena *arena, const TubeCourse *tubes, int64_t count, double tile, Vec3 color) {
    int64_t vertices = 0, indices = 0, rings = 0, sides = 0, stems = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t own = ring_count(&tubes[i]);
        vertices += own * (tubes[i].sides + 1) + 2;
        indices += own * tubes[i].sides * 6;
        stems += tubes[i].count - 1;
        if (own > rings) rings = own;
        if (tubes[i].sides > sides) sides = tubes[i].sides;
    }
    TubeWriter w = {.mesh = mesh_create(arena, (int32_t)vertices, (int32_t)indices),
                    .color = color,
                    .tile = tile,
                    .rings = ARENA_ARRAY(arena, TubeRing, rings + 1),
                    .sin = ARENA_ARRAY(arena, double, sides + 1),
                    .cos = ARENA_ARRAY(arena, double, sides + 1)};
    mesh_lay_coords(arena, w.mesh);
    mesh_lay_stems(arena, w.mesh, (int32_t)stems);
    put_stems(w.mesh, tubes, count);
    for (int64_t i = 0; i < count; i++)
        put_tube(&w, &tubes[i]);
    return w.mesh;
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
        if (out->coords) mesh_put_coord(out, at + v, mesh->coords[2 * v], mesh->coords[2 * v + 1]);
    }
}

RtMesh *grown_copies(Arena *arena, const RtMesh *mesh, const GrownCopy *copies, int64_t count,
                     bool sway) {
    int32_t vertices = mesh->vertex_count, indices = mesh->index_count;
    RtMesh *out = mesh_create(arena, (int32_t)count * vertices, (int32_t)count * indices);
    out->two_sided = mesh->two_sided && count > 0;
    if (sway || mesh->pivots) mesh_lay_pivots(arena, out);
    if (mesh->coords) mesh_lay_coords(arena, out);
    for (int32_t i = 0; i < count; i++) {
        put_copy(out, i * vertices, mesh, &copies[i]);
        for (int32_t k = 0; k < indices; k++)
            out->indices[i * indices + k] = mesh->indices[k] + (uint32_t)(i * vertices);
    }
    return out;
}

void grown_crown(RtMesh *mesh, Vec3 middle, double share) {
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        Vec3 own = mesh_get(mesh->normals, v);
        Vec3 away = unit_or(vec3_sub(mesh_position(mesh, v), middle), own);
        if (vec3_dot(own, away) < 0) own = vec3_scale(own, -1); /* leaves have no right side */
        Vec3 mixed = vec3_add(vec3_scale(own, 1 - share), vec3_scale(away, share));
        mesh_put(mesh->normals, v, unit_or(mixed, away));
    }
}
