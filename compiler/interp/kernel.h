/* Kernels: one operation on numbers over a run of lanes. The file kernel.c is compiled once for any
 * processor and once for AVX2; both give the same bits, and interp_create picks.
 */
#ifndef WORLD_COMPILER_INTERP_KERNEL_H
#define WORLD_COMPILER_INTERP_KERNEL_H

#include "compiler/ir/ir.h"
#include "runtime/rt/rt.h"

enum {
    KERNEL_A = 1,
    KERNEL_B = 2,
    KERNEL_C = 4
}; /* operands that are columns; the others are one slot */

/* out[i] = op(a, b, c) for i < n. `out` may be one of the operands. Answers whether a lane, on or
 * off, faults. */
typedef bool (*Kernel)(Slot *out, const Slot *a, const Slot *b, const Slot *c, int n, int columns);

/* Two operations in one pass: rows of fused.def, by number. */
typedef enum Fusion {
#define FUSED(FIRST, SECOND, side, R, X, Y, Z, expr) FUSION_##FIRST##_##SECOND##_##side,
#include "compiler/interp/fused.def"
#undef FUSED
    FUSION_COUNT
} Fusion;

typedef struct KernelSet {
    Kernel (*find)(IrOp op); /* NULL: an op that has no kernel */
    const Kernel *fused;     /* by Fusion */
    /* out = outer and (b, or not b); outer NULL means all. Answers how many lanes are on. */
    int (*mask)(Slot *out, const Slot *outer, const Slot *b, int n, bool negate);
    void (*fill)(Slot *out, Slot value, int n);
} KernelSet;

extern const KernelSet kernels_plain;
extern const KernelSet kernels_avx2;

#endif
