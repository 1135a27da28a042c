/* From the documents' links, which lead where other readers of Markdown find it, to the pages. */
#include "compiler/manual/manual_inside.h"

/* "lang/REFERENCE.md" and "../examples/grove.world": "examples/grove.world". */
static Str beside(Arena *arena, Str document, Str target) {
    Str folder = document;
    while (folder.len && folder.ptr[folder.len - 1] != '/')
        folder.len--;
    while (str_starts(target, STR_LIT("../"))) {
        target = (Str){target.ptr + 3, target.len - 3};
        if (folder.len) folder.len--;
        while (folder.len && folder.ptr[folder.len - 1] != '/')
            folder.len--;
    }
    return str_printf(arena, "%.*s%.*s", STR_ARG(folder), STR_ARG(target));
}

Str link_example(Arena *arena, Str path) {
    StrBuf out = {.arena = arena};
    path = (Str){path.ptr, path.len - strlen(".world")};
    if (str_starts(path, STR_LIT("examples/"))) path = (Str){path.ptr + strlen("examples/"), path.len - strlen("examples/")};
    strbuf_str(&out, STR_LIT("example-"));
    for (size_t i = 0; i < path.len; i++)
        strbuf_char(&out, path.ptr[i] == '/' ? '-' : path.ptr[i]);
    strbuf_str(&out, STR_LIT(".html"));
    return strbuf_take(&out);
}

Str link_picture(Str path) {
    Str folder = STR_LIT("examples/");
    return (Str){path.ptr + folder.len, path.len - folder.len};
}

static bool is_in(Str path, const char *folder, const char *ending) {
    return str_starts(path, str_of(folder)) && str_ends(path, str_of(ending));
}

/* A chapter is its page; what stands on a page is behind a '#'. */
Str link_anchor(const Manual *m, const Page *page, Str id) {
    bool whole = page->count && str_equal(page->blocks[0].id, id);
    return whole ? page->file : str_printf(m->arena, "%.*s#%.*s", STR_ARG(page->file), STR_ARG(id));
}

/* -- names in code -- */

static void add_name(Manual *m, Str name, int anchor) {
    bool known = symbols_find(&m->names, name) != 0;
    int symbol = (int)symbols_intern(&m->names, name);
    while (m->entries.count <= symbol)
        VEC_PUSH(m->arena, &m->entries, -1);
    int *entry = &m->entries.items[symbol];
    if (!known) *entry = anchor;
    else if (*entry >= 0 && m->anchors.items[*entry].page != m->anchors.items[anchor].page) *entry = -1;
}

void link_add_entry(Manual *m, int anchor, Str package, Str name) {
    add_name(m, name, anchor);
    add_name(m, str_printf(m->arena, "%.*s.%.*s", STR_ARG(package), STR_ARG(name)), anchor);
}

static Str find_entry(const Manual *m, Str name) {
    Symbol symbol = symbols_find(&m->names, name);
    if (!symbol || m->entries.items[symbol] < 0) return (Str){0};
    const Anchor *anchor = &m->anchors.items[m->entries.items[symbol]];
    return link_anchor(m, &m->pages.items[anchor->page], anchor->id);
}

Str link_name(void *user, Str holder, Str name) {
    const Manual *m = user;
    Str found = holder.len ? find_entry(m, str_printf(m->arena, "%.*s.%.*s", STR_ARG(holder), STR_ARG(name))) : (Str){0};
    return found.len ? found : find_entry(m, name);
}

/* -- links of documents -- */

/* Empty: the document has none. */
static Str find_anchor(const Manual *m, int document, Str id) {
    if (id.len == 0) return m->pages.items[m->documents[document].first_page].file;
    for (int i = 0; i < m->anchors.count; i++) {
        const Anchor *anchor = &m->anchors.items[i];
        if (anchor->document == document && str_equal(anchor->id, id)) return link_anchor(m, &m->pages.items[anchor->page], id);
    }
    return (Str){0};
}

static int find_document(const Manual *m, Str path) {
    for (int i = 0; i < MANUAL_DOCUMENTS; i++)
        if (m->documents[i].path && str_equal(path, str_of(m->documents[i].path))) return i;
    return -1;
}

static Str find_target(Manual *m, int document, Str target) {
    const char *hash = memchr(target.ptr, '#', target.len);
    Str name = {target.ptr, hash ? (size_t)(hash - target.ptr) : target.len};
    Str id = hash ? (Str){hash + 1, target.len - name.len - 1} : (Str){0};
    if (name.len == 0) return find_anchor(m, document, id);
    Str path = beside(m->arena, str_of(m->documents[document].path ? m->documents[document].path : ""), name);
    int other = find_document(m, path);
    if (other >= 0) return find_anchor(m, other, id);
    if (is_in(path, "examples/pictures/", ".png")) {
        names_add(m->arena, &m->pictures, path);
        return link_picture(path);
    }
    if (!is_in(path, "examples/", ".world")) return (Str){0};
    names_add(m->arena, &m->examples, path);
    return link_example(m->arena, path);
}

Str link_resolve(void *from, Str target, int line) {
    LinkFrom *link = from;
    if (str_starts(target, STR_LIT("https://")) || str_starts(target, STR_LIT("http://"))) return target;
    Str found = find_target(link->m, link->document, target);
    const char *path = link->m->documents[link->document].path;
    if (found.len == 0) manual_fail(link->m, "%s:%d: the link '%.*s' leads nowhere", path ? path : "the commands", line, STR_ARG(target));
    return found;
}
