#include "gpu/land_look.h"

#include "runtime/math/pcg.h"

#include <math.h>
#include <stdatomic.h>
#include <unistd.h>

static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

static float height_at(const WorldGridView *grid, int i, int j) {
    i = clamp(i, 0, grid->columns - 1);
    j = clamp(j, 0, grid->rows - 1);
    return grid->heights[(size_t)j * (size_t)grid->columns + (size_t)i];
}

/* A distance in whole cells, at least one. */
static int cells_over(const WorldGridView *grid, double meters) {
    int cells = (int)floor(meters / grid->cell + 0.5);
    return cells < 1 ? 1 : cells;
}

/* Over the samples that exist: one-sided at the border, so that no cliff shows there. */
static float gradient_over(float before, float after, int from, int to, int most, double cell) {
    int span = clamp(to, 0, most) - clamp(from, 0, most);
    return span ? (after - before) / (float)(span * cell) : 0;
}

enum { WAYS = 8, REACHES = 5 };

/* What a pass over a grid needs of its cell. */
typedef struct Reach {
    int near, first;           /* cells */
    float less[2][REACHES];    /* one by a reach in meters, along an axis and across */
} Reach;

static Reach reach_of(const WorldGridView *grid) {
    Reach reach = {.near = cells_over(grid, 4), .first = cells_over(grid, 5)};
    for (int k = 0; k < REACHES; k++) {
        double meters = (reach.first << k) * grid->cell;
        reach.less[0][k] = (float)(1 / meters);
        reach.less[1][k] = (float)(1 / (meters * 1.41421356));
    }
    return reach;
}

/* The sky left open above the horizon in eight directions, each searched at doubling distances. */
static float open_at(const WorldGridView *grid, int i, int j, const Reach *reach) {
    static const int ways[WAYS][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    float here = height_at(grid, i, j), hidden = 0;
    for (int way = 0; way < WAYS; way++) {
        float steepest = 0;
        for (int k = 0; k < REACHES; k++) {
            int cells = reach->first << k;
            float steep = (height_at(grid, i + ways[way][0] * cells, j + ways[way][1] * cells) - here) * reach->less[way % 2][k];
            if (steep > steepest) steepest = steep;
        }
        hidden += steepest / sqrtf(1 + steepest * steepest);
    }
    return 1 - hidden / WAYS;
}

/* Rounded up or down by chance, the more likely to the nearer: so that no steps show where ground bends little. */
static uint32_t rounded(float value, int i, int j, uint32_t part) {
    float chance = (float)(pcg_hash(pcg_hash((uint32_t)i * 3 + part) ^ (uint32_t)j) >> 20) * 0x1p-12f;
    return (uint32_t)floorf(value + chance);
}

typedef struct Rows {
    const WorldGridView *grid;
    int step, first, count, columns;
    uint32_t *look;
    atomic_int next;
} Rows;

static void look_row(const Rows *rows, int row) {
    const WorldGridView *grid = rows->grid;
    const Reach reach = reach_of(grid);
    int near = reach.near, j = (rows->first + row) * rows->step;
    uint32_t *look = rows->look + (size_t)row * (size_t)rows->columns;
    for (int column = 0; column < rows->columns; column++) {
        int i = column * rows->step;
        float x = gradient_over(height_at(grid, i - near, j), height_at(grid, i + near, j), i - near, i + near, grid->columns - 1, grid->cell);
        float z = gradient_over(height_at(grid, i, j - near), height_at(grid, i, j + near), j - near, j + near, grid->rows - 1, grid->cell);
        float size = 511 / sqrtf(1 + x * x + z * z);
        look[column] = rounded(511 - x * size, i, j, 0) | rounded(511 - z * size, i, j, 1) << 10 | rounded(1023 * open_at(grid, i, j, &reach), i, j, 2) << 20;
    }
}

static void look_some(void *user, int number) {
    Rows *rows = user;
    (void)number;
    for (int row; (row = atomic_fetch_add(&rows->next, 1)) < rows->count;)
        look_row(rows, row);
}

RtPool *land_look_pool(Memory *memory) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return rt_pool_create(memory, cores > 64 ? 64 : (int)cores);
}

void land_look_rows(RtPool *pool, const WorldGridView *grid, int step, int first, int count, uint32_t *look) {
    Rows rows = {.grid = grid, .step = step, .first = first, .count = count, .columns = (grid->columns - 1) / step + 1, .look = look};
    rt_pool_run(pool, 64, look_some, &rows);
}
