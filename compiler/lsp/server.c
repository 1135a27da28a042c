/* The editor as a host has it, and the protocol's envelope: which method a message asks for, and how it is answered. */
#include "compiler/lsp/cursor.h"

#include "compiler/engine/open/open.h"

/* Errors of JSON-RPC and of the protocol. */
enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, METHOD_NOT_FOUND = -32601, INVALID_PARAMS = -32602, REQUEST_FAILED = -32803 };

/* -- what messages hold -- */

const JsonValue *member(const JsonValue *object, const char *name) {
    return object && object->kind == JSON_OBJECT ? json_member(object, str_of(name)) : NULL;
}

Str member_text(const JsonValue *object, const char *name) {
    const JsonValue *value = member(object, name);
    return value && value->kind == JSON_TEXT ? value->text : STR_LIT("");
}

int64_t member_int(const JsonValue *object, const char *name) {
    const JsonValue *value = member(object, name);
    bool fits = value && value->kind == JSON_NUMBER && value->number >= 0 && value->number < 4e9;
    return fits ? (int64_t)value->number : 0;
}

void lsp_refuse(WorldEditor *e, int code, const char *why) {
    e->problem = why;
    e->problem_code = code ? code : REQUEST_FAILED;
}

Doc *params_doc(WorldEditor *e, const JsonValue *params) {
    Doc *doc = doc_find(e, member_text(member(params, "textDocument"), "uri"));
    if (!doc) lsp_refuse(e, INVALID_PARAMS, "that text is not open");
    return doc;
}

uint32_t params_offset(const Doc *doc, const JsonValue *place) {
    return lines_offset(&doc->lines, (Place){(uint32_t)member_int(place, "line"), (uint32_t)member_int(place, "character")});
}

/* -- the life of a server -- */

void lsp_send(WorldEditor *e, const StrBuf *message) {
    if (e->desc.send) e->desc.send(e->desc.user, message->ptr, message->len);
}

static void initialize(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    const JsonValue *encodings = member(member(member(params, "capabilities"), "general"), "positionEncodings");
    for (int i = 0; encodings && encodings->kind == JSON_ARRAY && i < encodings->members.count; i++)
        if (str_equal(encodings->members.items[i].value->text, STR_LIT("utf-8"))) e->utf8 = true;
    const JsonValue *workspace = member(member(params, "capabilities"), "workspace");
    const JsonValue *lenses = member(member(workspace, "codeLens"), "refreshSupport"), *hints = member(member(workspace, "inlayHint"), "refreshSupport");
    e->refreshes_lenses = lenses && lenses->kind == JSON_BOOL && lenses->truth;
    e->refreshes_hints = hints && hints->kind == JSON_BOOL && hints->truth;
    strbuf_printf(out,
                  "{\"capabilities\":{\"positionEncoding\":\"%s\",\"textDocumentSync\":{\"openClose\":true,\"change\":2,\"save\":{}},"
                  "\"documentSymbolProvider\":true,\"hoverProvider\":true,\"definitionProvider\":true,\"referencesProvider\":true,"
                  "\"documentHighlightProvider\":true,\"completionProvider\":{\"triggerCharacters\":[\".\",\"(\",\",\"]},"
                  "\"signatureHelpProvider\":{\"triggerCharacters\":[\"(\",\",\"]},\"documentFormattingProvider\":true,"
                  "\"foldingRangeProvider\":true,\"renameProvider\":{\"prepareProvider\":true},\"inlayHintProvider\":true,"
                  "\"codeLensProvider\":{},\"executeCommandProvider\":{\"commands\":[\"world.count\",\"world.value\",\"world.why\"]},"
                  "\"codeActionProvider\":{\"codeActionKinds\":[\"quickfix\"]},"
                  "\"semanticTokensProvider\":{\"full\":true,\"legend\":{\"tokenTypes\":[",
                  e->utf8 ? "utf-8" : "utf-16");
    for (int i = 0; i < SEMANTIC_COUNT; i++)
        strbuf_printf(out, "%s\"%s\"", i ? "," : "", lsp_semantics[i]);
    strbuf_printf(out, "],\"tokenModifiers\":[\"declaration\"]}}},\"serverInfo\":{\"name\":\"worldc\",\"version\":\"%d.%d.%d\"}}", WORLD_VERSION_MAJOR,
                  WORLD_VERSION_MINOR, WORLD_VERSION_PATCH);
}

