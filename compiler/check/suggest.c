/* "Did you mean": the names that could have been meant, and the nearest of them.
 *
 * Nothing is gathered once no more errors are kept (or in a silent look), so a file of a million
 * mistakes costs no more than one of twenty.
 */
#include "compiler/check/checker.h"

Suggest suggest_open(Checker *c, Diag *diag, Symbol wanted, Span span) {
    return (Suggest){
        .c = c, .diag = diag, .wanted = wanted, .span = span, .own = -1, .off = c->diags->dropped > 0};
}

void suggest_name(Suggest *s, Symbol name) {
    if (!s->off) VEC_PUSH(s->c->arena, &s->names, symbols_name(s->c->symbols, name));
}

/* Members of the class and of its designs. */
void suggest_members(Suggest *s, const Class *cls) {
    for (; cls && !s->off; cls = cls->base)
        for (int i = 0; i < cls->decls.count; i++)
            suggest_name(s, cls->decls.items[i]->name);
}

bool suggest_has(const Suggest *s, Symbol name) {
    for (int i = 0; i < s->names.count; i++)
        if (str_equal(s->names.items[i], symbols_name(s->c->symbols, name))) return true;
    return false;
}

static bool is_new(const Suggest *s, int name) {
    for (int i = 0; i < name; i++)
        if (str_equal(s->names.items[i], s->names.items[name])) return false;
    return true;
}

/* All that there is, when that is little. */
static void tell_all(const Suggest *s) {
    enum { MOST = 12 };
    StrBuf out = {.arena = s->c->arena};
    int count = 0;
    for (int i = 0; i < (s->own >= 0 ? s->own : s->names.count); i++)
        if (is_new(s, i) && count++ < MOST)
            strbuf_printf(&out, "%s%.*s", count > 1 ? ", " : "", STR_ARG(s->names.items[i]));
    if (count > 0 && count <= MOST) diag_help(s->c->diags, s->diag, "it has %.*s", STR_ARG(strbuf_take(&out)));
}

/* `mark` follows the name in the sentence: ":" for an option. The fix replaces the name alone. */
bool suggest_close(Suggest *s, const char *mark) {
    if (s->off) return false;
    Str wanted = symbols_name(s->c->symbols, s->wanted);
    Str near = diag_nearest(wanted, s->names.items, s->names.count);
    if (near.len == 0) return false;
    diag_help(s->c->diags, s->diag, "did you mean '%.*s%s'?", STR_ARG(near), mark);
    diag_fix(s->c->diags, s->diag, s->span, near);
    return true;
}

void suggest_close_member(Suggest *s) {
    if (!s->off && !suggest_close(s, "")) tell_all(s);
}

DiagList *suggest_silence(Checker *c, DiagList *silent) {
    DiagList *loud = c->diags;
    diags_init(silent, c->arena, c->input.sources);
    silent->dropped = 1; /* no suggestions either */
    c->diags = silent;
    return loud;
}
