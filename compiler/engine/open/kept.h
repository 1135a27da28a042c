/* What was made for one scene and is made again for the next, by a hash of all that it was made of: then it is not made
 * again, also when a text was read anew in between. What a whole scene did not ask for is given back.
 *
 * A layer is made of what it reads of the world while it is made: it is as good as before while that is, as a cell's value
 * is; its key only says which layer it is. A reload judges what it read as it judges what cells read (recall.h).
 *
 * Under the world's lock.
 */
#ifndef WORLD_COMPILER_ENGINE_OPEN_KEPT_H
#define WORLD_COMPILER_ENGINE_OPEN_KEPT_H

#include "runtime/rt/part.h"

enum { KEPT_BUCKETS = 256 };

typedef struct Kept Kept;
struct Kept {
    uint64_t key;
    Arena arena; /* it lies in it, with what was made */
    void *what;  /* NULL: that is not whole */
    bool used;   /* since the last sweep */
    RtVersion *reads; /* of a layer; what it read is held */
    RtWorld *of;      /* that it read */
    uint64_t since;   /* the world's clock when that was good */
    Kept *next;
};

typedef struct KeptTable {
    Kept *buckets[KEPT_BUCKETS];
    uint64_t levels, layers; /* made for the text as it is: as of WorldWork */
} KeptTable;

/* NULL: there is none of that key. */
Kept *kept_find(KeptTable *table, uint64_t key);
/* One whose `what` is to be made in its arena. May leave through memory_fail, and so may who makes it. */
Kept *kept_begin(KeptTable *table, Memory *memory, uint64_t key);
/* Gives back what nobody found or made since the last time, and what is not whole. */
void kept_sweep(KeptTable *table);
/* It is no layer that is good any more. */
void kept_spoil(Kept *kept);
/* No layer of those parts is. */
void kept_spoil_all(KeptTable *table, const RtWorld *of);
void kept_fini(KeptTable *table);

#endif
