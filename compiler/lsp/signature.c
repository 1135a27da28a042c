/* What the call takes in which somebody writes. */
#include "compiler/lsp/callee.h"
#include "compiler/lsp/cursor.h"

#include "lang/declared.h"

static void write_parameters(StrBuf *out, const Analysis *a, const Callee *callee) {
    strbuf_str(out, STR_LIT(",\"parameters\":["));
    for (int i = callee->skip; i < callee->params->count; i++) {
        const AstParam *param = &callee->params->items[i];
        write_item(out);
        strbuf_str(out, STR_LIT("{\"label\":"));
        write_text(out, declared_joined(out->arena, sources_text(&a->compile->sources, param->span)));
        if (param->doc.len) strbuf_str(out, STR_LIT(",\"documentation\":"));
        if (param->doc.len) write_text(out, param->doc);
        strbuf_char(out, '}');
    }
    strbuf_char(out, ']');
}

void lsp_signature(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    if (!doc) return;
    uint32_t offset = params_offset(doc, member(params, "position"));
    Cursor at = cursor_at(e, doc, offset);
    if (at.place == CURSOR_UNIT) { /* a number is whole as it stands */
        at.analysis = doc_analysis(e, doc);
        at.offset = offset;
    }
    NodePath path = {0};
    Callee callee;
    if (!at.analysis || !at.analysis->compile->ast) return;
    find_path(at.analysis, &e->scratch, at.offset, &path);
    if (!callee_at(at.analysis, &path, at.offset, &callee) || !callee.params || callee.call->kind != AST_CALL) return;
    int argument = callee_argument(&callee, at.offset);
    bool comma = at.place == CURSOR_VALUE && at.offset < doc->lines.text.len && doc->lines.text.ptr[at.offset] == ',';
    const AstParam *param = callee_param(&callee, argument + comma);
    strbuf_str(out, STR_LIT("{\"signatures\":[{\"label\":"));
    write_text(out, declared_line(&e->scratch, &at.analysis->compile->sources, callee.use->ast));
    Str said = declared_doc(callee.use->ast);
    if (said.len) strbuf_str(out, STR_LIT(",\"documentation\":"));
    if (said.len) write_text(out, said);
    write_parameters(out, at.analysis, &callee);
    int active = param ? (int)(param - callee.params->items) - callee.skip : 0;
    strbuf_printf(out, "}],\"activeSignature\":0,\"activeParameter\":%d}", active < 0 ? 0 : active);
}
