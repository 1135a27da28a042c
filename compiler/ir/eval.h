/* The meaning of every scalar operation, once: the interpreter's loops, the constant folder and the tests use
 * these (expr.def says which op is which); the emitter must agree with them to the bit.
 */
#ifndef WORLD_COMPILER_IR_EVAL_H
#define WORLD_COMPILER_IR_EVAL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* 2^e for -1022 <= e <= 1023. */
static inline double eval_power_of_two(int64_t e) {
    uint64_t bits = ((uint64_t)e + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline int64_t eval_exponent(double a) {
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    int64_t field = (int64_t)(bits >> 52 & 0x7ff);
    if (field == 0x7ff) return 1024;
    if (field != 0) return field - 1023;
    double scaled = fabs(a) * 0x1p54; /* a subnormal (or 0) made normal, exactly */
    memcpy(&bits, &scaled, sizeof bits);
    field = (int64_t)(bits >> 52 & 0x7ff);
    return field == 0 ? -1075 : field - 1023 - 54;
}

static inline double eval_scale(double a, int64_t b) {
    if (b > 2200) b = 2200;
    if (b < -2200) b = -2200;
    int64_t third = b / 3; /* toward zero */
    double power = eval_power_of_two(third);
    return a * power * power * eval_power_of_two(b - 2 * third);
}

/* a * b - p, p the rounded product, where nothing in it over- or underflows: after Dekker (1971), split as Veltkamp does. */
static inline double eval_rest_inside(double a, double b, double p) {
    double a_split = a * 0x8000001p0, b_split = b * 0x8000001p0;
    double a_high = a_split - (a_split - a), b_high = b_split - (b_split - b);
    double a_low = a - a_high, b_low = b - b_high;
    return ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

static inline bool eval_rest_is_inside(double a, double b, double p) {
    return fabs(a) < 0x1p990 && fabs(b) < 0x1p990 && fabs(p) < 0x1p1000 && fabs(p) > 0x1p-960;
}

/* The same of any a and b: both brought to 1 and more, below 2, and what is left back, in two powers of two of which only the
 * second can round. */
static inline double eval_rest_far(double a, double b, double p) {
    if (!(fabs(p) <= DBL_MAX)) return fabs(a) <= DBL_MAX && fabs(b) <= DBL_MAX ? -p : p - p;
    if (p == 0) return a == 0 || b == 0 ? 0 : p;
    int64_t by_a = eval_exponent(a), by_b = eval_exponent(b), by = by_a + by_b;
    a = eval_scale(a, -by_a);
    b = eval_scale(b, -by_b);
    double high = a * b, low = eval_rest_inside(a, b, high);
    double rest = (high - eval_scale(p, -by)) + low;
    return rest * eval_power_of_two(by / 2) * eval_power_of_two(by - by / 2);
}

/* Where the compiler was told that the processor has the instruction for it, that. */
static inline double eval_rest(double a, double b) {
    double p = a * b;
#if defined __FMA__ || defined __aarch64__
    return __builtin_fma(a, b, -p);
#else
    return eval_rest_is_inside(a, b, p) ? eval_rest_inside(a, b, p) : eval_rest_far(a, b, p);
#endif
}

static inline bool eval_div_i(int64_t a, int64_t b, int64_t *out) {
    *out = 0;
    if (b == 0 || (a == INT64_MIN && b == -1)) return false;
    int64_t q = a / b;
    *out = q - ((a % b != 0) && ((a < 0) != (b < 0)));
    return true;
}

static inline bool eval_mod_i(int64_t a, int64_t b, int64_t *out) {
    *out = 0;
    if (b == 0) return false;
    if (b == -1) return true;
    int64_t r = a % b;
    *out = r != 0 && ((r < 0) != (b < 0)) ? r + b : r;
    return true;
}

static inline bool eval_float_to_int(double a, int64_t *out) {
    *out = 0;
    double f = floor(a);
    if (!(f >= -0x1p63 && f < 0x1p63)) return false;
    *out = (int64_t)f;
    return true;
}

/* In the low bits of the sum with 1.5 * 2^52, which any vector unit makes. */
static inline int64_t eval_whole(double a) {
    double f = floor(a), sum = (fabs(f) < 0x1p51 ? f : 0) + 0x1.8p52;
    int64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits - 0x4338000000000000;
}

static inline bool eval_add_i(int64_t a, int64_t b, int64_t *out) {
    bool over = __builtin_add_overflow(a, b, out);
    *out = over ? 0 : *out;
    return !over;
}

static inline bool eval_sub_i(int64_t a, int64_t b, int64_t *out) {
    bool over = __builtin_sub_overflow(a, b, out);
    *out = over ? 0 : *out;
    return !over;
}

static inline bool eval_mul_i(int64_t a, int64_t b, int64_t *out) {
    bool over = __builtin_mul_overflow(a, b, out);
    *out = over ? 0 : *out;
    return !over;
}

static inline bool eval_neg_i(int64_t a, int64_t *out) {
    return eval_sub_i(0, a, out);
}

static inline bool eval_shl_i(int64_t a, int64_t b, int64_t *out) {
    bool fits = b >= 0 && b < 64;
    *out = fits ? (int64_t)((uint64_t)a << b) : 0;
    return fits;
}

static inline bool eval_shr_i(int64_t a, int64_t b, int64_t *out) {
    bool fits = b >= 0 && b < 64;
    *out = fits ? a >> b : 0; /* gcc and clang: the sign is shifted in */
    return fits;
}

static inline bool eval_div_w(uint64_t a, uint64_t b, uint64_t *out) {
    *out = b ? a / b : 0;
    return b != 0;
}

static inline bool eval_mod_w(uint64_t a, uint64_t b, uint64_t *out) {
    *out = b ? a % b : 0;
    return b != 0;
}

#endif
