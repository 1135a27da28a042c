/* A crown seen from far away: a closed shape round its leaves, band by band from its foot to its top. */
#include "runtime/math/det_math.h"
#include "runtime/mesh/levels.h"

#include <math.h>

static const double fullness = 1.2; /* a band's radius, of the mean square of its leaves' distances */

typedef struct Band {
    Vec3 color; /* summed */
    double square;
    int32_t count;
} Band;

static Vec3 axis_of(const RtMesh *mesh) {
    Vec3 sum = {0, 0, 0};
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        sum = vec3_add(sum, mesh_position(mesh, v));
    return vec3_scale(sum, 1.0 / mesh->vertex_count);
}

static void measure(const RtMesh *mesh, Vec3 low, Vec3 high, Vec3 axis, Band *bands, int count) {
    double tall = high.y - low.y;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        Vec3 p = mesh_position(mesh, v), d = vec3_sub(p, axis);
        int k = tall > 0 ? (int)((p.y - low.y) / tall * count) : 0;
        Band *band = &bands[k < count ? k : count - 1];
        band->color = vec3_add(band->color, mesh_get(mesh->colors, v));
        band->square += d.x * d.x + d.z * d.z;
        band->count++;
    }
}

static uint32_t add(MeshBuilder *b, Vec3 at, Vec3 middle, Vec3 color) {
    Vec3 out = vec3_sub(at, middle);
    double length = sqrt(vec3_dot(out, out));
    uint32_t v = mesh_add_vertex(b, at, length > 0 ? vec3_scale(out, 1 / length) : (Vec3){0, 1, 0});
    b->vertices.items[v].color = color;
    return v;
}

RtMesh *mesh_crown(Arena *arena, const RtMesh *mesh, int count, int sides) {
    MeshBuilder b = {.arena = arena};
    Band *bands = ARENA_ARRAY(arena, Band, count);
    Vec3 low, high, axis = axis_of(mesh);
    mesh_bounds(mesh, &low, &high);
    measure(mesh, low, high, axis, bands, count);
    Vec3 color = vec3_scale(bands[0].color, 1.0 / (bands[0].count ? bands[0].count : 1));
    uint32_t foot = add(&b, (Vec3){axis.x, low.y, axis.z}, axis, color), before = 0;
    for (int k = 0; k < count; k++) {
        const Band *band = &bands[k];
        double radius = band->count ? fullness * sqrt(band->square / band->count) : 0;
        if (band->count) color = vec3_scale(band->color, 1.0 / band->count);
        uint32_t ring = (uint32_t)b.vertices.count;
        for (int i = 0; i < sides; i++) {
            double s, c, y = low.y + (high.y - low.y) * (k + 0.5) / count;
            det_sincos(DET_TURN * (i + 0.5 * (k % 2)) / sides, &s, &c);
            add(&b, (Vec3){axis.x + radius * c, y, axis.z + radius * s}, axis, color);
        }
        for (uint32_t i = 0; i < (uint32_t)sides; i++) {
            uint32_t next = (i + 1) % (uint32_t)sides;
            if (k == 0) {
                mesh_add_triangle(&b, foot, ring + i, ring + next);
                continue;
            }
            mesh_add_triangle(&b, before + i, ring + i, ring + next);
            mesh_add_triangle(&b, before + i, ring + next, before + next);
        }
        before = ring;
    }
    uint32_t top = add(&b, (Vec3){axis.x, high.y, axis.z}, axis, color);
    for (uint32_t i = 0; i < (uint32_t)sides; i++)
        mesh_add_triangle(&b, before + i, top, before + (i + 1) % (uint32_t)sides);
    return mesh_finish(&b);
}
