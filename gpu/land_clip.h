/* A land that is a function, on the card: of each level a square window of samples about the eye, asked as they come into it (Losasso
 * and Hoppe, "Geometry Clipmaps", 2004). A sample (x, z) of level l lies at texel (x mod CLIP_SIDE, z mod CLIP_SIDE) of layer l, so a
 * window that moves keeps what stays in it.
 */
#ifndef WORLD_GPU_LAND_CLIP_H
#define WORLD_GPU_LAND_CLIP_H

#include "gpu/gl.h"
#include "runtime/lod/lod.h"
#include "world/world.h"

enum {
    CLIP_SIDE = 512, /* samples; as shaders/lod.glsl has it */
    CLIP_LEVELS = 11,
    CLIP_BLOCKS = CLIP_SIDE / LOD_SIDE, /* a window is filled by squares of samples of a tile's side */
    CLIP_REACH = 180 /* samples of its own level that a level is drawn to, at most: then every tile of it lies in its window */
};

typedef struct Clip {
    WorldSource source; /* heights NULL: there is none */
    int levels;
    GLuint heights, faces; /* a layer a level: meters; x and z of the way the ground faces */
    int64_t x[CLIP_LEVELS], z[CLIP_LEVELS]; /* the first sample of each window, in samples of its level */
    bool filled[CLIP_LEVELS];
    float lows[CLIP_LEVELS][CLIP_BLOCKS][CLIP_BLOCKS], highs[CLIP_LEVELS][CLIP_BLOCKS][CLIP_BLOCKS]; /* of each square, where its texels lie */
    float low, high; /* of all that the windows hold */
    bool failed;     /* some of it could not be worked out */
    double *places;  /* of a stretch, x and z in a row */
    float *answers, *normals;
} Clip;

void clip_init(Clip *clip);
void clip_fini(Clip *clip);
/* False: there is no memory. */
bool clip_set(Clip *clip, const WorldSource *source);
/* Moves the windows to where the eye is, a place of the land's frame, and asks for what comes in; nothing more once that failed. */
void clip_move(Clip *clip, double x, double z);
/* What tiles are chosen from, where the windows are. */
LodLand clip_land(const Clip *clip);

#endif
