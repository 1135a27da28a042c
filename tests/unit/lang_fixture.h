/* A parse of a text, for the tests of lang: everything it needs, in one arena. */
#ifndef WORLD_TESTS_LANG_FIXTURE_H
#define WORLD_TESTS_LANG_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lang/parse.h"

typedef struct Fixture {
    Memory memory;
    Arena arena;
    SourceSet sources;
    SymbolTable symbols;
    DiagList diags;
    uint32_t file;
} Fixture;

static inline void fixture_init(Fixture *f, Str text) {
    memory_init(&f->memory, NULL, NULL, 0);
    arena_init(&f->arena, &f->memory);
    sources_init(&f->sources, &f->arena);
    symbols_init(&f->symbols, &f->arena);
    diags_init(&f->diags, &f->arena, &f->sources);
    f->file = sources_add(&f->sources, STR_LIT("t.world"), text);
}

static inline void fixture_fini(Fixture *f) {
    arena_fini(&f->arena);
    assert_int_equal((int)f->memory.used, 0);
}

/* The tree's text and the diagnostics' under it, one a line; ends in a zero byte. */
static inline const char *fixture_parse(Fixture *f, bool as_expression) {
    StrBuf out = {.arena = &f->arena};
    strbuf_add(&out, "", 0);
    if (as_expression) {
        AstNode *node =
            parse_expression(&f->arena, &f->symbols, &f->diags, f->file, (ParseLimits){0});
        if (node) ast_print_node(&out, node, &f->symbols, 0);
    } else {
        AstFile *file = parse_file(&f->arena, &f->symbols, &f->diags, f->file, (ParseLimits){0});
        ast_print(&out, file, &f->symbols);
    }
    strbuf_str(&out, diags_render(&f->diags, DIAG_ONE_LINE, &f->arena));
    return out.ptr;
}

static inline const char *fixture_errors(Fixture *f, Str text) {
    fixture_init(f, text);
    parse_file(&f->arena, &f->symbols, &f->diags, f->file, (ParseLimits){0});
    StrBuf out = {.arena = &f->arena};
    strbuf_add(&out, "", 0);
    strbuf_str(&out, diags_render(&f->diags, DIAG_ONE_LINE, &f->arena));
    return out.ptr;
}

#endif