static void shut_down(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    (void)params;
    e->shut_down = true;
    strbuf_str(out, STR_LIT("null"));
}

static void leave(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    (void)params;
    (void)out;
    e->exit_code = e->shut_down ? 0 : 1;
}

static void ignore(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    (void)e;
    (void)params;
    (void)out;
}

/* -- texts that come, change and go -- */

static void did_open(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    (void)out;
    const JsonValue *text = member(params, "textDocument");
    doc_open(e, member_text(text, "uri"), member_text(text, "text"), member_int(text, "version"));
    docs_forget(e, NULL);
}

/* All of a text, or a piece of it. */
static void change(WorldEditor *e, Doc *doc, const JsonValue *how) {
    const JsonValue *range = member(how, "range");
    Str text = member_text(how, "text"), whole = doc->lines.text;
    StrBuf out = {.arena = &e->scratch};
    uint32_t start = 0, end = (uint32_t)whole.len;
    if (range) {
        start = params_offset(doc, member(range, "start"));
        end = params_offset(doc, member(range, "end"));
    }
    if (end < start) end = start;
    strbuf_add(&out, whole.ptr, start);
    strbuf_str(&out, text);
    strbuf_add(&out, whole.ptr + end, whole.len - end);
    doc_set_text(e, doc, strbuf_take(&out));
    e->typed = range ? doc : NULL;
    e->typed_at = start + (uint32_t)text.len;
}

static void did_change(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    (void)out;
    Doc *doc = params_doc(e, params);
    const JsonValue *changes = member(params, "contentChanges");
    if (!doc || !changes || changes->kind != JSON_ARRAY) return;
    for (int i = 0; i < changes->members.count; i++)
        change(e, doc, changes->members.items[i].value);
    doc->version = member_int(member(params, "textDocument"), "version");
    docs_forget(e, doc);
}

static void did_close(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    (void)out;
    Doc *doc = params_doc(e, params);
    if (!doc) return;
    StrBuf message = {.arena = &e->scratch};
    strbuf_str(&message, STR_LIT("{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\"params\":{\"uri\":"));
    write_text(&message, doc->uri);
    strbuf_str(&message, STR_LIT(",\"diagnostics\":[]}}"));
    doc_close(e, doc);
    docs_forget(e, NULL);
    lsp_send(e, &message);
}

/* Files changed outside. */
static void did_save(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    (void)params;
    (void)out;
    docs_forget(e, NULL);
}

/* -- methods -- */

static const struct Method {
    const char *name;
    LspMethod *run;
} methods[] = {
    {"initialize", initialize},
    {"initialized", ignore},
    {"shutdown", shut_down},
    {"exit", leave},
    {"$/cancelRequest", ignore},
    {"$/setTrace", ignore},
    {"textDocument/didOpen", did_open},
    {"textDocument/didChange", did_change},
    {"textDocument/didClose", did_close},
    {"textDocument/didSave", did_save},
    {"workspace/didChangeWatchedFiles", did_save},
    {"workspace/didChangeConfiguration", ignore},
    {"textDocument/documentSymbol", lsp_symbols},
    {"textDocument/foldingRange", lsp_folding},
    {"textDocument/hover", lsp_hover},
    {"textDocument/definition", lsp_definition},
    {"textDocument/references", lsp_references},
    {"textDocument/documentHighlight", lsp_highlight},
    {"textDocument/completion", lsp_completion},
    {"textDocument/signatureHelp", lsp_signature},
    {"textDocument/formatting", lsp_format},
    {"textDocument/semanticTokens/full", lsp_tokens},
    {"textDocument/inlayHint", lsp_hints},
    {"textDocument/prepareRename", lsp_prepare_rename},
    {"textDocument/rename", lsp_rename},
    {"textDocument/codeAction", lsp_actions},
    {"textDocument/codeLens", lsp_lenses},
    {"workspace/executeCommand", lsp_command},
};

static LspMethod *find_method(Str name) {
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (str_equal(name, str_of(methods[i].name))) return methods[i].run;
    return NULL;
}

