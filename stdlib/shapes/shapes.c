/* The shapes package's native part: the runtime's mesh builders as the language asks them. */
#include "runtime/mesh/grown.h"
#include "runtime/mesh/ribbon.h"
#include "runtime/mesh/shapes.h"
#include "runtime/mesh/triangulate.h"

#include "stdlib/stdlib_externs.h"

enum { MOST_SIDES = 4096, MOST_CORNERS = 30000000, MOST_MERGED = 1 << 30 };

_Static_assert(sizeof(Vec3) == 3 * sizeof(Slot), "a list of offsets is an array of them");
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

/* Whether a number is one that places can be made of: float32 keeps it and its square. Else a fault that names it. */
static bool check_number(Rt *rt, const char *what, double value, double least) {
    static const double most = 1e12;
    if (value >= least && value <= most) return true;
    rt_fault(rt, RT_FAULT_ARGUMENT, "%s: %g, from %g to %g is possible", what, value, least, most);
    return false;
}

/* Of either sign. */
static bool check_any(Rt *rt, const char *what, double value) {
    return check_number(rt, what, value, -1e12);
}

static bool check_vector(Rt *rt, const char *what, Vec3 v, double least) {
    return check_number(rt, what, v.x, least) && check_number(rt, what, v.y, least) && check_number(rt, what, v.z, least);
}

static bool check_place(Rt *rt, const char *what, Vec3 v) {
    return check_vector(rt, what, v, -1e12);
}

static bool check_pairs(Rt *rt, const char *what, const RtList *list) {
    bool good = true;
    for (int64_t i = 0; good && i < rt_list_length(list); i++)
        good = check_any(rt, what, pairs(list)[i].x) && check_any(rt, what, pairs(list)[i].y);
    return good;
}

const RtMesh *shapes_lathe(Rt *rt, const RtList *profile, int64_t sides, bool faceted) {
    if (!(check_pairs(rt, "profile", profile))) return empty(rt);
    if (!check_count(rt, "points of the profile", rt_list_length(profile), 2)) return empty(rt);
    if (!check_count(rt, "sides", sides, 3)) return empty(rt);
    return shape_lathe(rt->arena, pairs(profile), profile->length, sides, faceted);
}

const RtMesh *shapes_box(Rt *rt, Vec3 size) {
    if (!(check_vector(rt, "size", size, 0))) return empty(rt);
    return shape_box(rt->arena, size);
}

const RtMesh *shapes_prism(Rt *rt, const RtList *outline, double length) {
    if (!(check_pairs(rt, "outline", outline) && check_any(rt, "length", length))) return empty(rt);
    if (!check_count(rt, "corners of the outline", rt_list_length(outline), 3)) return empty(rt);
    return shape_prism(rt->arena, pairs(outline), outline->length, length);
}

const RtMesh *shapes_sphere(Rt *rt, double radius, int64_t sides) {
    if (!(check_number(rt, "radius", radius, 0))) return empty(rt);
    if (!check_count(rt, "sides", sides, 3)) return empty(rt);
    return shape_sphere(rt->arena, radius, sides);
}

const RtMesh *shapes_limb(Rt *rt, Vec3 from, Vec3 to, double radius, double end_radius,
                          int64_t sides) {
    if (!(check_place(rt, "from", from) && check_place(rt, "to", to) && check_number(rt, "radius", radius, 0) &&
          check_number(rt, "endRadius", end_radius, 0))) return empty(rt);
    if (!check_count(rt, "sides", sides, 3)) return empty(rt);
    return shape_limb(rt->arena, from, to, radius, end_radius, sides);
}

const RtMesh *shapes_skirt(Rt *rt, double radius, double height, int64_t teeth, uint32_t seed) {
    if (!(check_number(rt, "radius", radius, 0) && check_number(rt, "height", height, 0))) return empty(rt);
    if (!check_count(rt, "teeth", teeth, 2)) return empty(rt);
    return shape_skirt(rt->arena, radius, height, teeth, seed);
}

