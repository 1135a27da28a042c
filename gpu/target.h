/* What is drawn into: the multisampled picture with its resolved copy, the height picture, shadow
 * maps. */
#ifndef WORLD_GPU_TARGET_H
#define WORLD_GPU_TARGET_H

#include "gpu/state.h"

#include <stddef.h>

enum { TARGET_SAMPLES = 4 };

/* A picture of 8-bit sRGB color, multisampled, and the plain texture it is resolved into. Where the processor draws, four samples and their encoding cost
 * half of a frame: there a pixel has one, shaders encode (to_screen), and edges are smoothed while it is resolved. */
typedef struct Picture {
    int width, height;
    bool one_sample;
    GLuint color, depth, framebuffer; /* multisampled; color of one sample a texture */
    GLuint resolved, resolved_framebuffer;
} Picture;

typedef struct PictureDesc {
    int width, height;
    bool one_sample;
} PictureDesc;

bool picture_init(Picture *picture, const PictureDesc *desc, char *error, size_t size);
void picture_fini(Picture *picture);
void picture_begin(const Picture *picture, State *state, const float background[4]);
/* `edges` is the program that smooths them, `nothing` a vertex array of none. What is drawn behind it is drawn over the resolved picture. */
void picture_resolve(const Picture *picture, State *state, GLuint edges, GLuint nothing);
/* width * height * 4 bytes, row by row from the top. */
void picture_read(const Picture *picture, unsigned char *rgba);
/* Copies the resolved picture to the window. */
void picture_show(const Picture *picture, int width, int height);

/* One float a pixel, not multisampled: heights. */
typedef struct HeightPicture {
    int width, height;
    GLuint value, depth, framebuffer;
} HeightPicture;

bool height_picture_init(HeightPicture *picture, int width, int height, char *error, size_t size);
void height_picture_fini(HeightPicture *picture);
/* Clears to NaN. */
void height_picture_begin(const HeightPicture *picture, State *state);
/* Row by row from the bottom, as GL keeps them. */
void height_picture_read(const HeightPicture *picture, float *values);

#endif
