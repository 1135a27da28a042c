/* A world's text with its words colored, by the lexer's own tokens. */
#ifndef WORLD_COMPILER_MANUAL_HIGHLIGHT_H
#define WORLD_COMPILER_MANUAL_HIGHLIGHT_H

#include "runtime/base/str.h"

/* As HTML: spans of class k (a word of the language), f (a function's name), n (a number), u (its unit), s (a text), c (a comment)
 * and d (a doc). What the lexer refuses is written as it is, without colors. */
void highlight_world(Arena *arena, StrBuf *out, Str code);

#endif
