/* A library read from a folder against the one this compiler was built from.
 *
 * C is compiled against what the packages declare for it: natives, records, contracts, options of
 * parts. Those must read the same, token by token, but for comments and `private`; all else a
 * folder's library may say anew.
 */
#include "compiler/library.h"

#include "lang/lexer.h"

static bool crosses(const AstNode *decl) {
    return decl->kind == AST_RECORD || decl->kind == AST_CONTRACT || decl->kind == AST_PART ||
           (decl->kind == AST_FN && decl->fn.fn_kind == AST_FN_EXTERN);
}

static Symbol name_of(const AstNode *decl) {
    if (decl->kind == AST_FN) return decl->fn.name.symbol;
    if (decl->kind == AST_RECORD) return decl->record.name.symbol;
    if (decl->kind == AST_CONTRACT) return decl->contract.name.symbol;
    return decl->part.path.items[0].symbol;
}

static const AstNode *find_same(const AstFile *file, const AstNode *decl) {
    for (int i = 0; i < file->decls.count; i++) {
        const AstNode *other = file->decls.items[i];
        if (other->kind == decl->kind && crosses(other) && name_of(other) == name_of(decl))
            return other;
    }
    return NULL;
}

typedef struct Words {
    Lexer lexer;
    uint32_t end;
} Words;

static Words words_of(Compile *c, Span span) {
    Words words = {.end = span.end};
    lexer_init(&words.lexer, &c->diags, span.file);
    words.lexer.cursor = words.lexer.base + span.start;
    return words;
}

/* The next token's text; empty at the end. */
static Str next_word(Words *words) {
    Token token;
    Str text;
    do {
        token = lexer_next(&words->lexer);
        text = (Str){words->lexer.base + token.start, token.end - token.start};
    } while (token.start < words->end && str_equal(text, STR_LIT("private")));
    return token.start < words->end ? text : (Str){0};
}

static bool same_words(Compile *c, Span a, Span b) {
    Words left = words_of(c, a), right = words_of(c, b);
    for (;;) {
        Str one = next_word(&left), other = next_word(&right);
        if (!str_equal(one, other)) return false;
        if (one.len == 0) return true;
    }
}

/* Each declaration that C knows, in our text and the folder's. */
static void check_package(Compile *c, const StdlibPackage *package, const AstFile *theirs) {
    VEC(uint32_t) files = {0};
    for (int i = 0; i < package->file_count; i++)
        VEC_PUSH(&c->arena, &files,
                 sources_add(&c->sources, str_of(package->files[i].name),
                             str_of(package->files[i].text)));
    const AstFile *ours = parse_joined(&c->arena, &c->symbols, &c->diags, files.items, files.count,
                                       c->input.limits);
    for (int i = 0; i < ours->decls.count; i++) {
        const AstNode *decl = ours->decls.items[i];
        if (!crosses(decl)) continue;
        const AstNode *other = find_same(theirs, decl);
        if (other && same_words(c, decl->span, other->span)) continue;
        diag_add(&c->diags, DIAG_E_LIBRARY, other ? other->span : (Span){.file = theirs->file},
                 STR_ARG(symbols_name(&c->symbols, name_of(decl))), package->name);
    }
}

void library_check(Compile *c) {
    int count;
    const StdlibPackage *packages = stdlib_packages(&count);
    for (int i = 0; i < count; i++)
        check_package(c, &packages[i], c->packages.items[i].ast);
}
