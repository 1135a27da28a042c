/* The scene's lamps: the few nearest to the eye, for the shaders. */
#ifndef WORLD_GPU_LAMPS_H
#define WORLD_GPU_LAMPS_H

#include "gpu/camera.h"
#include "gpu/gl.h"
#include "world/world.h"

#include <stddef.h>

enum { LAMPS_MOST = 16 }; /* that shine in a frame, as shaders/light.glsl has it */

typedef struct Lamp {
    Vec at;
    double color[3], reach; /* color: at a meter, in the view's light */
    double away;            /* from the eye of the frame to where it reaches, meters */
    size_t number;          /* in the scene */
} Lamp;

typedef struct Lamps {
    Lamp *items;
    size_t count;
    GLuint uniforms;
} Lamps;

void lamps_init(Lamps *lamps);
void lamps_fini(Lamps *lamps);
/* False when memory is out. */
bool lamps_set(Lamps *lamps, const WorldScene *scene);
/* Fills and binds the block; none by day, whose light drowns them. */
void lamps_use(Lamps *lamps, const Eye *eye, bool day);

#endif
