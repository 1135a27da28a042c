/* What there is to bump into: by numbers worked out apart. */
#include <limits.h>
#include <math.h>

#include "tests/support/host.h"

static const WorldSolids *solids_of(const Host *host) {
    const WorldSolids *all;
    must(host, world_solids(host->world, &all));
    return all;
}

/* The group whose first copy is of that part, or of a thing of that field. */
static const WorldSolidGroup *find_group(const WorldSolids *all, const char *path) {
    for (size_t i = 0; i < all->group_count; i++)
        if (strcmp(all->scene->things[all->groups[i].things[0]]->path, path) == 0) return &all->groups[i];
    return NULL;
}

static const WorldSolid *only_solid(const WorldSolids *all, const char *path, WorldSolidKind kind) {
    const WorldSolidGroup *group = find_group(all, path);
    if (group == NULL) fail_msg("no solid of '%s'", path);
    assert_int_equal(group->count, 1);
    assert_int_equal(all->solids[group->first].kind, kind);
    return &all->solids[group->first];
}

static void assert_near3(const double *got, double x, double y, double z, double within) {
    if (!(fabs(got[0] - x) <= within && fabs(got[1] - y) <= within && fabs(got[2] - z) <= within))
        fail_msg("(%.9g, %.9g, %.9g), not (%.9g, %.9g, %.9g)", got[0], got[1], got[2], x, y, z);
}

