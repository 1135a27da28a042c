/* The loops over lanes, expanded from expr.def. Nothing branches on a lane; every loop is one the
 * compiler turns into vector code. KERNEL_SET names the set this compilation gives.
 */
#include "compiler/interp/kernel.h"

#include "compiler/ir/eval.h"

/* Runs `body` for every lane, with the operands that are one slot held in registers. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* some have no vector form */
#define APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define APART _Pragma("GCC ivdep")
#endif
#define LANES APART for (int i = 0; i < n; i++)

#define EXPR1(NAME, R, X, expr)                                                                    \
    static bool kernel_##NAME(Slot *out, const Slot *pa, const Slot *pb, const Slot *pc, int n,    \
                              int columns) {                                                       \
        (void)pb, (void)pc, (void)columns;                                                         \
        LANES {                                                                                    \
            __typeof__(pa->X) a = pa[i].X;                                                         \
            out[i].R = (expr);                                                                     \
        }                                                                                          \
        return false;                                                                              \
    }
#define EXPR2(NAME, R, X, Y, expr)                                                                 \
    static bool kernel_##NAME(Slot *out, const Slot *pa, const Slot *pb, const Slot *pc, int n,    \
                              int columns) {                                                       \
        (void)pc;                                                                                  \
        if (columns == (KERNEL_A | KERNEL_B)) {                                                    \
            LANES {                                                                                \
                __typeof__(pa->X) a = pa[i].X;                                                     \
                __typeof__(pb->Y) b = pb[i].Y;                                                     \
                out[i].R = (expr);                                                                 \
            }                                                                                      \
        } else if (columns == KERNEL_A) {                                                          \
            __typeof__(pb->Y) b = pb->Y;                                                           \
            LANES {                                                                                \
                __typeof__(pa->X) a = pa[i].X;                                                     \
                out[i].R = (expr);                                                                 \
            }                                                                                      \
        } else {                                                                                   \
            __typeof__(pa->X) a = pa->X;                                                           \
            LANES {                                                                                \
                __typeof__(pb->Y) b = pb[i].Y;                                                     \
                out[i].R = (expr);                                                                 \
            }                                                                                      \
        }                                                                                          \
        return false;                                                                              \
    }
#define CHECK1(NAME, R, X, function, fault)                                                        \
    static bool kernel_##NAME(Slot *out, const Slot *pa, const Slot *pb, const Slot *pc, int n,    \
                              int columns) {                                                       \
        bool good = true;                                                                          \
        (void)pb, (void)pc, (void)columns;                                                         \
        LANES good &= function(pa[i].X, &out[i].R);                                                \
        return !good;                                                                              \
    }
#define CHECK2(NAME, R, X, Y, function, fault)                                                     \
    static bool kernel_##NAME(Slot *out, const Slot *pa, const Slot *pb, const Slot *pc, int n,    \
                              int columns) {                                                       \
        int step_a = columns & KERNEL_A ? 1 : 0, step_b = columns & KERNEL_B ? 1 : 0;              \
        bool good = true;                                                                          \
        (void)pc;                                                                                  \
        for (int i = 0; i < n; i++)                                                                \
            good &= function(pa[i * step_a].X, pb[i * step_b].Y, &out[i].R);                       \
        return !good;                                                                              \
    }
#include "compiler/ir/expr.def"
#undef EXPR1
#undef EXPR2
#undef CHECK1
#undef CHECK2

/* add and sub overflow when the result's sign differs from both operands' (of sub: from a's and
 * from -b's). */
static bool kernel_fast_ADD_I(Slot *out, const Slot *pa, const Slot *pb, const Slot *pc, int n,
                              int columns) {
    uint64_t over = 0;
    if (columns != (KERNEL_A | KERNEL_B)) { /* addition commutes: let b be the one slot */
        const Slot *column = columns == KERNEL_A ? pa : pb;
        uint64_t b = (columns == KERNEL_A ? pb : pa)->w;
        LANES {
            uint64_t a = column[i].w, sum = a + b, bad = ((a ^ sum) & (b ^ sum)) >> 63;
            out[i].w = sum & (bad - 1);
            over |= bad;
        }
        return over != 0;
    }
    (void)pc;
    LANES {
        uint64_t a = pa[i].w, b = pb[i].w, sum = a + b, bad = ((a ^ sum) & (b ^ sum)) >> 63;
        out[i].w = sum & (bad - 1);
        over |= bad;
    }
    return over != 0;
}

/* Sums, differences and products of u32 whose upper halves are zero, by halves: those of the upper ones are zero too, and
 * nothing need be masked. */
typedef uint32_t __attribute__((may_alias)) Half;

#define HALVES(NAME, OPERATOR)                                                                     \
    static bool kernel_fast_##NAME(Slot *out, const Slot *pa, const Slot *pb, const Slot *pc,      \
                                   int n, int columns) {                                           \
        Half *to = (Half *)out;                                                                    \
        const Half *ha = (const Half *)pa, *hb = (const Half *)pb;                                 \
        if (columns != (KERNEL_A | KERNEL_B)) return kernel_##NAME(out, pa, pb, pc, n, columns);   \
        n *= 2;                                                                                    \
        LANES to[i] = ha[i] OPERATOR hb[i];                                                        \
        return false;                                                                              \
    }
