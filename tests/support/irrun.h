/* Running generated programs on the interpreter, and comparing what two runs gave. */
#ifndef WORLD_TESTS_IRRUN_H
#define WORLD_TESTS_IRRUN_H

#include "compiler/interp/interp.h"
#include "tests/support/irgen.h"

typedef struct IrRun {
    Memory memory;
    Arena arena;
    Rt rt;
    const Interp *interp;
    int threads;
} IrRun;

typedef struct IrAnswer {
    int n;
    Slot **columns; /* by result */
    RtFault fault;
} IrAnswer;

void irrun_init(IrRun *run);
void irrun_fini(IrRun *run);
/* Closures that the program calls run on `interp`. */
void irrun_bind(IrRun *run, const Interp *interp);

/* n elements, whose arguments come from irgen_args; a parameter whose bit is set in `uniform` is
 * element 0's. */
IrAnswer irrun_elements(IrRun *run, const IrGenProgram *program, int func, int n, uint64_t uniform,
                        uint64_t seed);
IrAnswer irrun_batch(IrRun *run, const IrGenProgram *program, int func, int n, uint64_t uniform,
                     uint64_t seed);

/* Fails the test, with the function's text, unless both met the same fault, or none and gave the
 * same results. */
void irrun_expect_same(const IrGenProgram *program, int func, const IrAnswer *a, const IrAnswer *b,
                       uint64_t seed);

/* An operand of the type of that letter ("x": any bits). */
Slot irrun_number(char letter, uint64_t bits);

#endif
