/* Raw rows of numbers, and 16-bit gray PNG. */
#include <math.h>
#include <png.h>

#include "runtime/export/file.h"
#include "runtime/export/heights_write.h"

uint16_t height_to_16(HeightScale scale, float height) {
    double value = floor(((double)height - scale.low) / scale.step + 0.5);
    return (uint16_t)(value < 0 ? 0 : value > 65535 ? 65535 : value);
}

bool heights_write_r32(Arena *arena, const char *path, HeightImage image, Str *error) {
    ExportFile file;
    if (!export_file_open(&file, arena, path, error)) return false;
    for (int32_t row = 0; row < image.rows; row++) {
        const float *values = image.values + row * image.stride;
        if (!export_file_add(&file, values, sizeof *values * (size_t)image.columns, error)) return false;
    }
    return export_file_commit(&file, error);
}

static void fill_row(uint16_t *values, HeightImage image, HeightScale scale, int32_t row) {
    for (int32_t i = 0; i < image.columns; i++)
        values[i] = height_to_16(scale, image.values[row * image.stride + i]);
}

bool heights_write_r16(Arena *arena, const char *path, HeightImage image, HeightScale scale, Str *error) {
    ExportFile file;
    uint16_t *values = ARENA_ARRAY(arena, uint16_t, image.columns);
    if (!export_file_open(&file, arena, path, error)) return false;
    for (int32_t row = 0; row < image.rows; row++) {
        fill_row(values, image, scale, row);
        if (!export_file_add(&file, values, sizeof *values * (size_t)image.columns, error)) return false;
    }
    return export_file_commit(&file, error);
}

/* The part that libpng may leave through its own jump: nothing here is needed after it. */
static bool png_rows(png_structp png, png_infop info, FILE *stream, HeightImage image, HeightScale scale,
                     uint16_t *values) {
    if (setjmp(png_jmpbuf(png))) return false;
    png_init_io(png, stream);
    png_set_IHDR(png, info, (png_uint_32)image.columns, (png_uint_32)image.rows, 16, PNG_COLOR_TYPE_GRAY,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    png_set_swap(png); /* PNG is big-endian */
    for (int32_t row = 0; row < image.rows; row++) {
        fill_row(values, image, scale, row);
        png_write_row(png, (png_const_bytep)values);
    }
    png_write_end(png, info);
    return true;
}

/* libpng reports through these; a message of its own to stderr would be noise. */
static void png_silent_error(png_structp png, png_const_charp message) {
    (void)message;
    png_longjmp(png, 1);
}

static void png_silent_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

bool heights_write_png(Arena *arena, const char *path, HeightImage image, HeightScale scale, Str *error) {
    ExportFile file;
    uint16_t *values = ARENA_ARRAY(arena, uint16_t, image.columns);
    if (!export_file_open(&file, arena, path, error)) return false;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, png_silent_error, png_silent_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool good = info && png_rows(png, info, file.stream, image, scale, values);
    png_destroy_write_struct(&png, &info);
    if (good) return export_file_commit(&file, error);
    *error = str_printf(arena, "cannot write %s: libpng refused", path);
    export_file_abandon(&file);
    return false;
}
