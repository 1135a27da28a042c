/* An object file of many kernels, for linkers: JitObject, made. Where the session is told what a name stands for (names.h), here the
 * module itself says it: a text or class is a place in the image, a function its number, spans a table; what is left for the
 * linker are natives and entries. */
#ifndef WORLD_COMPILER_LLVM_OBJECT_FILE_H
#define WORLD_COMPILER_LLVM_OBJECT_FILE_H

#include "compiler/llvm/names.h"
#include "compiler/llvm/unit.h"

/* The shape of a kernel, by its pointer. */
typedef UnitShape (*ObjectShape)(void *user, const JitPointer *pointer);
/* Fills a fresh unit, optimized; false with an error in `arena`. */
bool object_file_build(Unit *unit, const JitObject *wish, const Target *target, Names *names, ObjectShape shape, void *user,
                       Memory *memory, Arena *arena, Str *error);

#endif
