#include "runtime/rasters/library.h"

#include <dlfcn.h>

#include "runtime/base/module.h"

static const Module module = {"libworld-rasters.so", "WORLD_RASTERS_LIBRARY", "../../runtime/rasters"};

const RasterLibrary *raster_library(Arena *arena, const char **reason) {
    void *library = module_open(&module, NULL, arena, reason);
    RasterEntry entry = NULL;
    if (library) *(void **)&entry = dlsym(library, "world_rasters_entry");
    const RasterLibrary *found = entry ? entry() : NULL;
    if (found && found->abi == RASTERS_ABI) return found;
    if (library) *reason = "libworld-rasters is of another version";
    return NULL;
}
