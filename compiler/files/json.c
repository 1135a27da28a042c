#include "compiler/files/json.h"

#include "runtime/base/watch.h"

typedef struct Reader {
    Arena *arena;
    DiagList *diags;
    uint32_t file;
    Str text;
    size_t at;
    int depth;
} Reader;

const Json *json_member(const Json *object, Str name) {
    const Json *member = object->kind == JSON_OBJECT ? object->first : NULL;
    while (member && !str_equal(member->name, name))
        member = member->next;
    return member;
}

static Span span_from(const Reader *r, size_t start) {
    size_t end = r->at > start ? r->at : start + 1;
    return (Span){r->file, (uint32_t)start, (uint32_t)(end < r->text.len ? end : r->text.len)};
}

/* The first mistake is told, and no other. */
static bool fail(Reader *r, size_t start, const char *what) {
    diag_add(r->diags, DIAG_E_JSON, span_from(r, start), what);
    return false;
}

static char peek(const Reader *r) {
    return r->at < r->text.len ? r->text.ptr[r->at] : '\0';
}

static void skip_blanks(Reader *r) {
    while (r->at < r->text.len && strchr(" \t\r\n", r->text.ptr[r->at]))
        r->at++;
}

static bool take(Reader *r, char c) {
    skip_blanks(r);
    if (r->at >= r->text.len || peek(r) != c) return false;
    r->at++;
    return true;
}

/* -- texts -- */

static bool read_hex(Reader *r, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++) {
        char c = peek(r), low = (char)(c | 0x20);
        bool digit = c >= '0' && c <= '9', letter = low >= 'a' && low <= 'f';
        if (!digit && !letter) return false;
        *code = *code << 4 | (uint32_t)(digit ? c - '0' : low - 'a' + 10);
        r->at++;
    }
    return true;
}

