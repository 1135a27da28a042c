/* Words, numbers, names and spans of IR text, for read.c. Doubles are read as the bits they are
 * stored in. */
#include "compiler/ir/token.h"

bool reader_fail(Reader *r, const char *what) {
    if (!r->failed) r->error = str_printf(r->arena, "line %d: %s", r->line, what);
    r->failed = true;
    r->at = r->end;
    return false;
}

void reader_skip_space(Reader *r) {
    for (; r->at < r->end; r->at++) {
        if (*r->at == ';')
            while (r->at < r->end && *r->at != '\n')
                r->at++;
        if (r->at == r->end) return;
        if (*r->at == '\n')
            r->line++;
        else if (*r->at != ' ' && *r->at != '\t' && *r->at != '\r')
            return;
    }
}

static bool is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

bool reader_accept(Reader *r, char c) {
    reader_skip_space(r);
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

bool reader_expect(Reader *r, char c) {
    char text[] = "expected ' '";
    text[10] = c;
    return reader_accept(r, c) || reader_fail(r, text);
}

/* The word that stands here, or an empty one. */
Str reader_peek_word(Reader *r) {
    reader_skip_space(r);
    const char *stop = r->at;
    while (stop < r->end && is_word_char(*stop))
        stop++;
    return (Str){r->at, (size_t)(stop - r->at)};
}

bool reader_accept_word(Reader *r, const char *word) {
    Str here = reader_peek_word(r);
    if (!str_equal(here, str_of(word))) return false;
    r->at += here.len;
    return true;
}

bool reader_expect_word(Reader *r, const char *word) {
    return reader_accept_word(r, word) ||
           reader_fail(r, str_printf(r->arena, "expected `%s`", word).ptr);
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

bool reader_int(Reader *r, int64_t *value) {
    reader_skip_space(r);
    bool negative = r->at < r->end && *r->at == '-';
    if (negative) r->at++;
    uint64_t total = 0, limit = (uint64_t)INT64_MAX + negative;
    const char *first = r->at;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
        uint64_t digit = (uint64_t)(*r->at - '0');
        if (total > (limit - digit) / 10) return reader_fail(r, "this whole number is too large");
        total = total * 10 + digit;
    }
    if (r->at == first) return reader_fail(r, "expected a whole number");
    *value = (int64_t)(negative ? 0 - total : total);
    return true;
}

/* A whole number in [0, limit). */
bool reader_index(Reader *r, int64_t limit, int64_t *value) {
    if (!reader_int(r, value)) return false;
    return (*value >= 0 && *value < limit) || reader_fail(r, "this number is out of range");
}

static bool accept_text(Reader *r, const char *text) {
    size_t length = strlen(text);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length) != 0) return false;
    r->at += length;
    return true;
}

/* Up to max_digits hexadecimal digits; answers how many. */
static int read_hex(Reader *r, int max_digits, uint64_t *value) {
    int digits = 0;
    for (*value = 0; digits < max_digits && r->at < r->end && hex_digit(*r->at) >= 0; digits++)
        *value = *value << 4 | (uint64_t)hex_digit(*r->at++);
    return digits;
}

/* The part of a double after its sign, as the bits that are stored: 0x1.8p3, 0x0.8p-1022, 0x0p0,
 * inf. */
static bool read_magnitude(Reader *r, uint64_t *bits) {
    *bits = 0x7ffull << 52;
    if (accept_text(r, "inf")) return true;
    bool normal = accept_text(r, "0x1");
    if (!normal && !accept_text(r, "0x0")) return reader_fail(r, "expected a hexadecimal number");
    uint64_t fraction = 0;
    if (accept_text(r, ".")) {
        int digits = read_hex(r, 13, &fraction);
        if (digits == 0) return reader_fail(r, "expected hexadecimal digits");
        fraction <<= 4 * (13 - digits);
    }
    int64_t power;
    if (!accept_text(r, "p")) return reader_fail(r, "expected `p`");
    if (!reader_int(r, &power)) return false;
    bool fits = normal ? power >= -1022 && power <= 1023 : power == (fraction ? -1022 : 0);
    if (!fits) return reader_fail(r, "this exponent is out of range");
    *bits = fraction | (normal ? (uint64_t)(power + 1023) << 52 : 0);
    return true;
}

bool reader_float(Reader *r, double *value) {
    reader_skip_space(r);
    uint64_t bits;
    if (accept_text(r, "nan:")) {
        if (read_hex(r, 16, &bits) != 16) return reader_fail(r, "expected the 16 digits of a NaN");
    } else {
        uint64_t sign = accept_text(r, "-") ? 1ull << 63 : 0;
        if (!read_magnitude(r, &bits)) return false;
        bits |= sign;
    }
    memcpy(value, &bits, sizeof bits);
    return true;
}

static bool read_escape(Reader *r, StrBuf *out) {
    if (r->at == r->end) return reader_fail(r, "this text does not end");
    char c = *r->at++;
    if (c != 'x') {
        strbuf_char(out, c);
        return true;
    }
    uint64_t code;
    if (read_hex(r, 2, &code) != 2) return reader_fail(r, "expected two hexadecimal digits");
    strbuf_char(out, (char)code);
    return true;
}

bool reader_quoted(Reader *r, Str *text) {
    StrBuf out = {.arena = r->arena};
    if (!reader_expect(r, '"')) return false;
    while (r->at < r->end && *r->at != '"') {
        char c = *r->at++;
        if (c == '\n') r->line++;
        if (c != '\\')
            strbuf_char(&out, c);
        else if (!read_escape(r, &out))
            return false;
    }
    *text = strbuf_take(&out);
    return reader_expect(r, '"');
}

bool reader_name(Reader *r, Str *name) {
    if (!reader_expect(r, '@')) return false;
    reader_skip_space(r);
    if (r->at < r->end && *r->at == '"') return reader_quoted(r, name);
    *name = reader_peek_word(r);
    r->at += name->len;
    return name->len > 0 || reader_fail(r, "expected a name");
}

bool reader_type(Reader *r, IrType *type) {
    Str word = reader_peek_word(r);
    if (word.len != 1 || !ir_type_of_letter(word.ptr[0], type))
        return reader_fail(r, "expected one of the types B W I F R");
    r->at++;
    return true;
}

bool reader_span(Reader *r, Span *span) {
    int64_t part[3] = {0};
    if (!reader_accept(r, '!')) return true;
    for (int i = 0; i < 3; i++)
        if ((i && !reader_expect(r, ':')) || !reader_index(r, (int64_t)UINT32_MAX + 1, &part[i]))
            return false;
    *span = (Span){(uint32_t)part[0], (uint32_t)part[1], (uint32_t)part[2]};
    return span->file != 0 || reader_fail(r, "a span's file starts at 1");
}

bool reader_at(Reader *r, char c) {
    reader_skip_space(r);
    return r->at < r->end && *r->at == c;
}
