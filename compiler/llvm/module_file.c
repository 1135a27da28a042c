#include "compiler/llvm/module_file.h"

#include <string.h>

enum { HEADER = 8 };
enum { CUSTOM = 0, EXPORT = 7, ELEMENTS = 9, CODE = 10, DATA = 11, DATA_COUNT = 12 }; /* sections */
enum { SYMBOL_TABLE = 8 };                                                             /* of the section `linking` */
enum { FUNCTION = 0, OF_DATA = 1, OF_SECTION = 3 };                                    /* symbols */
enum { LOCAL = 2, UNDEFINED = 0x10, NAMED = 0x40 };                                    /* their flags */
enum { I32_CONST = 0x41 };

typedef struct Reader {
    const uint8_t *at, *end;
    bool bad; /* it ended before what it should have held */
} Reader;

static uint8_t read_byte(Reader *r) {
    if (r->at < r->end) return *r->at++;
    r->bad = true;
    return 0;
}

static uint64_t read_number(Reader *r) {
    uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        uint8_t byte = read_byte(r);
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) break;
    }
    return number;
}

/* As many bytes, read apart. */
static Reader read_part(Reader *r, uint64_t size) {
    if (size > (uint64_t)(r->end - r->at)) {
        r->bad = true;
        size = 0;
    }
    Reader part = {r->at, r->at + size, false};
    r->at += size;
    return part;
}

static Str read_text(Reader *r) {
    Reader part = read_part(r, read_number(r));
    return (Str){(const char *)part.at, (size_t)(part.end - part.at)};
}

static void put_number(StrBuf *out, uint64_t number) {
    for (; number >= 0x80; number >>= 7)
        strbuf_char(out, (char)(number | 0x80));
    strbuf_char(out, (char)number);
}

static void put_section(StrBuf *out, int kind, Str body) {
    strbuf_char(out, (char)kind);
    put_number(out, body.len);
    strbuf_str(out, body);
}

static void put_text(StrBuf *out, Str text) {
    put_number(out, text.len);
    strbuf_str(out, text);
}

/* -- functions with outward names -- */

typedef struct Exports {
    StrBuf rows;
    uint64_t count;
} Exports;

static void read_symbol(Reader *r, Exports *exports) {
    uint8_t kind = read_byte(r);
    uint64_t flags = read_number(r);
    bool defined = !(flags & UNDEFINED);
    if (kind == OF_DATA) {
        read_text(r);
        for (int i = 0; defined && i < 3; i++)
            read_number(r);
        return;
    }
    uint64_t index = read_number(r);
    if (kind == OF_SECTION || !(defined || flags & NAMED)) return;
    Str name = read_text(r);
    if (kind != FUNCTION || !defined || flags & LOCAL) return;
    put_text(&exports->rows, name);
    strbuf_char(&exports->rows, FUNCTION);
    put_number(&exports->rows, index);
    exports->count++;
}

static void read_linking(Reader *r, Exports *exports) {
    read_number(r); /* its version */
    while (r->at < r->end && !r->bad) {
        uint8_t kind = read_byte(r);
        Reader part = read_part(r, read_number(r));
        uint64_t count = kind == SYMBOL_TABLE ? read_number(&part) : 0;
        for (uint64_t i = 0; i < count && !part.bad; i++)
            read_symbol(&part, exports);
        r->bad |= part.bad;
    }
}

/* -- data -- */

/* Segments lie one after the other, where the code thinks them from the base on. */
static void read_data(Reader *r, StrBuf *data) {
    uint64_t count = read_number(r);
    for (uint64_t i = 0; i < count && !r->bad; i++) {
        uint64_t flags = read_number(r);
        r->bad |= flags != 0 || read_byte(r) != I32_CONST;
        uint64_t at = read_number(r);
        read_byte(r); /* the end of that */
        Str bytes = read_text(r);
        r->bad |= at < data->len || at > data->len + 64;
        while (!r->bad && data->len < at)
            strbuf_char(data, '\0');
        strbuf_str(data, bytes);
    }
}

/* -- all of it -- */

typedef struct Sections {
    Exports exports;
    StrBuf data, kept; /* kept: those that stay as they are, before and with the code */
    Arena *arena;
} Sections;

static void put_exports(Sections *s, StrBuf *out) {
    StrBuf body = {.arena = s->arena};
    put_number(&body, s->exports.count);
    strbuf_str(&body, strbuf_take(&s->exports.rows));
    put_section(out, EXPORT, strbuf_take(&body));
}

static void read_custom(Reader *body, Sections *s) {
    Str name = read_text(body);
    if (str_equal(name, STR_LIT("linking"))) read_linking(body, &s->exports);
    body->bad |= str_equal(name, STR_LIT("reloc.DATA")); /* an address in the data: it would have to be known before */
}

/* Sections in their order, of which exports and code come last. */
static bool read_sections(Reader *r, Sections *s, Str *code) {
    while (r->at < r->end && !r->bad) {
        uint8_t kind = read_byte(r);
        Reader body = read_part(r, read_number(r));
        Str bytes = {(const char *)body.at, (size_t)(body.end - body.at)};
        if (kind == CUSTOM)
            read_custom(&body, s);
        else if (kind == DATA)
            read_data(&body, &s->data);
        else if (kind == CODE)
            *code = bytes;
        else if (kind == ELEMENTS)
            body.bad = true; /* a function's address */
        else if (kind != DATA_COUNT)
            put_section(&s->kept, kind, bytes);
        r->bad |= body.bad;
    }
    return !r->bad;
}

Str module_file(Str object, Arena *arena, Str *error) {
    Sections s = {.exports.rows.arena = arena, .data.arena = arena, .kept.arena = arena, .arena = arena};
    Str code = {0};
    Reader r = {(const uint8_t *)object.ptr, (const uint8_t *)object.ptr + object.len, object.len < HEADER};
    Reader header = read_part(&r, HEADER);
    if (!read_sections(&r, &s, &code)) {
        *error = STR_LIT("LLVM made an object that is no module by itself");
        return (Str){0};
    }
    StrBuf out = {.arena = arena}, data = {.arena = arena};
    strbuf_str(&out, (Str){(const char *)header.at, HEADER});
    strbuf_str(&out, strbuf_take(&s.kept));
    put_exports(&s, &out);
    put_section(&out, CODE, code);
    put_text(&data, STR_LIT("data"));
    strbuf_str(&data, strbuf_take(&s.data));
    put_section(&out, CUSTOM, strbuf_take(&data));
    return strbuf_take(&out);
}
