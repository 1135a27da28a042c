/* The range of every value of a module: abstract interpretation of the IR over intervals.
 *
 *     enter(func, intervals) ── walks its body: straight lines by transfer.c
 *          │   if:  each side with its operands narrowed by the condition, answers joined
 *          │   for: a few known rounds one by one, else carried values widened until they hold still
 *          └─ a call walks the callee for these arguments (once for each set of them), so
 *             `nearest(here, within: 16 m)` answers 0 to 16 there and 0 to 40 elsewhere
 *
 * What every comparison met on all these walks is kept: one whose outcome was always the same is a
 * verdict.
 *
 * Everything ends: a step count bounds the work of one analysis, and when it is used up, calls
 * answer "anything" and loops are walked once. Comparisons inside functions called that late are no
 * longer judged. Not done: objects (a list's items, a closure that is called, are anything),
 * relations between two values, except that a polynomial of one value (poly.h), a + (b - a) * t and
 * x - floor(x) are known.
 */
#ifndef WORLD_COMPILER_RANGE_RANGE_H
#define WORLD_COMPILER_RANGE_RANGE_H

#include "compiler/range/interval.h"

/* The functions that can have worked out a cell, and the slot of their answer that is read first.
 */
typedef struct RangeCell {
    const int *inits;
    int init_count; /* 0: anything may be in it */
    int first;
} RangeCell;

typedef struct RangeInput {
    Arena *arena;           /* of the analysis and what it finds */
    Arena *scratch;         /* another one, left as it was */
    const IrModule *module; /* verified */
    /* What a field.get reads; NULL: nothing is known of any. */
    RangeCell (*cell)(void *user, int func, const IrIns *ins);
    /* Whether the floors that a function takes cut its parameters into cells, as noises do; NULL:
     * none does. */
    bool (*has_cells)(void *user, int func);
    /* Told of every call of a function or a native that is walked, with its arguments; or NULL. */
    void (*called)(void *user, int func, const IrIns *ins, const Range *args);
    /* Told of every value each time a walk works out its range; or NULL. */
    void (*worked)(void *user, int func, IrValue value, Range range);
    void *user;
    bool alone;    /* for ranges_alone */
    int contexts;  /* argument sets of one function; past these it is walked for any argument. 0: a few */
    int rounds;    /* of a loop with known ends, that are walked one by one. 0: a few */
    int64_t steps; /* instructions walked, about; 0: RANGE_STEPS */
} RangeInput;

enum { RANGE_STEPS = 1000 * 1000 };

typedef struct Ranges Ranges;

Ranges *ranges_create(const RangeInput *input);

/* Walks a function for arguments in these intervals (NULL: any) and gives those of its results. */
const Range *ranges_enter(Ranges *ranges, int func, const Range *args);
/* Walks one function by itself, for any arguments, told to `worked`: calls answer anything, and what is found holds for runs
 * with faults too, which go on with zeros and may end any loop early. Arena and scratch may be one. */
void ranges_alone(Ranges *ranges, int func, void (*worked)(void *user, int func, IrValue value, Range range), void *user);
/* Whether some function was called after the steps were used up, and so never walked. */
bool ranges_late(const Ranges *ranges);
bool ranges_entered(const Ranges *ranges, int func);
/* What a result was on all walks. */
Range ranges_answer(const Ranges *ranges, int func, int result);

/* A comparison (LT, LE, EQ, NE of F, I, W) whose outcome, NaN aside, was the same on every walk. */
typedef struct RangeVerdict {
    int func;
    const IrIns *ins;
    bool seen_true, seen_false;
    Range left, right; /* of its operands, over all walks; one of them varies */
} RangeVerdict;

/* Every comparison that was met, undecided ones too (a generic function may be in the module many
 * times over); by function, then by value. */
int ranges_comparisons(Ranges *ranges, Arena *arena, RangeVerdict **found);

#endif
