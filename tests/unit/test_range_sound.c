/* The range analysis is right: random programs, run by the interpreter on arguments inside the
 * intervals they were analyzed for, answer inside the intervals found. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compiler/range/range.h"
#include "tests/support/irgen.h"
#include "tests/support/irrun.h"

enum { SAMPLES = 4 };

static Range point(IrType type, Slot slot) {
    if (type == IR_F) return range_float(slot.f);
    if (type == IR_R) return range_full(IR_R);
    return range_int(type == IR_I ? slot.i : (int64_t)slot.w);
}

/* Irrun_elements of one element begins its arguments' seed so. */
static uint64_t sample_seed(uint64_t seed, int sample) {
    return irgen_hash(seed, 1000 + (uint64_t)sample);
}

/* Intervals that hold all samples' arguments, as narrow as they can be but for some left open. */
static Range *intervals(IrRun *run, const IrGenProgram *program, int func, uint64_t seed) {
    const IrFunc *f = program->module->funcs.items[func];
    Range *args = ARENA_ARRAY(&run->arena, Range, f->params.count);
    Slot *row = ARENA_ARRAY(&run->arena, Slot, f->params.count);
    for (int s = 0; s < SAMPLES; s++) {
        irgen_args(&run->rt, program, func, irgen_hash(sample_seed(seed, s), 0), row);
        for (int i = 0; i < f->params.count; i++) {
            IrType type = f->types.items[f->params.items[i]];
            Range one = point(type, row[i]);
            args[i] = s ? range_join(type, args[i], one) : one;
            if (irgen_hash(seed, 50 + (uint64_t)i) % 4 == 0) args[i] = range_full(type);
        }
    }
    return args;
}

static bool holds(IrType type, Range range, Slot value) {
    if (type == IR_R) return true;
    if (type == IR_F)
        return value.f != value.f ? range.nan : range.lo <= value.f && value.f <= range.hi;
    int64_t number = type == IR_I ? value.i : (int64_t)value.w;
    return range.least <= number && number <= range.most;
}

static void fail_with(const IrGenProgram *program, int func, uint64_t seed, int result, Range range,
                      Slot value) {
    StrBuf text = {.arena = program->module->arena};
    for (int i = 0; i <= func; i++)
        ir_print_func(&text, program->module, program->module->funcs.items[i]);
    fail_msg("seed %llu, f%d, result %d: %a (%lld) is not in %a .. %a (%lld .. %lld)%s\n%s",
             (unsigned long long)seed, func, result, value.f, (long long)value.i, range.lo,
             range.hi, (long long)range.least, (long long)range.most, range.nan ? " or NaN" : "",
             text.ptr);
}

/* How many samples were compared: those without a fault, or all. */
static int check_func(IrRun *run, const IrGenProgram *program, Ranges *ranges, bool all, int func,
                      uint64_t seed) {
    const IrFunc *f = program->module->funcs.items[func];
    const Range *results = ranges_enter(ranges, func, intervals(run, program, func, seed));
    int compared = 0;
    for (int s = 0; s < SAMPLES; s++) {
        IrAnswer answer = irrun_elements(run, program, func, 1, 0, sample_seed(seed, s));
        if (answer.fault.code && !all) continue;
        compared++;
        for (int i = 0; i < f->results.count; i++)
            if (!holds(f->results.items[i], results[i], answer.columns[i][0]))
                fail_with(program, func, seed, i, results[i], answer.columns[i][0]);
    }
    return compared;
}

/* `alone`: a function by itself, whose ranges hold for runs with faults too. */
static void check_programs(bool alone) {
    const char *wish = getenv("WORLD_RANGE_PROGRAMS");
    uint64_t programs = wish ? strtoull(wish, NULL, 10) : 20000;
    long compared = 0;
    for (uint64_t seed = 1; seed <= programs; seed++) {
        IrRun run;
        irrun_init(&run);
        IrGenOptions options = {
            .seed = seed, .funcs = 1 + (int)(seed % 4), .size = 5 + (int)(seed % 40)};
        IrGenProgram *program = irgen_create(&run.arena, options);
        Interp *interp = interp_create(&run.memory, irgen_binding(program), NULL, NULL);
        irrun_bind(&run, interp);
        Arena scratch;
        arena_init(&scratch, &run.memory);
        RangeInput input = {.arena = &run.arena,
                            .scratch = &scratch,
                            .module = program->module,
                            .alone = alone,
                            .steps = seed % 5 ? 0 : 60};
        Ranges *ranges = ranges_create(&input);
        for (int func = 0; func < program->module->funcs.count; func++)
            compared += check_func(&run, program, ranges, alone, func, seed);
        arena_fini(&scratch);
        interp_destroy(interp);
        irrun_fini(&run);
    }
    print_message("%llu programs, %ld runs%s\n", (unsigned long long)programs, compared,
                  alone ? "" : " without a fault");
    assert_true(compared > (long)programs);
}

static void test_results_lie_in_their_ranges(void **state) {
    (void)state;
    check_programs(false);
}

static void test_alone_after_faults_too(void **state) {
    (void)state;
    check_programs(true);
}

/* Polynomials of one value as authors write them: coefficients and intervals at random. */
static void test_polynomials(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        Memory memory;
        Arena arena, scratch;
        memory_init(&memory, NULL, NULL, 0);
        arena_init(&arena, &memory);
        arena_init(&scratch, &memory);
        IrModule *module = ir_module_create(&arena);
        IrFunc *func = ir_func_create(module, STR_LIT("f"));
        IrBuilder builder = {.module = module, .func = func, .region = &func->body};
        IrValue x = ir_func_param(module, func, IR_F), value = x;
        static const IrOp ops[] = {IR_MUL_F, IR_ADD_F, IR_SUB_F};
        int steps = 2 + (int)(seed % 7);
        IrOp op[10];
        IrValue right[10];
        double constants[10];
        for (int i = 0; i < steps; i++) {
            uint64_t bits = irgen_hash(seed, (uint64_t)i);
            op[i] = ops[bits % 3];
            constants[i] = irgen_double(irgen_hash(seed, 40 + (uint64_t)i) | 2);
            right[i] = bits >> 8 & 1 ? x : ir_emit_float(&builder, constants[i]);
            value = ir_emit(&builder, op[i], (IrValue[]){value, right[i]}, 2, 0, 0);
        }
        VEC_PUSH(&arena, &func->results, IR_F);
        ir_yield(&builder, &func->body, value);
        double lo = irgen_double(irgen_hash(seed, 90) | 2),
               width = (double)(irgen_hash(seed, 91) % 1000) * 0.01;
        RangeInput input = {.arena = &arena, .scratch = &scratch, .module = module};
        Range arg = {.lo = lo, .hi = lo + width};
        Range found = *ranges_enter(ranges_create(&input), 0, &arg);
        for (int k = 0; k <= 64; k++) {
            double at = k == 64 ? arg.hi : fmin(arg.hi, lo + width * k / 64), y = at;
            for (int i = 0; i < steps; i++) {
                double b = right[i] == x ? at : constants[i];
                y = op[i] == IR_MUL_F ? y * b : op[i] == IR_ADD_F ? y + b : y - b;
            }
            if (!(found.lo <= y && y <= found.hi))
                fail_msg("seed %llu: %a not in %a .. %a", (unsigned long long)seed, y, found.lo,
                         found.hi);
        }
        arena_fini(&scratch);
        arena_fini(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_lie_in_their_ranges),
        cmocka_unit_test(test_alone_after_faults_too),
        cmocka_unit_test(test_polynomials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
