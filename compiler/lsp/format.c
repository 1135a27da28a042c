/* A text as the house writes it. */
#include "compiler/lsp/lsp.h"

#include "lang/format.h"

/* One edit, of the lines between what is the same at both ends. A text with mistakes stays as it is. */
void lsp_format(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    if (!doc) return;
    SourceSet sources;
    DiagList diags;
    sources_init(&sources, &e->scratch);
    diags_init(&diags, &e->scratch, &sources);
    Str old = doc->lines.text;
    Str new = format_file(&e->scratch, &diags, sources_add(&sources, doc->uri, old));
    strbuf_char(out, '[');
    size_t from = 0, same = 0;
    while (from < old.len && from < new.len && old.ptr[from] == new.ptr[from])
        from++;
    while (from > 0 && old.ptr[from - 1] != '\n')
        from--;
    while (same < old.len - from && same < new.len - from && old.ptr[old.len - 1 - same] == new.ptr[new.len - 1 - same])
        same++;
    while (same > 0 && old.ptr[old.len - same] != '\n')
        same--;
    bool differs = !diags_failed(&diags) && !str_equal(old, new);
    if (differs) write_edit(out, &doc->lines, (uint32_t)from, (uint32_t)(old.len - same), (Str){new.ptr + from, new.len - same - from});
    strbuf_char(out, ']');
}
