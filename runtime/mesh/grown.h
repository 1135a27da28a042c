/* What plants are put together of: tubes for stems, copies of a leaf, a crown's light. */
#ifndef WORLD_MESH_GROWN_H
#define WORLD_MESH_GROWN_H

#include "runtime/mesh/mesh.h"

typedef struct TubePlace {
    Vec3 at;
    double radius;
} TubePlace;

typedef struct TubeCourse {
    const TubePlace *places;
    int64_t count; /* at least 2 */
    int64_t sides; /* at least 3 */
    int64_t subdivide;
} TubeCourse;

/* Closed tubes. Coordinates: tiles along, and a whole number of tiles round. */
RtMesh *grown_tubes(Arena *arena, const TubeCourse *tubes, int64_t count, double tile, Vec3 color);

typedef struct GrownCopy {
    Vec3 at, up, facing; /* its y and, as nearly as can be, its z */
    double size;
    Vec3 color;
} GrownCopy;

/* sway: each copy's pivot is its foot. */
RtMesh *grown_copies(Arena *arena, const RtMesh *mesh, const GrownCopy *copies, int64_t count,
                     bool sway);
/* Normals turned toward the way from `middle`, by a share of it. In place: for a mesh that is still
 * being made. */
void grown_crown(RtMesh *mesh, Vec3 middle, double share);

#endif
