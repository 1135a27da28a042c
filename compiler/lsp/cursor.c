#include "compiler/lsp/cursor.h"

#include "lang/grammar.h"
#include "lang/lexer.h"

typedef struct Before { /* the last tokens before a place, the nearest first */
    Token tokens[3];
    bool inside; /* a text, or a comment */
    Token number; /* that the place is in, or right behind */
} Before;

static bool is_text(int kind) {
    return kind == TOKEN_TEXT || kind == TOKEN_TEXT_BEGIN || kind == TOKEN_TEXT_MIDDLE || kind == TOKEN_TEXT_END;
}

/* From the end of the last token to the place, in one line. */
static bool has_comment(Str text, uint32_t from, uint32_t to) {
    bool comment = false;
    for (uint32_t i = from; i < to; i++) {
        if (text.ptr[i] == '\n') comment = false;
        if (text.ptr[i] == '/' && i + 1 < to && text.ptr[i + 1] == '/') comment = true;
    }
    return comment;
}

/* Of the tokens from a line's start on. */
static Before look_from(WorldEditor *e, Str text, uint32_t start, uint32_t word, uint32_t offset) {
    Before b = {0};
    SourceSet sources;
    DiagList diags;
    Lexer lexer;
    sources_init(&sources, &e->scratch);
    diags_init(&diags, &e->scratch, &sources);
    const char *line = memchr(text.ptr + offset, '\n', text.len - offset);
    size_t end = line ? (size_t)(line - text.ptr) : text.len;
    uint32_t file = sources_add(&sources, STR_LIT(""), (Str){text.ptr + start, end - start});
    if (!lexer_check_text(&diags, file)) return (Before){.inside = true};
    lexer_init(&lexer, &diags, file);
    for (Token t = lexer_next(&lexer); t.kind != TOKEN_END && start + t.start < offset; t = lexer_next(&lexer)) {
        t.start += start, t.end += start;
        if (is_text(t.kind) && offset < t.end) b.inside = true;
        if (t.kind == TOKEN_NUMBER && t.end >= offset) b.number = t;
        if (t.end > word) continue;
        b.tokens[2] = b.tokens[1];
        b.tokens[1] = b.tokens[0];
        b.tokens[0] = t;
    }
    b.inside = b.inside || has_comment(text, b.tokens[0].end > start ? b.tokens[0].end : start, word);
    return b;
}

static uint32_t line_start(Str text, uint32_t offset) {
    while (offset > 0 && text.ptr[offset - 1] != '\n')
        offset--;
    return offset;
}

/* No token goes past its line: so many lines are read as hold three. */
static Before look_before(WorldEditor *e, Str text, uint32_t word, uint32_t offset) {
    uint32_t start = line_start(text, word);
    Before b = look_from(e, text, start, word, offset);
    for (uint32_t far = 64; start > 0 && !b.inside && !b.tokens[2].end; far *= 4) {
        start = line_start(text, start > far ? start - far : 0);
        b = look_from(e, text, start, word, offset);
    }
    return b;
}

static bool same_line(Str text, uint32_t from, uint32_t to) {
    return from <= to && memchr(text.ptr + from, '\n', to - from) == NULL;
}

/* Names with dots between that end there. */
static Str names_before(Str text, uint32_t end) {
    uint32_t start = text_word_start(text, end);
    while (start > 0 && text.ptr[start - 1] == '.')
        start = text_word_start(text, start - 1);
    return (Str){text.ptr + start, end - start};
}

static CursorPlace place_of(const Before *b, Str text, uint32_t word) {
    const Token *t = b->tokens;
    bool begun = t[0].end > 0 && same_line(text, t[0].end, word);
    bool names = t[0].kind == TOKEN_FN || t[0].kind == TOKEN_RECORD || t[0].kind == TOKEN_FIELD || t[0].kind == TOKEN_LET || t[0].kind == TOKEN_VAR;
    if (b->inside || (names && begun)) return CURSOR_NOWHERE;
    if (b->number.end || (t[0].kind == TOKEN_NUMBER && begun && word > t[0].end)) return CURSOR_UNIT;
    if (t[0].kind == TOKEN_DOT) return CURSOR_MEMBER;
    bool declares = t[2].kind == TOKEN_FIELD || t[2].kind == TOKEN_LET || t[2].kind == TOKEN_VAR;
    if (t[0].kind == TOKEN_COLON && t[1].kind == TOKEN_NAME && declares) return CURSOR_TYPE;
    bool open = t[0].kind && (token_group(t[0].kind) == TOKEN_GROUP_JOINS || token_group(t[0].kind) == TOKEN_GROUP_ENDS);
    bool within = t[0].kind == TOKEN_LPAREN || t[0].kind == TOKEN_LBRACKET;
    if (!t[0].kind || (!begun && !open && !within) || t[0].kind == TOKEN_LBRACE || t[0].kind == TOKEN_RBRACE || t[0].kind == TOKEN_SEMICOLON) return CURSOR_LINE;
    return CURSOR_VALUE;
}

static Str text_without(WorldEditor *e, Str text, uint32_t start, uint32_t end, Str put) {
    StrBuf out = {.arena = &e->scratch};
    strbuf_add(&out, text.ptr, start);
    strbuf_str(&out, put);
    strbuf_add(&out, text.ptr + end, text.len - end);
    return strbuf_take(&out);
}

Cursor cursor_at(WorldEditor *e, Doc *doc, uint32_t offset) {
    Str text = doc->lines.text;
    uint32_t word = text_word_start(text, offset);
    Before b = look_before(e, text, word, offset);
    Cursor c = {.place = place_of(&b, text, word), .offset = word};
    if (c.place == CURSOR_NOWHERE || c.place == CURSOR_UNIT) return c;
    int kind = b.tokens[0].kind;
    bool value = c.place == CURSOR_VALUE && kind != TOKEN_LPAREN && kind != TOKEN_COMMA;
    if (c.place == CURSOR_MEMBER || (c.place == CURSOR_VALUE && kind == TOKEN_COMMA)) c.offset = b.tokens[0].start;
    if (c.place == CURSOR_MEMBER) c.before = names_before(text, c.offset);
    Str put = value ? STR_LIT("none") : c.place == CURSOR_TYPE ? STR_LIT("int") : STR_LIT("");
    c.analysis = doc_mended(e, doc, text_without(e, text, c.offset, offset, put));
    return c;
}
