/* Erosion by water that flows: a virtual pipe between every two squares that share a side, and slopes that slide.
 *
 * Mei, Decaudin and Hu, "Fast Hydraulic Erosion Simulation and Visualization on GPU" (2007): water of its own depth on every square, flows
 * that its level drives, ground that is dissolved where the water could carry more and laid down where it carries too much. Unlike
 * there a pipe is one flow with a sign (O'Brien and Hodgins 1995), and what the water carries moves with the flows, from
 * square to square, so none is lost: Mei's look back along the water's way keeps no account.
 *
 * Amounts are depths, in meters over a square: a flow is what one step moves. What a pipe moves is one number, taken here and given
 * there, and the three layers are doubles: ground, water and load are kept to the rounding of their sums.
 *
 *     a step, in bands of rows:   levels ─> flows ─> held to the water there is ─> water and load moved ─> dissolve, settle, slide
 *                                 (row j+1)   (row j+1)        (row j)                    (row j)
 *
 * A band reads its neighbors' rows as they were before the step, which are put aside first; so bands may be worked on in any
 * order by any number of threads, in place, and give the same bits.
 */
#ifndef WORLD_TERRAIN_ERODE_H
#define WORLD_TERRAIN_ERODE_H

#include "runtime/rt/rt.h"

typedef struct ErodeSpec {
    double pipe;        /* the share of a difference of level that a step adds to the flow between two squares */
    double rain;        /* meters a step, times the rain map */
    double evaporation; /* share of the water a step */
    double capacity;    /* of the water that passes, the share it carries in ground on a steep fall */
    double deep;        /* meters: deeper water carries what water so deep carries */
    double dissolve;    /* share of the room left that a step takes up, of soft ground */
    double settle;      /* share of what is too much that a step lays down */
    double talus;       /* rise over run past which ground slides */
    double slide;       /* share of what is too steep that slides to each neighbor in a step */
    bool has_sea;
    double sea;         /* meters: ground below it is under still water */
    bool open;          /* water runs off past the border, with what it carries; else the border is a wall */
} ErodeSpec;

/* Square layers, row by row from -z. */
typedef struct Erosion {
    int32_t columns, rows;
    double cell; /* meters */
    double *ground, *water, *load;
    float *east, *south; /* what a step moves past the east and the south side of a square; the border's is not kept */
    float *rock;         /* the surface of what is hard: over it lies what was loose, or was laid down */
    const float *rain, *soft; /* maps; NULL: 1 everywhere. soft: how easily rock is dissolved */
    double left, drained; /* ground and water that left past the border, meters of a square */
    void *aside;          /* the bands' neighbor rows */
} Erosion;

/* Fewest and most squares a side. */
enum { ERODE_LEAST = 4, ERODE_MOST = 1 << 14 };

/* Over heights; `loose` meters of them are no rock (NULL: none). In the working storage of rt. */
void erosion_init(Rt *rt, Erosion *erosion, int32_t columns, int32_t rows, double cell, const float *heights, const float *loose);
/* False: told to stop. */
bool erosion_run(Rt *rt, Erosion *erosion, const ErodeSpec *spec, int64_t steps);
/* What the water still carries is laid down where it is. */
void erosion_settle(Erosion *erosion);

#endif
