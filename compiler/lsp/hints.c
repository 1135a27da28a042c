/* Inlay hints: the types of fields and names that were given none. */
#include "compiler/lsp/lsp.h"

typedef struct Hints {
    WorldEditor *e;
    const Doc *doc;
    const Analysis *a;
    StrBuf *out;
    uint32_t start, end;
} Hints;

static void add_type(const Hints *h, Span name) {
    const CheckUse *use = find_name(h->a, name.file, name.start);
    if (!use || use->at.start != name.start || !use->type || use->type->kind == TYPE_POISON) return;
    Str type = type_name(use->type, &h->a->compile->symbols, &h->e->scratch);
    if (type.len == 0 || type.len > 40) return;
    write_item(h->out);
    strbuf_str(h->out, STR_LIT("{\"position\":"));
    write_place(h->out, lines_place(&h->doc->lines, name.end));
    strbuf_str(h->out, STR_LIT(",\"label\":"));
    write_text(h->out, str_printf(&h->e->scratch, ": %.*s", STR_ARG(type)));
    strbuf_str(h->out, STR_LIT(",\"kind\":1}"));
}

static void add_count(const Hints *h, const AstNode *ast) {
    AstName name = rule_name(h->a, ast);
    const RuleCount *count = count_of(h->doc, h->a, name.symbol);
    if (!count) return;
    write_item(h->out);
    strbuf_str(h->out, STR_LIT("{\"position\":"));
    write_place(h->out, lines_place(&h->doc->lines, name.span.end));
    strbuf_printf(h->out, ",\"label\":\"%lld placed\",\"paddingLeft\":true}", (long long)count->placed);
}

static void add_pattern(const AstNode *pattern, void *user) {
    if (pattern->kind == AST_NAME) add_type(user, pattern->span);
    if (pattern->kind == AST_PATTERN_TUPLE) ast_visit(pattern, add_pattern, user);
}

/* A literal shows what it is. */
static bool is_plain(const AstNode *value) {
    return !value || value->kind == AST_NUMBER || value->kind == AST_TEXT || value->kind == AST_BOOL || value->kind == AST_TEMPLATE;
}

static void add_node(const AstNode *ast, void *user) {
    Hints *h = user;
    if (ast->span.end < h->start || ast->span.start > h->end) return;
    if (ast->kind == AST_FIELD && !ast->field.type && !is_plain(ast->field.value)) add_type(h, ast->field.name.span);
    add_count(h, ast);
    if (ast->kind == AST_LET && !ast->let.type && !is_plain(ast->let.value)) add_pattern(ast->let.pattern, h);
    ast_visit(ast, add_node, h);
}

void lsp_hints(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    if (!doc) return;
    const Analysis *a = doc_analysis(e, doc);
    const JsonValue *range = member(params, "range");
    Hints h = {e, doc, a, out, params_offset(doc, member(range, "start")), params_offset(doc, member(range, "end"))};
    strbuf_char(out, '[');
    for (int i = 0; a->compile->ast && i < a->compile->ast->decls.count; i++)
        add_node(a->compile->ast->decls.items[i], &h);
    strbuf_char(out, ']');
}
