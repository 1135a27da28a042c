/* One tile: a window of the land, written and hashed; and what is there looked at again. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cli/tiles.h"
#include "runtime/base/hash.h"
#include "runtime/export/export.h"

void tile_path(const Tiles *tiles, int index, char *out, size_t size) {
    snprintf(out, size, "%s/x%d_y%d.%s", tiles->folder, index % tiles->across, index / tiles->across, tiles->format);
}

/* -- hashes -- */

/* Of a file, whole; false: it cannot be read. */
static bool hash_file(const char *path, uint64_t *bytes, uint64_t *hash) {
    size_t length;
    char *text = input_read(path, &length);
    *bytes = text ? length : 0;
    *hash = text ? hash_bytes(text, length, 0) : 0;
    free(text);
    return text != NULL;
}

static uint64_t hash_line(const float *first, int64_t stride, int count) {
    uint64_t hash = 0;
    for (int i = 0; i < count; i++, first += stride)
        hash = hash_numbers(first, sizeof *first, 1, hash);
    return hash;
}

static void hash_edges(const WorldGridView *view, uint64_t edges[EDGE_COUNT]) {
    int64_t columns = view->columns, rows = view->rows;
    edges[EDGE_NORTH] = hash_line(view->heights, 1, view->columns);
    edges[EDGE_SOUTH] = hash_line(view->heights + (rows - 1) * columns, 1, view->columns);
    edges[EDGE_WEST] = hash_line(view->heights, columns, view->rows);
    edges[EDGE_EAST] = hash_line(view->heights + columns - 1, columns, view->rows);
}

int tile_misses(const Tiles *tiles, int index) {
    static const TileEdge facing[] = {EDGE_SOUTH, EDGE_WEST, EDGE_NORTH, EDGE_EAST};
    int column = index % tiles->across, row = index / tiles->across;
    const int neighbors[] = {row > 0 ? index - tiles->across : -1, column + 1 < tiles->across ? index + 1 : -1,
                             row + 1 < tiles->down ? index + tiles->across : -1, column > 0 ? index - 1 : -1};
    const TileRow *here = &tiles->rows_done[index];
    for (int edge = 0; edge < EDGE_COUNT; edge++) {
        const TileRow *there = neighbors[edge] < 0 ? NULL : &tiles->rows_done[neighbors[edge]];
        if (there && there->done && here->edges[edge] != there->edges[facing[edge]]) return neighbors[edge];
    }
    return -1;
}

/* -- making -- */

static int least(int64_t a, int64_t b) {
    return (int)(a < b ? a : b);
}

static int ask_window(Tiles *tiles, int index, WorldGridView *view) {
    int64_t column = (int64_t)(index % tiles->across) * (tiles->side - 1), row = (int64_t)(index / tiles->across) * (tiles->side - 1);
    int columns = least(tiles->side, tiles->columns - column), rows = least(tiles->side, tiles->rows - row);
    char *expression = malloc(strlen(tiles->land) + 128);
    if (expression == NULL) return session_report(tiles->cli, WORLD_ERROR_MEMORY);
    sprintf(expression, "(%s).window(%" PRId64 ", %" PRId64 ", %d, %d)", tiles->land, column, row, columns, rows);
    WorldStatus status = world_grid_into(tiles->cli->world, expression, tiles->room, (size_t)tiles->side * (size_t)tiles->side, view);
    free(expression);
    if (status == WORLD_OK && view->columns == columns && view->rows == rows) return EXIT_FINE;
    return status == WORLD_OK ? usage_error(tiles->cli, "'%s' answers other windows than it is asked for", tiles->land)
                              : session_report(tiles->cli, status);
}

static int write_tile(const Tiles *tiles, int index, const WorldGridView *view) {
    char path[4096], said[512];
    LandExport land = {.columns = view->columns, .rows = view->rows, .cell = view->cell, .x0 = view->x0, .z0 = view->z0, .outside = view->outside,
                       .heights = view->heights, .alone = true, .has_range = tiles->has_scale, .low = tiles->scale[0], .high = tiles->scale[1],
                       .reference = {view->east, view->north, view->east_per_meter, view->north_per_meter, view->epsg, view->degrees}};
    tile_path(tiles, index, path, sizeof path);
    if (export_land(path, &land, said, sizeof said)) return EXIT_FINE;
    session_clear_progress(tiles->cli);
    fprintf(stderr, "worldc: %s: %s\n", path, said);
    return EXIT_USAGE;
}

static void find_range(const WorldGridView *view, TileRow *row) {
    int64_t count = (int64_t)view->columns * view->rows;
    row->low = row->high = (double)view->heights[0];
    for (int64_t i = 1; i < count; i++) {
        double height = (double)view->heights[i];
        if (height < row->low) row->low = height;
        if (height > row->high) row->high = height;
    }
}

int tile_make(Tiles *tiles, int index, TileRow *row) {
    WorldGridView view = {.size = sizeof view};
    char path[4096];
    *row = (TileRow){0};
    int code = ask_window(tiles, index, &view);
    if (code == EXIT_FINE) code = write_tile(tiles, index, &view);
    if (code != EXIT_FINE) return code;
    tile_path(tiles, index, path, sizeof path);
    if (!hash_file(path, &row->bytes, &row->hash)) return usage_error(tiles->cli, "'%s' was written and cannot be read", path);
    find_range(&view, row);
    hash_edges(&view, row->edges);
    row->done = true;
    return EXIT_FINE;
}

bool tile_verify(const Tiles *tiles, int index, const TileRow *row, const char **why) {
    char path[4096];
    uint64_t bytes, hash;
    tile_path(tiles, index, path, sizeof path);
    *why = !row->done ? "it is not built" : NULL;
    if (*why == NULL && !hash_file(path, &bytes, &hash)) *why = "it cannot be read";
    if (*why == NULL && (bytes != row->bytes || hash != row->hash)) *why = "it is not what was built: another hash";
    return *why == NULL;
}
