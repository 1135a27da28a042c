/* The land on the card: its samples, the tiles that are drawn of it (runtime/lod), and the maps that its light needs. */
#ifndef WORLD_GPU_LAND_H
#define WORLD_GPU_LAND_H

#include "gpu/camera.h"
#include "gpu/land_clip.h"
#include "gpu/program.h"
#include "gpu/state.h"
#include "runtime/lod/lod.h"

typedef struct Land {
    Memory memory;
    Arena arena;       /* what the tiles are chosen by, and those that are drawn */
    int columns, rows; /* 0: no land, or a function */
    Clip clip;         /* of a function */
    double cell, x0, z0;
    Transform transform, inverse;
    LodLand lod;
    LodTile *tiles;
    int tile_count, most_tiles;
    uint64_t triangles; /* of the last draw */
    GLuint vertices, indices, tile_buffer, uniforms, lod_uniforms;
    GLuint height_map, look_map;
    GLuint divided; /* the finer tiles' heights (shaders/divided.glsl); 0: there are none */
    int look_step;  /* samples between the look map's */
    float paint[4]; /* multiplies the color of the ground */
    uint64_t content; /* of the grid whose maps these are; 0: none */
} Land;

void land_init(Land *land);
void land_fini(Land *land);
/* Whether there is one. */
bool land_is(const Land *land);
/* May leave through memory_fail; what was there before is dropped either way, but for a grid that is the same. Answers the bytes that were uploaded. */
size_t land_set(Land *land, const WorldScene *scene);

/* Fills and binds the land's uniform block and maps for this eye. Without a land it says so to the
 * shaders. */
void land_use(const Land *land, const Eye *eye);
/* Asks a land that is a function for what lies about an eye. */
void land_move(Land *land, const Eye *eye);
/* What of a land is drawn. */
typedef struct LandView {
    const Eye *eye;
    const struct LandView *as; /* the tiles are as fine as this other draws them: then what throws a shadow is what is seen; NULL: as follows */
    double above; /* tiles that do not reach so high are left out; meters, -INFINITY for all */
    int height;   /* pixels of the picture; 0: everything as fine as it may be */
    double cell_pixels; /* a level's cells are never drawn where they look smaller */
    uint64_t most; /* triangles, about: levels come nearer until so few are drawn; 0: any number */
} LandView;
void land_draw(Land *land, State *state, const LandView *what, const Pipe *pipe);
/* The triangles that it would draw. */
uint64_t land_count(Land *land, const LandView *what);
/* Draws heights (program LAND_HEIGHT) for an eye that looks straight down. */
void land_draw_heights(Land *land, State *state, const Eye *eye, GLuint program, int width,
                       int height);
/* The box of the land in the world, from `floor` up; of a function none. */
void land_bounds(const Land *land, double floor, Vec *low, Vec *high);

#endif
