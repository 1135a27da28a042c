#include "runtime/walker/obstacle.h"

#include <math.h>

static Vec3 carried(const double rows[12], const double *p) {
    return (Vec3){rows[0] * p[0] + rows[1] * p[1] + rows[2] * p[2] + rows[3], rows[4] * p[0] + rows[5] * p[1] + rows[6] * p[2] + rows[7],
                  rows[8] * p[0] + rows[9] * p[1] + rows[10] * p[2] + rows[11]};
}

static void take_in(Obstacle *obstacle, Vec3 p, double radius) {
    Vec3 *low = &obstacle->low, *high = &obstacle->high;
    *low = (Vec3){fmin(low->x, p.x - radius), fmin(low->y, p.y - radius), fmin(low->z, p.z - radius)};
    *high = (Vec3){fmax(high->x, p.x + radius), fmax(high->y, p.y + radius), fmax(high->z, p.z + radius)};
}

Obstacle obstacle_make(Arena *arena, const WorldSolid *solid, const double rows[12]) {
    Obstacle made = {.kind = solid->kind, .low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    if (solid->kind == WORLD_SOLID_CAPSULE) {
        made.radius = solid->radius * sqrt(rows[0] * rows[0] + rows[4] * rows[4] + rows[8] * rows[8]);
        made.from = carried(rows, solid->from);
        made.to = carried(rows, solid->to);
        take_in(&made, made.from, made.radius);
        take_in(&made, made.to, made.radius);
        return made;
    }
    Vec3 *points = ARENA_ARRAY(arena, Vec3, solid->point_count + 1);
    for (uint32_t i = 0; i < solid->point_count; i++) {
        points[i] = carried(rows, solid->points + 3 * (size_t)i);
        take_in(&made, points[i], 0);
    }
    made.points = points;
    made.triangles = solid->triangles;
    made.point_count = solid->point_count;
    made.triangle_count = solid->triangle_count;
    return made;
}

uint32_t obstacle_pieces(const Obstacle *obstacle) {
    return obstacle->kind == WORLD_SOLID_MESH ? obstacle->triangle_count : 1;
}

/* -- on the plan -- */

typedef struct Flat {
    double x, z;
} Flat;

static double side(Flat a, Flat b, Flat p) {
    return (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x);
}

static ObstacleGap gap_to(Flat at, Flat from, double radius, Flat other) {
    double dx = at.x - from.x, dz = at.z - from.z, distance = sqrt(dx * dx + dz * dz);
    if (distance > 0) return (ObstacleGap){distance - radius, dx / distance, dz / distance};
    double length = sqrt(other.x * other.x + other.z * other.z); /* in its very middle: across it */
    return length > 0 ? (ObstacleGap){-radius, other.z / length, -other.x / length} : (ObstacleGap){-radius, 1, 0};
}

static ObstacleGap gap_of_segment(Flat at, Flat a, Flat b, double radius) {
    double dx = b.x - a.x, dz = b.z - a.z, square = dx * dx + dz * dz;
    double t = square > 0 ? fmin(1, fmax(0, ((at.x - a.x) * dx + (at.z - a.z) * dz) / square)) : 0;
    return gap_to(at, (Flat){a.x + t * dx, a.z + t * dz}, radius, (Flat){dx, dz});
}

/* Corners in order, those inside on the left of each side. */
static ObstacleGap gap_of_polygon(Flat at, const Flat *corners, int count) {
    ObstacleGap out = {INFINITY, 1, 0}, in = {-INFINITY, 1, 0};
    bool inside = count > 2;
    for (int i = 0; i < count; i++) {
        Flat a = corners[i], b = corners[(i + 1) % count];
        double length = sqrt((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z)), deep = length > 0 ? side(a, b, at) / length : 0;
        ObstacleGap gap = gap_of_segment(at, a, b, 0);
        if (gap.distance < out.distance) out = gap;
        if (deep < 0) inside = false;
        if (length > 0 && -deep > in.distance) in = (ObstacleGap){-deep, (b.z - a.z) / length, -(b.x - a.x) / length};
    }
    return inside ? in : out;
}

/* -- what is convex, cut between two heights: as many corners at most -- */

enum { MOST_CUT = 1024 };
typedef struct Cut {
    Flat points[MOST_CUT], ring[MOST_CUT + 1];
    int count;
} Cut;

static void add(Cut *cut, double x, double z) {
    if (cut->count < MOST_CUT) cut->points[cut->count++] = (Flat){x, z};
}

static void add_crossing(Cut *cut, Vec3 a, Vec3 b, double y) {
    if ((a.y < y) == (b.y < y)) return;
    double t = (y - a.y) / (b.y - a.y);
    add(cut, a.x + t * (b.x - a.x), a.z + t * (b.z - a.z));
}

static void add_edge(Cut *cut, Vec3 a, Vec3 b, double lo, double hi) {
    add_crossing(cut, a, b, lo);
    add_crossing(cut, a, b, hi);
}

static bool before(Flat a, Flat b) {
    return a.x < b.x || (a.x == b.x && a.z < b.z);
}

static void sort(Flat *points, int count) {
    for (int i = 1; i < count; i++) {
        Flat p = points[i];
        int k = i;
        for (; k > 0 && before(p, points[k - 1]); k--)
            points[k] = points[k - 1];
        points[k] = p;
    }
}

/* Their hull, by Andrew's chains; how many corners it has. */
static int ring_of(Cut *cut) {
    int count = 0;
    sort(cut->points, cut->count);
    for (int pass = 0, base = 0; pass < 2; pass++, base = count > 0 ? count - 1 : 0) {
        for (int i = 0; i < cut->count; i++) {
            Flat p = cut->points[pass ? cut->count - 1 - i : i];
            while (count >= base + 2 && side(cut->ring[count - 2], cut->ring[count - 1], p) <= 0)
                count--;
            if (count == 0 || cut->ring[count - 1].x != p.x || cut->ring[count - 1].z != p.z) {
                if (count > MOST_CUT) return count;
                cut->ring[count++] = p;
            }
        }
    }
    return count > 1 && cut->ring[0].x == cut->ring[count - 1].x && cut->ring[0].z == cut->ring[count - 1].z ? count - 1 : count;
}

static void cut_piece(Cut *cut, const Obstacle *obstacle, uint32_t piece, double lo, double hi) {
    bool mesh = obstacle->kind == WORLD_SOLID_MESH;
    uint32_t first = mesh ? piece : 0, end = mesh ? piece + 1 : obstacle->triangle_count;
    for (uint32_t i = 0; !mesh && i < obstacle->point_count; i++)
        if (obstacle->points[i].y >= lo && obstacle->points[i].y <= hi) add(cut, obstacle->points[i].x, obstacle->points[i].z);
    for (uint32_t t = first; t < end; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t a = obstacle->triangles[3 * t + (uint32_t)k], b = obstacle->triangles[3 * t + (uint32_t)(k + 1) % 3];
            const Vec3 *p = &obstacle->points[a];
            if (mesh && p->y >= lo && p->y <= hi) add(cut, p->x, p->z);
            if (mesh || a < b) add_edge(cut, *p, obstacle->points[b], lo, hi); /* of a hull each edge is met from both sides */
        }
}

/* -- a capsule between two heights: on the plan the discs of the balls along its axis, each as large as it is there -- */

typedef struct Slice {
    const Obstacle *capsule;
    Flat at;
    double lo, hi;
} Slice;

static ObstacleGap nearer(ObstacleGap a, ObstacleGap b) {
    return b.distance < a.distance ? b : a;
}

static ObstacleGap gap_of_ball(const Slice *slice, double t) {
    Vec3 a = slice->capsule->from, way = vec3_sub(slice->capsule->to, a);
    double y = a.y + t * way.y, off = fmax(0, fmax(slice->lo - y, y - slice->hi)), radius = slice->capsule->radius;
    double square = radius * radius - off * off;
    return square > 0 ? gap_to(slice->at, (Flat){a.x + t * way.x, a.z + t * way.z}, sqrt(square), (Flat){way.x, way.z}) : (ObstacleGap){INFINITY, 1, 0};
}

/* The distance to a ball's disc is convex along the axis: by thirds. */
static ObstacleGap nearest_ball(const Slice *slice, double s, double t) {
    enum { ROUNDS = 48 };
    for (int i = 0; i < ROUNDS; i++) {
        double m = s + (t - s) / 3, n = t - (t - s) / 3;
        if (gap_of_ball(slice, m).distance <= gap_of_ball(slice, n).distance)
            t = n;
        else
            s = m;
    }
    return gap_of_ball(slice, s);
}

/* The part of the axis whose heights lie in lo to hi, as shares of it; false: none does. */
static bool clip(const Obstacle *capsule, double lo, double hi, double *s, double *t) {
    double y = capsule->from.y, rise = capsule->to.y - y;
    *s = 0, *t = 1;
    if (rise == 0) return y >= lo && y <= hi;
    *s = fmax(0, fmin((lo - y) / rise, (hi - y) / rise));
    *t = fmin(1, fmax((lo - y) / rise, (hi - y) / rise));
    return *s <= *t;
}

static ObstacleGap gap_of_capsule(const Obstacle *capsule, Flat at, double lo, double hi) {
    Slice slice = {capsule, at, lo, hi};
    Vec3 a = capsule->from, way = vec3_sub(capsule->to, a);
    ObstacleGap gap = nearer(gap_of_ball(&slice, 0), gap_of_ball(&slice, 1));
    double s, t, r = capsule->radius;
    if (clip(capsule, lo, hi, &s, &t))
        gap = nearer(gap, gap_of_segment(at, (Flat){a.x + s * way.x, a.z + s * way.z}, (Flat){a.x + t * way.x, a.z + t * way.z}, r));
    if ((way.x != 0 || way.z != 0) && clip(capsule, lo - r, hi + r, &s, &t)) gap = nearer(gap, nearest_ball(&slice, s, t));
    return gap;
}

ObstacleGap obstacle_gap(const Obstacle *obstacle, uint32_t piece, double x, double z, double lo, double hi, double within) {
    static const ObstacleGap none = {INFINITY, 1, 0};
    if (obstacle->low.x - within > x || obstacle->high.x + within < x || obstacle->low.z - within > z || obstacle->high.z + within < z ||
        obstacle->low.y > hi || obstacle->high.y < lo)
        return none;
    if (obstacle->kind == WORLD_SOLID_CAPSULE) return gap_of_capsule(obstacle, (Flat){x, z}, lo, hi);
    Cut cut;
    cut.count = 0;
    cut_piece(&cut, obstacle, piece, lo, hi);
    int count = cut.count ? ring_of(&cut) : 0;
    return count ? gap_of_polygon((Flat){x, z}, cut.ring, count) : none;
}

/* -- what may be stood on -- */

static double top_of_end(Vec3 end, double radius, double x, double z) {
    double square = radius * radius - (x - end.x) * (x - end.x) - (z - end.z) * (z - end.z);
    return square >= 0 ? end.y + sqrt(square) : -INFINITY;
}

/* The ends, and between them the highest place of a vertical line that is `radius` away from the axis. */
static double top_of_capsule(const Obstacle *capsule, double x, double z) {
    double best = fmax(top_of_end(capsule->from, capsule->radius, x, z), top_of_end(capsule->to, capsule->radius, x, z));
    Vec3 way = vec3_sub(capsule->to, capsule->from), foot = {x - capsule->from.x, -capsule->from.y, z - capsule->from.z};
    double square = vec3_dot(way, way), flat = square - way.y * way.y; /* the line is foot + y * up */
    if (!(flat > 0)) return best;
    double along = vec3_dot(foot, way), b = square * foot.y - along * way.y;
    double c = square * (vec3_dot(foot, foot) - capsule->radius * capsule->radius) - along * along, root = b * b - flat * c;
    if (!(root >= 0)) return best;
    double y = (sqrt(root) - b) / flat, t = (along + y * way.y) / square;
    return t >= 0 && t <= 1 ? fmax(best, y) : best;
}

/* Where a triangle is over the place; false: it is not, or it stands upright. */
static bool height_of_triangle(const Vec3 *points, const uint32_t *corner, double x, double z, double *height) {
    Vec3 a = points[corner[0]], b = points[corner[1]], c = points[corner[2]];
    Flat p = {x, z}, fa = {a.x, a.z}, fb = {b.x, b.z}, fc = {c.x, c.z};
    double area = side(fa, fb, fc), u = side(fb, fc, p), v = side(fc, fa, p), w = side(fa, fb, p);
    if (area == 0 || (area > 0 ? u < 0 || v < 0 || w < 0 : u > 0 || v > 0 || w > 0)) return false;
    *height = (u * a.y + v * b.y + w * c.y) / area;
    return true;
}

bool obstacle_top(const Obstacle *obstacle, double x, double z, double most, double *top) {
    if (x < obstacle->low.x || x > obstacle->high.x || z < obstacle->low.z || z > obstacle->high.z || obstacle->low.y > most) return false;
    double best = -INFINITY, height;
    if (obstacle->kind == WORLD_SOLID_CAPSULE) best = top_of_capsule(obstacle, x, z);
    for (uint32_t t = 0; t < obstacle->triangle_count; t++)
        if (height_of_triangle(obstacle->points, obstacle->triangles + 3 * t, x, z, &height) && height > best &&
            (obstacle->kind != WORLD_SOLID_MESH || height <= most))
            best = height;
    *top = best;
    return best > -INFINITY && best <= most;
}
