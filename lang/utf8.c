/* Whether a source is text at all: UTF-8 without zero bytes. The lexer then need not look again. */
#include <string.h>

#include "lang/lexer.h"

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
        size_t length = str_character((Str){text.ptr + i, text.len - i});
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
