#include "runtime/export/heights.h"

#include <math.h>

#include "runtime/file/file.h"
#include "runtime/export/heights_write.h"
#include "runtime/geometry/scalar.h"
#include "runtime/grid/grid.h"

static const char *const format_names[] = {"r32", "exr", "r16", "png", "tif"};

typedef struct Export {
    Arena *arena;
    const RtGrid *grid; /* what is written: the given one, or it resampled */
    const RtGrid *original;
    const HeightExport *how;
    HeightReport *report;
    HeightScale scale;
    const char *path;
    Str *error;
} Export;

typedef struct Tile {
    int32_t column, row;                            /* of tiles */
    int32_t first_column, first_row, columns, rows; /* of samples */
} Tile;

bool heights_find_format(Str name, HeightFormat *format) {
    for (size_t i = 0; i < sizeof format_names / sizeof *format_names; i++) {
        if (!str_ends(name, str_of(format_names[i]))) continue;
        *format = (HeightFormat)i;
        return true;
    }
    return false;
}

static bool is_rounded(HeightFormat format) {
    return format == HEIGHTS_R16 || format == HEIGHTS_PNG16;
}

/* -- resampling -- */

static double measure_resampling(const RtGrid *from, const RtGrid *to) {
    double worst = 0;
    for (int32_t row = 0; row < from->rows; row++)
        for (int32_t column = 0; column < from->columns; column++) {
            double there = grid_height_at(to, grid_x(from, column), grid_z(from, row));
            worst = scalar_max(worst, fabs(there - (double)grid_get(from, column, row)));
        }
    return worst;
}

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int32_t values_along(int32_t side, int32_t longest, int32_t size) {
    return (int32_t)((int64_t)(side - 1) * (size - 1) / (longest - 1) + 1);
}

/* Whether both sides have whole numbers of the new cells. */
static bool can_resample(Arena *arena, const RtGrid *from, int32_t size, Str *error) {
    int32_t longest = from->columns > from->rows ? from->columns : from->rows;
    int64_t step = (longest - 1) / common_divisor(from->columns - 1, from->rows - 1);
    if (size >= 2 && size <= HEIGHTS_LARGEST && (size - 1) % step == 0) return true;
    *error =
        step == 1
            ? str_printf(arena, "a size is from 2 to %d heights", HEIGHTS_LARGEST)
            : str_printf(
                  arena,
                  "%d x %d heights have square cells at other sizes too, from 2 to %d along the "
                  "longer side, where the size less 1 is a multiple of %lld",
                  (int)from->columns, (int)from->rows, HEIGHTS_LARGEST, (long long)step);
    return false;
}

bool heights_resample(Arena *arena, const RtGrid *from, int32_t size, const RtGrid **out,
                      double *worst, Str *error) {
    int32_t longest = from->columns > from->rows ? from->columns : from->rows;
    *out = from;
    if (size == 0 || size == longest) return true;
    if (!can_resample(arena, from, size, error)) return false;
    RtGrid *to = ARENA_NEW(arena, RtGrid);
    *to = *from;
    to->columns = values_along(from->columns, longest, size);
    to->rows = values_along(from->rows, longest, size);
    to->cell = (longest - 1) * from->cell / (size - 1);
    to->finer = 0, to->tail = 0;
    to->heights = ARENA_ARRAY(arena, float, (size_t)to->columns *(size_t)to->rows);
    for (int32_t row = 0; row < to->rows; row++)
        for (int32_t column = 0; column < to->columns; column++)
            to->heights[(int64_t)row * to->columns + column] =
                (float)grid_height_at(from, grid_x(to, column), grid_z(to, row));
    *worst = measure_resampling(from, to);
    *out = to;
    return true;
}

/* -- rounding -- */

static void measure_heights(const RtGrid *grid, HeightReport *report) {
    int64_t count = (int64_t)grid->columns * grid->rows;
    report->low = report->high = (double)grid->heights[0];
    for (int64_t i = 1; i < count; i++) {
        report->low = scalar_min(report->low, (double)grid->heights[i]);
        report->high = scalar_max(report->high, (double)grid->heights[i]);
    }
}

