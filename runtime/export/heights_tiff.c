/* GeoTIFF, through libworld-rasters. */
#include "runtime/export/heights_write.h"
#include "runtime/file/file.h"

static bool encode(Arena *arena, const RasterLibrary *library, const RasterImage *image, RasterBytes *bytes, Str *error) {
    char reason[200] = "this build writes no GeoTIFF; .r32 is as exact";
    if (library && library->write_tiff && library->write_tiff(image, bytes, reason)) return true;
    *error = str_printf(arena, "%s", reason);
    return false;
}

bool heights_write_tiff(Arena *arena, const char *path, const RasterImage *image, Str *error) {
    const char *reason = "";
    const RasterLibrary *library = raster_library(arena, &reason);
    RasterBytes bytes = {0};
    WholeFile file;
    bool encoded = encode(arena, library, image, &bytes, error), good = false;
    if (encoded && file_open(&file, path)) {
        file_add(&file, bytes.bytes, bytes.size);
        good = file_commit(&file);
    }
    if (library) library->drop(&bytes);
    if (!encoded) *error = str_printf(arena, "cannot write %s: %.*s%s%s", path, STR_ARG(*error), *reason ? ": " : "", reason);
    if (encoded && !good) *error = file_sentence(&file, arena);
    return good;
}
