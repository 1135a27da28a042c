/* Carrying values of a world before into the one that is read now: copies, in which parts are their counterparts and functions are those that
 * mean the same.
 */
#ifndef WORLD_COMPILER_ENGINE_OPEN_CARRY_H
#define WORLD_COMPILER_ENGINE_OPEN_CARRY_H

#include "compiler/engine/open/open.h"

typedef struct Carry {
    World *world;
    Rt *rt;
    Arena *from; /* of the value, which is at its end there */
    const int *functions; /* of the world before: those that mean the same; -1: none does */
    RtPart *(*counterpart)(const void *user, const RtPart *part); /* NULL: it has none */
    const void *user;
    int depth; /* of what holds what is carried now */
    bool lost; /* set when what is carried holds what cannot be: it is to be worked out */
} Carry;

/* Whether values of the type may be carried; whether one is shows when it is tried. */
bool carry_may(const World *world, const Type *type);
void carry_value(Carry *carry, const Type *type, const Slot *from, Slot *to);

#endif
