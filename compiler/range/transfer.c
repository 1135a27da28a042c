/* What each operation makes of its operands' intervals: a function a row, in the table at the end.
 * An operation without a row answers anything of its type. Operands that are worked out never
 * (empty) are dealt with there. */
#include "compiler/ir/eval.h"
#include "compiler/range/interval.h"
#include "runtime/rt/rt.h"

/* -- doubles -- */

static const Range no_number = {.lo = INFINITY, .hi = -INFINITY};

static void include(Range *range, double value) {
    if (value != value) range->nan = true;
    if (value < range->lo) range->lo = value;
    if (value > range->hi) range->hi = value;
}

/* Of a product or quotient: where an end gives NaN (0 by infinity, infinity by infinity), what lies
 * inside gives 0. */
static void include_limit(Range *range, double value) {
    include(range, value);
    if (value != value) include(range, 0);
}

/* Calls body with every pair of ends as x and y, when both sides have numbers. */
#define EACH_CORNER(a, b, x, y, body)                                                              \
    for (int corner = 0; corner < 4; corner++) {                                                   \
        double x = corner & 1 ? (a).hi : (a).lo, y = corner & 2 ? (b).hi : (b).lo;                 \
        body;                                                                                      \
    }

static bool numbers(Range a) {
    return a.lo <= a.hi;
}

static bool has_zero(Range a) {
    return a.lo <= 0 && a.hi >= 0;
}

static bool has_infinity(Range a) {
    return a.lo == -INFINITY || a.hi == INFINITY;
}

static Range start_float(const Range *a, int count) {
    Range out = no_number;
    for (int i = 0; i < count; i++) {
        out.nan |= a[i].nan;
        out.made |= a[i].made;
    }
    return out;
}

static Range add_f(const Range *a) {
    Range out = start_float(a, 2);
    if (numbers(a[0]) && numbers(a[1])) EACH_CORNER(a[0], a[1], x, y, include(&out, x + y));
    return out;
}

static Range sub_f(const Range *a) {
    Range out = start_float(a, 2);
    if (numbers(a[0]) && numbers(a[1])) EACH_CORNER(a[0], a[1], x, y, include(&out, x - y));
    return out;
}

static bool is_zero(Range a) {
    return a.lo == 0 && a.hi == 0;
}

/* Nothing but 0 times what may be infinite: 0 would be the bound of a product that may be none. */
static Range mul_f(const Range *a) {
    Range out = start_float(a, 2);
    if (!numbers(a[0]) || !numbers(a[1])) return out;
    out.nan |= has_zero(a[0]) && has_infinity(a[1]);
    out.nan |= has_zero(a[1]) && has_infinity(a[0]);
    if ((is_zero(a[0]) && has_infinity(a[1])) || (is_zero(a[1]) && has_infinity(a[0]))) {
        out.lo = -INFINITY;
        out.hi = INFINITY;
        return out;
    }
    EACH_CORNER(a[0], a[1], x, y, include_limit(&out, x * y));
    return out;
}

/* A divisor that can be 0 can be -0 too, so the answer's sign is open. */
static Range div_f(const Range *a) {
    Range out = start_float(a, 2);
    if (!numbers(a[0]) || !numbers(a[1])) return out;
    if (has_zero(a[1])) {
        out.nan |= has_zero(a[0]) || (has_infinity(a[0]) && has_infinity(a[1]));
        out.made |= has_zero(a[0]);
        out.lo = -INFINITY;
        out.hi = INFINITY;
        return out;
    }
    EACH_CORNER(a[0], a[1], x, y, include_limit(&out, x / y));
    return out;
}

Range range_square(Range x) {
    Range out = {.lo = INFINITY, .hi = -INFINITY, .nan = x.nan, .made = x.made, .varies = x.varies};
    if (!numbers(x)) return out;
    include(&out, x.lo * x.lo);
    include(&out, x.hi * x.hi);
    if (has_zero(x)) include(&out, 0);
    return out;
}