/* `id` as the client wrote it; NULL: it could not be read. */
static void answer(WorldEditor *e, const JsonValue *id, const StrBuf *result) {
    StrBuf out = {.arena = &e->scratch};
    strbuf_str(&out, STR_LIT("{\"jsonrpc\":\"2.0\",\"id\":"));
    if (id && id->kind == JSON_TEXT)
        write_text(&out, id->text);
    else
        strbuf_str(&out, id && id->kind == JSON_NUMBER ? id->text : STR_LIT("null"));
    if (e->problem) {
        strbuf_printf(&out, ",\"error\":{\"code\":%d,\"message\":", e->problem_code);
        write_text(&out, str_of(e->problem));
        strbuf_str(&out, STR_LIT("}}"));
    } else {
        strbuf_printf(&out, ",\"result\":%.*s}", result->len ? (int)result->len : 4, result->len ? result->ptr : "null");
    }
    lsp_send(e, &out);
}

static void serve(WorldEditor *e, Str json) {
    SourceSet sources;
    DiagList diags;
    sources_init(&sources, &e->scratch);
    diags_init(&diags, &e->scratch, &sources);
    const JsonValue *message = json_read(&e->scratch, &diags, sources_add(&sources, STR_LIT("<message>"), json));
    StrBuf result = {.arena = &e->scratch};
    if (!message) {
        lsp_refuse(e, PARSE_ERROR, "that is no JSON");
        answer(e, NULL, &result);
        return;
    }
    const JsonValue *id = member(message, "id");
    Str name = member_text(message, "method");
    if (name.len == 0 && id) return; /* an answer to something we never ask */
    LspMethod *method = find_method(name);
    if (method && !e->shut_down)
        method(e, member(message, "params"), &result);
    else if (method == leave)
        leave(e, NULL, &result);
    else
        lsp_refuse(e, e->shut_down ? INVALID_REQUEST : METHOD_NOT_FOUND, e->shut_down ? "the server was shut down" : "no such method");
    if (id) answer(e, id, &result);
}

static void tell_all(WorldEditor *e, Str unused) {
    (void)unused;
    for (Doc *doc = e->docs; doc; doc = doc->next)
        if (doc->untold) diagnostics_tell(e, doc);
    Doc *typed = e->typed;
    e->typed = NULL;
    if (!typed) return;
    doc_analysis(e, typed); /* what is asked next is of its names, */
    cursor_at(e, typed, e->typed_at); /* and what may stand there */
}

/* -- the public face -- */

static WorldStatus guarded(WorldEditor *e, void (*body)(WorldEditor *, Str), Str text) {
    Recover recover;
    WorldStatus status;
    e->problem = NULL;
    if (MEMORY_TRY(&recover)) {
        body(e, text);
        memory_end_try(&recover);
        status = WORLD_OK;
    } else {
        status = WORLD_ERROR_MEMORY;
    }
    built_end(e);
    compile_destroy(e->failed);
    e->failed = NULL;
    arena_fini(&e->scratch);
    return status;
}

WorldStatus world_editor_message(WorldEditor *editor, const char *json, size_t length) {
    if (editor == NULL || json == NULL || length > ENGINE_TEXT_MOST) return WORLD_ERROR_ARGUMENT;
    return guarded(editor, serve, (Str){json, length});
}

WorldStatus world_editor_rest(WorldEditor *editor) {
    if (editor == NULL) return WORLD_ERROR_ARGUMENT;
    return guarded(editor, tell_all, STR_LIT(""));
}

int world_editor_exit_code(const WorldEditor *editor) {
    return editor ? editor->exit_code : -1;
}

WorldStatus world_editor_create(WorldEngine *engine, const WorldEditorDesc *desc, WorldEditor **editor) {
    if (engine == NULL || desc == NULL || desc->size < sizeof(size_t) || editor == NULL) return WORLD_ERROR_ARGUMENT;
    Arena arena;
    Recover recover;
    arena_init(&arena, &engine->memory);
    if (!MEMORY_TRY(&recover)) {
        arena_fini(&arena);
        return WORLD_ERROR_MEMORY;
    }
    WorldEditor *e = ARENA_NEW(&arena, WorldEditor);
    memory_end_try(&recover);
    e->arena = arena;
    e->engine = engine;
    arena_init(&e->scratch, &engine->memory);
    memcpy(&e->desc, desc, desc->size < sizeof e->desc ? desc->size : sizeof e->desc);
    e->exit_code = -1;
    *editor = e;
    return WORLD_OK;
}

void world_editor_destroy(WorldEditor *editor) {
    if (editor == NULL) return;
    while (editor->docs)
        doc_close(editor, editor->docs);
    compile_destroy(editor->library);
    arena_fini(&editor->scratch);
    Arena arena = editor->arena;
    arena_fini(&arena);
}
