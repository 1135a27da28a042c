/* Inside libworld-rasters. */
#ifndef WORLD_RASTERS_FORMATS_H
#define WORLD_RASTERS_FORMATS_H

#include "runtime/rasters/library.h"

bool tiff_read(Str bytes, RasterSize size, RasterSink *sink);
bool tiff_write(const RasterImage *image, RasterBytes *out, char reason[200]);
bool exr_read(Str bytes, RasterSize size, RasterSink *sink);

#endif
