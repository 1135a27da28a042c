/* Coarser meshes: fewer triangles, about the same size and, of leaves, the same cover; never empty. */
#include "runtime/mesh/grown.h"
#include "runtime/mesh/cards.h"
#include "runtime/mesh/levels.h"
#include "runtime/mesh/noise.h"
#include "runtime/mesh/shapes.h"

#include "tests/unit/mesh_fixture.h"

#include <meshoptimizer.h>

static RtMesh *coarser(Fixture *f, const RtMesh *mesh, double share, double smallest) {
    return mesh_coarser(&f->arena, &f->arena, mesh_pieces(&f->arena, mesh), share, smallest, 0.05);
}

static double extent(const RtMesh *mesh) {
    Vec3 low, high;
    mesh_bounds(mesh, &low, &high);
    Vec3 d = vec3_sub(high, low);
    return sqrt(vec3_dot(d, d));
}

static double area(const RtMesh *mesh) {
    double sum = 0;
    for (int32_t i = 0; i < mesh->index_count; i += 3) {
        Vec3 a = mesh_position(mesh, (int32_t)mesh->indices[i]);
        Vec3 n = vec3_cross(vec3_sub(mesh_position(mesh, (int32_t)mesh->indices[i + 1]), a),
                            vec3_sub(mesh_position(mesh, (int32_t)mesh->indices[i + 2]), a));
        sum += sqrt(vec3_dot(n, n)) / 2;
    }
    return sum;
}

/* A thousand leaves in a ball. */
static RtMesh *crown(Arena *arena) {
    enum { LEAVES = 1000 };
    MeshBuilder b = {.arena = arena};
    mesh_add_quad(&b, (Vec3){-0.1, 0, 0}, (Vec3){0.1, 0, 0}, (Vec3){0.1, 0.2, 0},
                  (Vec3){-0.1, 0.2, 0});
    RtMesh *leaf = mesh_finish(&b);
    leaf->two_sided = true;
    GrownCopy *copies = ARENA_ARRAY(arena, GrownCopy, LEAVES);
    for (uint32_t i = 0; i < LEAVES; i++) {
        Vec3 at = {6 * mesh_random(1, i) - 3, 6 * mesh_random(2, i) - 3, 6 * mesh_random(3, i) - 3};
        copies[i] = (GrownCopy){at, {0, 1, 0}, at, 1, {1, 1, 1}};
    }
    return grown_copies(arena, leaf, copies, LEAVES, true);
}

static void test_leaves_cover_as_much(void **state) {
    Fixture *f = *state;
    const RtMesh *full = crown(&f->arena);
    const double shares[] = {0.5, 0.1, 0.02};
    for (int i = 0; i < 3; i++) {
        const RtMesh *few = coarser(f, full, shares[i], 0.1);
        double kept = (double)few->index_count / full->index_count;
        assert_true(kept > 0.8 * shares[i] && kept < 1.25 * shares[i]);
        assert_true(fabs(area(few) / area(full) - 1) < 0.25);
        assert_true(fabs(extent(few) / extent(full) - 1) < 0.25);
        assert_true(few->two_sided);
    }
}

/* Four cards as large as the crown, whose picture is covered as the crown covers what is behind it. */
static void test_cards_from_afar(void **state) {
    enum { TEXELS = 32 };
    Fixture *f = *state;
    const RtMesh *full = crown(&f->arena);
    MeshCards cards = mesh_cards(&f->arena, &f->arena, full, TEXELS);
    assert_int_equal(cards.mesh->index_count / 3, 8);
    assert_int_equal(cards.width * cards.height, 4 * TEXELS * TEXELS);
    const int border = (int)(TEXELS / 2 * (1 - 1 / (1 + MESH_CARDS_BORDER))); /* texels round each card that stay empty */
    assert_true(fabs(extent(cards.mesh) / extent(full) / (1 + MESH_CARDS_BORDER) - 1) < 0.05);
    assert_true(cards.mesh->two_sided && cards.mesh->coords);
    for (int k = 0; k < 3; k++) { /* the leaves stand: from above there is nothing but their edges */
        double covered = 0;
        for (int i = 0; i < TEXELS * TEXELS; i++) {
            int x = i % TEXELS, y = i / TEXELS;
            int alpha = cards.picture[4 * ((k / 2 * TEXELS + y) * cards.width + k % 2 * TEXELS + x) + 3];
            bool rim = x < border || y < border || x >= TEXELS - border || y >= TEXELS - border;
            assert_true(!rim || alpha == 0);
            covered += alpha;
        }
        covered *= (1 + MESH_CARDS_BORDER) * (1 + MESH_CARDS_BORDER) / (255.0 * TEXELS * TEXELS);
        assert_true(covered > 0.3 && covered < 0.55); /* leaves of 40 m2 in all, turned every way, before 36 m2 */
    }
}

