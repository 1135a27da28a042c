/* The loop that feeds the grammar, and what happens when it refuses a token.
 *
 * A refusal is reported once; then tokens are skipped to where the statement that holds it ends
 * (the next NEWLINE no deeper than the mistake, or the end of the body or `{ }` round it), so that
 * one mistake is one message and everything after it is still read. The layout has made every
 * bracket match, so "deeper" can be trusted.
 */
#include "lang/parse.h"

#include <stdio.h>

#include "lang/grammar.h"
#include "lang/lexer.h"
#include "lang/parser.h"

#define DEFAULT_SOURCE_BYTES (16u << 20)
#define HEIGHT_PER_NESTING                                                                         \
    10 /* a tree may be this much higher than brackets may nest: a + b + c + ... */
#define EXPECTED_SHOWN 4
#define FOUND_SHOWN 30 /* bytes of the author's text that a message quotes */

/* -- what was expected, what was found -- */

/* Tokens worth naming by themselves, in the order in which a message names them. */
static const int SINGLES[] = {
    TOKEN_COLON,  TOKEN_IN,       TOKEN_ASSIGN, TOKEN_LBRACE,  TOKEN_LBRACKET, TOKEN_COMMA,
    TOKEN_RPAREN, TOKEN_RBRACKET, TOKEN_RBRACE, TOKEN_NEWLINE, TOKEN_END,
};

typedef struct Phrase { /* "a, b or c" */
    const char *parts[EXPECTED_SHOWN];
    int count;
} Phrase;

static void add_part(Phrase *phrase, const char *part) {
    if (phrase->count < EXPECTED_SHOWN) phrase->parts[phrase->count++] = part;
}

static Str join_phrase(const Phrase *phrase, Arena *arena) {
    StrBuf out = {.arena = arena};
    for (int i = 0; i < phrase->count; i++) {
        if (i > 0) strbuf_str(&out, i + 1 < phrase->count ? STR_LIT(", ") : STR_LIT(" or "));
        strbuf_str(&out, str_of(phrase->parts[i]));
    }
    return strbuf_take(&out);
}

static const char *describe(const Parser *p, int kind) {
    bool is_expression = p->layout.frames.items[0].kind == FRAME_PARENS;
    return kind == TOKEN_END && is_expression ? "the end of the expression" : token_describe(kind);
}

static bool accepts(const Parser *p, int kind) {
    return grammar_accepts(p->grammar, kind);
}

static bool accepts_operator(const Parser *p) {
    return accepts(p, TOKEN_DOT) && accepts(p, TOKEN_PLUS);
}

/* In groups, as an author thinks: values, types, names, then single marks. */
static Str describe_expected(const Parser *p) {
    Phrase phrase = {0};
    if (accepts(p, TOKEN_LET))
        add_part(&phrase, "a statement");
    else if (accepts(p, TOKEN_NUMBER) && accepts(p, TOKEN_LBRACE))
        add_part(&phrase, "an expression");
    else if (accepts(p, TOKEN_NUMBER))
        add_part(&phrase, "a number");
    else if (accepts(p, TOKEN_NAME) && accepts(p, TOKEN_FN))
        add_part(&phrase, "a type");
    else if (accepts(p, TOKEN_NAME))
        add_part(&phrase, "a name");
    else if (accepts(p, TOKEN_LPAREN) && !accepts_operator(p))
        add_part(&phrase, "'('");
    bool has_value = phrase.count > 0 && accepts(p, TOKEN_NUMBER);
    for (size_t i = 0; i < sizeof SINGLES / sizeof *SINGLES; i++) {
        bool begins_value = SINGLES[i] == TOKEN_LBRACE || SINGLES[i] == TOKEN_LBRACKET;
        bool continues_value = SINGLES[i] == TOKEN_LBRACKET && accepts_operator(p);
        bool is_line_end = SINGLES[i] == TOKEN_END && accepts(p, TOKEN_NEWLINE);
        if ((has_value && begins_value) || continues_value || is_line_end) continue;
        if (accepts(p, SINGLES[i])) add_part(&phrase, describe(p, SINGLES[i]));
    }
    if (phrase.count == 0)
        add_part(&phrase, accepts_operator(p) ? "an operator" : "something else");
    return join_phrase(&phrase, p->arena);
}

static Str describe_found(const Parser *p, Token found) {
    Str text = sources_text(p->diags->sources, (Span){p->file, found.start, found.end});
    TokenGroup group = token_group(found.kind);
    if (found.kind == TOKEN_TEXT || found.kind == TOKEN_TEXT_BEGIN) return STR_LIT("a text");
    if (found.kind == TOKEN_TEXT_MIDDLE || found.kind == TOKEN_TEXT_END) return STR_LIT("'}'");
    if (group == TOKEN_GROUP_LAYOUT) return str_of(describe(p, found.kind));
    bool cut = text.len > FOUND_SHOWN;
    return str_printf(p->arena, "'%.*s%s'", cut ? FOUND_SHOWN : (int)text.len, text.ptr,
                      cut ? "..." : "");
}

static bool is_comparison(int kind) {
    return kind == TOKEN_EQ || kind == TOKEN_NE || kind == TOKEN_LT || kind == TOKEN_LE ||
           kind == TOKEN_GT || kind == TOKEN_GE;
}

static void report_unexpected(Parser *p, Token found) {
    if (found.made_up) return; /* what it stands for was reported */
    Span span = {p->file, found.start, found.end};
    if (is_comparison(found.kind) && accepts_operator(p)) {
        diag_add(p->diags, DIAG_E_PARSE_CHAINED, span);
        return;
    }
    Str expected = describe_expected(p), text = describe_found(p, found);
    parser_add_hint(p, diag_add(p->diags, DIAG_E_PARSE_UNEXPECTED, span, expected.ptr, text.ptr), found);
}

