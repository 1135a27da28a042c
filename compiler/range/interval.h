/* Intervals: what values an IR value can take, and what each operation makes of them.
 *
 * The operations of the IR round to nearest, and rounding is monotone: the operation on the ends of
 * its operands' intervals gives exactly the ends of what it can answer, so nothing needs to be
 * rounded outward here. Everything holds for runs without a fault: after `add.i` no overflow
 * happened, after `list.get` the index was inside.
 */
#ifndef WORLD_COMPILER_RANGE_INTERVAL_H
#define WORLD_COMPILER_RANGE_INTERVAL_H

#include "compiler/ir/ir.h"

/* Both ends included. An interval whose ends are crossed holds no number. Of an R nothing is known,
 * ever. */
typedef struct Range {
    union {
        struct {
            double lo, hi;
        }; /* F */
        struct {
            int64_t least, most;
        }; /* I; W; B: 0 and 1 */
    };
    bool nan;    /* F: or NaN */
    bool made;   /* F: which the program may make of numbers: 0 / 0, the root of a negative one, one that is written */
    bool varies; /* something besides constants of the program decides it */
} Range;

Range range_empty(IrType type); /* of a value that is never worked out */
Range range_full(IrType type);  /* varies */
Range range_float(double value);
Range range_int(int64_t value);

bool range_is_empty(IrType type, Range range); /* no number and no NaN */
bool range_is_point(IrType type, Range range); /* one number and no NaN */
bool range_equal(IrType type, Range a, Range b);
Range range_join(IrType type, Range a, Range b);
/* An interval over `next`, which covers `before`, such that a rising row of these soon ends: an end
 * that moved is put on the next of a few marks. */
Range range_widen(IrType type, Range before, Range next);

/* What the first result of a plain operation (scalar operands, no regions, no objects) can be. */
Range range_apply(IrOp op, const Range *args, int arg_count);
/* Of x * x. */
Range range_square(Range x);

/* Narrows two operands by the outcome of a comparison (LT, LE, EQ, NE of F, I or W). */
void range_assume(IrOp op, bool truth, Range *a, Range *b);

#endif
