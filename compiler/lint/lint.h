/* What the ranges of a world tell its author: conditions that always or never hold, fractions that
 * leave 0 to 1.
 *
 * Everything that is worked out in a world (fields, families, checks) is walked from its beginning,
 * so a comparison inside a function is judged over all the calls that the world makes. Only the
 * author's own files are judged. Not warned of: a comparison of constants (a switch that is off
 * today), one that a `check` makes on purpose.
 */
#ifndef WORLD_COMPILER_LINT_LINT_H
#define WORLD_COMPILER_LINT_LINT_H

#include "compiler/lower/lower.h"

typedef struct LintInput {
    Arena *scratch; /* not that of `diags` */
    const TreeProgram *program;
    const Lowering *lowering; /* as it came from lowering: no pass has changed the IR since */
    DiagList *diags;
    uint32_t file; /* the first of the author's; all after it are too */
} LintInput;

void lint_ranges(const LintInput *input);

#endif
