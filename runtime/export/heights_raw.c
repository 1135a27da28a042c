/* Raw rows of numbers, and 16-bit gray PNG. */
#include <math.h>

#include "runtime/file/file.h"
#include "runtime/export/heights_write.h"
#include "runtime/export/png.h"

uint16_t height_to_16(HeightScale scale, float height) {
    double value = floor(((double)height - scale.low) / scale.step + 0.5);
    return (uint16_t)(value < 0 ? 0 : value > 65535 ? 65535 : value);
}

bool heights_write_r32(Arena *arena, const char *path, HeightImage image, Str *error) {
    WholeFile file;
    if (file_open(&file, path)) {
        for (int32_t row = 0; row < image.rows; row++)
            file_add_numbers(&file, image.values + row * image.stride, sizeof *image.values, (size_t)image.columns);
        if (file_commit(&file)) return true;
    }
    *error = file_sentence(&file, arena);
    return false;
}

static void fill_row(uint16_t *values, HeightImage image, HeightScale scale, int32_t row) {
    for (int32_t i = 0; i < image.columns; i++)
        values[i] = height_to_16(scale, image.values[row * image.stride + i]);
}

bool heights_write_r16(Arena *arena, const char *path, HeightImage image, HeightScale scale,
                       Str *error) {
    WholeFile file;
    uint16_t *values = ARENA_ARRAY(arena, uint16_t, image.columns);
    if (file_open(&file, path)) {
        for (int32_t row = 0; row < image.rows; row++) {
            fill_row(values, image, scale, row);
            file_add_numbers(&file, values, sizeof *values, (size_t)image.columns);
        }
        if (file_commit(&file)) return true;
    }
    *error = file_sentence(&file, arena);
    return false;
}

bool heights_write_png(Arena *arena, const char *path, HeightImage image, HeightScale scale,
                       Str *error) {
    uint16_t *values = ARENA_ARRAY(arena, uint16_t, (size_t)image.columns * (size_t)image.rows);
    for (int32_t row = 0; row < image.rows; row++)
        fill_row(values + (int64_t)row * image.columns, image, scale, row);
    char reason[256] = "";
    if (png_write_gray16(path, image.columns, image.rows, values, reason, sizeof reason))
        return true;
    *error = str_printf(arena, "%s", reason);
    return false;
}
