/* Places in texts: bytes here, lines and columns at the client. */
#include "compiler/lsp/lsp.h"

Lines lines_of(Arena *arena, Str text, bool utf8) {
    VEC(uint32_t) starts = {0};
    VEC_PUSH(arena, &starts, 0);
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '\n') VEC_PUSH(arena, &starts, (uint32_t)i + 1);
    return (Lines){text, starts.items, starts.count, utf8};
}

/* Bytes of the character that begins there; what is no UTF-8 counts a byte. */
static int width_of(Str text, size_t at) {
    unsigned char c = (unsigned char)text.ptr[at];
    int width = c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    return at + (size_t)width <= text.len ? width : 1;
}

static uint32_t columns_of(const Lines *lines, int width) {
    return lines->utf8 ? (uint32_t)width : width == 4 ? 2 : 1;
}

static int line_of(const Lines *lines, uint32_t offset) {
    int low = 0, high = lines->count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (lines->starts[middle] <= offset)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

Place lines_place(const Lines *lines, uint32_t offset) {
    if (offset > lines->text.len) offset = (uint32_t)lines->text.len;
    int line = line_of(lines, offset);
    Place place = {(uint32_t)line, 0};
    for (uint32_t at = lines->starts[line]; at < offset;) {
        int width = width_of(lines->text, at);
        place.column += columns_of(lines, width);
        at += (uint32_t)width;
    }
    return place;
}

/* Past the end of a line its end is meant, past the last line the text's. */
uint32_t lines_offset(const Lines *lines, Place place) {
    if (place.line >= (uint32_t)lines->count) return (uint32_t)lines->text.len;
    uint32_t at = lines->starts[place.line], column = 0;
    while (at < lines->text.len && column < place.column && lines->text.ptr[at] != '\n' && lines->text.ptr[at] != '\r') {
        int width = width_of(lines->text, at);
        column += columns_of(lines, width);
        at += (uint32_t)width;
    }
    return at;
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

uint32_t text_word_start(Str text, uint32_t offset) {
    while (offset > 0 && is_word(text.ptr[offset - 1]))
        offset--;
    return offset;
}
