#include "compiler/lsp/refer.h"

typedef struct Target { /* a declaration, in words that all analyses know */
    Str path;
    uint32_t start;
} Target;

/* A text that was never saved has its address for a path. */
static Str name_of(const Doc *doc, const Analysis *a, uint32_t file) {
    Str path = source_path(doc, a, file);
    return path.len || file != a->compile->file ? path : doc->uri;
}

static bool is_there(const References *found, Str uri, uint32_t start) {
    for (int i = 0; i < found->count; i++)
        if (found->items[i].start == start && str_equal(found->items[i].uri, uri)) return true;
    return false;
}

static void add_from(WorldEditor *e, Doc *doc, const Target *target, References *found) {
    const Analysis *a = doc_analysis(e, doc);
    Lines lines = {0};
    uint32_t last = 0;
    for (int i = 0; i < a->name_count; i++) {
        const CheckUse *use = &a->names[i];
        if (use->name.file == 0 || use->name.start != target->start || !str_equal(name_of(doc, a, use->name.file), target->path)) continue;
        Str path = source_path(doc, a, use->at.file);
        Str uri = use->at.file == a->compile->file ? doc->uri : uri_of(&e->scratch, path);
        if (is_there(found, uri, use->at.start)) continue;
        if (use->at.file != last) lines = source_lines(e, a, last = use->at.file);
        bool declares = use->at.file == use->name.file && use->at.start == use->name.start;
        VEC_PUSH(&e->scratch, found, ((Reference){uri, lines, use->at.start, use->at.end, declares}));
    }
}

bool refer_find(WorldEditor *e, Doc *doc, uint32_t offset, References *found) {
    const Analysis *a = doc_analysis(e, doc);
    const CheckUse *use = find_name(a, a->compile->file, offset);
    if (!use || !use->name.file || use->kind == CHECK_USE_PACKAGE) return false;
    Target target = {name_of(doc, a, use->name.file), use->name.start};
    bool of_library = use->name.file < a->compile->file && target.path.len == 0;
    add_from(e, doc, &target, found);
    for (Doc *other = e->docs; other && !of_library; other = other->next)
        if (other != doc) add_from(e, other, &target, found);
    return true;
}

void lsp_references(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    References found = {0};
    if (!doc) return;
    const JsonValue *with = member(member(params, "context"), "includeDeclaration");
    bool declared = with && with->kind == JSON_BOOL && with->truth;
    refer_find(e, doc, params_offset(doc, member(params, "position")), &found);
    strbuf_char(out, '[');
    for (int i = 0; i < found.count; i++) {
        const Reference *r = &found.items[i];
        if (r->declares && !declared) continue;
        write_item(out);
        strbuf_str(out, STR_LIT("{\"uri\":"));
        write_text(out, r->uri);
        strbuf_str(out, STR_LIT(",\"range\":"));
        write_range(out, &r->lines, r->start, r->end);
        strbuf_char(out, '}');
    }
    strbuf_char(out, ']');
}

void lsp_highlight(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    References found = {0};
    if (!doc) return;
    refer_find(e, doc, params_offset(doc, member(params, "position")), &found);
    strbuf_char(out, '[');
    for (int i = 0; i < found.count; i++) {
        const Reference *r = &found.items[i];
        if (!str_equal(r->uri, doc->uri)) continue;
        write_item(out);
        strbuf_str(out, STR_LIT("{\"range\":"));
        write_range(out, &doc->lines, r->start, r->end);
        strbuf_printf(out, ",\"kind\":%d}", r->declares ? 3 : 2);
    }
    strbuf_char(out, ']');
}
