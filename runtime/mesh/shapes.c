#include "runtime/mesh/shapes.h"

#include "runtime/math/det_math.h"

#include <math.h>

static const double sharp_cosine = 0.64; /* about 50 degrees */

static ShapePoint side_of(ShapePoint from, ShapePoint to) {
    double x = to.y - from.y, y = from.x - to.x, length = sqrt(x * x + y * y);
    return length > 0 ? (ShapePoint){x / length, y / length} : (ShapePoint){0, 0};
}

/* The way outward at the `end` (0 or 1) of a profile's stretch: shared with the stretch beside it
 * unless that turns sharply. */
static ShapePoint smooth_side(const ShapePoint *profile, int64_t count, int64_t stretch, int end) {
    ShapePoint own = side_of(profile[stretch], profile[stretch + 1]);
    int64_t beside = end ? stretch + 1 : stretch - 1;
    if (beside < 0 || beside >= count - 1) return own;
    ShapePoint other = side_of(profile[beside], profile[beside + 1]);
    if (own.x * other.x + own.y * other.y < sharp_cosine) return own;
    ShapePoint sum = {own.x + other.x, own.y + other.y};
    double length = sqrt(sum.x * sum.x + sum.y * sum.y);
    return (ShapePoint){sum.x / length, sum.y / length};
}

static Vec3 around(ShapePoint p, double turn) {
    double s, c;
    det_sincos(DET_TURN * turn, &s, &c);
    return (Vec3){p.x * c, p.y, p.x * s};
}

/* A ring of `sides` vertices (a full turn of them, the last joined to the first). */
static uint32_t add_ring(MeshBuilder *b, ShapePoint at, ShapePoint outward, int64_t sides) {
    uint32_t first = (uint32_t)b->vertices.count;
    for (int64_t k = 0; k < sides; k++) {
        double turn = (double)k / (double)sides;
        mesh_add_vertex(b, around(at, turn), around(outward, turn));
    }
    return first;
}

static void join_rings(MeshBuilder *b, uint32_t low, uint32_t high, int64_t sides, bool low_point,
                       bool high_point) {
    for (uint32_t k = 0; k < (uint32_t)sides; k++) {
        uint32_t next = (k + 1) % (uint32_t)sides;
        if (!high_point) mesh_add_triangle(b, low + k, high + k, high + next);
        if (!low_point) mesh_add_triangle(b, low + k, high + next, low + next);
    }
}

RtMesh *shape_lathe(Arena *arena, const ShapePoint *profile, int64_t count, int64_t sides,
                    bool faceted) {
    MeshBuilder b = {.arena = arena};
    for (int64_t i = 0; i + 1 < count; i++) {
        if (profile[i].x == profile[i + 1].x && profile[i].y == profile[i + 1].y) continue;
        uint32_t low = add_ring(&b, profile[i], smooth_side(profile, count, i, 0), sides);
        uint32_t high = add_ring(&b, profile[i + 1], smooth_side(profile, count, i, 1), sides);
        join_rings(&b, low, high, sides, profile[i].x == 0, profile[i + 1].x == 0);
    }
    RtMesh *mesh = mesh_finish(&b);
    return faceted ? mesh_facet(arena, mesh) : mesh;
}

RtMesh *shape_box(Arena *arena, Vec3 size) {
    double x = size.x / 2, y = size.y / 2;
    const ShapePoint outline[4] = {{-x, 0}, {x, 0}, {x, 2 * y}, {-x, 2 * y}};
    return shape_prism(arena, outline, 4, size.z);
}

/* The same outline, counterclockwise seen from +z. */
static const ShapePoint *wind(Arena *arena, const ShapePoint *outline, int64_t count) {
    double twice_area = 0;
    for (int64_t i = 0; i < count; i++) {
        ShapePoint p = outline[i], q = outline[(i + 1) % count];
        twice_area += p.x * q.y - q.x * p.y;
    }
    if (twice_area >= 0) return outline;
    ShapePoint *reversed = ARENA_ARRAY(arena, ShapePoint, count);
    for (int64_t i = 0; i < count; i++)
        reversed[i] = outline[count - 1 - i];
    return reversed;
}

static void add_cap(MeshBuilder *b, const ShapePoint *outline, int64_t count, double z) {
    uint32_t first = (uint32_t)b->vertices.count;
    for (int64_t i = 0; i < count; i++) {
        const ShapePoint *p = &outline[z > 0 ? i : count - 1 - i];
        mesh_add_vertex(b, (Vec3){p->x, p->y, z}, (Vec3){0, 0, z > 0 ? 1 : -1});
    }
    for (uint32_t i = 1; i + 1 < (uint32_t)count; i++)
        mesh_add_triangle(b, first, first + i, first + i + 1);
}

RtMesh *shape_prism(Arena *arena, const ShapePoint *outline, int64_t count, double length) {
    MeshBuilder b = {.arena = arena};
    double z = fabs(length) / 2;
    outline = wind(arena, outline, count);
    for (int64_t i = 0; i < count; i++) {
        ShapePoint p = outline[i], q = outline[(i + 1) % count];
        mesh_add_quad(&b, (Vec3){p.x, p.y, z}, (Vec3){p.x, p.y, -z}, (Vec3){q.x, q.y, -z},
                      (Vec3){q.x, q.y, z});
    }
    add_cap(&b, outline, count, z);
    add_cap(&b, outline, count, -z);
    return mesh_finish(&b);
}

RtMesh *shape_sphere(Arena *arena, double radius, int64_t sides) {
    int64_t rings = sides / 2 < 2 ? 2 : sides / 2;
    ShapePoint *profile = ARENA_ARRAY(arena, ShapePoint, rings + 1);
    for (int64_t i = 0; i <= rings; i++) {
        double s, c;
        det_sincos(DET_PI * (double)i / (double)rings, &s, &c);
        profile[i] = (ShapePoint){i == 0 || i == rings ? 0 : radius * s, -radius * c};
    }
    return shape_lathe(arena, profile, rings + 1, sides, false);
}

/* The turn that takes the vertical onto a direction. */
static RtMesh *point_along(Arena *arena, const RtMesh *mesh, Vec3 way) {
    double flat = sqrt(way.x * way.x + way.z * way.z);
    if (flat == 0 && way.y >= 0) return mesh_copy(arena, mesh);
    Vec3 axis = flat > 0 ? (Vec3){way.z, 0, -way.x} : (Vec3){1, 0, 0};
    return mesh_rotate(arena, mesh, axis, det_atan2(flat, way.y));
}

RtMesh *shape_limb(Arena *arena, Vec3 from, Vec3 to, double radius, double end_radius,
                   int64_t sides) {
    Vec3 way = vec3_sub(to, from);
    const ShapePoint profile[2] = {{radius, 0}, {end_radius, sqrt(vec3_dot(way, way))}};
    return mesh_move(arena, point_along(arena, shape_lathe(arena, profile, 2, sides, false), way),
                     from);
}
