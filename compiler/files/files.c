#include "compiler/files/files.h"

#include <errno.h>
#include <stdio.h>

#include "lang/lexer.h"

const char *files_folder_of(Arena *arena, Str path) {
    size_t len = path.len;
    while (len > 0 && path.ptr[len - 1] != '/')
        len--;
    return arena_strndup(arena, path.ptr, len > 1 ? len - 1 : len);
}

static WorldFile *add_file(Files *files, Str path, uint32_t source) {
    WorldFile *file = ARENA_NEW(files->input.arena, WorldFile);
    *file = (WorldFile){.path = path, .source = source};
    VEC_PUSH(files->input.arena, &files->items, file);
    return file;
}

void files_init(Files *files, const FilesInput *input, Str path, uint32_t source) {
    *files = (Files){.input = *input};
    if (files->input.count == 0) files->input.count = FILES_DEFAULT_COUNT;
    if (files->input.large_bytes == 0) files->input.large_bytes = files->input.data_bytes ? files->input.data_bytes : FILES_DEFAULT_LARGE_BYTES;
    if (files->input.data_bytes == 0) files->input.data_bytes = FILES_DEFAULT_DATA_BYTES;
    if (files->input.samples == 0) files->input.samples = FILES_DEFAULT_SAMPLES;
    add_file(files, path, source);
}

/* -- paths -- */

static const WorldFile *file_of(const Files *files, uint32_t source) {
    for (int i = 0; i < files->items.count; i++)
        if (files->items.items[i]->source == source) return files->items.items[i];
    return files->items.items[0]; /* a question is asked from the world's own file */
}

/* Takes the last name off a path, and the '/' before it. */
static void drop_name(StrBuf *path) {
    while (path->len > 0 && path->ptr[path->len - 1] != '/')
        path->len--;
    if (path->len > 0) path->len--;
}

/* Adds one name; false when it leaves the folder. */
static bool add_name(StrBuf *path, Str name) {
    if (name.len == 0 || str_equal(name, STR_LIT("."))) return true;
    if (str_equal(name, STR_LIT(".."))) {
        if (path->len == 0) return false;
        drop_name(path);
        return true;
    }
    if (path->len) strbuf_char(path, '/');
    strbuf_str(path, name);
    return true;
}

/* The path from the world's folder of what a file names; false when it lies outside. */
static bool join_path(Files *files, Str user, Str written, Str *path) {
    StrBuf out = {.arena = files->input.arena};
    strbuf_str(&out, user);
    drop_name(&out);
    for (size_t begin = 0; begin <= written.len;) {
        size_t end = begin;
        while (end < written.len && written.ptr[end] != '/')
            end++;
        if (!add_name(&out, (Str){written.ptr + begin, end - begin})) return false;
        begin = end + 1;
    }
    *path = (Str){arena_strndup(out.arena, out.ptr ? out.ptr : "", out.len), out.len};
    return true;
}

/* Reports a path that can name no file here. */
static bool find_path(Files *files, Str written, Span span, Str *path) {
    DiagList *diags = files->input.diags;
    if (files->input.folder == NULL) {
        diag_add(diags, DIAG_E_FILE_FOLDER, span);
        return false;
    }
    bool odd = written.len == 0 || memchr(written.ptr, '\\', written.len) ||
               memchr(written.ptr, '\0', written.len);
    if (odd) {
        diag_add(diags, DIAG_E_FILE_NAME, span, STR_ARG(written));
        return false;
    }
    Str user = file_of(files, span.file)->path;
    if (written.ptr[0] != '/' && join_path(files, user, written, path)) return true;
    diag_add(diags, DIAG_E_FILE_OUTSIDE, span, STR_ARG(written));
    return false;
}

/* -- reading -- */

static void report_size(Files *files, Span span, Str path, size_t limit) {
    Str what = str_printf(files->input.arena, "the size of '%.*s'", STR_ARG(path));
    Str bytes = str_printf(files->input.arena, "%zu bytes", limit);
    diag_add(files->input.diags, DIAG_E_LIMIT, span, what.ptr, bytes.ptr);
}

static void report(Files *files, FolderStatus status, Span span, Str path, Str reached,
                   size_t limit) {
    DiagList *diags = files->input.diags;
    switch (status) {
    case FOLDER_FINE:
        return;
    case FOLDER_MISSING:
        diag_add(diags, DIAG_E_FILE_READ, span, STR_ARG(path), "there is no such file");
        return;
    case FOLDER_FAILED:
        diag_add(diags, DIAG_E_FILE_READ, span, STR_ARG(path), strerror(errno));
        return;
    case FOLDER_LINK:
        diag_add(diags, DIAG_E_FILE_KIND, span, STR_ARG(reached), "a link");
        return;
    case FOLDER_DIRECTORY:
        diag_add(diags, DIAG_E_FILE_KIND, span, STR_ARG(reached), "a folder");
        return;
    case FOLDER_SPECIAL:
        diag_add(diags, DIAG_E_FILE_KIND, span, STR_ARG(reached), "a pipe or a device");
        return;
    case FOLDER_LARGE:
        report_size(files, span, path, limit);
        return;
    }
}

