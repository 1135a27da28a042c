/* What is wrong with a text, told when it is another. */
#include "compiler/lsp/lsp.h"

/* Notes are of other places: those in files are told as related, those in none with the message, as help is. */
static void write_message(StrBuf *out, WorldEditor *e, const Diag *diag) {
    StrBuf text = {.arena = &e->scratch};
    strbuf_str(&text, diag->message);
    if (diag->help.len) strbuf_printf(&text, "\n%.*s", STR_ARG(diag->help));
    for (int i = 0; i < diag->notes.count; i++)
        if (diag->notes.items[i].span.file == 0) strbuf_printf(&text, "\n%.*s", STR_ARG(diag->notes.items[i].text));
    write_text(out, strbuf_take(&text));
}

static void write_related(StrBuf *out, WorldEditor *e, const Doc *doc, const Analysis *a, const Diag *diag) {
    strbuf_str(out, STR_LIT(",\"relatedInformation\":["));
    for (int i = 0; i < diag->notes.count; i++) {
        const DiagNote *note = &diag->notes.items[i];
        Str path = note->span.file ? source_path(doc, a, note->span.file) : STR_LIT("");
        if (path.len == 0) continue;
        Lines lines = source_lines(e, a, note->span.file);
        write_item(out);
        strbuf_str(out, STR_LIT("{\"location\":{\"uri\":"));
        write_text(out, note->span.file == a->compile->file ? doc->uri : uri_of(&e->scratch, path));
        strbuf_str(out, STR_LIT(",\"range\":"));
        write_range(out, &lines, note->span.start, note->span.end);
        strbuf_str(out, STR_LIT("},\"message\":"));
        write_text(out, note->text);
        strbuf_char(out, '}');
    }
    strbuf_char(out, ']');
}

void diagnostics_write(StrBuf *out, WorldEditor *e, const Doc *doc, const Analysis *a, const Diag *diag) {
    char code[8];
    Span span = diag->span.file == a->compile->file ? diag->span : (Span){0};
    diag_code(diag->id, code);
    write_item(out);
    strbuf_str(out, STR_LIT("{\"range\":"));
    write_range(out, &doc->lines, span.start, span.end);
    strbuf_printf(out, ",\"severity\":%d,\"code\":\"%s\",\"source\":\"worldc\",\"message\":", diag->severity == DIAG_ERROR ? 1 : 2, code);
    write_message(out, e, diag);
    write_related(out, e, doc, a, diag);
    strbuf_char(out, '}');
}

/* A file that this one uses tells its own mistakes when it is open; here the place where it is used has them. */
static const AstNode *use_of(const Analysis *a, uint32_t file) {
    for (int i = 0; i < a->compile->files.uses.count; i++) {
        const FileUse *use = &a->compile->files.uses.items[i];
        if (use->file->source == file && use->ast->span.file == a->compile->file) return use->ast;
    }
    return NULL;
}

void diagnostics_tell(WorldEditor *e, Doc *doc) {
    StrBuf out = {.arena = &e->scratch};
    const Analysis *a = doc_look(e, doc);
    strbuf_str(&out, STR_LIT("{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\"params\":{\"uri\":"));
    write_text(&out, doc->uri);
    strbuf_printf(&out, ",\"version\":%lld,\"diagnostics\":[", (long long)doc->version);
    for (int i = 0; i < a->compile->diags.items.count; i++) {
        const Diag *diag = a->compile->diags.items.items[i];
        Diag there = *diag;
        const AstNode *use = diag->span.file > a->compile->file ? use_of(a, diag->span.file) : NULL;
        if (use) there.span = use->span;
        if (use) there.message = str_printf(&e->scratch, "in %.*s: %.*s", STR_ARG(source_path(doc, a, diag->span.file)), STR_ARG(diag->message));
        diagnostics_write(&out, e, doc, a, &there);
    }
    strbuf_str(&out, STR_LIT("]}}"));
    doc->untold = false;
    lsp_send(e, &out);
}
