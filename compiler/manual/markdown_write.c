/* Blocks as HTML. */
#include "compiler/manual/markdown.h"

static void write_heading(const Markdown *to, const Block *block) {
    strbuf_printf(to->out, "<h%d", block->level);
    if (block->id.len) {
        strbuf_str(to->out, STR_LIT(" id=\""));
        html_escape(to->out, block->id);
        strbuf_char(to->out, '"');
    }
    strbuf_char(to->out, '>');
    markdown_write_text(to, block->text, block->line);
    strbuf_printf(to->out, "</h%d>\n", block->level);
}

static void write_paragraph(const Markdown *to, const Block *block) {
    strbuf_str(to->out, markdown_picture(block->text).len ? STR_LIT("<p class=\"picture\">") : STR_LIT("<p>"));
    markdown_write_text(to, block->text, block->line);
    strbuf_str(to->out, STR_LIT("</p>\n"));
}

static bool is_shell(Str code) {
    return str_starts(code, STR_LIT("worldc ")) || str_starts(code, STR_LIT("sh "));
}

static void write_code(const Markdown *to, const Block *block) {
    strbuf_str(to->out, STR_LIT("<pre><code>"));
    if (block->language.len || is_shell(block->text)) html_escape(to->out, block->text);
    else highlight_world(to->arena, to->out, block->text, to->names);
    strbuf_str(to->out, STR_LIT("</code></pre>\n"));
}

/* -- tables -- */

/* Takes a cell of a row, to its bar; \| is a bar in it. */
static Str take_cell(Arena *arena, Str *row) {
    StrBuf cell = {.arena = arena};
    size_t at = 0;
    for (; at < row->len && row->ptr[at] != '|'; at++) {
        if (row->ptr[at] == '\\' && at + 1 < row->len && row->ptr[at + 1] == '|') at++;
        strbuf_char(&cell, row->ptr[at]);
    }
    size_t taken = at < row->len ? at + 1 : at;
    *row = (Str){row->ptr + taken, row->len - taken};
    Str text = strbuf_take(&cell);
    while (text.len && text.ptr[0] == ' ')
        text = (Str){text.ptr + 1, text.len - 1};
    while (text.len && text.ptr[text.len - 1] == ' ')
        text.len--;
    return text;
}

static bool is_rule(Str row) {
    for (size_t i = 0; i < row.len; i++)
        if (!strchr("|-: ", row.ptr[i])) return false;
    return true;
}

static void write_row(const Markdown *to, Str row, const char *cell, int line) {
    row = (Str){row.ptr + 1, row.len - 1};
    strbuf_str(to->out, STR_LIT("<tr>"));
    while (row.len) {
        strbuf_printf(to->out, "<%s>", cell);
        markdown_write_text(to, take_cell(to->arena, &row), line);
        strbuf_printf(to->out, "</%s>", cell);
    }
    strbuf_str(to->out, STR_LIT("</tr>\n"));
}

/* A first row in which nothing stands is left out. */
static void write_table(const Markdown *to, const Block *block) {
    Str rest = block->text;
    strbuf_str(to->out, STR_LIT("<div class=\"wide\"><table>\n"));
    for (int row = 0; rest.len; row++) {
        size_t length = (size_t)((const char *)memchr(rest.ptr, '\n', rest.len) - rest.ptr);
        Str line = {rest.ptr, length};
        if (!is_rule(line)) write_row(to, line, row ? "td" : "th", block->line + row);
        rest = (Str){rest.ptr + length + 1, rest.len - length - 1};
    }
    strbuf_str(to->out, STR_LIT("</table></div>\n"));
}

/* -- lists -- */

static void write_item(const Markdown *to, const Block *item) {
    Str text = item->text;
    strbuf_str(to->out, STR_LIT("<li"));
    if (item->id.len) {
        strbuf_str(to->out, STR_LIT(" class=\"entry\" id=\""));
        html_escape(to->out, item->id);
        strbuf_str(to->out, STR_LIT("\"><code>"));
        highlight_world(to->arena, to->out, markdown_first_code(&text), NULL);
        strbuf_str(to->out, STR_LIT("</code"));
        if (str_starts(text, STR_LIT(": "))) text = (Str){text.ptr + 1, text.len - 1};
    }
    strbuf_char(to->out, '>');
    markdown_write_text(to, text, item->line);
}

/* The items from `at` on that are as deep, with the deeper ones in them. Answers the one behind. */
static int write_list(const Markdown *to, const Block *blocks, int at, int count) {
    int level = blocks[at].level;
    const char *kind = blocks[at].number ? "ol" : "ul";
    strbuf_printf(to->out, "<%s>\n", kind);
    while (at < count && blocks[at].kind == BLOCK_ITEM && blocks[at].level >= level) {
        write_item(to, &blocks[at++]);
        while (at < count && blocks[at].kind == BLOCK_ITEM && blocks[at].level > level)
            at = write_list(to, blocks, at, count);
        strbuf_str(to->out, STR_LIT("</li>\n"));
    }
    strbuf_printf(to->out, "</%s>\n", kind);
    return at;
}

void markdown_write(const Markdown *to, const Block *blocks, int count) {
    for (int i = 0; i < count;) {
        const Block *block = &blocks[i];
        switch (block->kind) {
        case BLOCK_HEADING: write_heading(to, block); break;
        case BLOCK_PARAGRAPH: write_paragraph(to, block); break;
        case BLOCK_CODE: write_code(to, block); break;
        case BLOCK_TABLE: write_table(to, block); break;
        case BLOCK_ITEM: i = write_list(to, blocks, i, count); continue;
        }
        i++;
    }
}
