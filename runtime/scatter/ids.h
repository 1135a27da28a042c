/* The ids of placed things, each of which there may be once: an open hash table of texts that others hold. */
#ifndef WORLD_SCATTER_IDS_H
#define WORLD_SCATTER_IDS_H

#include "runtime/rt/rt.h"

typedef struct IdSet {
    Arena *arena;
    const RtText **slots; /* a power of two, at most half of them taken; NULL: free */
    uint32_t size, count;
} IdSet;

/* The id of what a rule stands on a spot. */
RtText *ids_text(Rt *rt, Str rule, const Slot *spot);

void ids_init(IdSet *ids, Arena *arena);
/* False: it was there already. */
bool ids_add(IdSet *ids, const RtText *id);

#endif