static double volume(const WorldSolid *solid) {
    double six = 0;
    for (uint32_t i = 0; i < solid->triangle_count; i++) {
        const double *a = solid->points + 3 * solid->triangles[3 * i], *b = solid->points + 3 * solid->triangles[3 * i + 1],
                     *c = solid->points + 3 * solid->triangles[3 * i + 2];
        six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return six / 6;
}

static const char shapes[] =
    "use bodies\n"
    "part box: shapes.box((1 m, 2 m, 3 m)), at: (10, 0, 0), scale: 2\n"
    "part tilted: shapes.box((1 m, 2 m, 3 m)).rotated(axis: (0, 0, 1), by: 90 deg)\n"
    "part ball: shapes.sphere(radius: 1 m)\n"
    "part stairs: shapes.stairs(4, 25 cm, 25 cm, 1 m)\n"
    "part two: shapes.merge([shapes.box((1 m, 1 m, 1 m)), shapes.box((1 m, 1 m, 1 m)).moved((5 m, 0 m, 0 m)), shapes.box((9 cm, 9 cm, 9 cm)).moved((9 m, 0 m, 0 m))])\n"
    "part leaf: shapes.box((1 m, 1 m, 1 m)).twoSided()\n"
    "part gone: shapes.box((1 m, 1 m, 1 m)), hidden: true\n"
    "part air: shapes.box((1 m, 1 m, 1 m)), solid: none\n"
    "part round: shapes.sphere(radius: 1 m), solid: bodies.box()\n"
    "part steps: shapes.stairs(4, 25 cm, 25 cm, 1 m), solid: bodies.hull()\n"
    "part flat: shapes.box((1 m, 1 m, 1 m)), solid: bodies.mesh()\n"
    "part post: shapes.box((1 m, 1 m, 1 m)), at: (0, 7, 0), solid: bodies.capsule(from: (0, 0, 0), to: (0, 3, 0), radius: 0.5 m)\n"
    "part holder, solid: none\n"
    "  part inside: shapes.box((1 m, 1 m, 1 m))\n"
    "  part itself: shapes.box((1 m, 1 m, 1 m)), solid: bodies.own()\n"
    "  part its: shapes.box((1 m, 1 m, 1 m)), solid: bodies.box()\n"
    "part tube: shapes.tubesOf([shapes.tubePlace(at: (0, 0, 0), radius: 50 cm), shapes.tubePlace(at: (0, 4, 0), radius: 30 cm), shapes.tubePlace(at: (0, 5, 0), radius: 1 cm),\n"
    "    shapes.tubePlace(at: (0, 6, 0), radius: 1 cm)], [shapes.tube(first: 0, count: 4, sides: 8)]).moved((1 m, 0 m, 0 m)).scaled(2)\n";

static void test_shapes(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, shapes);
    const WorldSolids *all = solids_of(&host), *again = solids_of(&host);
    assert_ptr_equal(all, again);
    const WorldSolid *box = only_solid(all, "box", WORLD_SOLID_BOX);
    assert_near3(box->middle, 0, 1, 0, 0);
    assert_near3(box->half, 0.5, 1, 1.5, 0);
    assert_near3(box->axes, 1, 0, 0, 0);
    assert_near3(box->axes + 6, 0, 0, 1, 0);
    assert_true(box->point_count == 8 && box->triangle_count == 12 && volume(box) == 6);
    const WorldSolidGroup *group = find_group(all, "box");
    assert_true(group->copies == 1 && group->transforms[0] == 2 && group->transforms[3] == 10);
    const WorldSolid *tilted = only_solid(all, "tilted", WORLD_SOLID_BOX);
    assert_near3(tilted->half, 1, 0.5, 1.5, 1e-6); /* its first axis is the one along x */
    assert_near3(tilted->middle, -1, 0, 0, 1e-6);
    const WorldSolid *ball = only_solid(all, "ball", WORLD_SOLID_HULL);
    assert_true(ball->point_count <= 100 && volume(ball) > 0.9 * 3.6 && volume(ball) < 4.19);
    const WorldSolid *stairs = only_solid(all, "stairs", WORLD_SOLID_MESH), *steps = only_solid(all, "steps", WORLD_SOLID_HULL);
    assert_true(fabs(volume(stairs) - 10 * 0.0625) < 1e-6);              /* ten blocks of a quarter meter */
    assert_true(fabs(volume(steps) - (0.5 + 0.25 - 0.5 * 0.0625)) < 1e-6); /* under the line over their edges */
    group = find_group(all, "two");
    assert_true(group->count == 2 && all->solids[group->first + 1].middle[0] == 5); /* the third is too small */
    assert_null(find_group(all, "leaf"));
    assert_null(find_group(all, "gone"));
    assert_null(find_group(all, "air"));
    assert_near3(only_solid(all, "round", WORLD_SOLID_BOX)->half, 1, 1, 1, 0.05);
    assert_int_equal(only_solid(all, "flat", WORLD_SOLID_MESH)->triangle_count, 12);
    const WorldSolid *post = only_solid(all, "post", WORLD_SOLID_CAPSULE);
    assert_near3(post->to, 0, 3, 0, 0);
    assert_true(post->radius == 0.5 && post->point_count == 0 && find_group(all, "post")->transforms[7] == 7);
    assert_null(find_group(all, "holder.inside"));
    assert_null(find_group(all, "holder.itself")); /* own is no word of its own */
    only_solid(all, "holder.its", WORLD_SOLID_BOX);
    group = find_group(all, "tube");
    assert_int_equal(group->count, 2); /* the last stretch is thinner than a fifth */
    const WorldSolid *stem = &all->solids[group->first];
    assert_near3(stem->from, 2, 0, 0, 0);
    assert_near3(stem->to, 2, 8, 0, 0);
    assert_true(fabs(stem->radius - 0.8) < 1e-6 && stem->kind == WORLD_SOLID_CAPSULE);
    world_engine_destroy(host.engine);
}

