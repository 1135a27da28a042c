/* Laying a spine out: a Catmull-Rom curve (Catmull and Rom 1974; centripetal: Yuksel, Schaefer and
 * Keyser 2011) through the control points, sampled in equal steps of each span's parameter.
 *
 * Both kinds are one cubic Hermite span from b to c, with tangents taken from the neighbors a and d
 * and the distances between their knots; uniform knots are all 1 apart.
 */
#include "runtime/geometry/spine.h"

#include <math.h>

#include "runtime/base/watch.h"

enum { MAX_LAID_POINTS = 4 << 20 };

typedef struct Span { /* tangents per unit of its parameter, which runs from 0 to 1 */
    Vec3 b, c, b_tangent, c_tangent;
} Span;

typedef struct Layout {
    const Vec3 *controls;
    int32_t count;
    SpineKind kind;
    SpineEnds ends;
    double every;
} Layout;

static double distance(Vec3 a, Vec3 b) {
    Vec3 d = vec3_sub(b, a);
    return sqrt(vec3_dot(d, d));
}

static Vec3 control_at(const Layout *layout, int32_t i) {
    const Vec3 *controls = layout->controls;
    int32_t last = layout->count - 1;
    if (i >= 0 && i <= last) return controls[i];
    Vec3 end = i < 0 ? controls[0] : controls[last];
    Vec3 next = i < 0 ? controls[1] : controls[last - 1];
    return layout->ends == SPINE_DOUBLED ? end : vec3_sub(vec3_scale(end, 2), next);
}

/* The tangent at q of the parabola through p, q, r whose knots are `before` and `after` apart. */
static Vec3 tangent(Vec3 p, Vec3 q, Vec3 r, double before, double after) {
    Vec3 in = vec3_scale(vec3_sub(q, p), 1 / before), out = vec3_scale(vec3_sub(r, q), 1 / after);
    Vec3 over = vec3_scale(vec3_sub(r, p), 1 / (before + after));
    return vec3_add(vec3_sub(in, over), out);
}

static double knot_step(SpineKind kind, Vec3 a, Vec3 b, double when_zero) {
    if (kind == SPINE_UNIFORM) return 1;
    double step = sqrt(distance(a, b));
    return step > 0 ? step : when_zero;
}

static Span span_at(const Layout *layout, int32_t i) {
    Vec3 a = control_at(layout, i - 1), b = control_at(layout, i);
    Vec3 c = control_at(layout, i + 1), d = control_at(layout, i + 2);
    if (layout->kind == SPINE_STRAIGHT) return (Span){b, c, vec3_sub(c, b), vec3_sub(c, b)};
    double middle = knot_step(layout->kind, b, c, 1);
    double before = knot_step(layout->kind, a, b, middle);
    double after = knot_step(layout->kind, c, d, middle);
    return (Span){b, c, vec3_scale(tangent(a, b, c, before, middle), middle),
                  vec3_scale(tangent(b, c, d, middle, after), middle)};
}

static Vec3 span_point(const Span *span, double t) {
    double t2 = t * t, t3 = t2 * t;
    Vec3 ends =
        vec3_add(vec3_scale(span->b, 2 * t3 - 3 * t2 + 1), vec3_scale(span->c, 3 * t2 - 2 * t3));
    Vec3 leave = vec3_scale(span->b_tangent, t3 - 2 * t2 + t);
    return vec3_add(ends, vec3_add(leave, vec3_scale(span->c_tangent, t3 - t2)));
}

static double span_samples(const Layout *layout, int32_t i) {
    return floor(distance(layout->controls[i], layout->controls[i + 1]) / layout->every) + 1;
}

/* Adds a point unless it falls together with the one before. */
static void add_point(RtSpine *spine, Vec3 point, double index) {
    if (spine->count > 0) {
        double step = distance(spine->points[spine->count - 1], point);
        if (!(step > 0)) return;
        spine->along[spine->count] = spine->along[spine->count - 1] + step;
    }
    spine->points[spine->count] = point;
    spine->index[spine->count++] = index;
}

