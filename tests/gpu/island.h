/* An island for the view's tests: the example's land, its sea, and woods, rocks and a house to
 * stand on it. */
#ifndef WORLD_TESTS_GPU_ISLAND_H
#define WORLD_TESTS_GPU_ISLAND_H

#include "runtime/base/memory.h"
#include "world/world.h"

/* points samples a side, `cell` meters apart, its middle at the origin; woods from so many tries,
 * of which a fourth stands. Everything lives in the arena. */
WorldScene island_scene(Arena *arena, int points, double cell, uint32_t tries);

/* A grid over `heights`; the scene holds nothing else. */
WorldScene island_bare(int columns, int rows, double cell, const float *heights);

#endif
