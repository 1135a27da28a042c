/* Every world of a folder gives exactly the diagnostics, the lint's too, that its comments list.
 *
 *     test_check_golden DIRECTORY        runs all, below it too
 *     test_check_golden DIRECTORY --errors   the same, for worlds that may warn
 *     test_check_golden FILE [--tree]    shows one world's diagnostics, and its checked tree
 *
 *     let x = 1 m + 1 s     //~ E0302 "equal units"      on the offending line
 *     //~^ E0302 "..."                                    of the line above (^^: two above)
 *
 * Any diagnostic that is not listed fails, and so does one that is listed and does not come.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "compiler/lint/lint.h"
#include "tests/unit/check_fixture.h"

typedef struct Expected {
    uint32_t file;
    int line;
    char code[8];
    Str text;
    bool met;
} Expected;

typedef VEC(Expected) ExpectedList;

static Str read_file(Arena *arena, const char *path) {
    StrBuf out = {.arena = arena};
    strbuf_add(&out, "", 0);
    FILE *file = fopen(path, "rb");
    if (!file) return strbuf_take(&out);
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        strbuf_add(&out, block, n);
    fclose(file);
    return strbuf_take(&out);
}

/* One `//~` comment: carets, a code, a part of the message in quotes. */
static void read_expectation(Arena *arena, Str rest, uint32_t file, int line, ExpectedList *out) {
    Expected expected = {.file = file, .line = line};
    size_t i = 0;
    for (; i < rest.len && rest.ptr[i] == '^'; i++)
        expected.line--;
    while (i < rest.len && rest.ptr[i] == ' ')
        i++;
    for (size_t k = 0; i < rest.len && rest.ptr[i] != ' ' && k < 7; i++)
        expected.code[k++] = rest.ptr[i];
    while (i < rest.len && rest.ptr[i] != '"')
        i++;
    size_t start = ++i;
    while (i < rest.len && rest.ptr[i] != '"')
        i++;
    if (start <= rest.len) expected.text = (Str){rest.ptr + start, i - start};
    VEC_PUSH(arena, out, expected);
}

static void read_expectations(Arena *arena, uint32_t file, Str text, ExpectedList *out) {
    for (size_t at = 0, line = 1; at < text.len; line++) {
        size_t end = at;
        while (end < text.len && text.ptr[end] != '\n')
            end++;
        for (size_t i = at; i + 3 <= end; i++)
            if (memcmp(text.ptr + i, "//~", 3) == 0)
                read_expectation(arena, (Str){text.ptr + i + 3, end - i - 3}, file, (int)line, out);
        at = end + 1;
    }
}

/* Of the world's own file and of those it uses. */
static ExpectedList read_all_expectations(CheckFixture *f) {
    ExpectedList out = {0};
    for (int i = 0; i < f->files.items.count; i++) {
        uint32_t file = f->files.items.items[i]->source;
        read_expectations(&f->arena, file, sources_get(&f->sources, file)->text, &out);
    }
    return out;
}

static bool contains(Str text, Str part) {
    for (size_t i = 0; i + part.len <= text.len; i++)
        if (part.len == 0 || memcmp(text.ptr + i, part.ptr, part.len) == 0) return true;
    return false;
}

static bool meets(CheckFixture *f, const Diag *diag, ExpectedList *expected) {
    char code[8];
    diag_code(diag->id, code);
    int line = sources_position(&f->sources, diag->span.file, diag->span.start).line;
    for (int i = 0; i < expected->count; i++) {
        Expected *e = &expected->items[i];
        bool here = diag->span.file == e->file && e->line == line;
        if (e->met || !here || strcmp(e->code, code) != 0) continue;
        if (!contains(diag->message, e->text)) continue;
        e->met = true;
        return true;
    }
    return false;
}

