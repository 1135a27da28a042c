/* What token.def says of each token. */
#include "lang/token.h"

#include "lang/grammar.h"

typedef struct Row {
    const char *text, *described;
    TokenGroup group;
} Row;

#define SPELLED(text) text, "'" text "'"
#define DESCRIBE_WORD(text) SPELLED(text)
#define DESCRIBE_MARK(text) SPELLED(text)
#define DESCRIBE_JOINS(text) SPELLED(text)
#define DESCRIBE_ENDS(text) SPELLED(text)
#define DESCRIBE_LITERAL(text) "", text
#define DESCRIBE_LAYOUT(text) "", text

static const Row ROWS[] = {
#define TOKEN(NAME, text, GROUP) [TOKEN_##NAME] = {DESCRIBE_##GROUP(text), TOKEN_GROUP_##GROUP},
#include "lang/token.def"
#undef TOKEN
};

enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

const char *token_describe(int kind) {
    bool known = kind > 0 && kind < ROW_COUNT && ROWS[kind].described;
    return known ? ROWS[kind].described : "the end";
}

const char *token_text(int kind) {
    return kind > 0 && kind < ROW_COUNT && ROWS[kind].text ? ROWS[kind].text : "";
}

TokenGroup token_group(int kind) {
    return kind > 0 && kind < ROW_COUNT ? ROWS[kind].group : TOKEN_GROUP_LAYOUT;
}

bool token_is_keyword(Str word) {
    for (int kind = 0; kind < ROW_COUNT; kind++) {
        bool is_word = ROWS[kind].text && ROWS[kind].group == TOKEN_GROUP_WORD;
        if (is_word && str_equal(word, str_of(ROWS[kind].text))) return true;
    }
    return false;
}
