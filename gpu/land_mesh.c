#include "gpu/land_mesh.h"

#include <math.h>

typedef struct Builder {
    const WorldGridView *grid;
    const double *outline;
    size_t corners;
    int block_columns, block_rows;
    uint8_t *fine; /* of each block */
    LandMesh mesh;
} Builder;

/* -- the outline -- */

/* Narrows [*from, *to], the part of a segment that lies between low and high on one axis. */
static void clip_axis(double start, double step, double low, double high, double *from,
                      double *to) {
    if (step == 0) {
        if (start < low || start > high) *to = -1;
        return;
    }
    double a = (low - start) / step, b = (high - start) / step;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
}

static bool segment_meets_box(const double *a, const double *b, const double low[2],
                              const double high[2]) {
    double from = 0, to = 1;
    for (int axis = 0; axis < 2; axis++)
        clip_axis(a[axis], b[axis] - a[axis], low[axis], high[axis], &from, &to);
    return from <= to;
}

static bool outline_contains(const Builder *b, double x, double z) {
    bool inside = false;
    for (size_t i = 0; i < b->corners; i++) {
        const double *p = b->outline + 2 * i, *q = b->outline + 2 * ((i + 1) % b->corners);
        if ((p[1] > z) != (q[1] > z) && x < p[0] + (z - p[1]) / (q[1] - p[1]) * (q[0] - p[0]))
            inside = !inside;
    }
    return inside;
}

static bool outline_meets_box(const Builder *b, const double low[2], const double high[2]) {
    for (size_t i = 0; i < b->corners; i++)
        if (segment_meets_box(b->outline + 2 * i, b->outline + 2 * ((i + 1) % b->corners), low,
                              high))
            return true;
    return outline_contains(b, (low[0] + high[0]) / 2, (low[1] + high[1]) / 2);
}

/* -- which blocks are fine -- */

static bool exists(const Builder *b, int column, int row) {
    return column >= 0 && row >= 0 && column < b->block_columns && row < b->block_rows;
}

/* Past the border nothing is drawn, so nothing there asks for fine edges. */
static bool is_fine(const Builder *b, int column, int row) {
    return exists(b, column, row) && b->fine[row * b->block_columns + column];
}

/* By the grid's border; such a block is fine in every case. */
static bool is_cut_short(const Builder *b, int column, int row) {
    return (column + 1) * LAND_BLOCK > b->grid->columns - 1 ||
           (row + 1) * LAND_BLOCK > b->grid->rows - 1;
}

static bool choose_fine(const Builder *b, int column, int row) {
    const WorldGridView *grid = b->grid;
    int i = column * LAND_BLOCK, j = row * LAND_BLOCK;
    if (b->corners == 0 || is_cut_short(b, column, row)) return true;
    double low[2] = {grid->x0 + (i - 1) * grid->cell, grid->z0 + (j - 1) * grid->cell};
    double side = (LAND_BLOCK + 2) * grid->cell;
    return outline_meets_box(b, low, (double[2]){low[0] + side, low[1] + side});
}

/* -- heights as drawn -- */

static uint32_t sample_at(const Builder *b, int i, int j) {
    return (uint32_t)j * (uint32_t)b->grid->columns + (uint32_t)i;
}

/* Moves the samples between two block corners onto the line between them. */
static void flatten_edge(Builder *b, uint32_t first, uint32_t stride) {
    float *heights = b->mesh.heights;
    double start = heights[first], end = heights[first + LAND_BLOCK * stride];
    for (uint32_t k = 1; k < LAND_BLOCK; k++)
        heights[first + k * stride] = (float)(start + (end - start) * k / LAND_BLOCK);
}

/* Each edge of a coarse block that a fine block shares. */
static void flatten_edges(Builder *b, int column, int row) {
    int i = column * LAND_BLOCK, j = row * LAND_BLOCK;
    uint32_t down = (uint32_t)b->grid->columns;
    if (is_fine(b, column, row - 1)) flatten_edge(b, sample_at(b, i, j), 1);
    if (is_fine(b, column, row + 1)) flatten_edge(b, sample_at(b, i, j + LAND_BLOCK), 1);
    if (is_fine(b, column - 1, row)) flatten_edge(b, sample_at(b, i, j), down);
    if (is_fine(b, column + 1, row)) flatten_edge(b, sample_at(b, i + LAND_BLOCK, j), down);
}

/* -- triangles -- */

static void add_triangle(Builder *b, uint32_t p, uint32_t q, uint32_t r) {
    uint32_t *out = b->mesh.indices + b->mesh.index_count;
    out[0] = p;
    out[1] = q;
    out[2] = r;
    b->mesh.index_count += 3;
}

