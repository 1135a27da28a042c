/* A ribbon laid along a spine, level from side to side: a brook's surface, a road's marking. */
#ifndef WORLD_MESH_RIBBON_H
#define WORLD_MESH_RIBBON_H

#include "runtime/geometry/curve.h"
#include "runtime/geometry/spine.h"

/* Curves by control-point number: its height, half its width, the gray it is painted with, and how fast what runs along it passes. */
typedef struct Ribbon {
    const RtCurve *level, *half_width, *shade, *pace;
} Ribbon;

/* Two vertices, left and right, at every laid point; at a bend they stand on the line that halves it. Their coordinates are how long it
 * takes to come there from the first point, and how far they lie across. */
RtMesh *ribbon_create(Arena *arena, const RtSpine *spine, const Ribbon *ribbon);

#endif
