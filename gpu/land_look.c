#include "gpu/land_look.h"

#include <math.h>

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

static float hollow_at(const WorldGridView *grid, int i, int j, int reach) {
    float sides = height_at(grid, i - reach, j) + height_at(grid, i + reach, j) +
                  height_at(grid, i, j - reach) + height_at(grid, i, j + reach);
    float span = (float)(reach * grid->cell);
    return (sides - 4 * height_at(grid, i, j)) / (span * span);
}

/* The sky left open above the horizon in eight directions, each searched at doubling distances. */
static float open_at(const WorldGridView *grid, int i, int j, int first) {
    static const int ways[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                   {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    float here = height_at(grid, i, j), hidden = 0;
    for (int way = 0; way < 8; way++) {
        float steepest = 0, unit = (float)grid->cell * (way % 2 ? 1.41421356f : 1);
        for (int reach = first, k = 0; k < 5; reach *= 2, k++) {
            float rise = height_at(grid, i + ways[way][0] * reach, j + ways[way][1] * reach) - here;
            float steep = rise / ((float)reach * unit);
            if (steep > steepest) steepest = steep;
        }
        hidden += steepest / sqrtf(1 + steepest * steepest);
    }
    return 1 - hidden / 8;
}

static void look_row(const WorldGridView *grid, int j, float *look) {
    int near = cells_over(grid, 4), reach = cells_over(grid, 9), first = cells_over(grid, 5);
    for (int i = 0; i < grid->columns; i++, look += 4) {
        look[0] = gradient_over(height_at(grid, i - near, j), height_at(grid, i + near, j),
                                i - near, i + near, grid->columns - 1, grid->cell);
        look[1] = gradient_over(height_at(grid, i, j - near), height_at(grid, i, j + near),
                                j - near, j + near, grid->rows - 1, grid->cell);
        look[2] = hollow_at(grid, i, j, reach);
        look[3] = open_at(grid, i, j, first);
    }
}

void land_look_build(const WorldGridView *grid, float *look) {
    for (int j = 0; j < grid->rows; j++)
        look_row(grid, j, look + (size_t)j * (size_t)grid->columns * 4);
}
