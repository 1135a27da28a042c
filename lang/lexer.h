/* Text to raw tokens, one at a time. Knows nothing of lines but where each begins (layout.h does).
 */
#ifndef WORLD_LANG_LEXER_H
#define WORLD_LANG_LEXER_H

#include "lang/diag.h"
#include "lang/token.h"

/* `\{` in a text: what stands there is no text until its `}`. */
typedef struct LexerHole {
    const char *start; /* of the `\{` */
    int braces;        /* open in it */
} LexerHole;

typedef struct Lexer {
    const char *base; /* the source's first byte; the text ends in a zero byte */
    const char *cursor, *limit;
    const char *line; /* where the current line begins */
    DiagList *diags;
    uint32_t file;
    VEC(LexerHole) holes; /* the open ones, one in another; all end with their line */
    bool hole_reported;
    bool after_dot; /* digits are an item's place: t.0.1 */
} Lexer;

/* The text must have passed lexer_check_text. */
void lexer_init(Lexer *lexer, DiagList *diags, uint32_t file);
/* The next token; TOKEN_END for ever at the end. Reports and skips what is no token. */
Token lexer_next(Lexer *lexer);

/* Past the `}` of a block whose `{` the cursor has just passed; false, and nothing moved, when there is none. */
bool lexer_skip_block(Lexer *lexer);

/* Reports what makes a source no text at all (zero bytes, broken UTF-8), and answers whether it is
 * text. */
bool lexer_check_text(DiagList *diags, uint32_t file);

#endif
