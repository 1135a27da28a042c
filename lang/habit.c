/* The help of a token that the grammar refused: what may have been meant, by the words and marks round it and by what could stand there. */
#include "lang/foreign.h"
#include "lang/grammar.h"
#include "lang/parser.h"

static bool accepts(const Parser *p, int kind) {
    return grammar_accepts(p->grammar, kind);
}

static bool accepts_operator(const Parser *p) {
    return accepts(p, TOKEN_DOT) && accepts(p, TOKEN_PLUS);
}

static bool is_text(const Parser *p, Token token, const char *text) {
    Span span = {p->file, token.start, token.end};
    return str_equal(sources_text(p->diags->sources, span), str_of(text));
}

static const char *foreign_name(const Parser *p, Token token) {
    Span span = {p->file, token.start, token.end};
    return token.kind == TOKEN_NAME ? foreign_word(sources_text(p->diags->sources, span)) : NULL;
}

static Str whole_text(const Parser *p) {
    return sources_get(p->diags->sources, p->file)->text;
}

/* The next byte that is no blank; 0 at the end. */
static char byte_after(const Parser *p, Token token) {
    Str text = whole_text(p);
    size_t at = token.end;
    while (at < text.len && text.ptr[at] == ' ')
        at++;
    return at < text.len ? text.ptr[at] : 0;
}

static bool is_mark(Token token) {
    TokenGroup group = token_group(token.kind);
    return token.kind && token.kind != TOKEN_NAME && group != TOKEN_GROUP_LITERAL && group != TOKEN_GROUP_LAYOUT;
}

/* The first token of the statement that the mistake is in. */
static Token statement_of(const Parser *p) {
    int top = p->layout.frames.count - 1;
    while (top > 0 && !p->layout.frames.items[top].statement.kind)
        top--;
    return p->layout.frames.items[top].statement;
}

/* A word or a sign of another language: at the mistake, right before it, or a word with which the statement begins. */
static const char *foreign_hint(const Parser *p, Token found) {
    const char *help = foreign_name(p, found);
    if (!help) help = foreign_name(p, p->before);
    if (!help && is_mark(found)) help = foreign_sign(whole_text(p), found.start);
    if (!help && !is_mark(found) && is_mark(p->before)) help = foreign_sign(whole_text(p), p->before.start);
    Token first = statement_of(p);
    bool word = first.kind && first.end < whole_text(p).len && whole_text(p).ptr[first.end] == ' ';
    return help || !word ? help : foreign_name(p, first);
}

/* A statement where an expression is wanted. */
static const char *statement_hint(int kind) {
    if (kind == TOKEN_RETURN) return "a return is a line of its own, in the { } of a fn; the last line is the answer anyway";
    if (kind == TOKEN_BREAK || kind == TOKEN_CONTINUE) return "it is a line of its own, in the { } of an each or a while";
    if (kind == TOKEN_LET || kind == TOKEN_VAR) return "it is a line of its own; in an expression write { let x = 3; x + 1 }";
    if (kind == TOKEN_EACH || kind == TOKEN_WHILE) return "a loop has no value: it is a line of its own, in { }";
    return NULL;
}

static bool is_followed_by_colon(const Parser *p, Token token) {
    Str text = whole_text(p);
    return token.end < text.len && text.ptr[token.end] == ':';
}

/* A line of the language whose form is nearly right, by the word that it begins with. */
static const char *line_hint(const Parser *p, Token found) {
    Token first = statement_of(p);
    if (first.kind == TOKEN_MINUS && first.end < whole_text(p).len && whole_text(p).ptr[first.end] == '-') return "a comment begins with //";
    if (is_text(p, first, "from")) return "write use package, or use name from \"file.world\"";
    if (is_text(p, first, "check") && accepts(p, TOKEN_ASSIGN)) return "a check has a title: check \"what must hold\" { }";
    if (first.kind == TOKEN_USE && found.kind == TOKEN_TEXT) return "write use package, or use name from \"file.world\"";
    if (first.kind == TOKEN_EACH && accepts(p, TOKEN_IN) && found.kind == TOKEN_COMMA) return "of pairs it is each (i, x) in xs { }";
    if (first.kind == TOKEN_EACH && is_text(p, found, "of")) return "a loop goes over items: each x in xs { }";
    bool named = p->before.kind == TOKEN_NAME && (accepts(p, TOKEN_COLON) || accepts(p, TOKEN_ASSIGN)) && !accepts_operator(p);
    if (named && found.kind == TOKEN_MINUS) return "names are made of a-z, A-Z, 0-9 and _";
    bool part = first.kind == TOKEN_PART && accepts(p, TOKEN_COLON) && accepts(p, TOKEN_LBRACKET);
    if (part && (found.kind == TOKEN_ASSIGN || found.kind == TOKEN_NAME)) return "a part's design stands behind a ':': part gate: design";
    if (found.kind == TOKEN_TEXT && accepts(p, TOKEN_NAME) && !accepts(p, TOKEN_NUMBER)) return "a name stands without quotes";
    return NULL;
}

