/* Plain operations in a function: the table's answer, made narrower by what the operands have in
 * common. */
#include <math.h>

#include "compiler/range/walk.h"

/* -- polynomials -- */

static bool is_finite(Range range) {
    return range.lo <= range.hi && range.lo > -INFINITY && range.hi < INFINITY;
}

/* Every finite value is a polynomial: of what it was made from, or of itself. */
static bool as_poly(const Walk *walk, IrValue value, Poly *out) {
    Range range = walk->env[value];
    if (!is_finite(range)) return false;
    if (walk->polys[value])
        *out = *walk->polys[value];
    else if (range.lo == range.hi)
        *out = poly_constant(range.lo);
    else
        *out = poly_of(value, range);
    return true;
}

static bool combine(IrOp op, const Poly *a, const Poly *b, Poly *out) {
    if (op == IR_MUL_F) return poly_multiply(a, b, out);
    return poly_add(a, b, op == IR_SUB_F ? -1 : 1, out);
}

/* When two polynomials of different values meet, one of the operands may still be a value of its
 * own. */
static bool combine_values(Walk *walk, const IrIns *ins, Poly *out) {
    Poly a, b;
    if (!as_poly(walk, ins->args[0], &a) || !as_poly(walk, ins->args[1], &b)) return false;
    if (combine(ins->op, &a, &b, out)) return true;
    bool own = ins->args[0] == ins->args[1] || range_is_point(IR_F, walk->env[ins->args[0]]) ||
               range_is_point(IR_F, walk->env[ins->args[1]]);
    if (!own) return false;
    if (a.base >= 0) a = poly_of(ins->args[0], walk->env[ins->args[0]]);
    if (b.base >= 0) b = poly_of(ins->args[1], walk->env[ins->args[1]]);
    return combine(ins->op, &a, &b, out);
}

static Range meet(Range a, Range b) {
    if (b.lo > a.lo && b.lo <= a.hi) a.lo = b.lo;
    if (b.hi < a.hi && b.hi >= a.lo) a.hi = b.hi;
    return a;
}

static Range narrow_by_poly(Walk *walk, const IrIns *ins, Range plain) {
    Poly poly;
    if (!is_finite(plain) || !combine_values(walk, ins, &poly) || poly.base < 0) return plain;
    Poly **kept = &walk->polys[ins->results[0]];
    *kept = ARENA_NEW(walk->ranges->input.scratch, Poly);
    **kept = poly;
    if (poly.degree < 2 && plain.lo == plain.hi) return plain;
    return meet(plain, poly_range(&poly, walk->env[poly.base]));
}

/* -- forms of several values -- */

static bool as_multi(const Walk *walk, IrValue value, bool own, Multi *out) {
    Range range = walk->env[value];
    if (!is_finite(range)) return false;
    if (range.lo == range.hi)
        *out = multi_constant(range.lo);
    else
        *out = walk->multis[value] && !own ? *walk->multis[value] : multi_of(value, range);
    return true;
}

/* Where too many values meet, each operand may still be a value of its own. */
static bool combine_multis(const Walk *walk, const IrIns *ins, Multi *out) {
    for (int own = 0; own < 2; own++) {
        Multi a, b;
        if (!as_multi(walk, ins->args[0], own, &a) || !as_multi(walk, ins->args[1], own, &b))
            return false;
        if (ins->op == IR_MUL_F ? multi_multiply(&a, &b, out)
                                : multi_add(&a, &b, ins->op == IR_SUB_F ? -1 : 1, out))
            return true;
    }
    return false;
}

static Range narrow_by_multi(Walk *walk, const IrIns *ins, Range plain) {
    Multi form;
    Range bases[MULTI_BASES];
    if (!is_finite(plain) || !combine_multis(walk, ins, &form) || form.count == 0) return plain;
    Multi **kept = &walk->multis[ins->results[0]];
    *kept = ARENA_NEW(walk->ranges->input.scratch, Multi);
    **kept = form;
    for (int i = 0; i < form.count; i++)
        bases[i] = walk->env[form.bases[i]];
    return form.count == 1 ? plain : meet(plain, multi_range(&form, bases));
}

/* -- a + (b - a) * t -- */

static const IrIns *def_of(const Walk *walk, IrValue value, IrOp op) {
    const IrIns *ins = walk->facts->defs[value];
    return ins && ins->op == op ? ins : NULL;
}