const RtMesh *shapes_blades(Rt *rt, int64_t count, double length, double width, double rise,
                            double droop, uint32_t seed) {
    if (!(check_number(rt, "length", length, 0) && check_number(rt, "width", width, 0) && check_any(rt, "rise", rise) &&
          check_any(rt, "droop", droop))) return empty(rt);
    if (!check_count(rt, "count", count, 1)) return empty(rt);
    const ShapeBlades blades = {count, length, width, rise, droop, seed};
    return shape_blades(rt->arena, &blades);
}

const RtMesh *shapes_merge(Rt *rt, const RtList *meshes) {
    int64_t count = rt_list_length(meshes), kept = 0;
    const RtMesh **all = ARENA_ARRAY(rt->arena, const RtMesh *, count + 1);
    int64_t vertices = 0, indices = 0;
    for (int64_t i = 0; i < count; i++) { /* a mesh that a fault left out is skipped */
        const RtMesh *mesh = rt_list_item(meshes, i)->r;
        if (mesh) all[kept++] = mesh;
        vertices += mesh ? mesh->vertex_count : 0;
        indices += mesh ? mesh->index_count : 0;
    }
    if (vertices > MOST_MERGED || indices > MOST_MERGED) {
        rt_fault(rt, RT_FAULT_LIMIT, "a mesh of %lld corners, %lld triangles; at most %d corners",
                 (long long)vertices, (long long)(indices / 3), MOST_MERGED);
        return empty(rt);
    }
    return mesh_merge(rt->arena, all, kept);
}

const RtMesh *shapes_moved(Rt *rt, const RtMesh *self, Vec3 by) {
    if (!(check_place(rt, "by", by))) return self;
    return mesh_move(rt->arena, self, by);
}

const RtMesh *shapes_rotated(Rt *rt, const RtMesh *self, Vec3 axis, double by) {
    if (!(check_place(rt, "axis", axis) && check_any(rt, "by", by))) return self;
    return mesh_rotate(rt->arena, self, axis, by);
}

const RtMesh *shapes_stretchedBy(Rt *rt, const RtMesh *self, Vec3 by) {
    if (!(check_place(rt, "by", by))) return self;
    return mesh_scale(rt->arena, self, by);
}

const RtMesh *shapes_painted(Rt *rt, const RtMesh *self, Vec3 low, Vec3 high) {
    if (!(check_vector(rt, "low", low, 0) && check_vector(rt, "high", high, 0))) return self;
    return mesh_paint(rt->arena, self, low, high);
}

const RtMesh *shapes_mottled(Rt *rt, const RtMesh *self, double amount, double size,
                             uint32_t seed) {
    if (!(check_any(rt, "amount", amount) && check_number(rt, "size", size, 1e-6))) return self;
    return mesh_mottle(rt->arena, self, amount, size, seed);
}

const RtMesh *shapes_roughened(Rt *rt, const RtMesh *self, double amount, double size,
                               uint32_t seed) {
    if (!(check_any(rt, "amount", amount) && check_number(rt, "size", size, 1e-6))) return self;
    return mesh_roughen(rt->arena, self, amount, size, seed);
}

const RtMesh *shapes_chipped(Rt *rt, const RtMesh *self, int64_t count, double depth,
                             uint32_t seed) {
    if (!(check_number(rt, "depth", depth, 0))) return self;
    if (!check_count(rt, "count", count, 0)) return mesh_copy(rt->arena, self);
    return mesh_chip(rt->arena, self, count, depth, seed);
}

const RtMesh *shapes_flattened(Rt *rt, const RtMesh *self, double height) {
    if (!(check_any(rt, "height", height))) return self;
    return mesh_flatten(rt->arena, self, height);
}

const RtMesh *shapes_faceted(Rt *rt, const RtMesh *self) {
    return mesh_facet(rt->arena, self);
}

/* Whether every number names a place. */
static bool check_corners(Rt *rt, const RtList *corners, int64_t places) {
    if (rt_list_length(corners) % 3) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "corners: %lld are no whole number of triangles",
                 (long long)corners->length);
        return false;
    }
    for (int64_t i = 0; i < rt_list_length(corners); i++) {
        int64_t at = rt_list_item(corners, i)->i;
        if (at >= 0 && at < places) continue;
        rt_fault(rt, RT_FAULT_ARGUMENT, "corners: there is no place %lld of %lld", (long long)at,
                 (long long)places);
        return false;
    }
    return true;
}

