/* Gray PNG files of 8 or 16 bits, whose numbers mean what the call says. */
#include <stdlib.h>

#include "runtime/file/picture.h"
#include "runtime/rasters/raster.h"

static bool send_rows(const Picture *picture, RasterSink *sink) {
    const uint8_t *at = picture->samples;
    double *row = malloc(sizeof *row * (size_t)picture->columns);
    bool good = row != NULL || raster_refuse(sink, "there is no memory for a row of it");
    for (int y = 0; good && y < picture->rows; y++) {
        for (int x = 0; x < picture->columns; x++, at += picture->bytes)
            row[x] = picture->bytes == 2 ? at[0] * 256 + at[1] : at[0];
        good = raster_row(sink, row);
    }
    free(row);
    return good;
}

bool raster_read_gray(Arena *arena, Str bytes, uint64_t most, RasterSink *sink) {
    Picture picture;
    Str reason;
    switch (picture_read(arena, bytes, most, &picture, &reason)) {
    case PICTURE_DAMAGED:
        return raster_refuse(sink, "%.*s", STR_ARG(reason));
    case PICTURE_LARGE:
        return raster_refuse(sink, "it has more than %llu samples", (unsigned long long)most);
    case PICTURE_FINE:
        break;
    }
    if (picture.channels != 1) return raster_refuse(sink, "it is a picture in color; heights are gray");
    RasterHead head = {.columns = picture.columns,
                       .rows = picture.rows,
                       .wants_range = true,
                       .greatest = picture.bytes == 2 ? 65535 : 255,
                       .plane_unit = 1};
    return raster_begin(sink, &head) && send_rows(&picture, sink);
}
