#include "compiler/files/json.h"

#include "lang/literal.h"
#include "runtime/base/watch.h"

enum { NESTING = 200 };

typedef struct Reader {
    Arena *arena;
    DiagList *diags;
    uint32_t file;
    Str text;
    size_t at;
    int depth;
} Reader;

const JsonValue *json_member(const JsonValue *object, Str name) {
    for (int i = 0; object->kind == JSON_OBJECT && i < object->members.count; i++)
        if (str_equal(object->members.items[i].name, name)) return object->members.items[i].value;
    return NULL;
}

static char peek(const Reader *r) {
    return r->at < r->text.len ? r->text.ptr[r->at] : '\0';
}

static Span span_from(const Reader *r, size_t start) {
    size_t end = r->at > start ? r->at : start + 1;
    return (Span){r->file, (uint32_t)start, (uint32_t)(end < r->text.len ? end : r->text.len)};
}

static bool fail(const Reader *r, size_t start, const char *what) {
    diag_add(r->diags, DIAG_E_JSON_SYNTAX, span_from(r, start), what);
    return false;
}

static void skip_blanks(Reader *r) {
    while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\n' || peek(r) == '\r')
        r->at++;
}

static bool take(Reader *r, char wanted) {
    skip_blanks(r);
    if (r->at >= r->text.len || peek(r) != wanted) return false;
    r->at++;
    return true;
}

/* -- texts -- */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    char low = (char)(c | 0x20);
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/* The four digits behind \u; -1 when they are none. */
static int32_t read_unit(Reader *r) {
    int32_t unit = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        int digit = hex_digit(peek(r));
        if (digit < 0) return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

/* \uD83C\uDF3F is one character, in two halves. */
static bool read_character(Reader *r, size_t start, StrBuf *out) {
    int32_t code = read_unit(r);
    if (code >= 0xD800 && code < 0xDC00 && r->at + 1 < r->text.len && peek(r) == '\\' &&
        r->text.ptr[r->at + 1] == 'u') {
        r->at += 2;
        int32_t low = read_unit(r);
        code =
            low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : -1;
    }
    if (code < 0 || (code >= 0xD800 && code < 0xE000))
        return fail(r, start, "this is no character: write \\u and four hexadecimal digits");
    char bytes[4];
    int count = 0;
    if (code < 0x80) {
        bytes[count++] = (char)code;
    } else {
        int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        static const int lead[] = {0, 0xC0, 0xE0, 0xF0};
        bytes[count++] = (char)(lead[more] | (code >> (6 * more)));
        while (more-- > 0)
            bytes[count++] = (char)(0x80 | ((code >> (6 * more)) & 0x3F));
    }
    strbuf_add(out, bytes, (size_t)count);
    return true;
}

static bool read_escape(Reader *r, StrBuf *out) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    size_t start = r->at++;
    char letter = peek(r);
    r->at++;
    if (letter == 'u') return read_character(r, start, out);
    const char *known = letter ? strchr(letters, letter) : NULL;
    if (known == NULL)
        return fail(r, start,
                    "this is no escape of JSON: they are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
    strbuf_char(out, meant[known - letters]);
    return true;
}

static bool read_text(Reader *r, Str *text) {
    StrBuf out = {.arena = r->arena};
    size_t start = r->at++;
    for (;;) {
        if (r->at >= r->text.len || peek(r) == '\n')
            return fail(r, start, "this text is never closed");
        char c = peek(r);
        if (c == '"') break;
        if (c == '\\') {
            if (!read_escape(r, &out)) return false;
            continue;
        }
        if ((unsigned char)c < 0x20)
            return fail(r, r->at, "a control character in a text is written as an escape");
        strbuf_char(&out, c);
        r->at++;
    }
    r->at++;
    *text = out.len ? strbuf_take(&out) : STR_LIT("");
    return true;
}

/* -- numbers and words -- */

static size_t skip_digits(Reader *r) {
    size_t start = r->at;
    while (peek(r) >= '0' && peek(r) <= '9')
        r->at++;
    return r->at - start;
}

static bool read_number(Reader *r, JsonValue *value) {
    static const char wrong[] = "this is not how JSON writes a number";
    size_t start = r->at;
    bool minus = peek(r) == '-';
    r->at += minus;
    bool zero = peek(r) == '0';
    size_t whole = skip_digits(r);
    if (whole == 0 || (zero && whole > 1)) return fail(r, start, wrong);
    if (peek(r) == '.') {
        r->at++;
        if (skip_digits(r) == 0) return fail(r, start, wrong);
    }
    if (peek(r) == 'e' || peek(r) == 'E') {
        r->at++;
        if (peek(r) == '-' || peek(r) == '+') r->at++;
        if (skip_digits(r) == 0) return fail(r, start, wrong);
    }
    value->kind = JSON_NUMBER;
    value->text = (Str){r->text.ptr + start, r->at - start};
    value->number =
        literal_decimal((Str){value->text.ptr + minus, value->text.len - minus}, r->arena);
    if (minus) value->number = -value->number;
    return true;
}

static bool read_word(Reader *r, JsonValue *value) {
    static const struct {
        const char *word;
        JsonKind kind;
        bool truth;
    } words[] = {
        {"true", JSON_BOOL, true}, {"false", JSON_BOOL, false}, {"null", JSON_NULL, false}};
    Str rest = {r->text.ptr + r->at, r->text.len - r->at};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_starts(rest, str_of(words[i].word))) {
            value->kind = words[i].kind;
            value->truth = words[i].truth;
            r->at += strlen(words[i].word);
            return true;
        }
    return fail(r, r->at,
                r->at < r->text.len ? "a value of JSON is expected here"
                                    : "the file ends where a value is expected");
}

