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
 * What is to be made has a price, by the values it works with: a function or loop that pulls much else in, or moves wide
 * records, must be asked for that many times as often to be compiled (a layout of a world interprets in tenths of a
 * second, and takes LLVM ten).
 *
 * EXEC_STEPS rounds of its loops (what rt_step counts) count as an element, so a function that loops long is compiled
 * for its next call. One that is called once and loops long inside is left in the middle: a loop that has taken
 * EXEC_LOOP_FROM steps is compiled as a function of its own and gone on with there from the round it is at, since a loop
 * from round i on is the same loop with another beginning and other carried values. Nothing is done twice, so faults,
 * steps and draws are what they would have been; and nothing is guessed from the text, so a loop that turns out short
 * costs no compiling (compiling whatever has a loop of unknown length would cost each world that looks through its
 * lists tens of milliseconds a function). A loop inside another waits four times as long, so that the nest is compiled.
 *
 * All executors give the same bits, so none of this is seen in a world.
 *
 * Threads: exec_run may be called from many, each with its own Rt. One compiles at a time; the
 * others interpret meanwhile.
 */
#ifndef WORLD_COMPILER_EXEC_EXEC_H
#define WORLD_COMPILER_EXEC_EXEC_H

#include "compiler/ir/bind.h"
#include "compiler/llvm/jit.h"

enum {
    EXEC_BATCH = 64,
    EXEC_WIDE_FROM = 8192,
    EXEC_SCALAR_FROM = 2000,
    EXEC_STEPS = 16, /* of loops, that are as much work as an element */
    EXEC_LOOP_FROM = EXEC_STEPS * EXEC_SCALAR_FROM,
    EXEC_REACH = 2500 /* values that a function and what it calls work with; with more, each of these numbers is as much higher */
};

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
/* For a question's module, which is another's with functions added: runs as `base` does, which must outlive it. */
Exec *exec_create_more(const Exec *base, IrBinding binding);
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
    Str reason; /* why something that would have been compiled was not; lives as long as its Exec */
} ExecStats;
ExecStats exec_stats(Exec *exec);
void exec_stats_add(ExecStats *all, ExecStats more);
/* LLVM IR (assembly: false) or assembly of a function; empty with *error when there is none. */
Str exec_dump(Exec *exec, int func, bool assembly, Arena *arena, Str *error);

/* An object file, as JitObject says; empty with *error. The machine it is for; no lanes with *error. */
Str exec_object(Exec *exec, const JitObject *wish, Arena *arena, Str *error);
JitMachine exec_object_machine(Exec *exec, const char *triple, const char *processor, Arena *arena, Str *error);

#endif
