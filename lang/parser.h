/* What one parse carries: shared by parse.c (the loop), grammar.y (the rules) and build.h (the
 * actions). */
#ifndef WORLD_LANG_PARSER_H
#define WORLD_LANG_PARSER_H

#include "lang/layout.h"
#include "lang/parse.h"

typedef struct Parser {
    Arena *arena;
    SymbolTable *symbols;
    DiagList *diags;
    uint32_t file;
    Span part; /* of it; of length 0: all */
    ParseLimits limits;
    Layout layout;
    void *grammar;       /* lemon's state */
    int height_limit;    /* of a tree */
    AstFile *result;     /* of parse_file */
    AstNode *answer;     /* of parse_expression */
    Token current;       /* the token being fed */
    Token before;        /* the one before it */
    uint32_t mistake_at; /* where the last refused token stands */
    bool stopped;        /* a limit was reached or the errors are enough: no more tokens are fed */
} Parser;

/* Called by the grammar: its stack is full. */
void parser_note_overflow(Parser *p);
/* Reports a limit at the current token, once, and stops. */
void parser_stop(Parser *p, const char *what, int limit);

/* What may have been meant where the grammar refuses a token (habit.c). */
void parser_add_hint(Parser *p, Diag *diag, Token found);

/* The grammar's own (at the end of grammar.y). */
void *grammar_create(Arena *arena);
void grammar_feed(void *parser, Token token, Parser *p);
/* Whether a token of this kind could come next. Only what it says yes to is ever fed. */
bool grammar_accepts(const void *parser, int kind);
/* Drops what is unfinished up to where a MISTAKE may stand, and feeds one that stands at `token`.
 */
void grammar_recover(void *parser, Token token, Parser *p);
/* lemon's, declared so that its definitions are not the first the compiler hears of them. */
void grammarInit(void *parser);
void grammarFinalize(void *parser);
int grammarFallback(int kind);
void grammar(void *parser, int kind, Token token, Parser *p);

#endif
