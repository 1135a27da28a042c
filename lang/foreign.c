/* Looking up what other languages write, in foreign.def. */
#include "lang/foreign.h"

typedef struct Row {
    Str text;
    const char *help;
} Row;

#define ROW(text, help) {{text, sizeof(text) - 1}, help},

static const Row WORDS[] = {
#define WORD ROW
#include "lang/foreign.def"
};
static const Row MEMBERS[] = {
#define MEMBER ROW
#include "lang/foreign.def"
};
static const Row OPTIONS[] = {
#define OPTION ROW
#include "lang/foreign.def"
};
static const Row UNITS[] = {
#define UNIT ROW
#include "lang/foreign.def"
};
static const Row SIGNS[] = {
#define SIGN ROW
#include "lang/foreign.def"
};

static const char *find(const Row *rows, size_t count, Str text) {
    for (size_t i = 0; i < count; i++)
        if (str_equal(rows[i].text, text)) return rows[i].help;
    return NULL;
}

const char *foreign_word(Str name) {
    return find(WORDS, sizeof WORDS / sizeof *WORDS, name);
}

const char *foreign_member(Str name) {
    return find(MEMBERS, sizeof MEMBERS / sizeof *MEMBERS, name);
}

const char *foreign_option(Str name) {
    return find(OPTIONS, sizeof OPTIONS / sizeof *OPTIONS, name);
}

const char *foreign_unit(Str word) {
    const char *help = find(UNITS, sizeof UNITS / sizeof *UNITS, word);
    return help ? help : foreign_word(word);
}

/* Whether the sign stands in the text such that it covers `at`. */
static bool covers(Str text, size_t at, Str sign) {
    for (size_t back = 0; back < sign.len && back <= at; back++) {
        size_t start = at - back;
        if (start + sign.len <= text.len && !memcmp(text.ptr + start, sign.ptr, sign.len)) return true;
    }
    return false;
}

const char *foreign_sign(Str text, size_t at) {
    for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++)
        if (covers(text, at, SIGNS[i].text)) return SIGNS[i].help;
    return NULL;
}
