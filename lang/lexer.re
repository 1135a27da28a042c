/* The lexer's rules; re2c turns them into lexer.c when the project is built. Words and marks are
 * token.def's.
 *
 * Comments and blanks are skipped here, `///` lines are remembered for the token after them. A
 * number takes its unit with it, which re2c's longest match alone cannot decide (`5 min` or
 * `5 minutes`?), so literal.c finds where the unit ends.
 */
#include "lang/lexer.h"

#include <string.h>

#include "lang/grammar.h"
#include "lang/literal.h"

#define RUBBISH_SHOWN 40 /* bytes of it that a message quotes */

void lexer_init(Lexer *lexer, DiagList *diags, uint32_t file) {
    Str text = sources_get(diags->sources, file)->text;
    bool marked = str_starts(text, STR_LIT("\xEF\xBB\xBF"));
    *lexer = (Lexer){.base = text.ptr, .limit = text.ptr + text.len, .diags = diags, .file = file};
    lexer->cursor = lexer->line = text.ptr + (marked ? 3 : 0);
}

static Span span_of(const Lexer *lexer, const char *start, const char *end) {
    return (Span){lexer->file, (uint32_t)(start - lexer->base), (uint32_t)(end - lexer->base)};
}

/* Takes the unit after a number's digits. A word that is none is taken too: it can be nothing else. */
static void take_unit(Lexer *lexer, Token *number) {
    LiteralUnit unit = literal_scan_unit(lexer->cursor);
    if (unit.start == NULL) return;
    lexer->cursor = unit.end;
    number->unit = (uint32_t)(unit.start - lexer->base);
    if (unit.known) return;
    literal_report_unit(lexer->diags, span_of(lexer, unit.start, unit.end));
    number->made_up = true;
}

