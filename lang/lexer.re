/* The lexer's rules; re2c turns them into lexer.c when the project is built.
 *
 * Comments and blanks are skipped here, `///` lines are remembered for the token after them. A
 * number takes its unit with it, which re2c's longest match alone cannot decide (`5 min` or
 * `5 minutes`?), so literal.c finds where the unit ends.
 */
#include "lang/lexer.h"

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

static Token make_token(Lexer *lexer, int kind, const char *start, const Token *seen) {
    Token token = *seen; /* its docs, and whether it is first on its line */
    token.kind = kind;
    token.start = (uint32_t)(start - lexer->base);
    token.line_start = (uint32_t)(lexer->line - lexer->base);
    if (kind == TOKEN_NUMBER) take_unit(lexer, &token);
    token.end = (uint32_t)(lexer->cursor - lexer->base);
    return token;
}

static bool is_word_byte(char c) {
    return ((unsigned char)c & 0x80) || c == '_' || (c >= '0' && c <= '9') ||
           (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A word with a letter of another alphabet is one error; it then stands for the name it was meant
 * to be. */
static Token take_rubbish(Lexer *lexer, const char *start, Token *seen) {
    bool is_word = is_word_byte(*start);
    while (is_word && is_word_byte(*lexer->cursor)) lexer->cursor++;
    Str text = {start, (size_t)(lexer->cursor - start)};
    if (text.len > RUBBISH_SHOWN) text.len = RUBBISH_SHOWN;
    while (text.len && ((unsigned char)text.ptr[text.len] & 0xC0) == 0x80) text.len--;
    Span span = span_of(lexer, start, lexer->cursor);
    Diag *diag = diag_add(lexer->diags, DIAG_E_PARSE_CHARACTER, span, STR_ARG(text));
    if (is_word) diag_help(lexer->diags, diag, "names are made of a-z, A-Z, 0-9 and _");
    else if (*start == '#') diag_help(lexer->diags, diag, "a comment begins with //");
    else if (*start == '\'') diag_help(lexer->diags, diag, "a text stands in \" \"");
    seen->made_up = true;
    return make_token(lexer, TOKEN_NAME, start, seen);
}

static void report_open_text(Lexer *lexer, const char *start) {
    diag_add(lexer->diags, DIAG_E_PARSE_TEXT_OPEN, span_of(lexer, start, lexer->cursor));
}

static void note_doc(const Lexer *lexer, const char *start, Token *seen) {
    if (seen->doc_end == seen->doc_start) seen->doc_start = (uint32_t)(start - lexer->base);
    seen->doc_end = (uint32_t)(lexer->cursor - lexer->base);
}

/*!re2c
    re2c:define:YYCTYPE = "unsigned char";
    re2c:define:YYCURSOR = cursor;
    re2c:define:YYMARKER = marker;
    re2c:yyfill:enable = 0;

    digits = [0-9] [0-9_]*;
    decimal = digits ("." digits)? ([eE] [+-]? [0-9]+)?;
    hex = "0" [xX] [0-9a-zA-Z_]*;
    name = [a-zA-Z_] [a-zA-Z0-9_]*;
    quoted = ["] ([^"\\\n\x00] | [\\] [^\n\x00])*;
*/

/* What every rule does first, and what most do then. */
#define TAKE() lexer->cursor = (const char *)cursor
#define MAKE(NAME) TAKE(); return make_token(lexer, TOKEN_##NAME, start, &seen)

Token lexer_next(Lexer *lexer) {
    Token seen = {.first_on_line = lexer->cursor == lexer->line};
    for (;;) {
        const char *start = lexer->cursor;
        const unsigned char *cursor = (const unsigned char *)start, *marker;
        /*!re2c
            [ \t\r]+           { TAKE(); continue; }
            "\n"               { lexer->cursor = lexer->line = (const char *)cursor;
                                 seen.first_on_line = true; continue; }
            "///" "/"+ [^\n\x00]* { TAKE(); continue; }
            "///" [^\n\x00]*   { TAKE(); note_doc(lexer, start, &seen); continue; }
            "//" [^\n\x00]*    { TAKE(); continue; }
            "\x00"             { return make_token(lexer, TOKEN_END, start, &seen); }

            decimal | hex      { MAKE(NUMBER); }
            quoted ["]         { MAKE(TEXT); }
            quoted [\\]?       { TAKE(); report_open_text(lexer, start);
                                 return make_token(lexer, TOKEN_TEXT, start, &seen); }

            "part"   { MAKE(PART); }
            "field"  { MAKE(FIELD); }
            "fn"     { MAKE(FN); }
            "record" { MAKE(RECORD); }
            "use"    { MAKE(USE); }
            "each"   { MAKE(EACH); }
            "in"     { MAKE(IN); }
            "if"     { MAKE(IF); }
            "else"   { MAKE(ELSE); }
            "let"    { MAKE(LET); }
            "var"    { MAKE(VAR); }
            "true"   { MAKE(TRUE); }
            "false"  { MAKE(FALSE); }
            "none"   { MAKE(NONE); }
            "self"   { MAKE(SELF); }
            "_"      { MAKE(UNDERSCORE); }
            name     { MAKE(NAME); }

            "("   { MAKE(LPAREN); }
            ")"   { MAKE(RPAREN); }
            "["   { MAKE(LBRACKET); }
            "]"   { MAKE(RBRACKET); }
            "{"   { MAKE(LBRACE); }
            "}"   { MAKE(RBRACE); }
            ":"   { MAKE(COLON); }
            ";"   { MAKE(SEMICOLON); }
            "?"   { MAKE(QUESTION); }
            "!"   { MAKE(NOT); }
            ","   { MAKE(COMMA); }
            "."   { MAKE(DOT); }
            "=>"  { MAKE(ARROW); }
            "="   { MAKE(ASSIGN); }
            "+="  { MAKE(PLUS_ASSIGN); }
            "-="  { MAKE(MINUS_ASSIGN); }
            "*="  { MAKE(STAR_ASSIGN); }
            "/="  { MAKE(SLASH_ASSIGN); }
            "||"  { MAKE(OR); }
            "&&"  { MAKE(AND); }
            "=="  { MAKE(EQ); }
            "!="  { MAKE(NE); }
            "<"   { MAKE(LT); }
            "<="  { MAKE(LE); }
            ">"   { MAKE(GT); }
            ">="  { MAKE(GE); }
            "..<" { MAKE(UNTIL); }
            "..=" { MAKE(THROUGH); }
            "|"   { MAKE(BAR); }
            "^"   { MAKE(CARET); }
            "&"   { MAKE(AMP); }
            "<<"  { MAKE(SHL); }
            ">>"  { MAKE(SHR); }
            "+"   { MAKE(PLUS); }
            "-"   { MAKE(MINUS); }
            "*"   { MAKE(STAR); }
            "/"   { MAKE(SLASH); }
            "%"   { MAKE(PERCENT); }

            *     { TAKE(); return take_rubbish(lexer, start, &seen); }
        */
    }
}
