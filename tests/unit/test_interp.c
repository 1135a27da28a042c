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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printed_is_read),
        cmocka_unit_test(test_kernels_agree),
        cmocka_unit_test(test_batch_is_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
