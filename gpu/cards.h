/* Pictures of meshes from afar, as the cards that stand for them show them. */
#ifndef WORLD_GPU_CARDS_H
#define WORLD_GPU_CARDS_H

#include "gpu/gl.h"
#include "world/world.h"

/* A texture with all its coarser levels; 0 for none. */
GLuint cards_texture(const WorldPicture *picture);
/* For the program of cards. */
void cards_use(GLuint texture);

#endif