static Range neg_f(const Range *a) {
    return (Range){.lo = -a->hi, .hi = -a->lo, .nan = a->nan, .made = a->made};
}

static Range abs_f(const Range *a) {
    Range out = start_float(a, 1);
    if (!numbers(*a)) return out;
    include(&out, fabs(a->lo));
    include(&out, fabs(a->hi));
    if (has_zero(*a)) include(&out, 0);
    return out;
}

static Range sqrt_f(const Range *a) {
    Range out = start_float(a, 1);
    if (!numbers(*a)) return out;
    out.nan |= a->lo < 0;
    out.made |= a->lo < 0;
    if (a->hi < 0) return out;
    include(&out, sqrt(a->lo > 0 ? a->lo : 0));
    include(&out, sqrt(a->hi));
    return out;
}

static Range floor_f(const Range *a) {
    return (Range){.lo = floor(a->lo), .hi = floor(a->hi), .nan = a->nan, .made = a->made};
}

/* One end at a time: gcc 12 turns two conversions there and back, side by side, into none. */
static Range round_f32(const Range *a) {
    Range out = start_float(a, 1);
    include(&out, (double)(float)a->lo);
    include(&out, (double)(float)a->hi);
    return numbers(*a) ? out : *a;
}

/* Half a unit in the last place of the product at most. */
static Range rest_f(const Range *a) {
    Range out = mul_f(a);
    if (!numbers(out)) return out;
    double most = fmax(fabs(out.lo), fabs(out.hi)) * 0x1p-53;
    if (most <= DBL_MAX * 0x1p-53) {
        out.lo = -most - 0x1p-1074;
        out.hi = most + 0x1p-1074;
        return out;
    }
    return (Range){.lo = -INFINITY, .hi = INFINITY, .nan = true, .made = out.made};
}

static Range exponent_f(const Range *a) {
    Range out = range_empty(IR_I);
    if (a->nan) out = range_int(eval_exponent(NAN));
    Range size = abs_f(a);
    if (!numbers(size)) return out;
    Range known = {.least = eval_exponent(size.lo), .most = eval_exponent(size.hi)};
    return range_join(IR_I, out, known);
}

/* Where an answer is next to 0, its three roundings may differ from one exponent to the next by the
 * last bit. */
static Range scale_f(const Range *a) {
    enum { PAST = 2201 }; /* beyond, eval_scale holds the exponent */
    Range out = start_float(a, 1);
    if (!numbers(a[0])) return out;
    int64_t least = a[1].least < -PAST ? -PAST : a[1].least > PAST ? PAST : a[1].least;
    int64_t most = a[1].most < -PAST ? -PAST : a[1].most > PAST ? PAST : a[1].most;
    Range by = {.lo = (double)least, .hi = (double)most};
    EACH_CORNER(a[0], by, x, y, include(&out, eval_scale(x, (int64_t)y)));
    if (fabs(out.lo) < 0x1p-1000) out.lo -= 0x1p-1072;
    if (fabs(out.hi) < 0x1p-1000) out.hi += 0x1p-1072;
    return out;
}

/* -- bools and comparisons -- */

static Range decide(bool can_be_true, bool can_be_false) {
    if (!can_be_true && !can_be_false) return range_empty(IR_B);
    return (Range){.least = can_be_false ? 0 : 1, .most = can_be_true ? 1 : 0};
}

static Range inverse(Range truth) {
    if (truth.least > truth.most) return truth;
    return (Range){.least = 1 - truth.most, .most = 1 - truth.least};
}

static Range lt_f(const Range *a) {
    bool both = numbers(a[0]) && numbers(a[1]), nan = a[0].nan || a[1].nan;
    return decide(both && a[0].lo < a[1].hi, nan || (both && a[0].hi >= a[1].lo));
}

