/* Object code on disk, one file a module, named by its key. A file that is not whole, of another
 * version or of another key is as good as none. What it holds is trusted to be what this build
 * wrote: the key covers the build.
 */
#ifndef WORLD_COMPILER_LLVM_CACHE_H
#define WORLD_COMPILER_LLVM_CACHE_H

#include "runtime/base/str.h"

/* What a module needs besides its code: the names it was linked with, each ended by a NUL. */
typedef struct CacheEntry {
    Str names, object;
} CacheEntry;

/* False when there is no good file. The texts lie in `arena`. */
bool cache_read(const char *dir, uint64_t key, Arena *arena, CacheEntry *entry);
/* Written beside its place and renamed; a failure is silent, the next run compiles again. */
void cache_write(const char *dir, uint64_t key, Arena *arena, CacheEntry entry);
/* A number that is another for every build of this library. */
uint64_t cache_build_id(void);

#endif
