/* What was made for one scene and is made again for the next, by a hash of all that it was made of: then it is not made
 * again, also when a text was read anew in between. What a whole scene did not ask for is given back.
 *
 * Under the world's lock.
 */
#ifndef WORLD_COMPILER_ENGINE_OPEN_KEPT_H
#define WORLD_COMPILER_ENGINE_OPEN_KEPT_H

#include "runtime/base/memory.h"

enum { KEPT_BUCKETS = 256 };

typedef struct Kept Kept;
struct Kept {
    uint64_t key;
    Arena arena; /* it lies in it, with what was made */
    void *what;  /* NULL: that is not whole */
    bool used;   /* since the last sweep */
    Kept *next;
};

typedef struct KeptTable {
    Kept *buckets[KEPT_BUCKETS];
    uint64_t made; /* for the text as it is */
} KeptTable;

/* NULL: there is none of that key. */
Kept *kept_find(KeptTable *table, uint64_t key);
/* One whose `what` is to be made in its arena. May leave through memory_fail, and so may who makes it. */
Kept *kept_begin(KeptTable *table, Memory *memory, uint64_t key);
/* Gives back what nobody found or made since the last time, and what is not whole. */
void kept_sweep(KeptTable *table);
void kept_fini(KeptTable *table);

#endif
