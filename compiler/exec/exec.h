/* Which executor runs a function: the interpreter always can; machine code is made for what is
 * asked often, when libworld-jit is there. Compiling costs what interpreting some ten thousand
 * elements does, loading code that an earlier run left in the cache costs nearly nothing. So,
 * counted in elements a function was asked for so far:
 *
 *                                    from the cache           compiled
 *     EXEC_BATCH or more at once     at once                  EXEC_WIDE_FROM
 *     fewer                          EXEC_BATCH               EXEC_SCALAR_FROM
 *     before, without the library, and for functions too large for LLVM: interpreted
 *
 * All executors give the same bits, so none of this is seen in a world.
 *
 * Threads: exec_run may be called from many, each with its own Rt. One compiles at a time; the
 * others interpret meanwhile.
 */
#ifndef WORLD_COMPILER_EXEC_EXEC_H
#define WORLD_COMPILER_EXEC_EXEC_H

#include "compiler/ir/bind.h"

enum { EXEC_BATCH = 64, EXEC_WIDE_FROM = 8192, EXEC_SCALAR_FROM = 2000 };

typedef struct Exec Exec;

typedef enum ExecMode {
    EXEC_AUTO,      /* as above */
    EXEC_INTERPRET, /* never machine code */
    EXEC_COMPILE    /* machine code at the first wish, whatever the count; for tests */
} ExecMode;

typedef struct ExecOptions {
    ExecMode mode;
    int level;               /* of optimization, 0..3 */
    int width;               /* lanes; 0: the processor's best */
    const char *processor;   /* NULL: the host's; else see JitOptions */
    const char *cache_dir;   /* NULL: no cache of machine code on disk */
    const char *jit_library; /* path of libworld-jit; NULL: looked for, see library.c */
} ExecOptions;

/* The binding must outlive the Exec. */
Exec *exec_create(Memory *memory, const ExecOptions *options, IrBinding binding);
void exec_destroy(Exec *exec);

/* Runs a function over any n elements: what RtHost.run does. Columns and `uniform` as in RtKernel.
 */
void exec_run(Exec *exec, Rt *rt, int func, int64_t n, uint64_t uniform, const Slot *const *in,
              Slot *const *out);

/* "interpreter", or what machine code is made for; and why it is not, when it was asked for in
 * vain. */
Str exec_describe(Exec *exec, Arena *arena);
/* Counts, and times in milliseconds, of machine code so far; zeros without it. */
typedef struct ExecStats {
    double emit_ms, optimize_ms, codegen_ms, load_ms;
    int compiled, from_cache, refused;
} ExecStats;
ExecStats exec_stats(Exec *exec);
/* LLVM IR (assembly: false) or assembly of a function; empty with *error when there is none. */
Str exec_dump(Exec *exec, int func, bool assembly, Arena *arena, Str *error);

/* The interpreter it falls back on: what questions add builds on its plans. */
struct Interp;
const struct Interp *exec_interp(const Exec *exec);

#endif
