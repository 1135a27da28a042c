/* Plants: one hash whatever grows them, trees of neighboring seeds that know nothing of each other, and what stands for a tree where it
 * looks small. */
#include "tests/support/host.h"

static Host open_plants(WorldEngineDesc desc) {
    Host plants = open_host(desc, NULL);
    must(&plants, world_open_file(plants.engine, getenv("PLANTS_WORLD"), &(WorldDesc){0}, &plants.world));
    return plants;
}

static uint64_t hash_with(WorldEngineDesc desc) {
    Host plants = open_plants(desc);
    uint64_t hash = 0;
    must(&plants, world_hash(plants.world, &hash));
    world_engine_destroy(plants.engine);
    return hash;
}

/* It changes when a preset does, and when what the language means changes: then CHANGELOG.md says why. */
static const uint64_t known_hash = 0xcff050e685c768aa;

/* Machine code where it pays is compiled anew each time, which takes longer than growing. */
static void test_one_hash(void **state) {
    (void)state;
    for (int threads = 1; threads <= 4; threads *= 2)
        assert_int_equal(hash_with((WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER, .threads = threads}), known_hash);
    assert_int_equal(hash_with((WorldEngineDesc){.threads = 2}), known_hash);
}

static void test_neighbors_are_strangers(void **state) {
    (void)state;
    Host plants = open_plants((WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER});
    WorldFunction likeness;
    int64_t count = 20000;
    double most = 1;
    must(&plants, world_function(plants.world, "likeness", "fn(int) number", &likeness));
    must(&plants, world_call(plants.world, likeness, &count, &most));
    assert_true(most < 0.02);
    world_engine_destroy(plants.engine);
}

static void test_reach_covers_leaves(void **state) {
    (void)state;
    Host plants = open_plants((WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER});
    WorldFunction covered;
    bool all = false;
    must(&plants, world_function(plants.world, "covered", "fn() bool", &covered));
    must(&plants, world_call(plants.world, covered, NULL, &all));
    assert_true(all);
    world_engine_destroy(plants.engine);
}

/* -- from afar -- */

static const WorldMesh *coarsest(const WorldMesh *mesh) {
    while (mesh->coarser) {
        assert_true(mesh->coarser->index_count < mesh->index_count);
        assert_true(!mesh->coarser->coarser || mesh->coarser->coarser_below < mesh->coarser_below);
        mesh = mesh->coarser;
    }
    return mesh;
}

static void test_from_afar(void **state) {
    (void)state;
    Host plants = open_plants((WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER});
    const WorldScene *scene;
    must(&plants, world_scene(plants.world, &scene));
    assert_int_equal(scene->mesh_count, 2);
    for (size_t m = 0; m < 2; m++) {
        const WorldMesh *mesh = &scene->meshes[m], *last = coarsest(mesh);
        if (!mesh->two_sided) { /* bark, whose coordinates its coarser meshes keep */
            assert_true(mesh->coords && last->coords && !mesh->pivots && !last->picture);
            continue;
        }
        assert_non_null(mesh->pivots);
        assert_non_null(last->picture);
        assert_int_equal(last->index_count, 24);
        for (uint32_t i = 0; i < 2 * last->vertex_count; i++)
            assert_true(last->coords[i] >= 0 && last->coords[i] <= 1);
    }
    world_engine_destroy(plants.engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_hash), cmocka_unit_test(test_neighbors_are_strangers),
                                       cmocka_unit_test(test_reach_covers_leaves), cmocka_unit_test(test_from_afar)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
