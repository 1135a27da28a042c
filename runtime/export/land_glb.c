#include "runtime/export/land_glb.h"

#include "runtime/file/file.h"
#include "runtime/geometry/scalar.h"
#include "runtime/grid/grid.h"

enum { GLB_MAGIC = 0x46546C67, GLB_JSON = 0x4E4F534A, GLB_BIN = 0x004E4942 };

typedef struct Layout {
    uint64_t vertices, triangles, position_bytes, index_bytes;
} Layout;

static Layout lay_out(const RtGrid *grid) {
    uint64_t columns = (uint64_t)grid->columns, rows = (uint64_t)grid->rows;
    Layout layout = {.vertices = columns * rows, .triangles = 2 * (columns - 1) * (rows - 1)};
    layout.position_bytes = layout.vertices * 12;
    layout.index_bytes = layout.triangles * 12;
    return layout;
}

/* The glTF part, padded with spaces to a multiple of 4. */
static Str describe(Arena *arena, const RtGrid *grid, const Layout *layout) {
    double low = (double)grid->heights[0], high = low;
    for (uint64_t i = 1; i < layout->vertices; i++) {
        low = scalar_min(low, (double)grid->heights[i]);
        high = scalar_max(high, (double)grid->heights[i]);
    }
    StrBuf out = {.arena = arena};
    strbuf_printf(&out,
                  "{\"asset\":{\"version\":\"2.0\",\"generator\":\"worldc\"},\"scene\":0,"
                  "\"scenes\":[{\"nodes\":[0]}],"
                  "\"nodes\":[{\"mesh\":0,\"name\":\"land\"}],\"meshes\":[{\"primitives\":[{"
                  "\"attributes\":{\"POSITION\":0},"
                  "\"indices\":1}]}],\"buffers\":[{\"byteLength\":%llu}],",
                  (unsigned long long)(layout->position_bytes + layout->index_bytes));
    strbuf_printf(
        &out,
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%llu,\"target\":34962},{\"buffer\":0,"
        "\"byteOffset\":%llu,\"byteLength\":%llu,\"target\":34963}],",
        (unsigned long long)layout->position_bytes, (unsigned long long)layout->position_bytes,
        (unsigned long long)layout->index_bytes);
    strbuf_printf(
        &out,
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%llu,\"type\":\"VEC3\",",
        (unsigned long long)layout->vertices);
    const double bounds[6] = {(double)(float)grid_x(grid, 0),
                              low,
                              (double)(float)grid_z(grid, 0),
                              (double)(float)grid_x(grid, grid->columns - 1),
                              high,
                              (double)(float)grid_z(grid, grid->rows - 1)};
    for (int i = 0; i < 6; i++) {
        strbuf_printf(&out, "%s", i == 0 ? "\"min\":[" : i == 3 ? "],\"max\":[" : ",");
        strbuf_double(&out, bounds[i]);
    }
    strbuf_printf(
        &out, "]},{\"bufferView\":1,\"componentType\":5125,\"count\":%llu,\"type\":\"SCALAR\"}]}",
        (unsigned long long)layout->triangles * 3);
    while (out.len % 4)
        strbuf_char(&out, ' ');
    return strbuf_take(&out);
}

static void write_positions(WholeFile *file, const RtGrid *grid, float *row_of) {
    for (int32_t row = 0; row < grid->rows; row++) {
        for (int32_t i = 0; i < grid->columns; i++) {
            row_of[3 * i] = (float)grid_x(grid, i);
            row_of[3 * i + 1] = grid_get(grid, i, row);
            row_of[3 * i + 2] = (float)grid_z(grid, row);
        }
        file_add(file, row_of, 12 * (size_t)grid->columns);
    }
}

static void write_indices(WholeFile *file, const RtGrid *grid, uint32_t *row_of) {
    size_t squares = (size_t)grid->columns - 1;
    for (int32_t j = 0; j + 1 < grid->rows; j++) {
        for (int32_t i = 0; i + 1 < grid->columns; i++) {
            uint32_t a = (uint32_t)j * (uint32_t)grid->columns + (uint32_t)i, b = a + 1;
            uint32_t c = a + (uint32_t)grid->columns, d = c + 1;
            const uint32_t even[6] = {a, c, d, a, d, b}, odd[6] = {a, c, b, b, c, d};
            memcpy(row_of + 6 * i, (i + j) % 2 == 0 ? even : odd, sizeof even);
        }
        file_add(file, row_of, 24 * squares);
    }
}

bool land_glb_write(Arena *arena, const char *path, const RtGrid *grid, Str *error) {
    Layout layout = lay_out(grid);
    Str json = describe(arena, grid, &layout);
    uint64_t bin = layout.position_bytes + layout.index_bytes, all = 12 + 8 + json.len + 8 + bin;
    if (all > UINT32_MAX) {
        *error = str_printf(arena, "%d x %d heights are too many for one glTF file of 4 GB",
                            (int)grid->columns, (int)grid->rows);
        return false;
    }
    uint32_t head[5] = {GLB_MAGIC, 2, (uint32_t)all, (uint32_t)json.len, GLB_JSON};
    uint32_t bin_head[2] = {(uint32_t)bin, GLB_BIN};
    float *positions = ARENA_ARRAY(arena, float, 3 * (size_t)grid->columns);
    uint32_t *indices = ARENA_ARRAY(arena, uint32_t, 6 * (size_t)grid->columns);
    WholeFile file;
    if (file_open(&file, path)) {
        file_add(&file, head, sizeof head);
        file_add(&file, json.ptr, json.len);
        file_add(&file, bin_head, sizeof bin_head);
        write_positions(&file, grid, positions);
        write_indices(&file, grid, indices);
        if (file_commit(&file)) return true;
    }
    *error = file_sentence(&file, arena);
    return false;
}
