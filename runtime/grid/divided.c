#include "runtime/grid/divided.h"

DividedWindow divided_window(const RtGrid *grid, int32_t i0, int32_t j0, int32_t i1, int32_t j1) {
    return (DividedWindow){grid, grid_finer(grid), i0, j0, i1, j1};
}

bool divided_is_square(const DividedWindow *window, int32_t i, int32_t j) {
    return finer_number(&window->tiles, i / FINER_TILE, j / FINER_TILE) >= 0;
}

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static size_t count_points(const DividedTile *tile) {
    return (size_t)divided_row_points(tile) * (size_t)(tile->q1 - tile->q0 + 1);
}

bool divided_next(const DividedWindow *window, DividedTile *tile) {
    const FinerTiles *tiles = &window->tiles;
    int32_t finer = tiles->finer, step = FINER_TILE * finer;
    bool begins = tile->column < 0;
    if (finer == 0) return false;
    uint32_t first = begins ? (uint32_t)(window->i1 - window->i0 + 1) * (uint32_t)(window->j1 - window->j0 + 1) : tile->first + (uint32_t)count_points(tile);
    int32_t from_column = window->i0 / FINER_TILE, to_column = (window->i1 - 1) / FINER_TILE, to_row = (window->j1 - 1) / FINER_TILE;
    int32_t row = begins ? window->j0 / FINER_TILE : tile->row, column = begins ? from_column : tile->column + 1;
    for (; row <= to_row; row++, column = from_column)
        for (; column <= to_column; column++) {
            if (finer_number(tiles, column, row) < 0) continue;
            *tile = (DividedTile){.column = column, .row = row, .first = first};
            tile->p0 = larger(column * step, window->i0 * finer), tile->p1 = smaller((column + 1) * step, window->i1 * finer);
            tile->q0 = larger(row * step, window->j0 * finer), tile->q1 = smaller((row + 1) * step, window->j1 * finer);
            return true;
        }
    return false;
}

void divided_points(const DividedWindow *window, const DividedTile *tile, int32_t q, float *xyz) {
    const RtGrid *grid = window->grid;
    const FinerTiles *tiles = &window->tiles;
    int32_t step = FINER_TILE * tiles->finer;
    double cell = grid->cell / tiles->finer;
    const float *heights = finer_patch(tiles, finer_number(tiles, tile->column, tile->row)) + (int64_t)(q - tile->row * step) * tiles->side - tile->column * step;
    for (int32_t p = tile->p0; p <= tile->p1; p++, xyz += 3) {
        xyz[0] = (float)(grid->x0 + p * cell);
        xyz[1] = heights[p];
        xyz[2] = (float)(grid->z0 + q * cell);
    }
}

/* Whether a tile beside it is there, and not divided. */
static bool is_coarse(const FinerTiles *tiles, int32_t column, int32_t row) {
    return column >= 0 && row >= 0 && column < tiles->across && row < tiles->down && finer_number(tiles, column, row) < 0;
}

static uint32_t point_at(const DividedWindow *window, const DividedTile *tile, int32_t p, int32_t q) {
    const FinerTiles *tiles = &window->tiles;
    int32_t finer = tiles->finer, step = FINER_TILE * finer;
    int32_t beside_x = p == tile->column * step ? -1 : p == (tile->column + 1) * step, beside_z = q == tile->row * step ? -1 : q == (tile->row + 1) * step;
    if (beside_x && is_coarse(tiles, tile->column + beside_x, tile->row)) q -= q % finer;
    if (beside_z && is_coarse(tiles, tile->column, tile->row + beside_z)) p -= p % finer;
    if (p % finer || q % finer) return tile->first + (uint32_t)(q - tile->q0) * (uint32_t)divided_row_points(tile) + (uint32_t)(p - tile->p0);
    return (uint32_t)(q / finer - window->j0) * (uint32_t)(window->i1 - window->i0 + 1) + (uint32_t)(p / finer - window->i0);
}

int32_t divided_triangles(const DividedWindow *window, const DividedTile *tile, int32_t q, uint32_t *corners) {
    int32_t count = 0;
    for (int32_t p = tile->p0; p < tile->p1; p++) {
        uint32_t a = point_at(window, tile, p, q), b = point_at(window, tile, p + 1, q), c = point_at(window, tile, p, q + 1), d = point_at(window, tile, p + 1, q + 1);
        const uint32_t even[2][3] = {{a, c, d}, {a, d, b}}, odd[2][3] = {{a, c, b}, {b, c, d}};
        for (int k = 0; k < 2; k++) {
            const uint32_t *three = (p + q) % 2 ? odd[k] : even[k];
            if (three[0] == three[1] || three[1] == three[2] || three[2] == three[0]) continue; /* empty: a point of the border is the grid's */
            if (corners) memcpy(corners + 3 * (size_t)count, three, sizeof *even);
            count++;
        }
    }
    return count;
}

void divided_count(const DividedWindow *window, size_t *points, size_t *triangles) {
    *points = *triangles = 0;
    for (DividedTile tile = {.column = -1}; divided_next(window, &tile);) {
        *points += count_points(&tile);
        for (int32_t q = tile.q0; q < tile.q1; q++)
            *triangles += (size_t)divided_triangles(window, &tile, q, NULL);
    }
}
