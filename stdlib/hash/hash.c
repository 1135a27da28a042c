/* The hash package's native part: the bytes of a text are not the language's to read. */
#include "runtime/random/stream.h"
#include "stdlib/stdlib_externs.h"

uint32_t hash_nameHash(Rt *rt, const RtText *name) {
    (void)rt;
    return stream_name_hash(name->text);
}
