#include "runtime/mesh/triangulate.h"

/* The chain round what is still uncut: numbers of points. A point where a hole is joined stands in
 * it twice. */
typedef struct Chain {
    const ShapePoint *points;
    int32_t *at;
    int32_t count;
} Chain;

/* Twice the area of a triangle: positive when it runs counterclockwise. */
static double side(ShapePoint a, ShapePoint b, ShapePoint c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool same(ShapePoint a, ShapePoint b) {
    return a.x == b.x && a.y == b.y;
}

/* -- joining holes -- */

static bool crosses(ShapePoint a, ShapePoint b, ShapePoint c, ShapePoint d) {
    if (same(a, c) || same(a, d) || same(b, c) || same(b, d)) return false;
    double p = side(a, b, c), q = side(a, b, d), r = side(c, d, a), s = side(c, d, b);
    return ((p >= 0 && q <= 0) || (p <= 0 && q >= 0)) && ((r >= 0 && s <= 0) || (r <= 0 && s >= 0));
}

/* Whether the way from a to b meets an edge of a ring. */
static bool meets(const ShapePoint *points, const int32_t *at, int32_t count, ShapePoint a,
                  ShapePoint b) {
    for (int32_t i = 0; i < count; i++) {
        int32_t p = at ? at[i] : i, q = at ? at[(i + 1) % count] : (i + 1) % count;
        if (crosses(a, b, points[p], points[q])) return true;
    }
    return false;
}

/* Whether a way leaves chain point k to the inside. */
static bool leaves_inside(const Chain *chain, int32_t k, ShapePoint to) {
    ShapePoint at = chain->points[chain->at[k]];
    ShapePoint before = chain->points[chain->at[(k + chain->count - 1) % chain->count]];
    ShapePoint after = chain->points[chain->at[(k + 1) % chain->count]];
    bool left_of_in = side(before, at, to) > 0, left_of_out = side(at, after, to) > 0;
    return side(before, at, after) > 0 ? left_of_in && left_of_out : left_of_in || left_of_out;
}

/* The nearest place of the chain that is in sight of a point, or -1. */
static int32_t find_bridge(const Chain *chain, const ShapePoint *points, const int32_t *ends,
                           int32_t rings, int32_t from) {
    int32_t best = -1;
    double nearest = 0;
    for (int32_t k = 0; k < chain->count; k++) {
        ShapePoint a = points[from], b = points[chain->at[k]];
        double x = b.x - a.x, y = b.y - a.y, far = x * x + y * y;
        if (best >= 0 && far >= nearest) continue;
        bool blocked = !leaves_inside(chain, k, a) || meets(points, chain->at, chain->count, a, b);
        for (int32_t r = 1; r < rings && !blocked; r++)
            blocked = meets(points + ends[r - 1], NULL, ends[r] - ends[r - 1], a, b);
        if (blocked) continue;
        best = k;
        nearest = far;
    }
    return best;
}

static void insert_hole(Chain *chain, int32_t k, int32_t first, int32_t count, int32_t from) {
    int32_t grown = count + 2;
    memmove(chain->at + k + grown, chain->at + k, (size_t)(chain->count - k) * sizeof *chain->at);
    for (int32_t i = 0; i <= count; i++)
        chain->at[k + 1 + i] = first + (from - first + i) % count;
    chain->count += grown;
}

static int32_t rightmost(const ShapePoint *points, int32_t first, int32_t end) {
    int32_t best = first;
    for (int32_t i = first + 1; i < end; i++)
        if (points[i].x > points[best].x) best = i;
    return best;
}

/* The hole farthest to the right that is not joined yet, or -1. */
static int32_t next_hole(const ShapePoint *points, const int32_t *ends, int32_t rings,
                         const bool *joined) {
    int32_t best = -1;
    for (int32_t r = 1; r < rings; r++)
        if (!joined[r] && (best < 0 || points[rightmost(points, ends[r - 1], ends[r])].x >
                                           points[rightmost(points, ends[best - 1], ends[best])].x))
            best = r;
    return best;
}

static bool join_holes(Arena *arena, Chain *chain, const int32_t *ends, int32_t rings) {
    bool *joined = ARENA_ARRAY(arena, bool, rings + 1);
    for (int32_t r; (r = next_hole(chain->points, ends, rings, joined)) >= 0;) {
        int32_t first = ends[r - 1], from = rightmost(chain->points, first, ends[r]);
        int32_t bridge = find_bridge(chain, chain->points, ends, rings, from);
        if (bridge < 0) return false;
        joined[r] = true;
        insert_hole(chain, bridge, first, ends[r] - first, from);
    }
    return true;
}

/* -- clipping ears -- */

static bool is_in(ShapePoint a, ShapePoint b, ShapePoint c, ShapePoint p) {
    return side(a, b, p) >= 0 && side(b, c, p) >= 0 && side(c, a, p) >= 0;
}

static bool is_ear(const Chain *chain, int32_t k, bool flat) {
    int32_t n = chain->count;
    ShapePoint a = chain->points[chain->at[(k + n - 1) % n]], b = chain->points[chain->at[k]],
               c = chain->points[chain->at[(k + 1) % n]];
    double area = side(a, b, c);
    if (flat ? area != 0 : area <= 0) return false;
    for (int32_t i = 0; i < n && !flat; i++) {
        ShapePoint p = chain->points[chain->at[i]];
        if (!same(p, a) && !same(p, b) && !same(p, c) && is_in(a, b, c, p)) return false;
    }
    return true;
}

/* What lies in line is cut as a triangle without area, so that no point of a ring is passed over. */
static int32_t find_ear(const Chain *chain, int32_t from) {
    for (int flat = 0; flat < 2; flat++)
        for (int32_t i = 0; i < chain->count; i++) {
            int32_t k = (from + i) % chain->count;
            if (is_ear(chain, k, flat)) return k;
        }
    return -1;
}

int32_t triangulate(Arena *arena, const ShapePoint *points, const int32_t *ends, int32_t rings,
                    int32_t *corners) {
    int32_t room = ends[rings - 1] + 2 * rings, written = 0;
    Chain chain = {points, ARENA_ARRAY(arena, int32_t, room), ends[0]};
    for (int32_t i = 0; i < chain.count; i++)
        chain.at[i] = i;
    if (!join_holes(arena, &chain, ends, rings)) return -1;
    for (int32_t k = 0; chain.count > 2;) {
        k = find_ear(&chain, k);
        if (k < 0) return -1;
        int32_t n = chain.count;
        corners[written++] = chain.at[(k + n - 1) % n];
        corners[written++] = chain.at[k];
        corners[written++] = chain.at[(k + 1) % n];
        memmove(chain.at + k, chain.at + k + 1, (size_t)(n - k - 1) * sizeof *chain.at);
        chain.count--;
        k = k >= chain.count ? 0 : k;
    }
    return written;
}
