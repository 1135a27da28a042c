/* Ribbons: level across, as wide as asked, joined at bends, facing up. */
#include "tests/unit/geometry_rt.h"

#include <math.h>

#include "runtime/mesh/mesh.h"
#include "runtime/mesh/ribbon.h"

static void test_ribbon(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    const Vec3 course[] = {{0, 0, 0}, {0, 0, -30}, {20, 0, -40}, {60, 0, -40}};
    RtSpine *spine = spine_create(rt, course, 4, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    RtCurve *level = curve_create(rt, 2), *half = curve_create(rt, 1);
    memcpy(level->keys, (double[]){0, 3}, 2 * sizeof(double));
    memcpy(level->values, (double[]){9, 1}, 2 * sizeof(double));
    half->values[0] = 1.5;
    RtCurve *shade = curve_create(rt, 2);
    memcpy(shade->keys, (double[]){0, 3}, 2 * sizeof(double));
    memcpy(shade->values, (double[]){1, 4}, 2 * sizeof(double));
    RtCurve *pace = curve_create(rt, 1);
    pace->values[0] = 0.5;
    RtMesh *mesh = ribbon_create(rt->arena, spine, &(Ribbon){level, half, shade, pace});
    assert_int_equal(mesh->vertex_count, 2 * spine->count);
    assert_int_equal(mesh->index_count, 6 * (spine->count - 1));
    for (int32_t i = 0; i < spine->count; i++) {
        Vec3 left = mesh_position(mesh, 2 * i), right = mesh_position(mesh, 2 * i + 1);
        assert_true(left.y == right.y && fabs(left.y - (9 - spine->index[i] * 8 / 3)) < 1e-5);
        SpineHit l = spine_find_nearest(spine, left.x, left.z, 5),
                 r = spine_find_nearest(spine, right.x, right.z, 5);
        assert_true(fabs(l.distance - 1.5) < 0.01 && l.across < 0 &&
                    fabs(r.distance - 1.5) < 0.01 && r.across > 0);
        assert_true(mesh->normals[6 * i + 1] > 0.9f);
        const float *coords = mesh->coords + 4 * i;
        assert_true(coords[0] == coords[2] && coords[1] == -1.5f && coords[3] == 1.5f);
        assert_true(fabs((double)coords[0] - 2 * spine->along[i]) < 0.05 * spine->along[i] + 1e-5);
        for (int k = 0; k < 6; k++)
            assert_true(fabs((double)mesh->colors[6 * i + k] - (1 + spine->index[i])) < 1e-5);
    }
    test_rt_close(&test);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ribbon)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
