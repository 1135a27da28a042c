/* The random package's native part: making streams. What is drawn from them is the IR's `draw`. */
#include "runtime/random/stream.h"
#include "stdlib/stdlib_externs.h"

RtStream *random_randomStream(Rt *rt, uint32_t seed, uint32_t salt) {
    return stream_create(rt, stream_start(seed, salt), RT_STREAM_SHARED);
}
