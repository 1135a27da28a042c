/* Lowering: the checked tree to IR. The only place that knows both.
 *
 * Needs: a TreeProgram without errors. Gives: one IR function for each PLAIN TreeFn (same index
 * order is not promised: `ir_index` maps), one IR extern for each native one. Nothing is
 * optimized here.
 */
#ifndef WORLD_COMPILER_LOWER_LOWER_H
#define WORLD_COMPILER_LOWER_LOWER_H

#include "compiler/check/tree.h"
#include "compiler/ir/ir.h"

/* Where a comparison of numbers or the read of a field went: what the IR says of the value is
 * said of the tree. */
typedef struct LoweredTree {
    int func;      /* of the IR */
    IrValue value; /* the first result */
    const Tree *tree;
} LoweredTree;

typedef struct Lowering {
    IrModule *module;
    VEC(int) ir_index;      /* by TreeFn.index: IR function, or -1 (extern, intrinsic) */
    VEC(LoweredTree) trees; /* by function, then by value */
} Lowering;

/* Lowers what was not lowered yet (more functions may have been checked since). `arena` holds
 * the map and what the work needs; the IR itself lies in the module's. */
void lower_program(Lowering *lowering, const TreeProgram *program, Arena *arena);

#endif
