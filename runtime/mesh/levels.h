/* Coarser meshes for the eye, from far away: looked at only, never part of what a world is. */
#ifndef WORLD_MESH_LEVELS_H
#define WORLD_MESH_LEVELS_H

#include "runtime/mesh/mesh.h"

/* A mesh's pieces: triangles that share vertices. Made once for all of its coarser meshes. */
typedef struct MeshPieces MeshPieces;
MeshPieces *mesh_pieces(Arena *arena, const RtMesh *mesh);

/* The mesh with about a `share` of its triangles. Of leaves (two-sided) fewer stand and each is
 * larger, so that they cover as much. Of a solid the pieces smaller than `smallest` of its size go,
 * and the rest is simplified by meshoptimizer (Garland and Heckbert's quadrics), as long as it lies no
 * farther off than `off` of its size. Never empty. */
RtMesh *mesh_coarser(Arena *arena, Arena *scratch, const MeshPieces *pieces, double share,
                     double smallest, double off);

/* At least what meshoptimizer takes for a moment, in bytes: held while it works, so that memory which is not there is an
 * error, and no end of the process. */
size_t mesh_simplify_memory(size_t vertices, size_t indices);

#endif
