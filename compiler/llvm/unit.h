/* An LLVM module from its making to its end, and the memory that LLVM takes for it. */
#ifndef WORLD_COMPILER_LLVM_UNIT_H
#define WORLD_COMPILER_LLVM_UNIT_H

#include "compiler/llvm/emit.h"
#include "compiler/llvm/target.h"

void unit_init(Unit *unit, EmitProgram *program, const Target *target, Arena *arena);
void unit_fini(Unit *unit, Memory *memory);
/* What LLVM will take at most to optimize and generate the module, counted until it is gone. */
bool unit_hold(Unit *unit, Memory *memory, Str *error);

#endif
