#include "runtime/mesh/ribbon.h"

#include <math.h>

#include "runtime/geometry/scalar.h"
#include "runtime/mesh/mesh.h"

/* To the right at laid point i, as long as the ribbon stays equally wide on both stretches that
 * meet there; a bend so sharp that this passes twice the width is cut short. */
static PlanPoint miter(const RtSpine *spine, int32_t i) {
    PlanPoint before = spine->sides[i > 0 ? i - 1 : 0];
    PlanPoint after = spine->sides[i + 1 < spine->count ? i : spine->count - 2];
    PlanPoint sum = {before.x + after.x, before.z + after.z};
    double square =
        sum.x * sum.x + sum.z * sum.z; /* 4 when straight, 0 when it turns back on itself */
    if (!(square > 1e-12)) return after;
    double scale = scalar_min(2 / square, 2 / sqrt(square));
    return (PlanPoint){sum.x * scale, sum.z * scale};
}

/* The distance between two laid points, by how fast it is passed: 1 makes seconds of meters. */
static double passed(const RtSpine *spine, const RtCurve *pace, int32_t i) {
    double x = spine->points[i].x - spine->points[i - 1].x, z = spine->points[i].z - spine->points[i - 1].z;
    double speed = (curve_value(pace, spine->index[i]) + curve_value(pace, spine->index[i - 1])) / 2;
    return sqrt(x * x + z * z) / scalar_max(speed, 1e-3);
}

RtMesh *ribbon_create(Arena *arena, const RtSpine *spine, const Ribbon *ribbon) {
    MeshBuilder builder = {.arena = arena};
    const Vec3 up = {0, 1, 0};
    for (int32_t i = 0; i < spine->count; i++) {
        PlanPoint side = miter(spine, i);
        double half = curve_value(ribbon->half_width, spine->index[i]);
        Vec3 middle = {spine->points[i].x, curve_value(ribbon->level, spine->index[i]), spine->points[i].z};
        Vec3 right = {side.x * half, 0, side.z * half};
        double gray = curve_value(ribbon->shade, spine->index[i]);
        uint32_t at = mesh_add_vertex(&builder, vec3_sub(middle, right), up);
        mesh_add_vertex(&builder, vec3_add(middle, right), up);
        for (uint32_t k = 0; k < 2; k++)
            builder.vertices.items[at + k].color = (Vec3){gray, gray, gray};
        if (i == 0) continue;
        mesh_add_triangle(&builder, at - 2, at - 1, at + 1);
        mesh_add_triangle(&builder, at - 2, at + 1, at);
    }
    RtMesh *mesh = mesh_finish(&builder);
    mesh_renew_normals(mesh);
    mesh_lay_coords(arena, mesh);
    double along = 0;
    for (int32_t i = 0; i < spine->count; i++) {
        double half = curve_value(ribbon->half_width, spine->index[i]);
        if (i > 0) along += passed(spine, ribbon->pace, i);
        mesh_put_coord(mesh, 2 * i, along, -half);
        mesh_put_coord(mesh, 2 * i + 1, along, half);
    }
    return mesh;
}