/* -- limits -- */

void parser_stop(Parser *p, const char *what, int limit) {
    if (p->stopped) return;
    p->stopped = true;
    char text[16];
    snprintf(text, sizeof text, "%d", limit);
    diag_add(p->diags, DIAG_E_LIMIT, (Span){p->file, p->current.start, p->current.end}, what, text);
}

void parser_note_overflow(Parser *p) {
    parser_stop(p, "the depth of this", p->height_limit);
}

/* -- the loop -- */

static bool ends_statement(Token token, int depth) {
    if (token.kind == TOKEN_NEWLINE || token.kind == TOKEN_INDENT) return token.depth <= depth;
    if (token.kind == TOKEN_DEDENT || token.kind == TOKEN_RBRACE) return token.depth < depth;
    return token.kind == TOKEN_END;
}

static bool is_structure(Token token) {
    return token.kind == TOKEN_NEWLINE || token.kind == TOKEN_INDENT ||
           token.kind == TOKEN_DEDENT || token.kind == TOKEN_RBRACE || token.kind == TOKEN_END;
}

/* The token with which the grammar goes on after it refused `refused`. Brackets are not judged on
 * the way; nor after it, in this declaration, when what is missing may be a brace. */
static Token skip_statement(Parser *p, Token refused) {
    bool untrusted =
        p->layout.brackets_untrusted || (accepts(p, TOKEN_LBRACE) && !accepts(p, TOKEN_NUMBER));
    p->layout.brackets_untrusted = true;
    Token token = layout_next(&p->layout);
    while (!ends_statement(token, refused.depth))
        token = layout_next(&p->layout);
    p->layout.brackets_untrusted = untrusted;
    return token;
}

/* Reports `refused`, has the grammar take up its thread, and answers the token to go on with. */
static Token recover(Parser *p, Token refused) {
    report_unexpected(p, refused);
    p->mistake_at = refused.start;
    Token next = is_structure(refused) ? refused : skip_statement(p, refused);
    grammar_recover(p->grammar, refused, p);
    return accepts(p, next.kind) ? next : skip_statement(p, next);
}

static void run(Parser *p) {
    Token token = layout_next(&p->layout);
    while (!p->stopped && !diags_full(p->diags)) {
        p->current = token;
        if (!accepts(p, token.kind)) {
            token = recover(p, token);
            if (!accepts(p, token.kind)) break; /* the layout stopped within something */
        }
        grammar_feed(p->grammar, token, p);
        if (token.kind == TOKEN_END) break;
        p->before = token;
        token = layout_next(&p->layout);
    }
    if (accepts(p, 0)) grammar_feed(p->grammar, (Token){0}, p);
}

static bool check_size(DiagList *diags, uint32_t file, uint32_t limit) {
    if (limit == 0) limit = DEFAULT_SOURCE_BYTES;
    if (sources_get(diags->sources, file)->text.len <= limit) return true;
    char text[24];
    snprintf(text, sizeof text, "%u bytes", limit);
    diag_add(diags, DIAG_E_LIMIT, (Span){file, 0, 0}, "this source's size", text);
    return false;
}

/* A part of a file, or all of it, which was not looked at before. */
static void parse(Parser *p, bool lines) {
    bool is_new = p->part.end == p->part.start;
    if (is_new && (!check_size(p->diags, p->file, p->limits.source_bytes) || !lexer_check_text(p->diags, p->file)))
        return;
    if (p->limits.nesting == 0) p->limits.nesting = PARSE_NESTING;
    p->height_limit = p->limits.nesting * HEIGHT_PER_NESTING;
    Arena stack; /* of the grammar: large, and over when the text is */
    Recover recover;
    arena_init(&stack, p->arena->memory);
    if (!MEMORY_TRY(&recover)) {
        arena_fini(&stack);
        memory_fail();
    }
    p->grammar = grammar_create(&stack);
    layout_init(&p->layout, p->arena, p->diags, p->part, p->limits.nesting, lines);
    p->layout.skips_bodies = p->limits.skips_bodies;
    run(p);
    memory_end_try(&recover);
    arena_fini(&stack);
}

AstFile *parse_file(Arena *arena, SymbolTable *symbols, DiagList *diags, uint32_t file,
                    ParseLimits limits) {
    Parser p = {.arena = arena, .symbols = symbols, .diags = diags, .file = file, .part = {.file = file}, .limits = limits};
    p.result = ARENA_NEW(arena, AstFile);
    p.result->file = file;
    parse(&p, true);
    return p.result;
}

AstFile *parse_joined(Arena *arena, SymbolTable *symbols, DiagList *diags, const uint32_t *files,
                      int count, ParseLimits limits) {
    AstFile *all = parse_file(arena, symbols, diags, files[0], limits);
    for (int i = 1; i < count; i++) {
        const AstFile *more = parse_file(arena, symbols, diags, files[i], limits);
        for (int k = 0; k < more->decls.count; k++)
            VEC_PUSH(arena, &all->decls, more->decls.items[k]);
    }
    return all;
}

AstNode *parse_expression(Arena *arena, SymbolTable *symbols, DiagList *diags, uint32_t file,
                          ParseLimits limits) {
    Parser p = {.arena = arena, .symbols = symbols, .diags = diags, .file = file, .part = {.file = file}, .limits = limits};
    AstFile ignored = {0};
    p.result = &ignored;
    parse(&p, false);
    return p.answer;
}

AstNode *parse_body(Arena *arena, SymbolTable *symbols, DiagList *diags, Span body) {
    Parser p = {.arena = arena, .symbols = symbols, .diags = diags, .file = body.file, .part = body};
    AstFile ignored = {0};
    p.result = &ignored;
    parse(&p, false);
    return p.answer;
}
