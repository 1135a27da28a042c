/* The reference executor: interprets IR a batch at a time, an instruction over up to RT_CHUNK elements.
 *
 * Values are columns; a column that is the same for all elements is worked out once (uniform). `if` and `for`
 * run under a mask; lanes that are off are computed where that is harmless (PURE) and left alone otherwise.
 * Functions that are not batchable run an element at a time, in order.
 * Needs no executable memory; builds a world by itself.
 *
 * Threads: an Interp is immutable after creation and may run on many threads, each with its own Rt.
 */
#ifndef WORLD_COMPILER_INTERP_INTERP_H
#define WORLD_COMPILER_INTERP_INTERP_H

#include "compiler/ir/bind.h"

typedef struct Interp Interp;

Interp *interp_create(Memory *memory, IrBinding binding);
/* For a question's module, which is another's with functions added: takes the other's plans, which must outlive it. */
Interp *interp_create_more(Memory *memory, IrBinding binding, const Interp *base);
void interp_destroy(Interp *interp);

/* Runs function `func` over n elements (any n; chunked inside). Columns and `uniform` as in RtKernel.
 * Faults go to rt->fault. */
void interp_run(const Interp *interp, Rt *rt, int func, int64_t n, uint64_t uniform, const Slot *const *in,
                Slot *const *out);

#endif
