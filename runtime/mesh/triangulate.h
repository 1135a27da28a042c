/* An outline with holes cut into triangles. */
#ifndef WORLD_MESH_TRIANGULATE_H
#define WORLD_MESH_TRIANGULATE_H

#include "runtime/mesh/shapes.h"

/* Rings of points, the outline first, counterclockwise (x right, y up), then its holes, clockwise;
 * ring r ends before ends[r]. Writes three numbers of points a triangle, counterclockwise, room for
 * 3 * (points + 2 * rings); how many numbers, or -1 when rings cross or touch themselves or each
 * other. By clipping ears, each hole first joined to what surrounds it (Eberly, "Triangulation by
 * Ear Clipping"). */
int32_t triangulate(Arena *arena, const ShapePoint *points, const int32_t *ends, int32_t rings,
                    int32_t *corners);

#endif
