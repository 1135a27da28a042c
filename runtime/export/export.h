/* Worlds to files, in one call, for a program that has no memory of ours: by the file's ending the heights of a land (.r32 .exr
 * .r16 .png .tif: heights.h) or what is drawn (.glb .gltf: gltf.h).
 */
#ifndef WORLD_EXPORT_EXPORT_H
#define WORLD_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/reference.h"
#include "world/world.h"

typedef struct LandExport {
    int columns, rows;
    double cell, x0, z0, outside; /* meters */
    const float *heights;         /* row by row from the smallest z; behind them the finer tiles' (base/finer.h) */
    int finer;                    /* 0: there are none */
    size_t tail;
    int size;                     /* values along the longer side when resampled; 0: as they are */
    int tile;                     /* values a side of a tile; 0: one file */
    bool has_range;               /* of 16-bit numbers */
    double low, high;
    Reference reference;
    bool alone; /* without a sidecar */
} LandExport;

/* What was written, or what went wrong, in `said` (a sentence without its stop). Of a land also as a .glb or .gltf of nothing
 * else. */
bool export_land(const char *path, const LandExport *land, char *said, size_t size);
/* Of a scene only as those: a node for each thing, or one for all copies of a mesh. `name` is the scene's. */
typedef enum SceneForm { EXPORT_THINGS, EXPORT_INSTANCES } SceneForm;
bool export_scene(const char *path, const char *name, SceneForm form, const WorldScene *scene, char *said,
                  size_t size);
/* Whether the ending is one of those. */
bool export_takes_land(const char *path);
bool export_takes_scene(const char *path);

#endif
