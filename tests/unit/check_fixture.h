/* A world checked against the standard library, for the tests of the checker. */
#ifndef WORLD_TESTS_CHECK_FIXTURE_H
#define WORLD_TESTS_CHECK_FIXTURE_H

#include "compiler/check/checker.h"
#include "lang/parse.h"
#include "stdlib/stdlib.h"

typedef struct CheckFixture {
    Memory memory;
    Arena arena;
    SourceSet sources;
    SymbolTable symbols;
    DiagList diags;
    CheckPackage packages[64];
    int package_count;
    uint32_t file;
    Files files;
    Checker *checker; /* NULL: a file that the world uses is wrong */
} CheckFixture;

static inline void check_fixture_init(CheckFixture *f) {
    *f = (CheckFixture){0};
    memory_init(&f->memory, NULL, NULL, 0);
    arena_init(&f->arena, &f->memory);
    sources_init(&f->sources, &f->arena);
    symbols_init(&f->symbols, &f->arena);
    diags_init(&f->diags, &f->arena, &f->sources);
    const StdlibPackage *packages = stdlib_packages(&f->package_count);
    for (int i = 0; i < f->package_count; i++) {
        uint32_t files[16];
        for (int k = 0; k < packages[i].file_count; k++)
            files[k] = sources_add(&f->sources, str_of(packages[i].files[k].name),
                                   str_of(packages[i].files[k].text));
        f->packages[i] = (CheckPackage){
            .name = str_of(packages[i].name),
            .prelude = packages[i].reach == STDLIB_PRELUDE,
            .internal = packages[i].reach == STDLIB_INTERNAL,
            .out_of_line = packages[i].out_of_line,
            .ast = parse_joined(&f->arena, &f->symbols, &f->diags, files, packages[i].file_count,
                                (ParseLimits){0})};
    }
}

/* The packages that the world uses, from the folder of its name. */
static inline bool check_fixture_files(CheckFixture *f, Str name, const AstFile *world) {
    FilesInput input = {.arena = &f->arena,
                        .symbols = &f->symbols,
                        .sources = &f->sources,
                        .diags = &f->diags,
                        .folder = files_folder_of(&f->arena, name)};
    size_t skip = strlen(input.folder) + (input.folder[0] != 0);
    int errors = f->diags.error_count;
    files_init(&f->files, &input, (Str){name.ptr + skip, name.len - skip}, f->file);
    files_follow(&f->files, world);
    for (int i = 1; i < f->files.items.count; i++) {
        WorldFile *file = f->files.items.items[i];
        file->package = f->package_count;
        f->packages[f->package_count++] =
            (CheckPackage){.name = file->name, .is_file = true, .ast = file->ast};
    }
    return f->diags.error_count == errors;
}

static inline void check_fixture_world(CheckFixture *f, Str name, Str text) {
    f->file = sources_add(&f->sources, name, text);
    AstFile *world = parse_file(&f->arena, &f->symbols, &f->diags, f->file, (ParseLimits){0});
    if (!check_fixture_files(f, name, world)) return;
    f->checker = check_world(&(CheckInput){.arena = &f->arena,
                                           .symbols = &f->symbols,
                                           .sources = &f->sources,
                                           .diags = &f->diags,
                                           .packages = f->packages,
                                           .package_count = f->package_count,
                                           .files = &f->files,
                                           .world = world});
}

typedef struct FixtureOrder {
    int limit;
    bool bad;
} FixtureOrder;

static inline void check_fixture_visit(const Tree *tree, void *user) {
    FixtureOrder *order = user;
    const TreeFn *fn = tree->kind == TREE_CALL     ? tree->call.fn
                       : tree->kind == TREE_LAMBDA ? tree->lambda.fn
                                                   : NULL;
    if (fn && fn->kind == AST_FN_PLAIN && (fn->index < 0 || fn->index >= order->limit))
        order->bad = true;
    if (!tree->type || tree->type->kind == TYPE_POISON) order->bad = true;
    tree_visit(tree, check_fixture_visit, user);
}

/* The first function that stands before one it calls, has no body, or holds what was in error; -1:
 * none. */
static inline int check_fixture_misplaced(const TreeProgram *program) {
    for (int i = 0; i < program->fns.count; i++) {
        FixtureOrder order = {.limit = i, .bad = !program->fns.items[i]->body};
        if (!order.bad) check_fixture_visit(program->fns.items[i]->body, &order);
        if (order.bad || program->fns.items[i]->index != i) return i;
    }
    return -1;
}

static inline void check_fixture_fini(CheckFixture *f) {
    arena_fini(&f->arena);
}

#endif
