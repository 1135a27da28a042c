/* Every tests/golden/ir/NAME.ir, run through the passes that its first line names ("; fold dce", or
 * "; print" for none), prints as NAME.out. A text that is refused gives the message instead.
 *
 *     test_ir_golden DIRECTORY [--bless]
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compiler/opt/opt.h"

typedef struct Golden {
    char source[512], expected[512];
} Golden;

static bool bless;

static Str read_file(Arena *arena, const char *path) {
    StrBuf out = {.arena = arena};
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("cannot read %s", path);
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        strbuf_add(&out, block, n);
    fclose(file);
    return strbuf_take(&out);
}

static void write_file(const char *path, Str text) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) fail_msg("cannot write %s", path);
    fwrite(text.ptr, 1, text.len, file);
    fclose(file);
}

/* The next word of the line, or an empty one at its end. */
static Str next_word(Str *line) {
    while (line->len && *line->ptr == ' ')
        line->ptr++, line->len--;
    Str word = {line->ptr, 0};
    while (line->len && *line->ptr > ' ')
        line->ptr++, line->len--, word.len++;
    return word;
}

static void run_passes(IrModule *module, Arena *scratch, Str line) {
    next_word(&line); /* the semicolon */
    for (Str word = next_word(&line); word.len; word = next_word(&line)) {
        OptPass pass;
        if (str_equal(word, STR_LIT("print"))) continue;
        if (!opt_find_pass(word, &pass)) fail_msg("there is no pass %.*s", STR_ARG(word));
        opt_run(module, scratch, &(OptPlan){.only = &pass});
    }
}

static Str print(IrModule *module, Arena *arena) {
    StrBuf out = {.arena = arena};
    ir_print_module(&out, module);
    return strbuf_take(&out);
}

static Str answer_for(Arena *arena, Str text) {
    Str error = {0};
    IrModule *module = ir_read_module(arena, text, &error);
    if (module == NULL || !ir_verify(module, arena, &error))
        return str_printf(arena, "%.*s\n", STR_ARG(error));
    run_passes(module, arena, text);
    if (!ir_verify(module, arena, &error)) fail_msg("after the passes: %.*s", STR_ARG(error));
    Str out = print(module, arena);
    IrModule *again = ir_read_module(arena, out, &error);
    if (again == NULL) fail_msg("what was printed is not read: %.*s", STR_ARG(error));
    assert_string_equal(print(again, arena).ptr, out.ptr);
    return out;
}

static void test_golden(void **state) {
    const Golden *golden = *state;
    Memory memory;
    Arena arena;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    Str answer = answer_for(&arena, read_file(&arena, golden->source));
    if (bless) write_file(golden->expected, answer);
    assert_string_equal(answer.ptr, read_file(&arena, golden->expected).ptr);
    arena_fini(&arena);
}

static int is_source(const struct dirent *entry) {
    return str_ends(str_of(entry->d_name), STR_LIT(".ir"));
}

int main(int argc, char **argv) {
    struct dirent **entries;
    if (argc < 2) return 2;
    bless = argc > 2 && strcmp(argv[2], "--bless") == 0;
    int count = scandir(argv[1], &entries, is_source, alphasort);
    if (count <= 0) return 2;
    struct CMUnitTest *tests = calloc((size_t)count, sizeof *tests);
    Golden *goldens = calloc((size_t)count, sizeof *goldens);
    for (int i = 0; i < count; i++) {
        int stem = (int)strlen(entries[i]->d_name) - 3;
        snprintf(goldens[i].source, sizeof goldens[i].source, "%s/%s", argv[1], entries[i]->d_name);
        snprintf(goldens[i].expected, sizeof goldens[i].expected, "%s/%.*s.out", argv[1], stem,
                 entries[i]->d_name);
        tests[i] = (struct CMUnitTest){goldens[i].source, test_golden, NULL, NULL, &goldens[i]};
        free(entries[i]);
    }
    int failed = _cmocka_run_group_tests("ir goldens", tests, (size_t)count, NULL, NULL);
    free(entries);
    free(goldens);
    free(tests);
    return failed;
}
