/* Strings: `Str` is a borrowed slice of bytes (UTF-8, not terminated); `StrBuf` builds one in an arena;
 * `Symbol` is an interned name, so that names compare as numbers.
 */
#ifndef WORLD_BASE_STR_H
#define WORLD_BASE_STR_H

#include "runtime/base/memory.h"

typedef struct Str {
    const char *ptr;
    size_t len;
} Str;

#define STR_LIT(literal) ((Str){(literal), sizeof(literal) - 1})
#define STR_ARG(str) (int)(str).len, (str).ptr /* for "%.*s" */

Str str_of(const char *terminated);
bool str_equal(Str a, Str b);
int str_compare(Str a, Str b); /* by bytes */
bool str_starts(Str text, Str prefix);
bool str_ends(Str text, Str suffix);
/* "#7a5230" or "#fc8", which is #ffcc88: 0x7a5230. False for anything else. */
bool str_color(Str text, uint32_t *word);
/* The length of the well-formed UTF-8 character that `text` begins with (RFC 3629, table 3-7 of Unicode), 0 for none. */
size_t str_character(Str text);
/* "height" of "land.height": what stands after the last dot, or all of it; and what stands before it, or
 * nothing. */
Str str_last_name(Str dotted);
Str str_holder_name(Str dotted);

typedef struct StrBuf {
    Arena *arena;
    char *ptr; /* always terminated once anything was added */
    size_t len, capacity;
} StrBuf;

void strbuf_add(StrBuf *buf, const char *bytes, size_t count);
void strbuf_str(StrBuf *buf, Str text);
/* `count` bytes more, to be written to. */
char *strbuf_room(StrBuf *buf, size_t count);
void strbuf_char(StrBuf *buf, char c);
void strbuf_printf(StrBuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
Str strbuf_take(const StrBuf *buf);
Str str_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A text as JSON has it, in quotes; what is no UTF-8 is U+FFFD there. */
void strbuf_json_text(StrBuf *buf, Str text);
enum { STR_JSON = 8 };
/* The same, one character: what `text` begins with goes to `out`, terminated. Answers the bytes that it took of `text`. */
size_t str_json_character(char out[STR_JSON], Str text);
/* The shortest decimal text that reads back as exactly this double ("0.1", "1e+300", "-0", "nan", "inf").
 * Not printf's locale: always '.'. */
void strbuf_double(StrBuf *buf, double value);
enum { STR_DOUBLE = 40 };
/* The same, written to `text`; answers it. */
Str str_double(char text[STR_DOUBLE], double value);
enum { STR_INT = 24 };
/* A whole number's digits, at the end of `text`: worlds name things by numbers, thousands at a time, and printf is slow. */
Str str_int(char text[STR_INT], int64_t value);

/* Interned names. 0 is no name. */
typedef uint32_t Symbol;

typedef struct SymbolTable {
    Arena *arena;
    Str *names; /* by symbol; [0] is empty */
    uint32_t count, capacity;
    uint32_t *slots; /* open addressing, power of two, holds symbols */
    uint32_t slot_count;
} SymbolTable;

void symbols_init(SymbolTable *table, Arena *arena);
/* The same names with the same numbers, to which others can be added; their texts stay where they are. */
void symbols_copy(SymbolTable *table, Arena *arena, const SymbolTable *from);
Symbol symbols_intern(SymbolTable *table, Str name);
/* 0 when the name was never interned. */
Symbol symbols_find(const SymbolTable *table, Str name);
Str symbols_name(const SymbolTable *table, Symbol symbol);

#endif
