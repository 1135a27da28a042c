/* What an expression of a few values is, when it is of degree 1 in each: a + b - a * b, a + (b - a) * t.
 *
 * Over a box such a form takes its least and its greatest value at corners, where intervals that forget that both
 * a's are one value would have a + b - a * b reach from -1 to 2. The error bounds what rounding on the way adds.
 */
#ifndef WORLD_COMPILER_RANGE_MULTI_H
#define WORLD_COMPILER_RANGE_MULTI_H

#include "compiler/range/interval.h"

enum { MULTI_BASES = 4 };

typedef struct Multi {
    IrValue bases[MULTI_BASES]; /* rising */
    double reach[MULTI_BASES];  /* the greatest size of each */
    int count;
    double c[1 << MULTI_BASES]; /* by which bases are factors: bit i is bases[i] */
    double error;
} Multi;

Multi multi_constant(double value);
Multi multi_of(IrValue base, Range range);
/* a + scale * b, a * b; false: too many values, or one would be squared. */
bool multi_add(const Multi *a, const Multi *b, double scale, Multi *out);
bool multi_multiply(const Multi *a, const Multi *b, Multi *out);
/* Over the box of its bases' ranges, in their order. */
Range multi_range(const Multi *form, const Range *bases);

#endif
