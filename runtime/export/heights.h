/* Heights for other programs: a grid as an image file, whole or in tiles, with a sidecar that says
 * what it is.
 *
 *     r32    raw 32-bit floats, meters              exact
 *     exr    OpenEXR, one channel Y, 32-bit float   exact
 *     r16    raw unsigned 16-bit                    rounded; the report and the sidecar say how much
 *     png16  gray PNG, 16-bit                       rounded likewise
 *     tif    GeoTIFF, 32-bit float, deflated        exact, and says where on the earth it lies
 *
 * Row 0 of every image is the smallest z (north), its first value the smallest x (west): an image
 * looked at with its first row on top is the land seen from above with north up. Raw numbers are
 * little-endian.
 */
#ifndef WORLD_EXPORT_HEIGHTS_H
#define WORLD_EXPORT_HEIGHTS_H

#include "runtime/rt/rt.h"

typedef enum HeightFormat { HEIGHTS_R32, HEIGHTS_EXR, HEIGHTS_R16, HEIGHTS_PNG16, HEIGHTS_TIFF } HeightFormat;

typedef struct HeightExport {
    HeightFormat format;
    int32_t size;   /* values along the longer side, resampled over the same ground; 0: as they are */
    int32_t tile;   /* values a side of a tile; neighbors share their edge rows; 0: one file */
    bool has_range; /* of 16-bit formats: 0 is `low`, 65535 `high`; without, the lowest and highest
                       height */
    double low, high; /* meters */
    bool alone;       /* without a sidecar: a manifest says what the file is */
} HeightExport;

typedef struct HeightReport {
    int32_t columns, rows, files;
    double low, high;        /* of the heights, meters */
    double step;             /* meters between two 16-bit values; 0 when exact */
    double worst_rounding;   /* meters, greatest difference between a height and its 16-bit value */
    double worst_resampling; /* meters, greatest difference at the grid's own points; 0 when not
                                resampled */
} HeightReport;

enum { HEIGHTS_LARGEST = 1 << 14 }; /* along a side, resampled */

/* The same ground with another number of samples along its longer side, each the height of the drawn triangle there; `worst`
 * as in the report. Cells stay square: false with an error when they cannot. */
bool heights_resample(Arena *arena, const RtGrid *from, int32_t size, const RtGrid **out,
                      double *worst, Str *error);

/* Writes `path` and `path`.json; of tiles "name_x2_y0.ext" each, x counting columns of tiles and y
 * rows. False with an error: a range that heights leave, tiles that do not fit, a file that cannot
 * be written. */
bool heights_export(Arena *arena, const RtGrid *grid, const char *path, const HeightExport *how,
                    HeightReport *report, Str *error);

/* "r32", or by a path's ending; false when there is none of that name. */
bool heights_find_format(Str name, HeightFormat *format);

/* "1025 x 1025 heights, -30.3 m to 150 m, rounded by at most 1.4 mm". */
Str heights_describe(Arena *arena, const HeightReport *report);

#endif
