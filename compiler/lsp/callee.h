/* The call round a place, and what it takes: for named arguments and signatures. */
#ifndef WORLD_COMPILER_LSP_CALLEE_H
#define WORLD_COMPILER_LSP_CALLEE_H

#include "compiler/lsp/lsp.h"

typedef struct Callee {
    const AstNode *call;     /* CALL, or the PART whose line is meant */
    const CheckUse *use;     /* of its name */
    const AstParams *params; /* of a function or a record; NULL: a design's fields, or not known */
    const TreeClass *cls;    /* of a part's line */
    int skip;                /* parameters that stand before the dot */
} Callee;

/* False: no call is round the offset, or it is not known what is called. */
bool callee_at(const Analysis *a, const NodePath *path, uint32_t offset, Callee *callee);
/* The argument that an offset is in, or behind the last comma of; -1: none is written there. */
int callee_argument(const Callee *callee, uint32_t offset);
/* The parameter that the argument is for: its name's, else that of its number; NULL: none. */
const AstParam *callee_param(const Callee *callee, int argument);

#endif
