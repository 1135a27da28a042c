/* A place where somebody writes: what stands before it, and the text without what is not finished there.
 *
 * `land.he|` and `f(a, |` are no expressions. What is asked about such a place is asked of a text that is one: without the dot, the
 * comma or the word that is being written, or with `none` where a value has to stand. That text is the same while a word is
 * written: it is looked at when the word begins, or at rest before that, and kept.
 */
#ifndef WORLD_COMPILER_LSP_CURSOR_H
#define WORLD_COMPILER_LSP_CURSOR_H

#include "compiler/lsp/lsp.h"

typedef enum CursorPlace {
    CURSOR_NOWHERE, /* in a comment or a text, or where a name is given to something new */
    CURSOR_UNIT,    /* behind digits */
    CURSOR_MEMBER,  /* behind a dot */
    CURSOR_TYPE,    /* behind the colon of a declaration */
    CURSOR_LINE,    /* where a statement begins */
    CURSOR_VALUE
} CursorPlace;

typedef struct Cursor {
    CursorPlace place;
    const Analysis *analysis; /* of the mended text; NULL: not needed */
    uint32_t offset;    /* in the mended text */
    Str before;         /* of a member: the names before the dot, "land" */
} Cursor;

Cursor cursor_at(WorldEditor *e, Doc *doc, uint32_t offset);

#endif
