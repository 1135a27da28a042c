/* Finer tiles of a height grid: how they lie in the numbers behind its samples.
 *
 *     samples          columns * rows
 *     of each tile     the number of its patch, or -1; a tile is FINER_TILE squares a side, row by row from sample (0, 0)
 *     patches          (FINER_TILE * finer + 1)^2 heights each, row by row, the border's too
 *
 * A square of a tile that has a patch is `finer` by `finer` squares, a power of two, which are split as the grid's own are: by the diagonal from
 * (i, j) to (i + 1, j + 1) when i + j is even, counted in the fine lattice of the whole grid. What lies within one fine square of a tile without a
 * patch lies on that tile's kind of triangles, so that either kind may be drawn along such a border, and both say one height.
 */
#ifndef WORLD_BASE_FINER_H
#define WORLD_BASE_FINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FINER_TILE = 16, FINER_MOST = 16 }; /* squares */

typedef struct FinerTiles {
    int32_t finer, side;  /* 0: there are none; heights along a patch */
    int32_t across, down; /* tiles */
    const float *numbers; /* of patches, a tile each */
} FinerTiles;

static inline FinerTiles finer_tiles(int32_t columns, int32_t rows, int32_t finer, const float *tail) {
    if (finer == 0) return (FinerTiles){0};
    return (FinerTiles){finer, FINER_TILE * finer + 1, (columns - 2) / FINER_TILE + 1, (rows - 2) / FINER_TILE + 1, tail};
}

static inline size_t finer_tile_count(const FinerTiles *tiles) {
    return (size_t)tiles->across * (size_t)tiles->down;
}

/* Of the tile in that column and row; -1: it has none, or there is no such tile. */
static inline int64_t finer_number(const FinerTiles *tiles, int32_t column, int32_t row) {
    if (column < 0 || row < 0 || column >= tiles->across || row >= tiles->down) return -1;
    return (int64_t)tiles->numbers[(size_t)row * (size_t)tiles->across + (size_t)column];
}

static inline size_t finer_patch_size(const FinerTiles *tiles) {
    return (size_t)tiles->side * (size_t)tiles->side;
}

/* Where that patch begins. */
static inline const float *finer_patch(const FinerTiles *tiles, int64_t number) {
    return tiles->numbers + finer_tile_count(tiles) + (size_t)number * finer_patch_size(tiles);
}

/* Whether a tail of so many numbers is one, for tails that were read from a file. */
static inline bool finer_is_good(const FinerTiles *tiles, int64_t tail) {
    if (tiles->finer < 2) return tiles->finer == 0 && tail == 0;
    if (tiles->finer > FINER_MOST || (tiles->finer & (tiles->finer - 1))) return false;
    int64_t count = (int64_t)finer_tile_count(tiles), size = (int64_t)finer_patch_size(tiles);
    if (tail < count || (tail - count) % size) return false;
    for (int64_t i = 0; i < count; i++) {
        float number = tiles->numbers[i];
        if (!(number >= -1 && number < (float)((tail - count) / size)) || number != (float)(int64_t)number) return false;
    }
    return true;
}

#endif
