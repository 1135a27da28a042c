#include "runtime/random/stream.h"

uint32_t stream_name_hash(Str name) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < name.len; i++)
        hash = (hash ^ (unsigned char)name.ptr[i]) * 16777619u;
    return hash;
}

RtStream *stream_create(Rt *rt, uint32_t start, RtStreamKind kind) {
    RtStream *stream = arena_take(rt->arena, sizeof *stream);
    *stream = (RtStream){.head = {RT_STREAM, 1}, .state = start, .start = start, .kind = kind};
    return stream;
}
