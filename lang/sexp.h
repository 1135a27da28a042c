/* Writes S-expressions that fit their lines: a list stands on one line when it fits in 100 columns,
 * else its head stands there and its items under it, two columns deeper.
 */
#ifndef WORLD_LANG_SEXP_H
#define WORLD_LANG_SEXP_H

#include "runtime/base/str.h"

typedef struct Sexp {
    StrBuf *out;
    int indent;
    size_t flat_end; /* nonzero: all on one line, and given up once `out` is longer */
} Sexp;

/* Writes one item, with the sexp_ functions; may be called twice for it. */
typedef void (*SexpItem)(void *context, const void *of);

void sexp_open(Sexp *s, const char *head); /* "(head" */
void sexp_close(Sexp *s);
void sexp_put(Sexp *s, const char *text);
void sexp_quote(Sexp *s, Str text);
/* Goes to where the next item of the list stands. */
void sexp_next(Sexp *s);
/* Writes an item here: flat when that fits, else broken. */
void sexp_fit(Sexp *s, SexpItem item, void *context, const void *of);
/* Whether the line being tried is too long already, so that what is left need not be written. */
bool sexp_gave_up(const Sexp *s);

#endif
