/* Baked lands: a height grid kept in a file, so that a land need not be worked out again.
 *
 *     "WORLDBK\n" version columns rows finer  cell x0 z0 outside  reference  key  heights...  hash
 *          8        u32     u32   u32   u32       4 doubles       40 bytes   u64  f32 each     u64
 *
 * Numbers are little-endian.
 *
 * `key` is the caller's hash of whatever the grid was made from: a bake is only good for that. The
 * last hash covers everything before it. A file that is not exactly what was asked for is refused,
 * with the reason; nothing in it is trusted before its hash is checked.
 */
#ifndef WORLD_FILE_BAKE_H
#define WORLD_FILE_BAKE_H

#include "runtime/rt/rt.h"

enum { BAKE_VERSION = 2 };

typedef enum BakeStatus {
    BAKE_OK,
    BAKE_MISSING,       /* there is no such file */
    BAKE_UNREADABLE,    /* the system refused to read it */
    BAKE_FOREIGN,       /* it is no baked land */
    BAKE_OTHER_VERSION, /* of another version of the format */
    BAKE_DAMAGED,       /* cut short or changed */
    BAKE_OTHER_SOURCE   /* baked from another text or seed */
} BakeStatus;

bool bake_write(Arena *arena, const char *path, const RtGrid *grid, uint64_t key, Str *error);

/* The grid lies in the arena; NULL unless BAKE_OK. `error` says what is wrong, and is empty for
 * MISSING. */
BakeStatus bake_read(Arena *arena, const char *path, uint64_t key, RtGrid **grid, Str *error);

#endif