/* A world without an error is lowered, and what its ranges tell is told. */
static double lint(CheckFixture *f) {
    struct timespec start, end;
    if (diags_failed(&f->diags)) return 0;
    Arena scratch;
    arena_init(&scratch, &f->memory);
    Lowering lowering = {.module = ir_module_create(&f->arena)};
    lower_program(&lowering, check_program(f->checker), &f->arena);
    clock_gettime(CLOCK_MONOTONIC, &start);
    lint_ranges(&(LintInput){.scratch = &scratch,
                             .program = check_program(f->checker),
                             .lowering = &lowering,
                             .diags = &f->diags,
                             .file = f->file});
    clock_gettime(CLOCK_MONOTONIC, &end);
    arena_fini(&scratch);
    return (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) / 1e6;
}

static bool run_golden(const char *path, bool errors_only) {
    CheckFixture f;
    check_fixture_init(&f);
    Str text = read_file(&f.arena, path);
    check_fixture_world(&f, str_of(path), text);
    ExpectedList expected = read_all_expectations(&f);
    lint(&f);
    bool good = true;
    for (int i = 0; i < f.diags.items.count; i++)
        if ((!errors_only || f.diags.items.items[i]->severity == DIAG_ERROR) &&
            !meets(&f, f.diags.items.items[i], &expected))
            good = false;
    int misplaced = f.diags.error_count ? -1 : check_fixture_misplaced(check_program(f.checker));
    if (misplaced >= 0) {
        fprintf(stderr, "%s: function %d is out of order or in error\n", path, misplaced);
        good = false;
    }
    for (int i = 0; i < expected.count; i++) {
        if (expected.items[i].met) continue;
        fprintf(stderr, "%s:%d: %s \"%.*s\" did not come\n", path, expected.items[i].line,
                expected.items[i].code, STR_ARG(expected.items[i].text));
        good = false;
    }
    if (!good)
        fprintf(stderr, "%s gives\n%.*s\n", path,
                STR_ARG(diags_render(&f.diags, DIAG_ONE_LINE, &f.arena)));
    check_fixture_fini(&f);
    return good;
}

static int show(const char *path, bool tree) {
    CheckFixture f;
    check_fixture_init(&f);
    struct timespec start, end;
    Str text = read_file(&f.arena, path);
    clock_gettime(CLOCK_MONOTONIC, &start);
    check_fixture_world(&f, str_of(path), text);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double lint_ms = lint(&f);
    printf("%.*s", STR_ARG(diags_render(&f.diags, DIAG_HUMAN, &f.arena)));
    StrBuf out = {.arena = &f.arena};
    if (tree) tree_print(&out, check_program(f.checker), (Str){0});
    printf("%.*s", STR_ARG(strbuf_take(&out)));
    if (!f.diags.error_count)
        printf("misplaced %d\n", check_fixture_misplaced(check_program(f.checker)));
    printf("%d errors, %.2f ms, lint %.2f ms, %d functions\n", f.diags.error_count,
           (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) / 1e6,
           lint_ms, check_program(f.checker)->fns.count);
    int errors = f.diags.error_count;
    check_fixture_fini(&f);
    return errors ? 1 : 0;
}

static void walk(const char *directory, bool errors_only, int *count, int *failed) {
    struct dirent **entries;
    int n = scandir(directory, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
        struct stat info;
        bool hidden = entries[i]->d_name[0] == '.';
        if (!hidden && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
            walk(path, errors_only, count, failed);
        } else if (str_ends(str_of(path), STR_LIT(".world"))) {
            (*count)++;
            if (!run_golden(path, errors_only)) (*failed)++;
        }
        free(entries[i]);
    }
    if (n >= 0) free(entries);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    struct stat info;
    if (stat(argv[1], &info) != 0) return 2;
    if (!S_ISDIR(info.st_mode)) return show(argv[1], argc > 2 && strcmp(argv[2], "--tree") == 0);
    int count = 0, failed = 0;
    walk(argv[1], argc > 2 && strcmp(argv[2], "--errors") == 0, &count, &failed);
    printf("%d worlds, %d wrong\n", count, failed);
    return failed || count == 0;
}
