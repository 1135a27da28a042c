#include "lang/declared.h"

static bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static Str trimmed(Str text) {
    while (text.len && is_blank(text.ptr[text.len - 1]))
        text.len--;
    while (text.len && is_blank(text.ptr[0])) {
        text.ptr++;
        text.len--;
    }
    return text;
}

Str declared_name(const AstNode *node, const SymbolTable *symbols) {
    switch ((int)node->kind) {
    case AST_FN:
        return symbols_name(symbols, node->fn.name.symbol);
    case AST_RECORD:
        return symbols_name(symbols, node->record.name.symbol);
    case AST_CONTRACT:
        return symbols_name(symbols, node->contract.name.symbol);
    case AST_FIELD:
        return symbols_name(symbols, node->field.name.symbol);
    case AST_ALIAS:
        return symbols_name(symbols, node->alias.name.symbol);
    case AST_PART: {
        const AstNames *path = &node->part.path;
        return path->count ? symbols_name(symbols, path->items[path->count - 1].symbol)
                           : STR_LIT("");
    }
    default:
        return STR_LIT("");
    }
}

Str declared_doc(const AstNode *node) {
    switch ((int)node->kind) {
    case AST_FN:
        return node->fn.doc;
    case AST_RECORD:
        return node->record.doc;
    case AST_CONTRACT:
        return node->contract.doc;
    case AST_FIELD:
        return node->field.doc;
    case AST_ALIAS:
        return node->alias.doc;
    case AST_PART:
        return node->part.doc;
    default:
        return STR_LIT("");
    }
}

/* The part of a text before the first of some marks. */
static Str until(Str text, const char *mark) {
    size_t len = strlen(mark);
    for (size_t i = 0; i + len <= text.len; i++)
        if (memcmp(text.ptr + i, mark, len) == 0) return (Str){text.ptr, i};
    return text;
}

Str declared_text(const SourceSet *sources, const AstNode *node) {
    Span span = node->span;
    if (node->kind == AST_FN && node->fn.body) span.end = node->fn.body->span.start;
    Str text = sources_text(sources, span);
    while (text.len && strchr(" \n\r\t{", text.ptr[text.len - 1]))
        text.len--;
    if (node->kind == AST_PART || node->kind == AST_CONTRACT) text = until(text, "\n");
    return text;
}

Str declared_joined(Arena *arena, Str text) {
    StrBuf out = {.arena = arena};
    text = trimmed(text);
    for (size_t i = 0; i < text.len; i++) {
        bool blank = is_blank(text.ptr[i]);
        if (!blank) strbuf_char(&out, text.ptr[i]);
        if (blank && !is_blank(text.ptr[i + 1])) strbuf_char(&out, ' ');
    }
    return strbuf_take(&out);
}

static Str skip_word(Str text, const char *word) {
    size_t len = strlen(word);
    return str_starts(text, str_of(word)) ? (Str){text.ptr + len, text.len - len} : text;
}

/* "at: point", and whatever it is without. */
static void add_record(StrBuf *out, const SourceSet *sources, const AstNode *node) {
    for (int i = 0; i < node->record.fields.count; i++) {
        Str field =
            declared_joined(out->arena, sources_text(sources, node->record.fields.items[i].span));
        strbuf_printf(out, "%s%.*s", i ? ", " : "(", STR_ARG(field));
    }
    if (node->record.fields.count) strbuf_char(out, ')');
}

Str declared_line(Arena *arena, const SourceSet *sources, const AstNode *node) {
    Str text = skip_word(skip_word(declared_text(sources, node), "extern "), "intrinsic ");
    StrBuf out = {.arena = arena};
    if (node->kind == AST_RECORD) text = until(text, "\n");
    if (node->kind == AST_FN && !node->fn.body) text = until(until(until(text, " = \""), ", effect:"), ", takes:");
    strbuf_str(&out, declared_joined(arena, text));
    if (node->kind == AST_RECORD) add_record(&out, sources, node);
    return strbuf_take(&out);
}

Str declared_brief(Str doc) {
    for (size_t i = 0; i < doc.len; i++)
        if (doc.ptr[i] == '.' && (i + 1 == doc.len || is_blank(doc.ptr[i + 1])))
            return (Str){doc.ptr, i + 1};
    return doc;
}

Str declared_heading(Arena *arena, Str text) {
    StrBuf out = {.arena = arena};
    while (str_starts(text, STR_LIT("// "))) {
        Str line = until(text, "\n");
        strbuf_printf(&out, "%.*s ", (int)line.len - 3, line.ptr + 3);
        size_t skip = line.len < text.len ? line.len + 1 : line.len;
        text = (Str){text.ptr + skip, text.len - skip};
    }
    Str said = strbuf_take(&out), name = until(said, ": ");
    size_t skip = name.len < said.len ? name.len + 2 : 0;
    return declared_joined(arena, (Str){said.ptr + skip, said.len - skip});
}
