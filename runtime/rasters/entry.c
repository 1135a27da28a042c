/* The table through which the others call what this library holds. */
#include <stdlib.h>

#include "runtime/rasters/formats.h"

__attribute__((visibility("default"))) const RasterLibrary *world_rasters_entry(void);

static void drop(RasterBytes *bytes) {
    free(bytes->bytes);
    *bytes = (RasterBytes){0};
}

const RasterLibrary *world_rasters_entry(void) {
    static const RasterLibrary library = {
        .abi = RASTERS_ABI,
#ifdef WORLD_HAVE_TIFF
        .read_tiff = tiff_read,
        .write_tiff = tiff_write,
#endif
#ifdef WORLD_HAVE_EXR
        .read_exr = exr_read,
#endif
        .drop = drop,
    };
    return &library;
}
