/* Polyline: a chain of segments on the plan (x, z), asked which segment is nearest, which edges a
 * ray crosses, and how wide a band round it is on one row. What spines and outlines share.
 *
 * The chain's own order is the tree: consecutive segments lie close together, so a node is a run of
 * segments and its box, four runs to the run above, in one array, leaves first.
 *
 *     segments   0 1 2 3 | 4 5 6 7 | 8 9 ...        a leaf: 4 segments
 *     level 0    box 0     box 1     box 2 ...
 *     level 1    box of 0 to 3 ...                  fan-out 4, the last level one box
 *
 * A box is a hair larger than what it holds, so that a point worked out on a segment lies in it
 * whatever was rounded: the search then answers exactly what looking at every segment would.
 */
#ifndef WORLD_GEOMETRY_POLYLINE_H
#define WORLD_GEOMETRY_POLYLINE_H

#include "runtime/base/memory.h"

typedef struct PlanPoint {
    double x, z;
} PlanPoint;

typedef struct PlanBox {
    double x0, x1, z0, z1;
} PlanBox;

enum { POLYLINE_MAX_LEVELS = 16 };

typedef struct Polyline {
    const PlanPoint *points;                  /* count + 1 */
    int count;                                /* segments, at least 1 */
    PlanBox *boxes;                           /* level after level */
    int level_first[POLYLINE_MAX_LEVELS + 1]; /* the last one: boxes in all */
    int level_count;
} Polyline;

typedef struct PolylineHit {
    int segment; /* -1: nothing within reach */
    double t;    /* 0 to 1 along the segment */
    PlanPoint at;
    double square; /* of the distance */
} PolylineHit;

/* Keeps `points` (count + 1 of them, finite) and allocates the boxes. */
void polyline_init(Polyline *line, Arena *arena, const PlanPoint *points, int count);

/* The nearest point at a distance below `within`; of equally near ones the lowest segment's. */
PolylineHit polyline_find_nearest(const Polyline *line, PlanPoint p, double within);

/* The nearest point of one segment. */
PolylineHit polyline_segment_hit(const Polyline *line, int segment, PlanPoint p);

typedef enum PlanSide { PLAN_OUTSIDE, PLAN_BORDER, PLAN_INSIDE } PlanSide;

/* Of a closed chain (last point equal to the first), by the even-odd rule, exactly. */
PlanSide polyline_classify(const Polyline *line, PlanPoint p);

/* The x range in which places with this z can be within `reach` of the chain; false: none can. */
bool polyline_row_span(const Polyline *line, double z, double reach, double *x0, double *x1);

/* The box of all segments. */
PlanBox polyline_box(const Polyline *line);

#endif
