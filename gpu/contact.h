/* Where things touch the ground: a map of the ground beside their feet, which sees less of the sky. */
#ifndef WORLD_GPU_CONTACT_H
#define WORLD_GPU_CONTACT_H

#include "gpu/land.h"

typedef struct ContactMap { /* in the land's frame */
    double x0, z0, texel; /* meters */
    int columns, rows;    /* 0: there is none */
} ContactMap;

typedef struct Contact {
    GLuint map, uniforms;
    ContactMap shown;
    float over[4]; /* as the shaders have it: its corner of smallest x and z, and one by its extent; 0: there is no map */
    struct Foot *feet; /* of each mesh */
    size_t foot_count;
    struct Print *prints; /* that are on the map */
    size_t print_count;
    uint64_t land; /* its content */
} Contact;

void contact_init(Contact *contact);
void contact_fini(Contact *contact);
/* False when memory is out. */
bool contact_set(Contact *contact, const WorldScene *scene, const Land *land);
/* A scene of the same shape. False likewise. */
bool contact_move(Contact *contact, const WorldScene *scene, const Land *land);
void contact_use(const Contact *contact);

#endif
