/* Walking in the window: the runtime's walker on the scene's land, in the land's own frame, for an
 * eye in the world's.
 *
 * The land's rule of its edge is the walker's (runtime/walker), and so is what it bumps into; here are
 * only the frame, which solids are near, and the splitting of what a frame of the picture covers into steps.
 */
#ifndef WORLD_GPU_WALK_H
#define WORLD_GPU_WALK_H

#include "gpu/matrix.h"
#include "gpu/view.h"
#include "runtime/walker/walker.h"

typedef struct Walk {
    WalkerLand land; /* height NULL: there is nothing to walk on */
    bool has_land;
    Transform to_world, to_land;
    Walker walker;
    const ViewLoop *loop; /* who answers heights */
    Memory memory;
    Arena near; /* of the obstacles round the walker's way */
} Walk;

void walk_init(Walk *walk);
void walk_fini(Walk *walk);

/* Takes over where the land stands and what its edge is; who walked begins anew. */
void walk_set_scene(Walk *walk, const WorldScene *scene);
/* loop may be NULL, or have no ground: then nobody walks. The walk must not be moved afterwards. */
void walk_set_loop(Walk *walk, const ViewLoop *loop);

/* The ground over or under a place; false where there is none to keep above. */
bool walk_find_ground(const Walk *walk, Vec place, double *height);
/* Sets the walker down under an eye that is not high over the ground, else where it looks. False:
 * there is no ground, or only under deep water. */
bool walk_begin(Walk *walk, Vec eye, Vec forward);
/* A wish of so many meters on the plan, taken in steps. The outcome is the last step's; a fall ends
 * the way. */
WalkerOutcome walk_go(Walk *walk, Vec way);
/* Where the walker's feet are. */
Vec walk_feet(const Walk *walk);

#endif
