/* A land's heights to a file, in one call, for a program that has them as plain numbers: by the
 * file's ending .r32 .exr .r16 .png (heights.h) or .glb (land_glb.h).
 */
#ifndef WORLD_EXPORT_LAND_H
#define WORLD_EXPORT_LAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct LandExport {
    int columns, rows;
    double cell, x0, z0, outside; /* meters */
    const float *heights;         /* row by row from the smallest z */
    int size;                     /* values a side when resampled; 0: as they are */
    int tile;                     /* values a side of a tile; 0: one file */
    bool has_range;               /* of 16-bit numbers */
    double low, high;
} LandExport;

/* What was written, or what went wrong, in `said` (a sentence without its stop). */
bool land_export(const char *path, const LandExport *land, char *said, size_t size);
/* Whether the ending is one of those. */
bool land_export_knows(const char *path);

#endif
