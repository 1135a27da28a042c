/* Passes over IR. Each keeps a program's meaning to the bit, faults included: what may fault, draw, allocate or act is
 * never dropped, repeated, moved or made conditional, unless no answer can tell.
 *
 * Needs a verified module; gives a verified module with its facts worked out (ir_analyze). Function indices stay, values
 * are numbered anew in the order of the text.
 */
#ifndef WORLD_COMPILER_OPT_OPT_H
#define WORLD_COMPILER_OPT_OPT_H

#include "compiler/ir/ir.h"

typedef enum OptPass {
#define PASS(NAME, name, run, level) OPT_##NAME,
#include "compiler/opt/pass.def"
#undef PASS
    OPT_PASS_COUNT
} OptPass;

/* Told after each pass: for dumps. Rounds count from 1. */
typedef struct OptPlan {
    int level;           /* 0: no passes; 1: the cheap ones, once; 2: all, twice; 3: all, three times */
    const OptPass *only; /* that one, once, whatever the level; NULL: those of the level */
    void (*after)(void *user, OptPass pass, int round); /* NULL: nobody watches */
    void *user;
} OptPlan;

/* Runs the passes, then own_count, so the module may be bound. `scratch` holds working storage and is left as it was. */
void opt_run(IrModule *module, Arena *scratch, const OptPlan *plan);
const char *opt_pass_name(OptPass pass);
int opt_pass_level(OptPass pass); /* the lowest at which opt_run runs it */
/* False when no pass has that name. */
bool opt_find_pass(Str name, OptPass *pass);

#endif
