/* PNG files as samples: gray or color, of 8 or 16 bits. Gray of fewer bits and palettes are widened,
 * transparency is left out; what a file says of color spaces is not read. */
#ifndef WORLD_FILE_PICTURE_H
#define WORLD_FILE_PICTURE_H

#include "runtime/base/str.h"

typedef struct Picture {
    int columns, rows;
    int channels;           /* 1 gray, 3 color */
    int bytes;              /* of one sample of one channel: 1, or 2, the higher first */
    const uint8_t *samples; /* row by row from the top */
} Picture;

typedef enum PictureStatus { PICTURE_FINE, PICTURE_DAMAGED, PICTURE_LARGE } PictureStatus;

/* DAMAGED: `*reason` says how, in the arena. */
PictureStatus picture_read(Arena *arena, Str file, uint64_t most_samples, Picture *picture,
                           Str *reason);

#endif
