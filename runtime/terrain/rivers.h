/* Rivers and lakes as things: lines of squares from a spring to where a greater river takes them up, and flat surfaces. */
#ifndef WORLD_TERRAIN_RIVERS_H
#define WORLD_TERRAIN_RIVERS_H

#include "runtime/terrain/drain.h"

typedef struct RiverPoint {
    int32_t river, square; /* rivers are numbered from 0, the one that carries most first */
    double x, z;           /* meters from square (0, 0), smoothed */
    double level;          /* of the water, meters: never rises downstream */
    double area;           /* squares that it gathers from */
    bool lake;             /* in one */
} RiverPoint;

/* Of every square where `least` units gather, downstream; a tributary's last point is the one of the river that it joins. In the working storage. */
RiverPoint *rivers_trace(Rt *rt, const Drainage *drainage, int64_t least, int32_t smoothings, int64_t *count);

typedef struct Lake {
    int32_t number, squares, deepest, outlet; /* numbers from 1, the largest first; two squares */
    double level, depth, volume;              /* meters, at its deepest, meters of squares */
} Lake;

/* Squares under water of at least `squares` squares and `depth` meters: `numbers` by square, 0 none. In the working storage. */
Lake *lakes_find(Rt *rt, const Drainage *drainage, int32_t squares, double depth, int32_t *numbers, int32_t *count);

#endif
