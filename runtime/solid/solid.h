/* Solids: what meshes are to who bumps into them, in the public header's words (WorldSolid).
 *
 *     mesh ── stems ──────────────────────> capsules
 *          └─ pieces that hang together ──> a hull each ─┬─ eight corners of a box ────────> box
 *                                                        ├─ filled to nine tenths ─────────> hull
 *                                                        └─ hollow, bent, flat or open ────> its triangles
 *
 * All is worked out with + - * / sqrt in one order, so solids are the same bits on every machine. A
 * hull is of at most a hundred places: those that reach farthest in fixed directions, where a piece has more.
 */
#ifndef WORLD_SOLID_SOLID_H
#define WORLD_SOLID_SOLID_H

#include "runtime/mesh/mesh.h"
#include "world/world.h"

/* In the order of core.world's `solid.kind` (stdlib/layout.c). */
typedef enum SolidRule { SOLID_OWN, SOLID_BOX, SOLID_HULL, SOLID_MESH, SOLID_CAPSULE } SolidRule;

typedef struct SolidList {
    Arena *arena;   /* of the list, and of points and triangles */
    Arena *scratch; /* of what is needed on the way */
    VEC(WorldSolid) items;
} SolidList;

/* A rule but SOLID_CAPSULE. */
void solid_add_mesh(SolidList *list, const RtMesh *mesh, SolidRule rule);
void solid_add_capsule(SolidList *list, Vec3 from, Vec3 to, double radius);

/* -- hull.c -- */

enum { HULL_MOST = 100 };
typedef struct Hull {
    Vec3 points[HULL_MOST];
    int32_t point_count;
    int32_t faces[2 * HULL_MOST][3]; /* counterclockwise from outside */
    int32_t face_count;              /* 0: the places lie in a plane, nearly */
    double volume;
} Hull;
/* Of `count` places, by their numbers in `which` (NULL: all of them). */
void hull_make(Hull *hull, const float *places, const int32_t *which, int32_t count);
/* Whether it is a box; fills the box's middle, half and axes. */
bool hull_is_box(const Hull *hull, WorldSolid *box);

/* -- pieces.c: triangles that share places, whatever vertices they have -- */

typedef struct SolidPieces {
    int32_t *first, *vertices; /* of piece p: vertices[first[p] .. first[p + 1]), of equal ones the first, rising */
    int32_t *of;               /* of each triangle, its piece */
    int32_t *same;             /* of each vertex, the first that stands there */
    int32_t count;
} SolidPieces;
SolidPieces solid_pieces(Arena *arena, const RtMesh *mesh);

#endif
