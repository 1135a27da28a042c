#include "runtime/geometry/polyline.h"

#include <math.h>

#include "runtime/base/watch.h"
#include "runtime/geometry/exact.h"
#include "runtime/geometry/scalar.h"

enum { FAN = 4 };

static int min_int(int a, int b) {
    return a < b ? a : b;
}

static PlanBox box_join(PlanBox a, PlanBox b) {
    return (PlanBox){scalar_min(a.x0, b.x0), scalar_max(a.x1, b.x1), scalar_min(a.z0, b.z0),
                     scalar_max(a.z1, b.z1)};
}

/* Of segments first to end - 1, grown past what rounding can move a point on them. */
static PlanBox box_of_run(const PlanPoint *points, int first, int end) {
    PlanBox box = {points[first].x, points[first].x, points[first].z, points[first].z};
    for (int i = first + 1; i <= end; i++)
        box = box_join(box, (PlanBox){points[i].x, points[i].x, points[i].z, points[i].z});
    double size =
        scalar_max(scalar_max(fabs(box.x0), fabs(box.x1)), scalar_max(fabs(box.z0), fabs(box.z1)));
    double margin = 4e-15 * size;
    return (PlanBox){box.x0 - margin, box.x1 + margin, box.z0 - margin, box.z1 + margin};
}

static int level_size(const Polyline *line, int level) {
    return line->level_first[level + 1] - line->level_first[level];
}

static void plan_levels(Polyline *line) {
    int size = line->count;
    line->level_count = 0;
    do {
        size = (size + FAN - 1) / FAN;
        int level = line->level_count++;
        line->level_first[level + 1] = line->level_first[level] + size;
    } while (size > 1);
}

void polyline_init(Polyline *line, Arena *arena, const PlanPoint *points, int count) {
    *line = (Polyline){.points = points, .count = count};
    plan_levels(line);
    line->boxes = ARENA_ARRAY(arena, PlanBox, line->level_first[line->level_count]);
    for (int i = 0; i < level_size(line, 0); i++)
        line->boxes[i] = box_of_run(points, i * FAN, min_int(i * FAN + FAN, count));
    for (int level = 1; level < line->level_count; level++) {
        const PlanBox *below = line->boxes + line->level_first[level - 1];
        for (int i = 0; i < level_size(line, level); i++) {
            PlanBox box = below[i * FAN];
            for (int k = i * FAN + 1; k < min_int(i * FAN + FAN, level_size(line, level - 1)); k++)
                box = box_join(box, below[k]);
            line->boxes[line->level_first[level] + i] = box;
        }
    }
}

PlanBox polyline_box(const Polyline *line) {
    return line->boxes[line->level_first[line->level_count - 1]];
}

/* -- the nearest point -- */

static double square(double v) {
    return v * v;
}

static double box_distance_square(const PlanBox *box, PlanPoint p) {
    double dx = scalar_max(scalar_max(box->x0 - p.x, p.x - box->x1), 0);
    double dz = scalar_max(scalar_max(box->z0 - p.z, p.z - box->z1), 0);
    return square(dx) + square(dz);
}

PolylineHit polyline_segment_hit(const Polyline *line, int segment, PlanPoint p) {
    PlanPoint a = line->points[segment], b = line->points[segment + 1];
    double dx = b.x - a.x, dz = b.z - a.z, size = square(dx) + square(dz);
    double t = size > 0 ? ((p.x - a.x) * dx + (p.z - a.z) * dz) / size : 0;
    PolylineHit hit = {.segment = segment};
    if (t <= 0) { /* the ends themselves: a joint is the same place from both its segments */
        hit.at = a;
    } else if (t >= 1) {
        hit.t = 1;
        hit.at = b;
    } else {
        hit.t = t;
        hit.at = (PlanPoint){a.x + dx * t, a.z + dz * t};
    }
    hit.square = square(p.x - hit.at.x) + square(p.z - hit.at.z);
    return hit;
}

typedef struct Search {
    const Polyline *line;
    PlanPoint p;
    double square; /* of the distance to the nearest so far, */
    int segment;   /* which this is; -1: none is near enough */
    int64_t looked; /* at segments */
} Search;

static void search_leaf(Search *search, int leaf) {
    int end = min_int(leaf * FAN + FAN, search->line->count);
    search->looked += FAN;
    for (int i = leaf * FAN; i < end; i++) {
        double square = polyline_segment_hit(search->line, i, search->p).square;
        bool tie = square == search->square && i < search->segment;
        if (!(square < search->square || tie)) continue;
        search->square = square;
        search->segment = i;
    }
}

/* Looks into the children of a node, the nearest box first; a box as far as the best may hold a
 * tie. */
