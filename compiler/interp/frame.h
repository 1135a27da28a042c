/* A call in progress. See plan.h for registers.
 *
 * Lanes that are off hold whatever; nothing is read through a reference, and no fault recorded, for
 * one.
 */
#ifndef WORLD_COMPILER_INTERP_FRAME_H
#define WORLD_COMPILER_INTERP_FRAME_H

#include "compiler/interp/interp.h"
#include "compiler/interp/plan.h"

struct Interp {
    Memory *memory;
    Arena arena;
    IrBinding binding;
    const KernelSet *kernels;
    PlanFunc **plans; /* by function */
};

typedef struct Frame {
    const Interp *interp;
    Rt *rt;
    const PlanFunc *plan;
    Slot *uniform;    /* by register */
    Slot **column;    /* by register; NULL when all is uniform */
    bool *varying;    /* by register; NULL when all is uniform */
    int n;            /* lanes */
    const Slot *mask; /* 1 for a lane that is on; NULL: all are */
    int on;           /* lanes that are on, at least one */
    int first,
        end; /* from the first that is on to past the last; nothing is done, or known, outside */
} Frame;

/* Runs a block for one element: every register is uniform. */
void scalar_run(Frame *frame, const PlanBlock *block);
/* Calls a function for one element; args and results are registers of the caller. */
void scalar_call(Frame *caller, const PlanIns *ins);
/* Starts a frame whose constants are in place, all of it uniform. */
void frame_init(Frame *frame, const Interp *interp, Rt *rt, const PlanFunc *plan);

/* Runs a block over the frame's lanes. */
void lanes_run(Frame *frame, const PlanBlock *block);
/* Gives the frame columns for its temporaries; pinned ones are `out`'s (by return; may hold NULL).
 */
void lanes_init(Frame *frame, int n, Slot *const *out);

#endif