/* The b of (b - a), or -1. */
static IrValue far_end(const Walk *walk, IrValue difference, IrValue a) {
    const IrIns *ins = def_of(walk, difference, IR_SUB_F);
    return ins && ins->args[1] == a ? ins->args[0] : -1;
}

/* Between a and b for t from 0 to 1, but for the last bits of the two roundings. */
static Range lerp_range(Range a, Range b) {
    Range out = range_join(IR_F, a, b);
    double size = fabs(out.lo) > fabs(out.hi) ? fabs(out.lo) : fabs(out.hi);
    out.lo -= size * 0x1p-50;
    out.hi += size * 0x1p-50;
    return out;
}

static Range narrow_by_lerp(Walk *walk, const IrIns *ins, Range plain) {
    for (int side = 0; side < 2; side++) {
        IrValue a = ins->args[side];
        const IrIns *product = def_of(walk, ins->args[1 - side], IR_MUL_F);
        for (int k = 0; product && k < 2; k++) {
            IrValue b = far_end(walk, product->args[k], a);
            Range t = walk->env[product->args[1 - k]];
            if (b < 0 || !is_finite(walk->env[a]) || !is_finite(walk->env[b])) continue;
            if (t.lo >= 0 && t.hi <= 1) plain = meet(plain, lerp_range(walk->env[a], walk->env[b]));
        }
    }
    return plain;
}

/* x - floor(x) is from 0 to 1; 1 itself is what a tiny negative x rounds to. */
static Range narrow_by_floor(const Walk *walk, const IrIns *ins, Range plain) {
    const IrIns *whole = def_of(walk, ins->args[1], IR_FLOOR_F);
    if (whole == NULL || whole->args[0] != ins->args[0]) return plain;
    return meet(plain, (Range){.lo = 0, .hi = 1});
}

/* -- comparisons -- */

static void keep_comparison(Walk *walk, const IrIns *ins, Range left, Range right) {
    IrType type = walk_type(walk, ins->args[0]);
    if (ins->args[0] == ins->args[1]) return; /* asks for NaN */
    left.nan = left.made; /* what comes from elsewhere is taken for a number */
    right.nan = right.made;
    if (range_is_empty(type, left) || range_is_empty(type, right)) return;
    RangeVerdict *met = &walk->facts->met[ins->results[0]];
    Range outcome = range_apply(ins->op, (Range[]){left, right}, 2);
    met->left = met->ins ? range_join(type, met->left, left) : left;
    met->right = met->ins ? range_join(type, met->right, right) : right;
    met->seen_true |= outcome.most == 1;
    met->seen_false |= outcome.least == 0;
    met->func = walk->func->index;
    met->ins = ins;
}

static bool is_comparison(const Walk *walk, const IrIns *ins) {
    return ins->arg_count == 2 && walk_type(walk, ins->results[0]) == IR_B &&
           walk_type(walk, ins->args[0]) != IR_B && walk_type(walk, ins->args[0]) != IR_R;
}

/* A value against itself: only a NaN differs from itself. */
static Range against_itself(const IrIns *ins, Range x, Range plain) {
    if (ins->op == IR_EQ_F && !x.nan) plain.least = 1;
    if (ins->op == IR_NE_F && !x.nan) plain.most = 0;
    if (ins->op == IR_LT_F) plain.most = 0;
    return plain;
}

Range walk_apply(Walk *walk, const IrIns *ins) {
    Range args[4];
    for (int i = 0; i < ins->arg_count && i < 4; i++)
        args[i] = walk->env[ins->args[i]];
    bool twice = ins->arg_count == 2 && ins->args[0] == ins->args[1];
    if (ins->op == IR_MUL_F && twice) return narrow_by_poly(walk, ins, range_square(args[0]));
    Range out = range_apply(ins->op, args, ins->arg_count);
    if (ins->op == IR_ADD_F) out = narrow_by_lerp(walk, ins, out);
    if (ins->op == IR_SUB_F) out = narrow_by_floor(walk, ins, out);
    if (ins->op == IR_ADD_F || ins->op == IR_SUB_F || ins->op == IR_MUL_F)
        return narrow_by_multi(walk, ins, narrow_by_poly(walk, ins, out));
    if (!is_comparison(walk, ins)) return out;
    keep_comparison(walk, ins, args[0], args[1]);
    return twice && !range_is_empty(IR_B, out) ? against_itself(ins, args[0], out) : out;
}