static Range le_f(const Range *a) {
    bool both = numbers(a[0]) && numbers(a[1]), nan = a[0].nan || a[1].nan;
    return decide(both && a[0].lo <= a[1].hi, nan || (both && a[0].hi > a[1].lo));
}

static Range eq_f(const Range *a) {
    bool both = numbers(a[0]) && numbers(a[1]), nan = a[0].nan || a[1].nan;
    bool meet = both && a[0].lo <= a[1].hi && a[1].lo <= a[0].hi;
    bool same = both && a[0].lo == a[0].hi && a[1].lo == a[1].hi && meet;
    return decide(meet, nan || (both && !same));
}

static Range ne_f(const Range *a) {
    return inverse(eq_f(a));
}

static Range lt_i(const Range *a) {
    return decide(a[0].least < a[1].most, a[0].most >= a[1].least);
}

static Range le_i(const Range *a) {
    return decide(a[0].least <= a[1].most, a[0].most > a[1].least);
}

static Range eq_i(const Range *a) {
    bool meet = a[0].least <= a[1].most && a[1].least <= a[0].most;
    bool same = meet && a[0].least == a[0].most && a[1].least == a[1].most;
    return decide(meet, !same);
}

static Range ne_i(const Range *a) {
    return inverse(eq_i(a));
}

static Range and_b(const Range *a) {
    return (Range){.least = a[0].least & a[1].least, .most = a[0].most & a[1].most};
}

static Range or_b(const Range *a) {
    return (Range){.least = a[0].least | a[1].least, .most = a[0].most | a[1].most};
}

static Range not_b(const Range *a) {
    return inverse(*a);
}

/* -- ints: an exact answer past the range of an int is held at its end -- */

static int64_t at_end(bool negative) {
    return negative ? INT64_MIN : INT64_MAX;
}

static int64_t plus(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? at_end(a < 0) : sum;
}

static int64_t minus(int64_t a, int64_t b) {
    int64_t difference;
    return __builtin_sub_overflow(a, b, &difference) ? at_end(a < 0) : difference;
}

static int64_t times(int64_t a, int64_t b) {
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? at_end((a < 0) != (b < 0)) : product;
}

static void include_int(Range *range, int64_t value) {
    if (value < range->least) range->least = value;
    if (value > range->most) range->most = value;
}

#define EACH_CORNER_I(a, b, x, y, body)                                                            \
    for (int corner = 0; corner < 4; corner++) {                                                   \
        int64_t x = corner & 1 ? (a).most : (a).least, y = corner & 2 ? (b).most : (b).least;      \
        body;                                                                                      \
    }

static Range add_i(const Range *a) {
    Range out = range_empty(IR_I);
    EACH_CORNER_I(a[0], a[1], x, y, include_int(&out, plus(x, y)));
    return out;
}

static Range sub_i(const Range *a) {
    Range out = range_empty(IR_I);
    EACH_CORNER_I(a[0], a[1], x, y, include_int(&out, minus(x, y)));
    return out;
}

static Range mul_i(const Range *a) {
    Range out = range_empty(IR_I);
    EACH_CORNER_I(a[0], a[1], x, y, include_int(&out, times(x, y)));
    return out;
}

static int64_t floor_divide(int64_t a, int64_t b) {
    if (b == -1) return minus(0, a);
    int64_t q = a / b;
    return q - ((a % b != 0) && ((a < 0) != (b < 0)));
}

/* The divisors below and above 0, which is none; either may be empty. */
static Range below_zero(Range b) {
    if (b.most > -1) b.most = -1;
    return b;
}

static Range above_zero(Range b) {
    if (b.least < 1) b.least = 1;
    return b;
}

static Range div_i(const Range *a) {
    Range out = range_empty(IR_I), sides[2] = {below_zero(a[1]), above_zero(a[1])};
    for (int i = 0; i < 2; i++)
        if (sides[i].least <= sides[i].most)
            EACH_CORNER_I(a[0], sides[i], x, y, include_int(&out, floor_divide(x, y)));
    return out;
}

