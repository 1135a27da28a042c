#include "runtime/base/str.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/hash.h"

Str str_of(const char *terminated) {
    return (Str){terminated, terminated ? strlen(terminated) : 0};
}

bool str_equal(Str a, Str b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

int str_compare(Str a, Str b) {
    size_t shared = a.len < b.len ? a.len : b.len;
    int order = shared ? memcmp(a.ptr, b.ptr, shared) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

bool str_starts(Str text, Str prefix) {
    return text.len >= prefix.len &&
           (prefix.len == 0 || memcmp(text.ptr, prefix.ptr, prefix.len) == 0);
}

bool str_ends(Str text, Str suffix) {
    return text.len >= suffix.len && (suffix.len == 0 || memcmp(text.ptr + text.len - suffix.len,
                                                                suffix.ptr, suffix.len) == 0);
}

size_t str_character(Str text) {
    if (text.len == 0) return 0;
    unsigned char first = (unsigned char)text.ptr[0], low = 0x80, high = 0xBF;
    if (first < 0x80) return 1;
    size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || length > text.len) return 0;
    if (first == 0xE0) low = 0xA0;  /* shorter forms exist */
    if (first == 0xED) high = 0x9F; /* surrogates */
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F; /* past U+10FFFF */
    unsigned char second = (unsigned char)text.ptr[1];
    if (second < low || second > high) return 0;
    for (size_t i = 2; i < length; i++)
        if (((unsigned char)text.ptr[i] & 0xC0) != 0x80) return 0;
    return length;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool str_color(Str text, uint32_t *word) {
    *word = 0;
    if ((text.len != 4 && text.len != 7) || text.ptr[0] != '#') return false;
    for (size_t i = 1; i < text.len; i++) {
        int digit = hex_digit(text.ptr[i]);
        if (digit < 0) return false;
        *word = *word << 4 | (uint32_t)digit;
        if (text.len == 4) *word = *word << 4 | (uint32_t)digit;
    }
    return true;
}

static size_t after_last_dot(Str dotted) {
    size_t at = dotted.len;
    while (at > 0 && dotted.ptr[at - 1] != '.')
        at--;
    return at;
}

Str str_last_name(Str dotted) {
    size_t at = after_last_dot(dotted);
    return (Str){dotted.ptr + at, dotted.len - at};
}

Str str_holder_name(Str dotted) {
    size_t at = after_last_dot(dotted);
    return (Str){dotted.ptr, at ? at - 1 : 0};
}

static void reserve(StrBuf *buf, size_t extra) {
    size_t need = buf->len + extra + 1;
    if (need <= buf->capacity) return;
    size_t capacity = buf->capacity ? buf->capacity * 2 : 64;
    if (capacity < need) capacity = need;
    buf->ptr = arena_grow(buf->arena, buf->ptr, buf->len, capacity);
    buf->capacity = capacity;
}

char *strbuf_room(StrBuf *buf, size_t count) {
    reserve(buf, count);
    char *room = buf->ptr + buf->len;
    buf->len += count;
    buf->ptr[buf->len] = '\0';
    return room;
}

void strbuf_add(StrBuf *buf, const char *bytes, size_t count) {
    char *room = strbuf_room(buf, count);
    if (count) memcpy(room, bytes, count);
}

void strbuf_str(StrBuf *buf, Str text) {
    strbuf_add(buf, text.ptr, text.len);
}

void strbuf_char(StrBuf *buf, char c) {
    strbuf_add(buf, &c, 1);
}

static void add_formatted(StrBuf *buf, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int need = vsnprintf(NULL, 0, format, args);
    if (need > 0) {
        reserve(buf, (size_t)need);
        vsnprintf(buf->ptr + buf->len, (size_t)need + 1, format, again);
        buf->len += (size_t)need;
    }
    va_end(again);
}

void strbuf_printf(StrBuf *buf, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_formatted(buf, format, args);
    va_end(args);
}

Str strbuf_take(const StrBuf *buf) {
    return (Str){buf->ptr ? buf->ptr : "", buf->len};
}

Str str_printf(Arena *arena, const char *format, ...) {
    StrBuf buf = {.arena = arena};
    va_list args;
    va_start(args, format);
    add_formatted(&buf, format, args);
    va_end(args);
    return strbuf_take(&buf);
}

/* Fewest digits that read back; as a plain decimal where an author would write one. */
static void format_double(char *text, size_t size, double value) {
    int digits = 1;
    for (; digits <= 17; digits++) {
        snprintf(text, size, "%.*e", digits - 1, value);
        if (strtod(text, NULL) == value) break;
    }
    int exponent = atoi(strchr(text, 'e') + 1);
    if (exponent < -5 || exponent > 15)
        snprintf(text, size, "%.*g", digits, value);
    else
        snprintf(text, size, "%.*f", digits - 1 > exponent ? digits - 1 - exponent : 0, value);
}

Str str_double(char text[STR_DOUBLE], double value) {
    if (!isfinite(value)) return isnan(value) ? STR_LIT("nan") : value < 0 ? STR_LIT("-inf") : STR_LIT("inf");
    format_double(text, STR_DOUBLE, value);
    for (char *c = text; *c; c++)
        if (*c == ',') *c = '.';
    return str_of(text);
}

Str str_int(char text[STR_INT], int64_t value) {
    char *end = text + STR_INT, *at = end;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) *--at = '-';
    return (Str){at, (size_t)(end - at)};
}

size_t str_json_character(char out[STR_JSON], Str text) {
    size_t length = str_character(text);
    unsigned char first = (unsigned char)text.ptr[0];
    if (length == 0)
        snprintf(out, STR_JSON, "\\ufffd");
    else if (first == '"' || first == '\\')
        snprintf(out, STR_JSON, "\\%c", first);
    else if (first < 0x20 || first == 0x7F)
        snprintf(out, STR_JSON, "\\u%04x", first);
    else
        snprintf(out, STR_JSON, "%.*s", (int)length, text.ptr);
    return length ? length : 1;
}

void strbuf_json_text(StrBuf *buf, Str text) {
    char shown[STR_JSON];
    strbuf_char(buf, '"');
    for (size_t i = 0; i < text.len;) {
        i += str_json_character(shown, (Str){text.ptr + i, text.len - i});
        strbuf_add(buf, shown, strlen(shown));
    }
    strbuf_char(buf, '"');
}

void strbuf_double(StrBuf *buf, double value) {
    char text[STR_DOUBLE];
    strbuf_str(buf, str_double(text, value));
}

void symbols_init(SymbolTable *table, Arena *arena) {
    *table = (SymbolTable){.arena = arena, .count = 1};
    table->capacity = 64;
    table->names = ARENA_ARRAY(arena, Str, table->capacity);
    table->names[0] = STR_LIT("");
    table->slot_count = 128;
    table->slots = ARENA_ARRAY(arena, uint32_t, table->slot_count);
}

/* The slot where `name` stands or would stand. */
void symbols_copy(SymbolTable *table, Arena *arena, const SymbolTable *from) {
    *table = *from;
    table->arena = arena;
    table->names = ARENA_ARRAY(arena, Str, from->capacity);
    table->slots = ARENA_ARRAY(arena, uint32_t, from->slot_count);
    memcpy(table->names, from->names, sizeof *table->names * from->count);
    memcpy(table->slots, from->slots, sizeof *table->slots * from->slot_count);
}

static uint32_t *find_slot(const SymbolTable *table, Str name) {
    uint32_t mask = table->slot_count - 1;
    uint32_t at = (uint32_t)hash_bytes(name.ptr, name.len, 0) & mask;
    while (table->slots[at] && !str_equal(table->names[table->slots[at]], name))
        at = (at + 1) & mask;
    return &table->slots[at];
}

static void grow_slots(SymbolTable *table) {
    table->slot_count *= 2;
    table->slots = ARENA_ARRAY(table->arena, uint32_t, table->slot_count);
    for (uint32_t symbol = 1; symbol < table->count; symbol++)
        *find_slot(table, table->names[symbol]) = symbol;
}

Symbol symbols_intern(SymbolTable *table, Str name) {
    if (name.len == 0) return 0;
    uint32_t *slot = find_slot(table, name);
    if (*slot) return *slot;
    if (table->count == table->capacity) {
        table->names = arena_grow(table->arena, table->names, sizeof(Str) * table->capacity,
                                  sizeof(Str) * table->capacity * 2);
        table->capacity *= 2;
    }
    Symbol symbol = table->count++;
    table->names[symbol] = (Str){arena_strndup(table->arena, name.ptr, name.len), name.len};
    *slot = symbol;
    if (table->count * 2 > table->slot_count) grow_slots(table);
    return symbol;
}

Symbol symbols_find(const SymbolTable *table, Str name) {
    return name.len ? *find_slot(table, name) : 0;
}

Str symbols_name(const SymbolTable *table, Symbol symbol) {
    return table->names[symbol];
}
