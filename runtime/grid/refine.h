/* Finer ground near a spine: tiles of a grid whose squares are divided (base/finer.h). A grid that was divided has the same surface, until
 * features shape its finer points.
 */
#ifndef WORLD_GRID_REFINE_H
#define WORLD_GRID_REFINE_H

#include "runtime/base/finer.h"
#include "runtime/geometry/spine.h"
#include "runtime/grid/grid.h"

/* Divides all tiles with ground nearer to the spine than `within`, so that squares are `step` wide. NULL after a fault: a step that is not a half, a
 * quarter, an eighth or a sixteenth of the cell, or not that of tiles that are there; more points than a grid may have. */
RtGrid *grid_refine(Rt *rt, const RtGrid *grid, const RtSpine *spine, double within, double step);

/* After finer points were written: what is a point of the grid too is as it is there, and what lies beside a tile that is not divided lies on its triangles. */
void grid_settle(RtGrid *grid);

#endif
