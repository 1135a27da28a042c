/* The reference executor: interprets IR a batch at a time, an instruction over up to RT_CHUNK elements.
 *
 * Values are columns; a column that is the same for all elements is worked out once (uniform). `if` and `for`
 * run under a mask; lanes that are off are computed where that is harmless (PURE) and left alone otherwise.
 * Functions that are not batchable run an element at a time, in order.
 * Needs no executable memory; builds a world by itself.
 *
 * Threads: an Interp may run on many threads, each with its own Rt; all that changes is what it knows of its loops.
 */
#ifndef WORLD_COMPILER_INTERP_INTERP_H
#define WORLD_COMPILER_INTERP_INTERP_H

#include "compiler/ir/bind.h"

typedef struct Interp Interp;

/* A loop that has gone on for long: machine code for the rest of it. */
typedef struct InterpLoop {
    RtKernel run;
    const IrFunc *func; /* of ir_loop_func */
} InterpLoop;

/* Who makes it. `take` is asked when a loop has taken `steps` steps in all, and again after as many; NULL: interpret on.
 * What it gives lives as long as the Interp. */
typedef struct InterpLoops {
    const InterpLoop *(*take)(void *user, const IrFunc *func, const IrIns *loop);
    void *user;
    int64_t steps; /* of a loop in no other one; one inside takes more, so that the outer is first */
} InterpLoops;

/* Without `loops` (NULL) it interprets all; they must outlive the Interp. With `base`, whose module is a beginning of this
 * one's (a question's module is its program's with functions added), it takes that one's plans, which must outlive it. */
Interp *interp_create(Memory *memory, IrBinding binding, const InterpLoops *loops, const Interp *base);
void interp_destroy(Interp *interp);

/* Runs function `func` over n elements (any n; chunked inside). Columns and `uniform` as in RtKernel.
 * Faults go to rt->fault. */
void interp_run(const Interp *interp, Rt *rt, int func, int64_t n, uint64_t uniform, const Slot *const *in,
                Slot *const *out);

#endif
