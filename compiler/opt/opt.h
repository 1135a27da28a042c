/* Passes over IR. Each keeps a program's meaning to the bit, faults included: what may fault, draw, allocate or act is
 * never dropped, repeated, moved or made conditional, unless no answer can tell.
 *
 * Needs a verified module; gives a verified module with its facts worked out (ir_analyze). Function indices stay, values
 * are numbered anew in the order of the text.
 */
#ifndef WORLD_COMPILER_OPT_OPT_H
#define WORLD_COMPILER_OPT_OPT_H

#include "compiler/ir/meaning.h"

typedef enum OptPass {
#define PASS(NAME, name, run, level) OPT_##NAME,
#include "compiler/opt/pass.def"
#undef PASS
    OPT_PASS_COUNT
} OptPass;

/* A module that was optimized for a text before. */
typedef struct OptBefore {
    const IrModule *module;
    const IrMeanings *before, *now;             /* what its functions meant when they were lowered, and what this module's mean */
    bool (*move)(const void *user, Span *span); /* a place of the old text to where that is now; false: it is gone */
    const void *user;
} OptBefore;

typedef struct OptPlan {
    int first;           /* functions before it are in use elsewhere, and stay as they are */
    int level;           /* 0: no passes; 1: the cheap ones, once; 2: all, twice; 3: all, three times */
    const OptPass *only; /* that one, once, whatever the level; NULL: those of the level */
    void (*after)(void *user, OptPass pass, int round); /* told after each pass, for dumps; rounds count from 1. NULL: nobody is */
    void *user;
    Arena *bodies; /* gets all that passes make, of which the module keeps what is left in the end; NULL: the module keeps all */
    const OptBefore *before; /* functions that mean the same are as they were made there; NULL: all are worked on */
} OptPlan;

/* Runs the passes, then own_count, so the module may be bound. `scratch` holds working storage and is left as it was. */
void opt_run(IrModule *module, Arena *scratch, const OptPlan *plan);
const char *opt_pass_name(OptPass pass);
int opt_pass_level(OptPass pass); /* the lowest at which opt_run runs it */
/* False when no pass has that name. */
bool opt_find_pass(Str name, OptPass *pass);

#endif
