/* A document's lines to blocks. */
#include "compiler/manual/markdown.h"

enum { DEEPEST_LIST = 6 };

typedef struct Lines {
    Arena *arena;
    VEC(Str) all;
    int at;
    Blocks blocks;
} Lines;

static void split(Lines *lines, Str text) {
    while (text.len) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t length = end ? (size_t)(end - text.ptr) : text.len, taken = end ? length + 1 : length;
        if (length && text.ptr[length - 1] == '\r') length--;
        VEC_PUSH(lines->arena, &lines->all, ((Str){text.ptr, length}));
        text = (Str){text.ptr + taken, text.len - taken};
    }
}

static Str after(Str text, size_t count) {
    return (Str){text.ptr + count, text.len - count};
}

static size_t blanks(Str line) {
    size_t count = 0;
    while (count < line.len && (line.ptr[count] == ' ' || line.ptr[count] == '\t'))
        count++;
    return count;
}

static bool is_blank(Str line) {
    return blanks(line) == line.len;
}

static Str trimmed(Str line) {
    line = after(line, blanks(line));
    while (line.len && (line.ptr[line.len - 1] == ' ' || line.ptr[line.len - 1] == '\t'))
        line.len--;
    return line;
}

static bool is_fence(Str line) {
    return str_starts(line, STR_LIT("```"));
}

static bool is_table(Str line) {
    return str_starts(line, STR_LIT("|"));
}

static bool is_code(Str line) {
    return str_starts(line, STR_LIT("    "));
}

/* The level of "## A heading"; 0: it is none. */
static int heading_level(Str line) {
    size_t level = 0;
    while (level < line.len && line.ptr[level] == '#')
        level++;
    return level >= 1 && level <= 6 && level < line.len && line.ptr[level] == ' ' ? (int)level : 0;
}

/* Behind "  - " or "12. "; false: it is no item. */
static bool read_item(Str line, int *level, int *number, Str *text) {
    size_t indent = blanks(line), at = indent;
    *number = 0;
    while (at < line.len && line.ptr[at] >= '0' && line.ptr[at] <= '9' && *number < 100000)
        *number = *number * 10 + (line.ptr[at++] - '0');
    bool numbered = at > indent;
    if (at + 1 >= line.len || line.ptr[at] != (numbered ? '.' : '-') || line.ptr[at + 1] != ' ') return false;
    *level = indent / 2 < DEEPEST_LIST ? (int)(indent / 2) : DEEPEST_LIST;
    *text = after(line, at + 2);
    return true;
}

static bool is_item(Str line) {
    int level, number;
    Str text;
    return read_item(line, &level, &number, &text);
}

/* What stands under a paragraph's line, or an item's, and is not of it. A number may begin any line of a paragraph. */
static bool ends_text(Str line, bool in_item) {
    return is_blank(line) || is_fence(line) || is_table(line) || heading_level(line) ||
           (is_item(line) && (in_item || trimmed(line).ptr[0] == '-'));
}

static Block *add(Lines *lines, BlockKind kind) {
    VEC_PUSH(lines->arena, &lines->blocks, ((Block){.kind = kind, .line = lines->at + 1}));
    return &lines->blocks.items[lines->blocks.count - 1];
}

/* The lines of a text that goes on, joined by blanks. */
static void take_text(Lines *lines, Block *block, Str first) {
    StrBuf text = {.arena = lines->arena};
    strbuf_str(&text, trimmed(first));
    for (lines->at++; lines->at < lines->all.count; lines->at++) {
        Str line = lines->all.items[lines->at];
        if (ends_text(line, block->kind == BLOCK_ITEM)) break;
        strbuf_char(&text, ' ');
        strbuf_str(&text, trimmed(line));
    }
    block->text = strbuf_take(&text);
}

static void take_fenced(Lines *lines) {
    Block *block = add(lines, BLOCK_CODE);
    StrBuf text = {.arena = lines->arena};
    block->language = trimmed(after(lines->all.items[lines->at], 3));
    for (lines->at++; lines->at < lines->all.count && !is_fence(lines->all.items[lines->at]); lines->at++) {
        strbuf_str(&text, lines->all.items[lines->at]);
        strbuf_char(&text, '\n');
    }
    lines->at++;
    block->text = strbuf_take(&text);
}

/* Blank lines are of it where more of it follows. */
static void take_indented(Lines *lines) {
    Block *block = add(lines, BLOCK_CODE);
    StrBuf text = {.arena = lines->arena};
    int empty = 0;
    for (; lines->at < lines->all.count; lines->at++) {
        Str line = lines->all.items[lines->at];
        if (is_blank(line)) {
            empty++;
            continue;
        }
        if (!is_code(line)) break;
        for (; empty; empty--)
            strbuf_char(&text, '\n');
        strbuf_str(&text, after(line, 4));
        strbuf_char(&text, '\n');
    }
    block->text = strbuf_take(&text);
}

static void take_table(Lines *lines) {
    Block *block = add(lines, BLOCK_TABLE);
    StrBuf text = {.arena = lines->arena};
    for (; lines->at < lines->all.count && is_table(lines->all.items[lines->at]); lines->at++) {
        strbuf_str(&text, trimmed(lines->all.items[lines->at]));
        strbuf_char(&text, '\n');
    }
    block->text = strbuf_take(&text);
}

static void take_heading(Lines *lines, int level) {
    Block *block = add(lines, BLOCK_HEADING);
    block->level = level;
    block->text = trimmed(after(lines->all.items[lines->at++], (size_t)level));
}

/* Items that are indented as code is are items where they stand under one. */
static bool take_item(Lines *lines) {
    Str line = lines->all.items[lines->at], text;
    int level, number, count = lines->blocks.count;
    bool under = count && lines->blocks.items[count - 1].kind == BLOCK_ITEM && !is_blank(lines->all.items[lines->at - 1]);
    if ((is_code(line) && !under) || !read_item(line, &level, &number, &text)) return false;
    Block *block = add(lines, BLOCK_ITEM);
    block->level = level;
    block->number = number;
    take_text(lines, block, text);
    return true;
}

static void take_block(Lines *lines) {
    Str line = lines->all.items[lines->at];
    int level = heading_level(line);
    if (is_fence(line)) take_fenced(lines);
    else if (level) take_heading(lines, level);
    else if (take_item(lines)) return;
    else if (is_code(line)) take_indented(lines);
    else if (is_table(line)) take_table(lines);
    else take_text(lines, add(lines, BLOCK_PARAGRAPH), line);
}

Blocks markdown_blocks(Arena *arena, Str text) {
    Lines lines = {.arena = arena};
    split(&lines, text);
    while (lines.at < lines.all.count) {
        if (is_blank(lines.all.items[lines.at])) lines.at++;
        else take_block(&lines);
    }
    return lines.blocks;
}
