/* Own: who holds which object, worked out when the world compiles.
 *
 * Values of the language are values, and yet a list is changed in place: the executors change an object whose only
 * holder is the instruction that takes it, and copy it otherwise. This room puts the counting in, by last uses:
 *
 *     %2 = list.append %1, ..   takes %1.       Used later as well: `retain %1` stands before it.
 *     %3 = list.length %2       only looks.     The last use of %2: `release %2` stands behind it.
 *
 * A value is OWNED (somebody counted us as a holder: what is made, what a call answers, what a region yields, a
 * parameter that the function takes) or BORROWED (a parameter it does not take, what a cell or the program holds).
 * Taking a BORROWED value, or an OWNED one that is used again, costs a retain; taking an OWNED one for the last time
 * is free. An item that is only looked at while its list stands still is borrowed from the list.
 *
 * After Reinking, Xie, de Moura and Leijen, "Perceus: Garbage Free Reference Counting with Reuse" (2021), on regions
 * instead of terms; which parameters are taken follows Ullrich and de Moura, "Counting Immutable Beans" (2019), in
 * that whoever would have to retain one takes it. Cells, texts of the program and parts are not counted at all
 * (rt.h: holders 0), so threads share no counter unless a loop over many threads is running.
 */
#ifndef WORLD_COMPILER_OWN_OWN_H
#define WORLD_COMPILER_OWN_OWN_H

#include "compiler/ir/ir.h"

/* Needs: a verified module with its facts (ir_analyze). Gives: `counted` and `takes` of every function from `first`
 * on; one in which something is counted runs no lanes (`batchable` goes). May change: nothing of a body, whose
 * instructions the counted region shares. Must be run before a module is bound, and last. */
void own_count(IrModule *module, int first);
/* Before bodies are changed: what was counted for the old ones goes. */
void own_forget(IrModule *module, int first);

#endif
