/* Meshes: closed, the right way out, of the right volume, the same bits on every machine; bad
 * counts are faults. */
#include "runtime/base/hash.h"
#include "runtime/math/det_math.h"
#include "runtime/mesh/shapes.h"
#include "stdlib/stdlib_externs.h"

#include "tests/unit/mesh_fixture.h"


static Vec3 corner(const RtMesh *mesh, int32_t i) {
    return mesh_position(mesh, (int32_t)mesh->indices[i]);
}

/* By the divergence theorem: positive when the triangles face out. */
static double volume(const RtMesh *mesh) {
    double sum = 0;
    for (int32_t i = 0; i < mesh->index_count; i += 3)
        sum += vec3_dot(corner(mesh, i), vec3_cross(corner(mesh, i + 1), corner(mesh, i + 2)));
    return sum / 6;
}

/* Every edge, as two places, is used as often one way as the other: nothing is open. */
static void assert_closed(const RtMesh *mesh) {
    double balance = 0, reach = 0;
    for (int32_t i = 0; i < mesh->index_count; i++) {
        Vec3 a = corner(mesh, i), b = corner(mesh, i % 3 == 2 ? i - 2 : i + 1);
        /* Odd in the edge's direction, so that a pair of opposite edges cancels exactly. */
        double key = (a.x - b.x) * (1 + a.x * b.x) + (a.y - b.y) * (3 + a.y * b.y) +
                     (a.z - b.z) * (7 + a.z * b.z);
        balance += key;
        reach += fabs(key);
    }
    assert_true(fabs(balance) <= 1e-12 * reach);
}

static void assert_unit_normals(const RtMesh *mesh) {
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        const float *n = mesh->normals + 3 * v;
        assert_true(fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1.0) < 1e-5);
    }
}

/* The area vectors of a closed surface add up to nothing. */
static void assert_sound(const RtMesh *mesh, double expected) {
    assert_closed(mesh);
    assert_unit_normals(mesh);
    assert_true(fabs(volume(mesh) - expected) < 1e-5 * fabs(expected));
}

/* The area of a regular polygon of n corners in a circle of radius 1. */
static double polygon(int sides) {
    return sides / 2.0 * sin(2 * M_PI / sides);
}

static void test_volumes(void **state) {
    Fixture *f = *state;
    Arena *arena = &f->arena;
    static const ShapePoint cylinder[4] = {{0, 0}, {0.5, 0}, {0.5, 2}, {0, 2}},
                            cone[3] = {{0, 0}, {0.5, 0}, {0, 2}};
    static const ShapePoint house[5] = {{-3, 0}, {3, 0}, {3, 2}, {0, 4}, {-3, 2}};
    assert_sound(shape_box(arena, (Vec3){1, 2, 3}), 6);
    static const ShapePoint other_way[4] = {{0, 0}, {0, 1}, {2, 1}, {2, 0}};
    assert_sound(shape_prism(arena, house, 5, 5), (12 + 6) * 5);
    assert_sound(shape_prism(arena, other_way, 4, 5), 10);
    assert_sound(shape_lathe(arena, cylinder, 4, 16, false), polygon(16) * 0.25 * 2);
    assert_sound(shape_lathe(arena, cylinder, 4, 5, true), polygon(5) * 0.25 * 2);
    assert_sound(shape_lathe(arena, cone, 3, 12, false), polygon(12) * 0.25 * 2 / 3);
    double sphere = volume(shape_sphere(arena, 1, 64));
    assert_true(sphere < 4 * M_PI / 3 && sphere > 0.995 * 4 * M_PI / 3);
}

static void test_moved_meshes(void **state) {
    Fixture *f = *state;
    Arena *arena = &f->arena;
    const RtMesh *box = shape_box(arena, (Vec3){1, 2, 3});
    assert_sound(mesh_move(arena, box, (Vec3){10, -5, 3}), 6);
    assert_sound(mesh_rotate(arena, box, (Vec3){1, 2, -1}, 1.234), 6);
    assert_sound(mesh_scale(arena, box, (Vec3){2, 1, 0.5}), 6);
    assert_sound(mesh_scale(arena, box, (Vec3){-1, 1, 1}),
                 6); /* mirrored, and still the right way out */
    const RtMesh *both[2] = {box, mesh_move(arena, box, (Vec3){9, 0, 0})};
    assert_sound(mesh_merge(arena, both, 2), 12);
    assert_sound(mesh_facet(arena, box), 6);
}

/* A quarter turn counterclockwise seen from above takes east to north. */
static void test_turn(void **state) {
    Fixture *f = *state;
    const RtMesh *box =
        mesh_move(&f->arena, shape_box(&f->arena, (Vec3){1, 1, 1}), (Vec3){5, 0, 0});
    Vec3 low, high;
    mesh_bounds(mesh_rotate(&f->arena, box, (Vec3){0, 1, 0}, DET_PI / 2), &low, &high);
    assert_true(fabs(low.z + 5.5) < 1e-6 && fabs(high.z + 4.5) < 1e-6 && fabs(low.x + 0.5) < 1e-6);
}

/* Smooth where the profile bends gently, sharp where it turns a corner. */
static void test_creases(void **state) {
    Fixture *f = *state;
    static const ShapePoint profile[4] = {{0.5, 0}, {0.5, 1}, {0.45, 2}, {0, 2}};
    const RtMesh *mesh = shape_lathe(&f->arena, profile, 4, 8, false);
    int level = 0, slanted = 0, up = 0;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        double y = mesh->normals[3 * v + 1];
        level += y == 0;
        slanted += y > 0 && y < 0.1;
        up += y == 1;
    }
    assert_int_equal(level, 8);       /* the foot of the wall */
    assert_int_equal(slanted, 3 * 8); /* both sides of the gentle bend, and the wall's top */
    assert_int_equal(up, 2 * 8);      /* the lid */
}

