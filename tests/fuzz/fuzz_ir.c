/* Fuzzing: any text is read as IR or refused with a message; what is read and keeps the rules
 * prints as a text that reads back to the same, and keeps the rules through every pass. With
 * -Dfuzz=true and clang a libFuzzer target; else a program that runs the files it is given.
 */
#include <stdio.h>
#include <stdlib.h>

#include "compiler/opt/opt.h"

enum { MEMORY_LIMIT = 512 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void demand(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "fuzz_ir: %s\n", what);
    abort();
}

static Str print(Arena *arena, const IrModule *module) {
    StrBuf out = {.arena = arena};
    ir_print_module(&out, module);
    return strbuf_take(&out);
}

static void try_text(Arena *arena, Str text) {
    Str error = {0};
    IrModule *module = ir_read_module(arena, text, &error);
    if (module == NULL || !ir_verify(module, arena, &error)) {
        demand(error.len > 0, "refused without a message");
        return;
    }
    Str printed = print(arena, module);
    IrModule *again = ir_read_module(arena, printed, &error);
    demand(again != NULL && str_equal(print(arena, again), printed), "printing and reading differ");
    for (OptPass pass = 0; pass < OPT_PASS_COUNT; pass++) {
        opt_run(module, arena, &(OptPlan){.only = &pass});
        demand(ir_verify(module, arena, &error), opt_pass_name(pass));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    Memory memory;
    Arena arena;
    Recover recover;
    memory_init(&memory, NULL, NULL, MEMORY_LIMIT);
    arena_init(&arena, &memory);
    if (MEMORY_TRY(&recover)) {
        try_text(&arena, (Str){(const char *)bytes, count});
        memory_end_try(&recover);
    }
    arena_fini(&arena);
    return 0;
}

#ifndef WORLD_LIBFUZZER
static void run_file(const char *path) {
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    if (file == NULL) return;
    LLVMFuzzerTestOneInput(bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        run_file(argv[i]);
    return 0;
}
#endif
