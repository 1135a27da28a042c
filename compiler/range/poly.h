/* Values as polynomials in one other value of the function.
 *
 * Intervals forget that two operands are one value: with t from 0 to 1, t * t * (3 - 2 * t) would
 * be 0 to 3. As a polynomial in t, kept with a bound on what rounding did to it, it is 0 to 1 but
 * for a few last bits (the ends of its Bernstein form hold it). So smoothstep, fade and x - x * x
 * come out tight, however they are written.
 */
#ifndef WORLD_COMPILER_RANGE_POLY_H
#define WORLD_COMPILER_RANGE_POLY_H

#include "compiler/range/interval.h"

enum { POLY_DEGREE = 6 };

typedef struct Poly {
    IrValue base; /* -1: a constant */
    int degree;
    double c[POLY_DEGREE + 1]; /* by power of the base */
    double reach;              /* the base is between -reach and reach, finite */
    double error;              /* how far the value can be from the polynomial's exact answer */
} Poly;

Poly poly_constant(double value);
Poly poly_of(IrValue base, Range range);
/* a + scale * b for a scale of 1 or -1; a * b. False: of two bases, or of too high a degree. */
bool poly_add(const Poly *a, const Poly *b, double scale, Poly *out);
bool poly_multiply(const Poly *a, const Poly *b, Poly *out);
/* What a polynomial's value can be over its base's (finite) interval. */
Range poly_range(const Poly *poly, Range base);

#endif
