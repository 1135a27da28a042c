/* The layout: one stack of frames, one per open body or bracket, decides what a line's end means.
 *
 * In ( ) and [ ] nothing; in { } and in bodies it ends a statement, unless the line goes on (it
 * ended in a comma or a binary operator, or the next begins with one, with `.` or with `else`).
 * Only a line that begins with part, record or contract may have a deeper body. A word that can
 * begin nothing but a declaration or `let`, `var`, `each` at a line's start shows that a bracket
 * above it was never closed.
 */
#include "lang/layout.h"

#include <stdio.h>

#include "lang/grammar.h"

#define MIXED_TAB_WIDTH 4 /* once tabs and spaces are mixed, which is an error already */

static Span span_of(const Layout *layout, Token token) {
    return (Span){layout->lexer.file, token.start, token.end};
}

static Str text_of(const Layout *layout, Token token) {
    return (Str){layout->lexer.base + token.start, token.end - token.start};
}

static Frame *top_frame(Layout *layout) {
    return &layout->frames.items[layout->frames.count - 1];
}

/* -- words that their neighbours make keywords -- */

static bool is_word(const Layout *layout, Token token, Str word) {
    return token.kind == TOKEN_NAME && str_equal(text_of(layout, token), word);
}

static bool begins_declaration(const Layout *layout, Token token) {
    return token.kind == TOKEN_FN || token.kind == TOKEN_RECORD || token.kind == TOKEN_PART ||
           token.kind == TOKEN_FIELD || is_word(layout, token, STR_LIT("contract")) ||
           is_word(layout, token, STR_LIT("extern")) ||
           is_word(layout, token, STR_LIT("intrinsic"));
}

static int contextual_kind(const Layout *layout, Token token, Token next) {
    bool is_first = layout->last.kind == TOKEN_BEGIN_FILE;
    if (next.kind == TOKEN_FN && is_word(layout, token, STR_LIT("extern"))) return TOKEN_EXTERN;
    if (next.kind == TOKEN_RECORD && is_word(layout, token, STR_LIT("extern"))) return TOKEN_EXTERN;
    if (next.kind == TOKEN_FN && is_word(layout, token, STR_LIT("intrinsic")))
        return TOKEN_INTRINSIC;
    if (begins_declaration(layout, next) && is_word(layout, token, STR_LIT("private")))
        return TOKEN_PRIVATE;
    if (next.kind == TOKEN_NAME && is_word(layout, token, STR_LIT("contract")))
        return TOKEN_CONTRACT;
    if (next.kind == TOKEN_NAME && is_word(layout, token, STR_LIT("type"))) return TOKEN_TYPE;
    if (next.kind == TOKEN_TEXT && is_word(layout, token, STR_LIT("check"))) return TOKEN_CHECK;
    if (next.kind == TOKEN_LPAREN && is_word(layout, token, STR_LIT("given"))) return TOKEN_GIVEN;
    if (is_word(layout, next, STR_LIT("of")) && is_word(layout, token, STR_LIT("one")))
        return TOKEN_ONE;
    if (is_first && is_word(layout, next, STR_LIT("version")) &&
        is_word(layout, token, STR_LIT("world")))
        return TOKEN_WORLD;
    return token.kind;
}

static Token take_ahead(Layout *layout) {
    Token token = layout->ahead[0];
    token.kind = contextual_kind(layout, token, layout->ahead[1]);
    layout->ahead[0] = layout->ahead[1];
    layout->ahead[1] = lexer_next(&layout->lexer);
    return token;
}

/* -- putting tokens out -- */

static void put(Layout *layout, Token token) {
    token.depth = 0;
    for (int i = 1; i < layout->frames.count; i++)
        token.depth += layout->frames.items[i].kind != FRAME_PARENS;
    bool hushed = layout->hushed;
    layout->hushed = token.kind == TOKEN_NUMBER && token.made_up; /* after a word that is no unit */
    token.made_up = token.made_up || hushed;
    VEC_PUSH(layout->arena, &layout->ready, token);
    layout->last = token;
}

/* A token of the layout's own, just after the last one. */
static void put_made(Layout *layout, int kind, bool made_up) {
    Token last = layout->last;
    put(layout, (Token){.kind = kind,
                        .start = last.end,
                        .end = last.end,
                        .line_start = last.line_start,
                        .made_up = made_up});
}

