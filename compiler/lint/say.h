/* The lint's findings in the author's words: his own text, his units. */
#ifndef WORLD_COMPILER_LINT_SAY_H
#define WORLD_COMPILER_LINT_SAY_H

#include "compiler/lint/lint.h"
#include "compiler/range/range.h"

/* A comparison of which only one outcome was seen. */
void lint_say_condition(const LintInput *input, const Tree *tree, const RangeVerdict *verdict);
/* A function that answers a fraction, and the interval that it may leave it by. */
void lint_say_fraction(const LintInput *input, const TreeFn *fn, Range range);

#endif
