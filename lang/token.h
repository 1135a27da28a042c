/* A token: its kind (TOKEN_..., numbered by lemon) and where it stands. What it means (a name's
 * symbol, a number's value) is worked out from the text when the tree is built (literal.h,
 * build.h).
 */
#ifndef WORLD_LANG_TOKEN_H
#define WORLD_LANG_TOKEN_H

#include "runtime/base/str.h"

typedef struct Token {
    int kind;
    uint32_t start, end;         /* bytes of the source */
    uint32_t line_start;         /* where its line begins */
    uint32_t unit;               /* of a number: where its unit begins, 0 without one */
    uint32_t doc_start, doc_end; /* the `///` lines above it; equal without any */
    int depth;                   /* bodies round it; a body's own brackets count as outside */
    bool first_on_line;
    bool made_up; /* stands at or for something reported already: nothing more is said about it */
} Token;

typedef enum TokenGroup {
    TOKEN_GROUP_LITERAL,
    TOKEN_GROUP_WORD,
    TOKEN_GROUP_MARK,
    TOKEN_GROUP_JOINS,
    TOKEN_GROUP_ENDS,
    TOKEN_GROUP_LAYOUT
} TokenGroup;

/* "'('", "the end of the line". */
const char *token_describe(int kind);
/* "("; of what is not always spelled alike, "". */
const char *token_text(int kind);
TokenGroup token_group(int kind);
bool token_is_keyword(Str word);

#endif
