/* Another name for what is declared in a text, everywhere at once; refused unless the world is the same with it.
 *
 * The texts with the new name are looked at in place of the old ones: no mistake may be new, and every name must mean the
 * declaration that it meant, at the place where that is now. So nothing is captured, hidden or left behind.
 */
#include "compiler/lsp/refer.h"

#include "lang/token.h"

typedef struct Renamed { /* the open texts as they would be */
    WorldEditor *e;
    Str name;
    References places;
} Renamed;

static bool is_name(Str name) {
    bool good = name.len > 0 && !(name.ptr[0] >= '0' && name.ptr[0] <= '9') && !token_is_keyword(name) && !str_equal(name, STR_LIT("_"));
    return good && text_word_start(name, (uint32_t)name.len) == 0;
}

static Str text_with(const Renamed *r, Str uri, Str text) {
    StrBuf out = {.arena = &r->e->scratch};
    uint32_t from = 0;
    for (int i = 0; i < r->places.count; i++) {
        const Reference *at = &r->places.items[i];
        if (!str_equal(at->uri, uri)) continue;
        strbuf_add(&out, text.ptr + from, at->start - from);
        strbuf_str(&out, r->name);
        from = at->end;
    }
    strbuf_add(&out, text.ptr + from, text.len - from);
    return strbuf_take(&out);
}

/* A file that is open nowhere is renamed in too. */
static bool renamed_text(void *user, Str path, Str *text) {
    const Renamed *r = user;
    const Doc *doc = doc_of_path(r->e, path);
    Str uri = doc ? doc->uri : uri_of(&r->e->scratch, path);
    if (doc) *text = text_with(r, uri, doc->lines.text);
    for (int i = 0; i < r->places.count && !doc; i++)
        if (str_equal(r->places.items[i].uri, uri)) {
            *text = text_with(r, uri, r->places.items[i].lines.text);
            return true;
        }
    return doc != NULL;
}

/* Where a byte of a text is afterwards. */
static uint32_t moved(const Renamed *r, Str uri, uint32_t offset) {
    int64_t to = offset;
    for (int i = 0; i < r->places.count; i++) {
        const Reference *at = &r->places.items[i];
        if (at->end <= offset && str_equal(at->uri, uri)) to += (int64_t)r->name.len - (at->end - at->start);
    }
    return (uint32_t)to;
}

static Str uri_in(WorldEditor *e, const Doc *doc, const Analysis *a, uint32_t file) {
    return file == a->compile->file ? doc->uri : uri_of(&e->scratch, source_path(doc, a, file));
}

/* Files have the same numbers in both, being read in the same order. */
static bool means_the_same(const Renamed *r, const Doc *doc, const Analysis *before, const Analysis *after) {
    if (before->name_count != after->name_count) return false;
    for (int i = 0; i < before->name_count; i++) {
        const CheckUse *old = &before->names[i], *new = &after->names[i];
        uint32_t at = moved(r, uri_in(r->e, doc, before, old->at.file), old->at.start);
        uint32_t name = old->name.file >= before->compile->file ? moved(r, uri_in(r->e, doc, before, old->name.file), old->name.start) : old->name.start;
        if (new->at.file != old->at.file || new->at.start != at || new->name.file != old->name.file || new->name.start != name) return false;
    }
    return true;
}

static const char *check_doc(const Renamed *r, Doc *doc) {
    const Analysis *before = doc_analysis(r->e, doc);
    FilesOverlay overlay = {renamed_text, (void *)(uintptr_t)r};
    if (before->compile->diags.error_count) return "the text has mistakes: what a name means in it is not known";
    Analysis *after = analysis_make(r->e, doc, text_with(r, doc->uri, doc->lines.text), &overlay, COMPILE_CHECK);
    r->e->failed = after->compile; /* goes with the message if memory fails meanwhile */
    find_sort(after);
    bool good = after->compile->diags.error_count == 0 && means_the_same(r, doc, before, after);
    r->e->failed = NULL;
    analysis_end(after);
    return good ? NULL : "something else would be meant by that name";
}

/* What stands there and may be renamed; NULL: nothing. */
static const CheckUse *target_at(WorldEditor *e, Doc *doc, uint32_t offset) {
    const Analysis *a = doc_analysis(e, doc);
    const CheckUse *use = find_name(a, a->compile->file, offset);
    bool ours = use && use->name.file >= a->compile->file && use->kind != CHECK_USE_PACKAGE && use->kind != CHECK_USE_CHOICE;
    if (!ours) lsp_refuse(e, 0, use && use->name.file ? "the library's names are the library's" : "that is no name of a declaration");
    return ours ? use : NULL;
}

void lsp_prepare_rename(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    const CheckUse *use = doc ? target_at(e, doc, params_offset(doc, member(params, "position"))) : NULL;
    if (use) write_range(out, &doc->lines, use->at.start, use->at.end);
}

static void write_changes(StrBuf *out, const Renamed *r) {
    strbuf_str(out, STR_LIT("{\"changes\":{"));
    for (int i = 0; i < r->places.count; i++) {
        Str uri = r->places.items[i].uri;
        bool first = true;
        for (int k = 0; k < i && first; k++)
            first = !str_equal(r->places.items[k].uri, uri);
        if (!first) continue;
        write_item(out);
        write_text(out, uri);
        strbuf_str(out, STR_LIT(":["));
        for (int k = i; k < r->places.count; k++) {
            const Reference *at = &r->places.items[k];
            if (!str_equal(at->uri, uri)) continue;
            write_item(out);
            write_edit(out, &at->lines, at->start, at->end, r->name);
        }
        strbuf_char(out, ']');
    }
    strbuf_str(out, STR_LIT("}}"));
}

void lsp_rename(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    if (!doc) return;
    uint32_t offset = params_offset(doc, member(params, "position"));
    Renamed r = {.e = e, .name = member_text(params, "newName")};
    if (!target_at(e, doc, offset)) return;
    if (!is_name(r.name)) {
        lsp_refuse(e, 0, "that is no name: letters, digits and _, and no keyword");
        return;
    }
    refer_find(e, doc, offset, &r.places);
    const char *why = NULL;
    for (Doc *other = e->docs; other && !why; other = other->next)
        why = check_doc(&r, other);
    if (why)
        lsp_refuse(e, 0, why);
    else
        write_changes(out, &r);
}
