/* Operations on plain numbers worked out where their operands are known: for the constant folder and for settling. */
#ifndef WORLD_COMPILER_IR_EVALUATE_H
#define WORLD_COMPILER_IR_EVALUATE_H

#include "compiler/ir/ir.h"
#include "runtime/rt/rt.h"

/* False: the operation is none of expr.def, or faults on these. */
bool ir_evaluate(IrOp op, const Slot *args, Slot *out);

#endif
