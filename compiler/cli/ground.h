/* What the options lay on a world's ground: false colors of a question (--show), and where a layout's rules tried to place things (--spots).
 *
 * It is a picture in the land's frame, given to the view as the land's material, over the one that the world gave it.
 */
#ifndef WORLD_COMPILER_CLI_GROUND_H
#define WORLD_COMPILER_CLI_GROUND_H

#include "compiler/cli/cli.h"

typedef struct GroundPaint {
    double over[4]; /* x0, z0, x1, z1: of the land's frame, meters */
    int columns, rows;
    unsigned char *rgba; /* sRGB, and how much of the ground it hides; row by row from -z */
    char legend[512];
} GroundPaint;

/* In place of a scene the same with that ground; it lives until the next one. An exit code; what is wrong is told. */
int ground_lay(Cli *cli, const WorldScene **scene);
/* What the colors mean; "" while nothing is laid. */
const char *ground_legend(void);

/* spots.c: paints the trials of the layout that --spots names. */
int spots_paint(Cli *cli, GroundPaint *paint);

#endif
