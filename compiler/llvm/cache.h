/* Object code on disk, one file a module, named by its key. A file that is not whole, of another
 * version or of another key is as good as none.
 *
 * What an entry holds is run, so this is what is trusted: whoever could write it. The folder must be
 * ours, a folder and no link, and writable by nobody else; so must each entry, a plain file, which is
 * opened without following links and without waiting. The folder is made with mode 0700. Its hash
 * tells a damaged entry, not a malicious one: root, and who acts as this user, can put any code
 * there, as they could into this program. The folders above are as safe as the user keeps them.
 *
 * Now and then the folder is pruned: of what was not used for 30 days, then, the longest unused
 * first, of what is over 256 MiB.
 */
#ifndef WORLD_COMPILER_LLVM_CACHE_H
#define WORLD_COMPILER_LLVM_CACHE_H

#include "runtime/base/str.h"

enum { CACHE_NAME = 32 }; /* of an entry, with its end */

/* What a module needs besides its code: the names it was linked with, each ended by a NUL. */
typedef struct CacheEntry {
    Str names, object;
} CacheEntry;

/* False when there is no good file. The texts lie in `arena`. */
bool cache_read(const char *dir, uint64_t key, Arena *arena, CacheEntry *entry);
/* A failure is silent, the next run compiles again. */
void cache_write(const char *dir, uint64_t key, CacheEntry entry);
/* cache_prune.c: of an open folder. */
void cache_prune(int folder, uint64_t most_bytes, int64_t most_seconds);
/* A number that is another for every build of this library. */
uint64_t cache_build_id(void);

#endif
