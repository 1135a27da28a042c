/* The machine-code executor: IR through LLVM 19 (LLVM-C, ORC LLJIT), in a library of its own,
 * libworld-jit.
 *
 * One emitter, any width: the body of a function is emitted for W lanes; W = 1 for one question, W
 * = 4 or 8 for rows of a grid and batches, with masks for `if` and `for`. A kernel wraps the body
 * in the loop over a chunk of elements. Functions marked out_of_line are kept calls, once per
 * width. Machine code is cached on disk by the hash of everything it depends on (IR, width, level,
 * processor, this build).
 *
 * libworld-jit exports one symbol, `world_jit_entry`; compiler/exec loads it when wanted and needs
 * no LLVM itself. It links its own copies of the base and IR rooms, which keep no state; the
 * runtime it calls through JitOptions.
 *
 * Threads: jit_kernel may be called from one thread at a time; kernels may run on many.
 */
#ifndef WORLD_COMPILER_LLVM_JIT_H
#define WORLD_COMPILER_LLVM_JIT_H

#include "compiler/ir/bind.h"

typedef struct Jit Jit;

/* The runtime functions of entry.def, in its order. */
typedef void (*JitEntry)(void);
typedef enum JitEntryName {
#define ENTRY(name, result, first, others) JIT_##name,
#include "compiler/llvm/entry.def"
#undef ENTRY
    JIT_ENTRY_COUNT
} JitEntryName;

/* Lanes of wide kernels that are made for WebAssembly: two vectors of two doubles. */
enum { JIT_WASM_LANES = 4 };

typedef struct JitOptions {
    int level;               /* optimization 0..3 */
    int width;               /* lanes of wide kernels: 1, 2, 4, 8; 0: the processor's best */
    const char *processor;   /* NULL: the host's; for tests an older one, "x86-64-v2" to "-v4" */
    const char *cache_dir;   /* NULL: no cache on disk */
    const JitEntry *entries; /* JIT_ENTRY_COUNT; must outlive the Jit */
} JitOptions;

typedef struct JitStats {
    double emit_ms, optimize_ms, codegen_ms, load_ms; /* load: linking, and reading the cache */
    int compiled, from_cache; /* modules: kernels and out-of-line functions */
} JitStats;

/* In which form a kernel is wanted. Wide: `width` lanes at a time (JitApi.width), only for
 * batchable functions; the kernel must be called with n >= width, the columns whose bit in
 * `uniform` is set must be uniform and no others. Else: element by element; serves every function,
 * any n and any uniform columns (`uniform` is ignored).
 */
typedef struct JitForm {
    bool wide;
    uint64_t uniform;
} JitForm;

/* What a pointer of an object's image leads to: a place in the image, or a kernel. */
typedef struct JitPointer {
    size_t at;   /* in the image, aligned; ascending */
    bool kernel;
    int64_t to;  /* a place in the image, or a function */
    JitForm form;
} JitPointer;

/* What an object file is made for. */
typedef struct JitMachine {
    int lanes;      /* of wide kernels; 0: nothing is made for it */
    size_t pointer; /* its bytes */
    bool wasm;
} JitMachine;

/* An object file: an image, which is data with pointers in it under an outward name, with the kernels that it points to and all
 * they call. What these need of texts and classes lies in the image; natives are `worldrt_native_` and their name, entries
 * `worldrt_` and theirs.
 * Without an image: a module of WebAssembly (module_file.h) of the kernels alone, each exported by its key (facts_key). What they need has
 * the names of names.h, which a page's engine defines. */
typedef struct JitObject {
    const char *triple;    /* NULL: the host's */
    const char *processor; /* NULL: the least that is compiled for; "native": the host's; else see JitOptions */
    const char *name;      /* of the image; NULL: there is none */
    Str image;
    const JitPointer *pointers;
    int pointer_count;
    const size_t *texts, *classes; /* where each lies in the image, by index */
} JitObject;

/* The table libworld-jit gives. Bump JIT_ABI when this, rt.h, part.h or ir.h changes. */
enum { JIT_ABI = 23 };

typedef struct JitApi {
    int abi;
    /* NULL with a text in *error (in `arena`) when it cannot start. The Jit allocates from
     * `memory`. */
    Jit *(*create)(Memory *memory, Arena *arena, const JitOptions *options, IrBinding binding,
                   Str *error);
    void (*destroy)(Jit *jit);
    int (*width)(const Jit *jit);
    /* The kernel of a function, compiled (with what it calls) on first wish; with `cached`, only if
     * its code lies in the cache. NULL with *error on failure, or when the function is over what
     * LLVM should be given (the caller then interprets). */
    RtKernel (*kernel)(Jit *jit, int func, JitForm form, bool cached, Arena *arena, Str *error);
    /* LLVM IR (as optimized) or assembly of a kernel as text. */
    Str (*dump)(Jit *jit, int func, JitForm form, bool assembly, Arena *arena, Str *error);
    /* What it compiles for: "znver5, 8 lanes, LLVM 19.1.7". */
    Str (*describe)(const Jit *jit, Arena *arena);
    JitStats (*stats)(const Jit *jit);
    /* How many lanes wide kernels of an object have; 0 with *error when nothing is compiled for its target. */
    JitMachine (*object_machine)(Jit *jit, const char *triple, const char *processor, Arena *arena, Str *error);
    /* The file's bytes, in `arena`; empty with *error. */
    Str (*object)(Jit *jit, const JitObject *wish, Arena *arena, Str *error);
} JitApi;

typedef const JitApi *(*JitEntryFn)(void);
const JitApi *world_jit_entry(void);

#endif
