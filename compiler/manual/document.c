/* A document's text to pages. What links may name is named as other readers of Markdown name it: "#3-declarations". */
#include "compiler/manual/manual_inside.h"

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* "3-declarations" of "3. Declarations". */
static Str slug(Arena *arena, Str heading) {
    StrBuf out = {.arena = arena};
    Str plain = markdown_plain(arena, heading);
    for (size_t i = 0; i < plain.len; i++) {
        char c = plain.ptr[i];
        if (c >= 'A' && c <= 'Z') strbuf_char(&out, (char)(c + ('a' - 'A')));
        else if (is_word(c) || c == '-' || (c & 0x80)) strbuf_char(&out, c);
        else if (c == ' ') strbuf_char(&out, '-');
    }
    return strbuf_take(&out);
}

/* The second of a name is "types-1". */
static Str unique(Manual *m, SymbolTable *taken, Str id) {
    Str name = id;
    for (int i = 1; symbols_find(taken, name); i++)
        name = str_printf(m->arena, "%.*s-%d", STR_ARG(id), i);
    symbols_intern(taken, name);
    return name;
}

/* -- entries: items that are declarations -- */

static Str take_word(Str *text) {
    size_t length = 0;
    while (length < text->len && is_word(text->ptr[length]))
        length++;
    Str word = {text->ptr, length};
    while (length < text->len && text->ptr[length] == ' ')
        length++;
    *text = (Str){text->ptr + length, text->len - length};
    return word;
}

static bool is_declaring(Str word) {
    static const char *const words[] = {"extern", "intrinsic", "private", "part", "field", "fn", "record", "contract", "type"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_equal(word, str_of(words[i]))) return true;
    return false;
}

/* "scatter" of "fn scatter(over: land) List[placed]"; "cell" of "cell", a record's field. */
static Str declared_in(Str code) {
    Str name = take_word(&code);
    while (code.len && is_word(code.ptr[0]) && is_declaring(name))
        name = take_word(&code);
    return name;
}

/* -- ids -- */

static void add_anchor(Manual *m, int document, Str id) {
    VEC_PUSH(m->arena, &m->anchors, ((Anchor){document, m->pages.count - 1, id}));
}

static bool begins_page(const Document *document, const Block *block, int at) {
    return at == 0 || (document->cut && block->kind == BLOCK_HEADING && block->level == 2);
}

static void begin_page(Manual *m, int document, const Block *block, Str id) {
    const Document *d = &m->documents[document];
    bool first = m->pages.count == d->first_page;
    Str file = first ? str_printf(m->arena, "%s.html", d->slug) : str_printf(m->arena, "%s-%.*s.html", d->slug, STR_ARG(id));
    VEC_PUSH(m->arena, &m->pages, ((Page){.document = document, .file = file, .title = markdown_plain(m->arena, block->text), .blocks = block}));
}

/* A chapter's heading is its page's title. */
static void name_blocks(Manual *m, int document) {
    Document *d = &m->documents[document];
    SymbolTable taken;
    Str chapter = {0}, holder = {0};
    symbols_init(&taken, m->arena);
    for (int i = 0; i < d->blocks.count; i++) {
        Block *block = &d->blocks.items[i];
        bool heading = block->kind == BLOCK_HEADING;
        Str item = block->text, code = d->entries && block->kind == BLOCK_ITEM ? markdown_first_code(&item) : (Str){0};
        if (heading) block->id = unique(m, &taken, slug(m->arena, block->text));
        if (begins_page(d, block, i)) {
            chapter = block->id;
            begin_page(m, document, block, block->id);
        }
        m->pages.items[m->pages.count - 1].count++;
        if (heading && m->pages.count - 1 > d->first_page) block->level--;
        if (code.len) {
            Str name = declared_in(code), over = block->level ? holder : chapter;
            block->id = unique(m, &taken, str_printf(m->arena, "%.*s.%.*s", STR_ARG(over), STR_ARG(name)));
            if (block->level == 0) holder = block->id;
        }
        if (block->id.len) add_anchor(m, document, block->id);
        if (code.len && block->level == 0) link_add_entry(m, m->anchors.count - 1, chapter, declared_in(code));
    }
    d->page_count = m->pages.count - d->first_page;
}

bool document_read(Manual *m, int document) {
    Document *d = &m->documents[document];
    Str text = m->desc->commands;
    if (d->path && !manual_read(m, str_of(d->path), false, &text)) return false;
    d->first_page = m->pages.count;
    d->blocks = markdown_blocks(m->arena, text);
    if (d->blocks.count == 0 || d->blocks.items[0].kind != BLOCK_HEADING)
        return manual_fail(m, "%s is damaged: it does not begin with a heading", d->path ? d->path : "the commands' document");
    name_blocks(m, document);
    return true;
}
