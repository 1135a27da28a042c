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
    memset(&doc->counts, 0, sizeof doc->counts);
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

static void forget_kept(WorldEditor *e) {
    analysis_end(e->mended);
    analysis_end(e->before);
    e->mended = e->before = NULL;
    e->kept_of = NULL;
}

void doc_close(WorldEditor *e, Doc *doc) {
    Doc **at = &e->docs;
    while (*at != doc)
        at = &(*at)->next;
    *at = doc->next;
    if (e->kept_of == doc) forget_kept(e);
    if (e->typed == doc) e->typed = NULL;
    analysis_end(doc->analysis);
    arena_fini(&doc->text_arena);
    Arena arena = doc->arena;
    arena_fini(&arena);
}

/* What was looked at of the text that changed may be asked about again: the word that is written is taken out, or the dot. */
static void keep(WorldEditor *e, Doc *changed) {
    if (e->kept_of != changed) forget_kept(e);
    if (!changed || !changed->analysis) return;
    analysis_end(e->before);
    e->before = changed->analysis;
    e->kept_of = changed;
    changed->analysis = NULL;
}

void docs_forget(WorldEditor *e, Doc *changed) {
    keep(e, changed);
    for (Doc *doc = e->docs; doc; doc = doc->next) {
        analysis_end(doc->analysis);
        doc->analysis = NULL;
        memset(&doc->counts, 0, sizeof doc->counts);
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

static CompileInput input_of(WorldEditor *e, const Doc *doc, const Str *text, FilesOverlay overlay, CompilePass last) {
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
                          .pass_count = (int)last + 1,
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

Analysis *analysis_make(WorldEditor *e, const Doc *doc, Str text, const FilesOverlay *with, CompilePass last) {
    read_library(e);
    CompileInput input = input_of(e, doc, &text, with ? *with : (FilesOverlay){open_text, e}, last);
    Compile *compile = e->failed = compile_create(&input);
    compile_world(compile);
    Analysis *a = ARENA_NEW(&compile->arena, Analysis);
    compile->input.text = NULL; /* it was ours */
    a->compile = compile;
    e->failed = NULL;
    return a;
}

Analysis *doc_look(WorldEditor *e, Doc *doc) {
    if (!doc->analysis) doc->analysis = analysis_make(e, doc, doc->lines.text, NULL, COMPILE_LINT);
    return doc->analysis;
}

Analysis *doc_analysis(WorldEditor *e, Doc *doc) {
    find_sort(doc_look(e, doc));
    return doc->analysis;
}

static bool is_of(const Analysis *a, Str text) {
    return a && str_equal(sources_get(&a->compile->sources, a->compile->file)->text, text);
}

static Analysis *look_mended(WorldEditor *e, Doc *doc, Str text) {
    if (is_of(doc->analysis, text)) return doc->analysis;
    if (e->kept_of != doc) forget_kept(e);
    if (is_of(e->mended, text)) return e->mended;
    analysis_end(e->mended);
    e->mended = NULL;
    if (is_of(e->before, text)) { /* it stays while a word is written, and what comes before the next change is another */
        e->mended = e->before;
        e->before = NULL;
        return e->mended;
    }
    e->mended = analysis_make(e, doc, text, NULL, COMPILE_CHECK);
    e->kept_of = doc;
    return e->mended;
}

const Analysis *doc_mended(WorldEditor *e, Doc *doc, Str text) {
    Analysis *a = look_mended(e, doc, text);
    find_sort(a);
    return a;
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
