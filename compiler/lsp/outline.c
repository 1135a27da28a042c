/* What a text declares, and what of it can be folded. */
#include "compiler/lsp/lsp.h"

#include "lang/declared.h"

/* The protocol's SymbolKind. */
enum { SYMBOL_PACKAGE = 4, SYMBOL_CLASS = 5, SYMBOL_FIELD = 8, SYMBOL_INTERFACE = 11, SYMBOL_FUNCTION = 12, SYMBOL_STRUCT = 23, SYMBOL_EVENT = 24 };

typedef struct Outline {
    StrBuf *out;
    const Doc *doc;
    const SymbolTable *symbols;
    SourceSet *sources;
} Outline;

static int symbol_kind(const AstNode *ast) {
    switch ((int)ast->kind) {
    case AST_PART:
        return SYMBOL_CLASS;
    case AST_FIELD:
        return SYMBOL_FIELD;
    case AST_FN:
        return SYMBOL_FUNCTION;
    case AST_RECORD:
        return SYMBOL_STRUCT;
    case AST_CONTRACT:
    case AST_ALIAS:
        return SYMBOL_INTERFACE;
    case AST_USE:
        return SYMBOL_PACKAGE;
    case AST_CHECK:
        return SYMBOL_EVENT;
    default:
        return 0;
    }
}

static AstName name_of(const AstNode *ast) {
    switch ((int)ast->kind) {
    case AST_PART:
        return ast->part.path.count ? ast->part.path.items[ast->part.path.count - 1] : (AstName){0};
    case AST_FIELD:
        return ast->field.name;
    case AST_FN:
        return ast->fn.name;
    case AST_RECORD:
        return ast->record.name;
    case AST_CONTRACT:
        return ast->contract.name;
    case AST_ALIAS:
        return ast->alias.name;
    case AST_USE:
        return ast->use.package;
    default:
        return (AstName){0, ast->span};
    }
}

/* A part's whole path with its number, as it is written: "tree[thing.id]". */
static Str title_of(const Outline *o, const AstNode *ast) {
    if (ast->kind == AST_CHECK) return ast->check.title;
    if (ast->kind != AST_PART || !ast->part.path.count) return symbols_name(o->symbols, name_of(ast).symbol);
    Span span = ast->part.path.items[0].span;
    span.end = ast->part.index ? ast->part.index->span.end : name_of(ast).span.end;
    Str text = sources_text(o->sources, span);
    return ast->part.index ? str_printf(o->out->arena, "%.*s]", STR_ARG(text)) : text;
}

static void outline_node(const AstNode *ast, void *user);

static void write_symbol(Outline *o, const AstNode *ast, int kind) {
    const Lines *lines = &o->doc->lines;
    Str title = title_of(o, ast);
    Span name = name_of(ast).span;
    if (title.len == 0) title = STR_LIT("?"); /* a client refuses none */
    write_item(o->out);
    strbuf_str(o->out, STR_LIT("{\"name\":"));
    write_text(o->out, title);
    strbuf_printf(o->out, ",\"kind\":%d,\"range\":", kind);
    write_range(o->out, lines, ast->span.start, ast->span.end);
    strbuf_str(o->out, STR_LIT(",\"selectionRange\":"));
    write_range(o->out, lines, name.start, name.end);
    strbuf_str(o->out, STR_LIT(",\"children\":["));
    if (ast->kind == AST_PART)
        for (int i = 0; i < ast->part.body.count; i++)
            outline_node(ast->part.body.items[i], o);
    strbuf_str(o->out, STR_LIT("]}"));
}

/* What stands in an each or an if stands where that does. */
static void outline_node(const AstNode *ast, void *user) {
    Outline *o = user;
    int kind = symbol_kind(ast);
    if (kind && name_of(ast).span.file)
        write_symbol(o, ast, kind);
    else if (ast->kind == AST_EACH || ast->kind == AST_IF || ast->kind == AST_BLOCK)
        ast_visit(ast, outline_node, o);
}

void lsp_symbols(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    if (!doc) return;
    Compile *c = doc_analysis(e, doc)->compile;
    Outline o = {out, doc, &c->symbols, &c->sources};
    strbuf_char(out, '[');
    for (int i = 0; c->ast && i < c->ast->decls.count; i++)
        outline_node(c->ast->decls.items[i], &o);
    strbuf_char(out, ']');
}

/* -- folding -- */

typedef struct Folds {
    StrBuf *out;
    const Lines *lines;
    uint32_t last; /* the line where the last one begins: one a line */
} Folds;

static void write_fold(Folds *f, uint32_t first, uint32_t last, const char *kind) {
    if (last <= first || (f->last == first && f->out->len > 1)) return;
    f->last = first;
    write_item(f->out);
    strbuf_printf(f->out, "{\"startLine\":%u,\"endLine\":%u", first, last);
    if (kind) strbuf_printf(f->out, ",\"kind\":\"%s\"", kind);
    strbuf_char(f->out, '}');
}

/* What ends with a bracket keeps the bracket's line in sight. */
static void fold_node(const AstNode *ast, void *user) {
    Folds *f = user;
    Place first = lines_place(f->lines, ast->span.start), last = lines_place(f->lines, ast->span.end);
    char end = ast->span.end && ast->span.end <= f->lines->text.len ? f->lines->text.ptr[ast->span.end - 1] : ' ';
    bool bracket = ast->kind != AST_PART && strchr(")]}", end) != NULL;
    if (last.column == 0 && last.line > first.line) last.line--; /* it ended with its line */
    if (last.line > first.line) write_fold(f, first.line, last.line - bracket, NULL);
    ast_visit(ast, fold_node, f);
}

static bool is_comment(const Lines *lines, int line) {
    Str text = lines->text;
    uint32_t at = lines->starts[line];
    while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\t'))
        at++;
    return at + 1 < text.len && text.ptr[at] == '/' && text.ptr[at + 1] == '/';
}

void lsp_folding(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    if (!doc) return;
    const AstFile *ast = doc_analysis(e, doc)->compile->ast;
    Folds f = {.out = out, .lines = &doc->lines};
    strbuf_char(out, '[');
    for (int line = 0; line < doc->lines.count; line++) {
        int first = line;
        while (line < doc->lines.count && is_comment(&doc->lines, line))
            line++;
        if (line > first + 1) write_fold(&f, (uint32_t)first, (uint32_t)line - 1, "comment");
    }
    for (int i = 0; ast && i < ast->decls.count; i++)
        fold_node(ast->decls.items[i], &f);
    strbuf_char(out, ']');
}
