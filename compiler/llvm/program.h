/* A program as machine code is made of it, without a word of LLVM: what is known of its functions, and in which shapes they are
 * compiled.
 */
#ifndef WORLD_COMPILER_LLVM_PROGRAM_H
#define WORLD_COMPILER_LLVM_PROGRAM_H

#include "compiler/llvm/jit.h"

enum {
    EMIT_WIDTH_MAX = 8,
    EMIT_UNIT_LIMIT = 10000, /* operations LLVM is given at once */
    EMIT_BLOCK_LIMIT = 1000, /* operations in one region; longer ones are cut up, see outline.c */
    EMIT_CHUNK = 250,
    EMIT_ZERO_SLOTS = 512,   /* and no operation gives more results */
    EMIT_STEP_WEIGHT = 2000, /* so heavy a function takes a step: no tree of calls runs unseen */
    EMIT_INLINE_WEIGHT = 40  /* a callee this small is always inlined */
};

/* What a function has inside, its callees included; see facts.c. */
typedef struct FuncFacts {
    bool known;
    bool masked;   /* has faults, reads or loops: a variant for lanes needs the mask */
    bool makes, loops; /* itself: makes lists, has loops */
    int size;      /* its own operations */
    uint64_t hash; /* of everything its machine code depends on, but spans */
} FuncFacts;

typedef struct Variant Variant;
struct Variant {
    const IrFunc *func;
    int width;
    bool masked;          /* takes a mask */
    bool *uniform_params; /* by parameter */
    bool *uniform;        /* by value */
    Str name;             /* "fn:8m:uvv:land.height" */
    Variant *next;        /* of the same function */
};

/* Kept a call to a module of its own? Small functions are inlined whatever they are marked. */
static inline bool emit_is_apart(const IrFunc *func) {
    return func->out_of_line && func->weight > EMIT_INLINE_WEIGHT;
}

/* Everything the emitter needs to know of a program; lives as long as the Jit. */
typedef struct EmitProgram {
    Arena *arena;
    IrBinding binding;
    FuncFacts *facts;   /* by function */
    Variant **variants; /* by function */
} EmitProgram;

/* A question's own function: closures of it name the question's code. */
static inline bool emit_is_own(const EmitProgram *program, int func) {
    return program->binding.code && func >= program->binding.first;
}

/* -- facts.c -- */
const FuncFacts *facts_of(EmitProgram *program, int func);
/* By which a kernel that was made elsewhere is known: of all that its code depends on. */
uint64_t facts_key(EmitProgram *program, int func, JitForm form);

/* -- variant.c -- */
/* The variant for these parameters, analyzed. `masked` asks for one that takes a mask, if it needs
 * one. */
const Variant *variant_get(EmitProgram *program, const IrFunc *func, int width,
                           const bool *uniform_params, bool masked);
static inline bool variant_result_uniform(const Variant *variant, int result) {
    return variant->uniform[variant->func->body.yields.items[result]];
}

#endif
