/* The runtime as machine code calls it: compiler/llvm/entry.def, defined. */
#ifndef WORLD_COMPILER_EXEC_ENTRY_H
#define WORLD_COMPILER_EXEC_ENTRY_H

#include "compiler/llvm/jit.h"

extern const JitEntry entry_table[JIT_ENTRY_COUNT];

#endif
