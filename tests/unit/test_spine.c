/* Spines: the published count of laid points, distances, sides, ends; nearest places against
 * looking at every stretch. */
#include "tests/unit/geometry_rt.h"

#include <math.h>

#include "runtime/geometry/spine.h"

static const Vec3 walkway[] = {{-22, 0, 498}, {-22, 0, 476}, {-34, 0, 450},
                               {-14, 0, 424}, {-38, 0, 400}, {-12, 0, 378},
                               {-22, 0, 354}, {-16, 0, 340}, {-16, 0, 333.6}};

static void test_walkway(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtSpine *spine = spine_create(rt, walkway, 9, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    assert_int_equal(spine->count, 205);
    for (int i = 0; i < spine->count; i++) { /* control points are laid points, to the bit */
        double index = spine->index[i];
        if (index != floor(index)) continue;
        assert_memory_equal(&spine->points[i], &walkway[(int)index], sizeof(Vec3));
    }
    for (int i = 1; i < spine->count; i++) {
        double step = spine->along[i] - spine->along[i - 1];
        assert_true(step > 0.4 && step < 1.6);
    }
    test_rt_close(&test);
}

static void test_straight(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    const Vec3 north[] = {{10, 0, 0}, {10, 0, -4.5}};
    RtSpine *spine = spine_create(rt, north, 2, SPINE_STRAIGHT, SPINE_DOUBLED, 1);
    assert_int_equal(spine->count, 6);
    assert_true(spine_get_length(spine) == 4.5);
    Vec3 left = spine_spot(spine, 1.8, -1.5); /* looking north, west is left */
    assert_true(fabs(left.x - 8.5) < 1e-12 && left.y == 0 && fabs(left.z + 1.8) < 1e-12);
    assert_true(fabs(spine_spot(spine, -2, 0).z - 2) < 1e-12);
    assert_true(fabs(spine_spot(spine, 7, 0).z + 7) < 1e-12);
    Vec3 heading = spine_heading(spine, 100);
    assert_true(heading.x == 0 && heading.y == 0 && heading.z == -1);
    assert_true(spine_index(spine, -5) == 0 && spine_index(spine, 50) == 1);
    assert_true(fabs(spine_index(spine, 2.25) - 0.5) < 1e-12);
    SpineHit hit = spine_find_nearest(spine, 12, -3, 16);
    assert_true(hit.found && hit.distance == 2 && hit.across == 2 && fabs(hit.along - 3) < 1e-12);
    hit = spine_find_nearest(spine, 12, -3, 1.5);
    assert_true(!hit.found && hit.distance == 1.5);
    hit = spine_find_nearest(spine, 12, -3, 2); /* exactly as far as asked: not nearer */
    assert_true(!hit.found && hit.distance == 2);
    test_rt_close(&test);
}

/* The three kinds pass through their points; a straight one keeps to its chords; open ends run like
 * their mirror. */
static void test_kinds(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    const Vec3 bend[] = {{0, 0, 0}, {40, 3, 0}, {40, 3, 0}, {40, 7, 90}, {41, 7, 90}};
    for (int kind = SPINE_UNIFORM; kind <= SPINE_STRAIGHT; kind++)
        for (int ends = SPINE_DOUBLED; ends <= SPINE_OPEN; ends++) {
            RtSpine *spine = spine_create(rt, bend, 5, (SpineKind)kind, (SpineEnds)ends, 1);
            assert_non_null(spine);
            for (int k = 0; k < 5; k++) {
                SpineHit hit = spine_find_nearest(spine, bend[k].x, bend[k].z, 1);
                assert_true(hit.found && hit.distance < 1e-9);
            }
            assert_true(isfinite(spine_get_length(spine)));
        }
    const Vec3 three[] = {{0, 0, 0}, {10, 0, 0}, {20, 0, 10}};
    RtSpine *doubled = spine_create(rt, three, 3, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    RtSpine *open = spine_create(rt, three, 3, SPINE_UNIFORM, SPINE_OPEN, 1);
    /* The first step of a doubled end is half as fast as the chord, of an open one as fast. */
    assert_true(doubled->along[1] < 0.65 && open->along[1] > 0.9);
    test_rt_close(&test);
}

static Vec3 between(Vec3 a, Vec3 b, double from, double to, double at) {
    double t = (at - from) / (to - from);
    return vec3_add(vec3_scale(a, 1 - t), vec3_scale(b, t));
}

/* The span between the second and the third of four points by Barry and Goldman's pyramid, knots the root of the
 * distance apart or 1: another way to say the curve. */
static Vec3 pyramid(const Vec3 p[4], bool centripetal, double t) {
    double k[4] = {0};
    for (int i = 0; i < 3; i++) {
        Vec3 d = vec3_sub(p[i + 1], p[i]);
        k[i + 1] = k[i] + (centripetal ? sqrt(sqrt(vec3_dot(d, d))) : 1);
    }
    double at = k[1] + (k[2] - k[1]) * t;
    Vec3 a = between(p[0], p[1], k[0], k[1], at), b = between(p[1], p[2], k[1], k[2], at);
    Vec3 c = between(p[2], p[3], k[2], k[3], at);
    return between(between(a, b, k[0], k[2], at), between(b, c, k[1], k[3], at), k[1], k[2], at);
}

static void test_curves(void **state) {
    (void)state;
    static const Vec3 points[] = {{0, 0, 0}, {30, 2, 5}, {34, 3, -6}, {90, 0, 0}, {91, 8, 20}};
    TestRt test;
    Rt *rt = test_rt_open(&test);
    for (int kind = SPINE_UNIFORM; kind <= SPINE_CENTRIPETAL; kind++) {
        RtSpine *spine = spine_create(rt, points, 5, (SpineKind)kind, SPINE_DOUBLED, 1);
        int looked = 0;
        for (int i = 0; i < spine->count; i++) {
            int span = (int)floor(spine->index[i]);
            if (span < 1 || span > 2) continue;
            Vec3 want = pyramid(points + span - 1, kind == SPINE_CENTRIPETAL, spine->index[i] - span);
            Vec3 off = vec3_sub(spine->points[i], want);
            assert_true(vec3_dot(off, off) < 1e-18);
            looked++;
        }
        assert_true(looked > 60);
    }
    test_rt_close(&test);
}

static void test_vertical(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    const Vec3 mast[] = {{0, 0, 0}, {0, 5, 0}, {0, 5, -5}};
    RtSpine *spine = spine_create(rt, mast, 3, SPINE_STRAIGHT, SPINE_DOUBLED, 1);
    assert_true(fabs(spine_get_length(spine) - 10) < 1e-12);
    Vec3 side = spine_spot(spine, 2.5, 1); /* sides of the first stretch that has some */
    assert_true(fabs(side.x - 1) < 1e-12 && fabs(side.y - 2.5) < 1e-12);
    test_rt_close(&test);
}

/* A joint belongs to the stretch that begins there, the last point to the last stretch: headings,
 * sides and numbers turn exactly there. */
static void test_joints(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    const Vec3 corner[] = {{0, 0, 0}, {8, 0, 0}, {8, 0, 8}, {0, 0, 8}};
    RtSpine *spine = spine_create(rt, corner, 4, SPINE_STRAIGHT, SPINE_DOUBLED, 8.5);
    assert_int_equal(spine->count, 4);
    assert_true(spine_heading(spine, 7.999999).x == 1 && spine_heading(spine, 8).z == 1);
    assert_true(spine_heading(spine, 16).x == -1 && spine_heading(spine, 24).x == -1);
    Vec3 before = spine_spot(spine, 7.999999, 2), at = spine_spot(spine, 8, 2);
    assert_true(fabs(before.x - 7.999999) < 1e-9 && before.z == 2); /* right of east is south */
    assert_true(at.x == 6 && at.z == 0);                            /* right of south is west */
    assert_true(spine_spot(spine, 24, 2).x == 0 && spine_spot(spine, 24, 2).z == 6);
    for (int i = 0; i < 4; i++) {
        assert_true(spine_index(spine, 8.0 * i) == i);
        assert_true(spine_along_of_index(spine, i) == 8.0 * i);
    }
    assert_true(spine_along_of_index(spine, 1.25) == 10 && spine_along_of_index(spine, -1) == 0);
    assert_true(spine_along_of_index(spine, 99) == 24);
    assert_true(spine_along_by(spine, 8, 1) == 16 && spine_along_by(spine, 8, -1) == 0);
    assert_true(spine_along_by(spine, 10, 0.5) == 14 && spine_along_by(spine, 10, 0) == 10);
    assert_true(spine_along_by(spine, 10, 5) == 24 && spine_along_by(spine, -3, 0) == 0);
    assert_true(spine_along_by(spine, 24, 0) == 24 && spine_along_by(spine, 24, -1) == 16);
    /* Nearest to the joint from the outside: its place, the earlier stretch. */
    SpineHit hit = spine_find_nearest(spine, 9, -1, 16);
    assert_true(hit.stretch == 0 && hit.t == 1 && hit.along == 8 && hit.index == 1);
    test_rt_close(&test);
}

/* A stretch that has no course on the plan takes the sides of the nearest that has one: before it
 * the first after, and after it the last before. */
static void test_vertical_starts(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    const Vec3 up[] = {{0, 0, 0}, {0, 4, 0}, {0, 8, 0}, {5, 8, 0}, {5, 12, 0}, {5, 12, 5}};
    RtSpine *spine = spine_create(rt, up, 6, SPINE_STRAIGHT, SPINE_DOUBLED, 100);
    assert_int_equal(spine->count, 6);
    for (int i = 0; i < 4; i++) { /* of the stretch to the east: right is south */
        Vec3 spot = spine_spot(spine, spine->along[i] + 1, 1);
        assert_true(spot.z == 1);
    }
    assert_true(spine_spot(spine, spine->along[4] + 1, 1).x == 4);
    assert_true(spine_heading(spine, 2).y == 1 && spine_heading(spine, 14).y == 1);
    SpineHit hit = spine_find_nearest(spine, 0, 3, 16); /* of the mast the earliest stretch */
    assert_true(hit.found && hit.distance == 3 && hit.across == 3 && hit.stretch == 0 &&
                hit.along == 0);
    test_rt_close(&test);
}

static void test_refused(void **state) {
    (void)state;
    static const Vec3 same[] = {{1, 2, 3}, {1, 2, 3}};
    const Vec3 bad[] = {{0, 0, 0}, {NAN, 0, 0}}, far[] = {{0, 0, 0}, {1e11, 0, 0}};
    const struct {
        const Vec3 *points;
        int count, code;
    } rows[] = {{same, 2, RT_FAULT_ARGUMENT},
                {same, 1, RT_FAULT_ARGUMENT},
                {bad, 2, RT_FAULT_ARGUMENT},
                {far, 2, RT_FAULT_LIMIT}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TestRt test;
        Rt *rt = test_rt_open(&test);
        assert_null(
            spine_create(rt, rows[i].points, rows[i].count, SPINE_UNIFORM, SPINE_DOUBLED, 1));
        assert_int_equal(rt->fault.code, rows[i].code);
        test_rt_close(&test);
    }
}

static void test_spot_and_nearest(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtSpine *spine = spine_create(rt, walkway, 9, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    uint64_t seed = 3;
    for (int i = 0; i < 20000; i++) {
        double along = (test_random(&seed) + 1) / 2 * spine_get_length(spine),
               across = test_random(&seed) * 1.5;
        Vec3 spot = spine_spot(spine, along, across);
        SpineHit hit = spine_find_nearest(spine, spot.x, spot.z, 16);
        assert_true(hit.found && hit.distance <= fabs(across) + 1e-9);
        if (fabs(hit.along - along) > 1e-6) continue; /* the inner side of a bend has two spots */
        assert_true(fabs(hit.across - across) < 1e-9);
        assert_true(fabs(hit.index - spine_index(spine, hit.along)) < 1e-9);
    }
    test_rt_close(&test);
}

static PolylineHit nearest_by_force(const Polyline *line, PlanPoint p, double within) {
    PolylineHit best = {.segment = -1, .square = within * within};
    for (int i = 0; i < line->count; i++) {
        PolylineHit hit = polyline_segment_hit(line, i, p);
        if (hit.square < best.square) best = hit;
    }
    return best;
}

/* Places on a coarse lattice, so that ties are common, and places anywhere; several sizes, so that
 * every shape of the tree occurs. */
static void test_nearest_by_force(void **state) {
    (void)state;
    uint64_t seed = 11;
    int ties = 0;
    for (int round = 0; round < 300; round++) {
        TestRt test;
        Rt *rt = test_rt_open(&test);
        int count = 1 + round % 70;
        bool lattice = round % 2;
        PlanPoint *points = ARENA_ARRAY(rt->arena, PlanPoint, count + 1);
        for (int i = 0; i <= count; i++) {
            PlanPoint p = {test_random(&seed) * 6, test_random(&seed) * 6};
            points[i] = lattice ? (PlanPoint){floor(p.x), floor(p.z)} : p;
        }
        Polyline line;
        polyline_init(&line, rt->arena, points, count);
        for (int k = 0; k < 400; k++) {
            PlanPoint p = {test_random(&seed) * 9, test_random(&seed) * 9};
            if (lattice) p = (PlanPoint){floor(p.x * 2) / 2, floor(p.z * 2) / 2};
            double within = k % 3 ? INFINITY : 2;
            PolylineHit hit = polyline_find_nearest(&line, p, within);
            PolylineHit want = nearest_by_force(&line, p, within);
            assert_int_equal(hit.segment, want.segment);
            assert_true(hit.square == want.square && hit.t == want.t);
            for (int i = want.segment + 1; i < count && want.segment >= 0; i++)
                ties += polyline_segment_hit(&line, i, p).square == want.square;
        }
        test_rt_close(&test);
    }
    assert_true(ties > 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walkway),
        cmocka_unit_test(test_straight),
        cmocka_unit_test(test_kinds), cmocka_unit_test(test_curves),
        cmocka_unit_test(test_vertical),
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_vertical_starts),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_spot_and_nearest),
        cmocka_unit_test(test_nearest_by_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