static void push_frame(Layout *layout, Frame frame) {
    if (layout->frames.count > layout->nesting_limit) {
        char limit[16];
        snprintf(limit, sizeof limit, "%d", layout->nesting_limit);
        Span span = span_of(layout, frame.open.kind ? frame.open : layout->ahead[0]);
        diag_add(layout->diags, DIAG_E_LIMIT, span, "the nesting here", limit);
        layout->stopped = true;
        return;
    }
    VEC_PUSH(layout->arena, &layout->frames, frame);
}

static int indent_of_statement(const Layout *layout) {
    int i = layout->frames.count - 1;
    while (i > 0 && layout->frames.items[i].kind == FRAME_PARENS)
        i--;
    return layout->frames.items[i].statement_indent;
}

static int closer_of(int opener) {
    if (opener == TOKEN_TEXT_BEGIN) return TOKEN_TEXT_END;
    if (opener == TOKEN_LPAREN) return TOKEN_RPAREN;
    return opener == TOKEN_LBRACKET ? TOKEN_RBRACKET : TOKEN_RBRACE;
}

/* Pops the innermost frame; its closer is made up when it is a bracket. */
static void close_top(Layout *layout) {
    Frame frame = *top_frame(layout);
    layout->frames.count--;
    layout->separator_due = false;
    if (frame.kind == FRAME_LINES)
        put_made(layout, TOKEN_DEDENT, false);
    else
        put_made(layout, closer_of(frame.open.kind), true);
}

/* `instead` is the closer found where another was due, or NULL. */
static void report_bracket(Layout *layout, DiagId id, Token bracket, const Token *instead) {
    if (layout->brackets_untrusted) return;
    layout->brackets_untrusted = true;
    Diag *diag =
        diag_add(layout->diags, id, span_of(layout, bracket), layout->lexer.base[bracket.start]);
    if (instead == NULL) return;
    diag_note(layout->diags, diag, span_of(layout, *instead),
              "the bracket that closes it is another one");
}

/* Closes frames until `count` are left, and reports the innermost bracket among them. */
static void close_unclosed(Layout *layout, int count) {
    bool reported = false;
    while (layout->frames.count > count) {
        const Frame *frame = top_frame(layout);
        if (frame->kind != FRAME_LINES && !frame->open.made_up && !reported) {
            report_bracket(layout, DIAG_E_PARSE_UNCLOSED, frame->open, NULL);
            reported = true;
        }
        close_top(layout);
    }
}

/* -- indentation -- */

static const char *indent_name(char c) {
    return c == '\t' ? "a tab" : "spaces";
}

static void report_mixed(Layout *layout, uint32_t start, uint32_t end, char found) {
    Span span = {layout->lexer.file, start, end};
    Span first = {layout->lexer.file, layout->indent_line, layout->indent_line + 1};
    Diag *diag = diag_add(layout->diags, DIAG_E_PARSE_TABS, span, indent_name(found),
                          indent_name(layout->indent_char));
    diag_note(layout->diags, diag, first, "this line is indented with %s",
              indent_name(layout->indent_char));
    layout->indents_mixed = true;
}

/* Columns before the first token of a line; notes what the file indents with. */
static int measure_indent(Layout *layout, Token token) {
    int width = 0;
    for (uint32_t i = token.line_start; i < token.start; i++) {
        char c = layout->lexer.base[i];
        if (c != ' ' && c != '\t') return width; /* not the first token of its line */
        if (layout->indent_char == 0)
            layout->indent_char = c, layout->indent_line = token.line_start;
        if (c != layout->indent_char && !layout->indents_mixed)
            report_mixed(layout, token.line_start, token.start, c);
        width += layout->indents_mixed && c == '\t' ? MIXED_TAB_WIDTH - width % MIXED_TAB_WIDTH : 1;
    }
    return width;
}

static bool may_have_body(Token first) {
    return first.kind == TOKEN_PART || first.kind == TOKEN_RECORD || first.kind == TOKEN_CONTRACT;
}

static bool has_braced_body(Token first) {
    return first.kind == TOKEN_FN || first.kind == TOKEN_EACH || first.kind == TOKEN_IF ||
           first.kind == TOKEN_WHILE ||
           first.kind == TOKEN_CHECK;
}

static void report_indent(Layout *layout, Token token, int indent, bool closed_any) {
    Frame *frame = top_frame(layout);
    if (layout->indents_mixed || layout->brackets_untrusted || frame->odd_indent == indent) return;
    frame->odd_indent = indent;
    diag_add(layout->diags, closed_any ? DIAG_E_PARSE_DEDENT : DIAG_E_PARSE_INDENT,
             span_of(layout, token));
}

