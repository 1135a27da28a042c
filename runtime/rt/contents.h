/* What a container of the library holds, in its own order, as a list of rows: nothing of how it keeps it. Two that hold the
 * same have the same rows, whatever was put in and taken out before.
 *
 *     Map     pairs of a key and its value, as the keys first came     Heap          pairs of an item and its key, as they come out
 *     Set     items, as they first came                                DisjointSets  lists of the numbers that are joined, by
 *     Queue   items, the next one first                                              the smallest of each
 */
#ifndef WORLD_RT_CONTENTS_H
#define WORLD_RT_CONTENTS_H

#include "runtime/base/container.h"
#include "runtime/rt/rt.h"

/* The rows, in `arena`; what they hold is the container's. `letters`: of the slots of a heap's key. */
const RtList *contents_rows(Arena *arena, ContainerKind kind, Str letters, const Slot *slots);

#endif
