/* The shapes package's native part: the runtime's mesh builders as the language asks them. */
#include "runtime/mesh/ribbon.h"
#include "runtime/mesh/shapes.h"

#include "stdlib/stdlib_externs.h"

enum { MOST_SIDES = 4096 };

_Static_assert(sizeof(ShapePoint) == 2 * sizeof(Slot), "a list of pairs is an array of points");

static const ShapePoint *pairs(const RtList *list) {
    return (const ShapePoint *)(const void *)list->items;
}

static const RtMesh *empty(Rt *rt) {
    return mesh_merge(rt->arena, NULL, 0);
}

/* Whether a count lies in its range; else a fault. */
static bool check_count(Rt *rt, const char *what, int64_t count, int64_t least) {
    if (count >= least && count <= MOST_SIDES) return true;
    rt_fault(rt, RT_FAULT_ARGUMENT, "%s: %lld, between %lld and %d are possible", what,
             (long long)count, (long long)least, MOST_SIDES);
    return false;
}

const RtMesh *shapes_lathe(Rt *rt, const RtList *profile, int64_t sides, bool faceted) {
    if (!check_count(rt, "points of the profile", rt_list_length(profile), 2)) return empty(rt);
    if (!check_count(rt, "sides", sides, 3)) return empty(rt);
    return shape_lathe(rt->arena, pairs(profile), profile->length, sides, faceted);
}

const RtMesh *shapes_box(Rt *rt, Vec3 size) {
    return shape_box(rt->arena, size);
}

const RtMesh *shapes_prism(Rt *rt, const RtList *outline, double length) {
    if (!check_count(rt, "corners of the outline", rt_list_length(outline), 3)) return empty(rt);
    return shape_prism(rt->arena, pairs(outline), outline->length, length);
}

const RtMesh *shapes_sphere(Rt *rt, double radius, int64_t sides) {
    if (!check_count(rt, "sides", sides, 3)) return empty(rt);
    return shape_sphere(rt->arena, radius, sides);
}

const RtMesh *shapes_limb(Rt *rt, Vec3 from, Vec3 to, double radius, double end_radius,
                          int64_t sides) {
    if (!check_count(rt, "sides", sides, 3)) return empty(rt);
    return shape_limb(rt->arena, from, to, radius, end_radius, sides);
}

const RtMesh *shapes_skirt(Rt *rt, double radius, double height, int64_t teeth, uint32_t seed) {
    if (!check_count(rt, "teeth", teeth, 2)) return empty(rt);
    return shape_skirt(rt->arena, radius, height, teeth, seed);
}

const RtMesh *shapes_blades(Rt *rt, int64_t count, double length, double width, double rise,
                            double droop, uint32_t seed) {
    if (!check_count(rt, "blades", count, 1)) return empty(rt);
    const ShapeBlades blades = {count, length, width, rise, droop, seed};
    return shape_blades(rt->arena, &blades);
}

const RtMesh *shapes_merge(Rt *rt, const RtList *meshes) {
    int64_t count = rt_list_length(meshes), kept = 0;
    const RtMesh **all = ARENA_ARRAY(rt->arena, const RtMesh *, count + 1);
    for (int64_t i = 0; i < count; i++) { /* a mesh that a fault left out is skipped */
        const RtMesh *mesh = rt_list_item(meshes, i)->r;
        if (mesh) all[kept++] = mesh;
    }
    return mesh_merge(rt->arena, all, kept);
}

const RtMesh *shapes_moved(Rt *rt, const RtMesh *self, Vec3 by) {
    return mesh_move(rt->arena, self, by);
}

const RtMesh *shapes_rotated(Rt *rt, const RtMesh *self, Vec3 axis, double by) {
    return mesh_rotate(rt->arena, self, axis, by);
}

const RtMesh *shapes_stretchedBy(Rt *rt, const RtMesh *self, Vec3 by) {
    return mesh_scale(rt->arena, self, by);
}

const RtMesh *shapes_painted(Rt *rt, const RtMesh *self, Vec3 low, Vec3 high) {
    return mesh_paint(rt->arena, self, low, high);
}

const RtMesh *shapes_mottled(Rt *rt, const RtMesh *self, double amount, double size,
                             uint32_t seed) {
    return mesh_mottle(rt->arena, self, amount, size, seed);
}

const RtMesh *shapes_roughened(Rt *rt, const RtMesh *self, double amount, double size,
                               uint32_t seed) {
    return mesh_roughen(rt->arena, self, amount, size, seed);
}

const RtMesh *shapes_chipped(Rt *rt, const RtMesh *self, int64_t count, double depth,
                             uint32_t seed) {
    if (!check_count(rt, "cuts", count, 0)) return mesh_copy(rt->arena, self);
    return mesh_chip(rt->arena, self, count, depth, seed);
}

const RtMesh *shapes_flattened(Rt *rt, const RtMesh *self, double height) {
    return mesh_flatten(rt->arena, self, height);
}

const RtMesh *shapes_faceted(Rt *rt, const RtMesh *self) {
    return mesh_facet(rt->arena, self);
}

const RtMesh *shapes_ribbon(Rt *rt, const RtSpine *spine, const RtCurve *level,
                            const RtCurve *half_width) {
    return ribbon_create(rt->arena, spine, level, half_width);
}

Vec3 shapes_low(Rt *rt, const RtMesh *self) {
    (void)rt;
    Vec3 low, high;
    mesh_bounds(self, &low, &high);
    return low;
}

Vec3 shapes_high(Rt *rt, const RtMesh *self) {
    (void)rt;
    Vec3 low, high;
    mesh_bounds(self, &low, &high);
    return high;
}

Vec3 shapes_size(Rt *rt, const RtMesh *self) {
    return vec3_sub(shapes_high(rt, self), shapes_low(rt, self));
}

int64_t shapes_triangles(Rt *rt, const RtMesh *self) {
    (void)rt;
    return self->index_count / 3;
}
