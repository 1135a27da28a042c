/* Obstacles: solids where they stand, as a walker meets them.
 *
 * A walker is an upright cylinder. What it bumps into is the part of an obstacle between two heights, seen on the plan: of what is convex
 * (a hull, a box, a triangle of a mesh) a polygon, of a capsule a strip with round ends. What it may stand on is an obstacle's
 * surface under its foot.
 *
 *        hi ─ ─ ─ ─ ┌──┐ ─ ─      the head
 *          ╱▒▒▒▒╲   │  │
 *         ╱▒▒▒▒▒▒╲  │  │          ▒ is in its way
 *        lo ─ ─ ─ ─ │  │ ─ ─      as high as it steps
 *       ╱__________╲└──┘          the foot
 *
 * Worked out with + - * / sqrt, so a way among obstacles is the same bits on every machine.
 */
#ifndef WORLD_WALKER_OBSTACLE_H
#define WORLD_WALKER_OBSTACLE_H

#include "runtime/base/memory.h"
#include "runtime/geometry/vec3.h"
#include "world/world.h"

typedef struct Obstacle {
    WorldSolidKind kind;
    Vec3 low, high; /* of the box round it */
    Vec3 from, to;  /* of a capsule */
    double radius;
    const Vec3 *points; /* of what is no capsule */
    const uint32_t *triangles;
    uint32_t point_count, triangle_count;
} Obstacle;

/* The solid by the rows of a 3x4 matrix: a turn, times one scale, and a place. Its triangles are the solid's own. */
Obstacle obstacle_make(Arena *arena, const WorldSolid *solid, const double rows[12]);

/* Of an obstacle the pieces that are convex, each of which is met alone. */
uint32_t obstacle_pieces(const Obstacle *obstacle);

typedef struct ObstacleGap {
    double distance;     /* on the plan, to the piece between the two heights; negative inside; INFINITY: nothing of it is there */
    double away_x, away_z; /* the way out, of length 1 */
} ObstacleGap;
/* No farther than `within` matters: what is surely farther may answer INFINITY. */
ObstacleGap obstacle_gap(const Obstacle *obstacle, uint32_t piece, double x, double z, double lo, double hi, double within);

/* The highest surface over a place that is no higher than `most`; false: there is none. */
bool obstacle_top(const Obstacle *obstacle, double x, double z, double most, double *top);

#endif
