/* The interpreter against machine code, on random functions: values to the bit, and the same fault
 * with the same element, place and text.   interp_jit LIBRARY [functions] [seed]
 *
 * A program's functions run under one combination of level and width, programs take the
 * combinations in turn; most over a batch (the wide form), some over a few elements (element by
 * element). A difference prints the function and how to see it again.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/exec/exec.h"
#include "tests/support/irgen.h"

enum { FUNCS = 6, BATCH = 101, FEW = 5, MOST_COLUMNS = 24 };

typedef struct Combination {
    int level, width;
    const char *processor;
} Combination;

/* Older processors have no instructions for some conversions of vectors: LLVM then writes them out.
 */
static const Combination combinations[] = {
    {0, 1, NULL}, {2, 4, NULL},        {0, 8, NULL},        {2, 1, NULL},
    {0, 4, NULL}, {2, 8, NULL},        {2, 8, "x86-64-v3"}, {0, 4, "x86-64-v3"},
    {3, 8, NULL}, {2, 2, "x86-64-v2"}, {1, 8, "x86-64-v2"},
};
enum { COMBINATIONS = sizeof combinations / sizeof *combinations };

typedef struct Round {
    Arena *arena;
    IrGenProgram *program;
    Exec *reference, *tested;
    Combination combination;
    const char *library;
    uint64_t seed;
    ExecStats stats;
} Round;

typedef struct Answer {
    Slot *out[MOST_COLUMNS];
    RtFault fault;
} Answer;

static void host_run(Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in,
                     Slot *const *out) {
    exec_run(rt->engine, rt, func, n, uniform, in, out);
}

static const RtHost host = {.run = host_run};

/* Columns of arguments, the same for one seed; of a uniform one only the first value is looked at.
 */
static void make_columns(Rt *rt, const Round *round, const IrFunc *func, int64_t n,
                         Slot **columns) {
    Slot row[MOST_COLUMNS];
    for (int i = 0; i < func->params.count; i++)
        columns[i] = ARENA_ARRAY(rt->arena, Slot, n);
    for (int64_t e = 0; e < n; e++) {
        uint64_t seed = irgen_hash(round->seed, (uint64_t)e);
        irgen_args(rt, round->program, func->index, seed, row);
        for (int i = 0; i < func->params.count; i++)
            columns[i][e] = row[i];
    }
}

static Answer run(const Round *round, Exec *exec, const IrFunc *func, int64_t n, uint64_t uniform) {
    Answer answer = {0};
    Slot *in[MOST_COLUMNS];
    Rt rt;
    rt_init(&rt, &host, exec, round->arena);
    make_columns(&rt, round, func, n, in);
    for (int i = 0; i < func->results.count; i++)
        answer.out[i] = ARENA_ARRAY(round->arena, Slot, n);
    exec_run(exec, &rt, func->index, n, uniform, (const Slot *const *)in, answer.out);
    answer.fault = rt.fault;
    rt_fini(&rt);
    return answer;
}

static bool same_fault(const RtFault *a, const RtFault *b) {
    return a->code == b->code && a->element == b->element && a->span[1] == b->span[1] &&
           str_equal(a->detail, b->detail);
}

/* What differs, or nothing. */
static Str find_difference(const Round *round, const IrFunc *func, int64_t n, const Answer *a,
                           const Answer *b) {
    if (!same_fault(&a->fault, &b->fault))
        return str_printf(round->arena,
                          "fault %d of element %" PRId64 ", place %u, and %d of %" PRId64 ", %u",
                          a->fault.code, a->fault.element, a->fault.span[1], b->fault.code,
                          b->fault.element, b->fault.span[1]);
    if (a->fault.code) n = a->fault.element; /* what comes behind a fault is never looked at */
    for (int i = 0; i < func->results.count; i++)
        for (int64_t e = 0; e < n; e++)
            if (!irgen_same(func->results.items[i], a->out[i][e], b->out[i][e]))
                return str_printf(round->arena,
                                  "result %d of element %" PRId64 ": %" PRIx64 ", and %" PRIx64, i,
                                  e, a->out[i][e].w, b->out[i][e].w);
    return (Str){0};
}

static bool same_answers(Round *round, const IrFunc *func, int64_t n) {
    uint64_t uniform = irgen_hash(round->seed, 91) & irgen_hash(round->seed, (uint64_t)func->index);
    Answer expected = run(round, round->reference, func, n, uniform);
    Answer found = run(round, round->tested, func, n, uniform);
    Str difference = find_difference(round, func, n, &expected, &found);
    if (difference.len == 0) return true;
    StrBuf text = {.arena = round->arena};
    ir_print_func(&text, round->program->module, func);
    const Combination *combination = &round->combination;
    printf("%.*s\nlevel %d, width %d, %s: %.*s\n", (int)text.len, text.ptr, combination->level,
           combination->width, combination->processor ? combination->processor : "this processor",
           STR_ARG(difference));
    return false;
}

static Exec *make_exec(const Round *round, ExecMode mode) {
    ExecOptions options = {.mode = mode,
                           .level = round->combination.level,
                           .width = round->combination.width,
                           .processor = round->combination.processor,
                           .jit_library = round->library};
    return exec_create(round->arena->memory, &options, irgen_binding(round->program));
}

static bool run_round(Round *round) {
    IrGenOptions options = {.seed = round->seed, .funcs = FUNCS, .batchable = round->seed % 4 != 0, .sweeps = true};
    round->program = irgen_create(round->arena, options);
    round->reference = make_exec(round, EXEC_INTERPRET);
    round->tested = make_exec(round, EXEC_COMPILE);
    const IrModule *module = round->program->module;
    bool good = true;
    for (int i = 0; i < FUNCS && good; i++)
        good = same_answers(round, module->funcs.items[i], i % 4 == 3 ? FEW : BATCH);
    round->stats = exec_stats(round->tested);
    if (good && (round->stats.refused || !round->stats.compiled)) {
        Str text = exec_describe(round->tested, round->arena);
        printf("%d functions refused; %.*s\n", round->stats.refused, STR_ARG(text));
        good = false;
    }
    exec_destroy(round->reference);
    exec_destroy(round->tested);
    return good;
}

static bool has_avx2(void) {
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

static void add_stats(ExecStats *total, ExecStats more) {
    total->emit_ms += more.emit_ms;
    total->optimize_ms += more.optimize_ms;
    total->codegen_ms += more.codegen_ms;
    total->load_ms += more.load_ms;
    total->compiled += more.compiled;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    long wanted = argc > 2 ? atol(argv[2]) : 10000, done = 0;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    ExecStats total = {0};
    for (; done < wanted; done += FUNCS, seed++) {
        Memory memory;
        Arena arena;
        memory_init(&memory, NULL, NULL, 0);
        arena_init(&arena, &memory);
        Round round = {.arena = &arena,
                       .library = argv[1],
                       .seed = seed,
                       .combination = combinations[seed % COMBINATIONS]};
        if (!has_avx2()) round.combination.processor = NULL;
        bool good = run_round(&round);
        add_stats(&total, round.stats);
        arena_fini(&arena);
        if (good) continue;
        printf("again: interp_jit LIBRARY %d %" PRIu64 "\n", FUNCS, seed);
        return 1;
    }
    printf("%ld functions, %d modules; ms: emit %.0f, optimize %.0f, codegen %.0f, link %.0f\n",
           done, total.compiled, total.emit_ms, total.optimize_ms, total.codegen_ms, total.load_ms);
    return 0;
}