/* -- arrays and objects -- */

static JsonValue *read_value(Reader *r);

static bool read_name(Reader *r, const JsonValue *object, JsonMember *member) {
    skip_blanks(r);
    size_t start = r->at;
    if (peek(r) != '"') return fail(r, start, "a name in quotes is expected here");
    if (!read_text(r, &member->name)) return false;
    member->span = span_from(r, start);
    watch_work(object->members.count);
    for (int i = 0; i < object->members.count; i++)
        if (str_equal(object->members.items[i].name, member->name))
            return fail(r, start, "this name is in the object already");
    return take(r, ':') || fail(r, r->at, "a ':' is expected here");
}

static bool read_members(Reader *r, JsonValue *value, bool named) {
    char close = named ? '}' : ']';
    size_t start = r->at++;
    value->kind = named ? JSON_OBJECT : JSON_ARRAY;
    if (++r->depth > NESTING) return fail(r, start, "brackets nest more than 200 deep");
    if (!take(r, close)) {
        do {
            JsonMember member = {0};
            if (named && !read_name(r, value, &member)) return false;
            member.value = read_value(r);
            if (member.value == NULL) return false;
            VEC_PUSH(r->arena, &value->members, member);
        } while (take(r, ','));
        if (!take(r, close))
            return fail(r, r->at,
                        named ? "a ',' or a '}' is expected here"
                              : "a ',' or a ']' is expected here");
    }
    r->depth--;
    return true;
}

static JsonValue *read_value(Reader *r) {
    skip_blanks(r);
    watch_work(1);
    JsonValue *value = ARENA_NEW(r->arena, JsonValue);
    size_t start = r->at;
    char c = peek(r);
    bool good;
    if (c == '"') {
        value->kind = JSON_TEXT;
        good = read_text(r, &value->text);
    } else if (c == '{' || c == '[') {
        good = read_members(r, value, c == '{');
    } else if (c == '-' || (c >= '0' && c <= '9')) {
        good = read_number(r, value);
    } else {
        good = read_word(r, value);
    }
    value->span = span_from(r, start);
    return good ? value : NULL;
}

JsonValue *json_read(Arena *arena, DiagList *diags, uint32_t file) {
    Reader r = {.arena = arena,
                .diags = diags,
                .file = file,
                .text = sources_get(diags->sources, file)->text};
    if (str_starts(r.text, STR_LIT("\xEF\xBB\xBF"))) r.at = 3; /* a byte order mark */
    JsonValue *value = read_value(&r);
    if (value == NULL) return NULL;
    skip_blanks(&r);
    if (r.at == r.text.len) return value;
    fail(&r, r.at, "the file goes on behind its value");
    return NULL;
}
