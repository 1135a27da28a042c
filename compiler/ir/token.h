/* The reader's place in a text of IR, and what it takes from there. The first mistake ends the reading: after it every
 * step answers false and the text counts as used up.
 */
#ifndef WORLD_COMPILER_IR_TOKEN_H
#define WORLD_COMPILER_IR_TOKEN_H

#include "compiler/ir/ir.h"

typedef struct Reader {
    Arena *arena;
    IrModule *module;
    SymbolTable func_names, extern_names; /* symbol = index + 1 */
    const char *at, *end;
    int line, nesting;
    IrFunc *func;
    int64_t
        value_limit; /* a function of n bytes names no value from n on: bounds what a text can allocate */
    bool failed;
    Str error;
} Reader;

bool reader_fail(Reader *r, const char *what); /* false */
void reader_skip_space(Reader *r);             /* and comments */
bool reader_at(Reader *r, char c);
bool reader_accept(Reader *r, char c);
bool reader_expect(Reader *r, char c);
Str reader_peek_word(Reader *r); /* empty when none stands here */
bool reader_accept_word(Reader *r, const char *word);
bool reader_expect_word(Reader *r, const char *word);
bool reader_int(Reader *r, int64_t *value);
bool reader_index(Reader *r, int64_t limit, int64_t *value); /* in [0, limit) */
bool reader_float(Reader *r, double *value);
bool reader_quoted(Reader *r, Str *text);
bool reader_name(Reader *r, Str *name); /* @name or @"any text" */
bool reader_type(Reader *r, IrType *type);
bool reader_span(Reader *r, Span *span); /* !file:start:end, or nothing */

#endif
