/* Simple shapes, standing on y = 0 about the vertical axis unless it says otherwise. */
#ifndef WORLD_MESH_SHAPES_H
#define WORLD_MESH_SHAPES_H

#include "runtime/mesh/mesh.h"

/* (radius, height) or, for a prism, (x, y): meters. */
typedef struct ShapePoint {
    double x, y;
} ShapePoint;

/* A profile turned about the axis. With the profile going up, its right side is outside. Corners
 * sharper than about 50 degrees stay sharp; with `faceted`, the sides are flat too. At least 2
 * points and 3 sides. */
RtMesh *shape_lathe(Arena *arena, const ShapePoint *profile, int64_t count, int64_t sides,
                    bool faceted);
RtMesh *shape_box(Arena *arena, Vec3 size);
/* A convex outline, either way round, drawn out along z, half of `length` each way. At least 3
 * points. */
RtMesh *shape_prism(Arena *arena, const ShapePoint *outline, int64_t count, double length);
/* About the origin. */
RtMesh *shape_sphere(Arena *arena, double radius, int64_t sides);
/* A round beam from place to place, open-ended. */
RtMesh *shape_limb(Arena *arena, Vec3 from, Vec3 to, double radius, double end_radius,
                   int64_t sides);
/* A skirt of needles: a cone from its tip at `height` to a ragged rim of `teeth` points of the
 * given radius, which hang to y = 0; darker toward the trunk and beneath. */
RtMesh *shape_skirt(Arena *arena, double radius, double height, int64_t teeth, uint32_t seed);
/* A rosette: `count` blades from the middle, turned from each other by the golden angle, each a
 * strip that rises by `rise` radians and sweeps over by `droop` radians along its length.
 * Two-sided. */
typedef struct ShapeBlades {
    int64_t count;
    double length, width; /* meters */
    double rise, droop;   /* radians */
    uint32_t seed;
} ShapeBlades;
RtMesh *shape_blades(Arena *arena, const ShapeBlades *blades);

#endif
