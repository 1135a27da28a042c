/* The one-round output hash of O'Neill's PCG (2014) as Jarzynski and Olano recommend it for graphics ("Hash Functions for GPU
 * Rendering", JCGT 9(3), 2020): what every random number of a world is made of.
 */
#ifndef WORLD_MATH_PCG_H
#define WORLD_MATH_PCG_H

#include <stdint.h>

static inline uint32_t pcg_hash(uint32_t v) {
    uint32_t s = v * 747796405u + 2891336453u;
    uint32_t w = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u;
    return (w >> 22) ^ w;
}

#endif
