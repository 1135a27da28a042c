/* Pictures as PNG files (runtime/file/file.h says how files are written). */
#ifndef WORLD_EXPORT_PNG_H
#define WORLD_EXPORT_PNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* rgba: width * height * 4 bytes, row by row from the top, sRGB; alpha is not written. False with a
 * reason in `error`. */
bool png_write_rgba(const char *path, int width, int height, const uint8_t *rgba, char *error,
                    size_t size);
/* gray: width * height 16-bit values, row by row from the top. */
bool png_write_gray16(const char *path, int width, int height, const uint16_t *gray, char *error,
                      size_t size);

#endif
