/* The names that object code is linked with. They say what they mean, so that code from the cache
 * fits another process and another state of the program:
 *
 *     entry_fault      an entry of entry.def
 *     extern:NAME      a native function
 *     text:HASH        a text, by its content
 *     class:INDEX      a class
 *     func:NAME        a function's index
 *     spans:NAME       the spans of its instructions, in their order
 *     fn:8m:uvv:NAME   an out-of-line function, see variant.c
 *     kernel:fn:...    a kernel
 */
#ifndef WORLD_COMPILER_LLVM_NAMES_H
#define WORLD_COMPILER_LLVM_NAMES_H

#include "compiler/llvm/program.h"

typedef struct Names {
    EmitProgram *program;
    const JitEntry *entries;
    SymbolTable funcs; /* symbol - 1: a function's index */
} Names;

void names_init(Names *names, EmitProgram *program, const JitEntry *entries);
const IrFunc *names_func(Names *names, Str name); /* NULL: there is none */
/* The address (or number) a name stands for; 0: none, or the function of index 0. Not for "fn:" and
 * "kernel:". */
uint64_t names_resolve(Names *names, Str name);
/* "fn:8m:uvv:land.noise" back to the variant; NULL when it is no such name of this program. */
const Variant *names_variant(Names *names, Str name);

#endif
