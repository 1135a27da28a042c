/* Markdown, as much of it as the project's own documents use: headings, paragraphs, code (indented, or between fences), tables
 * and lists; in a line code, links, pictures and **strong** words. Any text is a document: a mark that nothing closes is text.
 */
#ifndef WORLD_COMPILER_MANUAL_MARKDOWN_H
#define WORLD_COMPILER_MANUAL_MARKDOWN_H

#include "compiler/manual/highlight.h"

typedef enum BlockKind { BLOCK_HEADING, BLOCK_PARAGRAPH, BLOCK_CODE, BLOCK_TABLE, BLOCK_ITEM } BlockKind;

/* A list is its items, one after another; one in another is deeper. */
typedef struct Block {
    BlockKind kind;
    int level;    /* of a heading 1 to 6; of an item how deep it is, from 0 */
    int number;   /* of an item; 0: a bullet */
    int line;     /* of the document, from 1 */
    Str text;     /* without its own marks; of a table and of code its lines */
    Str language; /* of code, behind its fence */
    Str id;       /* what links name it by; empty: nothing */
} Block;

typedef struct Blocks {
    Block *items;
    int count, capacity;
} Blocks;

Blocks markdown_blocks(Arena *arena, Str text);

typedef struct Markdown {
    Arena *arena;
    StrBuf *out;
    /* Where a link, or a picture, of the document leads to in the pages. */
    Str (*link)(void *user, Str target, int line);
    void *user;
    const NameLinks *names; /* of code; NULL: nothing leads anywhere */
} Markdown;

/* As HTML. Code without a language is a world's. An item with an id is an entry: its code is a declaration. */
void markdown_write(const Markdown *to, const Block *blocks, int count);
/* A text of one line, or of several that are joined. */
void markdown_write_text(const Markdown *to, Str text, int line);
/* Without any mark. */
Str markdown_plain(Arena *arena, Str text);
/* What a paragraph that is a picture and nothing else shows; empty: it is none. */
Str markdown_picture(Str text);

/* Takes the code that a text begins with; empty: it begins otherwise, and nothing is taken. */
Str markdown_first_code(Str *text);

/* What HTML would take for its own is escaped. */
void html_escape(StrBuf *out, Str text);

#endif
