/* What diagnostics offer, as something to be done. */
#include "compiler/lsp/lsp.h"

static void write_action(StrBuf *out, WorldEditor *e, const Doc *doc, const Analysis *a, const Diag *diag) {
    Str was = sources_text(&a->compile->sources, diag->fix.span);
    Str title = diag->fix.text.len == 0 ? str_printf(&e->scratch, "leave out '%.*s'", STR_ARG(was))
                : was.len               ? str_printf(&e->scratch, "write '%.*s'", STR_ARG(diag->fix.text))
                                        : str_printf(&e->scratch, "add '%.*s'", STR_ARG(diag->fix.text));
    write_item(out);
    strbuf_str(out, STR_LIT("{\"title\":"));
    write_text(out, title);
    strbuf_str(out, STR_LIT(",\"kind\":\"quickfix\",\"isPreferred\":true,\"diagnostics\":["));
    diagnostics_write(out, e, doc, a, diag);
    strbuf_str(out, STR_LIT("],\"edit\":{\"changes\":{"));
    write_text(out, doc->uri);
    strbuf_str(out, STR_LIT(":["));
    write_edit(out, &doc->lines, diag->fix.span.start, diag->fix.span.end, diag->fix.text);
    strbuf_str(out, STR_LIT("]}}}"));
}

/* Of the mistakes that touch the range. */
void lsp_actions(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    if (!doc) return;
    const Analysis *a = doc_analysis(e, doc);
    const JsonValue *range = member(params, "range");
    uint32_t start = params_offset(doc, member(range, "start")), end = params_offset(doc, member(range, "end"));
    strbuf_char(out, '[');
    for (int i = 0; i < a->compile->diags.items.count; i++) {
        const Diag *diag = a->compile->diags.items.items[i];
        bool here = diag->fix.present && diag->fix.span.file == a->compile->file && diag->span.file == a->compile->file;
        if (here && diag->span.start <= end && diag->span.end >= start) write_action(out, e, doc, a, diag);
    }
    strbuf_char(out, ']');
}
