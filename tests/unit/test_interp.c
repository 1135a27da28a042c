/* The interpreter against itself: a batch gives, element by element, what single elements give,
 * faults included, whatever the width of the batch and whichever arguments are uniform; and both
 * kernel sets agree with eval.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "compiler/interp/interp.h"
#include "compiler/interp/kernel.h"
#include "compiler/ir/eval.h"
#include "tests/support/irgen.h"
#include "tests/support/irrun.h"

static void test_batch_is_elements(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        IrRun run;
        irrun_init(&run);
        IrGenProgram *program = irgen_create(
            &run.arena,
            (IrGenOptions){.seed = seed, .size = 10 + (int)(seed % 60), .batchable = true});
        Str error = {0};
        if (!ir_verify(program->module, &run.arena, &error))
            fail_msg("%llu: %s", (unsigned long long)seed, error.ptr);
        Interp *interp = interp_create(&run.memory, irgen_binding(program), NULL, NULL);
        irrun_bind(&run, interp);
        for (int func = 0; func < program->module->funcs.count; func++) {
            int n = 4 + (int)(irgen_hash(seed, (uint64_t)func) % 600);
            uint64_t uniform = irgen_hash(seed, 77) & irgen_hash(seed, 78);
            IrAnswer single = irrun_elements(&run, program, func, n, uniform, seed);
            IrAnswer batch = irrun_batch(&run, program, func, n, uniform, seed);
            irrun_expect_same(program, func, &single, &batch, seed);
        }
        interp_destroy(interp);
        irrun_fini(&run);
    }
}

static void test_printed_is_read(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        IrRun run;
        irrun_init(&run);
        IrGenProgram *program = irgen_create(&run.arena, (IrGenOptions){.seed = seed, .size = 40});
        StrBuf first = {.arena = &run.arena}, second = {.arena = &run.arena};
        Str error = {0};
        if (!ir_verify(program->module, &run.arena, &error))
            fail_msg("%llu: %s", (unsigned long long)seed, error.ptr);
        ir_print_module(&first, program->module);
        IrModule *again = ir_read_module(&run.arena, strbuf_take(&first), &error);
        if (again == NULL) fail_msg("%llu: %s\n%s", (unsigned long long)seed, error.ptr, first.ptr);
        ir_print_module(&second, again);
        assert_string_equal(first.ptr, second.ptr);
        if (!ir_verify(again, &run.arena, &error)) fail_msg("%s", error.ptr);
        irrun_fini(&run);
    }
}

/* The widest kernels that this processor runs. */
static const KernelSet *widest(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) return &kernels_avx2;
#endif
    return &kernels_plain;
}

static void test_kernels_agree(void **state) {
    (void)state;
    enum { N = 64 };
    Slot a[N], b[N], c[N], plain[N], wide[N], single[N];
    for (int op = 0; op < IR_OP_COUNT; op++) {
        Kernel one = kernels_plain.find((IrOp)op);
        if (one == NULL) continue;
        for (uint64_t round = 0; round < 200; round++) {
            const char *letters = ir_op_info((IrOp)op)->operands;
            int count = (int)strlen(letters);
            Slot *columns[] = {a, b, c};
            for (int k = 0; k < count; k++)
                for (int i = 0; i < N; i++)
                    columns[k][i] = irrun_number(
                        letters[k], irgen_hash(round, (uint64_t)(k * N + i + op * 1000)));
            for (int shape = 1; shape < 1 << count; shape++) {
                bool bad = one(plain, a, b, c, N, shape), any = false;
                assert_int_equal(widest()->find((IrOp)op)(wide, a, b, c, N, shape), bad);
                for (int i = 0; i < N; i++)
                    any |= one(&single[i], shape & 1 ? a + i : a, shape & 2 ? b + i : b,
                               shape & 4 ? c + i : c, 1, shape);
                assert_int_equal(any, bad);
                IrType type = IR_W;
                ir_type_of_letter(ir_op_info((IrOp)op)->results[0], &type);
                for (int i = 0; i < N; i++) {
                    if (!irgen_same(type, plain[i], wide[i]) ||
                        !irgen_same(type, plain[i], single[i]))
                        fail_msg("%s: lane %d, shape %d", ir_op_info((IrOp)op)->text, i, shape);
                }
            }
        }
    }
}

/* -- the kernels by eval.h, where their short ways end -- */

enum { EDGES = 512 };

typedef struct Edges {
    Slot items[EDGES];
    int count;
} Edges;

static void add_edge(Edges *edges, Slot value) {
    assert_true(edges->count < EDGES);
    edges->items[edges->count++] = value;
}

/* Powers of two and what lies about them, of either sign. */
static Edges edges_of(char letter) {
    static const int powers[] = {-1074, -1022, -30, -1, 0, 1, 31, 32, 33, 50, 51, 52, 53, 62, 63, 64, 1000, 1023};
    Edges edges = {.count = 0};
    for (int k = 0; letter != 'F' && k < 64; k += k < 48 && k > 3 ? 4 : 1)
        for (int64_t off = -1; off <= 1; off++) {
            int64_t value = (int64_t)((UINT64_C(1) << k) + (uint64_t)off);
            add_edge(&edges, letter == 'I' ? slot_i(value) : letter == 'W' ? slot_w((uint32_t)value) : slot_b(value & 1));
            if (letter == 'I') add_edge(&edges, slot_i((int64_t)(0 - (uint64_t)value)));
        }
    for (int k = 0; letter == 'F' && k < (int)(sizeof powers / sizeof *powers); k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double value = sign * eval_scale(1, powers[k]);
            const double near[] = {value, nextafter(value, 0), nextafter(value, 2 * value), value * 1.25, value - 0.5};
            for (int i = 0; i < 5; i++)
                add_edge(&edges, slot_f(near[i]));
        }
    for (int i = 0; letter == 'F' && i < 5; i++)
        add_edge(&edges, slot_f((double[]){0.0, -0.0, INFINITY, -INFINITY, NAN}[i]));
    return edges;
}

