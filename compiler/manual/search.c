/* The index of the search: a script, for pages that are opened as files may load scripts and nothing else. A row is
 *
 *     ["kind", "title", "page.html#id", "its first words", "the other words under it"]
 */
#include "compiler/manual/manual_inside.h"

#include <stdlib.h>

enum { SHOWN = 160, SHORTEST_WORD = 3 };

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
}

static int compare_words(const void *a, const void *b) {
    return str_compare(*(const Str *)a, *(const Str *)b);
}

/* The words of a text in small letters, each once, in their order. */
static Str words_of(Arena *arena, Str text) {
    VEC(Str) words = {0};
    StrBuf out = {.arena = arena};
    for (size_t i = 0; i < text.len;) {
        StrBuf word = {.arena = arena};
        while (i < text.len && !is_word(text.ptr[i]))
            i++;
        for (; i < text.len && is_word(text.ptr[i]); i++)
            strbuf_char(&word, text.ptr[i] >= 'A' && text.ptr[i] <= 'Z' ? (char)(text.ptr[i] + ('a' - 'A')) : text.ptr[i]);
        if (word.len >= SHORTEST_WORD) VEC_PUSH(arena, &words, strbuf_take(&word));
    }
    if (words.count) qsort(words.items, (size_t)words.count, sizeof *words.items, compare_words);
    for (int i = 0; i < words.count; i++) {
        if (i && str_equal(words.items[i], words.items[i - 1])) continue;
        if (out.len) strbuf_char(&out, ' ');
        strbuf_str(&out, words.items[i]);
    }
    return strbuf_take(&out);
}

/* So much of a text as is shown, in whole words. */
static Str beginning(Str text) {
    if (text.len <= SHOWN) return text;
    text.len = SHOWN;
    while (text.len && text.ptr[text.len] != ' ')
        text.len--;
    return text;
}

static void add_row(Manual *m, Str kind, Str title, Str where, Str shown, Str said) {
    Str cells[] = {kind, title, where, beginning(shown), words_of(m->arena, said)};
    strbuf_str(&m->index, m->index.len ? STR_LIT(",\n[") : STR_LIT("["));
    for (int i = 0; i < 5; i++) {
        if (i) strbuf_char(&m->index, ',');
        strbuf_json_text(&m->index, cells[i]);
    }
    strbuf_char(&m->index, ']');
}

static bool has_row(const Block *block) {
    return block->kind == BLOCK_HEADING || block->id.len > 0;
}

/* What stands under a heading, up to the next. */
static Str said_under(Manual *m, const Page *page, int at) {
    StrBuf text = {.arena = m->arena};
    for (int i = at + 1; i < page->count && !has_row(&page->blocks[i]); i++) {
        if (text.len) strbuf_char(&text, ' ');
        strbuf_str(&text, markdown_plain(m->arena, page->blocks[i].text));
    }
    return strbuf_take(&text);
}

/* An entry is called by its name, and known as what declares it: "fn", "part"; of a record's field there is the holder. */
static void add_entry(Manual *m, const Page *page, const Block *block) {
    Str text = block->text, code = markdown_first_code(&text);
    if (str_starts(text, STR_LIT(": "))) text = (Str){text.ptr + 2, text.len - 2};
    StrBuf said = {.arena = m->arena};
    strbuf_str(&said, code);
    if (text.len) strbuf_char(&said, ' ');
    strbuf_str(&said, markdown_plain(m->arena, text));
    Str whole = strbuf_take(&said);
    add_row(m, STR_LIT("Library"), block->id, link_anchor(m, page, block->id), whole, whole);
}

void search_add_page(Manual *m, const Page *page) {
    Str kind = str_of(m->documents[page->document].name);
    for (int i = 0; i < page->count; i++) {
        const Block *block = &page->blocks[i];
        if (block->kind == BLOCK_HEADING) {
            Str said = said_under(m, page, i);
            add_row(m, kind, markdown_plain(m->arena, block->text), link_anchor(m, page, block->id), said, said);
        } else if (block->id.len) {
            add_entry(m, page, block);
        }
    }
}

/* What the first comment of a text says, up to the line that is none. */
static Str first_comment(Arena *arena, Str text) {
    StrBuf out = {.arena = arena};
    while (text.len) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t length = end ? (size_t)(end - text.ptr) : text.len, taken = end ? length + 1 : length;
        bool comment = str_starts(text, STR_LIT("//"));
        if (!comment && out.len) break;
        for (size_t i = 2; comment && i < length; i++)
            strbuf_char(&out, text.ptr[i]);
        text = (Str){text.ptr + taken, text.len - taken};
    }
    return strbuf_take(&out);
}

void search_add_example(Manual *m, const Page *page, Str text) {
    add_row(m, STR_LIT("Example"), page->title, page->file, first_comment(m->arena, text), text);
}

Str search_script(Manual *m) {
    return str_printf(m->arena, "var manualIndex = [\n%.*s\n];\n", STR_ARG(strbuf_take(&m->index)));
}