static void lay_points(RtSpine *spine, const Layout *layout) {
    for (int32_t i = 0; i + 1 < layout->count; i++) {
        Span span = span_at(layout, i);
        int32_t samples = (int32_t)span_samples(layout, i);
        for (int32_t k = 0; k < samples; k++) {
            watch_work(8);
            double t = (double)k / samples;
            add_point(spine, span_point(&span, t), i + t);
        }
    }
    add_point(spine, layout->controls[layout->count - 1], layout->count - 1);
}

/* A meter to the right of every stretch. Where it runs straight up or down it has no side of its
 * own and keeps that of the stretch before it, or, at the beginning, of the first that has one. */
static void lay_sides(RtSpine *spine) {
    PlanPoint side = {1, 0};
    bool known = false;
    for (int32_t i = 0; i + 1 < spine->count; i++) {
        double dx = spine->points[i + 1].x - spine->points[i].x;
        double dz = spine->points[i + 1].z - spine->points[i].z, size = sqrt(dx * dx + dz * dz);
        if (size > 0) side = (PlanPoint){-dz / size, dx / size};
        if (size > 0 && !known)
            for (int32_t k = 0; k < i; k++)
                spine->sides[k] = side;
        known |= size > 0;
        spine->sides[i] = side;
    }
}

static void lay_plan(Rt *rt, RtSpine *spine) {
    PlanPoint *plan = ARENA_ARRAY(rt->arena, PlanPoint, spine->count);
    for (int32_t i = 0; i < spine->count; i++)
        plan[i] = (PlanPoint){spine->points[i].x, spine->points[i].z};
    polyline_init(&spine->plan, rt->arena, plan, spine->count - 1);
}

/* How many points at most; 0 after a fault. */
static int32_t count_points(Rt *rt, const Layout *layout) {
    double total = 1;
    for (int32_t i = 0; i < layout->count; i++) {
        Vec3 p = layout->controls[i];
        if (!(fabs(p.x) <= 1e12 && fabs(p.y) <= 1e12 && fabs(p.z) <= 1e12)) {
            rt_fault(rt, RT_FAULT_ARGUMENT, "point %d of a spine is no place", (int)i);
            return 0;
        }
        if (i > 0) total += span_samples(layout, i - 1);
    }
    if (total <= MAX_LAID_POINTS) return (int32_t)total;
    rt_fault(rt, RT_FAULT_LIMIT, "a spine of %.0f points; at most %d", total, (int)MAX_LAID_POINTS);
    return 0;
}

RtSpine *spine_create(Rt *rt, const Vec3 *controls, int64_t count, SpineKind kind, SpineEnds ends,
                      double every) {
    if (count < 2 || count > MAX_LAID_POINTS || !(every > 0)) {
        rt_fault(rt, RT_FAULT_ARGUMENT,
                 "points has %lld places and every is %g m: two places or more, and more than 0 m, are needed",
                 (long long)count, every);
        return NULL;
    }
    Layout layout = {controls, (int32_t)count, kind, ends, every};
    int32_t room = count_points(rt, &layout);
    if (room == 0) return NULL;
    RtSpine *spine = ARENA_NEW(rt->arena, RtSpine);
    spine->head.kind = RT_SPINE;
    spine->control_count = layout.count;
    spine->points = ARENA_ARRAY(rt->arena, Vec3, room);
    spine->along = ARENA_ARRAY(rt->arena, double, room);
    spine->index = ARENA_ARRAY(rt->arena, double, room);
    spine->sides = ARENA_ARRAY(rt->arena, PlanPoint, room);
    lay_points(spine, &layout);
    if (spine->count < 2) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "all %d points of a spine are one place",
                 (int)layout.count);
        return NULL;
    }
    lay_sides(spine);
    lay_plan(rt, spine);
    return spine;
}

RtSpine *spine_lay_on(Rt *rt, const RtSpine *spine, const RtClosure *ground) {
    RtSpine *laid = ARENA_NEW(rt->arena, RtSpine);
    *laid = *spine;
    rt_freeze(ground); /* nobody counts who holds a spine */
    laid->ground = ground;
    return laid;
}
