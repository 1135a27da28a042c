/* Libraries of ours that are loaded when something first wants them, so that nobody pays for them who does not, and everything
 * else works without them. No state is kept: the system's loader knows what is open already. */
#ifndef WORLD_BASE_MODULE_H
#define WORLD_BASE_MODULE_H

#include "runtime/base/str.h"

typedef struct Module {
    const char *file;     /* "libworld-jit.so" */
    const char *variable; /* of the environment: a path that goes before all others */
    const char *folder;   /* from that of this library or program, where a build that is not installed has it: "../llvm" */
} Module;

/* `path`, or what the variable says; else beside this library or program, else in `folder`, else the installed place, else by
 * the system's own search. NULL with the loader's sentence. It stays open as long as the process. */
void *module_open(const Module *module, const char *path, Arena *arena, const char **reason);
/* Where the program that runs lies, with its slash; "./" when nobody knows. */
void module_program_folder(char *out, size_t size);

#endif
