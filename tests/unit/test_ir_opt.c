/* Every pass, and every level, keeps what random programs answer, faults included, and keeps them
 * verified. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "compiler/opt/opt.h"
#include "compiler/own/own.h"
#include "tests/support/irgen.h"
#include "tests/support/irrun.h"

enum { ELEMENTS = 40 };

static void expect_verified(const IrGenProgram *program, Arena *arena, uint64_t seed,
                            const char *after) {
    Str error = {0};
    if (ir_verify(program->module, arena, &error)) return;
    StrBuf text = {.arena = arena};
    ir_print_module(&text, program->module);
    fail_msg("seed %llu, after %s: %s\n%s", (unsigned long long)seed, after, error.ptr, text.ptr);
}

static IrAnswer *run_all(IrRun *run, const IrGenProgram *program, uint64_t seed, bool batch) {
    int count = program->module->funcs.count;
    IrAnswer *answers = ARENA_ARRAY(&run->arena, IrAnswer, count);
    Interp *interp = interp_create(&run->memory, irgen_binding(program), NULL, NULL);
    irrun_bind(run, interp);
    for (int func = 0; func < count; func++)
        answers[func] = batch ? irrun_batch(run, program, func, ELEMENTS, 0, seed)
                              : irrun_elements(run, program, func, ELEMENTS, 0, seed);
    interp_destroy(interp);
    return answers;
}

static void compare_all(const IrGenProgram *program, const IrAnswer *a, const IrAnswer *b,
                        uint64_t seed) {
    for (int func = 0; func < program->module->funcs.count; func++)
        irrun_expect_same(program, func, &a[func], &b[func], seed);
}

static IrGenOptions options_for(uint64_t seed) {
    return (IrGenOptions){.seed = seed, .size = 10 + (int)(seed % 50), .batchable = seed % 2 == 0};
}

static void test_each_pass_keeps_answers(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        IrRun run;
        irrun_init(&run);
        IrGenProgram *program = irgen_create(&run.arena, options_for(seed));
        IrAnswer *before = run_all(&run, program, seed, false);
        for (int k = 0; k < OPT_PASS_COUNT + 3; k++) {
            OptPass pass =
                (OptPass)((seed + (uint64_t)k * 3) % OPT_PASS_COUNT); /* in many orders */
            opt_run(program->module, &run.arena, &(OptPlan){.only = &pass});
            expect_verified(program, &run.arena, seed, opt_pass_name(pass));
            compare_all(program, before, run_all(&run, program, seed, false), seed);
        }
        irrun_fini(&run);
    }
}

static void test_levels_keep_answers(void **state) {
    (void)state;
    for (uint64_t seed = 1001; seed <= 1200; seed++) {
        for (int level = 0; level <= 3; level++) {
            IrRun run;
            irrun_init(&run);
            IrGenProgram *program = irgen_create(&run.arena, options_for(seed));
            IrAnswer *before = run_all(&run, program, seed, false);
            opt_run(program->module, &run.arena, &(OptPlan){.level = level});
            expect_verified(program, &run.arena, seed, "a level");
            compare_all(program, before, run_all(&run, program, seed, true), seed);
            irrun_fini(&run);
        }
    }
}

static int size_of(const IrModule *module) {
    int weight = 0;
    for (int i = 0; i < module->funcs.count; i++)
        weight += module->funcs.items[i]->weight;
    return weight;
}

static void test_cheap_passes_shrink(void **state) {
    (void)state;
    Memory memory;
    Arena arena;
    int before = 0, after = 0;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    for (uint64_t seed = 1; seed <= 50; seed++) {
        IrGenProgram *program = irgen_create(&arena, options_for(seed));
        before += size_of(program->module);
        opt_run(program->module, &arena, &(OptPlan){.level = 1});
        after += size_of(program->module);
    }
    assert_true(after * 4 < before * 3);
    arena_fini(&arena);
}

/* A list of two items, walked: no object, so many lanes at once. */
static void test_short_lists_run_in_lanes(void **state) {
    (void)state;
    static const char text[] = "func @sum(%0: F, %1: F) -> (F) {\n"
                               "  %2 = const.i 0\n"
                               "  %3 = const.i 2\n"
                               "  %4 = list.fill 0, 1, %3, %0\n"
                               "  %5: F = for %6 in %2, %3 carry (%7 = %1) {\n"
                               "    %8: F = list.get 0, 1, %4, %6\n"
                               "    %9 = add.f %7, %8\n"
                               "    yield %9\n"
                               "  }\n"
                               "  return %5\n"
                               "}\n";
    Memory memory;
    Arena arena;
    Str error;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    for (int level = 0; level <= 2; level += 2) {
        IrModule *module = ir_read_module(&arena, STR_LIT(text), &error);
        assert_non_null(module);
        opt_run(module, &arena, &(OptPlan){.level = level});
        assert_int_equal(module->funcs.items[0]->batchable, level == 2);
    }
    arena_fini(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_pass_keeps_answers),
        cmocka_unit_test(test_levels_keep_answers),
        cmocka_unit_test(test_cheap_passes_shrink),
        cmocka_unit_test(test_short_lists_run_in_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