/* A file that cannot be read is kept too, so that it is missed only once and noticed when it comes. */
static bool read_file(Files *files, WorldFile *file, Span span, size_t limit, FilesWant want) {
    if (files->items.count - 1 > files->input.count) {
        Str most = str_printf(files->input.arena, "%d", files->input.count);
        diag_add(files->input.diags, DIAG_E_LIMIT, span, "the number of files of this world",
                 most.ptr);
        return false;
    }
    Str reached;
    FolderStatus status = folder_read(files->input.arena, files->input.folder, file->path, limit,
                                      &file->bytes, &file->stamp, &reached);
    file->missing = status == FOLDER_MISSING && want == FILES_TEXT_IF_THERE;
    if (file->missing) return true;
    report(files, status, span, file->path, reached, limit);
    return status == FOLDER_FINE;
}

Str files_shown(const Files *files, Arena *arena, const WorldFile *file) {
    const char *folder = files->input.folder;
    size_t len = strlen(folder);
    const char *between = len && folder[len - 1] != '/' ? "/" : "";
    return str_printf(arena, "%s%s%.*s", folder, between, STR_ARG(file->path));
}

static bool is_overlaid(Files *files, WorldFile *file) {
    const FilesOverlay *overlay = &files->input.overlay;
    return overlay->text && overlay->text(overlay->user, files_shown(files, files->input.arena, file), &file->bytes);
}

/* A source of the bytes read, under the name that messages show. */
static void add_source(Files *files, WorldFile *file) {
    Str shown = files_shown(files, files->input.arena, file);
    file->source = sources_add(files->input.sources, shown, file->bytes);
}

static WorldFile *find_file(const Files *files, Str path, bool is_data) {
    for (int i = 0; i < files->items.count; i++) {
        WorldFile *file = files->items.items[i];
        if (path.len && str_equal(file->path, path) && (file->name.len == 0) == is_data) return file;
    }
    return NULL;
}

const WorldFile *files_data(Files *files, Str written, Span span, FilesWant want) {
    Str path;
    if (!find_path(files, written, span, &path)) return NULL;
    WorldFile *file = find_file(files, path, true);
    if (file == NULL) {
        file = add_file(files, path, 0);
        size_t limit = want == FILES_LARGE ? files->input.large_bytes : files->input.data_bytes;
        file->failed = !read_file(files, file, span, limit, want);
    }
    if (file->missing) {
        if (want == FILES_TEXT_IF_THERE) return file;
        report(files, FOLDER_MISSING, span, path, path, 0);
        return NULL;
    }
    if (!file->failed && want != FILES_BYTES && want != FILES_LARGE && file->source == 0) {
        add_source(files, file);
        file->failed = !lexer_check_text(files->input.diags, file->source);
    }
    return file->failed ? NULL : file;
}

/* -- packages -- */

/* A note for each use of the loop, from where it closed. */
static void report_circle(Files *files, const WorldFile *file, Span span) {
    Diag *diag = diag_add(files->input.diags, DIAG_E_FILE_CIRCLE, span, STR_ARG(file->path));
    int first = files->chain.count;
    while (first > 0 && files->chain.items[first - 1].file != file)
        first--;
    for (int i = first; i < files->chain.count; i++) {
        const FileUse *use = &files->chain.items[i];
        diag_note(files->input.diags, diag, use->ast->use.path->span, "it uses '%.*s' here",
                  STR_ARG(use->file->path));
    }
}

static void follow(Files *files, WorldFile *file);

static void follow_use(Files *files, const AstNode *ast) {
    Str path;
    Span span = ast->use.path->span;
    if (!find_path(files, ast->use.path->text.value, span, &path)) return;
    WorldFile *file = find_file(files, path, false);
    if (file && file->is_open) {
        report_circle(files, file, span);
        return;
    }
    bool is_new = file == NULL;
    if (is_new) {
        file = add_file(files, path, 0);
        file->name = symbols_name(files->input.symbols, ast->use.package.symbol);
        size_t limit = files->input.limits.source_bytes;
        bool there = is_overlaid(files, file) || read_file(files, file, span, limit ? limit : 16u << 20, FILES_TEXT);
        if (!there) return;
        add_source(files, file);
        file->ast = parse_file(files->input.arena, files->input.symbols, files->input.diags,
                               file->source, files->input.limits);
    }
    if (file->ast == NULL) return; /* what is wrong with it was said */
    FileUse use = {ast, file};
    VEC_PUSH(files->input.arena, &files->uses, use);
    if (!is_new) return;
    VEC_PUSH(files->input.arena, &files->chain, use);
    follow(files, file);
    files->chain.count--;
}

static void follow(Files *files, WorldFile *file) {
    file->is_open = true;
    for (int i = 0; i < file->ast->decls.count && !diags_full(files->input.diags); i++) {
        const AstNode *ast = file->ast->decls.items[i];
        if (ast->kind == AST_USE && ast->use.path) follow_use(files, ast);
    }
    file->is_open = false;
}

void files_follow(Files *files, const AstFile *world) {
    WorldFile *file = files->items.items[0];
    file->ast = world;
    file->name = STR_LIT("the world");
    follow(files, file);
}
