/* libworld-rasters: GeoTIFF and OpenEXR, whose libraries bring many others with them. It is loaded when a world first reads or
 * writes such a file; without it everything else works.
 */
#ifndef WORLD_RASTERS_LIBRARY_H
#define WORLD_RASTERS_LIBRARY_H

#include "runtime/base/reference.h"
#include "runtime/rasters/raster.h"

typedef struct RasterImage {
    const float *values; /* row by row from the north */
    int32_t columns, rows;
    int64_t stride;
    double cell, x0, z0; /* meters; of the first sample */
    Reference reference;
} RasterImage;

typedef struct RasterBytes { /* of malloc */
    char *bytes;
    size_t size, room;
} RasterBytes;

enum { RASTERS_ABI = 2 };

typedef struct RasterLibrary {
    int abi;
    RasterReader read_tiff, read_exr; /* NULL: this build has none */
    /* The file's bytes, which `drop` gives back; false with a reason. */
    bool (*write_tiff)(const RasterImage *image, RasterBytes *out, char reason[200]);
    void (*drop)(RasterBytes *bytes);
} RasterLibrary;

typedef const RasterLibrary *(*RasterEntry)(void);

/* NULL with a reason when it cannot be loaded. */
const RasterLibrary *raster_library(Arena *arena, const char **reason);

#endif
