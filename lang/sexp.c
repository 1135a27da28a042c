/* The writer of S-expressions: a list is tried on one line, and written again, broken, when it is
 * too long.
 *
 * A try stops early once it is too long, so the whole costs a line's length for each list at most.
 */
#include "lang/sexp.h"

#define COLUMNS 100
#define NARROWEST 20 /* columns that even the deepest list has */

bool sexp_gave_up(const Sexp *s) {
    return s->flat_end && s->out->len > s->flat_end;
}

void sexp_put(Sexp *s, const char *text) {
    strbuf_str(s->out, str_of(text));
}

void sexp_open(Sexp *s, const char *head) {
    strbuf_char(s->out, '(');
    sexp_put(s, head);
    s->indent += 2;
}

void sexp_close(Sexp *s) {
    strbuf_char(s->out, ')');
    s->indent -= 2;
}

void sexp_next(Sexp *s) {
    if (s->flat_end) {
        strbuf_char(s->out, ' ');
        return;
    }
    strbuf_char(s->out, '\n');
    for (int i = 0; i < s->indent; i++)
        strbuf_char(s->out, ' ');
}

void sexp_quote(Sexp *s, Str text) {
    strbuf_char(s->out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c == '"' || c == '\\')
            strbuf_printf(s->out, "\\%c", c);
        else if (c == '\n')
            sexp_put(s, "\\n");
        else if (c < 0x20)
            strbuf_printf(s->out, "\\x%02x", c);
        else
            strbuf_char(s->out, (char)c);
    }
    strbuf_char(s->out, '"');
}

void sexp_fit(Sexp *s, SexpItem item, void *context, const void *of) {
    if (s->flat_end) {
        if (!sexp_gave_up(s)) item(context, of);
        return;
    }
    size_t start = s->out->len;
    int columns = s->indent < COLUMNS - NARROWEST ? COLUMNS - s->indent : NARROWEST;
    s->flat_end = start + (size_t)columns;
    item(context, of);
    bool too_wide = sexp_gave_up(s);
    s->flat_end = 0;
    if (!too_wide) return;
    s->out->len = start;
    item(context, of);
}
