/* An order of copies in which those that stand near each other come one after the other, so that a block of them is seen, or not, as one. */
#ifndef WORLD_GPU_THINGS_ORDER_H
#define WORLD_GPU_THINGS_ORDER_H

#include "runtime/base/memory.h"

/* Numbers of the copies, by where their transforms (3x4 rows) put them; in the arena, which may leave through memory_fail. */
uint32_t *things_order(Arena *arena, const float *transforms, uint32_t count);

#endif