static void test_limb(void **state) {
    Fixture *f = *state;
    static const Vec3 ends[3] = {{1, 2, 3}, {0, -4, 0}, {-2, 0, 0.5}};
    for (int i = 0; i < 3; i++) {
        const RtMesh *mesh =
            shape_limb(&f->arena, (Vec3){1, 1, 1}, vec3_add(ends[i], (Vec3){1, 1, 1}), 0.2, 0.1, 9);
        Vec3 sum = {0, 0, 0};
        for (int32_t v = 9; v < 18; v++)
            sum = vec3_add(sum, vec3_scale(mesh_position(mesh, v), 1 / 9.0));
        Vec3 miss = vec3_sub(vec3_sub(sum, ends[i]), (Vec3){1, 1, 1});
        assert_true(vec3_dot(miss, miss) < 1e-10);
        assert_unit_normals(mesh);
    }
}

static RtMesh *weathered(Arena *arena, uint32_t seed) {
    RtMesh *mesh = mesh_roughen(arena, shape_sphere(arena, 1, 14), 0.16, 0.9, seed);
    mesh = mesh_chip(arena, mesh, 9, 0.66, seed);
    return mesh_mottle(arena, mesh_flatten(arena, mesh, -0.4), 0.2, 0.3, seed);
}

static void test_natural(void **state) {
    Fixture *f = *state;
    Arena *arena = &f->arena;
    for (uint32_t seed = 1; seed < 20; seed++) {
        RtMesh *rock = weathered(arena, seed);
        assert_closed(rock);
        assert_unit_normals(rock);
        assert_true(volume(rock) > 0.5 && volume(rock) < 4);
        Vec3 low, high;
        mesh_bounds(rock, &low, &high);
        assert_true(low.y == -0.4f);
        RtMesh *skirt = shape_skirt(arena, 1, 1.5, 9, seed);
        assert_closed(skirt);
        assert_true(volume(skirt) > 0);
        assert_unit_normals(skirt);
    }
}

/* What makes a mesh is worked out alike everywhere: this hash was the same under gcc and clang,
 * with and without AVX. */
static void test_same_bits(void **state) {
    Fixture *f = *state;
    const ShapeBlades blades = {11, 0.85, 0.15, 0.95, 1.7, 3};
    const RtMesh *all[3] = {weathered(&f->arena, 5), shape_skirt(&f->arena, 2, 3, 9, 8),
                            shape_blades(&f->arena, &blades)};
    const RtMesh *mesh =
        mesh_rotate(&f->arena, mesh_merge(&f->arena, all, 3), (Vec3){1, 1, 0}, 0.7);
    assert_true(mesh->two_sided);
    size_t bytes = 3 * sizeof(float) * (size_t)mesh->vertex_count;
    uint64_t hash = hash_bytes(mesh->positions, bytes, 0);
    hash = hash_bytes(mesh->normals, bytes, hash);
    hash = hash_bytes(mesh->colors, bytes, hash);
    assert_int_equal(hash, 0xbc342da0fecfdbf5);
}

static void test_bad_counts_are_faults(void **state) {
    Fixture *f = *state;
    assert_int_equal(shapes_sphere(&f->rt, 1, 2)->index_count, 0);
    assert_int_equal(f->rt.fault.code, RT_FAULT_ARGUMENT);
    f->rt.fault.code = RT_FAULT_NONE;
    assert_int_equal(shapes_lathe(&f->rt, NULL, 16, false)->index_count, 0);
    assert_int_equal(f->rt.fault.code, RT_FAULT_ARGUMENT);
    f->rt.fault.code = RT_FAULT_NONE;
    assert_int_equal(shapes_blades(&f->rt, 1000000000, 1, 1, 1, 1, 1)->index_count, 0);
    assert_int_equal(f->rt.fault.code, RT_FAULT_ARGUMENT);
    f->rt.fault.code = RT_FAULT_NONE;
    assert_int_equal(shapes_merge(&f->rt, NULL)->vertex_count, 0);
    assert_int_equal(f->rt.fault.code, RT_FAULT_NONE);
}

/* From the lowest to the highest, over what it was. */
static void test_painted(void **state) {
    Fixture *f = *state;
    RtMesh *box = shape_box(&f->arena, (Vec3){1, 4, 1});
    RtMesh *half = mesh_paint(&f->arena, box, (Vec3){0.5, 1, 1}, (Vec3){0.5, 1, 1});
    RtMesh *mesh = mesh_paint(&f->arena, half, (Vec3){0.2, 0, 1}, (Vec3){0.6, 1, 0});
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        Vec3 low = {0.1, 0, 1}, top = {0.3, 1, 0}, want = mesh_position(mesh, v).y > 1 ? top : low;
        assert_true(fabs(mesh->colors[3 * v] - want.x) < 1e-6 && fabs(mesh->colors[3 * v + 1] - want.y) < 1e-6 &&
                    fabs(mesh->colors[3 * v + 2] - want.z) < 1e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_volumes),
        TEST(test_moved_meshes),
        TEST(test_turn),
        TEST(test_creases),
        TEST(test_limb),
        TEST(test_natural),
        TEST(test_painted),
        TEST(test_same_bits),
        TEST(test_bad_counts_are_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
