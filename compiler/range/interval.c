/* The lattice of intervals, and what the outcome of a comparison says of its operands. */
#include "compiler/range/interval.h"

#include <math.h>

/* -- the lattice -- */

Range range_empty(IrType type) {
    if (type == IR_F) return (Range){.lo = INFINITY, .hi = -INFINITY};
    if (type == IR_R) return range_full(IR_R);
    return (Range){.least = INT64_MAX, .most = INT64_MIN};
}

Range range_full(IrType type) {
    switch (type) {
    case IR_F:
        return (Range){.lo = -INFINITY, .hi = INFINITY, .nan = true, .varies = true};
    case IR_I:
        return (Range){.least = INT64_MIN, .most = INT64_MAX, .varies = true};
    case IR_W:
        return (Range){.least = 0, .most = UINT32_MAX, .varies = true};
    case IR_B:
        return (Range){.least = 0, .most = 1, .varies = true};
    case IR_R:
        break;
    }
    return (Range){.least = 0, .most = 0, .varies = true};
}

Range range_float(double value) {
    if (value != value) return (Range){.lo = INFINITY, .hi = -INFINITY, .nan = true, .made = true};
    return (Range){.lo = value, .hi = value};
}

Range range_int(int64_t value) {
    return (Range){.least = value, .most = value};
}

static bool range_has_numbers(IrType type, Range range) {
    return type == IR_F ? range.lo <= range.hi : range.least <= range.most;
}

bool range_is_empty(IrType type, Range range) {
    return !range_has_numbers(type, range) && !(type == IR_F && range.nan);
}

bool range_is_point(IrType type, Range range) {
    if (type == IR_F) return range.lo == range.hi && !range.nan;
    return type != IR_R && range.least == range.most;
}

bool range_equal(IrType type, Range a, Range b) {
    if (a.varies != b.varies) return false;
    if (type == IR_F) return a.lo == b.lo && a.hi == b.hi && a.nan == b.nan && a.made == b.made;
    return a.least == b.least && a.most == b.most;
}

Range range_join(IrType type, Range a, Range b) {
    Range out = {.nan = a.nan || b.nan, .made = a.made || b.made, .varies = a.varies || b.varies};
    if (type == IR_F) {
        out.lo = a.lo < b.lo ? a.lo : b.lo;
        out.hi = a.hi > b.hi ? a.hi : b.hi;
    } else {
        out.nan = out.made = false;
        out.least = a.least < b.least ? a.least : b.least;
        out.most = a.most > b.most ? a.most : b.most;
    }
    return out;
}

static double mark_below(double value) {
    return value >= 1 ? 1 : value >= 0 ? 0 : value >= -1 ? -1 : -INFINITY;
}

Range range_widen(IrType type, Range before, Range next) {
    if (type == IR_F) {
        if (next.lo < before.lo) next.lo = mark_below(next.lo);
        if (next.hi > before.hi) next.hi = -mark_below(-next.hi);
    } else if (type == IR_I || type == IR_W) {
        int64_t least = type == IR_W ? 0 : INT64_MIN, most = type == IR_W ? UINT32_MAX : INT64_MAX;
        if (next.least < before.least) next.least = next.least >= 0 ? 0 : least;
        if (next.most > before.most) next.most = next.most <= 0 ? 0 : most;
    }
    return next;
}

/* -- what a comparison's outcome says of its operands -- */

static double just_below(double value) {
    if (value == -INFINITY) return value;
    if (value == 0) return -0x1p-1074;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits += value < 0 ? 1 : (uint64_t)-1;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

/* a < b or a <= b held. */
static void narrow_floats(bool strict, Range *a, Range *b) {
    double most = strict ? just_below(b->hi) : b->hi;
    double least = strict ? -just_below(-a->lo) : a->lo;
    if (most < a->hi) a->hi = most;
    if (least > b->lo) b->lo = least;
}

static void narrow_ints(bool strict, Range *a, Range *b) {
    int64_t step = strict ? 1 : 0;
    if (b->most - (b->most != INT64_MIN ? step : 0) < a->most) a->most = b->most - step;
    if (a->least + (a->least != INT64_MAX ? step : 0) > b->least) b->least = a->least + step;
}

static void meet_floats(Range *a, Range *b) {
    Range both = {.lo = a->lo > b->lo ? a->lo : b->lo, .hi = a->hi < b->hi ? a->hi : b->hi};
    a->lo = b->lo = both.lo;
    a->hi = b->hi = both.hi;
    a->nan = b->nan = a->made = b->made = false;
}

static void meet_ints(Range *a, Range *b) {
    a->least = b->least = a->least > b->least ? a->least : b->least;
    a->most = b->most = a->most < b->most ? a->most : b->most;
}

/* A value that is not the one number of `other` moves its end off it. */
static void differ_ints(Range *a, Range other) {
    if (other.least != other.most) return;
    if (a->least == other.least && a->least < a->most) a->least++;
    if (a->most == other.least && a->least < a->most) a->most--;
}

/* !(a < b) is b <= a, or one of the two is NaN: a side narrows only when the other is surely a
 * number. */
static void assume_floats(bool strict, bool truth, Range *a, Range *b) {
    Range was_a = *a, was_b = *b;
    if (truth) {
        narrow_floats(strict, a, b);
        a->nan = b->nan = a->made = b->made = false;
        return;
    }
    narrow_floats(!strict, b, a);
    if (was_b.nan) *a = was_a;
    if (was_a.nan) *b = was_b;
}

/* An interval that lost its last number gets the ends that join with anything. */
static void tidy(IrType type, Range *range) {
    if (range_has_numbers(type, *range)) return;
    Range none = range_empty(type);
    none.nan = type == IR_F && range->nan;
    none.made = type == IR_F && range->made;
    none.varies = range->varies;
    *range = none;
}

void range_assume(IrOp op, bool truth, Range *a, Range *b) {
    IrType type = IR_I;
    ir_type_of_letter(ir_op_info(op)->operands[0], &type);
    if (op == IR_LT_F || op == IR_LE_F) {
        assume_floats(op == IR_LT_F, truth, a, b);
    } else if (op == IR_EQ_F || op == IR_NE_F) {
        if (truth == (op == IR_EQ_F)) meet_floats(a, b);
    } else if (op == IR_LT_I || op == IR_LE_I || op == IR_LT_W) {
        bool strict = op != IR_LE_I;
        if (truth)
            narrow_ints(strict, a, b);
        else
            narrow_ints(!strict, b, a);
    } else if (op == IR_EQ_I || op == IR_NE_I || op == IR_EQ_W) {
        Range was_a = *a;
        if (truth == (op != IR_NE_I))
            meet_ints(a, b);
        else
            differ_ints(a, *b), differ_ints(b, was_a);
    }
    tidy(type, a);
    tidy(type, b);
}
