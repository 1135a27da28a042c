/* Open texts, and what they come to: each is a world of its own, with the open texts in place of the files it uses. */
#include "compiler/lsp/lsp.h"

#include "compiler/engine/open/open.h"

/* -- the texts -- */

Doc *doc_find(WorldEditor *e, Str uri) {
    for (Doc *doc = e->docs; doc; doc = doc->next)
        if (str_equal(doc->uri, uri)) return doc;
    return NULL;
}

Doc *doc_of_path(const WorldEditor *e, Str path) {
    for (Doc *doc = e->docs; doc; doc = doc->next)
        if (path.len && str_equal(doc->path, path)) return doc;
    return NULL;
}

/* The old text goes when the new one is there, which may be made of it. */
void doc_set_text(WorldEditor *e, Doc *doc, Str text) {
    Arena old = doc->text_arena, arena;
    arena_init(&arena, &e->engine->memory);
    Recover recover;
    if (!MEMORY_TRY(&recover)) {
        arena_fini(&arena);
        memory_fail();
    }
    Str copy = {arena_strndup(&arena, text.ptr ? text.ptr : "", text.len), text.len};
    doc->lines = lines_of(&arena, copy, e->utf8);
    memory_end_try(&recover);
    doc->text_arena = arena;
    arena_fini(&old);
}

static Doc *doc_create(WorldEditor *e, Str uri) {
    Arena arena;
    Recover recover;
    arena_init(&arena, &e->engine->memory);
    if (!MEMORY_TRY(&recover)) {
        arena_fini(&arena);
        memory_fail();
    }
    Doc *doc = ARENA_NEW(&arena, Doc);
    doc->uri = (Str){arena_strndup(&arena, uri.ptr, uri.len), uri.len};
    doc->path = uri_path(&arena, uri);
    memory_end_try(&recover);
    doc->arena = arena;
    arena_init(&doc->text_arena, &e->engine->memory);
    doc->next = e->docs;
    e->docs = doc;
    return doc;
}

void doc_open(WorldEditor *e, Str uri, Str text, int64_t version) {
    Doc *doc = doc_find(e, uri);
    if (!doc) doc = doc_create(e, uri);
    doc_set_text(e, doc, text);
    doc->version = version;
}

void doc_close(WorldEditor *e, Doc *doc) {
    Doc **at = &e->docs;
    while (*at != doc)
        at = &(*at)->next;
    *at = doc->next;
    analysis_end(doc->analysis);
    arena_fini(&doc->text_arena);
    Arena arena = doc->arena;
    arena_fini(&arena);
}

void docs_forget(WorldEditor *e) {
    for (Doc *doc = e->docs; doc; doc = doc->next) {
        analysis_end(doc->analysis);
        doc->analysis = NULL;
        doc->untold = true;
    }
}

/* -- what they come to -- */

static bool open_text(void *user, Str path, Str *text) {
    const Doc *doc = doc_of_path(user, path);
    if (doc) *text = doc->lines.text;
    return doc != NULL;
}

void analysis_end(Analysis *analysis) {
    if (analysis) compile_destroy(analysis->compile);
}

static CompileInput input_of(WorldEditor *e, const Doc *doc, const Str *text, FilesOverlay overlay) {
    const WorldEngine *engine = e->engine;
    const char *folder = doc->path.len ? files_folder_of(&e->scratch, doc->path) : NULL;
    return (CompileInput){.memory = &e->engine->memory,
                          .name = doc->path.len ? doc->path : doc->uri,
                          .text = text,
                          .folder = folder,
                          .data_bytes = engine->desc.limits.data_bytes,
                          .samples = engine->desc.limits.grid_samples,
                          .file_count = (int)engine->desc.limits.files,
                          .stdlib_dir = engine->desc.stdlib_dir,
                          .limits = {(uint32_t)engine->desc.limits.source_bytes, (int)engine->desc.limits.nesting, false},
                          .pass_count = COMPILE_LINT + 1,
                          .overlay = overlay,
                          .notes_uses = true,
                          .library = e->library,
                          .recovers = true};
}

/* Read once: it takes two thirds of a look at a small text. */
static void read_library(WorldEditor *e) {
    static const Str nothing;
    if (e->library || e->engine->desc.stdlib_dir) return;
    CompileInput input = {.memory = &e->engine->memory, .name = STR_LIT("<library>"), .text = &nothing, .pass_count = COMPILE_PARSE + 1};
    e->failed = compile_create(&input);
    compile_world(e->failed);
    e->failed->input.text = NULL;
    e->library = e->failed;
    e->failed = NULL;
}

Analysis *analysis_make(WorldEditor *e, const Doc *doc, Str text, const FilesOverlay *with) {
    read_library(e);
    CompileInput input = input_of(e, doc, &text, with ? *with : (FilesOverlay){open_text, e});
    Compile *compile = e->failed = compile_create(&input);
    compile_world(compile);
    Analysis *a = ARENA_NEW(&compile->arena, Analysis);
    compile->input.text = NULL; /* it was ours */
    a->compile = compile;
    if (compile->ast) find_sort(a);
    e->failed = NULL;
    return a;
}

Analysis *doc_analysis(WorldEditor *e, Doc *doc) {
    if (!doc->analysis) doc->analysis = analysis_make(e, doc, doc->lines.text, NULL);
    return doc->analysis;
}

/* -- their sources -- */

Lines source_lines(WorldEditor *e, const Analysis *a, uint32_t file) {
    return lines_of(&e->scratch, sources_get(&a->compile->sources, file)->text, e->utf8);
}

/* Those of the built-in library are no files. */
Str source_path(const Doc *doc, const Analysis *a, uint32_t file) {
    const Compile *c = a->compile;
    if (file == c->file) return doc->path;
    bool is_file = file > c->file || c->input.stdlib_dir;
    return is_file ? sources_get(&c->sources, file)->name : STR_LIT("");
}
