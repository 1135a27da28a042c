/* The pipeline: what pass.def lists, each a call into its room. */
#include "compiler/compile.h"

#include "compiler/library.h"
#include "compiler/opt/opt.h"
#include "compiler/lint/lint.h"
#include "runtime/base/clock.h"
#include "runtime/file/file.h"
#include "stdlib/stdlib.h"

/* -- read: needs a name or a text, gives sources -- */

static bool add_file(Compile *c, const char *path, Str shown, uint32_t *file) {
    Str text;
    bool missing;
    const char *why;
    size_t limit = c->input.limits.source_bytes ? c->input.limits.source_bytes : 16u << 20;
    limit += limit < SIZE_MAX; /* a byte more shows that it is too long */
    if (!file_read(&c->arena, path, limit, &text, &missing, &why)) {
        diag_add(&c->diags, DIAG_E_FILE_READ, (Span){0}, STR_ARG(str_of(path)), why);
        return false;
    }
    *file = sources_add(&c->sources, shown, text);
    return true;
}

static bool read_package(Compile *c, const StdlibPackage *package) {
    for (int i = 0; i < package->file_count; i++) {
        const StdlibFile *from = &package->files[i];
        uint32_t file = 0;
        if (c->input.stdlib_dir == NULL) {
            file = sources_add(&c->sources, str_of(from->name), str_of(from->text));
        } else {
            Str path = str_printf(&c->arena, "%s/%s", c->input.stdlib_dir, from->path);
            if (!add_file(c, path.ptr, path, &file)) return false;
        }
        VEC_PUSH(&c->arena, &c->package_files, file);
    }
    return true;
}

/* What another has read and parsed: all sources before its world's, and the names in them. */
static void take_library(Compile *c, const Compile *from) {
    for (uint32_t i = 1; i < from->file; i++) {
        const Source *source = sources_get(&from->sources, i);
        VEC_PUSH(&c->arena, &c->sources.sources, ((Source){.name = source->name, .text = source->text, .arena = &c->arena}));
    }
    for (int i = 0; i < from->packages.count && !from->packages.items[i].is_file; i++)
        VEC_PUSH(&c->arena, &c->packages, from->packages.items[i]);
    symbols_copy(&c->symbols, &c->arena, &from->symbols);
}

static bool read_library(Compile *c) {
    int count;
    const StdlibPackage *packages = stdlib_packages(&count);
    bool good = true;
    for (int i = 0; i < count && good; i++)
        good = read_package(c, &packages[i]);
    return good;
}

static bool pass_read(Compile *c) {
    if (c->input.library)
        take_library(c, c->input.library);
    else if (!read_library(c))
        return false;
    if (c->input.text) {
        c->file = sources_add(&c->sources, c->input.name, *c->input.text);
        return true;
    }
    const char *path = arena_strndup(&c->arena, c->input.name.ptr, c->input.name.len);
    c->stamp = file_stamp(path);
    return add_file(c, path, c->input.name, &c->file);
}

/* -- parse: needs sources, gives syntax trees -- */

static const AstFile *parse_source(Compile *c, uint32_t file) {
    return parse_file(&c->arena, &c->symbols, &c->diags, file, c->input.limits);
}

static void parse_host_functions(Compile *c) {
    for (int i = 0; i < c->input.host_count; i++) {
        Str text = str_printf(&c->arena, "extern fn %.*s\n", STR_ARG(c->input.host_signatures[i]));
        const AstFile *ast = parse_source(c, sources_add(&c->sources, STR_LIT("<host>"), text));
        for (int k = 0; k < ast->decls.count; k++)
            VEC_PUSH(&c->arena, &c->host_fns, ast->decls.items[k]);
    }
}

/* The packages that the world's own file uses. */
static void parse_files(Compile *c) {
    Str name = c->input.name;
    const char *folder = c->input.text ? c->input.folder : files_folder_of(&c->arena, name);
    size_t skip = c->input.text ? name.len : strlen(folder);
    while (skip < name.len && name.ptr[skip] == '/')
        skip++;
    FilesInput input = {.arena = &c->arena,
                        .symbols = &c->symbols,
                        .sources = &c->sources,
                        .diags = &c->diags,
                        .folder = folder,
                        .limits = c->input.limits,
                        .data_bytes = c->input.data_bytes,
                        .samples = c->input.samples,
                        .count = c->input.file_count,
                        .overlay = c->input.overlay};
    files_init(&c->files, &input, (Str){name.ptr + skip, name.len - skip}, c->file);
    files_follow(&c->files, c->ast);
    for (int i = 1; i < c->files.items.count; i++) {
        WorldFile *file = c->files.items.items[i];
        file->package = c->packages.count;
        CheckPackage package = {.name = file->name, .is_file = true, .ast = file->ast};
        VEC_PUSH(&c->arena, &c->packages, package);
    }
}

