/* The materials of a scene on the card: for each a program of the ground, of the water over it, or of things, as it is used,
 * and the buffer that its functions read.
 */
#ifndef WORLD_GPU_MATERIAL_H
#define WORLD_GPU_MATERIAL_H

#include "gpu/program.h"
#include "gpu/state.h"
#include "world/world.h"

typedef struct Material {
    GLuint words;
    GLuint land, field, water, things, cards; /* programs; 0: nothing of that kind has this material */
} Material;

typedef struct Materials {
    Material *items; /* the first is that of what has none: the view's own programs */
    int count;
    int ground; /* the land's */
    bool timed; /* some is another at another time */
    uint64_t content; /* of what they were made of; 0: none were */
} Materials;

/* Nothing when they are as they were. False with the driver's complaint, and then what was there before stays. */
bool materials_set(Materials *materials, const Programs *programs, const WorldScene *scene, char *error, size_t size);
void materials_fini(Materials *materials);
/* Binds what its functions read. */
void material_use(const Material *material);

#endif
