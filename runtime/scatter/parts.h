/* What the parts of a world ask a scatter to keep clear of: their clearance discs and their footprints. */
#ifndef WORLD_SCATTER_PARTS_H
#define WORLD_SCATTER_PARTS_H

#include "runtime/rt/part.h"
#include "runtime/scatter/clear.h"

/* Adds every part of rt->world that states a clearance (on its own line or its design's) or a footprint, in the order of
 * the tree. Reads their cells, so that a scatter is worked out again when one moves. Parts of a family whose design is
 * only known when it runs are passed over: a scatter's own things are such, and their room is the rule's.
 * The rooms are stated in the land's own frame (land NULL: the world's), so that a scatter of a land that moves is worked
 * out again only when something outside the land asks for room. */
void clear_add_parts(ClearSet *set, Rt *rt, RtPart *land);

/* Whether what the holder holds is where the land says: a layout's places are the land's, and they are drawn in the frame
 * of the part that holds the layout. False after a fault, too. */
bool clear_check_holder(Rt *rt, RtPart *land, RtPart *holder);

#endif
