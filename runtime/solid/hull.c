/* The hull of places: one put in after the other, the faces it sees given way to a fan from it to their rim (Clarkson and Shor's, without
 * their graph: there are few places). */
#include "runtime/solid/solid.h"

#include <math.h>

static const double flat = 1e-5; /* of its size: so near a face a place lies on it. Places have 24 bits */

typedef struct Making {
    Hull *hull;
    double near; /* meters */
    bool lost;   /* a rim that is no ring: rounding */
} Making;

static double length(Vec3 v) {
    return sqrt(vec3_dot(v, v));
}

/* -- which places -- */

static Vec3 place_of(const float *places, const int32_t *which, int32_t i) {
    return mesh_get(places, which ? which[i] : i);
}

static void add_point(Hull *hull, Vec3 p) {
    for (int32_t i = 0; i < hull->point_count; i++)
        if (hull->points[i].x == p.x && hull->points[i].y == p.y && hull->points[i].z == p.z) return;
    if (hull->point_count < HULL_MOST) hull->points[hull->point_count++] = p;
}

static void add_farthest(Hull *hull, const float *places, const int32_t *which, int32_t count, Vec3 way) {
    int32_t best = 0;
    double most = -INFINITY;
    for (int32_t i = 0; i < count; i++) {
        double reach = vec3_dot(place_of(places, which, i), way);
        if (reach > most) most = reach, best = i;
    }
    add_point(hull, place_of(places, which, best));
}

/* All; of many those that reach farthest in 98 directions: of whole numbers up to 2, of which no other is a part. */
static void choose_points(Hull *hull, const float *places, const int32_t *which, int32_t count) {
    for (int32_t i = 0; i < count && count <= HULL_MOST; i++)
        add_point(hull, place_of(places, which, i));
    for (int i = 0; i < 125 && count > HULL_MOST; i++) {
        int x = i % 5 - 2, y = i / 5 % 5 - 2, z = i / 25 - 2;
        if (x % 2 || y % 2 || z % 2) add_farthest(hull, places, which, count, (Vec3){x, y, z});
    }
}

/* -- faces -- */

static double above(const Hull *hull, const int32_t face[3], Vec3 p) {
    Vec3 a = hull->points[face[0]];
    Vec3 normal = vec3_cross(vec3_sub(hull->points[face[1]], a), vec3_sub(hull->points[face[2]], a));
    double size = length(normal);
    return size > 0 ? vec3_dot(normal, vec3_sub(p, a)) / size : 0;
}

static void add_face(Making *m, int32_t a, int32_t b, int32_t c) {
    Hull *hull = m->hull;
    if (hull->face_count == 2 * HULL_MOST) {
        m->lost = true;
        return;
    }
    int32_t *face = hull->faces[hull->face_count++];
    face[0] = a, face[1] = b, face[2] = c;
}

/* The point for which `measure` is most; the most that is measured. */
typedef double (*Measure)(const Hull *hull, const int32_t chosen[4], Vec3 p);
static double from_first(const Hull *hull, const int32_t *chosen, Vec3 p) {
    return length(vec3_sub(p, hull->points[chosen[0]]));
}
static double from_line(const Hull *hull, const int32_t *chosen, Vec3 p) {
    Vec3 a = hull->points[chosen[0]], way = vec3_sub(hull->points[chosen[1]], a);
    double size = length(way);
    return size > 0 ? length(vec3_cross(way, vec3_sub(p, a))) / size : 0;
}
static double from_plane(const Hull *hull, const int32_t *chosen, Vec3 p) {
    return fabs(above(hull, chosen, p));
}

static bool begin(Making *m) {
    static const Measure measures[] = {from_first, from_line, from_plane};
    Hull *hull = m->hull;
    int32_t chosen[4] = {0};
    double size = 0;
    for (int k = 1; k < 4; k++) {
        double most = -1;
        for (int32_t i = 0; i < hull->point_count; i++) {
            double far = measures[k - 1](hull, chosen, hull->points[i]);
            if (far > most) most = far, chosen[k] = i;
        }
        if (k == 1) size = most;
        if (!(most > flat * 4 * size)) return false;
    }
    m->near = flat * size;
    if (above(hull, chosen, hull->points[chosen[3]]) > 0) {
        int32_t kept = chosen[1];
        chosen[1] = chosen[2];
        chosen[2] = kept;
    }
    add_face(m, chosen[0], chosen[1], chosen[2]);
    for (int k = 0; k < 3; k++)
        add_face(m, chosen[(k + 1) % 3], chosen[k], chosen[3]);
    return true;
}

/* Whether the edge b, a is one of a face that goes, in which case a, b is inside of what goes. */
static bool goes_on(int32_t (*gone)[3], int32_t count, int32_t a, int32_t b) {
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (gone[i][k] == b && gone[i][(k + 1) % 3] == a) return true;
    return false;
}

static void put_in(Making *m, int32_t point) {
    Hull *hull = m->hull;
    int32_t gone[2 * HULL_MOST][3], count = 0, stay = 0;
    for (int32_t i = 0; i < hull->face_count; i++) {
        bool seen = above(hull, hull->faces[i], hull->points[point]) > m->near;
        memcpy(seen ? gone[count++] : hull->faces[stay++], hull->faces[i], sizeof *gone);
    }
    hull->face_count = stay;
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (!goes_on(gone, count, gone[i][k], gone[i][(k + 1) % 3])) add_face(m, gone[i][k], gone[i][(k + 1) % 3], point);
}

