/* Walkers: something that stands on a land and takes steps, held by what the land says of its edge.
 *
 * A step is a wish, a move on the plan. What comes of it is decided here and nowhere else, for a
 * window, a server and a test alike. Steps are taken whole: a caller whose steps are longer than
 * what it walks round should split them.
 *
 *     open   goes anywhere
 *     sea    not into ground deeper than `wade` under the sea (at height 0); see walker_step
 *     wall   not past the border; slides along it
 *     wrap   past one side it comes back from the opposite one
 *     fall   past the border it is set down at `fall_to`
 *
 * Among obstacles a walker is an upright cylinder whose foot's middle is its place. It stands on the land, or on whatever lies higher under
 * its foot (the middle, and half as far out as it is thick), as far as it can step up: so it goes up steps, over a deck and down again. What reaches higher than a step and lower
 * than its head it does not touch: a wish is shortened to where it would, and goes on along what is in the way. One that stands in
 * something (set down in it, or it moved) may go wherever it does not get deeper.
 */
#ifndef WORLD_WALKER_WALKER_H
#define WORLD_WALKER_WALKER_H

#include <stdbool.h>

#include "runtime/geometry/vec3.h"
#include "runtime/walker/obstacle.h"

/* In the order of core.world's `edge.kind` (stdlib/layout.c). */
typedef enum WalkerEdge {
    WALKER_OPEN,
    WALKER_SEA,
    WALKER_WALL,
    WALKER_WRAP,
    WALKER_FALL
} WalkerEdge;

typedef struct WalkerLand {
    double (*height)(void *user, double x, double z);
    Vec3 (*gradient)(void *user, double x, double z); /* uphill, rise over run; y is not read */
    void *user;
    double x0, x1, z0, z1; /* the border; not read by open and sea */
    WalkerEdge edge;
    double wade; /* meters */
    Vec3 fall_to;
    const Obstacle *obstacles; /* in the land's frame */
    size_t obstacle_count;
    double radius, tall, step; /* of a walker, as it meets them: of its cylinder, and how far up it steps */
} WalkerLand;

typedef struct Walker {
    const WalkerLand *land;
    Vec3 at; /* on what it stands on */
} Walker;

typedef enum WalkerOutcome {
    WALKER_MOVED, /* the whole step */
    WALKER_SLID,  /* part of it */
    WALKER_STAYED,
    WALKER_CROSSED, /* it came back from the opposite side */
    WALKER_FELL
} WalkerOutcome;

/* Set down on the ground at x, z, wherever that is. */
Walker walker_create(const WalkerLand *land, double x, double z);
/* The same from a height: on the highest of ground and obstacles that is no higher, else on the ground. */
Walker walker_create_from(const WalkerLand *land, double x, double y, double z);

/* The sea's rule: a step is allowed when the ground it ends on is no deeper than `wade`, or, for a
 * walker that stands deeper already, no deeper than its own. If it is not allowed, the part that
 * goes seaward (down the slope of the ground where it would end) is taken off; if that is not
 * allowed either, what is left of it is tried on x alone, then on z alone; else the walker stays. A
 * step that is no number is no step. */
WalkerOutcome walker_step(Walker *walker, double dx, double dz);

#endif
