/* Where things touch the ground: a map of the ground beside their feet, which sees less of the sky. */
#ifndef WORLD_GPU_CONTACT_H
#define WORLD_GPU_CONTACT_H

#include "gpu/land.h"

typedef struct Contact {
    GLuint map, uniforms;
    float over[4]; /* in the land's frame: its corner of smallest x and z, and one by its extent; 0: there is no map */
} Contact;

void contact_init(Contact *contact);
void contact_fini(Contact *contact);
/* False when memory is out. */
bool contact_set(Contact *contact, const WorldScene *scene, const Land *land);
void contact_use(const Contact *contact);

#endif
