/* The land's part as packages that place things need it. */
#ifndef WORLD_STDLIB_PLACING_H
#define WORLD_STDLIB_PLACING_H

#include "runtime/rt/part.h"
#include "runtime/scatter/scatter.h"
#include "stdlib/stdlib_externs.h"

/* The part that a contract's value was made of: what its functions hold, over whatever was put round
 * them. NULL: none. */
RtPart *placing_land_part(const StdLand *over);
RtPart *placing_part_of(const RtClosure *height);

/* The ground of one of the grids that the height of a land's part is read from; false: there is none yet. */
bool placing_ground(Rt *rt, RtPart *land, int index, Ground *ground);

#endif
