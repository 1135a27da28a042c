/* The world's own checks, and the seeds they want (world_check).
 *
 *     check.c   a check asked in one world, what its sides were, what is reported
 *     seeds.c   each seed builds the world once, for all the checks that want it: on all cores, told as one after another
 */
#ifndef WORLD_COMPILER_ENGINE_OPEN_CHECK_H
#define WORLD_COMPILER_ENGINE_OPEN_CHECK_H

#include "compiler/engine/open/open.h"

typedef struct CheckFailure {
    Str path; /* of the part */
    Str why;  /* what its sides were; empty: nothing to say */
    bool seeded;
    int64_t seed; /* else it is the world's own */
} CheckFailure;

typedef VEC(CheckFailure) CheckFailures;

typedef struct Check {
    const TreeCheck *tree;
    bool seeded;
    _Atomic int64_t failed; /* the least seed with which it did so far; INT64_MAX: none */
    _Atomic int64_t asked;  /* parts */
    CheckFailures failures;
} Check;

typedef struct Checks {
    World *world;
    Check *items;
    int count;
    int seed; /* the field of the root; -1: there is none */
} Checks;

/* Asks a check of every part it is a check of, in rt->world, and answers how many there were. Ends early at a fault (rt->fault). */
int check_ask(World *world, Rt *rt, const TreeCheck *check, CheckFailures *failures);
/* All seeds that checks want; the world's own is put back. Leaves through memory_fail when there is no memory. */
void checks_run_seeds(Checks *checks, Rt *rt);

#endif
