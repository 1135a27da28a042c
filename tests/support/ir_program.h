/* A program written as IR text, bound and run by an Exec: for tests of the executors. */
#ifndef WORLD_TESTS_SUPPORT_IR_PROGRAM_H
#define WORLD_TESTS_SUPPORT_IR_PROGRAM_H

#include "compiler/exec/exec.h"

typedef struct IrProgram {
    Memory memory;
    Arena arena;
    IrBinding binding;
    Exec *exec; /* the one that runs and that closures and cells ask */
    Rt rt;
} IrProgram;

/* Fails the test when the text is no module. Classes and externs may be put in `binding`
 * afterwards. */
void ir_program_init(IrProgram *program, Str text);
void ir_program_fini(IrProgram *program); /* also checks that all memory was given back */
/* Takes the place of the Exec before. */
void ir_program_exec(IrProgram *program, ExecOptions options);
int ir_program_func(const IrProgram *program, const char *name);
/* Runs over n elements with a cleared fault. */
void ir_program_run(IrProgram *program, int func, int64_t n, uint64_t uniform,
                    const Slot *const *in, Slot *const *out);

#endif
