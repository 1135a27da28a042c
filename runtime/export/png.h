/* Pictures as PNG files (runtime/file/file.h says how files are written). */
#ifndef WORLD_EXPORT_PNG_H
#define WORLD_EXPORT_PNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/str.h"

/* rgba: width * height * 4 bytes, row by row from the top, sRGB; alpha is not written. False with a
 * reason in `error`. */
bool png_write_rgba(const char *path, int width, int height, const uint8_t *rgba, char *error,
                    size_t size);
/* The bytes of such a file, with its alpha; empty when libpng has no memory. */
Str png_encode_rgba(Arena *arena, int width, int height, const uint8_t *rgba);
/* The same without it. */
Str png_encode_rgb(Arena *arena, int width, int height, const uint8_t *rgba);
/* gray: width * height 16-bit values, row by row from the top. */
bool png_write_gray16(const char *path, int width, int height, const uint16_t *gray, char *error,
                      size_t size);

#endif
