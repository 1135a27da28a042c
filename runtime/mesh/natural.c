/* What makes a mesh look grown or broken: noise in its places and colors, and planes that cut it.
 */
#include "runtime/mesh/mesh.h"

#include "runtime/base/watch.h"
#include "runtime/math/det_math.h"
#include "runtime/mesh/noise.h"

#include <math.h>

RtMesh *mesh_mottle(Arena *arena, const RtMesh *mesh, double amount, double size, uint32_t seed) {
    RtMesh *out = mesh_copy(arena, mesh);
    for (int32_t v = 0; v < out->vertex_count; v++) {
        watch_work(16);
        double factor = 1 + amount * mesh_noise(vec3_scale(mesh_position(mesh, v), 1 / size), seed);
        for (int k = 0; k < 3; k++)
            out->colors[3 * (size_t)v + (size_t)k] *= (float)factor;
    }
    return out;
}

/* The move depends on the place alone, so vertices that share a place stay together. */
RtMesh *mesh_roughen(Arena *arena, const RtMesh *mesh, double amount, double size, uint32_t seed) {
    RtMesh *out = mesh_copy(arena, mesh);
    for (int32_t v = 0; v < out->vertex_count; v++) {
        watch_work(48);
        Vec3 p = mesh_position(mesh, v), q = vec3_scale(p, 1 / size);
        Vec3 move = {mesh_noise(q, seed), mesh_noise(q, seed + 1), mesh_noise(q, seed + 2)};
        mesh_put(out->positions, v, vec3_add(p, vec3_scale(move, amount)));
    }
    mesh_renew_normals(out);
    return out;
}

/* A direction evenly over the sphere: z evenly, then the azimuth. */
static Vec3 random_direction(uint32_t seed, uint32_t index) {
    double z = 2 * mesh_random(seed, 3 * index) - 1, r = sqrt(1 - z * z), s, c;
    det_sincos(DET_TURN * mesh_random(seed, 3 * index + 1), &s, &c);
    return (Vec3){r * c, z, r * s};
}

RtMesh *mesh_chip(Arena *arena, const RtMesh *mesh, int64_t count, double depth, uint32_t seed) {
    RtMesh *out = mesh_copy(arena, mesh);
    mesh_drop_stems(arena, out);
    Vec3 low, high;
    mesh_bounds(mesh, &low, &high);
    Vec3 middle = vec3_scale(vec3_add(low, high), 0.5), half = vec3_scale(vec3_sub(high, low), 0.5);
    for (int32_t v = 0; v < out->vertex_count; v++) {
        watch_work(16 * count);
        Vec3 p = vec3_sub(mesh_position(mesh, v), middle);
        /* In the frame in which the mesh's box is a cube, pulled straight toward the middle. */
        Vec3 q = {half.x > 0 ? p.x / half.x : 0, half.y > 0 ? p.y / half.y : 0,
                  half.z > 0 ? p.z / half.z : 0};
        double pull = 1;
        for (uint32_t i = 0; i < (uint32_t)count; i++) {
            double reach = vec3_dot(q, random_direction(seed, i));
            double limit = depth + 0.14 * mesh_random(seed, 3 * i + 2);
            if (reach > 0 && limit / reach < pull) pull = limit / reach;
        }
        mesh_put(out->positions, v, vec3_add(middle, vec3_scale(p, pull)));
    }
    mesh_renew_normals(out);
    return out;
}

RtMesh *mesh_bend(Arena *arena, const RtMesh *mesh, double angle) {
    RtMesh *out = mesh_copy(arena, mesh);
    mesh_drop_stems(arena, out);
    Vec3 low, high;
    mesh_bounds(mesh, &low, &high);
    double radius = (high.x - low.x) / angle, middle = (low.x + high.x) / 2;
    if (angle == 0 || high.x == low.x) return out;
    for (int32_t v = 0; v < out->vertex_count; v++) {
        Vec3 p = mesh_position(out, v);
        double s, c, inner = radius - p.y;
        det_sincos((p.x - middle) / radius, &s, &c);
        mesh_put(out->positions, v, (Vec3){middle + inner * s, radius - inner * c, p.z});
    }
    mesh_renew_normals(out);
    return out;
}

RtMesh *mesh_flatten(Arena *arena, const RtMesh *mesh, double height) {
    RtMesh *out = mesh_copy(arena, mesh);
    mesh_drop_stems(arena, out);
    for (int32_t v = 0; v < out->vertex_count; v++)
        if (out->positions[3 * (size_t)v + 1] < height)
            out->positions[3 * (size_t)v + 1] = (float)height;
    mesh_renew_normals(out);
    return out;
}