static void search_node(Search *search, int level, int node) {
    const Polyline *line = search->line;
    if (level == 0) {
        search_leaf(search, node);
        return;
    }
    int first = node * FAN, count = min_int(FAN, level_size(line, level - 1) - first);
    const PlanBox *boxes = line->boxes + line->level_first[level - 1] + first;
    double distance[FAN];
    for (int i = 0; i < count; i++)
        distance[i] = box_distance_square(&boxes[i], search->p);
    for (int round = 0; round < count; round++) {
        int nearest = 0;
        for (int i = 1; i < count; i++)
            if (distance[i] < distance[nearest]) nearest = i;
        if (!(distance[nearest] <= search->square)) return;
        distance[nearest] = INFINITY;
        search_node(search, level - 1, first + nearest);
    }
}

static bool is_past(const Polyline *line, PlanPoint p, double within) {
    return !(box_distance_square(&line->boxes[line->level_first[line->level_count - 1]], p) <= square(within));
}

PolylineHit polyline_find_nearest(const Polyline *line, PlanPoint p, double within) {
    Search search = {.line = line, .p = p, .square = square(within), .segment = -1};
    if (is_past(line, p, within)) return (PolylineHit){.segment = -1, .square = search.square};
    search_node(&search, line->level_count - 1, 0);
    watch_work(2 * search.looked);
    if (search.segment < 0) return (PolylineHit){.segment = -1, .square = search.square};
    return polyline_segment_hit(line, search.segment, p);
}

/* -- inside and outside -- */

typedef struct Ray { /* from p toward +x */
    const Polyline *line;
    PlanPoint p;
    bool odd;    /* crossings so far */
    bool border; /* p lies on an edge */
} Ray;

static bool between(double v, double a, double b) {
    return a < b ? a <= v && v <= b : b <= v && v <= a;
}

static void ray_edge(Ray *ray, PlanPoint a, PlanPoint b) {
    PlanPoint p = ray->p;
    if (!between(p.z, a.z, b.z) || (a.x < p.x && b.x < p.x)) return;
    int side = exact_side(a.x, a.z, b.x, b.z, p.x, p.z);
    if (side == 0) {
        ray->border |= between(p.x, a.x, b.x);
        return;
    }
    bool a_below = a.z <= p.z, b_below = b.z <= p.z; /* half open: a corner counts once */
    if (a_below != b_below) ray->odd ^= (side > 0) == a_below;
}

/* A run that lies wholly right of p is crossed oddly just when its two ends lie on different sides
 * of the ray: no need to look inside. */
static void ray_node(Ray *ray, int level, int node) {
    const Polyline *line = ray->line;
    const PlanBox *box = &line->boxes[line->level_first[level] + node];
    if (box->x1 < ray->p.x || box->z0 > ray->p.z || box->z1 < ray->p.z) return;
    int64_t span = (int64_t)FAN << 2 * level; /* segments under a full node */
    int first = (int)(node * span);
    int end = (int)(node * span + span < line->count ? node * span + span : line->count);
    if (box->x0 > ray->p.x) {
        ray->odd ^= (line->points[first].z <= ray->p.z) != (line->points[end].z <= ray->p.z);
    } else if (level == 0) {
        for (int i = first; i < end; i++)
            ray_edge(ray, line->points[i], line->points[i + 1]);
    } else {
        int stop = min_int(node * FAN + FAN, level_size(line, level - 1));
        for (int i = node * FAN; i < stop && !ray->border; i++)
            ray_node(ray, level - 1, i);
    }
}

PlanSide polyline_classify(const Polyline *line, PlanPoint p) {
    Ray ray = {.line = line, .p = p};
    ray_node(&ray, line->level_count - 1, 0);
    if (ray.border) return PLAN_BORDER;
    return ray.odd ? PLAN_INSIDE : PLAN_OUTSIDE;
}

/* -- the band on a row -- */

typedef struct Row {
    const Polyline *line;
    double z, reach, x0, x1;
} Row;

static void row_node(Row *row, int level, int node) {
    const Polyline *line = row->line;
    const PlanBox *box = &line->boxes[line->level_first[level] + node];
    if (box->z0 - row->reach > row->z || box->z1 + row->reach < row->z) return;
    if (box->x0 - row->reach >= row->x0 && box->x1 + row->reach <= row->x1) return; /* no news */
    if (level == 0) {
        row->x0 = scalar_min(row->x0, box->x0 - row->reach);
        row->x1 = scalar_max(row->x1, box->x1 + row->reach);
        return;
    }
    int stop = min_int(node * FAN + FAN, level_size(line, level - 1));
    for (int i = node * FAN; i < stop; i++)
        row_node(row, level - 1, i);
}

bool polyline_row_span(const Polyline *line, double z, double reach, double *x0, double *x1) {
    Row row = {line, z, reach, INFINITY, -INFINITY};
    row_node(&row, line->level_count - 1, 0);
    *x0 = row.x0;
    *x1 = row.x1;
    return row.x0 <= row.x1;
}