HALVES(ADD_W, +)
HALVES(SUB_W, -)

static bool kernel_fast_MUL_W(Slot *out, const Slot *pa, const Slot *pb, const Slot *pc, int n,
                              int columns) {
    Half *to = (Half *)out;
    const Half *ha = (const Half *)pa, *hb = (const Half *)pb;
    (void)pc;
    if (columns == KERNEL_B) ha = (const Half *)pb, hb = (const Half *)pa;
    n *= 2;
    if (columns == (KERNEL_A | KERNEL_B)) {
        LANES to[i] = ha[i] * hb[i];
    } else {
        uint32_t b = (uint32_t)(columns == KERNEL_A ? pb : pa)->w;
        LANES to[i] = ha[i] * b;
    }
    return false;
}

/* A whole number below 2^51, in the low bits of a double between 2^52 and 2^53, and back: what AVX2 has no
 * instruction for. */
static const Slot anchor = {.f = 0x1.8p52};

static bool kernel_fast_W_TO_F(Slot *out, const Slot *pa, const Slot *pb, const Slot *pc, int n,
                               int columns) {
    (void)pb, (void)pc, (void)columns;
    LANES {
        Slot sum = {.w = pa[i].w + anchor.w};
        out[i].f = sum.f - anchor.f;
    }
    return false;
}

static bool kernel_fast_I_TO_F(Slot *out, const Slot *pa, const Slot *pb, const Slot *pc, int n,
                               int columns) {
    uint64_t large = 0;
    LANES large |= (pa[i].w + (1ull << 51)) >> 52;
    return large ? kernel_I_TO_F(out, pa, pb, pc, n, columns)
                 : kernel_fast_W_TO_F(out, pa, pb, pc, n, columns);
}

static bool kernel_fast_F_TO_I(Slot *out, const Slot *pa, const Slot *pb, const Slot *pc, int n,
                               int columns) {
    const Slot limit = {.f = 0x1p51};
    uint64_t below = UINT64_MAX; /* its top bit stays while all magnitudes, as bits, are below the limit's */
    LANES {
        double whole = floor(pa[i].f);
        Slot sum = {.f = whole + anchor.f}, size = {.f = fabs(whole)};
        out[i].w = sum.w - anchor.w;
        below &= size.w - limit.w;
    }
    return below >> 63 ? false : kernel_F_TO_I(out, pa, pb, pc, n, columns);
}

/* eval_scale with its division by three as a multiplication that a vector unit has. */
static inline double scale_fast(double a, int64_t b) {
    b = b > 2200 ? 2200 : b;
    b = b < -2200 ? -2200 : b;
    int64_t size = b < 0 ? -b : b;
    int64_t third = (int64_t)(((uint64_t)(uint32_t)size * 43691u) >> 17); /* exact below 2^16 */
    third = b < 0 ? -third : third;
    double power = eval_power_of_two(third);
    return a * power * power * eval_power_of_two(b - 2 * third);
}

static bool kernel_fast_SCALE_F(Slot *out, const Slot *pa, const Slot *pb, const Slot *pc, int n,
                                int columns) {
    int step_a = columns & KERNEL_A ? 1 : 0, step_b = columns & KERNEL_B ? 1 : 0;
    (void)pc;
    if (columns == (KERNEL_A | KERNEL_B)) {
        LANES out[i].f = scale_fast(pa[i].f, pb[i].i);
    } else {
        LANES out[i].f = scale_fast(pa[i * step_a].f, pb[i * step_b].i);
    }
    return false;
}

/* Worked out as if all were inside, and once more where some are not: a loop without a branch. */
static bool kernel_fast_REST_F(Slot *out, const Slot *pa, const Slot *pb, const Slot *pc, int n,
                               int columns) {
#if defined __FMA__ || defined __aarch64__
    return kernel_REST_F(out, pa, pb, pc, n, columns);
#else
    int step_a = columns & KERNEL_A ? 1 : 0, step_b = columns & KERNEL_B ? 1 : 0;
    bool inside = true;
    for (int i = 0; i < n; i++) {
        double a = pa[i * step_a].f, b = pb[i * step_b].f;
        inside &= eval_rest_is_inside(a, b, a * b);
    }
    if (!inside) return kernel_REST_F(out, pa, pb, pc, n, columns);
    LANES {
        double a = pa[i * step_a].f, b = pb[i * step_b].f;
        out[i].f = eval_rest_inside(a, b, a * b);
    }
    return false;
#endif
}

/* One loop for each way in which b and c may be given; a is a column when this is called with a
 * column at all. */
