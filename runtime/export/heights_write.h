/* The image writers behind heights.h, each one file. */
#ifndef WORLD_EXPORT_HEIGHTS_WRITE_H
#define WORLD_EXPORT_HEIGHTS_WRITE_H

#include "runtime/base/str.h"
#include "runtime/rasters/library.h"

/* A window on a grid's heights: value (column, row) is values[row * stride + column]. */
typedef struct HeightImage {
    const float *values;
    int32_t columns, rows;
    int64_t stride;
} HeightImage;

/* 16-bit value v is low + v * step. */
typedef struct HeightScale {
    double low, step;
} HeightScale;

uint16_t height_to_16(HeightScale scale, float height);

bool heights_write_r32(Arena *arena, const char *path, HeightImage image, Str *error);
bool heights_write_r16(Arena *arena, const char *path, HeightImage image, HeightScale scale,
                       Str *error);
bool heights_write_png(Arena *arena, const char *path, HeightImage image, HeightScale scale,
                       Str *error);
bool heights_write_tiff(Arena *arena, const char *path, const RasterImage *image, Str *error);
bool heights_write_exr(Arena *arena, const char *path, HeightImage image, Str *error);

#endif
