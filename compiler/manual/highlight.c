#include "compiler/manual/highlight.h"

#include "compiler/manual/markdown.h"
#include "lang/grammar.h"
#include "lang/layout.h"

enum { NESTING = 200 };

typedef struct Highlight {
    StrBuf *out;
    Str code;
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

static void put_token(Highlight *h, const Token *token, int next) {
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
    put(h, token->end, class_of(token, next));
}

void highlight_world(Arena *arena, StrBuf *out, Str code) {
    SourceSet sources;
    DiagList diags;
    Layout layout;
    VEC(Token) tokens = {0};
    sources_init(&sources, arena);
    diags_init(&diags, arena, &sources);
    uint32_t file = sources_add(&sources, STR_LIT("code"), code);
    Highlight h = {.out = out, .code = code};
    bool good = lexer_check_text(&diags, file);
    if (good) layout_init(&layout, arena, &diags, (Span){.file = file}, NESTING, true);
    for (Token token = {0}; good && token.kind != TOKEN_END;) {
        token = layout_next(&layout);
        if (token_group(token.kind) != TOKEN_GROUP_LAYOUT) VEC_PUSH(arena, &tokens, token);
    }
    good = good && diags.items.count == 0;
    if (!good) tokens.count = 0;
    for (int i = 0; i < tokens.count; i++)
        put_token(&h, &tokens.items[i], i + 1 < tokens.count ? tokens.items[i + 1].kind : TOKEN_END);
    if (good) put_gap(&h, (uint32_t)code.len);
    else html_escape(out, code);
}