/* Whether the line above is one whose body stands in { }, and no `{` came. */
static bool lacks_brace(Layout *layout, Token token, int indent) {
    const Frame *frame = top_frame(layout);
    if (!has_braced_body(frame->statement) || layout->last.kind == TOKEN_RBRACE || layout->last.kind == TOKEN_BODY)
        return false;
    return token.kind == TOKEN_LBRACE ||
           (indent > frame->statement_indent && !layout->indents_mixed);
}

/* Reports it and goes on as if the `{` stood there; a `}` or a line less deep closes it. */
static void mend_brace(Layout *layout, Token token, int indent) {
    diag_add(layout->diags, DIAG_E_PARSE_BRACES, span_of(layout, token),
             token_describe(top_frame(layout)->statement.kind));
    if (token.kind == TOKEN_LBRACE) return;
    Token brace = {.kind = TOKEN_LBRACE, .start = token.start, .end = token.start, .made_up = true};
    int base = top_frame(layout)->statement_indent;
    put(layout, brace);
    push_frame(layout,
               (Frame){.kind = FRAME_BRACES, .open = brace, .base = base, .indent = indent});
}

/* Whether a line less deep than its frame's ends the frame: an indented body, or braces made up for
 * one. */
static bool ends_at_dedent(const Layout *layout, const Frame *frame) {
    return layout->frames.count > 1 &&
           (frame->kind == FRAME_LINES || (frame->kind == FRAME_BRACES && frame->open.made_up));
}

/* A new line begins with `token` in a body or in braces: what of INDENT, DEDENT, NEWLINE it means.
 */
static void start_line(Layout *layout, Token token, int indent) {
    Frame *frame = top_frame(layout);
    if (frame->statement.kind == 0 && frame->kind == FRAME_BRACES && !frame->open.made_up) return;
    if (lacks_brace(layout, token, indent)) {
        mend_brace(layout, token, indent);
        return;
    }
    if (may_have_body(frame->statement) && indent > frame->statement_indent) {
        put_made(layout, TOKEN_INDENT, false);
        push_frame(layout, (Frame){.kind = FRAME_LINES, .indent = indent, .odd_indent = -1});
        return;
    }
    bool closed_any = false;
    for (; ends_at_dedent(layout, frame) && indent < frame->indent; frame = top_frame(layout)) {
        close_top(layout);
        closed_any = true;
    }
    bool is_first = frame->statement.kind == 0;
    if (frame->kind == FRAME_LINES && indent > frame->indent)
        report_indent(layout, token, indent, closed_any || is_first);
    layout->separator_due = !is_first;
    frame->statement = (Token){0};
}

/* -- lines that go on, and lines that cannot -- */

static bool goes_on(Token last, Token next) {
    TokenGroup ends = token_group(last.kind), begins = token_group(next.kind);
    return ends == TOKEN_GROUP_JOINS || ends == TOKEN_GROUP_ENDS || begins == TOKEN_GROUP_JOINS ||
           next.kind == TOKEN_ELSE;
}

/* `fn` may begin a function value; `fn name` is a declaration. `token` has just been taken. */
static bool begins_named_fn(const Layout *layout, Token token) {
    return token.kind == TOKEN_FN && layout->ahead[0].kind == TOKEN_NAME;
}

/* What can begin only a statement: no line inside ( ) or [ ] starts so. */
static bool begins_statement(const Layout *layout, Token token) {
    return token.kind == TOKEN_PART || token.kind == TOKEN_FIELD || token.kind == TOKEN_RECORD ||
           token.kind == TOKEN_USE || token.kind == TOKEN_LET || token.kind == TOKEN_VAR ||
           token.kind == TOKEN_EACH || token.kind == TOKEN_WHILE || token.kind == TOKEN_BREAK ||
           token.kind == TOKEN_CONTINUE || token.kind == TOKEN_RETURN ||
           token.kind == TOKEN_CONTRACT || token.kind == TOKEN_TYPE ||
           token.kind == TOKEN_PRIVATE || begins_named_fn(layout, token);
}

/* What no `{ }` holds but as a part's own indented body. */
static bool begins_member(const Layout *layout, Token token) {
    return token.kind == TOKEN_FIELD || token.kind == TOKEN_RECORD || token.kind == TOKEN_USE ||
           token.kind == TOKEN_CONTRACT || token.kind == TOKEN_PRIVATE ||
           begins_named_fn(layout, token);
}

static bool shows_unclosed_brace(const Layout *layout, const Frame *frame, Token token,
                                 int indent) {
    if (begins_member(layout, token)) return indent <= frame->base;
    return token.kind == TOKEN_PART && indent == 0;
}