static void parse_library(Compile *c) {
    int count;
    const StdlibPackage *packages = stdlib_packages(&count);
    const uint32_t *files = c->package_files.items;
    ParseLimits limits = c->input.limits;
    limits.skips_bodies = c->input.stdlib_dir == NULL; /* who writes a library of his own hears of every mistake in it */
    for (int i = 0; i < count; files += packages[i++].file_count) {
        CheckPackage package = {.name = str_of(packages[i].name),
                                .prelude = packages[i].reach == STDLIB_PRELUDE,
                                .internal = packages[i].reach == STDLIB_INTERNAL,
                                .out_of_line = packages[i].out_of_line,
                                .ast = parse_joined(&c->arena, &c->symbols, &c->diags, files,
                                                    packages[i].file_count, limits)};
        VEC_PUSH(&c->arena, &c->packages, package);
    }
    if (c->input.stdlib_dir && !diags_failed(&c->diags)) library_check(c);
}

static bool pass_parse(Compile *c) {
    if (!c->input.library) parse_library(c);
    parse_host_functions(c);
    c->ast = parse_source(c, c->file);
    parse_files(c);
    return c->input.recovers || !diags_failed(&c->diags);
}

/* -- check: needs syntax trees, gives a checked program -- */

static bool pass_check(Compile *c) {
    DiagList *told = &c->diags;
    if (diags_failed(told)) {
        told = ARENA_NEW(&c->arena, DiagList);
        diags_init(told, &c->arena, &c->sources);
    }
    c->uses.first_file = c->file;
    CheckInput input = {.arena = &c->arena,
                        .symbols = &c->symbols,
                        .sources = &c->sources,
                        .diags = told,
                        .packages = c->packages.items,
                        .package_count = c->packages.count,
                        .files = &c->files,
                        .world = c->ast,
                        .host_fns = c->host_fns.items,
                        .host_fn_count = c->host_fns.count,
                        .uses = c->input.notes_uses ? &c->uses : NULL};
    c->checker = check_world(&input);
    c->program = check_program(c->checker);
    return !diags_failed(&c->diags);
}

/* -- lower, verify, lint, optimize: need a checked program, give IR -- */

static bool pass_lower(Compile *c) {
    c->lowering.module = ir_module_create(&c->arena);
    c->lowering.module->authors = c->file;
    lower_program(&c->lowering, c->program, &c->arena);
    if (c->lowering.over)
        diag_add(&c->diags, DIAG_E_LIMIT, c->lowering.over->span,
                 "what this world becomes, in operations of its program,", "4000000");
    return c->lowering.over == NULL;
}

/* A breach is a mistake of this compiler, never of the author. */
static bool pass_verify(Compile *c) {
    Str error;
    bool good = ir_verify(c->lowering.module, &c->scratch, &error);
    if (!good) diag_add(&c->diags, DIAG_E_INTERNAL, (Span){0}, STR_ARG(error));
    arena_fini(&c->scratch);
    return good;
}

static bool pass_lint(Compile *c) {
    LintInput input = {.scratch = &c->scratch,
                       .program = c->program,
                       .lowering = &c->lowering,
                       .diags = &c->diags,
                       .file = c->file};
    lint_ranges(&input);
    arena_fini(&c->scratch);
    return true;
}

/* What a text shares with the one before, from both ends. */
typedef struct Moved {
    uint32_t first, last; /* the part that differs, in the old text */
    uint32_t by;          /* how far what is behind it moved; wraps */
} Moved;

typedef struct Moves {
    const Moved *files;
    uint32_t count;
} Moves;

static Moved compare_texts(Str before, Str now) {
    size_t most = before.len < now.len ? before.len : now.len, first = 0, last = 0;
    while (first < most && before.ptr[first] == now.ptr[first])
        first++;
    while (last < most - first && before.ptr[before.len - 1 - last] == now.ptr[now.len - 1 - last])
        last++;
    return (Moved){(uint32_t)first, (uint32_t)(before.len - last), (uint32_t)(now.len - before.len)};
}

static bool move_span(const void *user, Span *span) {
    const Moves *moves = user;
    if (span->file >= moves->count) return false;
    const Moved *moved = &moves->files[span->file];
    if (span->end <= moved->first) return true;
    span->start += moved->by;
    span->end += moved->by;
    return span->start - moved->by >= moved->last;
}