/* Things share the solids of their kind; what is placed by a part that is nothing is nothing. */
static void test_placed(void **state) {
    (void)state;
    static const char text[] = "use bodies\npart land\n  fn height(here: point) meters { 2 m }\n  fn gradient(here: point) direction { (0, 0, 0) }\n"
                               "  fn slope(here: point) number { 0 }\n  fn normal(here: point) direction { (0, 1, 0) }\n  fn curvature(here: point, over: meters) number { 0 }\n"
                               "part stump, solid: bodies.capsule(from: (0, 0, 0), to: (0, 1, 0), radius: 20 cm)\n  part wood: shapes.box((1 m, 1 m, 1 m))\n"
                               "part crate\n  part wood: shapes.box((1 m, 1 m, 1 m))\n"
                               "part wood%s\n  field layout: List[placed] = scatter(over: land, rules: [\n"
                               "    rule(name: a, candidates: [(0, 0, 0), (9, 0, 0)], place: stump(size: 3, turn: 0 deg)), rule(name: b, candidates: [(0, 0, 50)], place: crate(turn: 0 deg))])\n";
    char whole[2048];
    uint64_t with, without;
    snprintf(whole, sizeof whole, text, "");
    Host host = open_host((WorldEngineDesc){.threads = 1}, whole);
    const WorldSolids *all = solids_of(&host);
    assert_int_equal(all->group_count, 2);
    assert_int_equal(all->solid_count, 2);
    const WorldSolidGroup *crate = &all->groups[0], *stump = &all->groups[1];
    assert_true(all->solids[crate->first].kind == WORLD_SOLID_BOX && crate->copies == 1 && crate->transforms[11] == 50);
    assert_true(all->solids[stump->first].kind == WORLD_SOLID_CAPSULE && stump->copies == 2);
    assert_true(stump->transforms[12 + 3] == 9 && stump->transforms[7] == 2 && stump->transforms[0] == 3);
    assert_string_equal(all->scene->things[stump->things[1]]->design, "stump");
    must(&host, world_hash(host.world, &with));
    world_engine_destroy(host.engine);
    snprintf(whole, sizeof whole, text, ", solid: none");
    host = open_host((WorldEngineDesc){.threads = 1}, whole);
    all = solids_of(&host);
    assert_int_equal(all->group_count, 1); /* a stump says itself what it is */
    must(&host, world_hash(host.world, &without));
    assert_true(with == without); /* nothing of the world hangs on it */
    world_engine_destroy(host.engine);
}

/* What moves stands elsewhere then, on the same solids; a field that says another solid makes another. */
static void test_moved(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, "use bodies\nuse clock\nfield thick: meters = 1 m\npart lift: shapes.box((2 m, 0.2 m, 2 m)), at: (0, clock.now * 1 m / 1 s, 0)\n"
                                                           "part post, solid: bodies.ball((0, clock.now * 1 m / 1 s, 0), thick)\n"
                                                           "part rider: shapes.box((1 m, 1 m, 1 m)), at: (clock.now * 1 m / 1 s, 0, 0), solid: bodies.ball((0, 0, 0), thick)\n");
    const WorldSolids *all = solids_of(&host);
    const double *points = only_solid(all, "lift", WORLD_SOLID_BOX)->points;
    uint64_t shape = all->scene->shape;
    assert_int_equal(all->group_count, 2); /* the balls are one as yet */
    for (int i = 0; i < 3; i++) {
        must(&host, world_step(host.world, 1));
        all = solids_of(&host);
        const WorldSolidGroup *lift = find_group(all, "lift"), *rider = find_group(all, "rider");
        assert_true(fabs((double)lift->transforms[7] - (i + 1)) < 1e-5 && fabs((double)rider->transforms[3] - (i + 1)) < 1e-5);
        assert_true(all->group_count == 3 && all->solid_count == 3 && all->scene->shape == shape);
        assert_ptr_equal(only_solid(all, "lift", WORLD_SOLID_BOX)->points, points);
        assert_near3(only_solid(all, "post", WORLD_SOLID_CAPSULE)->from, 0, i + 1, 0, 1e-5);
    }
    must(&host, world_set(host.world, "thick", "2 m"));
    all = solids_of(&host);
    assert_true(only_solid(all, "rider", WORLD_SOLID_CAPSULE)->radius == 2);
    world_engine_destroy(host.engine);
}

