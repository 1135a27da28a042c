/* Finding and opening libworld-jit. */
#ifndef WORLD_COMPILER_EXEC_LIBRARY_H
#define WORLD_COMPILER_EXEC_LIBRARY_H

#include "compiler/llvm/jit.h"

/* The library's table, or NULL with a text in `arena`. `path` NULL: $WORLD_JIT_LIBRARY, else beside
 * this library or program, else the installed place, else the system's own search. The library
 * stays open as long as the process: LLVM does not like to be unloaded. */
const JitApi *library_open(const char *path, Arena *arena, Str *error);
/* Whether it makes code, which takes memory and time, or has what was made elsewhere, as in a page (web/engine/code.c). */
bool library_compiles(void);

#endif
