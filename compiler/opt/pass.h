/* What passes share: the module at work, the effects of what it holds, and small helpers. */
#ifndef WORLD_COMPILER_OPT_PASS_H
#define WORLD_COMPILER_OPT_PASS_H

#include "compiler/opt/opt.h"
#include "compiler/range/range.h"

/* What an instruction may do, itself or in what it calls and holds. 0: nothing but give its
 * results. */
enum {
    EFFECT_FAULTS = 1, /* may record a fault */
    EFFECT_READS = 2,  /* reads parts, lists or grids */
    EFFECT_MAKES = 4,  /* gives a new object, told from any other by eq.r */
    EFFECT_DRAWS = 8,
    EFFECT_ACTS = 16,
    EFFECT_ALL = 31
};

typedef struct Opt {
    IrModule *module;
    Arena *arena; /* what bodies are made of */
    Arena *scratch;
    uint8_t *effects;         /* by function */
    uint64_t *closure_params; /* by function: bit i, parameter i (below 64) is a closure that is
                                 called in it or below */
    int *order, count;        /* the functions at work and those that they call, callees first */
    int first;                /* that is at work */
    Ranges *ranges;           /* of functions by themselves */
    const bool *done;         /* by function: no pass runs over it; NULL: over all */
} Opt;

/* before.c: gives functions the bodies that they were given before; answers which, by number. They are as good as they become. */
bool *opt_take(IrModule *module, const OptBefore *before, Arena *scratch);
/* The module keeps the bodies that its functions have now, and nothing else of the arena of bodies. */
void opt_settle(const Opt *opt);

typedef void (*OptRun)(Opt *opt, IrFunc *func);

#define PASS(NAME, name, run, level) void run(Opt *opt, IrFunc *func);
#include "compiler/opt/pass.def"
#undef PASS

/* The lines of a region, being made anew. */
typedef VEC(IrIns *) OptBody;

static inline void opt_set_body(IrRegion *region, OptBody body) {
    region->body.items = body.items;
    region->body.count = body.count;
    region->body.capacity = body.capacity;
}

uint8_t opt_effects_of_ins(const Opt *opt, const IrIns *ins);
/* Whether an instruction whose results nobody uses may go. */
bool opt_may_drop(const Opt *opt, const IrIns *ins);

/* Old values to new ones, identity at first; grows as values are made. */
typedef struct OptMap {
    IrValue *to;
    int count;
} OptMap;
void opt_map_init(OptMap *map, Opt *opt, const IrFunc *func);
/* The map's answer; a value made after the map is itself. */
IrValue opt_map_get(const OptMap *map, IrValue value);
void opt_map_set(OptMap *map, Opt *opt, IrValue value, IrValue to);
void opt_map_values(const OptMap *map, IrValue *values, int count);

/* Lines of a function copied into another, or into itself. `map` says what stands for the values that the lines take from
 * outside them (themselves, if nothing is said), and in the end for those that they define. A line of the library's gets the span
 * of the call that it stands for, where its faults are told. */
typedef struct OptCopy {
    Opt *opt;
    IrFunc *func;       /* that gets them */
    const IrFunc *from; /* whose they are */
    OptMap map;
    Span call;
} OptCopy;
void opt_copy_body(OptCopy *copy, const IrRegion *from, OptBody *out);

/* Gives every value a new number, in the order of the text, and forgets the types of the lost ones.
 */
void opt_renumber(Opt *opt, IrFunc *func);

#endif
