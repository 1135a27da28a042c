/* A scene while it is gathered: meshes once each, instances by mesh, in the order in which they
 * are met. */
#ifndef WORLD_COMPILER_ENGINE_SCENE_SCENE_H
#define WORLD_COMPILER_ENGINE_SCENE_SCENE_H

#include "compiler/engine/ask/ask.h"
#include "runtime/frame/part_option.h"
#include "stdlib/library_layout.h"

typedef struct SceneMesh {
    const RtMesh *mesh;
    uint64_t hash;
    bool water;
    VEC(float) transforms, tints;
    VEC(uint32_t) things;
} SceneMesh;

typedef struct SceneStore {
    Arena *arena; /* the world's `views` when it is whole */
    Arena *scratch;
    WorldScene scene;
    VEC(SceneMesh) meshes;
    VEC(double) fine_over;
    VEC(const WorldRaster *) rasters;
    VEC(const WorldThing *) things;
} SceneStore;

typedef struct Paint { /* multiplies the colors of what is drawn */
    float color[3];
} Paint;

typedef struct Gather {
    World *world;
    Rt *rt;
    SceneStore *store;
    VEC(Paint) paints; /* of the part visited last and of those that hold it, the outermost first */
    int first_depth;   /* of the outermost */
} Gather;

/* Rows of a 3x4 matrix, part to world. */
void scene_matrix(const Frame *frame, float matrix[12]);
typedef struct ScenePiece {
    const RtMesh *mesh;
    Paint paint;
    bool water;
} ScenePiece;

typedef struct ScenePieces {
    VEC(ScenePiece) items;
} ScenePieces;

/* Begins a thing: what is added next is of it. The texts are copied but for `path`. */
void scene_begin_thing(SceneStore *store, const char *path, Str design, Str id);
/* The path of a part, or of one of its fields. */
const char *scene_path(const Gather *g, const RtPart *part, Str field);
void scene_add(SceneStore *store, const ScenePiece *piece, const float matrix[12]);
/* The tint of a part and of all that hold it, which are asked before it. False after a fault. */
bool scene_read_paint(Gather *g, const PartVisit *visit, Paint *paint);
/* Multiplied by that color. */
void scene_paint(Paint *paint, Vec3 color);
/* What a part draws: what it is made of, when that is a mesh or a record that holds one, and such records among the
 * expressions that stand alone in its body. False after a fault. */
bool scene_read_part(const Gather *g, const PartVisit *visit, const Paint *paint, ScenePieces *pieces);
/* Draws the things of every List[placed] of a part as instances of their kinds. False after a
 * fault. */
bool scene_add_placed(Gather *g, const PartVisit *visit, const Paint *paint);

/* scene_land.c */
bool scene_find_land(Gather *g, const PartVisit *visit, const Paint *paint);
/* scene_raster.c */
bool scene_add_rasters(Gather *g, const PartVisit *visit);

#endif
