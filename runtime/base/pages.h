/* Large allocations: whole pages from the system, kept for the next.
 *
 * A page that is fresh costs a fault, and what lies in small pages a miss of their table wherever reads jump about. So
 * regions are mapped in large pages, cut to what is wanted and joined again when they come back; 256 MB of them are kept at most,
 * which a world that is made anew while the old one is there takes up. Who has made what is to stay lets go of what else it took.
 *
 *     from the system   [ 2 MiB | 2 MiB | 2 MiB ]
 *     in use, kept      [header, data][ header, data     ][ kept ........]      grows into what is kept behind it
 *
 * Threads share one list of what is kept, under a lock.
 */
#ifndef WORLD_BASE_PAGES_H
#define WORLD_BASE_PAGES_H

#include <stddef.h>

enum { PAGES_FROM = 128 << 10 }; /* what is smaller goes to malloc */

/* As MemoryResizeFn (memory.h): of sizes from PAGES_FROM on, or 0. NULL: no memory, and what was there stays. */
void *pages_resize(void *ptr, size_t new_size);

/* Gives what is kept back to the system. */
void pages_let_go(void);

#endif
