/* Fuzzing: bytes become a program (irgen.h), which must give the same interpreted and as machine
 * code. With -Dfuzz=true and clang a libFuzzer target; else a program that runs the files it is
 * given. The library is found by $WORLD_JIT_LIBRARY.
 */
#include <stdio.h>
#include <stdlib.h>

#include "compiler/exec/exec.h"
#include "tests/support/irgen.h"

enum { ELEMENTS = 70, MOST_COLUMNS = 24 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void host_run(Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in,
                     Slot *const *out) {
    exec_run(rt->engine, rt, func, n, uniform, in, out);
}

typedef struct Answer {
    Slot out[MOST_COLUMNS][ELEMENTS];
    RtFault fault;
} Answer;

static void run(Exec *exec, Arena *arena, const IrGenProgram *program, const IrFunc *func,
                Answer *answer) {
    static const RtHost host = {.run = host_run};
    Slot in[MOST_COLUMNS][ELEMENTS], row[MOST_COLUMNS];
    const Slot *inputs[MOST_COLUMNS];
    Slot *outputs[MOST_COLUMNS];
    Rt rt;
    rt_init(&rt, &host, exec, arena);
    rt.fuel = 1 << 20;
    for (int i = 0; i < MOST_COLUMNS; i++) {
        inputs[i] = in[i];
        outputs[i] = answer->out[i];
    }
    for (int e = 0; e < ELEMENTS; e++) {
        irgen_args(&rt, program, func->index, (uint64_t)e, row);
        for (int i = 0; i < func->params.count; i++)
            in[i][e] = row[i];
    }
    exec_run(exec, &rt, func->index, ELEMENTS, 0, inputs, outputs);
    answer->fault = rt.fault;
    rt_fini(&rt);
}

/* A program that ran out of steps may have done so at another place. */
static bool same(const IrFunc *func, const Answer *a, const Answer *b) {
    if (a->fault.code == RT_FAULT_LIMIT || b->fault.code == RT_FAULT_LIMIT) return true;
    if (a->fault.code != b->fault.code || a->fault.element != b->fault.element) return false;
    for (int i = 0; i < func->results.count; i++)
        for (int e = 0; e < ELEMENTS; e++)
            if (!irgen_same(func->results.items[i], a->out[i][e], b->out[i][e])) return false;
    return true;
}

static Exec *make_exec(Memory *memory, const IrGenProgram *program, ExecMode mode, uint8_t shape) {
    static const int widths[] = {1, 2, 4, 8};
    ExecOptions options = {
        .mode = mode, .level = shape >> 2 & 1 ? 2 : 0, .width = widths[shape & 3]};
    return exec_create(memory, &options, irgen_binding(program));
}

/* The first byte is the level and width, and whether the program may do what lanes cannot. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    Memory memory;
    Arena arena;
    if (count < 2) return 0;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    IrGenOptions options = {
        .funcs = 2, .batchable = bytes[0] >> 3 & 1, .bytes = bytes + 1, .byte_count = count - 1};
    IrGenProgram *program = irgen_create(&arena, options);
    Exec *reference = make_exec(&memory, program, EXEC_INTERPRET, 0);
    Exec *tested = make_exec(&memory, program, EXEC_COMPILE, bytes[0]);
    for (int i = 0; i < program->module->funcs.count; i++) {
        const IrFunc *func = program->module->funcs.items[i];
        Answer *expected = ARENA_NEW(&arena, Answer), *found = ARENA_NEW(&arena, Answer);
        run(reference, &arena, program, func, expected);
        run(tested, &arena, program, func, found);
        if (!same(func, expected, found)) abort(); /* a find: libFuzzer keeps the bytes */
    }
    exec_destroy(reference);
    exec_destroy(tested);
    arena_fini(&arena);
    return 0;
}

#ifndef WORLD_LIBFUZZER
static void run_file(const char *path) {
    static uint8_t bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    if (file == NULL) return;
    size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, count);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        run_file(argv[i]);
    return 0;
}
#endif
