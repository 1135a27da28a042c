/* Text to tree. Reports into `diags` and always answers a tree (with AST_ERROR where a mistake was). */
#ifndef WORLD_LANG_PARSE_H
#define WORLD_LANG_PARSE_H

#include "lang/ast.h"
#include "lang/diag.h"

enum { PARSE_NESTING = 200 };

typedef struct ParseLimits {
    uint32_t source_bytes; /* 0: 16 MiB */
    int nesting;           /* 0: PARSE_NESTING */
    bool skips_bodies;     /* of the file's own functions: AST_UNREAD stands for each. For texts known to be without mistakes */
} ParseLimits;

AstFile *parse_file(Arena *arena, SymbolTable *symbols, DiagList *diags, uint32_t file,
                    ParseLimits limits);

/* Files that are one: the first, with what the others declare behind. At least one. */
AstFile *parse_joined(Arena *arena, SymbolTable *symbols, DiagList *diags, const uint32_t *files,
                      int count, ParseLimits limits);

/* The block that an AST_UNREAD stands for. */
AstNode *parse_body(Arena *arena, SymbolTable *symbols, DiagList *diags, Span body);

/* One expression (for ask and the REPL): the whole text must be one. NULL only when nothing could be made of it. */
AstNode *parse_expression(Arena *arena, SymbolTable *symbols, DiagList *diags, uint32_t file,
                          ParseLimits limits);

#endif
