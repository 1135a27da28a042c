/* A kernel over any number of elements: in chunks of RT_CHUNK, with the columns as the kernel wants them. */
#ifndef WORLD_COMPILER_EXEC_CHUNKS_H
#define WORLD_COMPILER_EXEC_CHUNKS_H

#include "runtime/rt/rt.h"

typedef struct ChunkRun {
    RtKernel kernel;
    int params, results;
    int64_t least;    /* elements that the kernel takes at least; there are as many */
    uint64_t uniform; /* the columns that are */
    uint64_t known;   /* those that the kernel takes so: uniform ones besides are spread */
    const Slot *const *in;
    Slot *const *out;
} ChunkRun;

void chunks_run(Rt *rt, const ChunkRun *run, int64_t n);

#endif
