/* Where parts stand: frames read from the options at, turn and scale that every part has.
 *
 * Whoever asks reads those cells, so what was worked out from a frame is worked out again when the
 * part, or one that holds it, is moved. A frame relative to an ancestor reads nothing above that
 * ancestor: what stands in a moving body does not notice that it moves.
 */
#ifndef WORLD_FRAME_PART_FRAME_H
#define WORLD_FRAME_PART_FRAME_H

#include "runtime/frame/frame.h"
#include "runtime/rt/part.h"

/* In the frame of the part that holds it. A part without such options (the root) stands where its
 * holder does. After a fault, anywhere. */
Frame part_frame_own(Rt *rt, RtPart *part);
/* In the frame of `outer`, which must be the part itself, one that holds it over whatever steps, or
 * NULL: the world. */
Frame part_frame_in(Rt *rt, RtPart *part, const RtPart *outer);
/* Whether `outer` is the part or holds it. */
bool part_frame_holds(const RtPart *outer, const RtPart *part);
/* The nearest part that is or holds both; the root at the latest. */
RtPart *part_frame_meet(RtPart *a, RtPart *b);

#endif
