/* A world's text with its words colored, by the lexer's own tokens. */
#ifndef WORLD_COMPILER_MANUAL_HIGHLIGHT_H
#define WORLD_COMPILER_MANUAL_HIGHLIGHT_H

#include "runtime/base/str.h"

/* Where what a name means is told; empty: nowhere. `holder` is the name before the dot, or empty. */
typedef struct NameLinks {
    Str (*find)(void *user, Str holder, Str name);
    void *user;
} NameLinks;

/* As HTML: spans of class k (a word of the language), f (a function's name), n (a number), u (its unit), s (a text), c (a comment)
 * and d (a doc). What the lexer refuses is written as it is, without colors. What is called, and is not declared in the code itself, leads to where
 * `links` says; NULL: nothing does. */
void highlight_world(Arena *arena, StrBuf *out, Str code, const NameLinks *links);

#endif
