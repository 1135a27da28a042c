/* What the files of this room share. */
#ifndef WORLD_COMPILER_MANUAL_MANUAL_INSIDE_H
#define WORLD_COMPILER_MANUAL_MANUAL_INSIDE_H

#include "compiler/manual/manual.h"
#include "compiler/manual/markdown.h"

enum { MANUAL_DOCUMENTS = 7 };

typedef struct Document {
    const char *path; /* under `share`; NULL: the command line's */
    const char *slug, *name;
    bool cut;     /* each of its chapters is a page */
    bool listed;  /* the first of its pages lists the others, which its text does not */
    bool entries; /* its items are declarations */
    Blocks blocks;
    int first_page, page_count;
} Document;

/* A page: some blocks of a document, or an example's text. */
typedef struct Page {
    int document; /* -1: an example */
    Str file, title;
    const Block *blocks;
    int count;
} Page;

typedef struct Anchor {
    int document, page;
    Str id;
} Anchor;

typedef struct Names {
    Str *items;
    int count, capacity;
} Names;

typedef struct Manual {
    Arena *arena;
    const ManualDesc *desc;
    Document documents[MANUAL_DOCUMENTS];
    VEC(Page) pages;
    VEC(Anchor) anchors;
    SymbolTable names;  /* of entries, "cone", and with their packages, "shapes.cone" */
    VEC(int) entries;   /* their anchors, by symbol; -1: several packages declare it */
    Names pictures, examples; /* that pages show, by their paths under `share` */
    Names drawn;              /* pictures that need no copying */
    StrBuf index;             /* of the search, row by row */
    Str problem;
} Manual;

/* The first problem stays. Answers false. */
bool manual_fail(Manual *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A file under `share`: a text in UTF-8 unless it is a picture. */
bool manual_read(Manual *m, Str path, bool picture, Str *bytes);
bool manual_put(Manual *m, Str file, Str bytes);
void names_add(Arena *arena, Names *names, Str name); /* once */

/* document.c: blocks, pages, and what links may name. */
bool document_read(Manual *m, int document);

/* link.c: where a link of a document leads to in the pages; a picture or an example that it names will be there. */
typedef struct LinkFrom {
    Manual *m;
    int document;
} LinkFrom;
Str link_resolve(void *from, Str target, int line);
Str link_example(Arena *arena, Str path);  /* the page of "examples/grove.world" */
Str link_picture(Str path);                /* "pictures/grove.png" of "examples/pictures/grove.png" */
Str link_anchor(const Manual *m, const Page *page, Str id);
/* Of NameLinks: the entry of what is called, of a package's when the holder is one. `user` is the Manual. */
Str link_name(void *user, Str holder, Str name);
/* An anchor of the library, "shapes.cone", is found by its name. */
void link_add_entry(Manual *m, int anchor, Str package, Str name);

/* search.c: rows of the index. */
void search_add_page(Manual *m, const Page *page);
void search_add_example(Manual *m, const Page *page, Str text);
Str search_script(Manual *m);

/* page.c */
bool page_write(Manual *m, const Page *page);
bool page_write_example(Manual *m, Str path);

#endif