static bool kernel_select(Slot *out, const Slot *pa, const Slot *pb, const Slot *pc, int n,
                          int columns) {
    uint64_t b = pb->w, c = pc->w;
    if (!(columns & KERNEL_A)) {
        const Slot *chosen = pa->w ? pb : pc;
        if (columns & (pa->w ? KERNEL_B : KERNEL_C))
            memmove(out, chosen, sizeof *out * (size_t)n);
        else
            LANES out[i] = *chosen;
        return false;
    }
    switch (columns & (KERNEL_B | KERNEL_C)) {
    case KERNEL_B | KERNEL_C:
        LANES out[i].w = pa[i].w ? pb[i].w : pc[i].w;
        break;
    case KERNEL_B:
        LANES out[i].w = pa[i].w ? pb[i].w : c;
        break;
    case KERNEL_C:
        LANES out[i].w = pa[i].w ? b : pc[i].w;
        break;
    case 0:
        LANES out[i].w = pa[i].w ? b : c;
        break;
    }
    return false;
}

static int make_mask(Slot *out, const Slot *outer, const Slot *b, int n, bool negate) {
    uint64_t count = 0, turn = negate;
    if (outer == NULL) {
        LANES {
            uint64_t on = b[i].w ^ turn;
            out[i].w = on;
            count += on;
        }
        return (int)count;
    }
    LANES {
        uint64_t on = (b[i].w ^ turn) & outer[i].w;
        out[i].w = on;
        count += on;
    }
    return (int)count;
}

static void fill(Slot *out, Slot value, int n) {
    LANES out[i] = value;
}

/* -- two in one -- */

#define OPERAND(p, one, bit) (columns & (bit) ? p[i] : one)
#define FUSED(FIRST, SECOND, side, R, X, Y, Z, expr)                                               \
    static inline __attribute__((always_inline)) void lanes_##FIRST##_##SECOND##_##side(           \
        Slot *out, const Slot *pa, const Slot *pb, const Slot *pc, int n, const int columns) {     \
        const Slot one_a = *pa, one_b = *pb, one_c = *pc;                                          \
        LANES {                                                                                    \
            __typeof__(pa->X) a = OPERAND(pa, one_a, KERNEL_A).X;                                  \
            __typeof__(pb->Y) b = OPERAND(pb, one_b, KERNEL_B).Y;                                  \
            __typeof__(pc->Z) c = OPERAND(pc, one_c, KERNEL_C).Z;                                  \
            (void)b;                                                                               \
            out[i].R = (expr);                                                                     \
        }                                                                                          \
    }                                                                                              \
    static bool fused_##FIRST##_##SECOND##_##side(Slot *out, const Slot *pa, const Slot *pb,       \
                                                  const Slot *pc, int n, int columns) {            \
        WITH_COLUMNS(lanes_##FIRST##_##SECOND##_##side)                                            \
        return false;                                                                              \
    }
/* A loop for each way in which the operands may be given. */
#define WITH_COLUMNS(lanes)                                                                        \
    switch (columns) {                                                                             \
    case 1: lanes(out, pa, pb, pc, n, 1); break;                                                   \
    case 2: lanes(out, pa, pb, pc, n, 2); break;                                                   \
    case 3: lanes(out, pa, pb, pc, n, 3); break;                                                   \
    case 4: lanes(out, pa, pb, pc, n, 4); break;                                                   \
    case 5: lanes(out, pa, pb, pc, n, 5); break;                                                   \
    case 6: lanes(out, pa, pb, pc, n, 6); break;                                                   \
    default: lanes(out, pa, pb, pc, n, 7);                                                         \
    }
#include "compiler/interp/fused.def"
#undef FUSED

static const Kernel fused[FUSION_COUNT] = {
#define FUSED(FIRST, SECOND, side, R, X, Y, Z, expr) [FUSION_##FIRST##_##SECOND##_##side] = fused_##FIRST##_##SECOND##_##side,
#include "compiler/interp/fused.def"
#undef FUSED
};

static Kernel find_kernel(IrOp op) {
    if (op == IR_ADD_I) return kernel_fast_ADD_I;
    if (op == IR_ADD_W) return kernel_fast_ADD_W;
    if (op == IR_SUB_W) return kernel_fast_SUB_W;
    if (op == IR_MUL_W) return kernel_fast_MUL_W;
    if (op == IR_W_TO_F) return kernel_fast_W_TO_F;
    if (op == IR_I_TO_F) return kernel_fast_I_TO_F;
    if (op == IR_F_TO_I) return kernel_fast_F_TO_I;
    if (op == IR_SCALE_F) return kernel_fast_SCALE_F;
    if (op == IR_REST_F) return kernel_fast_REST_F;
    if (op == IR_SELECT) return kernel_select;
    static const Kernel table[IR_OP_COUNT] = {
#define EXPR1(NAME, R, X, expr) [IR_##NAME] = kernel_##NAME,
#define EXPR2(NAME, R, X, Y, expr) [IR_##NAME] = kernel_##NAME,
#define CHECK1(NAME, R, X, function, fault) [IR_##NAME] = kernel_##NAME,
#define CHECK2(NAME, R, X, Y, function, fault) [IR_##NAME] = kernel_##NAME,
#include "compiler/ir/expr.def"
#undef EXPR1
#undef EXPR2
#undef CHECK1
#undef CHECK2
    };
    return table[op];
}

const KernelSet KERNEL_SET = {find_kernel, fused, make_mask, fill};
