/* GeoTIFF: 32-bit floats, deflated with the predictor for them, exact, in strips. */
#ifdef WORLD_HAVE_TIFF
#include <stdio.h>
#include <stdlib.h>

#include "runtime/rasters/tiff.h"

static bool set_format(TIFF *tiff, const RasterImage *image) {
    uint32_t rows = (uint32_t)(65536 / ((size_t)image->columns * sizeof(float)) + 1);
    return TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)image->columns) &&
           TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)image->rows) && TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32) &&
           TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) && TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP) &&
           TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) && TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
           TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) &&
           TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_FLOATINGPOINT) && TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rows);
}

/* libtiff works in the row that it is given. */
static bool write_rows(TIFF *tiff, const RasterImage *image) {
    size_t bytes = (size_t)image->columns * sizeof(float);
    float *row = malloc(bytes);
    bool good = row != NULL;
    for (int32_t y = 0; good && y < image->rows; y++) {
        memcpy(row, image->values + y * image->stride, bytes);
        good = TIFFWriteScanline(tiff, row, (uint32_t)y, 0) > 0;
    }
    free(row);
    return good;
}

bool tiff_write(const RasterImage *image, RasterBytes *out, char reason[200]) {
    TiffFile file = {.out = out};
    TIFF *tiff = tiff_open(&file, "w");
    bool good = tiff && set_format(tiff, image) && geokeys_write(tiff, image) && write_rows(tiff, image) && TIFFFlush(tiff);
    if (tiff) TIFFClose(tiff);
    if (!good) snprintf(reason, 200, "%.190s", file.said[0] ? file.said : "there is no memory for it");
    return good;
}
#else
typedef int world_no_tiff_write;
#endif