static bool is_word_byte(char c) {
    return ((unsigned char)c & 0x80) || c == '_' || (c >= '0' && c <= '9') ||
           (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* 'text' to its other quote, when that is on the line. */
static void take_quoted(Lexer *lexer) {
    const char *end = lexer->cursor;
    while (*end && *end != '\n' && *end != '\'') end++;
    if (*end == '\'') lexer->cursor = end + 1;
}

static bool is_hex_digit(char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* A word with a letter of another alphabet is one error; it then stands for the name it was meant
 * to be. */
static void take_rubbish(Lexer *lexer, const char *start, Token *name) {
    bool is_word = is_word_byte(*start), is_color = *start == '#' && is_hex_digit(start[1]);
    while ((is_word || is_color) && is_word_byte(*lexer->cursor)) lexer->cursor++;
    if (*start == '\'') take_quoted(lexer);
    Str text = {start, (size_t)(lexer->cursor - start)};
    if (text.len > RUBBISH_SHOWN) text.len = RUBBISH_SHOWN;
    while (text.len && ((unsigned char)text.ptr[text.len] & 0xC0) == 0x80) text.len--;
    Span span = span_of(lexer, start, lexer->cursor);
    Diag *diag = diag_add(lexer->diags, DIAG_E_PARSE_CHARACTER, span, STR_ARG(text));
    if (str_equal(text, STR_LIT("\u00b0"))) diag_help(lexer->diags, diag, "degrees are written 35 deg");
    else if (str_equal(text, STR_LIT("\u00b2")) || str_equal(text, STR_LIT("\u00b3"))) diag_help(lexer->diags, diag, "a unit's power is written 12 m^2");
    else if (*start == '`') diag_help(lexer->diags, diag, "a text stands in \" \", values in it as \\{x}");
    else if (is_word) diag_help(lexer->diags, diag, "names are made of a-z, A-Z, 0-9 and _");
    else if (is_color) diag_help(lexer->diags, diag, "a color is written rgb(\"%.*s\")", STR_ARG(text));
    else if (*start == '#') diag_help(lexer->diags, diag, "a comment begins with //");
    else if (*start == '\'') diag_help(lexer->diags, diag, "a text stands in \" \"");
    name->made_up = true;
}

static void report_open_text(Lexer *lexer, const char *start) {
    diag_add(lexer->diags, DIAG_E_PARSE_TEXT_OPEN, span_of(lexer, start, lexer->cursor));
}

/* -- texts with values in them -- */

static void open_hole(Lexer *lexer) {
    VEC_PUSH(lexer->diags->arena, &lexer->holes, ((LexerHole){lexer->cursor - 2, 0}));
}

/* The line ended in a hole: one error for all that are open, and an end made up for each. */
static int break_hole(Lexer *lexer, Token *token) {
    const char *start = lexer->holes.items[lexer->holes.count - 1].start;
    if (!lexer->hole_reported)
        diag_add(lexer->diags, DIAG_E_PARSE_HOLE_OPEN, span_of(lexer, start, start + 2));
    lexer->holes.count--;
    lexer->hole_reported = lexer->holes.count > 0;
    token->made_up = true;
    return TOKEN_TEXT_END;
}

static int open_text(Lexer *lexer, const char *start, Token *token) {
    if (lexer->holes.count) return break_hole(lexer, token);
    report_open_text(lexer, start);
    return TOKEN_TEXT;
}

static void note_doc(const Lexer *lexer, const char *start, Token *token) {
    if (token->doc_end == token->doc_start) token->doc_start = (uint32_t)(start - lexer->base);
    token->doc_end = (uint32_t)(lexer->cursor - lexer->base);
}

/*!re2c
    re2c:define:YYCTYPE = "unsigned char";
    re2c:define:YYCURSOR = "lexer->cursor";
    re2c:define:YYMARKER = marker;
    re2c:yyfill:enable = 0;

    digits = [0-9] [0-9_]*;
    decimal = digits ("." digits)? ([eE] [+-]? [0-9]+)?;
    hex = "0" [xX] [0-9a-zA-Z_]*;
    name = [a-zA-Z_] [a-zA-Z0-9_]*;
    plain = ([^"\\\n\x00] | [\\] [^{\n\x00])*;
    hole = "\\{";
*/

/* Takes what the cursor stands at and answers its kind; comments and blanks on the way to it too. */
static int scan(Lexer *lexer, Token *token) {
    const char *marker;
    for (;;) {
        const char *start = lexer->cursor;
        token->start = (uint32_t)(start - lexer->base);
        /*!re2c
            [ \t\r]+              { continue; }
            "\n"                  { if (lexer->holes.count) { lexer->cursor--; return break_hole(lexer, token); }
                                    lexer->line = lexer->cursor; token->first_on_line = true; continue; }
            "///" "/"+ [^\n\x00]* { continue; }
            "///" [^\n\x00]*      { note_doc(lexer, start, token); continue; }
            "//" [^\n\x00]*       { continue; }
            "\x00"                { lexer->cursor--; return lexer->holes.count ? break_hole(lexer, token) : TOKEN_END; }

            decimal | hex      { return TOKEN_NUMBER; }
            ["] plain ["]      { return TOKEN_TEXT; }
            ["] plain hole     { open_hole(lexer); return TOKEN_TEXT_BEGIN; }
            ["] plain [\\]?    { return open_text(lexer, start, token); }

            !include "token_rules.re";
            name { return TOKEN_NAME; }

            *    { take_rubbish(lexer, start, token); return TOKEN_NAME; }
        */
    }
}

/* After the `}` of a hole the text goes on. */
static int scan_text(Lexer *lexer, Token *token) {
    const char *marker, *rest = lexer->cursor;
    /*!re2c
        plain ["]   { lexer->holes.count--; return TOKEN_TEXT_END; }
        plain hole  { lexer->holes.items[lexer->holes.count - 1].start = lexer->cursor - 2; return TOKEN_TEXT_MIDDLE; }
        *           { lexer->cursor = rest + strcspn(rest, "\n"); return break_hole(lexer, token); }
    */
}

static int scan_in_hole(Lexer *lexer, Token *token) {
    LexerHole *hole = &lexer->holes.items[lexer->holes.count - 1];
    int kind = scan(lexer, token);
    hole->braces += kind == TOKEN_LBRACE;
    if (kind != TOKEN_RBRACE) return kind;
    return hole->braces-- ? kind : (hole->braces = 0, scan_text(lexer, token));
}

/* `t.0.1` is item 1 of item 0. */
static int scan_place(Lexer *lexer, Token *token) {
    token->start = (uint32_t)(lexer->cursor - lexer->base);
    while (*lexer->cursor >= '0' && *lexer->cursor <= '9') lexer->cursor++;
    return TOKEN_NUMBER;
}

Token lexer_next(Lexer *lexer) {
    Token token = {.first_on_line = lexer->cursor == lexer->line};
    bool place = lexer->after_dot && *lexer->cursor >= '0' && *lexer->cursor <= '9';
    if (place) token.kind = scan_place(lexer, &token);
    else token.kind = lexer->holes.count ? scan_in_hole(lexer, &token) : scan(lexer, &token);
    lexer->after_dot = token.kind == TOKEN_DOT;
    if (token.kind == TOKEN_NUMBER && !place) take_unit(lexer, &token);
    token.line_start = (uint32_t)(lexer->line - lexer->base);
    token.end = (uint32_t)(lexer->cursor - lexer->base);
    return token;
}

/* -- over a block, without its tokens -- */

static void skip_text(Lexer *lexer) {
    do lexer_next(lexer);
    while (lexer->holes.count);
}

bool lexer_skip_block(Lexer *lexer) {
    Lexer before = *lexer;
    for (int open = 1; open;) {
        const char *start = lexer->cursor;
        /*!re2c
            [^{}"/\n\x00]+   { continue; }
            "\n"              { lexer->line = lexer->cursor; continue; }
            "//" [^\n\x00]*   { continue; }
            "/"               { continue; }
            ["]               { lexer->cursor = start; skip_text(lexer); continue; }
            "{"               { open++; continue; }
            "}"               { open--; continue; }
            "\x00"            { *lexer = before; return false; }
        */
    }
    return true;
}
