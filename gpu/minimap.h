/* The minimap: the scene from above, drawn once a scene, in a corner of the picture, with the eye and how far it looks about. */
#ifndef WORLD_GPU_MINIMAP_H
#define WORLD_GPU_MINIMAP_H

#include "gpu/camera.h"
#include "gpu/program.h"
#include "gpu/target.h"

enum { MINIMAP_TEXELS = 256 }; /* along a side of the map itself */

typedef struct Minimap {
    bool shown, drawn;
    Picture picture;
    GLuint nothing; /* a vertex array */
    ViewCamera camera;
} Minimap;

void minimap_init(Minimap *map);
void minimap_fini(Minimap *map);
/* From above, over the box. */
void minimap_aim(Minimap *map, Vec low, Vec high);
/* How large it is in a picture, pixels; 0: there is no room for it. */
double minimap_side(int width, int height);
/* Puts it at the top right. */
void minimap_draw(const Minimap *map, State *state, const Programs *programs, const Eye *eye, int width, int height);

#endif
