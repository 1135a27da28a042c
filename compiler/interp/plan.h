/* A function made ready for interpreting: values become registers, instructions name registers.
 *
 *     registers:  0 a zero | constants | parameters | temporaries
 *
 * Values that do not live at once share a temporary.
 *
 * At run time every register is either uniform (one slot, in `uniform`) or varying (a column,
 * behind `column`); which one is only known then. A function asked for one element is all uniform
 * and needs no columns.
 */
#ifndef WORLD_COMPILER_INTERP_PLAN_H
#define WORLD_COMPILER_INTERP_PLAN_H

#include <stdatomic.h>

#include "compiler/interp/interp.h"
#include "compiler/interp/kernel.h"
#include "compiler/ir/bind.h"

typedef struct PlanIns PlanIns;

/* dst takes what src holds; when src is a temporary that nobody needs afterwards, the two trade
 * columns instead. */
typedef struct PlanMove {
    int32_t dst, src;
    bool steal;
} PlanMove;

typedef struct PlanMoves {
    PlanMove *items;
    int count;
} PlanMoves;

typedef struct PlanBlock {
    PlanIns *items;
    int count;
} PlanBlock;

/* What is known of a loop from running it. */
typedef struct PlanLoop {
    const InterpLoops *loops;
    int64_t limit;             /* steps after which `loops` is asked */
    _Atomic int64_t steps;     /* taken since it was asked, by runs that ended */
    _Atomic(const InterpLoop *) code;
} PlanLoop;

struct PlanIns {
    IrOp op;              /* IR_OP_COUNT: two in one, `fusion` says which */
    Fusion fusion;
    Kernel kernel;        /* of an op on numbers; else NULL */
    int32_t dst, a, b, c; /* the first result and operands; 0 where there is none */
    int32_t *args, *results;
    int arg_count, result_count;
    const IrIns *ins;      /* immediates */
    uint32_t span[3];
    PlanBlock blocks[2];   /* of `if` and `for` */
    PlanMoves moves[2];    /* what each block yields, into the results or the carried registers */
    PlanMoves enter;       /* of `for`: the carried values' first ones */
    int32_t mask, counter; /* registers of `if` and `for`; -1 for no mask */
    int32_t go_on;         /* of a `for` that may stop; else -1 */
    PlanLoop *loop;        /* of a `for` that may be left for machine code; else NULL */
};

typedef struct PlanFunc {
    const IrFunc *func;
    PlanBlock body;
    Slot *constants;
    int constant_count, param_count, register_count; /* constants include the zero */
    int32_t *returns;                                /* registers, in order */
    int return_count;
    const int32_t *registers; /* by value */
    bool *pinned; /* by register: a temporary that is returned once works in its caller's column and
                     keeps it */
} PlanFunc;

/* Parameters are registers constant_count .. constant_count + param_count - 1; temporaries follow.
 */
static inline int plan_first_temp(const PlanFunc *plan) {
    return plan->constant_count + plan->param_count;
}

PlanFunc *plan_create(Arena *arena, const IrBinding *binding, const IrFunc *func,
                      const KernelSet *kernels, const InterpLoops *loops);

#endif