/* What eval.h says of an operation of one or two operands; false: it faults. */
static bool by_eval(IrOp op, Slot x, Slot y, Slot *out) {
#define EXPR1(NAME, R, X, expr)                                                                    \
    if (op == IR_##NAME) {                                                                         \
        __typeof__(x.X) a = x.X;                                                                   \
        out->R = (expr);                                                                           \
        return true;                                                                               \
    }
#define EXPR2(NAME, R, X, Y, expr)                                                                 \
    if (op == IR_##NAME) {                                                                         \
        __typeof__(x.X) a = x.X;                                                                   \
        __typeof__(y.Y) b = y.Y;                                                                   \
        out->R = (expr);                                                                           \
        return true;                                                                               \
    }
#define CHECK1(NAME, R, X, function, code)                                                         \
    if (op == IR_##NAME) return function(x.X, &out->R);
#define CHECK2(NAME, R, X, Y, function, code)                                                      \
    if (op == IR_##NAME) return function(x.X, y.Y, &out->R);
#include "compiler/ir/expr.def"
#undef EXPR1
#undef EXPR2
#undef CHECK1
#undef CHECK2
    return true;
}

/* One value against all: the column is a or b, the other one slot or a column of it. */
static void compare_column(const KernelSet *set, IrOp op, const Edges *column, Slot other, bool is_a, bool spread) {
    Slot others[EDGES], out[EDGES];
    IrType type = IR_W;
    bool any = false;
    for (int i = 0; i < column->count; i++)
        others[i] = other;
    int columns = spread ? KERNEL_A | KERNEL_B : is_a ? KERNEL_A : KERNEL_B;
    bool bad = set->find(op)(out, is_a ? column->items : others, is_a ? others : column->items, NULL, column->count,
                             columns);
    ir_type_of_letter(ir_op_info(op)->results[0], &type);
    for (int i = 0; i < column->count; i++) {
        Slot x = is_a ? column->items[i] : other, y = is_a ? other : column->items[i], want = {0};
        any |= !by_eval(op, x, y, &want);
        if (!irgen_same(type, out[i], want))
            fail_msg("%s of %llx and %llx is %llx, not %llx", ir_op_info(op)->text, (unsigned long long)x.w,
                     (unsigned long long)y.w, (unsigned long long)out[i].w, (unsigned long long)want.w);
    }
    assert_int_equal(bad, any);
}

static void test_kernels_are_eval(void **state) {
    (void)state;
    const KernelSet *sets[] = {&kernels_plain, widest()};
    for (int op = 0; op < IR_OP_COUNT; op++) {
        const char *letters = ir_op_info((IrOp)op)->operands;
        if (kernels_plain.find((IrOp)op) == NULL || op == IR_SELECT) continue;
        Edges a = edges_of(letters[0]), b = letters[1] ? edges_of(letters[1]) : (Edges){.count = 1};
        for (int s = 0; s < 2; s++)
            for (int spread = 0; spread < 2; spread++) {
                for (int i = 0; i < b.count; i++)
                    compare_column(sets[s], (IrOp)op, &a, b.items[i], true, spread && letters[1]);
                for (int i = 0; letters[1] && i < a.count; i++)
                    compare_column(sets[s], (IrOp)op, &b, a.items[i], false, spread);
            }
    }
}

/* A double whose exponent is near `exponent`, with few digits now and then. */
static double near_exponent(uint64_t bits, int exponent) {
    double digits = (double)(int64_t)(bits >> 11 | 1ull << 52) * 0x1p-52;
    if (bits & 1) digits = floor(digits * 64) / 64;
    return ldexp(bits & 2 ? -digits : digits, exponent + (int)(bits >> 2 & 7));
}

/* What a product loses, against the C library's fused multiply-add: where products over- and underflow too, and where what is
 * lost is below the least normal number. */
static void test_rest_is_fused(void **state) {
    (void)state;
    static const int exponents[] = {-1080, -1030, -1000, -540, -500, -480, -60, -1, 0, 480, 510, 980, 1000, 1020};
    enum { COUNT = sizeof exponents / sizeof *exponents, EACH = 400 };
    for (int i = 0; i < COUNT * COUNT * EACH; i++) {
        double a = near_exponent(irgen_hash(1, (uint64_t)i), exponents[i % COUNT]);
        double b = near_exponent(irgen_hash(2, (uint64_t)i), exponents[i / COUNT % COUNT]);
        if (i % 97 == 0) a = irgen_double(irgen_hash(3, (uint64_t)i));
        Slot ours = slot_f(eval_rest(a, b)), fused = slot_f(fma(a, b, -(a * b)));
        if (!irgen_same(IR_F, ours, fused)) fail_msg("rest of %a * %a: %a, not %a", a, b, ours.f, fused.f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printed_is_read),
        cmocka_unit_test(test_kernels_agree),
        cmocka_unit_test(test_kernels_are_eval),
        cmocka_unit_test(test_rest_is_fused),
        cmocka_unit_test(test_batch_is_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
