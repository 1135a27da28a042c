/* What stands round the blocks of a page: the head, the way to the other pages, the page before and the one after. */
#include "compiler/manual/manual_inside.h"

static void put_link(StrBuf *out, const Page *page, Str text, const char *class) {
    strbuf_printf(out, "<a%s%s%s href=\"%.*s\">", class ? " class=\"" : "", class ? class : "", class ? "\"" : "", STR_ARG(page->file));
    html_escape(out, text);
    strbuf_str(out, STR_LIT("</a>"));
}

static void put_head(StrBuf *out, Str title) {
    strbuf_str(out, STR_LIT("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"));
    html_escape(out, title);
    strbuf_str(out, STR_LIT(" - worldc</title>\n<link rel=\"stylesheet\" href=\"manual.css\">\n<script defer src=\"search.js\"></script>\n"
                            "<script defer src=\"manual.js\"></script>\n</head>\n<body>\n<header>\n<a class=\"home\" href=\"index.html\">worldc</a>\n"
                            "<form role=\"search\" id=\"search\" hidden><input type=\"search\" placeholder=\"Search: a word, a name, a task\" "
                            "aria-label=\"Search\" autocomplete=\"off\"><ol id=\"found\" hidden></ol></form>\n</header>\n<div class=\"columns\">\n"));
}

/* Every document; of the page's own its pages. */
static void put_ways(Manual *m, StrBuf *out, const Page *here) {
    strbuf_str(out, STR_LIT("<nav aria-label=\"The manual\">\n<ul>\n"));
    for (int i = 0; i < MANUAL_DOCUMENTS; i++) {
        const Document *d = &m->documents[i];
        const Page *first = &m->pages.items[d->first_page];
        strbuf_str(out, STR_LIT("<li>"));
        put_link(out, first, str_of(d->name), first == here ? "here" : NULL);
        if (here->document == i && d->page_count > 1) strbuf_str(out, STR_LIT("\n<ul>\n"));
        for (int k = 1; here->document == i && k < d->page_count; k++) {
            const Page *page = first + k;
            strbuf_str(out, STR_LIT("<li>"));
            put_link(out, page, page->title, page == here ? "here" : NULL);
            strbuf_str(out, STR_LIT("</li>\n"));
        }
        if (here->document == i && d->page_count > 1) strbuf_str(out, STR_LIT("</ul>\n"));
        strbuf_str(out, STR_LIT("</li>\n"));
    }
    strbuf_str(out, STR_LIT("</ul>\n</nav>\n"));
}

static void put_pages(Manual *m, StrBuf *out, const Page *first) {
    const Document *d = &m->documents[first->document];
    if (!d->listed || first != &m->pages.items[d->first_page]) return;
    strbuf_str(out, STR_LIT("<ol>\n"));
    for (int i = 1; i < d->page_count; i++) {
        strbuf_str(out, STR_LIT("<li>"));
        put_link(out, first + i, first[i].title, NULL);
        strbuf_str(out, STR_LIT("</li>\n"));
    }
    strbuf_str(out, STR_LIT("</ol>\n"));
}

/* The page before and the one after, of one document. */
static void put_neighbors(Manual *m, StrBuf *out, const Page *here) {
    const Document *d = &m->documents[here->document];
    int at = (int)(here - m->pages.items) - d->first_page;
    if (d->page_count < 2) return;
    strbuf_str(out, STR_LIT("<p class=\"neighbors\">"));
    if (at > 0) put_link(out, here - 1, here[-1].title, "before");
    if (at + 1 < d->page_count) put_link(out, here + 1, here[1].title, "after");
    strbuf_str(out, STR_LIT("</p>\n"));
}

/* The headings of a page that has several. */
static void put_contents(Manual *m, StrBuf *out, const Page *page) {
    int count = 0;
    for (int i = 1; i < page->count; i++)
        count += page->blocks[i].kind == BLOCK_HEADING;
    if (count < 2) return;
    strbuf_str(out, STR_LIT("<p class=\"contents\">"));
    for (int i = 1; i < page->count; i++) {
        const Block *block = &page->blocks[i];
        if (block->kind != BLOCK_HEADING) continue;
        strbuf_str(out, STR_LIT("<a href=\"#"));
        html_escape(out, block->id);
        strbuf_str(out, STR_LIT("\">"));
        html_escape(out, markdown_plain(m->arena, block->text));
        strbuf_str(out, STR_LIT("</a> "));
    }
    strbuf_str(out, STR_LIT("</p>\n"));
}

static Str end_of_page(StrBuf *out) {
    strbuf_str(out, STR_LIT("</main>\n</div>\n</body>\n</html>\n"));
    return strbuf_take(out);
}

bool page_write(Manual *m, const Page *page) {
    StrBuf out = {.arena = m->arena};
    LinkFrom from = {m, page->document};
    NameLinks names = {link_name, m};
    Markdown to = {.arena = m->arena, .out = &out, .link = link_resolve, .user = &from, .names = &names};
    put_head(&out, page->title);
    put_ways(m, &out, page);
    strbuf_str(&out, STR_LIT("<main>\n"));
    markdown_write(&to, page->blocks, 1);
    put_contents(m, &out, page);
    markdown_write(&to, page->blocks + 1, page->count - 1);
    put_pages(m, &out, page);
    put_neighbors(m, &out, page);
    search_add_page(m, page);
    return m->problem.len == 0 && manual_put(m, page->file, end_of_page(&out));
}

/* "grove" of "examples/grove.world", and its picture, where pages show one. */
static void put_picture(Manual *m, StrBuf *out, Str name) {
    Str picture = str_printf(m->arena, "examples/pictures/%.*s.png", STR_ARG(name));
    for (int i = 0; i < m->pictures.count; i++) {
        if (!str_equal(m->pictures.items[i], picture)) continue;
        strbuf_str(out, STR_LIT("<p class=\"picture\"><img alt=\"\" src=\""));
        html_escape(out, link_picture(picture));
        strbuf_str(out, STR_LIT("\"></p>\n"));
    }
}

bool page_write_example(Manual *m, Str path) {
    StrBuf out = {.arena = m->arena};
    Str name = {path.ptr + strlen("examples/"), path.len - strlen("examples/.world")}, text;
    Page page = {.document = -1, .file = link_example(m->arena, path), .title = str_printf(m->arena, "%.*s.world", STR_ARG(name))};
    if (!manual_read(m, path, false, &text)) return false;
    put_head(&out, page.title);
    put_ways(m, &out, &page);
    strbuf_str(&out, STR_LIT("<main>\n<h1>"));
    html_escape(&out, page.title);
    strbuf_str(&out, STR_LIT("</h1>\n"));
    put_picture(m, &out, name);
    strbuf_str(&out, STR_LIT("<pre><code>"));
    highlight_world(m->arena, &out, text, &(NameLinks){link_name, m});
    strbuf_str(&out, STR_LIT("</code></pre>\n"));
    search_add_example(m, &page, text);
    return manual_put(m, page.file, end_of_page(&out));
}
