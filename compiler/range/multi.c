/* Sums and products over the same bases, and the corners of a box. */
#include "compiler/range/multi.h"

#include <math.h>

#define ULPS 0x1p-50 /* as poly.c's: an operation's rounding, and that of these sums themselves */

Multi multi_constant(double value) {
    return (Multi){.c = {value}};
}

Multi multi_of(IrValue base, Range range) {
    double reach = fabs(range.lo) > fabs(range.hi) ? fabs(range.lo) : fabs(range.hi);
    return (Multi){.bases = {base}, .reach = {reach}, .count = 1, .c = {0, 1}};
}

static double product_of(const double *sizes, int factors) {
    double product = 1;
    for (int i = 0; i < MULTI_BASES; i++)
        if (factors >> i & 1) product *= sizes[i];
    return product;
}

/* No value of it, nor any partial sum, is larger. */
static double magnitude(const Multi *form) {
    double sum = form->error;
    for (int f = 0; f < 1 << form->count; f++)
        sum += fabs(form->c[f]) * product_of(form->reach, f);
    return sum;
}

static bool join_bases(const Multi *a, const Multi *b, Multi *out) {
    *out = (Multi){.count = 0};
    for (int i = 0, j = 0; i < a->count || j < b->count;) {
        bool left = j == b->count || (i < a->count && a->bases[i] <= b->bases[j]);
        bool right = i == a->count || (j < b->count && b->bases[j] <= a->bases[i]);
        if (out->count == MULTI_BASES) return false;
        out->bases[out->count] = left ? a->bases[i] : b->bases[j];
        out->reach[out->count++] = left ? a->reach[i] : b->reach[j];
        i += left;
        j += right;
    }
    return true;
}

/* The same factors, as the bits of `to`. */
static int factors_in(const Multi *from, int factors, const Multi *to) {
    int out = 0;
    for (int i = 0, k = 0; i < from->count; i++) {
        while (to->bases[k] != from->bases[i])
            k++;
        if (factors >> i & 1) out |= 1 << k;
    }
    return out;
}

bool multi_add(const Multi *a, const Multi *b, double scale, Multi *out) {
    if (!join_bases(a, b, out)) return false;
    for (int f = 0; f < 1 << a->count; f++)
        out->c[factors_in(a, f, out)] += a->c[f];
    for (int f = 0; f < 1 << b->count; f++)
        out->c[factors_in(b, f, out)] += scale * b->c[f];
    out->error = a->error + b->error + ULPS * (magnitude(a) + magnitude(b));
    return true;
}

bool multi_multiply(const Multi *a, const Multi *b, Multi *out) {
    if (!join_bases(a, b, out)) return false;
    for (int f = 0; f < 1 << a->count; f++)
        for (int g = 0; g < 1 << b->count; g++) {
            int left = factors_in(a, f, out), right = factors_in(b, g, out);
            if (a->c[f] == 0 || b->c[g] == 0) continue;
            if (left & right) return false;
            out->c[left | right] += a->c[f] * b->c[g];
        }
    double size_a = magnitude(a), size_b = magnitude(b);
    out->error = a->error * size_b + b->error * size_a + (1 << MULTI_BASES) * ULPS * size_a * size_b +
                 0x1p-1060; /* products next to 0 round by what no factor measures */
    return true;
}

Range multi_range(const Multi *form, const Range *bases) {
    Range out = {.lo = INFINITY, .hi = -INFINITY};
    for (int i = 0; i < form->count; i++)
        out.varies |= bases[i].varies;
    for (int corner = 0; corner < 1 << form->count; corner++) {
        double at[MULTI_BASES] = {0}, value = 0;
        for (int i = 0; i < form->count; i++)
            at[i] = corner >> i & 1 ? bases[i].hi : bases[i].lo;
        for (int f = 0; f < 1 << form->count; f++)
            value += form->c[f] * product_of(at, f);
        if (!(value >= out.lo)) out.lo = value;
        if (!(value <= out.hi)) out.hi = value;
    }
    double error = form->error + (1 << MULTI_BASES) * ULPS * magnitude(form);
    out.lo -= error;
    out.hi += error;
    if (!(out.lo <= out.hi)) return (Range){.lo = -INFINITY, .hi = INFINITY, .varies = out.varies};
    return out;
}
