/* What the files of this room share: one function on its way through the walk. */
#ifndef WORLD_COMPILER_RANGE_WALK_H
#define WORLD_COMPILER_RANGE_WALK_H

#include "compiler/range/multi.h"
#include "compiler/range/poly.h"
#include "compiler/range/range.h"

/* A value that is a parameter of its function times a factor, and something more that does not run
 * with it. */
typedef struct Linear {
    int param; /* -1: it is not */
    double factor;
} Linear;

typedef struct RangeContext RangeContext;

/* A floor of such a value that cuts it into cells, in this function or in one that it calls: a cell
 * is 1 / factor of the parameter wide. */
typedef struct RangeFloor {
    const IrIns *ins; /* the floor, or the call of the function that has it */
    Linear value;
    const RangeContext *callee; /* NULL: the floor itself */
    int callee_param;
    double passed; /* the factor of that argument */
} RangeFloor;

/* A set of argument intervals for which a function was walked. */
struct RangeContext {
    Range *args, *results;
    Linear *linear;         /* of the results */
    VEC(RangeFloor) floors; /* one for each instruction and parameter, its largest factor */
};

typedef struct RangeFunc {
    const IrIns **defs; /* by value: the instruction that gives it, NULL for parameters */
    RangeVerdict *met;  /* by value: what comparisons met; ins NULL where none did */
    VEC(RangeContext *) contexts;
    bool late; /* called after the steps were used up */
} RangeFunc;

struct Ranges {
    RangeInput input;
    RangeFunc *funcs;
    int depth;    /* calls and regions open */
    int unrolled; /* loops open that go round by round */
};

typedef struct Narrowed {
    IrValue value;
    Range before;
} Narrowed;

typedef struct Walk {
    Ranges *ranges;
    const IrFunc *func;
    RangeFunc *facts;
    RangeContext *context;
    Linear *linear;      /* by value */
    Range *env;          /* by value, as far as the walk came */
    Poly **polys;        /* by value: as a polynomial of another one, or NULL */
    Multi **multis;      /* by value: as a form of several, or NULL */
    VEC(Narrowed) trail; /* what was narrowed in the open regions, to be undone at their ends */
} Walk;

/* range.c */
const RangeContext *range_call(Ranges *ranges, int func, const Range *args);
void walk_region(Walk *walk, const IrRegion *region);

/* arith.c: the plain operations. */
Range walk_apply(Walk *walk, const IrIns *ins);

/* assume.c: takes it that a bool came out so, until walk_undo. */
void walk_assume(Walk *walk, IrValue condition, bool truth);
void walk_undo(Walk *walk, int mark);

/* linear.c */
void walk_linear(Walk *walk, const IrIns *ins); /* of a plain operation, after its range */
void walk_linear_call(Walk *walk, const IrIns *ins, const RangeContext *callee);
Linear linear_join(Linear a, Linear b);

/* loop.c */
void walk_for(Walk *walk, const IrIns *ins);

static inline bool ranges_spent(const Ranges *ranges) {
    return ranges->input.steps <= 0;
}

static inline IrType walk_type(const Walk *walk, IrValue value) {
    return walk->func->types.items[value];
}

static inline void walk_know(Walk *walk, IrValue value, Range range) {
    const RangeInput *input = &walk->ranges->input;
    walk->env[value] = range;
    if (input->worked) input->worked(input->user, walk->func->index, value, range);
}

static inline void walk_set(Walk *walk, IrValue value, Range range) {
    walk_know(walk, value, range);
    walk->polys[value] = NULL;
    walk->multis[value] = NULL;
    walk->linear[value].param = -1;
}

#endif
