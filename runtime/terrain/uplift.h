/* Mountains that rise and are cut by their rivers: the stream power law dh/dt = uplift - k A^(1/2) slope.
 *
 * Braun and Willett, "A very efficient O(n), implicit and parallel method to solve the stream power equation" (2013): a square's height after a step
 * follows from that of the square its water goes to, so squares are worked out from the sea up, once each, for any length of step. Cordonnier et al.,
 * "Large scale terrain generation from tectonic uplift and fluvial erosion" (2016), made mountains with it, their lakes crossed by their
 * lowest passes; here the ways are those of drain.h, which cross lakes.
 */
#ifndef WORLD_TERRAIN_UPLIFT_H
#define WORLD_TERRAIN_UPLIFT_H

#include "runtime/rt/rt.h"

typedef struct UpliftSpec {
    double step;  /* thousand years */
    double rate;  /* meters in a thousand years, times the map */
    double cut;   /* meters in a thousand years, of a stream of a square kilometer at a fall of 1 */
    double talus; /* rise over run: no square stands higher over the next on its way */
    bool has_sea;
    double sea;
} UpliftSpec;

/* In place. False: told to stop. */
bool uplift_run(Rt *rt, int32_t columns, int32_t rows, double cell, float *heights, const float *rise, const UpliftSpec *spec, int64_t steps);

#endif