static bool choose_scale(Export *export) {
    HeightReport *report = export->report;
    const HeightExport *how = export->how;
    if (!is_rounded(how->format)) {
        if (how->has_range)
            *export->error = str_printf(export->arena, "these heights are exact and have no scale");
        return !how->has_range;
    }
    double low = how->has_range ? how->low : report->low,
           high = how->has_range ? how->high : report->high;
    if (how->has_range && (report->low < low || report->high > high || !(high > low))) {
        *export->error =
            str_printf(export->arena,
                       "the heights go from %g m to %g m: the range %g m to %g m does not "
                       "hold them",
                       report->low, report->high, low, high);
        return false;
    }
    if (!(high > low)) high = low + 1; /* flat ground */
    export->scale = (HeightScale){low, (high - low) / 65535};
    report->step = export->scale.step;
    int64_t count = (int64_t) export->grid->columns * export->grid->rows;
    for (int64_t i = 0; i < count; i++) {
        float height = export->grid->heights[i];
        double kept = low + height_to_16(export->scale, height) * report->step;
        report->worst_rounding = scalar_max(report->worst_rounding, fabs(kept - (double)height));
    }
    return true;
}

/* -- the sidecar -- */

static void add_number(StrBuf *out, const char *key, double value) {
    strbuf_printf(out, "  \"%s\": ", key);
    strbuf_double(out, value);
    strbuf_printf(out, ",\n");
}

static void add_values(const Export *export, StrBuf *out) {
    const HeightReport *report = export->report;
    if (!is_rounded(export->how->format)) {
        strbuf_printf(out, "  \"values\": \"32-bit floats, meters, exact\",\n");
        return;
    }
    strbuf_printf(out,
                  "  \"values\": \"unsigned 16-bit: height = valueLow + value * valueStep\",\n");
    add_number(out, "valueLow", export->scale.low);
    add_number(out, "valueStep", report->step);
    add_number(out, "worstRounding", report->worst_rounding);
}

static void add_tile(const Export *export, StrBuf *out, const Tile *tile) {
    if (export->how->tile)
        strbuf_printf(
            out,
            "  \"tile\": {\"column\": %d, \"row\": %d, \"firstColumn\": %d, \"firstRow\": %d, "
            "\"edges\": \"shared with the neighbors\"},\n",
            (int)tile->column, (int)tile->row, (int)tile->first_column, (int)tile->first_row);
    if (export->grid != export->original) {
        strbuf_printf(out, "  \"resampledFrom\": %d,\n", (int)export->original->columns);
        add_number(out, "worstResampling", export->report->worst_resampling);
    }
}

/* Of the first sample. */
static void add_reference(const Export *export, StrBuf *out, const Tile *tile) {
    const Reference *at = &export->grid->reference;
    if (!(at->east_per_meter > 0)) return;
    add_number(out, at->degrees ? "longitude" : "east", at->east + grid_x(export->grid, tile->first_column) * at->east_per_meter);
    add_number(out, at->degrees ? "latitude" : "northing", at->north - grid_z(export->grid, tile->first_row) * at->north_per_meter);
    add_number(out, "eastPerMeter", at->east_per_meter);
    add_number(out, "northPerMeter", at->north_per_meter);
    if (at->epsg) strbuf_printf(out, "  \"epsg\": %d,\n", (int)at->epsg);
}

static Str sidecar(const Export *export, const Tile *tile) {
    const RtGrid *grid = export->grid;
    StrBuf out = {.arena = export->arena};
    bool even = (tile->first_column + tile->first_row) % 2 == 0;
    strbuf_printf(&out, "{\n  \"format\": \"%s\",\n  \"columns\": %d,\n  \"rows\": %d,\n",
                  format_names[export->how->format], (int)tile->columns, (int)tile->rows);
    add_number(&out, "cell", grid->cell);
    add_number(&out, "west", grid_x(grid, tile->first_column));
    add_number(&out, "north", grid_z(grid, tile->first_row));
    add_values(export, &out);
    add_number(&out, "lowest", export->report->low);
    add_number(&out, "highest", export->report->high);
    add_number(&out, "outside", grid->outside);
    add_reference(export, &out, tile);
    add_tile(export, &out, tile);
    strbuf_printf(&out, "  \"byteOrder\": \"%s\",\n",
                  export->how->format == HEIGHTS_PNG16 ? "big" : "little");
    strbuf_printf(&out,
                  "  \"orientation\": \"row 0 is the smallest z (north); along a row x grows "
                  "(east); y is up\",\n"
                  "  \"diagonal\": \"square (i, j), i its column and j its row in this file, is "
                  "split from (i, j) to "
                  "(i+1, j+1) when i+j is %s, else from (i+1, j) to (i, j+1)\"\n}\n",
                  even ? "even" : "odd");
    return strbuf_take(&out);
}

static bool write_sidecar(const Export *export, const char *path, const Tile *tile) {
    Str text = sidecar(export, tile);
    Str name = str_printf(export->arena, "%s.json", path);
    WholeFile file;
    if (file_open(&file, name.ptr)) {
        file_add(&file, text.ptr, text.len);
        if (file_commit(&file)) return true;
    }
    *export->error = file_sentence(&file, export->arena);
    return false;
}

