/* Every tests/golden/parse/NAME.world prints as its NAME.ast, and without a diagnostic.
 *
 *     test_parse_golden DIRECTORY [--bless]
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/lang_fixture.h"

typedef struct Golden {
    char source[512], expected[512];
} Golden;

static const char *directory;
static bool bless;

static Str read_file(Arena *arena, const char *path) {
    StrBuf out = {.arena = arena};
    strbuf_add(&out, "", 0);
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("cannot read %s", path);
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        strbuf_add(&out, block, n);
    fclose(file);
    return strbuf_take(&out);
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) fail_msg("cannot write %s", path);
    fputs(text, file);
    fclose(file);
}

static void test_golden(void **state) {
    const Golden *golden = *state;
    Memory memory;
    Arena arena;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    Fixture f;
    fixture_init(&f, read_file(&arena, golden->source));
    const char *printed = fixture_parse(&f, false);
    if (bless) write_file(golden->expected, printed);
    assert_string_equal(printed, read_file(&arena, golden->expected).ptr);
    assert_int_equal(f.diags.items.count, 0);
    fixture_fini(&f);
    arena_fini(&arena);
}

static int is_world(const struct dirent *entry) {
    return str_ends(str_of(entry->d_name), STR_LIT(".world"));
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    directory = argv[1];
    bless = argc > 2 && strcmp(argv[2], "--bless") == 0;
    struct dirent **entries;
    int count = scandir(directory, &entries, is_world, alphasort);
    if (count <= 0) return 2;
    struct CMUnitTest *tests = calloc((size_t)count, sizeof *tests);
    Golden *goldens = calloc((size_t)count, sizeof *goldens);
    for (int i = 0; i < count; i++) {
        int stem = (int)strlen(entries[i]->d_name) - 6;
        snprintf(goldens[i].source, sizeof goldens[i].source, "%s/%s", directory,
                 entries[i]->d_name);
        snprintf(goldens[i].expected, sizeof goldens[i].expected, "%s/%.*s.ast", directory, stem,
                 entries[i]->d_name);
        tests[i] = (struct CMUnitTest){goldens[i].source, test_golden, NULL, NULL, &goldens[i]};
    }
    int failed = _cmocka_run_group_tests("parse goldens", tests, (size_t)count, NULL, NULL);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    free(goldens);
    free(tests);
    return failed;
}
