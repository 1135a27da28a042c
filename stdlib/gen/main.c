/* stdlib-gen STDLIB_DIR OUT_DIR: reads the packages under STDLIB_DIR, writes its files and a
 * depfile that names what was read into OUT_DIR. Exit status 1 after any error.
 */
#include "stdlib/gen/gen.h"

#include <stdarg.h>
#include <stdio.h>

#include "lang/parse.h"

enum { OUT_OF_LINE = 1, INLINE = 0 };

/* A row without a reach is one more file of the package before. */
static const struct {
    const char *name, *reach;
    bool out_of_line;
} package_rows[] = {
#define PACKAGE(name, reach, out_of_line) {#name, #reach, out_of_line},
#define MORE(name) {#name, NULL, false},
#include "stdlib/packages.def"
#undef PACKAGE
#undef MORE
};

enum { PACKAGE_ROWS = sizeof package_rows / sizeof *package_rows };

void gen_error(Gen *gen, Span span, const char *format, ...) {
    gen->failed = true;
    if (span.file) {
        SourcePos pos = sources_position(&gen->sources, span.file, span.start);
        Str name = sources_get(&gen->sources, span.file)->name;
        fprintf(stderr, "%.*s:%d:%d: ", STR_ARG(name), pos.line, pos.column);
    }
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n");
}

const Source *gen_file(const Gen *gen, const GenPackage *package, int file) {
    return sources_get(&gen->sources, package->files.items[file]);
}

static bool read_file(Gen *gen, Str path, Str *text) {
    FILE *file = fopen(path.ptr, "rb");
    if (!file) return false;
    StrBuf buf = {.arena = gen->arena};
    char chunk[4096];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0)
        strbuf_add(&buf, chunk, got);
    bool good = !ferror(file);
    fclose(file);
    *text = strbuf_take(&buf);
    return good;
}

static void write_file(Gen *gen, const char *dir, const char *name, Str text) {
    Str path = str_printf(gen->arena, "%s/%s", dir, name);
    FILE *file = fopen(path.ptr, "wb");
    bool good = file && fwrite(text.ptr, 1, text.len, file) == text.len;
    if (file && fclose(file) != 0) good = false;
    if (!good) gen_error(gen, (Span){0}, "cannot write %s", path.ptr);
}

static void read_row(Gen *gen, const char *dir, GenPackage *package, const char *name) {
    Str text, path = str_printf(gen->arena, "%s/%s/%s.world", dir, package->name, name);
    if (!read_file(gen, path, &text)) {
        gen_error(gen, (Span){0}, "cannot read %s", path.ptr);
        return;
    }
    VEC_PUSH(gen->arena, &package->names, name);
    VEC_PUSH(gen->arena, &package->files, sources_add(&gen->sources, path, text));
}

static void read_packages(Gen *gen, const char *dir) {
    for (int i = 0; i < PACKAGE_ROWS; i++) {
        GenPackage fresh = {package_rows[i].name, package_rows[i].reach,
                            package_rows[i].out_of_line};
        if (fresh.reach) VEC_PUSH(gen->arena, &gen->packages, fresh);
        read_row(gen, dir, &gen->packages.items[gen->packages.count - 1], package_rows[i].name);
    }
    if (gen->failed) return;
    for (int i = 0; i < gen->packages.count; i++) {
        GenPackage *package = &gen->packages.items[i];
        package->ast = parse_joined(gen->arena, &gen->symbols, &gen->diags, package->files.items,
                                    package->files.count, (ParseLimits){0});
    }
    if (!diags_failed(&gen->diags)) return;
    gen->failed = true;
    Str text = diags_render(&gen->diags, DIAG_HUMAN, gen->arena);
    fprintf(stderr, "%.*s", STR_ARG(text));
}

static Str depfile(Gen *gen) {
    StrBuf out = {.arena = gen->arena};
    strbuf_printf(&out, "library_layout.h library_names.h stdlib_externs.h "
                        "stdlib_thunks.c stdlib_sources.c LIBRARY.md:");
    for (int i = 0; i < gen->packages.count; i++)
        for (int k = 0; k < gen->packages.items[i].files.count; k++)
            strbuf_printf(&out, " %.*s",
                          STR_ARG(gen_file(gen, &gen->packages.items[i], k)->name));
    strbuf_char(&out, '\n');
    return strbuf_take(&out);
}

static void run(Gen *gen, const char *in_dir, const char *out_dir) {
    symbols_init(&gen->symbols, gen->arena);
    sources_init(&gen->sources, gen->arena);
    diags_init(&gen->diags, gen->arena, &gen->sources);
    read_packages(gen, in_dir);
    if (gen->failed) return;
    gen_structs(gen);
    const struct {
        const char *name;
        Str text;
    } files[] = {{"library_layout.h", gen_write_layout(gen)},
                 {"library_names.h", gen_write_names(gen)},
                 {"stdlib_externs.h", gen_write_header(gen)},
                 {"stdlib_thunks.c", gen_write_thunks(gen)},
                 {"stdlib_sources.c", gen_write_sources(gen)},
                 {"LIBRARY.md", gen_write_reference(gen)}};
    if (gen->failed) return;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        write_file(gen, out_dir, files[i].name, files[i].text);
    write_file(gen, out_dir, "stdlib.d", depfile(gen));
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: stdlib-gen STDLIB_DIR OUT_DIR\n");
        return 2;
    }
    Memory memory;
    memory_init(&memory, NULL, NULL, 0);
    Arena arena;
    arena_init(&arena, &memory);
    Gen gen = {.arena = &arena};
    run(&gen, argv[1], argv[2]);
    arena_fini(&arena);
    return gen.failed ? 1 : 0;
}
