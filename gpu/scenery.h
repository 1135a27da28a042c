/* What surrounds a scene: sky, sea or floor, and the noise texture that several shaders draw from. */
#ifndef WORLD_GPU_SCENERY_H
#define WORLD_GPU_SCENERY_H

#include "gpu/program.h"
#include "gpu/state.h"

typedef struct Scenery {
    GLuint nothing; /* a vertex array without attributes */
    GLuint noise_map, slope_map; /* slope_map: how its first field grows */
    GLuint sky_map;              /* of a sky.day; 0: there is none */
} Scenery;

/* `low`: maps are filtered within a level of them alone; between two it costs the processor twice as much, and is hardly seen. */
void scenery_init(Scenery *scenery, bool low);
void scenery_fini(Scenery *scenery);
/* Binds these maps. */
void scenery_use(const Scenery *scenery);
/* The sky of a day (gpu/sky.h). */
void scenery_set_sky(Scenery *scenery, int columns, int rows, const float *rgba);
/* The horizontal plane at the frame's level of the sea. */
void scenery_draw_plane(const Scenery *scenery, State *state, GLuint program);
/* The bank of a land's border, of columns by rows samples, down to that plane; `width` in meters of the land. By the same program, which draws the plane next. */
void scenery_draw_bank(const Scenery *scenery, State *state, GLuint program, int columns, int rows, double width);
/* Wherever nothing was drawn yet. */
void scenery_draw_sky(const Scenery *scenery, State *state, const Programs *programs);

#endif
