/* Questions as things that end: each is a module of its own, which begins as the program's does and calls into it.
 *
 *     Compile, Program ── functions [0 .. first)                    stay as they are
 *          └─ Overlay ── text, trees, IR [first ..), plans          ends when nothing needs it
 *
 * A world keeps the newest few, so that what is asked again is not compiled again, and those that are held: by a
 * handle, or by the value of a field that was set to a function. The others go when the next operation begins.
 *
 * Threads: made and ended under the world's lock; run by anyone who holds it, or who reads a field that does.
 */
#ifndef WORLD_COMPILER_ENGINE_OPEN_OVERLAY_H
#define WORLD_COMPILER_ENGINE_OPEN_OVERLAY_H

#include "compiler/engine/open/open.h"

struct Overlay {
    RtCode code; /* what closures of its functions name; first, for that is how it is found again */
    World *world;
    Compile *compile; /* the program's */
    Arena arena;
    uint32_t file;   /* of its text, or 0 */
    Str text;        /* of a question; ptr NULL: of none, or of one with mistakes */
    const Type *wanted;
    const TreeFn *fn;
    Lowering lowering;
    IrBinding binding;
    Exec *exec; /* its functions' */
    Overlay *next; /* used longer ago */
};

/* A function that can be called: the program's (overlay NULL), or one of an overlay's module. */
typedef struct Callee {
    Overlay *overlay;
    int func;
} Callee;

/* Empty; an operation that fails half way leaves it to be swept. */
Overlay *overlay_create(World *world);
/* The question of that text that was asked before; NULL: none, or it ended. */
Overlay *overlay_find(World *world, Str text, const Type *wanted);
/* The function, lowered with all it calls that the program lacks; it runs after overlay_finish. */
int overlay_add(Overlay *overlay, const TreeFn *fn);
/* False after an error, which is reported. */
bool overlay_finish(Overlay *overlay);
/* Where a function of the checker's runs, in an overlay of its own if the program lacks it. False after an error. */
bool overlay_callee(World *world, const TreeFn *fn, Callee *callee);
void callee_run(Rt *rt, Callee callee, int64_t n, uint64_t uniform, const Slot *const *in, Slot *const *out);
/* The text of a function value, as checked; NULL when it is none of the world's. */
const TreeFn *overlay_closure_fn(const World *world, const RtClosure *closure);

/* Ends those that nobody holds, but for the newest. */
void overlays_sweep(World *world);
/* Ends all of a list. */
void overlays_destroy(Overlay *first);

#endif