/* False: the two were not read from the same files. */
static bool compare_sources(Compile *c, const Compile *before, Moves *moves) {
    uint32_t count = (uint32_t)c->sources.sources.count;
    Moved *files = ARENA_ARRAY(&c->scratch, Moved, count);
    if ((uint32_t)before->sources.sources.count != count || before->file != c->file) return false;
    for (uint32_t i = 1; i < count; i++) {
        const Source *old = sources_get(&before->sources, i), *now = sources_get(&c->sources, i);
        if (!str_equal(old->name, now->name)) return false;
        files[i] = old->text.ptr == now->text.ptr ? (Moved){UINT32_MAX, 0, 0} : compare_texts(old->text, now->text);
    }
    *moves = (Moves){files, count};
    return true;
}

static bool pass_optimize(Compile *c) {
    const Compile *before = c->input.before;
    Moves moves;
    if (c->input.only_check && c->program->checks.count == 0) return true;
    c->meanings = ir_meanings(c->lowering.module, &c->arena);
    c->layout = check_layout(c->program, &c->scratch);
    OptPlan plan = {.level = c->input.optimize, .bodies = &c->bodies};
    OptBefore taken = {.before = &c->meanings, .now = &c->meanings, .move = move_span, .user = &moves};
    if (before && before->layout == c->layout && before->input.optimize == c->input.optimize && compare_sources(c, before, &moves)) {
        taken.module = before->lowering.module;
        taken.before = &before->meanings;
        plan.before = &taken;
    }
    opt_run(c->lowering.module, &c->scratch, &plan);
    arena_fini(&c->bodies);
    arena_fini(&c->scratch);
    c->input.before = NULL; /* it may end now */
    return true;
}

/* -- execute: needs optimized IR, gives a program that runs -- */

static bool pass_execute(Compile *c) {
    return c->input.execute == NULL || c->input.execute(c->input.user, c);
}

/* -- the pipeline -- */

static const struct Row {
    const char *name;
    bool (*run)(Compile *);
    CompileForm form;
} passes[COMPILE_PASS_COUNT] = {
#define PASS(NAME, name, FORM) [COMPILE_##NAME] = {#name, pass_##name, COMPILE_FORM_##FORM},
#include "compiler/pass.def"
#undef PASS
};

static bool run(Compile *c, CompilePass pass) {
    double begin = clock_ms();
    bool good = passes[pass].run(c);
    c->milliseconds[pass] += clock_ms() - begin;
    return good;
}

bool compile_world(Compile *c) {
    int count = c->input.pass_count ? c->input.pass_count : COMPILE_PASS_COUNT;
    bool good = true;
    for (int pass = 0; pass < count && good; pass++)
        good = run(c, (CompilePass)pass);
    return good;
}

const char *compile_pass_name(CompilePass pass) {
    return passes[pass].name;
}

CompileForm compile_pass_form(CompilePass pass) {
    return passes[pass].form;
}

Compile *compile_create(const CompileInput *input) {
    Arena arena;
    arena_init(&arena, input->memory);
    Compile *c = ARENA_NEW(&arena, Compile);
    c->arena = arena;
    c->input = *input;
    arena_init(&c->scratch, input->memory);
    arena_init(&c->bodies, input->memory);
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        symbols_init(&c->symbols, &c->arena);
        sources_init(&c->sources, &c->arena);
        diags_init(&c->diags, &c->arena, &c->sources);
        memory_end_try(&recover);
        return c;
    }
    compile_destroy(c);
    memory_fail();
}

void compile_destroy(Compile *compile) {
    if (compile == NULL) return;
    arena_fini(&compile->scratch);
    arena_fini(&compile->bodies);
    Arena arena = compile->arena; /* the Compile lies in its own arena */
    arena_fini(&arena);
}

static bool has_changed(Str path, const FileStamp *was, Arena *scratch) {
    FileStamp now = file_stamp(arena_strndup(scratch, path.ptr, path.len));
    return !file_stamp_equal(&now, was);
}

static bool any_changed(const Compile *c, Arena *scratch) {
    bool stale = c->input.text == NULL && has_changed(c->input.name, &c->stamp, scratch);
    for (int i = 1; i < c->files.items.count && !stale; i++) {
        const WorldFile *file = c->files.items.items[i];
        stale = has_changed(files_shown(&c->files, scratch, file), &file->stamp, scratch);
    }
    return stale;
}

bool compile_is_stale(const Compile *c) {
    Arena scratch;
    Recover recover;
    arena_init(&scratch, c->input.memory);
    if (MEMORY_TRY(&recover)) {
        bool stale = any_changed(c, &scratch);
        memory_end_try(&recover);
        arena_fini(&scratch);
        return stale;
    }
    arena_fini(&scratch);
    memory_fail();
}
