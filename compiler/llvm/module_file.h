/* A WebAssembly object of position-independent code as a module that a page can instantiate: what a linker would do for one object
 * that nothing else is linked with.
 *
 * LLVM's object is nearly one: its indices are those of its own imports and functions, and what lies outside is imported already, a
 * function from `env` and the address of data from `GOT.mem`. So its functions with outward names are exported here, and its data, which
 * has no place yet, becomes the custom section `data`: who instantiates the module lays it where the global `__memory_base` says.
 */
#ifndef WORLD_COMPILER_LLVM_MODULE_FILE_H
#define WORLD_COMPILER_LLVM_MODULE_FILE_H

#include "runtime/base/str.h"

/* Empty with *error when the object is none of these. */
Str module_file(Str object, Arena *arena, Str *error);

#endif