static void add_cell(Builder *b, int i, int j) {
    uint32_t a = sample_at(b, i, j), east = a + 1;
    uint32_t south = a + (uint32_t)b->grid->columns, far = south + 1;
    if ((i + j) % 2 == 0) {
        add_triangle(b, a, south, far);
        add_triangle(b, a, far, east);
    } else {
        add_triangle(b, a, south, east);
        add_triangle(b, east, south, far);
    }
}

static void add_fine_block(Builder *b, int column, int row) {
    int i0 = column * LAND_BLOCK, j0 = row * LAND_BLOCK;
    for (int j = j0; j < j0 + LAND_BLOCK && j < b->grid->rows - 1; j++)
        for (int i = i0; i < i0 + LAND_BLOCK && i < b->grid->columns - 1; i++)
            add_cell(b, i, j);
}

/* The samples from `apex` to a neighbouring corner: all of them when the edge is shared with a fine
 * block. */
typedef struct Side {
    uint32_t start, stride;
    uint32_t steps; /* 1 or LAND_BLOCK */
} Side;

static uint32_t side_at(const Side *side, uint32_t step) {
    return side->start + step * side->stride * (LAND_BLOCK / side->steps);
}

/* Half a coarse block: the triangle between two sides that leave one corner, as a strip that uses
 * every sample of both. `second` is counterclockwise of `first`, seen from above. */
static void add_half(Builder *b, Side first, Side second) {
    uint32_t i = 1, j = 1;
    add_triangle(b, first.start, side_at(&first, 1), side_at(&second, 1));
    while (i < first.steps || j < second.steps) {
        uint32_t p = side_at(&first, i), q = side_at(&second, j);
        if (i * second.steps <= j * first.steps && i < first.steps)
            add_triangle(b, p, side_at(&first, ++i), q);
        else
            add_triangle(b, p, side_at(&second, ++j), q);
    }
}

/* Whether an edge between two blocks uses every sample. Inside a chunk that is drawn coarse as a
 * whole only blocks cut short are fine; at its border, and everywhere else, what the blocks are by
 * themselves decides. */
static uint32_t edge_steps(const Builder *b, int column, int row, int beside_column, int beside_row,
                           bool whole) {
    if (!exists(b, beside_column, beside_row)) return 1;
    bool same_chunk = column / LAND_CHUNK_BLOCKS == beside_column / LAND_CHUNK_BLOCKS &&
                      row / LAND_CHUNK_BLOCKS == beside_row / LAND_CHUNK_BLOCKS;
    bool split = whole && same_chunk
                     ? is_cut_short(b, beside_column, beside_row)
                     : is_fine(b, column, row) || is_fine(b, beside_column, beside_row);
    return split ? LAND_BLOCK : 1;
}

static void add_coarse_block(Builder *b, int column, int row, bool whole) {
    int i = column * LAND_BLOCK, j = row * LAND_BLOCK;
    uint32_t down = (uint32_t)b->grid->columns;
    uint32_t west_north = sample_at(b, i, j), east_north = sample_at(b, i + LAND_BLOCK, j);
    uint32_t west_south = sample_at(b, i, j + LAND_BLOCK),
             east_south = sample_at(b, i + LAND_BLOCK, j + LAND_BLOCK);
    uint32_t north = edge_steps(b, column, row, column, row - 1, whole);
    uint32_t south = edge_steps(b, column, row, column, row + 1, whole);
    uint32_t west = edge_steps(b, column, row, column - 1, row, whole);
    uint32_t east = edge_steps(b, column, row, column + 1, row, whole);
    if ((column + row) % 2 == 0) {
        add_half(b, (Side){west_south, 1, south}, (Side){west_south, 0u - down, west});
        add_half(b, (Side){east_north, 0u - 1u, north}, (Side){east_north, down, east});
    } else {
        add_half(b, (Side){west_north, down, west}, (Side){west_north, 1, north});
        add_half(b, (Side){east_south, 0u - down, east}, (Side){east_south, 0u - 1u, south});
    }
}

/* -- chunks -- */

