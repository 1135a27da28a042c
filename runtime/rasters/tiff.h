/* Inside libworld-rasters: a TIFF file in memory, and the tags that say where it lies (GeoTIFF 1.1, OGC 19-008r4). */
#ifndef WORLD_RASTERS_TIFF_H
#define WORLD_RASTERS_TIFF_H

#include <tiffio.h>

#include "runtime/rasters/formats.h"

enum {
    TIFF_TAG_PIXEL_SCALE = 33550,
    TIFF_TAG_TIE_POINTS = 33922,
    TIFF_TAG_TRANSFORMATION = 34264,
    TIFF_TAG_GEO_KEYS = 34735,
    TIFF_TAG_GEO_DOUBLES = 34736,
    TIFF_TAG_GDAL_METADATA = 42112,
    TIFF_TAG_GDAL_NODATA = 42113
};

/* The GeoKeys that are looked at, and what stands behind them. */
enum {
    GEO_MODEL = 1024, /* 1 a map, 2 longitude and latitude, 3 geocentric */
    GEO_RASTER = 1025, /* 1: a sample is an area, and places are of its corner; 2: a point */
    GEO_GEOGRAPHIC = 2048,
    GEO_ANGULAR_UNIT = 2054,
    GEO_PROJECTED = 3072,
    GEO_LINEAR_UNIT = 3076,
    GEO_LINEAR_SIZE = 3077,
    GEO_VERTICAL_UNIT = 4099,
    GEO_METER = 9001,
    GEO_FOOT = 9002,
    GEO_SURVEY_FOOT = 9003,
    GEO_DEGREE = 9102,
    GEO_USER_DEFINED = 32767
};

/* What libtiff reads from or writes to, and what it said first. */
typedef struct TiffFile {
    Str bytes; /* reading */
    RasterBytes *out;
    uint64_t at;
    char said[200];
} TiffFile;

/* NULL: it is no TIFF, or there is no memory. Closed by TIFFClose. */
TIFF *tiff_open(TiffFile *file, const char *mode);

/* Fills in where the samples lie, what heights are counted in, and the number that is none. False with a reason. */
bool geokeys_read(TIFF *tiff, RasterHead *head, RasterSink *sink);
bool geokeys_write(TIFF *tiff, const RasterImage *image);

#endif
