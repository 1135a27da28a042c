/* Noise and random numbers of mesh builders: hashes, not streams, so that a mesh draws nothing from
 * a world. */
#ifndef WORLD_MESH_NOISE_H
#define WORLD_MESH_NOISE_H

#include "runtime/geometry/vec3.h"

#include <stdint.h>

/* The index-th number of a seed, from 0 up to, not including, 1. */
double mesh_random(uint32_t seed, uint32_t index);
/* Value noise on the unit lattice, from -1 up to 1, smooth to its second derivative. */
double mesh_noise(Vec3 at, uint32_t seed);

#endif
