/* Threads that wait for work: made once, at the first wish, as many as the system gives. With none, whoever asks works
 * alone; nothing fails for want of a thread.
 *
 *     rt_pool_run: task 0 on the caller ─┬─ tasks 1.. on threads that are free
 *                                        └─ back when all that began have ended
 *
 * Threads: all functions but rt_pool_destroy may be called from several at once; their tasks share the threads.
 */
#ifndef WORLD_RT_POOL_H
#define WORLD_RT_POOL_H

#include "runtime/base/memory.h"

typedef struct RtPool RtPool;

/* `threads`: the caller among them. Leaves through memory_fail when there is no memory. */
RtPool *rt_pool_create(Memory *memory, int threads);
/* While nobody uses it. NULL is fine. */
void rt_pool_destroy(RtPool *pool);

typedef void (*RtPoolTask)(void *user, int number);
/* At most `most` tasks at once. A task takes what there is to do until nothing is left: how many run, nobody knows. */
void rt_pool_run(RtPool *pool, int most, RtPoolTask task, void *user);

#endif
