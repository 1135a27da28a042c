/* Whether a source is text at all: UTF-8 without zero bytes. The lexer then need not look again. */
#include <string.h>

#include "lang/lexer.h"

/* The length of the well-formed character at `text` (RFC 3629, table 3-7 of Unicode), 0 for none.
 */
static size_t character_length(const unsigned char *text, size_t left) {
    unsigned char first = text[0], low = 0x80, high = 0xBF;
    if (first < 0x80) return 1;
    size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || length > left) return 0;
    if (first == 0xE0) low = 0xA0;  /* shorter forms exist */
    if (first == 0xED) high = 0x9F; /* surrogates */
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F; /* past U+10FFFF */
    if (text[1] < low || text[1] > high) return 0;
    for (size_t i = 2; i < length; i++)
        if ((text[i] & 0xC0) != 0x80) return 0;
    return length;
}

/* Eight bytes of ASCII, none of them zero: what nearly all of a text is. */
static bool is_plain(const char *text, size_t left) {
    uint64_t bytes;
    if (left < sizeof bytes) return false;
    memcpy(&bytes, text, sizeof bytes);
    uint64_t zero = (bytes - 0x0101010101010101u) & ~bytes;
    return ((bytes | zero) & 0x8080808080808080u) == 0;
}

bool lexer_check_text(DiagList *diags, uint32_t file) {
    Str text = sources_get(diags->sources, file)->text;
    for (size_t i = 0; i < text.len;) {
        if (is_plain(text.ptr + i, text.len - i)) {
            i += sizeof(uint64_t);
            continue;
        }
        size_t length = character_length((const unsigned char *)text.ptr + i, text.len - i);
        if (length && text.ptr[i] != '\0') {
            i += length;
            continue;
        }
        Span span = {file, (uint32_t)i, (uint32_t)i + 1};
        diag_add(diags, DIAG_E_PARSE_NOT_TEXT, span,
                 length ? "there is a zero byte" : "broken UTF-8");
        return false;
    }
    return true;
}