static Range mod_i(const Range *a) {
    Range out = range_empty(IR_I), below = below_zero(a[1]), above = above_zero(a[1]);
    bool negative = below.least <= below.most, positive = above.least <= above.most;
    if (!negative && positive && a[0].least >= 0 && a[0].most < above.least) return a[0];
    if (positive) out = (Range){.least = 0, .most = above.most - 1};
    if (!negative && a[0].least >= 0 && a[0].most < out.most) out.most = a[0].most;
    if (negative) out = range_join(IR_I, out, (Range){.least = below.least + 1, .most = 0});
    return out;
}

static Range neg_i(const Range *a) {
    Range out = range_empty(IR_I);
    include_int(&out, minus(0, a->least));
    include_int(&out, minus(0, a->most));
    return out;
}

static Range wrapped(Range sum) {
    return sum.least > INT64_MIN && sum.most < INT64_MAX ? sum : range_full(IR_I);
}

static Range wrap_add_i(const Range *a) {
    return wrapped(add_i(a));
}

static Range wrap_sub_i(const Range *a) {
    return wrapped(sub_i(a));
}

static Range wrap_mul_i(const Range *a) {
    return wrapped(mul_i(a));
}

static int64_t all_bits(int64_t most) {
    int64_t bits = 0;
    while (bits < most)
        bits = bits << 1 | 1;
    return bits;
}

/* Of two that are not negative, as with words; the sign of the answer is else all that is known. */
static bool not_negative(const Range *a) {
    return a[0].least >= 0 && a[1].least >= 0;
}

static Range and_i(const Range *a) {
    int64_t most = a[0].most < a[1].most ? a[0].most : a[1].most;
    if (a[0].least >= 0 || a[1].least >= 0)
        return (Range){.least = 0,
                       .most = a[0].least < 0 ? a[1].most : a[1].least < 0 ? a[0].most : most};
    return range_full(IR_I);
}

static Range or_i(const Range *a) {
    return not_negative(a) ? (Range){.least = a[0].least > a[1].least ? a[0].least : a[1].least,
                                     .most = all_bits(a[0].most | a[1].most)}
                           : range_full(IR_I);
}

static Range xor_i(const Range *a) {
    return not_negative(a) ? (Range){.least = 0, .most = all_bits(a[0].most | a[1].most)}
                           : range_full(IR_I);
}

/* The places that do not fault. */
static Range places(Range b) {
    return (Range){.least = b.least < 0 ? 0 : b.least, .most = b.most > 63 ? 63 : b.most};
}

static Range shl_i(const Range *a) {
    Range out = range_empty(IR_I), by = places(a[1]);
    if (by.least > by.most) return out;
    EACH_CORNER_I(a[0], by, x, y, {
        int64_t value = (int64_t)((uint64_t)x << y);
        if (value >> y != x) return range_full(IR_I);
        include_int(&out, value);
    });
    return out;
}

static Range shr_i(const Range *a) {
    Range out = range_empty(IR_I), by = places(a[1]);
    if (by.least <= by.most) EACH_CORNER_I(a[0], by, x, y, include_int(&out, x >> y));
    return out;
}

/* -- words: constants are folded, the rest keeps an interval only where nothing wraps -- */

static Range word_or_any(int64_t least, int64_t most) {
    if (least < 0 || most > UINT32_MAX) return (Range){.least = 0, .most = UINT32_MAX};
    return (Range){.least = least, .most = most};
}

static Range add_w(const Range *a) {
    return word_or_any(a[0].least + a[1].least, a[0].most + a[1].most);
}

static Range sub_w(const Range *a) {
    return word_or_any(a[0].least - a[1].most, a[0].most - a[1].least);
}

static Range mul_w(const Range *a) {
    return word_or_any(times(a[0].least, a[1].least), times(a[0].most, a[1].most));
}

static Range div_w(const Range *a) {
    Range by = above_zero(a[1]);
    if (by.least > by.most) return range_empty(IR_W);
    return (Range){.least = a[0].least / by.most, .most = a[0].most / by.least};
}