static void measure_chunk(const Builder *b, LandChunk *chunk) {
    chunk->low = INFINITY;
    chunk->high = -INFINITY;
    for (int j = chunk->row; j <= chunk->row + chunk->rows; j++)
        for (int i = chunk->column; i <= chunk->column + chunk->columns; i++) {
            float height = b->mesh.heights[sample_at(b, i, j)];
            chunk->low = fminf(chunk->low, height);
            chunk->high = fmaxf(chunk->high, height);
        }
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static void begin_chunk(Builder *b, int block_column, int block_row) {
    LandChunk *chunk = &b->mesh.chunks[b->mesh.chunk_count++];
    *chunk = (LandChunk){.column = block_column * LAND_BLOCK, .row = block_row * LAND_BLOCK};
    int side = LAND_CHUNK_BLOCKS * LAND_BLOCK;
    chunk->columns = smaller(side, b->grid->columns - 1 - chunk->column);
    chunk->rows = smaller(side, b->grid->rows - 1 - chunk->row);
    measure_chunk(b, chunk);
}

/* The chunk's triangles; how many indices. */
static uint32_t add_chunk_blocks(Builder *b, const LandChunk *chunk, bool whole) {
    size_t before = b->mesh.index_count;
    int column = chunk->column / LAND_BLOCK, row = chunk->row / LAND_BLOCK;
    int column_end = smaller(column + LAND_CHUNK_BLOCKS, b->block_columns);
    int row_end = smaller(row + LAND_CHUNK_BLOCKS, b->block_rows);
    for (int j = row; j < row_end; j++)
        for (int i = column; i < column_end; i++) {
            bool fine = whole ? is_cut_short(b, i, j) : is_fine(b, i, j);
            if (fine)
                add_fine_block(b, i, j);
            else
                add_coarse_block(b, i, j, whole);
        }
    return (uint32_t)(b->mesh.index_count - before);
}

/* First all chunks as they are, then all again for far away: neighbours of a kind lie side by side.
 */
static void add_chunks(Builder *b) {
    for (int row = 0; row < b->block_rows; row += LAND_CHUNK_BLOCKS)
        for (int column = 0; column < b->block_columns; column += LAND_CHUNK_BLOCKS)
            begin_chunk(b, column, row);
    for (int i = 0; i < b->mesh.chunk_count; i++) {
        b->mesh.chunks[i].first = (uint32_t)b->mesh.index_count;
        b->mesh.chunks[i].count = add_chunk_blocks(b, &b->mesh.chunks[i], false);
    }
    for (int i = 0; i < b->mesh.chunk_count; i++) {
        b->mesh.chunks[i].far_first = (uint32_t)b->mesh.index_count;
        b->mesh.chunks[i].far_count = add_chunk_blocks(b, &b->mesh.chunks[i], true);
    }
}

static int blocks_over(int samples, int size) {
    return (samples - 1 + size - 1) / size;
}

static void begin(Builder *b, Arena *arena) {
    const WorldGridView *grid = b->grid;
    size_t samples = (size_t)grid->columns * (size_t)grid->rows;
    b->block_columns = blocks_over(grid->columns, LAND_BLOCK);
    b->block_rows = blocks_over(grid->rows, LAND_BLOCK);
    b->fine = ARENA_ARRAY(arena, uint8_t, b->block_columns * b->block_rows);
    b->mesh.heights = ARENA_ARRAY(arena, float, samples);
    memcpy(b->mesh.heights, grid->heights, samples * sizeof(float));
    /* 6 indices a cell; for far away at most 14 triangles a block, and the cells of blocks cut
     * short. */
    size_t blocks = (size_t)b->block_columns * (size_t)b->block_rows;
    size_t cut_short = (size_t)(b->block_columns + b->block_rows) * LAND_BLOCK * LAND_BLOCK;
    b->mesh.indices = ARENA_ARRAY(arena, uint32_t, samples * 6 + blocks * 14 * 3 + cut_short * 6);
    int chunk_columns = blocks_over(grid->columns, LAND_BLOCK * LAND_CHUNK_BLOCKS);
    int chunk_rows = blocks_over(grid->rows, LAND_BLOCK * LAND_CHUNK_BLOCKS);
    b->mesh.chunks = ARENA_ARRAY(arena, LandChunk, chunk_columns * chunk_rows);
}

LandMesh land_mesh_build(Arena *arena, const WorldGridView *grid, const double *outline,
                         size_t corners) {
    Builder b = {.grid = grid, .outline = outline, .corners = corners};
    begin(&b, arena);
    for (int row = 0; row < b.block_rows; row++)
        for (int column = 0; column < b.block_columns; column++)
            b.fine[row * b.block_columns + column] = choose_fine(&b, column, row);
    for (int row = 0; row < b.block_rows; row++)
        for (int column = 0; column < b.block_columns; column++)
            if (!is_fine(&b, column, row)) flatten_edges(&b, column, row);
    add_chunks(&b);
    return b.mesh;
}
