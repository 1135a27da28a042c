/* What the rules of one scatter share while it runs. Private to runtime/scatter. */
#ifndef WORLD_SCATTER_RULE_H
#define WORLD_SCATTER_RULE_H

#include "runtime/scatter/ids.h"
#include "runtime/scatter/scatter.h"

typedef struct Scatter {
    Rt *rt;
    const ScatterInput *input;
    const ScatterRule *rules; /* with streams of their own, begun anew */
    RtList *placed;           /* all so far */
    DiscIndex rooms;          /* of what blocks; tag: index in placed */
    IdSet ids;                /* of what was placed */
    int64_t *group_counts;
    ScatterStats *stats; /* by rule */
    RtText **rule_names;
    ScatterReport *report; /* NULL: nobody looks */
} Scatter;

/* Runs rule `index`; what it placed is appended. Faults go to scatter->rt. */
void rule_run(Scatter *scatter, int index);

#endif
