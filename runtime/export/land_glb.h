/* The land as a plain triangle mesh: binary glTF 2.0, for engines that take no heights and for
 * physics.
 *
 * Vertices in the order of the grid's points, row by row from the smallest z, in meters, x east, y
 * up, z south (glTF's own axes); two triangles a square along the diagonal that the land answers
 * from, counterclockwise from above.
 */
#ifndef WORLD_EXPORT_LAND_GLB_H
#define WORLD_EXPORT_LAND_GLB_H

#include "runtime/rt/rt.h"

/* False with an error: a grid too large for 32-bit indices and lengths, a file that cannot be
 * written. */
bool land_glb_write(Arena *arena, const char *path, const RtGrid *grid, Str *error);

#endif