/* Closes the brackets that a line beginning with `token` shows to have been forgotten. */
static void mend_brackets(Layout *layout, Token token, int indent) {
    int keep = layout->frames.count;
    for (int i = keep - 1; i > 0; i--) {
        const Frame *frame = &layout->frames.items[i];
        bool unclosed =
            frame->kind == FRAME_BRACES && shows_unclosed_brace(layout, frame, token, indent);
        if (unclosed || (frame->kind == FRAME_PARENS && keep == i + 1)) keep = i;
    }
    close_unclosed(layout, keep);
    bool is_declaration = token.kind == TOKEN_PART || begins_member(layout, token);
    if (is_declaration && layout->frames.items[keep - 1].kind == FRAME_LINES)
        layout->brackets_untrusted = false;
}

/* -- brackets -- */

static void open_bracket(Layout *layout, Token token) {
    Frame frame = {.kind = token.kind == TOKEN_LBRACE ? FRAME_BRACES : FRAME_PARENS,
                   .open = token,
                   .base = indent_of_statement(layout)};
    put(layout, token);
    push_frame(layout, frame);
}

/* The frame that `token` closes: the innermost bracket of its kind. `)` and `]` do duty for each
 * other when the innermost bracket is either. 0 when there is none; no bracket reaches out of a
 * text. */
static int find_opener(const Layout *layout, Token token) {
    int top = layout->frames.count - 1;
    const Frame *inner = &layout->frames.items[top];
    bool either = token.kind == TOKEN_RPAREN || token.kind == TOKEN_RBRACKET;
    if (either && inner->kind == FRAME_PARENS && inner->open.kind != TOKEN_TEXT_BEGIN) return top;
    for (int i = top; i > 0; i--) {
        const Frame *frame = &layout->frames.items[i];
        if (frame->kind != FRAME_LINES && closer_of(frame->open.kind) == token.kind) return i;
        if (frame->open.kind == TOKEN_TEXT_BEGIN) return 0;
    }
    return 0;
}

/* `} of \{`: the text goes on, and with it its frame. */
static void handle_text_middle(Layout *layout, Token token) {
    Token end = token;
    end.kind = TOKEN_TEXT_END;
    int opener = find_opener(layout, end);
    layout->hushed = layout->hushed || opener == 0; /* its beginning was closed: reported there */
    if (opener == 0) return;
    close_unclosed(layout, opener + 1);
    put(layout, token);
}

static void close_bracket(Layout *layout, Token token) {
    int opener = find_opener(layout, token);
    if (opener == 0) {
        report_bracket(layout, DIAG_E_PARSE_STRAY_CLOSE, token, NULL);
        layout->hushed = true;
        return;
    }
    close_unclosed(layout, opener + 1);
    int closer = closer_of(top_frame(layout)->open.kind);
    if (closer != token.kind)
        report_bracket(layout, DIAG_E_PARSE_UNCLOSED, top_frame(layout)->open, &token);
    token.kind = closer;
    layout->frames.count--;
    layout->separator_due = false;
    put(layout, token);
}

/* -- the loop -- */

static bool is_opener(Token token) {
    return token.kind == TOKEN_LPAREN || token.kind == TOKEN_LBRACKET ||
           token.kind == TOKEN_LBRACE || token.kind == TOKEN_TEXT_BEGIN;
}

static bool is_closer(Token token) {
    return token.kind == TOKEN_RPAREN || token.kind == TOKEN_RBRACKET ||
           token.kind == TOKEN_RBRACE || token.kind == TOKEN_TEXT_END;
}

static void handle_line_start(Layout *layout, Token token) {
    if (is_closer(token) || token.kind == TOKEN_END) return;
    bool fresh = begins_statement(layout, token);
    int indent = measure_indent(layout, token);
    if (fresh) mend_brackets(layout, token, indent);
    if (top_frame(layout)->kind == FRAME_PARENS) return;
    if (!fresh && goes_on(layout->last, token)) return;
    start_line(layout, token, indent);
}

static int indent_of_line(Layout *layout, Token token) {
    Token first = token;
    first.start = first.line_start;
    while (layout->lexer.base[first.start] == ' ' || layout->lexer.base[first.start] == '\t')
        first.start++;
    return measure_indent(layout, first);
}

