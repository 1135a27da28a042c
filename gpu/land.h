/* The land on the card: its samples, triangles, and the maps its color comes from. */
#ifndef WORLD_GPU_LAND_H
#define WORLD_GPU_LAND_H

#include "gpu/camera.h"
#include "gpu/land_mesh.h"
#include "gpu/program.h"
#include "gpu/state.h"

enum { LAND_MAPS = 7 }; /* brook, forest, grove, path, red, green, blue: in the order of place.glsl */

typedef struct Land {
    Memory memory;
    Arena arena;       /* chunks and the lists of what is drawn */
    Arena scratch;     /* while a land is uploaded */
    int columns, rows; /* 0: no land */
    double cell, x0, z0;
    Transform transform, inverse;
    float low, high; /* of the heights, before the transform */
    LandChunk *chunks;
    int chunk_count;
    GLsizei *counts; /* of the runs of triangles drawn this time */
    double far_pixels; /* of the draw in hand: chunks whose cells look smaller are drawn coarser */
    uint64_t triangles; /* of the last draw */
    const void **firsts;
    GLuint vertices, heights, indices, uniforms;
    GLuint height_map, look_map;
    GLuint maps[LAND_MAPS];      /* that the scene names; 0: it has none so named */
    float lattice[LAND_MAPS][4]; /* of each: x0, z0, cell, 1 when it is there */
    float paint[4];              /* multiplies the color of the ground; 1: which is white then */
} Land;

void land_init(Land *land);
void land_fini(Land *land);
/* May leave through memory_fail; what was there before is dropped either way. */
void land_set(Land *land, const WorldScene *scene);

/* Fills and binds the land's uniform block and maps for this eye. Without a land it says so to the
 * shaders. */
void land_use(const Land *land, const Eye *eye);
/* What of a land is drawn. */
typedef struct LandView {
    const Eye *eye;
    double above; /* chunks that do not reach so high are left out; meters, -INFINITY for all */
    int height;   /* pixels of the picture; 0: no chunk is drawn coarser */
    uint64_t most; /* triangles, about: chunks get coarser until so few are drawn; 0: any number */
} LandView;
void land_draw(Land *land, State *state, const LandView *what, const Pipe *pipe);
/* Draws heights (program LAND_HEIGHT) for an eye that looks straight down. */
void land_draw_heights(Land *land, State *state, const Eye *eye, GLuint program, int width,
                       int height);
/* The box of the land in the world, from `floor` up. */
void land_bounds(const Land *land, double floor, Vec *low, Vec *high);

#endif
