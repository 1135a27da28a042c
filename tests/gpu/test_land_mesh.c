/* The land's triangles: whole, watertight, the right diagonals, fine where they must be. Needs no
 * GL. */
#include "gpu/land_mesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

typedef struct Fixture {
    Memory memory;
    Arena arena;
    WorldGridView grid;
} Fixture;

static Fixture *make_grid(int columns, int rows) {
    Fixture *f = calloc(1, sizeof *f);
    memory_init(&f->memory, NULL, NULL, 0);
    arena_init(&f->arena, &f->memory);
    float *heights = ARENA_ARRAY(&f->arena, float, columns *rows);
    uint32_t state = 1;
    for (int i = 0; i < columns * rows; i++) {
        state = state * 1664525u + 1013904223u;
        heights[i] = (float)(state >> 8) / 1e6f;
    }
    f->grid = (WorldGridView){.columns = columns, .rows = rows, .cell = 2, .heights = heights};
    return f;
}

static void drop_grid(Fixture *f) {
    arena_fini(&f->arena);
    free(f);
}

/* What is drawn when the chunks whose bits are set in `far` look far away. */
static LandMesh choose(Fixture *f, const LandMesh *mesh, uint32_t far) {
    LandMesh drawn = *mesh;
    drawn.indices = ARENA_ARRAY(&f->arena, uint32_t, mesh->index_count);
    drawn.index_count = 0;
    for (int i = 0; i < mesh->chunk_count; i++) {
        const LandChunk *chunk = &mesh->chunks[i];
        uint32_t first = far >> i & 1 ? chunk->far_first : chunk->first,
                 count = far >> i & 1 ? chunk->far_count : chunk->count;
        memcpy(drawn.indices + drawn.index_count, mesh->indices + first, count * sizeof(uint32_t));
        drawn.index_count += count;
    }
    return drawn;
}

/* Twice the area of a triangle on the plan, in cells; positive when counterclockwise seen from
 * above. */
static long twice_area(const WorldGridView *grid, const uint32_t *t) {
    long x[3], z[3];
    for (int k = 0; k < 3; k++) {
        x[k] = (long)(t[k] % (uint32_t)grid->columns);
        z[k] = (long)(t[k] / (uint32_t)grid->columns);
    }
    return (z[1] - z[0]) * (x[2] - x[0]) - (x[1] - x[0]) * (z[2] - z[0]);
}

