/* Erosion on the card: what runtime/terrain/erode.h does, in single floats, for looking at. It is near the processor's answer and never it: a world's ground is
 * worked out by the processor, the same everywhere.
 *
 * How near (tests/gpu/test_erosion, through llvmpipe): after 100 steps of the default spec ground and water are within a millimeter everywhere, and ground within
 * 0.01 on the average (5 and 0.2 micrometers were measured); with a sea, within 10 cm at its shore and a tenth of a millimeter on the average (2 cm, 0.01).
 */
#ifndef WORLD_GPU_EROSION_H
#define WORLD_GPU_EROSION_H

#include <stddef.h>

#include "runtime/terrain/erode.h"

typedef struct CardErosion {
    int32_t columns, rows;
    double cell; /* meters */
    const float *heights;
    const float *rain, *soft, *loose; /* maps as Erosion has them; NULL: 1, 1, 0 everywhere */
    const ErodeSpec *spec;
    int64_t steps;
    bool (*goes_on)(void *user, double done); /* asked now and then with the share that is done; NULL: nobody */
    void *user;
} CardErosion;

/* With a device that is current. What the water carried is laid down; each answer has as many floats as heights, and may be NULL. False with a
 * reason, or "" when it was told to stop. */
bool erosion_on_card(const CardErosion *erosion, float *ground, float *water, char *error, size_t size);

#endif