/* The triangles of the land are those that its height is asked from: in the middle of each it lies on the plane. */
static void test_land(void **state) {
    (void)state;
    enum { I0 = 1, J0 = 2, I1 = 8, J1 = 7, POINTS = (I1 - I0 + 1) * (J1 - J0 + 1), SQUARES = (I1 - I0) * (J1 - J0) };
    static float points[3 * POINTS];
    static uint32_t triangles[6 * SQUARES];
    Host host = open_host((WorldEngineDesc){.threads = 1},
                          "part land\n  field ground: heightGrid = heightGrid(cell: 2 m, points: 11, height: p => 3 m * value2(p.x / 3 m, p.z / 3 m, seed: 5).value)\n"
                          "  fn height(here: point) meters { ground.heightAt(here) }\n  fn gradient(here: point) direction { ground.gradientAt(here) }\n"
                          "  fn slope(here: point) number { length(gradient(here)) }\n  fn normal(here: point) direction { ground.normalAt(here) }\n"
                          "  fn curvature(here: point, over: meters) number { ground.curvatureAt(here, over) }\n");
    const WorldSolids *all = solids_of(&host);
    WorldFunction height;
    must(&host, world_function(host.world, "land.height", "fn(point) meters", &height));
    must(&host, world_solids_land(all->scene, I0, J0, I1, J1, points, triangles));
    for (int t = 0; t < 2 * SQUARES; t++) {
        double middle[3] = {0}, answer;
        const float *corner[3];
        for (int k = 0; k < 3; k++) {
            corner[k] = points + 3 * triangles[3 * t + k];
            for (int axis = 0; axis < 3; axis++)
                middle[axis] += (double)corner[k][axis] / 3;
        }
        must(&host, world_call(host.world, height, middle, &answer));
        assert_true(fabs(answer - middle[1]) < 1e-6);
        assert_true((corner[1][2] - corner[0][2]) * (corner[2][0] - corner[0][0]) > (corner[1][0] - corner[0][0]) * (corner[2][2] - corner[0][2])); /* from above */
    }
    assert_int_equal(world_solids_land(all->scene, 0, 0, 11, 10, points, triangles), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_solids_land(all->scene, 3, 0, 3, 1, points, triangles), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_solids(host.world, NULL), WORLD_ERROR_ARGUMENT);
    world_engine_destroy(host.engine);
}

typedef struct Edge {
    float from[2], to[2]; /* x, z */
} Edge;

static int compare_edges(const void *a, const void *b) {
    return memcmp(a, b, sizeof(Edge));
}

