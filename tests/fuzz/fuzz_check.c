/* Fuzzing: any bytes are a world or are refused with a message, in every form that messages have;
 * and what is a world goes through every pass up to machine code without a fault of the compiler's
 * own. With -Dfuzz=true and clang a libFuzzer target; else a program that runs the files it is
 * given. Most inputs are refused by the parser, so the text is first parsed alone: the standard
 * library is read only for what passes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "compiler/compile.h"

enum { MEMORY_LIMIT = 512 << 20, LEVEL = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void demand(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "fuzz_check: %s\n", what);
    abort();
}

/* Each form is made of the same list; a span outside its text shows here. */
static void render(DiagList *diags, Arena *arena) {
    static const DiagStyle styles[] = {DIAG_HUMAN, DIAG_HUMAN_COLOR, DIAG_ONE_LINE, DIAG_JSON};
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
        demand(diags_render(diags, styles[i], arena).len > 0, "a message without text");
    for (int i = 0; i < diags->items.count; i++)
        demand(diags->items.items[i]->id != DIAG_E_INTERNAL, "a fault of the compiler's own");
}

static bool parses(Memory *memory, Str text) {
    Arena arena;
    Recover recover;
    SymbolTable symbols;
    SourceSet sources;
    DiagList diags;
    volatile bool good = false;
    arena_init(&arena, memory);
    if (MEMORY_TRY(&recover)) {
        symbols_init(&symbols, &arena);
        sources_init(&sources, &arena);
        diags_init(&diags, &arena, &sources);
        uint32_t file = sources_add(&sources, STR_LIT("fuzz.world"), text);
        parse_file(&arena, &symbols, &diags, file, (ParseLimits){0});
        good = !diags_failed(&diags);
        if (!good) render(&diags, &arena);
        memory_end_try(&recover);
    }
    arena_fini(&arena);
    return good;
}

static void compile(Memory *memory, Str text) {
    CompileInput input = {
        .memory = memory, .name = STR_LIT("fuzz.world"), .text = &text, .optimize = LEVEL};
    Compile *volatile made = NULL;
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        made = compile_create(&input);
        if (!compile_world(made)) render(&made->diags, &made->arena);
        memory_end_try(&recover);
    }
    compile_destroy(made);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    Memory memory;
    Str text = {(const char *)bytes, count};
    memory_init(&memory, NULL, NULL, MEMORY_LIMIT);
    if (parses(&memory, text)) compile(&memory, text);
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