static const Vec3 *vectors(const RtList *list) {
    return list ? (const Vec3 *)(const void *)list->items : NULL;
}

const RtMesh *shapes_surface(Rt *rt, const RtList *places, const RtList *corners, double crease,
                             const RtList *colors) {
    int64_t count = rt_list_length(corners), place_count = rt_list_length(places);
    if (count > MOST_CORNERS || place_count > MOST_CORNERS) {
        rt_fault(rt, RT_FAULT_LIMIT, "a surface of more than %d corners", MOST_CORNERS);
        return empty(rt);
    }
    if (!check_corners(rt, corners, place_count) || !check_any(rt, "crease", crease)) return empty(rt);
    for (int64_t i = 0; i < place_count; i++)
        if (!check_place(rt, "places", vectors(places)[i])) return empty(rt);
    int32_t *numbers = ARENA_ARRAY(rt->arena, int32_t, count + 1);
    for (int64_t i = 0; i < count; i++)
        numbers[i] = (int32_t)rt_list_item(corners, i)->i;
    if (colors && rt_list_length(colors) && colors->length != place_count) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "colors: %lld for %lld places", (long long)colors->length,
                 (long long)place_count);
        return empty(rt);
    }
    const MeshPlaces surface = {vectors(places), rt_list_length(colors) ? vectors(colors) : NULL,
                                (int32_t)place_count, numbers, (int32_t)count};
    return mesh_from_places(rt->arena, &surface, crease);
}

/* -- what plants are put together of -- */

_Static_assert(sizeof(TubePlace) == sizeof(StdTubePlace), "a place of a tube");
_Static_assert(sizeof(GrownCopy) == sizeof(StdStanding), "a standing copy");

static bool check_tube(Rt *rt, const StdTube *tube, int64_t places) {
    if (tube->count < 2 || tube->first < 0 || tube->count > places ||
        tube->first > places - tube->count) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "a tube of %lld places from number %lld on, of %lld",
                 (long long)tube->count, (long long)tube->first, (long long)places);
        return false;
    }
    return check_count(rt, "sides", tube->sides, 3) &&
           check_count(rt, "subdivide", tube->subdivide, 1);
}

const RtMesh *shapes_tubesOf(Rt *rt, const RtList *places, const RtList *tubes, double tile, Vec3 color) {
    int64_t count = rt_list_length(tubes), corners = 0;
    TubeCourse *courses = ARENA_ARRAY(rt->arena, TubeCourse, count + 1);
    if (!(tile > 0)) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "tile: %g m, more than 0 m is wanted", tile);
        return empty(rt);
    }
    for (int64_t i = 0; i < count; i++) {
        const StdTube *tube = (const void *)rt_list_item(tubes, i);
        if (!check_tube(rt, tube, rt_list_length(places))) return empty(rt);
        const TubePlace *first = (const void *)rt_list_item(places, tube->first);
        courses[i] = (TubeCourse){first, tube->count, tube->sides, tube->subdivide};
        corners += (tube->count * tube->subdivide + 2) * (tube->sides + 1) * 6;
        if (corners > MOST_CORNERS) {
            rt_fault(rt, RT_FAULT_LIMIT, "tubes of more than %d corners", MOST_CORNERS);
            return empty(rt);
        }
    }
    return grown_tubes(rt->arena, courses, count, tile, color);
}

const RtMesh *shapes_copiesOf(Rt *rt, const RtMesh *mesh, const RtList *at, bool sway, Vec3 middle, double crown) {
    int64_t count = rt_list_length(at);
    if (count > 0 && mesh->index_count > MOST_CORNERS / count) {
        rt_fault(rt, RT_FAULT_LIMIT, "copies of more than %d corners", MOST_CORNERS);
        return empty(rt);
    }
    const GrownCopy *copies = at ? (const void *)at->items : NULL;
    RtMesh *out = grown_copies(rt->arena, mesh, copies, count, sway);
    if (crown > 0) grown_crown(out, middle, crown);
    return out;
}