static Range and_w(const Range *a) {
    return (Range){.least = 0, .most = a[0].most < a[1].most ? a[0].most : a[1].most};
}

static Range or_w(const Range *a) {
    return (Range){.least = a[0].least > a[1].least ? a[0].least : a[1].least,
                   .most = all_bits(a[0].most | a[1].most)};
}

static Range xor_w(const Range *a) {
    return (Range){.least = 0, .most = all_bits(a[0].most | a[1].most)};
}

static Range shl_w(const Range *a) {
    if (a[1].most > 31) return (Range){.least = 0, .most = UINT32_MAX};
    return word_or_any(a[0].least << a[1].least, a[0].most << a[1].most);
}

static Range shr_w(const Range *a) {
    return (Range){.least = a[1].most > 31 ? 0 : a[0].least >> a[1].most,
                   .most = a[1].least > 31 ? 0 : a[0].most >> a[1].least};
}

/* -- conversions -- */

static Range int_to_float(const Range *a) {
    return (Range){.lo = (double)a->least, .hi = (double)a->most};
}

static Range same(const Range *a) {
    return *a;
}

static Range int_to_word(const Range *a) {
    return word_or_any(a->least, a->most);
}

static Range float_to_int(const Range *a) {
    double lo = floor(a->lo), hi = floor(a->hi);
    if (!(lo <= hi) || lo >= 0x1p63 || hi < -0x1p63) return range_empty(IR_I);
    return (Range){.least = lo < -0x1p63 ? INT64_MIN : (int64_t)lo,
                   .most = hi >= 0x1p63 ? INT64_MAX : (int64_t)hi};
}

/* What is out of its reach is 0. */
static Range whole_i(const Range *a) {
    const int64_t most = (INT64_C(1) << 51) - 1;
    Range out = float_to_int(a);
    bool inside = !a->nan && out.least >= -most && out.most <= most && out.least <= out.most;
    if (inside) return out;
    if (out.least < -most) out.least = -most;
    if (out.most > most) out.most = most;
    return range_join(IR_I, out.least <= out.most ? out : range_empty(IR_I), range_int(0));
}

static Range power_f(const Range *a) {
    if (a->least < -1022 || a->most > 1023) return range_full(IR_F);
    return (Range){.lo = eval_power_of_two(a->least), .hi = eval_power_of_two(a->most)};
}

static Range list_length(const Range *a) {
    (void)a;
    return (Range){.least = 0, .most = INT64_MAX, .varies = true};
}

static Range grid_points(const Range *a) {
    (void)a;
    return (Range){.least = 0, .most = INT32_MAX, .varies = true};
}

/* -- the table -- */

typedef Range (*Transfer)(const Range *args);