static void add_code(StrBuf *out, uint32_t code) {
    if (code < 0x80) {
        strbuf_char(out, (char)code);
        return;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint32_t first[] = {0, 0xc0, 0xe0, 0xf0};
    strbuf_char(out, (char)(first[more] | code >> 6 * more));
    while (more-- > 0)
        strbuf_char(out, (char)(0x80 | (code >> 6 * more & 0x3f)));
}

/* Behind \u; a pair of halves is one character. */
static bool read_code(Reader *r, StrBuf *out) {
    uint32_t code, low;
    if (!read_hex(r, &code)) return false;
    if (code >= 0xd800 && code < 0xdc00) {
        if (peek(r) != '\\') return false;
        r->at++;
        if (peek(r) != 'u') return false;
        r->at++;
        if (!read_hex(r, &low) || low < 0xdc00 || low > 0xdfff) return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code == 0 || (code >= 0xdc00 && code < 0xe000)) {
        return false;
    }
    add_code(out, code);
    return true;
}

static bool read_escape(Reader *r, StrBuf *out) {
    static const char letters[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    size_t start = r->at++;
    const char *letter = peek(r) ? strchr(letters, peek(r)) : NULL;
    bool code = peek(r) == 'u';
    if (r->at < r->text.len) r->at++;
    if (letter) strbuf_char(out, means[letter - letters]);
    if (letter || (code && read_code(r, out))) return true;
    return fail(r, start, "no such escape: \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
}

static bool read_text(Reader *r, Str *text) {
    size_t start = r->at++;
    StrBuf out = {.arena = r->arena};
    for (;;) {
        unsigned char c = (unsigned char)peek(r);
        if (r->at >= r->text.len || c < ' ') return fail(r, start, "this text is never closed");
        if (c == '"') break;
        if (c == '\\') {
            if (!read_escape(r, &out)) return false;
            continue;
        }
        strbuf_char(&out, (char)c);
        r->at++;
    }
    r->at++;
    *text = strbuf_take(&out);
    return true;
}

/* -- numbers -- */

static size_t skip_digits(Reader *r) {
    size_t start = r->at;
    while (peek(r) >= '0' && peek(r) <= '9')
        r->at++;
    return r->at - start;
}

static bool read_number(Reader *r, Json *value) {
    size_t start = r->at;
    if (peek(r) == '-') r->at++;
    bool zero = peek(r) == '0';
    size_t whole = skip_digits(r);
    bool good = whole > 0 && (!zero || whole == 1);
    if (good && peek(r) == '.') {
        r->at++;
        good = skip_digits(r) > 0;
    }
    if (good && (peek(r) | 0x20) == 'e') {
        r->at++;
        if (peek(r) == '+' || peek(r) == '-') r->at++;
        good = skip_digits(r) > 0;
    }
    if (!good) return fail(r, start, "no number: write 12, -0.5 or 1e-3");
    value->kind = JSON_NUMBER;
    value->text = (Str){r->text.ptr + start, r->at - start};
    return true;
}

/* -- values -- */

static bool read_value(Reader *r, Json *value);

static bool read_name(Reader *r, Json *member) {
    skip_blanks(r);
    size_t start = r->at;
    if (peek(r) != '"') return fail(r, start, "a name in quotes expected");
    if (!read_text(r, &member->name)) return false;
    member->name_span = span_from(r, start);
    return take(r, ':') || fail(r, r->at, "':' expected");
}

/* The members of an object, or the items of a list, up to what closes it. */
static bool read_items(Reader *r, Json *whole, char close) {
    const Json **end = &whole->first;
    bool object = whole->kind == JSON_OBJECT;
    r->at++;
    if (take(r, close)) return true;
    do {
        Json *item = ARENA_NEW(r->arena, Json);
        watch_work(1);
        if (object && !read_name(r, item)) return false;
        if (!read_value(r, item)) return false;
        *end = item;
        end = &item->next;
    } while (take(r, ','));
    return take(r, close) || fail(r, r->at, object ? "',' or '}' expected" : "',' or ']' expected");
}

static bool read_nested(Reader *r, Json *value, JsonKind kind) {
    value->kind = kind;
    if (r->depth >= JSON_DEPTH) return fail(r, r->at, "lists and objects nest over 100 deep");
    r->depth++;
    bool good = read_items(r, value, kind == JSON_OBJECT ? '}' : ']');
    r->depth--;
    return good;
}

static bool read_word(Reader *r, Json *value) {
    static const struct {
        const char *word;
        JsonKind kind;
    } rows[] = {{"null", JSON_NULL}, {"false", JSON_FALSE}, {"true", JSON_TRUE}};
    Str rest = {r->text.ptr + r->at, r->text.len - r->at};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!str_starts(rest, str_of(rows[i].word))) continue;
        value->kind = rows[i].kind;
        r->at += strlen(rows[i].word);
        return true;
    }
    return fail(r, r->at, "a value expected");
}

static bool read_value(Reader *r, Json *value) {
    skip_blanks(r);
    size_t start = r->at;
    char c = peek(r);
    bool good;
    if (c == '{' || c == '[') {
        good = read_nested(r, value, c == '{' ? JSON_OBJECT : JSON_LIST);
    } else if (c == '"') {
        value->kind = JSON_TEXT;
        good = read_text(r, &value->text);
    } else if (c == '-' || (c >= '0' && c <= '9')) {
        good = read_number(r, value);
    } else {
        good = read_word(r, value);
    }
    value->span = span_from(r, start);
    return good;
}

const Json *json_read(Arena *arena, DiagList *diags, uint32_t file) {
    Reader r = {.arena = arena,
                .diags = diags,
                .file = file,
                .text = sources_get(diags->sources, file)->text};
    if (str_starts(r.text, STR_LIT("\xEF\xBB\xBF"))) r.at = 3; /* a byte order mark */
    Json *value = ARENA_NEW(arena, Json);
    if (!read_value(&r, value)) return NULL;
    skip_blanks(&r);
    if (r.at < r.text.len) {
        fail(&r, r.at, "nothing may follow the value");
        return NULL;
    }
    return value;
}
