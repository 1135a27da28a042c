/* What each function of a module means, as a number: a hash of its instructions and of all that it calls, without spans and without the
 * places of functions, natives and texts in their tables. Functions of two modules that mean the same do the same, as far as what the
 * numbers of classes and fields say is the same in both.
 */
#ifndef WORLD_COMPILER_IR_MEANING_H
#define WORLD_COMPILER_IR_MEANING_H

#include "compiler/ir/ir.h"

typedef struct IrMeanings {
    const uint64_t *of; /* by function */
    const int *order;   /* the functions by their meanings, and by their numbers where these are one */
    int count;
} IrMeanings;

/* Of a verified module. */
IrMeanings ir_meanings(const IrModule *module, Arena *arena);
/* By function of `before`, the one of `now` that means the same; of several the one at the same turn. -1: there is none, or not as many. */
int *ir_match(const IrMeanings *before, const IrMeanings *now, Arena *arena);

#endif
