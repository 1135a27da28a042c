/* The runtime as machine code calls it: compiler/llvm/entry.def, defined. */
#ifndef WORLD_COMPILER_EXEC_ENTRY_H
#define WORLD_COMPILER_EXEC_ENTRY_H

#include "compiler/llvm/jit.h"

/* Objects that were compiled ahead of time are linked with them by these names. */
#define A(type) , type
#define COPY(name, result, first, others)
#define ENTRY(name, result, first, others)                                                         \
    result name(first others) __asm__("worldrt_" #name) __attribute__((visibility("default")));
#include "compiler/llvm/entry.def"
#undef ENTRY
#undef A

extern const JitEntry entry_table[JIT_ENTRY_COUNT];

#endif