/* Numbers as they are written elsewhere. */
static const char *number_hint(const Parser *p, Token found) {
    bool value = accepts(p, TOKEN_NUMBER) && accepts(p, TOKEN_LBRACE);
    if (value && found.kind == TOKEN_DOT) return "a digit stands on both sides of the point: 0.5";
    if (p->before.kind == TOKEN_DOT && !is_mark(found)) return "a digit stands on both sides of the point: 1.0";
    if (value && p->before.kind == TOKEN_PERCENT) return "a share of 50 % is 0.5";
    if (found.kind != TOKEN_COMMA || !accepts(p, TOKEN_NEWLINE)) return NULL;
    if (statement_of(p).kind == TOKEN_FIELD && byte_after(p, found) > '9') return "what a field's line says besides stands before its =: field x: int, within: 1 ..= 5 = 3";
    return p->before.kind == TOKEN_NUMBER ? "digits are grouped by _: 1_000" : NULL;
}

/* What is in order in other languages, by what could stand here instead. */
static const char *habit_hint(Parser *p, Token found) {
    int before = p->before.kind;
    bool operators = accepts_operator(p), types = accepts(p, TOKEN_LBRACE) && accepts(p, TOKEN_NAME) && !operators;
    switch ((int)found.kind) {
    case TOKEN_TEXT:
    case TOKEN_TEXT_BEGIN:
        return before == TOKEN_NAME ? "a text with values in it is \"hello \\{x}\"" : NULL;
    case TOKEN_IF:
        return operators ? "a choice is if c { a } else { b }" : NULL;
    case TOKEN_ARROW:
        return before == TOKEN_RPAREN ? "a function of one argument is x => x + 1, of several fn(x, y) { x + y }" : NULL;
    case TOKEN_LT:
        return accepts(p, TOKEN_LBRACKET) && !operators ? "types that a type is made from stand in [ ]: List[int]" : NULL;
    case TOKEN_RBRACKET:
        return before == TOKEN_LBRACKET && !accepts(p, TOKEN_NUMBER) ? "the type of a list is List[int]" : NULL;
    case TOKEN_LBRACE:
        return accepts(p, TOKEN_NEWLINE) ? "the body of a part or a record is the lines indented under it, without { }" : NULL;
    case TOKEN_COLON:
        if (types) return "what a function answers stands right behind the ): fn f() number { }";
        if (accepts(p, TOKEN_RBRACKET)) return "some items of a list are xs.slice(from: 0, count: 2)";
        if (before == TOKEN_TEXT && accepts(p, TOKEN_RBRACE)) return "a map is Map([(\"a\", 1), (\"b\", 2)])";
        break;
    case TOKEN_NAME:
        if (before == TOKEN_NAME && accepts(p, TOKEN_ASSIGN) && byte_after(p, found) == '=')
            return "a name for a value is let x = 3 in a function, a variable var x: int = 3";
        if (before == TOKEN_NAME && accepts(p, TOKEN_RPAREN) && accepts(p, TOKEN_COLON) && !operators)
            return "a parameter is written name: type";
        break;
    default:
        if (token_group(found.kind) == TOKEN_GROUP_LAYOUT && accepts(p, TOKEN_ASSIGN) && !accepts(p, TOKEN_NEWLINE))
            return "a let and a var begin with a value: var x: int = 0";
    }
    bool designed = found.kind == TOKEN_COLON || (found.kind == TOKEN_NAME && is_followed_by_colon(p, found));
    if (designed && accepts(p, TOKEN_COMMA) && accepts(p, TOKEN_NEWLINE))
        return "a part's design stands right behind its name: part gate: design, turn: 30 deg";
    return NULL;
}

void parser_add_hint(Parser *p, Diag *diag, Token found) {
    const char *foreign = foreign_hint(p, found);
    const char *statement = accepts(p, TOKEN_NUMBER) ? statement_hint(found.kind) : NULL;
    if (!foreign) foreign = line_hint(p, found);
    if (!foreign) foreign = number_hint(p, found);
    if (!foreign) foreign = habit_hint(p, found);
    if (foreign || statement)
        diag_help(p->diags, diag, "%s", foreign ? foreign : statement);
    else if (accepts(p, TOKEN_LBRACE) && !accepts(p, TOKEN_NUMBER) && found.kind != TOKEN_ASSIGN)
        diag_help(p->diags, diag, "a body stands in { }, on the line of its if, each, while or fn");
    else if (found.kind == TOKEN_ASSIGN && accepts_operator(p))
        diag_help(p->diags, diag, "'==' compares; '=' gives a value, as a statement of its own");
    else if (token_group(found.kind) == TOKEN_GROUP_WORD && accepts(p, TOKEN_NAME) &&
             !accepts(p, TOKEN_NUMBER))
        diag_help(p->diags, diag, "%s is a word of the language and names nothing",
                  token_describe(found.kind));
    else if (is_text(p, p->before, "world") && is_text(p, found, "version"))
        diag_help(p->diags, diag, "'world version' and its number are a file's first line");
    else if (found.kind == TOKEN_ELSE)
        diag_help(p->diags, diag, "'else' follows the '}' of an if");
    else if (p->before.kind == TOKEN_COLON && token_group(found.kind) == TOKEN_GROUP_LAYOUT)
        diag_help(p->diags, diag, "a ':' is left out when nothing follows it on its line");
}
