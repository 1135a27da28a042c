/* The processor that code is made for, and the way from an LLVM module to object code for it. */
#ifndef WORLD_COMPILER_LLVM_TARGET_H
#define WORLD_COMPILER_LLVM_TARGET_H

#include <llvm-c/TargetMachine.h>

#include "runtime/base/str.h"

/* What the processor has an instruction for. */
typedef struct TargetAbility {
    bool ints_by_lane; /* doubles made 64-bit ints, all lanes at once */
    bool fused;        /* a * b + c, rounded once */
    size_t pointer;    /* its bytes */
} TargetAbility;

typedef struct Target {
    LLVMTargetMachineRef machine;
    char *triple, *cpu, *features, *layout; /* LLVM's texts */
    int level;
    int lanes; /* the best width */
    TargetAbility can;
} Target;

/* For the host, or an older `processor` it can stand for. False with a text when that cannot be
 * compiled for exactly. */
bool target_init(Target *target, int level, const char *processor, Arena *arena, Str *error);
/* For an object file: a triple (NULL: the host's) and one of the processors of JitObject. */
bool target_init_object(Target *target, int level, const char *triple, const char *processor, Arena *arena, Str *error);
bool target_is_wasm(const Target *target);
void target_fini(Target *target);
/* Names the target in a fresh module. */
void target_prepare(const Target *target, LLVMModuleRef module);
/* Runs the level's passes. False with a text in `arena`. */
/* `vectors`: there are loops that LLVM may make into ones of vectors. */
bool target_optimize(const Target *target, LLVMModuleRef module, bool vectors, Arena *arena, Str *error);
/* Object code or assembly; NULL with a text in `arena`. */
LLVMMemoryBufferRef target_generate(const Target *target, LLVMModuleRef module, bool assembly,
                                    Arena *arena, Str *error);

#endif
