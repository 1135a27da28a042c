/* Things to stand on the test island, built of the runtime's shapes. */
#ifndef WORLD_TESTS_GPU_KIT_H
#define WORLD_TESTS_GPU_KIT_H

#include "runtime/mesh/shapes.h"

RtMesh *kit_pine(Arena *arena, double height, uint32_t seed);
RtMesh *kit_maple(Arena *arena, double height, uint32_t seed);
RtMesh *kit_rock(Arena *arena, uint32_t seed);
RtMesh *kit_fern(Arena *arena, uint32_t seed);
RtMesh *kit_lantern(Arena *arena);
RtMesh *kit_amphora(Arena *arena);
RtMesh *kit_cottage(Arena *arena);

#endif
