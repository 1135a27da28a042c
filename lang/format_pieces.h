/* Text to pieces, and where a line that is too long may be broken: the two ends of format.c. */
#ifndef WORLD_LANG_FORMAT_PIECES_H
#define WORLD_LANG_FORMAT_PIECES_H

#include "lang/ast.h"
#include "lang/format.h"

/* In characters. */
int format_columns(Str text);
FormatPieces format_pieces(Arena *arena, DiagList *diags, const AstFile *file);

/* Marks as broken what best parts the line of pieces from..<to, which is too long; they have their columns. `text`: the source's.
 * False: it cannot be parted. */
bool format_break(FormatPieces *pieces, Str text, int from, int to);

#endif
