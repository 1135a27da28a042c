/* A scene while it is gathered: meshes once each, instances by mesh, in the order in which they
 * are met. */
#ifndef WORLD_COMPILER_ENGINE_SCENE_H
#define WORLD_COMPILER_ENGINE_SCENE_H

#include "compiler/engine/ask/ask.h"
#include "runtime/frame/part_option.h"
#include "stdlib/library_layout.h"

typedef struct SceneMesh {
    const RtMesh *mesh;
    uint64_t hash;
    bool water;
    VEC(float) transforms, tints;
} SceneMesh;

typedef struct SceneStore {
    Arena *arena; /* the world's `drawn` */
    WorldScene scene;
    VEC(SceneMesh) meshes;
    VEC(double) fine_over;
    VEC(const WorldRaster *) rasters;
} SceneStore;

typedef struct Gather {
    World *world;
    Rt *rt;
    SceneStore *store;
    const float *tint; /* of the copies that are gathered, or NULL: the parts' own only */
} Gather;

/* Rows of a 3x4 matrix, part to world. */
void scene_matrix(const Frame *frame, float matrix[12]);
/* water: the material of its part is shaded(water). */
void scene_add(SceneStore *store, const RtMesh *mesh, const Frame *frame, const float tint[3],
               bool water);
/* The mesh that a part is made of, its tint; false after a fault. *mesh NULL: it draws nothing. */
bool scene_read_part(const Gather *g, RtPart *part, const TreeClass *cls, const RtMesh **mesh,
                     float tint[3]);
/* Draws the things of every List[placed] of a part as instances of their kinds. False after a
 * fault. */
bool scene_add_placed(Gather *g, const PartVisit *visit);

/* scene_land.c */
bool scene_find_land(Gather *g, const PartVisit *visit);
/* scene_raster.c */
bool scene_add_rasters(Gather *g, const PartVisit *visit);

#endif