const RtMesh *shapes_crowned(Rt *rt, const RtMesh *self, Vec3 middle, double share) {
    if (!(check_place(rt, "middle", middle) && check_any(rt, "share", share))) return self;
    RtMesh *out = mesh_copy(rt->arena, self);
    grown_crown(out, middle, share);
    return out;
}

const RtMesh *shapes_bent(Rt *rt, const RtMesh *self, double by) {
    if (!(check_any(rt, "by", by))) return self;
    return mesh_bend(rt->arena, self, by);
}

/* The rings' ends as whole numbers that rise to the number of points, at least 3 a ring; else NULL. */
static int32_t *read_ends(Rt *rt, const RtList *ends, int64_t points) {
    int64_t count = rt_list_length(ends), before = 0;
    int32_t *out = ARENA_ARRAY(rt->arena, int32_t, count + 1);
    for (int64_t i = 0; i < count; i++) {
        int64_t end = rt_list_item(ends, i)->i;
        if (!check_count(rt, "corners of an outline or a hole", end - before, 3)) return NULL;
        out[i] = (int32_t)(before = end);
    }
    return check_count(rt, "corners of all outlines", points, 3) && before == points ? out : NULL;
}

const RtList *shapes_cut(Rt *rt, const RtList *points, const RtList *ends) {
    int64_t count = rt_list_length(points), rings = rt_list_length(ends);
    RtList *list = rt_list_create(rt, (RtShape){1, 0}, 3 * (count + 2 * rings));
    const int32_t *places = read_ends(rt, ends, count);
    if (places == NULL) return list;
    int32_t *corners = ARENA_ARRAY(rt->arena, int32_t, 3 * (count + 2 * rings));
    int32_t written = triangulate(rt->arena, pairs(points), places, (int32_t)rings, corners);
    if (written < 0)
        rt_fault(rt, RT_FAULT_ARGUMENT, "outline: it crosses itself, or a hole crosses or touches it");
    for (int32_t i = 0; i < written; i++) {
        const Slot row = slot_i(corners[i]);
        list = rt_list_append(rt, list, list->shape, &row);
    }
    return list;
}

const RtMesh *shapes_tiled(Rt *rt, const RtMesh *self, double tile) {
    if (tile > 0) return mesh_lay_boxed(rt->arena, self, tile);
    rt_fault(rt, RT_FAULT_ARGUMENT, "tile: %g m, more than 0 m is wanted", tile);
    return self;
}

const RtMesh *shapes_twoSided(Rt *rt, const RtMesh *self) {
    RtMesh *mesh = mesh_copy(rt->arena, self);
    mesh->two_sided = true;
    return mesh;
}

double shapes_volume(Rt *rt, const RtMesh *self) {
    (void)rt;
    return mesh_volume(self);
}

int64_t shapes_openEdges(Rt *rt, const RtMesh *self) {
    return mesh_open_edges(rt->arena, self);
}

static const RtList *rows(Rt *rt, const float *array, int32_t count) {
    RtList *list = rt_list_create(rt, (RtShape){3, 0}, count);
    for (int32_t v = 0; v < count; v++) {
        Vec3 at = mesh_get(array, v);
        const Slot row[3] = {slot_f(at.x), slot_f(at.y), slot_f(at.z)};
        list = rt_list_append(rt, list, list->shape, row);
    }
    return list;
}

const RtList *shapes_places(Rt *rt, const RtMesh *self) {
    return rows(rt, self->positions, self->vertex_count);
}

const RtList *shapes_normals(Rt *rt, const RtMesh *self) {
    return rows(rt, self->normals, self->vertex_count);
}

const RtList *shapes_corners(Rt *rt, const RtMesh *self) {
    RtList *list = rt_list_create(rt, (RtShape){1, 0}, self->index_count);
    for (int32_t i = 0; i < self->index_count; i++) {
        const Slot row = slot_i(self->indices[i]);
        list = rt_list_append(rt, list, list->shape, &row);
    }
    return list;
}

const RtMesh *shapes_ribbon(Rt *rt, const RtSpine *spine, const RtCurve *level,
                            const RtCurve *half_width, const RtCurve *shade, const RtCurve *pace) {
    return ribbon_create(rt->arena, spine, &(Ribbon){level, half_width, shade, pace});
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
