/* What numbers, units and texts mean: from the written form to the value, and what is wrong with
 * it. */
#ifndef WORLD_LANG_LITERAL_H
#define WORLD_LANG_LITERAL_H

#include "lang/diag.h"

typedef struct LiteralUnit {
    const char *start, *end; /* start NULL: no unit follows */
    bool known;              /* false: a word stands where a unit would, and is none */
} LiteralUnit;

/* The unit after a number's digits: `m`, ` m/s`, `m/s^2`. `text` ends in a zero byte. */
LiteralUnit literal_scan_unit(const char *text);
void literal_report_unit(DiagList *diags, Span span);

typedef struct LiteralNumber {
    double value;
    int64_t int_value;
    bool whole; /* written without a point or exponent */
} LiteralNumber;

/* The digits' value, exactly rounded. `span` is the digits' (without the unit); reports what is
 * wrong. */
LiteralNumber literal_number(DiagList *diags, Span span);
/* Of decimal digits that are in order (12, .5, 1e-3), to the nearest double; it may be infinite. */
double literal_decimal(Str text, Arena *arena);

/* A quoted text, or a piece of one between two values, decoded, in `arena`. `span` includes the marks
 * it stands between (the closing quote may be missing); `opens_hole`: the last is `\{`. */
Str literal_text(DiagList *diags, Span span, bool opens_hole, Arena *arena);

/* The text of `///` lines, without the slashes and the blank after them. */
Str literal_doc(const SourceSet *sources, Span span, Arena *arena);

#endif