static int compare_edges(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Every edge is used once in each direction, but for the border's: so no two triangles leave a gap
 * between them. */
static long count_lone_edges(const LandMesh *mesh) {
    uint64_t *edges = malloc(sizeof(uint64_t) * mesh->index_count);
    for (size_t i = 0; i < mesh->index_count; i++) {
        size_t next = i % 3 == 2 ? i - 2 : i + 1;
        edges[i] = (uint64_t)mesh->indices[i] << 32 | mesh->indices[next];
    }
    qsort(edges, mesh->index_count, sizeof(uint64_t), compare_edges);
    long lone = 0;
    for (size_t i = 0; i < mesh->index_count; i++) {
        uint64_t back = edges[i] << 32 | edges[i] >> 32;
        if (i) assert_true(edges[i] != edges[i - 1]);
        lone += bsearch(&back, edges, mesh->index_count, sizeof(uint64_t), compare_edges) == NULL;
    }
    free(edges);
    return lone;
}

static void check_whole(const Fixture *f, const LandMesh *mesh) {
    long area = 0;
    for (size_t i = 0; i < mesh->index_count; i += 3) {
        long twice = twice_area(&f->grid, mesh->indices + i);
        assert_true(twice > 0);
        area += twice;
    }
    assert_int_equal(area, 2L * (f->grid.columns - 1) * (f->grid.rows - 1));
}

/* The triangle of the mesh over the middle of each half of a fine cell is that of the rule. */
static void test_all_fine(void **state) {
    (void)state;
    Fixture *f = make_grid(38, 27);
    LandMesh built = land_mesh_build(&f->arena, &f->grid, NULL, 0), mesh = choose(f, &built, 0);
    check_whole(f, &mesh);
    assert_int_equal(mesh.index_count, 37 * 26 * 6);
    assert_int_equal(count_lone_edges(&mesh), 2 * (37 + 26));
    for (size_t i = 0; i < mesh.index_count; i += 3)
        for (int k = 0; k < 3; k++) {
            uint32_t a = mesh.indices[i + (size_t)k], b = mesh.indices[i + (size_t)(k + 1) % 3];
            uint32_t low = a < b ? a : b, apart = a < b ? b - a : a - b;
            uint32_t column = low % 38, row = low / 38;
            if (apart == 39) assert_int_equal((column + row) % 2, 0);
            if (apart == 37) assert_int_equal((column - 1 + row) % 2, 1);
        }
    for (int i = 0; i < 38 * 27; i++)
        assert_true(mesh.heights[i] == f->grid.heights[i]);
    drop_grid(f);
}

static void test_fine_and_coarse_share_every_vertex(void **state) {
    (void)state;
    static const double outlines[3][8] = {{20, 20, 90, 30, 70, 100, 15, 60},
                                          {32, 32, 64, 32, 64, 64, 32, 64},
                                          {-50, 40, 300, 41, 300, 47, -50, 46}};
    for (int k = 0; k < 3; k++) {
        Fixture *f = make_grid(75, 65);
        LandMesh built = land_mesh_build(&f->arena, &f->grid, outlines[k], 4);
        for (uint32_t far = 0; far < 512; far += 7) {
            LandMesh mesh = choose(f, &built, far);
            check_whole(f, &mesh);
            assert_true(mesh.index_count < 74 * 64 * 6);
            long lone = count_lone_edges(&mesh);
            assert_true(lone <= 2 * (74 + 64) && lone >= 2 * (74 + 64) / LAND_BLOCK);
        }
        drop_grid(f);
    }
}

/* A chunk far away takes about a ninth of the triangles, and keeps its border sample by sample. */
static void test_far_chunks(void **state) {
    (void)state;
    Fixture *f = make_grid(97, 97);
    LandMesh mesh = land_mesh_build(&f->arena, &f->grid, NULL, 0);
    assert_int_equal(mesh.chunk_count, 9);
    for (int i = 0; i < 9; i++)
        assert_int_equal(mesh.chunks[i].count, 32 * 32 * 6);
    assert_int_equal(mesh.chunks[4].far_count, 3 * (2 * 64 + 4 * 8 * 3));
    LandMesh all = choose(f, &mesh, 511);
    check_whole(f, &all);
    assert_int_equal(count_lone_edges(&all), 4 * 24); /* the grid's own border is coarse */
    drop_grid(f);
}

/* Inside the outline, up to its border, every sample keeps its height and every cell its two
 * triangles. */
static void test_exact_inside(void **state) {
    (void)state;
    static const double outline[8] = {32, 32, 64, 32, 64, 64, 32, 64};
    Fixture *f = make_grid(75, 65);
    LandMesh built = land_mesh_build(&f->arena, &f->grid, outline, 4), mesh = choose(f, &built, 0);
    for (int j = 16; j <= 32; j++)
        for (int i = 16; i <= 32; i++)
            assert_true(mesh.heights[j * 75 + i] == f->grid.heights[j * 75 + i]);
    long inside = 0;
    for (size_t i = 0; i < mesh.index_count; i += 3) {
        bool within = true;
        for (int k = 0; k < 3; k++) {
            uint32_t column = mesh.indices[i + (size_t)k] % 75,
                     row = mesh.indices[i + (size_t)k] / 75;
            within &= column >= 16 && column <= 32 && row >= 16 && row <= 32;
        }
        inside += within;
    }
    assert_int_equal(inside, 16 * 16 * 2);
    drop_grid(f);
}

static void test_smallest(void **state) {
    (void)state;
    Fixture *f = make_grid(2, 2);
    LandMesh mesh = land_mesh_build(&f->arena, &f->grid, NULL, 0);
    assert_int_equal(mesh.chunks[0].count, 6);
    assert_int_equal(mesh.chunks[0].far_count, 6);
    assert_int_equal(mesh.chunk_count, 1);
    drop_grid(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_fine), cmocka_unit_test(test_fine_and_coarse_share_every_vertex),
        cmocka_unit_test(test_far_chunks), cmocka_unit_test(test_exact_inside),
        cmocka_unit_test(test_smallest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
