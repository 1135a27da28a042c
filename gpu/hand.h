/* The hand: which thing the pointer is on, and where it would set it down. Plain C, tested without GL.
 *
 * It knows the scene that is shown until something is edited; then none, until the next one comes.
 */
#ifndef WORLD_GPU_HAND_H
#define WORLD_GPU_HAND_H

#include "gpu/camera.h"
#include "gpu/walk.h"

enum { HAND_WORDS = 512 };

typedef struct Ray {
    Vec from, way; /* way: of length 1 */
} Ray;

typedef struct Hand {
    const ViewLoop *loop;    /* edits NULL: the hand does nothing */
    const WorldScene *scene; /* NULL: none */
    const Walk *walk;
    bool holds, drags; /* a placed thing; and carries it */
    Vec at, to;        /* where it was taken, and would be set down */
    char words[HAND_WORDS]; /* to be shown; "" none */
} Hand;

/* A ray through a place of the picture, from -1 to 1 to the right and up. */
Ray hand_ray(const Eye *eye, double right, double up);
/* The nearest copy that a ray meets, before `most` meters; NULL: none. */
const WorldThing *hand_find(const WorldScene *scene, const Ray *ray, double most, double *distance);
/* How far a ray goes until it meets the ground; without a land, the level. False: it does not. */
bool hand_reach(const Walk *walk, double level, const Ray *ray, double *distance);

void hand_begin(Hand *hand, const ViewLoop *loop, const Walk *walk);
/* What is shown is another; NULL: it is not known. */
void hand_set_scene(Hand *hand, const WorldScene *scene);
/* Takes what a ray meets, when it was placed. False: it is nothing to be held. */
bool hand_take(Hand *hand, const Ray *ray);
/* Carries what is held to where a ray meets the ground. */
void hand_carry(Hand *hand, const Ray *ray);
/* Sets it down there. */
void hand_drop(Hand *hand);
void hand_remove(Hand *hand);
void hand_undo(Hand *hand);
/* Whether it waits for the scene that follows an edit. */
bool hand_is_blind(const Hand *hand);

#endif
