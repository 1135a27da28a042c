/* JSON out, and the names of files as the protocol writes them. */
#include "compiler/lsp/lsp.h"

#include <limits.h>
#include <stdlib.h>

void write_text(StrBuf *out, Str text) {
    strbuf_char(out, '"');
    for (size_t i = 0, plain; i < text.len; i++) {
        for (plain = i; i < text.len && (unsigned char)text.ptr[i] >= 0x20 && text.ptr[i] != '"' && text.ptr[i] != '\\';)
            i++;
        strbuf_add(out, text.ptr + plain, i - plain);
        if (i == text.len) break;
        unsigned char c = (unsigned char)text.ptr[i];
        if (c == '"' || c == '\\')
            strbuf_printf(out, "\\%c", c);
        else if (c == '\n')
            strbuf_str(out, STR_LIT("\\n"));
        else
            strbuf_printf(out, "\\u%04x", c);
    }
    strbuf_char(out, '"');
}

void write_place(StrBuf *out, Place place) {
    strbuf_printf(out, "{\"line\":%u,\"character\":%u}", place.line, place.column);
}

void write_range(StrBuf *out, const Lines *lines, uint32_t start, uint32_t end) {
    strbuf_str(out, STR_LIT("{\"start\":"));
    write_place(out, lines_place(lines, start));
    strbuf_str(out, STR_LIT(",\"end\":"));
    write_place(out, lines_place(lines, end));
    strbuf_char(out, '}');
}

void write_edit(StrBuf *out, const Lines *lines, uint32_t start, uint32_t end, Str text) {
    strbuf_str(out, STR_LIT("{\"range\":"));
    write_range(out, lines, start, end);
    strbuf_str(out, STR_LIT(",\"newText\":"));
    write_text(out, text);
    strbuf_char(out, '}');
}

void write_item(StrBuf *out) {
    if (out->len && out->ptr[out->len - 1] != '[' && out->ptr[out->len - 1] != '{') strbuf_char(out, ',');
}

/* -- file:// -- */

static bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-._~/", c) != NULL;
}

Str uri_of(Arena *arena, Str path) {
    StrBuf out = {.arena = arena};
    char whole[PATH_MAX];
    bool from_here = path.len && path.ptr[0] != '/'; /* the library's folder, as it was said */
    if (from_here && realpath(arena_strndup(arena, path.ptr, path.len), whole)) path = str_of(whole);
    strbuf_str(&out, STR_LIT("file://"));
    for (size_t i = 0; i < path.len; i++)
        if (is_plain(path.ptr[i]))
            strbuf_char(&out, path.ptr[i]);
        else
            strbuf_printf(&out, "%%%02X", (unsigned char)path.ptr[i]);
    return strbuf_take(&out);
}

static int hex_of(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

Str uri_path(Arena *arena, Str uri) {
    Str scheme = STR_LIT("file://");
    StrBuf out = {.arena = arena};
    if (!str_starts(uri, scheme)) return STR_LIT("");
    for (size_t i = scheme.len; i < uri.len; i++) {
        int high = uri.ptr[i] == '%' && i + 2 < uri.len ? hex_of(uri.ptr[i + 1]) : -1, low = high >= 0 ? hex_of(uri.ptr[i + 2]) : -1;
        strbuf_char(&out, low >= 0 ? (char)(16 * high + low) : uri.ptr[i]);
        if (low >= 0) i += 2;
    }
    return strbuf_take(&out);
}