static void note_statement(Layout *layout, Token token) {
    Frame *frame = top_frame(layout);
    if (frame->kind == FRAME_PARENS || frame->statement.kind != 0) return;
    if (token.kind == TOKEN_PRIVATE) return; /* the word after it says what the line is */
    frame->statement = token;
    frame->statement_indent = indent_of_line(layout, token);
}

/* `;` ends a statement; in ( ) and [ ] it shows that they were never closed. */
static void handle_semicolon(Layout *layout, Token token) {
    if (layout->frames.items[0].kind == FRAME_PARENS && layout->frames.count == 1) {
        put(layout, token); /* an expression alone has no statements: the grammar will say so */
        return;
    }
    int statements = layout->frames.count - 1;
    while (statements > 0 && layout->frames.items[statements].kind == FRAME_PARENS)
        statements--;
    close_unclosed(layout, statements + 1);
    Token *next = &layout->ahead[0];
    if (next->doc_end == next->doc_start) { /* what was said before the `;` is said of what follows */
        next->doc_start = token.doc_start;
        next->doc_end = token.doc_end;
    }
    Frame *frame = top_frame(layout);
    if (frame->statement.kind) layout->separator_due = true;
    frame->statement = (Token){0};
}

/* The `{` of a function of the file itself: its block as one token, for whoever reads it when it is wanted. */
static bool skip_body(Layout *layout, Token *token) {
    Lexer *lexer = &layout->lexer;
    bool of_file = layout->frames.count == 1 && top_frame(layout)->statement.kind == TOKEN_FN;
    if (!layout->skips_bodies || token->kind != TOKEN_LBRACE || !of_file) return false;
    Lexer before = *lexer;
    lexer->cursor = lexer->base + token->end;
    lexer->line = lexer->base + token->line_start;
    lexer->holes.count = 0;
    lexer->after_dot = false;
    if (!lexer_skip_block(lexer)) {
        *lexer = before;
        return false;
    }
    token->kind = TOKEN_BODY;
    token->end = (uint32_t)(lexer->cursor - lexer->base);
    layout->ahead[0] = lexer_next(lexer);
    layout->ahead[1] = lexer_next(lexer);
    return true;
}

static void finish(Layout *layout) {
    if (layout->stopped) layout->frames.count = 1;
    close_unclosed(layout, 1);
    layout->separator_due = false;
    put_made(layout, TOKEN_END, layout->stopped);
}

static void step(Layout *layout) {
    Token token = take_ahead(layout);
    bool past = layout->end && token.start >= layout->end;
    if (token.kind == TOKEN_END || past || layout->stopped) {
        finish(layout);
        return;
    }
    if (token.first_on_line) handle_line_start(layout, token);
    if (layout->stopped) return;
    if (token.kind == TOKEN_SEMICOLON) {
        handle_semicolon(layout, token);
        return;
    }
    if (is_closer(token)) {
        close_bracket(layout, token);
        return;
    }
    if (layout->separator_due) put_made(layout, TOKEN_NEWLINE, false);
    layout->separator_due = false;
    note_statement(layout, token);
    if (skip_body(layout, &token))
        put(layout, token);
    else if (is_opener(token))
        open_bracket(layout, token);
    else if (token.kind == TOKEN_TEXT_MIDDLE)
        handle_text_middle(layout, token);
    else
        put(layout, token);
}

/* To where a part of a file begins, in its line. */
static void enter_part(Layout *layout, Span part) {
    Lexer *lexer = &layout->lexer;
    lexer->cursor = lexer->line = lexer->base + part.start;
    while (lexer->line > lexer->base && lexer->line[-1] != '\n')
        lexer->line--;
    layout->end = part.end;
}

void layout_init(Layout *layout, Arena *arena, DiagList *diags, Span part, int nesting_limit, bool lines) {
    *layout = (Layout){.diags = diags, .arena = arena, .nesting_limit = nesting_limit};
    lexer_init(&layout->lexer, diags, part.file);
    if (part.end > part.start) enter_part(layout, part);
    layout->ahead[0] = lexer_next(&layout->lexer);
    layout->ahead[1] = lexer_next(&layout->lexer);
    Frame root = {.kind = lines ? FRAME_LINES : FRAME_PARENS, .odd_indent = -1};
    VEC_PUSH(arena, &layout->frames, root);
    put_made(layout, lines ? TOKEN_BEGIN_FILE : TOKEN_BEGIN_EXPRESSION, false);
}

Token layout_next(Layout *layout) {
    while (layout->taken == layout->ready.count) {
        layout->ready.count = layout->taken = 0;
        step(layout);
    }
    return layout->ready.items[layout->taken++];
}
