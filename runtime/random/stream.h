/* The random streams of construction, exact to the bit (document 1, "The stream, exactly").
 *
 * A stream is a 32-bit state that steps by a constant and is hashed: number k (from 1) is pcg_hash(start + k * step), so any
 * number can be computed directly (runtime/math/pcg.h).
 */
#ifndef WORLD_RANDOM_STREAM_H
#define WORLD_RANDOM_STREAM_H

#include "runtime/math/pcg.h"
#include "runtime/rt/rt.h"

static const uint32_t STREAM_STEP = 0x9E3779B9u;

/* The state a stream of that seed and salt starts from. */
static inline uint32_t stream_start(uint32_t seed, uint32_t salt) {
    return pcg_hash(seed ^ salt * 0x85ebca6bu);
}

/* Number k of the stream that started at `start`, k from 1. */
static inline uint32_t stream_number(uint32_t start, uint64_t k) {
    return pcg_hash(start + (uint32_t)k * STREAM_STEP);
}

static inline uint32_t stream_next(RtStream *stream) {
    stream->state += STREAM_STEP;
    stream->drawn++;
    return pcg_hash(stream->state);
}

/* The top 24 bits as a fraction, 0 up to, not including, 1. */
static inline double stream_unit(uint32_t h) {
    return (double)(h >> 8) * 0x1p-24;
}

/* FNV-1a (32 bits) of a name's UTF-8 bytes: how names become part of a seed. */
uint32_t stream_name_hash(Str name);

RtStream *stream_create(Rt *rt, uint32_t start, RtStreamKind kind);

#endif
