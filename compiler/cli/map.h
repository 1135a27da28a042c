/* A map: a question's answers on a lattice of places, and the picture of them. */
#ifndef WORLD_COMPILER_CLI_MAP_H
#define WORLD_COMPILER_CLI_MAP_H

#include "compiler/cli/cli.h"

typedef struct Map {
    double over[4];    /* x0, z0, x1, z1, meters */
    int width, height; /* lattice */
    int channels;      /* 1, or 3 for colors and directions */
    float *values;     /* height * width * channels, row by row from -z */
    double lo, hi;     /* the ends of the color ramp */
    const char *question;
} Map;

/* Where pixel centers lie: the places that are asked. */
double map_x(const Map *map, int column);
double map_z(const Map *map, int row);

/* Asks the question on a lattice over --over, or over the land, of `size` places along the longer side. An exit code; what is
 * wrong is told. `values` are the caller's to free in any case. */
int map_ask(Cli *cli, Map *map, int size);
/* RGBA, width * height pixels without a legend; NULL when there is no memory. */
unsigned char *map_colors(const Map *map);
/* RGBA, width * (height + legend) pixels; NULL when there is no memory. */
unsigned char *map_paint(const Map *map, int *height);

/* map_weights.c: of `over`, which --over gave or else the ground, how many samples there are; an exit code. Then the file. */
int weights_frame(Cli *cli, Map *map, bool over);
int weights_write(const Map *map, const char *path);

#endif
