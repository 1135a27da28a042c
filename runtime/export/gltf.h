/* A whole world as glTF 2.0, binary (.glb) or as text with its numbers beside it (.gltf and .bin), for other engines.
 *
 * In meters, x east, y up, z south: glTF's own axes. Each thing that is drawn is a node: a part under its path
 * ("island.lantern[3]"), a placed thing under its id, both with what is known of them in `extras` (path, design, id); a thing of several
 * meshes is a node with one node each. Things of one kind share their meshes, and copies of a mesh in other tints its
 * numbers. What a mesh is from afar (its coarser meshes and the picture of a crown on cards, with a texture) goes with it: nodes that stand in no
 * scene, named by the extension MSFT_lod, which readers that do not know it pass over. The land is the node "land", its vertices in the order of the grid's points and two triangles a square along the
 * diagonal that the land answers from; the sea is a square of four times its size.
 *
 * In the form of instances things have no nodes of their own: all copies of a mesh are one (EXT_mesh_gpu_instancing, which a reader must
 * know then), their tints its attribute _COLOR_0, named by the design of the first, with levels as above.
 *
 * What glTF cannot say is left out: colors over 1, the look that the view gives a land.
 */
#ifndef WORLD_EXPORT_GLTF_H
#define WORLD_EXPORT_GLTF_H

#include "runtime/export/export.h"
#include "runtime/rt/rt.h"
#include "world/world.h"

typedef struct GltfReport {
    uint64_t nodes, meshes, triangles; /* triangles: those that are kept, not those that are seen */
} GltfReport;

/* `name` is the scene's. False with an error: more than 4 GB for a .glb, a file that cannot be written. */
bool gltf_write(Arena *arena, const char *path, const char *name, SceneForm form, const WorldScene *scene,
                GltfReport *report, Str *error);

#endif
