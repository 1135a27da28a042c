/* Random IR programs, the same for one seed: structured, verified, ending, and using every
 * operation that needs no world. For tests that run one program two ways and compare.
 */
#ifndef WORLD_TESTS_IRGEN_H
#define WORLD_TESTS_IRGEN_H

#include "compiler/ir/bind.h"

typedef struct IrGenOptions {
    uint64_t seed;
    int funcs;      /* 0: 4; later ones call earlier ones */
    int size;       /* instructions a function, about; 0: 30 */
    bool batchable; /* only what may run many lanes at once: no lists or closures made, no draws */
    bool sweeps;    /* loops of many rounds over lists too, which take their time */
    const uint8_t
        *bytes; /* NULL, or a fuzzer's: choices are taken from them instead of from the seed */
    size_t byte_count;
} IrGenOptions;

/* What an R parameter of a generated function is. */
typedef enum IrGenKind { IRGEN_NUMBER, IRGEN_LIST, IRGEN_GRID, IRGEN_STREAM, IRGEN_CLOSURE } IrGenKind;

typedef struct IrGenProgram {
    IrModule *module;  /* analyzed */
    IrGenKind **kinds; /* by function, by parameter */
    RtText **texts;    /* for the binding */
    int captures;      /* of the closures that functions are given: of function 0, without a stream */
} IrGenProgram;

IrGenProgram *irgen_create(Arena *arena, IrGenOptions options);
/* The externs of every generated module, in order. */
extern const RtThunk irgen_externs[];
IrBinding irgen_binding(const IrGenProgram *program);

/* Arguments of one element, the same for one seed. A stream starts anew at each call. */
void irgen_args(Rt *rt, const IrGenProgram *program, int func, uint64_t seed, Slot *args);

/* Numbers for tests: a hash of (seed, index), and a double that is often one of the awkward ones.
 */
uint64_t irgen_hash(uint64_t seed, uint64_t index);
double irgen_double(uint64_t bits);
int64_t irgen_int(uint64_t bits);

/* Whether two results are the same: to the bit, but any NaN equals any; texts and lists by what
 * they hold. */
bool irgen_same(IrType type, Slot a, Slot b);

#endif