/* What is nearer hides the rest; a color comes back as sRGB. */
static void test_cards_show_the_nearest(void **state) {
    Fixture *f = *state;
    const RtMesh *near = mesh_move(&f->arena, shape_box(&f->arena, (Vec3){2, 2, 2}), (Vec3){0, 0, 4}), *far = shape_box(&f->arena, (Vec3){2, 2, 2});
    const RtMesh *both[2] = {mesh_paint(&f->arena, far, (Vec3){1, 0, 0}, (Vec3){1, 0, 0}),
                             mesh_paint(&f->arena, near, (Vec3){0, 1, 0}, (Vec3){0, 1, 0})};
    MeshCards cards = mesh_cards(&f->arena, &f->arena, mesh_merge(&f->arena, both, 2), 16);
    const uint8_t *middle = cards.picture + 4 * (8 * (size_t)cards.width + 8);
    assert_true(middle[0] == 0 && middle[1] > 235 && middle[2] == 0 && middle[3] == 255);
}

/* The card that lies does so where the mesh is widest: what stands under it is in its shadow, and of a cone that is its foot. */
static void test_a_card_lies_where_it_is_widest(void **state) {
    Fixture *f = *state;
    const ShapePoint side[2] = {{2, 0}, {0, 8}};
    const RtMesh *cone = shape_lathe(&f->arena, side, 2, 24, false), *ball = shape_sphere(&f->arena, 3, 32);
    MeshCards of_cone = mesh_cards(&f->arena, &f->arena, cone, 16), of_ball = mesh_cards(&f->arena, &f->arena, ball, 16);
    Vec3 low, high;
    mesh_bounds(ball, &low, &high);
    for (int corner = 0; corner < 4; corner++) {
        assert_true(fabs(mesh_position(of_cone.mesh, 12 + corner).y) < 1e-5);
        assert_true(fabs(mesh_position(of_ball.mesh, 12 + corner).y - (low.y + high.y) / 2) < 1e-5);
    }
}

static void test_solids_keep_their_shape(void **state) {
    Fixture *f = *state;
    const RtMesh *ball = shape_sphere(&f->arena, 2, 64);
    const RtMesh *few = coarser(f, ball, 0.2, 0.1);
    assert_true(few->index_count > 0 && few->index_count < ball->index_count * 0.4);
    assert_true(fabs(mesh_volume(few) / mesh_volume(ball) - 1) < 0.1);
}

static void test_small_pieces_go_first(void **state) {
    Fixture *f = *state;
    const TubePlace stem[2] = {{{0, 0, 0}, 0.3}, {{0, 8, 0}, 0.1}};
    const TubePlace twig[2] = {{{0, 5, 0}, 0.02}, {{0.3, 5.2, 0}, 0.01}};
    const TubeCourse tubes[2] = {{stem, 2, 8, 1}, {twig, 2, 3, 1}};
    const RtMesh *both = grown_tubes(&f->arena, tubes, 2, 1, (Vec3){1, 1, 1});
    const RtMesh *stem_only = coarser(f, both, 1, 0.1);
    assert_int_equal(mesh_open_edges(&f->arena, both), 0);
    assert_int_equal(mesh_open_edges(&f->arena, stem_only), 0);
    assert_true(stem_only->index_count < both->index_count);
    assert_true(fabs(extent(stem_only) / extent(both) - 1) < 0.05);
}

