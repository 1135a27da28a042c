/* A text as it is written: the author's lines and comments, with the blanks and indents of the house.
 *
 * Works on the tokens as the layout gives them and on the gaps between them, where comments and blank lines stand; so nothing
 * that an author wrote can get lost, and every break that was there was allowed. Stands on a text that parses.
 *
 *     tokens and gaps ─ format_spaces: one blank or none ─ format: lines, indents, wraps ─> text
 *
 * Lines are kept where the author broke them. A line over 110 columns is broken where it is least deep; blocks are opened.
 */
#ifndef WORLD_LANG_FORMAT_H
#define WORLD_LANG_FORMAT_H

#include "lang/diag.h"
#include "lang/token.h"

enum { FORMAT_WIDTH = 110, FORMAT_INDENT = 2, FORMAT_ON = 4 }; /* columns; of a body; of a line that goes on */

/* A token and where it stood. */
typedef struct FormatPiece {
    Token token;
    Str text;      /* as it is written out */
    uint32_t gap;  /* where the gap before it begins */
    int column;    /* in the author's text, from 0, in characters */
    int frame;     /* the bracket it stands in, a piece; -1: none */
    int match;     /* of a bracket: its other one; of others -1 */
    int statement; /* the first piece of the innermost statement it is in */
    int opened, closed; /* bodies that begin, and that end, before it */
    bool begins;   /* a statement */
    bool is_result; /* a function's result begins with it */
    bool in_unit;   /* an operator of a type: meters/seconds^2 */
    bool broken;   /* a line begins with it: the author's, or one of ours */
    int out, line_indent; /* the column it got, and the indent of its line */
} FormatPiece;

typedef struct FormatPieces {
    FormatPiece *items; /* the last is the end of the file */
    int count, capacity;
} FormatPieces;

/* Whether a blank stands before piece i when the one before it is on the same line. */
bool format_space(const FormatPieces *pieces, int i);
/* Whether piece i stands between two operands (`-` may be a sign). */
bool format_is_binary(const FormatPieces *pieces, int i);

/* The text of `file` formatted, in `arena`. When it does not parse, or formatted would not be the same world, the reason is in
 * `diags` and the answer is empty. */
Str format_file(Arena *arena, DiagList *diags, uint32_t file);

#endif
