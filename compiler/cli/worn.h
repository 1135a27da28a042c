/* --erode of an export: heights as water would wear them, for looking at before a world says so. */
#ifndef WORLD_CLI_WORN_H
#define WORLD_CLI_WORN_H

#include "compiler/cli/cli.h"

/* Wears `grid`, which the expression `name` answered, by the spec that --erode names. On the card the heights become `*own`, of malloc; without one they are those of
 * erosion.erodeCpu, and it is said. An exit code. */
int worn_heights(Cli *cli, const char *name, WorldGridView *grid, float **own);

#endif