/* Of a head of a flower a few triangles are left where it is a few pixels: as far off as is said, and no farther. */
static void test_small_solids(void **state) {
    Fixture *f = *state;
    const RtMesh *head = shape_sphere(&f->arena, 2, 10);
    const MeshPieces *pieces = mesh_pieces(&f->arena, head);
    double share = 12.0 * 3 / head->index_count;
    const RtMesh *near = mesh_coarser(&f->arena, &f->arena, pieces, share, 0, 0.05), *far = mesh_coarser(&f->arena, &f->arena, pieces, share, 0, 0.45);
    assert_true(near->index_count / 3 >= 20 && far->index_count / 3 <= 12);
    assert_true(far->index_count / 3 >= 4 && extent(far) > 0.5 * extent(head));
}

static void test_never_empty(void **state) {
    Fixture *f = *state;
    assert_true(coarser(f, crown(&f->arena), 1e-9, 1)->index_count > 0);
    assert_true(coarser(f, shape_sphere(&f->arena, 1, 8), 1e-9, 2)->index_count > 0);
    assert_int_equal(coarser(f, mesh_merge(&f->arena, NULL, 0), 0.5, 1)->index_count,
                     0);
}

/* -- the memory of others -- */

static size_t peak, held;

static void *count_alloc(size_t size) {
    size_t *block = malloc(size + 16);
    block[0] = size;
    held += size;
    peak = held > peak ? held : peak;
    return (char *)block + 16;
}

static void count_free(void *piece) {
    if (!piece) return;
    size_t *block = (size_t *)(void *)((char *)piece - 16);
    held -= block[0];
    free(block);
}

static void takes_at_most(Fixture *f, const RtMesh *mesh) {
    peak = held = 0;
    coarser(f, mesh, 0.1, 0);
    mesh_coarser(&f->arena, &f->arena, mesh_pieces(&f->arena, mesh), 0.01, 0, 0.45);
    size_t most = mesh_simplify_memory((size_t)mesh->vertex_count, (size_t)mesh->index_count);
    assert_true(peak > 0 && peak <= most);
}

static void test_simplifying_is_counted(void **state) {
    Fixture *f = *state;
    meshopt_setAllocator(count_alloc, count_free);
    const int sizes[] = {3, 8, 40, 127, 128, 129, 300};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        takes_at_most(f, shape_sphere(&f->arena, 1, sizes[i]));
    RtMesh *loose = crown(&f->arena);
    loose->two_sided = false;
    takes_at_most(f, loose);
    const RtMesh *ball = shape_sphere(&f->arena, 1, 100);
    f->memory.limit = f->memory.used + 100000;
    Recover recover;
    bool refused = true;
    if (MEMORY_TRY(&recover)) {
        coarser(f, ball, 0.1, 0);
        memory_end_try(&recover);
        refused = false;
    }
    assert_true(refused);
    f->memory.limit = 0;
}

/* Leaves turn about their feet. */
static void test_pivots(void **state) {
    Fixture *f = *state;
    const RtMesh *leaves = crown(&f->arena);
    assert_non_null(leaves->pivots);
    for (int32_t v = 0; v < leaves->vertex_count; v++) {
        Vec3 d = vec3_sub(mesh_position(leaves, v), mesh_get(leaves->pivots, v));
        assert_true(sqrt(vec3_dot(d, d)) < 0.23);
    }
    const RtMesh *moved = mesh_move(&f->arena, leaves, (Vec3){5, 0, 0});
    assert_true(moved->pivots[0] == leaves->pivots[0] + 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_leaves_cover_as_much),
                                       TEST(test_cards_from_afar),
                                       TEST(test_cards_show_the_nearest),
                                       TEST(test_a_card_lies_where_it_is_widest),
                                       TEST(test_solids_keep_their_shape),
                                       TEST(test_small_pieces_go_first), TEST(test_small_solids), TEST(test_never_empty),
                                       TEST(test_simplifying_is_counted),
                                       TEST(test_pivots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
