/* The light of a sky.day, worked out on the processor once for a sun: light scattered once by air, dust and ozone, and the rest of it
 * as from everywhere (Hillaire, "A Scalable and Production Ready Sky and Atmosphere Rendering Technique", EGSR 2020, whose numbers of
 * the earth's air these are). All of it in the view's units, in which a white wall in the sun is about 3.
 */
#ifndef WORLD_GPU_SKY_H
#define WORLD_GPU_SKY_H

#include "gpu/matrix.h"

#include <stdbool.h>

/* Across: the angle from the sun's way on the plan, 0 to pi. Down: up from the horizon, as the root of the share of a right angle. */
enum { SKY_COLUMNS = 48, SKY_ROWS = 64 };

typedef struct SkyLight {
    float sky[SKY_ROWS][SKY_COLUMNS][4];
    float sun[3];    /* what falls on a wall that faces it */
    float above[3];  /* from all of the sky, on the ground */
    float below[3];  /* and back from it */
    float exposure;  /* by which a picture of it is brightened: 1 in the afternoon */
} SkyLight;

/* haze from 0 to 1. Below the horizon the sun still lights the sky. */
void sky_of(Vec sun, double haze, SkyLight *out);

#endif
