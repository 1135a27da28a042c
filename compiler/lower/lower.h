/* Lowering: the checked tree to IR. The only place that knows both.
 *
 * Needs: a TreeProgram without errors. Gives: one IR function for each PLAIN TreeFn (same index order is not
 * promised: `ir_index` maps), one IR extern for each native one. Nothing is optimized here.
 */
#ifndef WORLD_COMPILER_LOWER_LOWER_H
#define WORLD_COMPILER_LOWER_LOWER_H

#include "compiler/check/tree.h"
#include "compiler/ir/ir.h"

typedef struct Lowering {
    IrModule *module;
    VEC(int) ir_index; /* by TreeFn.index: IR function, or -1 (extern, intrinsic) */
} Lowering;

/* Lowers what was not lowered yet (more functions may have been checked since). `arena` holds the map and what the
 * work needs; the IR itself lies in the module's. */
void lower_program(Lowering *lowering, const TreeProgram *program, Arena *arena);

#endif
