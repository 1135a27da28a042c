/* Semantic tokens: words by the lexer, names by what they mean. */
#include "compiler/lsp/lsp.h"

#include "lang/grammar.h"
#include "lang/lexer.h"

const char *const lsp_semantics[SEMANTIC_COUNT] = {
#define SEMANTIC(NAME, name) [SEMANTIC_##NAME] = name,
#include "compiler/lsp/semantic.def"
#undef SEMANTIC
};

typedef struct Tokens {
    StrBuf *out;
    const Lines *lines;
    Place last; /* where the last one begins */
} Tokens;

static Semantic type_of(const CheckUse *use) {
    static const Semantic types[] = {[CHECK_USE_FN] = SEMANTIC_FN,       [CHECK_USE_FIELD] = SEMANTIC_FIELD,
                                      [CHECK_USE_PART] = SEMANTIC_PART,   [CHECK_USE_RECORD] = SEMANTIC_RECORD,
                                      [CHECK_USE_TYPE] = SEMANTIC_TYPE,   [CHECK_USE_PARAM] = SEMANTIC_PARAM,
                                      [CHECK_USE_LOCAL] = SEMANTIC_LOCAL, [CHECK_USE_PACKAGE] = SEMANTIC_PACKAGE,
                                      [CHECK_USE_CHOICE] = SEMANTIC_CHOICE};
    return types[use->kind];
}

/* Of one line: places are told from the one before. */
static void add(Tokens *t, uint32_t start, uint32_t end, Semantic type, bool declares) {
    Place from = lines_place(t->lines, start), to = lines_place(t->lines, end);
    if (to.line != from.line || to.column <= from.column) return;
    uint32_t down = from.line - t->last.line;
    write_item(t->out);
    strbuf_printf(t->out, "%u,%u,%u,%d,%d", down, down ? from.column : from.column - t->last.column, to.column - from.column, (int)type, declares);
    t->last = from;
}

/* What stands between tokens, but for blanks, is comments. */
static void add_comments(Tokens *t, uint32_t start, uint32_t end) {
    Str text = t->lines->text;
    for (uint32_t i = start; i + 1 < end; i++) {
        if (text.ptr[i] != '/' || text.ptr[i + 1] != '/') continue;
        uint32_t stop = i;
        while (stop < end && text.ptr[stop] != '\n' && text.ptr[stop] != '\r')
            stop++;
        add(t, i, stop, SEMANTIC_COMMENT, false);
        i = stop;
    }
}

static void add_token(Tokens *t, const Analysis *a, const Token *token) {
    bool text = token->kind == TOKEN_TEXT || token->kind == TOKEN_TEXT_BEGIN || token->kind == TOKEN_TEXT_MIDDLE || token->kind == TOKEN_TEXT_END;
    if (token->kind == TOKEN_NAME) {
        const CheckUse *use = find_name(a, a->compile->file, token->start);
        bool whole = use && use->at.start == token->start && use->at.end == token->end;
        if (whole) add(t, token->start, token->end, type_of(use), use->name.file == use->at.file && use->name.start == use->at.start);
    } else if (token->kind == TOKEN_NUMBER) {
        add(t, token->start, token->end, SEMANTIC_NUMBER, false);
    } else if (text) {
        add(t, token->start, token->end, SEMANTIC_TEXT, false);
    } else if (token_group(token->kind) == TOKEN_GROUP_WORD) {
        add(t, token->start, token->end, SEMANTIC_KEYWORD, false);
    }
}

/* The text itself is lexed: what the checker saw is of it, as nothing changed since. */
void lsp_tokens(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    if (!doc) return;
    const Analysis *a = doc_analysis(e, doc);
    Tokens t = {.out = out, .lines = &doc->lines};
    SourceSet sources;
    DiagList diags;
    sources_init(&sources, &e->scratch);
    diags_init(&diags, &e->scratch, &sources);
    uint32_t file = sources_add(&sources, doc->uri, doc->lines.text), end = 0;
    strbuf_str(out, STR_LIT("{\"data\":["));
    if (lexer_check_text(&diags, file)) {
        Lexer lexer;
        lexer_init(&lexer, &diags, file);
        for (Token token = lexer_next(&lexer); token.kind != TOKEN_END; token = lexer_next(&lexer)) {
            add_comments(&t, end, token.start);
            add_token(&t, a, &token);
            end = token.end > end ? token.end : end;
        }
        add_comments(&t, end, (uint32_t)doc->lines.text.len);
    }
    strbuf_str(out, STR_LIT("]}"));
}
