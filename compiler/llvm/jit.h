/* The machine-code executor: IR through LLVM 19 (LLVM-C, ORC LLJIT), in a library of its own, libworld-jit.
 *
 * One emitter, any width: the body of a function is emitted for W lanes; W = 1 for one question, W = 4 or 8 for rows
 * of a grid and batches, with masks for `if` and `for`. A kernel wraps the body in the loop over a chunk of elements.
 * Functions marked out_of_line are kept calls, once per width. Machine code is cached on disk by the hash of
 * everything it depends on (IR, width, level, processor, this build).
 *
 * libworld-jit exports one symbol, `world_jit_entry`; compiler/exec loads it when wanted and needs no LLVM itself.
 *
 * Threads: jit_kernel may be called from one thread at a time; kernels may run on many.
 */
#ifndef WORLD_COMPILER_LLVM_JIT_H
#define WORLD_COMPILER_LLVM_JIT_H

#include "compiler/ir/bind.h"

typedef struct Jit Jit;

typedef struct JitOptions {
    int level;             /* optimization 0..3 */
    int width;             /* lanes for batchable functions: 1, 2, 4, 8; 0: the processor's best */
    const char *cache_dir; /* NULL: no cache on disk */
    const char *dump;      /* NULL, or "llvm" / "asm": jit_dump may then be asked */
} JitOptions;

typedef struct JitStats {
    double emit_ms, optimize_ms, codegen_ms;
    int compiled, from_cache;
} JitStats;

/* The table libworld-jit gives. Bump JIT_ABI when anything here, in rt.h, part.h or ir.h changes. */
enum { JIT_ABI = 1 };

typedef struct JitApi {
    int abi;
    /* NULL with a text in *error (static or owned by the Memory's caller arena) when it cannot start. */
    Jit *(*create)(Memory *memory, Arena *arena, const JitOptions *options, IrBinding binding, Str *error);
    void (*destroy)(Jit *jit);
    /* The kernel of a function, compiled (with what it calls) on first wish. NULL with *error on failure, or
     * when the function is over what LLVM should be given (the caller then interprets). */
    RtKernel (*kernel)(Jit *jit, int func, Arena *arena, Str *error);
    /* LLVM IR or assembly of a function as text. */
    Str (*dump)(Jit *jit, int func, bool assembly, Arena *arena, Str *error);
    JitStats (*stats)(const Jit *jit);
} JitApi;

typedef const JitApi *(*JitEntryFn)(void);

#endif
