/* A ribbon laid along a spine, level from side to side: a brook's surface, a road's marking. */
#ifndef WORLD_MESH_RIBBON_H
#define WORLD_MESH_RIBBON_H

#include "runtime/geometry/curve.h"
#include "runtime/geometry/spine.h"

/* Its height, half its width and the gray it is painted with are curves by control-point number. Two vertices, left and right,
 * at every laid point; at a bend they stand on the line that halves it. */
RtMesh *ribbon_create(Arena *arena, const RtSpine *spine, const RtCurve *level,
                      const RtCurve *half_width, const RtCurve *shade);

#endif
