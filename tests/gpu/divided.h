/* Lands of which squares are divided about a winding spine, rough at their finer points. */
#ifndef WORLD_TESTS_GPU_DIVIDED_H
#define WORLD_TESTS_GPU_DIVIDED_H

#include "runtime/grid/refine.h"
#include "tests/gpu/island.h"
#include "tests/unit/geometry_rt.h"

/* `span`: how far the spine reaches from the middle, meters; `rough`: of the finer points. */
static inline RtGrid *divided_land(Rt *rt, int points, double cell, double step, double span, double rough, const float *heights) {
    const Vec3 course[] = {{-span, 0, -0.9 * span}, {-0.5 * span, 0, -0.2 * span}, {0, 0, 0.3 * span}, {0.6 * span, 0, 0.1 * span}, {span, 0, span}};
    double half = (points - 1) * cell / 2;
    RtGrid *grid = grid_create(rt, &(GridShape){points, points, cell, -half, -half, -30});
    memcpy(grid->heights, heights, rt_grid_bytes(grid));
    grid = grid_refine(rt, grid, spine_create(rt, course, 5, SPINE_UNIFORM, SPINE_DOUBLED, 1), 3, step);
    assert_non_null(grid);
    FinerTiles tiles = grid_finer(grid);
    int32_t steps = FINER_TILE * grid->finer;
    for (int32_t row = 0; row < tiles.down; row++)
        for (int32_t column = 0; column < tiles.across; column++) {
            int64_t number = finer_number(&tiles, column, row);
            if (number < 0) continue;
            float *patch = (float *)(uintptr_t)finer_patch(&tiles, number);
            for (int32_t k = 0; k < tiles.side * tiles.side; k++) { /* by the place, so that tiles agree on their border */
                uint64_t p = (uint64_t)(column * steps + k % tiles.side), q = (uint64_t)(row * steps + k / tiles.side);
                uint64_t state = p * 2654435761u ^ q * 40503u * 65537u;
                patch[k] += (float)(rough * test_random(&state));
            }
        }
    grid_settle(grid);
    return grid;
}

static inline WorldScene divided_scene(const RtGrid *grid) {
    WorldScene scene = island_bare(grid->columns, grid->rows, grid->cell, grid->heights);
    scene.land.finer = grid->finer;
    scene.land.tail = (size_t)grid->tail;
    return scene;
}

#endif