/* Every edge has its opposite, once. */
static bool is_closed(const Hull *hull) {
    for (int32_t i = 0; i < 3 * hull->face_count; i++) {
        int32_t a = hull->faces[i / 3][i % 3], b = hull->faces[i / 3][(i + 1) % 3], found = 0, again = 0;
        for (int32_t k = 0; k < 3 * hull->face_count; k++) {
            int32_t c = hull->faces[k / 3][k % 3], d = hull->faces[k / 3][(k + 1) % 3];
            found += c == b && d == a;
            again += c == a && d == b;
        }
        if (found != 1 || again != 1) return false;
    }
    return hull->face_count >= 4;
}

/* Only the points that faces have, in their order. */
static void keep_corners(Hull *hull) {
    int32_t number[HULL_MOST], count = 0;
    for (int32_t i = 0; i < hull->point_count; i++) {
        bool used = false;
        for (int32_t k = 0; k < 3 * hull->face_count; k++)
            used |= hull->faces[k / 3][k % 3] == i;
        number[i] = count;
        if (used) hull->points[count++] = hull->points[i];
    }
    for (int32_t k = 0; k < 3 * hull->face_count; k++)
        hull->faces[k / 3][k % 3] = number[hull->faces[k / 3][k % 3]];
    hull->point_count = count;
}

static double volume_of(const Hull *hull) {
    double six = 0;
    Vec3 o = hull->points[0];
    for (int32_t i = 0; i < hull->face_count; i++) {
        const int32_t *face = hull->faces[i];
        six += vec3_dot(vec3_sub(hull->points[face[0]], o), vec3_cross(vec3_sub(hull->points[face[1]], o), vec3_sub(hull->points[face[2]], o)));
    }
    return six / 6;
}

void hull_make(Hull *hull, const float *places, const int32_t *which, int32_t count) {
    *hull = (Hull){0};
    Making m = {.hull = hull};
    choose_points(hull, places, which, count);
    if (hull->point_count < 4 || !begin(&m)) return;
    for (int32_t i = 0; i < hull->point_count; i++)
        put_in(&m, i);
    if (m.lost || !is_closed(hull)) {
        hull->face_count = 0;
        return;
    }
    keep_corners(hull);
    hull->volume = volume_of(hull);
}

/* -- boxes -- */

/* Whether a corner lies where the three ways from the first lead, each or not. */
static bool has_corner(const Hull *hull, Vec3 at, double near) {
    for (int32_t i = 0; i < hull->point_count; i++)
        if (length(vec3_sub(hull->points[i], at)) <= near) return true;
    return false;
}

static bool spans(const Hull *hull, const Vec3 ways[3]) {
    double size = length(vec3_add(ways[0], vec3_add(ways[1], ways[2]))), near = 4 * flat * size;
    for (int k = 0; k < 3; k++) {
        Vec3 a = ways[k], b = ways[(k + 1) % 3];
        if (!(fabs(vec3_dot(a, b)) <= near * (length(a) + length(b)))) return false;
    }
    for (int bits = 0; bits < 8; bits++) {
        Vec3 at = hull->points[0];
        for (int k = 0; k < 3; k++)
            if (bits >> k & 1) at = vec3_add(at, ways[k]);
        if (!has_corner(hull, at, near)) return false;
    }
    return true;
}

static double part(Vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* The axis that runs most along x comes first, then of the others the one along y; each to that side, the last as the two have it. */
static void set_axes(WorldSolid *box, Vec3 ways[3]) {
    for (int k = 0; k < 2; k++) {
        int best = k;
        for (int i = k + 1; i < 3; i++)
            if (fabs(part(ways[i], k)) / length(ways[i]) > fabs(part(ways[best], k)) / length(ways[best])) best = i;
        Vec3 kept = ways[k];
        ways[k] = part(ways[best], k) < 0 ? vec3_scale(ways[best], -1) : ways[best];
        if (best != k) ways[best] = kept;
    }
    if (vec3_dot(vec3_cross(ways[0], ways[1]), ways[2]) < 0) ways[2] = vec3_scale(ways[2], -1);
    for (int k = 0; k < 3; k++) {
        double size = length(ways[k]);
        box->half[k] = size / 2;
        for (int axis = 0; axis < 3; axis++)
            box->axes[3 * k + axis] = part(ways[k], axis) / size + 0.0; /* one zero */
    }
}

bool hull_is_box(const Hull *hull, WorldSolid *box) {
    if (hull->point_count != 8) return false;
    Vec3 sum = {0, 0, 0}, ways[3];
    for (int i = 0; i < 8; i++)
        sum = vec3_add(sum, vec3_scale(hull->points[i], 0.125));
    for (int i = 1; i < 8; i++)
        for (int j = i + 1; j < 8; j++)
            for (int k = j + 1; k < 8; k++) {
                ways[0] = vec3_sub(hull->points[i], hull->points[0]);
                ways[1] = vec3_sub(hull->points[j], hull->points[0]);
                ways[2] = vec3_sub(hull->points[k], hull->points[0]);
                if (!spans(hull, ways)) continue;
                box->middle[0] = sum.x, box->middle[1] = sum.y, box->middle[2] = sum.z;
                set_axes(box, ways);
                return true;
            }
    return false;
}