static const Transfer transfers[IR_OP_COUNT] = {
    [IR_ADD_F] = add_f,
    [IR_SUB_F] = sub_f,
    [IR_MUL_F] = mul_f,
    [IR_DIV_F] = div_f,
    [IR_NEG_F] = neg_f,
    [IR_ABS_F] = abs_f,
    [IR_SQRT_F] = sqrt_f,
    [IR_FLOOR_F] = floor_f,
    [IR_ROUND_F32] = round_f32,
    [IR_REST_F] = rest_f,
    [IR_EXPONENT_F] = exponent_f,
    [IR_SCALE_F] = scale_f,
    [IR_LT_F] = lt_f,
    [IR_LE_F] = le_f,
    [IR_EQ_F] = eq_f,
    [IR_NE_F] = ne_f,
    [IR_ADD_I] = add_i,
    [IR_SUB_I] = sub_i,
    [IR_MUL_I] = mul_i,
    [IR_DIV_I] = div_i,
    [IR_MOD_I] = mod_i,
    [IR_NEG_I] = neg_i,
    [IR_WRAP_ADD_I] = wrap_add_i,
    [IR_WRAP_SUB_I] = wrap_sub_i,
    [IR_WRAP_MUL_I] = wrap_mul_i,
    [IR_AND_I] = and_i,
    [IR_OR_I] = or_i,
    [IR_XOR_I] = xor_i,
    [IR_SHL_I] = shl_i,
    [IR_SHR_I] = shr_i,
    [IR_LT_I] = lt_i,
    [IR_LE_I] = le_i,
    [IR_EQ_I] = eq_i,
    [IR_NE_I] = ne_i,
    [IR_ADD_W] = add_w,
    [IR_SUB_W] = sub_w,
    [IR_MUL_W] = mul_w,
    [IR_DIV_W] = div_w,
    [IR_MOD_W] = mod_i,
    [IR_AND_W] = and_w,
    [IR_OR_W] = or_w,
    [IR_XOR_W] = xor_w,
    [IR_SHL_W] = shl_w,
    [IR_SHR_W] = shr_w,
    [IR_LT_W] = lt_i,
    [IR_EQ_W] = eq_i,
    [IR_AND_B] = and_b,
    [IR_OR_B] = or_b,
    [IR_XOR_B] = ne_i,
    [IR_NOT_B] = not_b,
    [IR_I_TO_F] = int_to_float,
    [IR_W_TO_F] = int_to_float,
    [IR_W_TO_I] = same,
    [IR_I_TO_W] = int_to_word,
    [IR_B_TO_I] = same,
    [IR_F_TO_I] = float_to_int,
    [IR_WHOLE_I] = whole_i,
    [IR_POWER_F] = power_f,
    [IR_LIST_LENGTH] = list_length,
    [IR_GRID_COLUMNS] = grid_points,
    [IR_GRID_ROWS] = grid_points,
    [IR_GRID_FINER] = grid_points,
};

static IrType result_type(IrOp op) {
    IrType type = IR_R;
    ir_type_of_letter(ir_op_info(op)->results[0], &type);
    return type;
}

/* Words of known bits: what they wrap to. False for an operation that makes no word. */
static bool fold_word(IrOp op, Slot x, Slot y, Slot *out) {
    if (result_type(op) != IR_W) return false;
#define EXPR1(NAME, R, X, expr)                                                                    \
    if (op == IR_##NAME) {                                                                         \
        __typeof__(x.X) a = x.X;                                                                   \
        out->R = (expr);                                                                           \
        return true;                                                                               \
    }
#define EXPR2(NAME, R, X, Y, expr)                                                                 \
    if (op == IR_##NAME) {                                                                         \
        __typeof__(x.X) a = x.X;                                                                   \
        __typeof__(y.Y) b = y.Y;                                                                   \
        out->R = (expr);                                                                           \
        return true;                                                                               \
    }
#define CHECK1(NAME, R, X, function, code)
#define CHECK2(NAME, R, X, Y, function, code)
#include "compiler/ir/expr.def"
#undef EXPR1
#undef EXPR2
#undef CHECK1
#undef CHECK2
    return false;
}

static IrType operand_type(IrOp op, int index) {
    IrType type = IR_R;
    ir_type_of_letter(ir_op_info(op)->operands[index], &type);
    return type;
}

Range range_apply(IrOp op, const Range *args, int arg_count) {
    IrType type = result_type(op);
    bool varies = false, points = arg_count > 0;
    for (int i = 0; i < arg_count; i++) {
        IrType operand = operand_type(op, i);
        if (range_is_empty(operand, args[i])) return range_empty(type);
        points = points && range_is_point(operand, args[i]);
        varies |= args[i].varies;
    }
    if (transfers[op] == NULL) return range_full(type);
    Slot folded;
    Range out;
    if (points && fold_word(op, slot_i(args[0].least), slot_i(args[arg_count - 1].least), &folded))
        out = range_int((int64_t)folded.w);
    else
        out = transfers[op](args);
    out.varies |= varies;
    return out;
}
