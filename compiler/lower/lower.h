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

typedef struct Lowering Lowering;
struct Lowering {
    IrModule *module;
    VEC(int) ir_index;      /* by TreeFn.index: IR function, or -1 (extern, intrinsic) */
    VEC(LoweredTree) trees; /* by function, then by value */
    /* Of a question: the program's, whose functions its own may call; then, from function `first` of the module on,
     * those that the question brought or is first to need. */
    const Lowering *base;
    int first;
    VEC(struct FnLowering *) added;
    int lowered; /* of them */
    const TreeFn *over; /* where the program became larger than IR_MOST; NULL: it did not */
};

/* Lowers a program's functions. `arena` holds the map and what the work needs; the IR itself lies
 * in the module's. */
void lower_program(Lowering *lowering, const TreeProgram *program, Arena *arena);

/* A module for a question: begins as the program's, which stays as it is. All of it lies in `arena`. */
Lowering lower_begin_question(const Lowering *base, Arena *arena);
/* The IR function of a TreeFn; of a question it is lowered now, with all it calls, unless the program has it. */
int lower_find(Lowering *lowering, const TreeProgram *program, const TreeFn *fn, Arena *arena);
/* The TreeFn of an IR function; NULL: none. */
const TreeFn *lower_tree_of(const Lowering *lowering, const TreeProgram *program, int func);

#endif
