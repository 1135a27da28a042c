/* Numbers, units, texts and doc comments. Reports each mistake at its own characters. */
#include "lang/literal.h"
#include "lang/foreign.h"

#include <math.h>
#include <stdlib.h>

#include "lang/token.h"

static const Str UNITS[] = {
    {"mm", 2},   {"cm", 2}, {"m", 1}, {"km", 2},  {"deg", 3}, {"rad", 3},
    {"turn", 4}, {"ms", 2}, {"s", 1}, {"min", 3}, {"h", 1},   {"Hz", 2},
};
enum { UNIT_COUNT = sizeof UNITS / sizeof *UNITS };

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_name_char(char c) {
    return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static Str word_at(const char *text) {
    size_t length = 0;
    if (is_digit(*text)) return (Str){text, 0};
    while (is_name_char(text[length]))
        length++;
    return (Str){text, length};
}

static bool is_unit(Str word) {
    for (int i = 0; i < UNIT_COUNT; i++)
        if (str_equal(word, UNITS[i])) return true;
    return false;
}

/* `^2` after a unit, when it is there. */
static const char *skip_power(const char *text) {
    if (text[0] != '^' || !is_digit(text[1])) return text;
    text++;
    while (is_digit(*text))
        text++;
    return text;
}

/* `m/min(a, b)` divides by a call; `m/min` is a unit. */
static bool is_divisor_unit(Str word) {
    return is_unit(word) && word.ptr[word.len] != '(';
}

static const char *skip_blanks(const char *text) {
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

LiteralUnit literal_scan_unit(const char *text) {
    Str word = word_at(skip_blanks(text));
    bool is_label =
        word.len && *skip_blanks(word.ptr + word.len) == ':'; /* a comma is missing before it */
    if (word.len == 0 || is_label || token_is_keyword(word)) return (LiteralUnit){0};
    LiteralUnit unit = {.start = word.ptr, .end = word.ptr + word.len};
    unit.known = is_unit(word);
    if (!unit.known) return unit;
    unit.end = skip_power(unit.end);
    while (*unit.end == '/') {
        Str next = word_at(unit.end + 1);
        if (!is_divisor_unit(next)) break;
        unit.end = skip_power(next.ptr + next.len);
    }
    return unit;
}

void literal_report_unit(DiagList *diags, Span span) {
    Str word = sources_text(diags->sources, span);
    Diag *diag = diag_add(diags, DIAG_E_PARSE_UNIT, span, STR_ARG(word));
    const char *foreign = foreign_unit(word);
    if (foreign) diag_help(diags, diag, "%s", foreign);
    Str plain = {word.ptr, word.len - 1};
    if (is_digit(word.ptr[plain.len]) && is_unit(plain)) {
        diag_help(diags, diag, "a unit's power is written %.*s^%c", STR_ARG(plain), word.ptr[plain.len]);
        return;
    }
    if ((*word.ptr == 'b' || *word.ptr == 'o') && word.len > 1 && is_digit(word.ptr[1])) {
        diag_help(diags, diag, "whole numbers are written in tens, or in sixteens as 0xff");
        return;
    }
    Str nearest = foreign ? STR_LIT("") : diag_nearest(word, UNITS, UNIT_COUNT);
    if (nearest.len == 0) return;
    diag_help(diags, diag, "did you mean '%.*s'?", STR_ARG(nearest));
    diag_fix(diags, diag, span, nearest);
}

/* -- numbers -- */

static bool is_hex_digit(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_hex(Str text) {
    return text.len >= 2 && text.ptr[0] == '0' && (text.ptr[1] == 'x' || text.ptr[1] == 'X');
}

/* Every `_` stands between two digits, and 0x has digits and nothing else. */
static bool has_number_form(Str text) {
    bool hex = is_hex(text);
    if (hex && text.len == 2) return false;
    for (size_t i = hex ? 2 : 0; i < text.len; i++) {
        char before = i > (hex ? 2 : 0) ? text.ptr[i - 1] : '_';
        char after = i + 1 < text.len ? text.ptr[i + 1] : '_';
        if (text.ptr[i] == '_' && !(is_hex_digit(before) && is_hex_digit(after))) return false;
        if (hex && text.ptr[i] != '_' && !is_hex_digit(text.ptr[i])) return false;
    }
    return true;
}

static void report_range(DiagList *diags, Span span, Str text, const char *what, const char *help) {
    Str shown = {text.ptr, text.len < 40 ? text.len : 40};
    diag_help(diags, diag_add(diags, DIAG_E_PARSE_NUMBER_RANGE, span, STR_ARG(shown), what), "%s", help);
}

static int digit_value(char c) {
    if (is_digit(c)) return c - '0';
    return (c | 0x20) - 'a' + 10;
}

static LiteralNumber whole_number(DiagList *diags, Span span, Str text) {
    int64_t base = is_hex(text) ? 16 : 10, value = 0;
    bool fits = true;
    for (size_t i = base == 16 ? 2 : 0; i < text.len; i++) {
        if (text.ptr[i] == '_') continue;
        fits = fits && !__builtin_mul_overflow(value, base, &value) &&
               !__builtin_add_overflow(value, digit_value(text.ptr[i]), &value);
    }
    if (!fits) {
        report_range(diags, span, text, "large",
                     "whole numbers end at 9223372036854775807; a number with a point goes on");
        value = 0;
    }
    return (LiteralNumber){.value = (double)value, .int_value = value, .whole = true};
}

/* strtod takes its decimal point from the host's locale, so it is given digits and an exponent
 * only: "1.25e3" as "125e1". */
double literal_decimal(Str text, Arena *arena) {
    StrBuf digits = {.arena = arena};
    long fraction = 0, exponent = 0;
    bool after_point = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == 'e' || c == 'E') {
            exponent = strtol(text.ptr + i + 1, NULL, 10);
            break;
        }
        if (c == '.') after_point = true;
        if (!is_digit(c)) continue;
        strbuf_char(&digits, c);
        fraction += after_point;
    }
    enum { MOST = 100000000 }; /* more than a text has digits */
    if (exponent > MOST) exponent = MOST;
    if (exponent < -MOST) exponent = -MOST;
    strbuf_printf(&digits, "e%ld", exponent - fraction);
    return strtod(digits.ptr, NULL);
}

static bool is_whole(Str text) {
    if (is_hex(text)) return true;
    for (size_t i = 0; i < text.len; i++)
        if (!is_digit(text.ptr[i]) && text.ptr[i] != '_') return false;
    return true;
}

/* One that is not 0, before the exponent. */
static bool has_digit(Str text) {
    for (size_t i = 0; i < text.len && (text.ptr[i] | 0x20) != 'e'; i++)
        if (text.ptr[i] >= '1' && text.ptr[i] <= '9') return true;
    return false;
}

LiteralNumber literal_number(DiagList *diags, Span span) {
    Str text = sources_text(diags->sources, span);
    if (!has_number_form(text)) {
        diag_add(diags, DIAG_E_PARSE_NUMBER_FORM, span, STR_ARG(text));
        return (LiteralNumber){.whole = is_whole(text)};
    }
    if (is_whole(text)) return whole_number(diags, span, text);
    ArenaMark mark = arena_mark(diags->arena);
    double value = literal_decimal(text, diags->arena);
    arena_release(diags->arena, mark);
    if (isinf(value)) report_range(diags, span, text, "large", "numbers end at about 1.8e308");
    if (value == 0 && has_digit(text)) report_range(diags, span, text, "small", "above 0 numbers begin at about 4.9e-324");
    return (LiteralNumber){.value = isinf(value) ? 0 : value};
}

/* -- texts -- */

static void add_code_point(StrBuf *out, uint32_t c) {
    if (c < 0x80) {
        strbuf_char(out, (char)c);
    } else if (c < 0x800) {
        strbuf_char(out, (char)(0xC0 | c >> 6));
        strbuf_char(out, (char)(0x80 | (c & 0x3F)));
    } else if (c < 0x10000) {
        strbuf_char(out, (char)(0xE0 | c >> 12));
        strbuf_char(out, (char)(0x80 | (c >> 6 & 0x3F)));
        strbuf_char(out, (char)(0x80 | (c & 0x3F)));
    } else {
        strbuf_char(out, (char)(0xF0 | c >> 18));
        strbuf_char(out, (char)(0x80 | (c >> 12 & 0x3F)));
        strbuf_char(out, (char)(0x80 | (c >> 6 & 0x3F)));
        strbuf_char(out, (char)(0x80 | (c & 0x3F)));
    }
}

/* `\u{1F33F}` at the start of `text`: its length, or 0 when it is malformed. */
static size_t add_unicode(StrBuf *out, Str text) {
    uint32_t c = 0;
    size_t i = 3;
    if (text.len < 5 || text.ptr[2] != '{') return 0;
    for (; i < text.len && i < 9 && is_hex_digit(text.ptr[i]); i++)
        c = c * 16 + (uint32_t)digit_value(text.ptr[i]);
    bool is_scalar = c > 0 && c <= 0x10FFFF && !(c >= 0xD800 && c <= 0xDFFF);
    if (i == 3 || i >= text.len || text.ptr[i] != '}' || !is_scalar) return 0;
    add_code_point(out, c);
    return i + 1;
}

/* The escape at the start of `text`: adds what it stands for and answers its length, 0 when it is
 * none. */
static size_t add_escape(StrBuf *out, Str text) {
    switch (text.len > 1 ? text.ptr[1] : '\0') {
    case 'n':
        strbuf_char(out, '\n');
        return 2;
    case 'r':
        strbuf_char(out, '\r');
        return 2;
    case 't':
        strbuf_char(out, '\t');
        return 2;
    case '"':
        strbuf_char(out, '"');
        return 2;
    case '\\':
        strbuf_char(out, '\\');
        return 2;
    case 'u':
        return add_unicode(out, text);
    default:
        return 0;
    }
}

static size_t character_length(Str text) {
    size_t length = 1;
    while (length < text.len && ((unsigned char)text.ptr[length] & 0xC0) == 0x80)
        length++;
    return length;
}

static size_t report_escape(DiagList *diags, Span span, size_t at, Str text) {
    Str rest = {text.ptr + at + 1, text.len - at - 1};
    size_t length = 1 + (rest.len ? character_length(rest) : 0);
    uint32_t start = span.start + (uint32_t)at;
    Span place = {span.file, start, start + (uint32_t)length};
    diag_add(diags, DIAG_E_PARSE_ESCAPE, place, (int)length, text.ptr + at);
    return length;
}

/* Whether the text ends in a quote that is not itself escaped. */
static bool is_closed(Str text) {
    size_t slashes = 0;
    if (text.len < 2 || text.ptr[text.len - 1] != '"') return false;
    while (text.ptr[text.len - 2 - slashes] == '\\')
        slashes++; /* ends at the opening quote */
    return slashes % 2 == 0;
}

Str literal_text(DiagList *diags, Span span, bool opens_hole, Arena *arena) {
    Str text = sources_text(diags->sources, span);
    StrBuf out = {.arena = arena};
    size_t mark = opens_hole ? 2 : is_closed(text);
    Str inner = {text.ptr, text.len - mark};
    for (size_t i = 1; i < inner.len;) {
        if (inner.ptr[i] != '\\') {
            strbuf_char(&out, inner.ptr[i++]);
            continue;
        }
        size_t length = add_escape(&out, (Str){inner.ptr + i, inner.len - i});
        i += length ? length : report_escape(diags, span, i, inner);
    }
    return strbuf_take(&out);
}

/* -- doc comments -- */

Str literal_doc(const SourceSet *sources, Span span, Arena *arena) {
    Str text = sources_text(sources, span);
    StrBuf out = {.arena = arena};
    for (size_t i = 0; i < text.len;) {
        size_t end = i;
        while (end < text.len && text.ptr[end] != '\n')
            end++;
        Str line = {text.ptr + i, end - i};
        while (line.len && (*line.ptr == ' ' || *line.ptr == '\t'))
            line.ptr++, line.len--;
        while (line.len && strchr(" \t\r", line.ptr[line.len - 1]))
            line.len--;
        i = end + 1;
        if (!str_starts(line, STR_LIT("///")) || str_starts(line, STR_LIT("////"))) continue;
        size_t skip = line.len > 3 && line.ptr[3] == ' ' ? 4 : 3;
        if (out.len) strbuf_char(&out, '\n');
        strbuf_add(&out, line.ptr + skip, line.len - skip);
    }
    return strbuf_take(&out);
}
