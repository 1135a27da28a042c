/* Who means one declaration, in all open texts and the files that they use. */
#ifndef WORLD_COMPILER_LSP_REFER_H
#define WORLD_COMPILER_LSP_REFER_H

#include "compiler/lsp/lsp.h"

typedef struct Reference {
    Str uri;
    Lines lines;
    uint32_t start, end;
    bool declares;
} Reference;

typedef VEC(Reference) References;
/* In the order of texts and places. False: nothing that has a declaration in a text stands there. */
bool refer_find(WorldEditor *e, Doc *doc, uint32_t offset, References *found);

#endif
