#include "tests/support/irrun.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void host_run(Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in,
                     Slot *const *out) {
    interp_run(rt->engine, rt, func, n, uniform, in, out);
}

static const RtHost host = {.run = host_run};

void irrun_init(IrRun *run) {
    *run = (IrRun){0};
    memory_init(&run->memory, NULL, NULL, 0);
    arena_init(&run->arena, &run->memory);
    rt_init(&run->rt, &host, NULL, &run->arena);
}

void irrun_fini(IrRun *run) {
    rt_fini(&run->rt);
    arena_fini(&run->arena);
    assert_int_equal(atomic_load(&run->memory.used), 0);
}

void irrun_bind(IrRun *run, const Interp *interp) {
    run->interp = interp;
    run->rt.engine = (void *)(uintptr_t)interp;
}

static Slot **make_columns(Arena *arena, int count, int n) {
    Slot **columns = ARENA_ARRAY(arena, Slot *, count + 1);
    for (int i = 0; i < count; i++)
        columns[i] = ARENA_ARRAY(arena, Slot, n);
    return columns;
}

/* The arguments of all elements; references of uniform parameters are one object. */
static Slot **make_args(IrRun *run, const IrGenProgram *program, int func, int n, uint64_t uniform,
                        uint64_t seed) {
    int count = program->module->funcs.items[func]->params.count;
    Slot **columns = make_columns(&run->arena, count, n);
    Slot *row = ARENA_ARRAY(&run->arena, Slot, count);
    for (int e = 0; e < n; e++) {
        irgen_args(&run->rt, program, func, irgen_hash(seed, (uint64_t)e), row);
        for (int i = 0; i < count; i++)
            columns[i][e] = uniform >> i & 1 ? columns[i][0] : row[i];
        if (e == 0)
            for (int i = 0; i < count; i++)
                columns[i][0] = row[i];
    }
    return columns;
}

static IrAnswer start(IrRun *run, const IrGenProgram *program, int func, int n) {
    run->rt.fault = (RtFault){0};
    run->rt.element_base = 0;
    return (IrAnswer){
        n, make_columns(&run->arena, program->module->funcs.items[func]->results.count, n), {0}};
}

IrAnswer irrun_elements(IrRun *run, const IrGenProgram *program, int func, int n, uint64_t uniform,
                        uint64_t seed) {
    IrAnswer answer = start(run, program, func, n);
    const IrFunc *f = program->module->funcs.items[func];
    Slot **args = make_args(run, program, func, n, uniform, seed);
    for (int e = 0; e < n; e++) {
        const Slot *in[64];
        Slot *out[64];
        for (int i = 0; i < f->params.count; i++)
            in[i] = &args[i][e];
        for (int i = 0; i < f->results.count; i++)
            out[i] = &answer.columns[i][e];
        run->rt.element_base = e;
        interp_run(run->interp, &run->rt, func, 1, 0, in, out);
    }
    run->rt.element_base = 0;
    answer.fault = run->rt.fault;
    return answer;
}

IrAnswer irrun_batch(IrRun *run, const IrGenProgram *program, int func, int n, uint64_t uniform,
                     uint64_t seed) {
    IrAnswer answer = start(run, program, func, n);
    Slot **args = make_args(run, program, func, n, uniform, seed);
    interp_run(run->interp, &run->rt, func, n, uniform, (const Slot *const *)args, answer.columns);
    answer.fault = run->rt.fault;
    return answer;
}

static void fail_with_text(const IrGenProgram *program, int func, uint64_t seed, const char *what) {
    StrBuf text = {.arena = program->module->arena};
    for (int i = 0; i <= func; i++)
        ir_print_func(&text, program->module, program->module->funcs.items[i]);
    fputs(text.ptr, stderr); /* cmocka cuts long messages */
    fail_msg("seed %llu, function f%d: %s", (unsigned long long)seed, func, what);
}

void irrun_expect_same(const IrGenProgram *program, int func, const IrAnswer *a, const IrAnswer *b,
                       uint64_t seed) {
    const IrFunc *f = program->module->funcs.items[func];
    char what[200];
    if (a->fault.code != b->fault.code || a->fault.element != b->fault.element ||
        memcmp(a->fault.span, b->fault.span, sizeof a->fault.span) != 0 ||
        !str_equal(a->fault.detail, b->fault.detail)) {
        snprintf(what, sizeof what, "fault %d at element %lld, place %u, or %d at %lld, %u",
                 a->fault.code, (long long)a->fault.element, a->fault.span[1], b->fault.code,
                 (long long)b->fault.element, b->fault.span[1]);
        fail_with_text(program, func, seed, what);
    }
    int good =
        a->fault.code ? (int)a->fault.element : a->n; /* what comes after a fault is nobody's */
    for (int i = 0; i < f->results.count; i++)
        for (int e = 0; e < good; e++) {
            if (irgen_same(f->results.items[i], a->columns[i][e], b->columns[i][e])) continue;
            snprintf(what, sizeof what, "result %d, element %d: %llx or %llx", i, e,
                     (unsigned long long)a->columns[i][e].w,
                     (unsigned long long)b->columns[i][e].w);
            fail_with_text(program, func, seed, what);
        }
}

Slot irrun_number(char letter, uint64_t bits) {
    if (letter == 'B') return slot_b(bits & 1);
    if (letter == 'W') return slot_w((uint32_t)(bits & 16 ? bits >> 32 : bits % 40));
    if (letter == 'I') return slot_i(irgen_int(bits));
    if (letter == 'F') return slot_f(irgen_double(bits));
    return (Slot){.w = bits};
}