/* Each edge of a triangle that does not lie on the window's border is another's, the other way round: nothing is open, also where small triangles end. */
static void check_closed(const float *xyz, const uint32_t *corners, size_t triangles, const double low[2], const double high[2]) {
    Edge *edges = malloc(3 * triangles * sizeof *edges), *backs = malloc(3 * triangles * sizeof *backs);
    size_t count = 0;
    for (size_t i = 0; i < 3 * triangles; i++) {
        const float *a = xyz + 3 * (size_t)corners[i], *b = xyz + 3 * (size_t)corners[i % 3 == 2 ? i - 2 : i + 1];
        bool border = false;
        for (int axis = 0; axis < 2; axis++)
            border |= a[2 * axis] == b[2 * axis] && ((double)a[2 * axis] == low[axis] || (double)a[2 * axis] == high[axis]);
        if (border) continue;
        edges[count] = (Edge){{a[0], a[2]}, {b[0], b[2]}};
        backs[count++] = (Edge){{b[0], b[2]}, {a[0], a[2]}};
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    qsort(backs, count, sizeof *backs, compare_edges);
    assert_memory_equal(edges, backs, count * sizeof *edges);
    free(edges);
    free(backs);
}

/* Of a land with divided squares: each triangle lies in the ground that answers, and together they cover the window. */
static void check_ground(const WorldScene *scene, Host *host, int i0, int j0, int i1, int j1) {
    size_t points, triangles;
    must(host, world_solids_ground(scene, i0, j0, i1, j1, &points, NULL, &triangles, NULL));
    float *xyz = malloc(3 * sizeof *xyz * points);
    uint32_t *corners = malloc(3 * sizeof *corners * triangles);
    must(host, world_solids_ground(scene, i0, j0, i1, j1, &points, xyz, &triangles, corners));
    WorldFunction height;
    must(host, world_function(host->world, "land.height", "fn(point) meters", &height));
    double area = 0;
    for (size_t t = 0; t < triangles; t++) {
        double middle[3] = {0}, answer;
        const float *at[3];
        for (int k = 0; k < 3; k++) {
            assert_true(corners[3 * t + (size_t)k] < points);
            at[k] = xyz + 3 * (size_t)corners[3 * t + (size_t)k];
            for (int axis = 0; axis < 3; axis++)
                middle[axis] += (double)at[k][axis] / 3;
        }
        must(host, world_call(host->world, height, middle, &answer));
        assert_true(fabs(answer - middle[1]) < 1e-5);
        double twice = (double)((at[1][2] - at[0][2]) * (at[2][0] - at[0][0]) - (at[1][0] - at[0][0]) * (at[2][2] - at[0][2]));
        assert_true(twice > 0); /* from above */
        area += twice / 2;
    }
    double cell = scene->land.cell, x0 = scene->land.x0, z0 = scene->land.z0;
    check_closed(xyz, corners, triangles, (double[]){x0 + i0 * cell, z0 + j0 * cell}, (double[]){x0 + i1 * cell, z0 + j1 * cell});
    assert_true(fabs(area - (i1 - i0) * (j1 - j0) * cell * cell) < 1e-3);
    free(xyz);
    free(corners);
}

static void test_divided(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1},
                          "part land\n  part way: spine.through(points: [(-40, 0, -30), (0, 0, 4), (20, 0, 38)])\n"
                          "  field plain: heightGrid = heightGrid(cell: 2 m, points: 41, height: p => 3 m * value2(p.x / 9 m, p.z / 9 m, seed: 5).value)\n"
                          "  field ground: heightGrid = carve(refine(plain, way, within: 2 m, step: 0.5 m), way, bed: curve([(0, -1 m)]), flat: curve([(0, 30 cm)]), banks: curve([(0, 2)]), rounding: curve([(0, 10 cm)]))\n"
                          "  fn height(here: point) meters { ground.heightAt(here) }\n  fn gradient(here: point) direction { ground.gradientAt(here) }\n"
                          "  fn slope(here: point) number { length(gradient(here)) }\n  fn normal(here: point) direction { ground.normalAt(here) }\n"
                          "  fn curvature(here: point, over: meters) number { ground.curvatureAt(here, over) }\n");
    const WorldScene *scene = solids_of(&host)->scene;
    float room[12];
    uint32_t corners[6];
    size_t count;
    assert_int_equal(scene->land.finer, 4);
    check_ground(scene, &host, 0, 0, 40, 40);
    check_ground(scene, &host, 3, 14, 21, 19);
    check_ground(scene, &host, 15, 15, 17, 17);
    assert_int_equal(world_solids_land(scene, 20, 20, 21, 21, room, corners), WORLD_ERROR_ARGUMENT); /* divided */
    assert_int_equal(world_solids_ground(scene, 0, 0, 41, 40, &count, NULL, &count, NULL), WORLD_ERROR_ARGUMENT);
    world_engine_destroy(host.engine);
}

/* An allocation that fails on the way is an error, and the next call has all. */
static void test_scarce(void **state) {
    (void)state;
    Scarce scarce = {.limit = LONG_MAX};
    Host host = open_host(scarce_desc(&scarce), shapes);
    const WorldScene *scene;
    const WorldSolids *all = NULL;
    must(&host, world_scene(host.world, &scene));
    int failures = -1;
    for (WorldStatus status = WORLD_ERROR_MEMORY; status != WORLD_OK; failures++) {
        scarce.limit = scarce.wishes + failures + 1;
        status = world_solids(host.world, &all);
        if (status != WORLD_OK) assert_int_equal(status, WORLD_ERROR_MEMORY);
    }
    assert_true(failures > 2);
    scarce.limit = LONG_MAX;
    assert_true(find_group(all, "stairs") && find_group(all, "tube")->count == 2);
    world_engine_destroy(host.engine);
    assert_int_equal(scarce.held, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes), cmocka_unit_test(test_placed), cmocka_unit_test(test_moved), cmocka_unit_test(test_land), cmocka_unit_test(test_divided),
                                       cmocka_unit_test(test_scarce)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
