#include "compiler/manual/highlight.h"

#include "compiler/manual/markdown.h"
#include "lang/grammar.h"
#include "lang/layout.h"

enum { NESTING = 200 };

typedef struct Highlight {
    StrBuf *out;
    Str code;
    const NameLinks *links;
    SymbolTable declared; /* names that the code gives */
    uint32_t at; /* what stands before it is written */
} Highlight;

static Str part(const Highlight *h, uint32_t start, uint32_t end) {
    return (Str){h->code.ptr + start, end - start};
}

static void put(Highlight *h, uint32_t end, const char *class) {
    if (end <= h->at) return;
    if (class) strbuf_printf(h->out, "<span class=\"%s\">", class);
    html_escape(h->out, part(h, h->at, end));
    if (class) strbuf_str(h->out, STR_LIT("</span>"));
    h->at = end;
}

/* What stands between tokens, but for blanks, is comments. */
static void put_gap(Highlight *h, uint32_t end) {
    while (h->at < end) {
        Str gap = part(h, h->at, end);
        const char *slash = memchr(gap.ptr, '/', gap.len);
        if (!slash) break;
        put(h, (uint32_t)(slash - h->code.ptr), NULL);
        Str said = part(h, h->at, end);
        const char *line = memchr(said.ptr, '\n', said.len);
        put(h, line ? (uint32_t)(line - h->code.ptr) : end, str_starts(said, STR_LIT("///")) ? "d" : "c");
    }
    put(h, end, NULL);
}

static const char *class_of(const Token *token, int next) {
    switch (token_group(token->kind)) {
    case TOKEN_GROUP_WORD: return "k";
    case TOKEN_GROUP_LITERAL: break;
    case TOKEN_GROUP_MARK:
    case TOKEN_GROUP_JOINS:
    case TOKEN_GROUP_ENDS:
    case TOKEN_GROUP_LAYOUT: return NULL;
    }
    switch (token->kind) {
    case TOKEN_NAME: return next == TOKEN_LPAREN ? "f" : NULL;
    case TOKEN_NUMBER: return "n";
    case TOKEN_TEXT:
    case TOKEN_TEXT_BEGIN:
    case TOKEN_TEXT_MIDDLE:
    case TOKEN_TEXT_END: return "s";
    default: return "k"; /* a name that its neighbours make a word */
    }
}

static Str text_of(const Highlight *h, const Token *token) {
    return part(h, token->start, token->end);
}

static bool is_declaring(int kind) {
    return kind == TOKEN_FN || kind == TOKEN_PART || kind == TOKEN_FIELD || kind == TOKEN_RECORD || kind == TOKEN_LET || kind == TOKEN_VAR;
}

static void note_declared(Highlight *h, const Token *tokens, int count) {
    for (int i = 1; i < count; i++)
        if (tokens[i].kind == TOKEN_NAME && is_declaring(tokens[i - 1].kind)) symbols_intern(&h->declared, text_of(h, &tokens[i]));
}

/* Of what is called: `length` of `way.length(`, `cone` of `shapes.cone(`. */
static Str target_of(const Highlight *h, const Token *tokens, int at, int count) {
    bool called = tokens[at].kind == TOKEN_NAME && at + 1 < count && tokens[at + 1].kind == TOKEN_LPAREN;
    if (!h->links || !called || symbols_find(&h->declared, text_of(h, &tokens[at]))) return (Str){0};
    bool held = at > 1 && tokens[at - 1].kind == TOKEN_DOT && tokens[at - 2].kind == TOKEN_NAME;
    return h->links->find(h->links->user, held ? text_of(h, &tokens[at - 2]) : (Str){0}, text_of(h, &tokens[at]));
}

static void put_token(Highlight *h, const Token *token, int next, Str target) {
    if (token->end <= h->at) return;
    put_gap(h, token->start);
    if (token->kind == TOKEN_NUMBER && token->unit) {
        uint32_t digits = token->unit;
        while (digits > token->start && h->code.ptr[digits - 1] == ' ')
            digits--;
        put(h, digits, "n");
        put(h, token->unit, NULL);
        put(h, token->end, "u");
    }
    if (target.len) strbuf_printf(h->out, "<a href=\"%.*s\">", STR_ARG(target));
    put(h, token->end, class_of(token, next));
    if (target.len) strbuf_str(h->out, STR_LIT("</a>"));
}

void highlight_world(Arena *arena, StrBuf *out, Str code, const NameLinks *links) {
    SourceSet sources;
    DiagList diags;
    Layout layout;
    VEC(Token) tokens = {0};
    sources_init(&sources, arena);
    diags_init(&diags, arena, &sources);
    uint32_t file = sources_add(&sources, STR_LIT("code"), code);
    Highlight h = {.out = out, .code = code, .links = links};
    symbols_init(&h.declared, arena);
    bool good = lexer_check_text(&diags, file);
    if (good) layout_init(&layout, arena, &diags, (Span){.file = file}, NESTING, true);
    for (Token token = {0}; good && token.kind != TOKEN_END;) {
        token = layout_next(&layout);
        if (token_group(token.kind) != TOKEN_GROUP_LAYOUT) VEC_PUSH(arena, &tokens, token);
    }
    good = good && diags.items.count == 0;
    if (!good) tokens.count = 0;
    note_declared(&h, tokens.items, tokens.count);
    for (int i = 0; i < tokens.count; i++)
        put_token(&h, &tokens.items[i], i + 1 < tokens.count ? tokens.items[i + 1].kind : TOKEN_END, target_of(&h, tokens.items, i, tokens.count));
    if (good) put_gap(&h, (uint32_t)code.len);
    else html_escape(out, code);
}
