/* The scene's lamps: the few nearest to the eye, for the shaders. */
#ifndef WORLD_GPU_LAMPS_H
#define WORLD_GPU_LAMPS_H

#include "gpu/camera.h"
#include "gpu/gl.h"
#include "world/world.h"

#include <stddef.h>

enum { LAMPS_MOST = 16, LAMPS_SHADED = 8 }; /* that shine in a frame, as shaders/light.glsl has it; whose light things keep off */

typedef struct Lamp {
    Vec at;
    double color[3], reach; /* color: at a meter, in the view's light */
    double away;            /* from the eye of the frame to where it reaches, meters */
    size_t number;          /* in the scene */
    int layer;              /* of the shadows' map (gpu/lamp_shadow.h); -1: none */
} Lamp;

typedef struct Lamps {
    Lamp *items;
    size_t count, shine; /* the second: in this frame, the first of them */
    GLuint uniforms;
} Lamps;

void lamps_init(Lamps *lamps);
void lamps_fini(Lamps *lamps);
/* False when memory is out. */
bool lamps_set(Lamps *lamps, const WorldScene *scene);
/* Which shine for an eye: the nearest; none by day, whose light drowns them. */
void lamps_choose(Lamps *lamps, const Eye *eye, bool day);
/* Fills and binds the block. */
void lamps_use(const Lamps *lamps, const Eye *eye);

#endif