/* -- writing -- */

static bool write_tiff(const Export *export, const char *path, HeightImage image, const Tile *tile) {
    const RtGrid *grid = export->grid;
    RasterImage raster = {.values = image.values,
                          .columns = image.columns,
                          .rows = image.rows,
                          .stride = image.stride,
                          .cell = grid->cell,
                          .x0 = grid_x(grid, tile->first_column),
                          .z0 = grid_z(grid, tile->first_row),
                          .reference = grid->reference};
    return heights_write_tiff(export->arena, path, &raster, export->error);
}

static bool write_image(const Export *export, const char *path, HeightImage image, const Tile *tile) {
    Arena *arena = export->arena;
    switch (export->how->format) {
    case HEIGHTS_R32:
        return heights_write_r32(arena, path, image, export->error);
    case HEIGHTS_EXR:
        return heights_write_exr(arena, path, image, export->error);
    case HEIGHTS_R16:
        return heights_write_r16(arena, path, image, export->scale, export->error);
    case HEIGHTS_PNG16:
        return heights_write_png(arena, path, image, export->scale, export->error);
    case HEIGHTS_TIFF:
        return write_tiff(export, path, image, tile);
    }
    return false;
}

static bool write_tile(const Export *export, const char *path, const Tile *tile) {
    const RtGrid *grid = export->grid;
    const float *first =
        grid->heights + (int64_t)tile->first_row * grid->columns + tile->first_column;
    HeightImage image = {first, tile->columns, tile->rows, grid->columns};
    export->report->files++;
    return write_image(export, path, image, tile) && (export->how->alone || write_sidecar(export, path, tile));
}

/* "island.r32" to "island_x2_y0.r32". */
static const char *tile_path(const Export *export, const Tile *tile) {
    const char *dot = strrchr(export->path, '.'), *slash = strrchr(export->path, '/');
    if (!dot || (slash && dot < slash)) dot = export->path + strlen(export->path);
    return str_printf(export->arena, "%.*s_x%d_y%d%s", (int)(dot - export->path), export->path,
                      (int)tile->column, (int)tile->row, dot)
        .ptr;
}

static bool write_tiles(const Export *export) {
    const RtGrid *grid = export->grid;
    int32_t step = export->how->tile - 1;
    bool wide = step < 1 || (grid->columns - 1) % step;
    if (wide || (grid->rows - 1) % step) {
        *export->error =
            str_printf(export->arena,
                       "tiles of %d heights that share their edges do not fill %d x %d: a "
                       "tile's side less 1 must divide %d, the %s less 1",
                       (int)export->how->tile, (int)grid->columns, (int)grid->rows,
                       (int)(wide ? grid->columns : grid->rows) - 1, wide ? "columns" : "rows");
        return false;
    }
    for (int32_t row = 0; row < (grid->rows - 1) / step; row++)
        for (int32_t column = 0; column < (grid->columns - 1) / step; column++) {
            Tile tile = {column, row, column * step, row * step, step + 1, step + 1};
            if (!write_tile(export, tile_path(export, &tile), &tile)) return false;
        }
    return true;
}

bool heights_export(Arena *arena, const RtGrid *grid, const char *path, const HeightExport *how,
                    HeightReport *report, Str *error) {
    *report = (HeightReport){0};
    *error = STR_LIT("");
    Export export = {.arena = arena,
                     .grid = grid,
                     .original = grid,
                     .how = how,
                     .report = report,
                     .path = path,
                     .error = error};
    if (!heights_resample(arena, grid, how->size, &export.grid, &report->worst_resampling, error))
        return false;
    report->columns = export.grid->columns;
    report->rows = export.grid->rows;
    measure_heights(export.grid, report);
    if (!choose_scale(&export)) return false;
    if (how->tile) return write_tiles(&export);
    Tile whole = {0, 0, 0, 0, export.grid->columns, export.grid->rows};
    return write_tile(&export, path, &whole);
}

Str heights_describe(Arena *arena, const HeightReport *report) {
    StrBuf out = {.arena = arena};
    strbuf_printf(&out, "%d x %d heights, %.4g m to %.4g m", (int)report->columns,
                  (int)report->rows, report->low, report->high);
    if (report->files > 1) strbuf_printf(&out, ", %d tiles", (int)report->files);
    if (report->worst_resampling > 0)
        strbuf_printf(&out, ", resampled with a worst error of %.3g m", report->worst_resampling);
    if (report->step > 0)
        strbuf_printf(&out, ", rounded by at most %.3g mm", report->worst_rounding * 1000);
    else if (!(report->worst_resampling > 0))
        strbuf_printf(&out, ", exact");
    return strbuf_take(&out);
}
