/* Noise finer than a grid can show: whose cells are less than two samples of the grid that it fills
 * apart. */
#ifndef WORLD_COMPILER_LINT_NOISE_H
#define WORLD_COMPILER_LINT_NOISE_H

#include "compiler/lint/lint.h"
#include "compiler/range/range.h"

/* The making of a grid of heights, met on a walk. */
typedef struct LintFill {
    int func;
    const IrIns *ins;
    double cell; /* meters */
} LintFill;

typedef VEC(LintFill) LintFills;

/* Whether it is a function of the noises: their floors make cells, those of sin or fract do not. */
bool lint_has_cells(const LintInput *input, int func);
/* Keeps the call when it makes a grid of a known cell. */
void lint_note_fill(const LintInput *input, LintFills *fills, int func, const IrIns *ins,
                    const Range *args);
void lint_judge_noise(const LintInput *input, const Ranges *ranges, const LintFills *fills);

#endif
