/* What an executor needs besides the IR: where the module's externs, texts and classes live in this process. */
#ifndef WORLD_COMPILER_IR_BIND_H
#define WORLD_COMPILER_IR_BIND_H

#include "compiler/ir/ir.h"
#include "runtime/rt/part.h"
#include "runtime/rt/rt.h"

typedef struct IrBinding {
    const IrModule *module;           /* verified and analyzed; must not change while bound */
    const RtThunk *externs;           /* by extern index */
    RtText *const *texts;             /* by text index */
    const RtClass *const *classes;    /* by class index */
    RtCode *code;                     /* of a question: what closures of its own functions name; else NULL */
    int first;                        /* its own functions begin here */
} IrBinding;

#endif
