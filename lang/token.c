/* What token.def says of each token. */
#include "lang/token.h"

#include "lang/grammar.h"

typedef struct Row {
    const char *text;
    TokenGroup group;
} Row;

static const Row ROWS[] = {
#define TOKEN(NAME, text, group) [TOKEN_##NAME] = {text, TOKEN_GROUP_##group},
#include "lang/token.def"
#undef TOKEN
};

enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

const char *token_describe(int kind) {
    bool known = kind > 0 && kind < ROW_COUNT && ROWS[kind].text;
    return known ? ROWS[kind].text : "the end";
}

TokenGroup token_group(int kind) {
    return kind > 0 && kind < ROW_COUNT ? ROWS[kind].group : TOKEN_GROUP_LAYOUT;
}

bool token_is_keyword(Str word) {
    for (int kind = 0; kind < ROW_COUNT; kind++) {
        if (ROWS[kind].text == NULL || ROWS[kind].group != TOKEN_GROUP_WORD) continue;
        Str quoted = str_of(ROWS[kind].text);
        if (str_equal(word, (Str){quoted.ptr + 1, quoted.len - 2})) return true;
    }
    return false;
}
