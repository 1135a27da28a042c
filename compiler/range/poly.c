/* Sums and products with their errors, and the Bernstein form (Cargo and Shisha, "The Bernstein
 * form of a polynomial", 1966): over [0, 1] a polynomial lies between its smallest and largest
 * Bernstein coefficient.
 */
#include "compiler/range/poly.h"

#include <math.h>

/* Four units of the last place of 1: room for an operation's rounding and for that of these sums
 * themselves. */
#define ULPS 0x1p-50

enum { PIECES = 4 }; /* the interval is cut: the coefficients come nearer to the true ends */

Poly poly_constant(double value) {
    return (Poly){.base = -1, .c = {value}};
}

Poly poly_of(IrValue base, Range range) {
    double reach = fabs(range.lo) > fabs(range.hi) ? fabs(range.lo) : fabs(range.hi);
    return (Poly){.base = base, .degree = 1, .c = {0, 1}, .reach = reach};
}

/* No value of it, nor any partial sum, is larger. */
static double magnitude(const Poly *p) {
    double sum = 0;
    for (int i = p->degree; i >= 0; i--)
        sum = sum * p->reach + fabs(p->c[i]);
    return sum + p->error;
}

static bool same_base(const Poly *a, const Poly *b, Poly *out) {
    if (a->base >= 0 && b->base >= 0 && a->base != b->base) return false;
    *out = (Poly){.base = a->base >= 0 ? a->base : b->base,
                  .reach = a->reach > b->reach ? a->reach : b->reach};
    return true;
}

bool poly_add(const Poly *a, const Poly *b, double scale, Poly *out) {
    if (!same_base(a, b, out)) return false;
    out->degree = a->degree > b->degree ? a->degree : b->degree;
    for (int i = 0; i <= out->degree; i++)
        out->c[i] = a->c[i] + scale * b->c[i];
    out->error = a->error + b->error + ULPS * (magnitude(a) + magnitude(b));
    return true;
}

bool poly_multiply(const Poly *a, const Poly *b, Poly *out) {
    if (a->degree + b->degree > POLY_DEGREE || !same_base(a, b, out)) return false;
    out->degree = a->degree + b->degree;
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++)
            out->c[i + j] += a->c[i] * b->c[j];
    double size_a = magnitude(a), size_b = magnitude(b);
    out->error = a->error * size_b + b->error * size_a +
                 (POLY_DEGREE + 2) * ULPS * size_a * size_b +
                 0x1p-1060; /* products next to 0 round by what no factor measures */
    return true;
}

/* c becomes the coefficients of p(at + width * s). */
static void shift(double *c, int degree, double at, double width) {
    for (int i = 0; i < degree; i++)
        for (int j = degree - 1; j >= i; j--)
            c[j] += at * c[j + 1];
    double power = 1;
    for (int i = 0; i <= degree; i++, power *= width)
        c[i] *= power;
}

static double choose(int n, int k) {
    double out = 1;
    for (int i = 1; i <= k; i++)
        out = out * (n - k + i) / i;
    return out;
}

static void include_piece(const Poly *poly, double at, double width, Range *out) {
    double c[POLY_DEGREE + 1];
    memcpy(c, poly->c, sizeof c);
    shift(c, poly->degree, at, width);
    for (int k = 0; k <= poly->degree; k++) {
        double corner = 0;
        for (int i = 0; i <= k; i++)
            corner += choose(k, i) / choose(poly->degree, i) * c[i];
        if (!(corner >= out->lo)) out->lo = corner;
        if (!(corner <= out->hi)) out->hi = corner;
    }
}

Range poly_range(const Poly *poly, Range base) {
    Range out = {.lo = INFINITY, .hi = -INFINITY, .varies = base.varies};
    double width = (base.hi - base.lo) / PIECES;
    for (int i = 0; i < PIECES; i++)
        include_piece(poly, base.lo + i * width, width, &out);
    Poly shifted = *poly; /* what the shifts add up on the way */
    shifted.reach = fabs(base.lo) + (base.hi - base.lo);
    double error = poly->error + 16 * ULPS * magnitude(&shifted);
    out.lo -= error;
    out.hi += error;
    if (!(out.lo <= out.hi)) return (Range){.lo = -INFINITY, .hi = INFINITY, .varies = base.varies};
    return out;
}
