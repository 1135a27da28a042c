/* Lines to structure: the tokens the grammar reads, with NEWLINE, INDENT and DEDENT among them.
 *
 * A statement is followed by NEWLINE, unless a `}`, DEDENT or END follows it; `;` makes a NEWLINE
 * too. INDENT stands for the NEWLINE between a line and its body:
 *
 *     part a: b          PART NAME COLON NAME INDENT
 *       field x = 1        FIELD NAME ASSIGN NUMBER NEWLINE
 *       field y = 2        FIELD NAME ASSIGN NUMBER DEDENT NEWLINE
 *     part c             PART NAME END
 *
 * Brackets always match in what comes out: what is missing is reported and made up, what is too
 * much is reported and left out.
 */
#ifndef WORLD_LANG_LAYOUT_H
#define WORLD_LANG_LAYOUT_H

#include "lang/lexer.h"

typedef enum FrameKind {
    FRAME_LINES,  /* the file, or an indented body */
    FRAME_BRACES, /* { }: statements, but indentation means nothing */
    FRAME_PARENS  /* ( ) [ ]: newlines mean nothing */
} FrameKind;

typedef struct Frame {
    FrameKind kind;
    Token open;      /* the bracket; kind 0 for FRAME_LINES */
    int indent;      /* FRAME_LINES: of its lines */
    int odd_indent;  /* FRAME_LINES: a wrong indentation already reported, else -1 */
    int base;        /* FRAME_BRACES: indentation of the statement the `{` stands in */
    Token statement; /* the current statement's first token; kind 0 before it */
    int statement_indent;
} Frame;

typedef struct Layout {
    Lexer lexer;
    DiagList *diags;
    Arena *arena;
    Token ahead[2];   /* read from the lexer, not yet laid out */
    VEC(Token) ready; /* laid out, not yet taken; `taken` of them are */
    int taken;
    VEC(Frame) frames;
    Token last;              /* the last token put out */
    bool separator_due;      /* a NEWLINE, unless a closer comes */
    bool hushed;             /* something was left out: nothing is said about the token after it */
    bool brackets_untrusted; /* a bracket was missing or too much in this declaration (parse.c sets
                                it too) */
    bool stopped;            /* the nesting limit was reached: only END follows */
    int nesting_limit;
    char indent_char;     /* what the file's first indented line used; 0 before */
    uint32_t indent_line; /* where that line starts */
    bool indents_mixed;   /* reported; widths are guesses from then on */
    bool skips_bodies;    /* of the functions of the file: each is one token */
    uint32_t end;         /* tokens from here on are not its; 0: none are */
} Layout;

/* In an expression alone (`lines` false) newlines mean nothing. `part`: where it stands in the file; of length 0: all of it. */
void layout_init(Layout *layout, Arena *arena, DiagList *diags, Span part, int nesting_limit, bool lines);
Token layout_next(Layout *layout);

#endif
