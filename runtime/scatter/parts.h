/* What the parts of a world ask a scatter to keep clear of: their clearance discs and their footprints. */
#ifndef WORLD_SCATTER_PARTS_H
#define WORLD_SCATTER_PARTS_H

#include "runtime/rt/part.h"
#include "runtime/scatter/clear.h"

/* Adds every part of rt->world that states a clearance (on its own line or its design's) or a footprint, in the order of
 * the tree. Reads their cells, so that a scatter is worked out again when one moves. Parts of a family whose design is
 * only known when it runs are passed over: a scatter's own things are such, and their room is the rule's. */
void clear_add_parts(ClearSet *set, Rt *rt);

#endif
