/* Fuzzing: any text is parsed and checked, and either refused with an error or becomes a program
 * whose functions stand behind those they call, and whose IR keeps the rules. With -Dfuzz=true and
 * clang a libFuzzer target; else a program that runs the files it is given.
 */
#include <stdio.h>
#include <stdlib.h>

#include "compiler/lower/lower.h"
#include "tests/unit/check_fixture.h"

enum { MEMORY_LIMIT = 512 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void demand(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "fuzz_check: %s\n", what);
    abort();
}

static void try_lowering(CheckFixture *f) {
    const TreeProgram *program = check_program(f->checker);
    demand(check_fixture_misplaced(program) < 0, "a function is out of order or in error");
    Lowering lowering = {.module = ir_module_create(&f->arena)};
    lower_program(&lowering, program, &f->arena);
    Str error = {0};
    demand(ir_verify(lowering.module, &f->arena, &error), error.ptr);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static CheckFixture f; /* outlives the jump out of memory */
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        check_fixture_init(&f);
        f.memory.limit = MEMORY_LIMIT;
        check_fixture_world(&f, STR_LIT("fuzz.world"), (Str){(const char *)bytes, count});
        if (f.diags.error_count == 0)
            try_lowering(&f);
        else
            demand(diags_render(&f.diags, DIAG_HUMAN, &f.arena).len > 0, "an error without words");
        memory_end_try(&recover);
    }
    check_fixture_fini(&f);
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
