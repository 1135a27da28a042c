/* 'pathDistance(here)' is at most 16 m, so '< 70 m' always holds. */
#include "compiler/lint/say.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/check/check.h"

enum { MAX_QUOTE = 44 }; /* characters of the author's text in a message */

/* -- pieces -- */

static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* A tree begins and ends where its outermost operands do, so brackets round these lie outside of
 * it: they are taken in. */
static Str whole_text(const LintInput *input, Span span) {
    Str text = sources_get(input->diags->sources, span.file)->text;
    int open = 0, lacking = 0;
    for (size_t i = span.start; i < span.end; i++) {
        if (text.ptr[i] == '(') open++;
        if (text.ptr[i] == ')' && open-- == 0) open = 0, lacking++;
    }
    size_t start = span.start, end = span.end;
    for (;
         lacking > 0 && start > 0 && (is_space(text.ptr[start - 1]) || text.ptr[start - 1] == '(');
         start--)
        lacking -= text.ptr[start - 1] == '(';
    for (; open > 0 && end < text.len && (is_space(text.ptr[end]) || text.ptr[end] == ')'); end++)
        open -= text.ptr[end] == ')';
    return (Str){text.ptr + start, end - start};
}

/* The text of a span, on one line, shortened. */
static const char *quote(const LintInput *input, Span span) {
    Str text = whole_text(input, span);
    StrBuf out = {.arena = input->scratch};
    for (size_t i = 0; i < text.len; i++) {
        if (out.len >= MAX_QUOTE) {
            strbuf_str(&out, STR_LIT("..."));
            break;
        }
        if (!is_space(text.ptr[i]))
            strbuf_char(&out, text.ptr[i]);
        else if (out.len && out.ptr[out.len - 1] != ' ')
            strbuf_char(&out, ' ');
    }
    while (out.len && out.ptr[out.len - 1] == ' ')
        out.ptr[--out.len] = '\0';
    return out.len ? out.ptr : "";
}

static void say_unit(const LintInput *input, const Type *type, StrBuf *out) {
    Dims d = type->dims;
    if (type->kind != TYPE_NUMBER || (d.length == 0 && d.angle == 0 && d.time == 0)) return;
    if (d.length == 6 && d.angle == 0 && d.time == 0)
        strbuf_str(out, STR_LIT(" m"));
    else if (d.length == 0 && d.angle == 6 && d.time == 0)
        strbuf_str(out, STR_LIT(" deg"));
    else if (d.length == 0 && d.angle == 0 && d.time == 6)
        strbuf_str(out, STR_LIT(" s"));
    else {
        Str name = type_name(type, input->program->symbols, input->scratch);
        strbuf_printf(out, " %.*s", STR_ARG(name));
    }
}

static void say_number(const LintInput *input, const Type *type, double value, StrBuf *out) {
    bool angle = type->kind == TYPE_NUMBER && type->dims.angle == 6 && type->dims.length == 0 &&
                 type->dims.time == 0;
    strbuf_printf(out, "%.6g", angle ? value * (180 / 3.141592653589793) : value);
    say_unit(input, type, out);
}

/* -- conditions -- */

/* One side of a comparison, its interval in doubles. */
typedef struct Side {
    const Tree *tree;
    double lo, hi;
    bool varies;
} Side;

static Side side_of(const Tree *tree, Range range) {
    if (tree->type->slots[0] == 'F') return (Side){tree, range.lo, range.hi, range.varies};
    return (Side){tree, (double)range.least, (double)range.most, range.varies};
}

/* What lies next to a round number is what a strict comparison with that one left: *round is what was written. */
static bool is_beside(double value, double *round) {
    char text[32];
    int64_t bits[2];
    snprintf(text, sizeof text, "%.6g", value);
    *round = fabs(value) < DBL_MIN ? 0 : strtod(text, NULL);
    memcpy(&bits[0], &value, sizeof bits[0]);
    memcpy(&bits[1], round, sizeof bits[1]);
    return *round == 0 ? value != 0 : bits[0] - bits[1] == 1 || bits[1] - bits[0] == 1;
}

static void say_side(const LintInput *input, Side side, bool upper, StrBuf *out) {
    double end = upper ? side.hi : side.lo, round;
    bool strict = is_beside(end, &round) && (round > end) == upper;
    strbuf_printf(out, "'%s' is ", quote(input, side.tree->span));
    if (strict)
        strbuf_str(out, upper ? STR_LIT("below ") : STR_LIT("above "));
    else if (side.lo != side.hi)
        strbuf_str(out, upper ? STR_LIT("at most ") : STR_LIT("at least "));
    say_number(input, side.tree->type, strict ? round : end, out);
}

/* The comparison without a side that was just spoken of: "< 70 m", "70 m >", "a < b". */
static const char *judged(const LintInput *input, const Tree *tree, bool left, bool right) {
    StrBuf out = {.arena = input->scratch};
    if (left) strbuf_printf(&out, "%s ", quote(input, tree->op.left->span));
    strbuf_str(&out, str_of(operator_text(tree->op.op)));
    if (right) strbuf_printf(&out, " %s", quote(input, tree->op.right->span));
    return out.ptr;
}

void lint_say_condition(const LintInput *input, const Tree *tree, const RangeVerdict *verdict) {
    bool swapped = tree->op.op == OP_GT || tree->op.op == OP_GE;
    bool holds = verdict->seen_true != (tree->op.op == OP_NE);
    Side left = side_of(tree->op.left, swapped ? verdict->right : verdict->left);
    Side right = side_of(tree->op.right, swapped ? verdict->left : verdict->right);
    bool below = left.hi <= right.lo; /* else it is above */
    StrBuf why = {.arena = input->scratch};
    if (left.varies) say_side(input, left, below, &why);
    if (left.varies && right.varies) strbuf_str(&why, STR_LIT(" and "));
    if (right.varies) say_side(input, right, !below, &why);
    bool both = left.varies && right.varies;
    const char *what = judged(input, tree, both || !left.varies, both || !right.varies);
    diag_add(input->diags, holds ? DIAG_W_ALWAYS : DIAG_W_NEVER, tree->span, strbuf_take(&why).ptr,
             what);
}

/* -- fractions -- */

static const Tree *last_value(const Tree *tree) {
    while (tree->kind == TREE_BLOCK && tree->items.count)
        tree = tree->items.items[tree->items.count - 1];
    return tree;
}

void lint_say_fraction(const LintInput *input, const TreeFn *fn, Range range) {
    StrBuf ends = {.arena = input->scratch};
    bool below = range.lo < -1e-9 && range.lo > -INFINITY;
    say_number(input, fn->result, below ? range.lo : range.hi, &ends);
    if (below && range.hi > 1 && range.hi < INFINITY) {
        strbuf_str(&ends, STR_LIT(" to "));
        say_number(input, fn->result, range.hi, &ends);
    }
    Span span = fn->body ? last_value(fn->body)->span : fn->span;
    diag_add(input->diags, DIAG_W_FRACTION_RANGE, span.file >= input->file ? span : fn->span,
             strbuf_take(&ends).ptr);
}
