/* The manual as pages that stand alone, from the documents that lie with the program:
 *
 *     lang/MANUAL.md, REFERENCE.md, LIBRARY.md, COOKBOOK.md, examples/README.md, import/README.md -> a page, or a page a chapter
 *     examples/NAME.world, where a document links it                                              -> a page with its text in colors
 *     examples/pictures                                                                           -> copied, where a page shows them
 *     all headings and entries                                                                    -> search.js
 *
 * The library's entries are those of LIBRARY.md, which the build makes from the declarations. A link that leads nowhere is an error.
 */
#ifndef WORLD_COMPILER_MANUAL_MANUAL_H
#define WORLD_COMPILER_MANUAL_MANUAL_H

#include "runtime/base/str.h"

typedef struct ManualDesc {
    const char *share; /* the folder in which `lang`, `examples` and `manual` lie */
    const char *out;   /* is made when it is not there */
    Str commands;      /* the command line's own document, in Markdown */
    /* Draws a world of the cookbook; NULL: the pictures that lie beside it are copied. False: it was told why not. */
    bool (*picture)(void *user, Str world, const char *path);
    void *user;
} ManualDesc;

/* False: `*problem` is a sentence, or empty where `picture` told it. */
bool manual_write(Arena *arena, const ManualDesc *desc, Str *problem);

#endif
