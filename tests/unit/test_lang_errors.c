/* What a mistake says: every E01xx diagnostic, at its place, and nothing beside it. */
#include <stdlib.h>

#include "tests/unit/lang_fixture.h"

typedef struct Case {
    const char *name, *source, *errors;
} Case;

static const Case CASES[] = {
    /* -- E0101: the grammar -- */
    {"a comma is missing", "field a = f(1 2)\n",
     "t.world:1:15: error: expected ',' or ')', found '2' [E0101]\n"},
    {"a value is missing", "field a =\npart b\n",
     "t.world:1:10: error: expected an expression, found the end of the line [E0101]\n"},
    {"a name is missing", "part 5\n", "t.world:1:6: error: expected a name, found '5' [E0101]\n"},
    {"a type is missing", "field a: = 5\n",
     "t.world:1:10: error: expected a type, found '=' [E0101]\n"},
    {"a keyword is no name", "field self = 1\n",
     "t.world:1:7: error: expected a name, found 'self' [E0101]\n"},
    {"= is no comparison", "field a = if b = c { 1 } else { 2 }\n",
     "t.world:1:16: error: expected '{', found '=' [E0101]\n"},
    {"a part's line ends in a colon", "part a:\n  field b = 1\nfield c = 2\n",
     "t.world:1:8: error: expected an expression, found a deeper line [E0101]\n"},
    {"the file ends too early", "field a = 1 +",
     "t.world:1:14: error: expected an expression, found the end of the file [E0101]\n"},
    {"use takes as", "use a ass b\n",
     "t.world:1:7: error: expected 'as', 'from' or the end of the line, found another word [E0101]\n"},
    {"a check has a body", "check \"a\" true\n",
     "t.world:1:11: error: expected '{' or ',', found 'true' [E0101]\n"},
    {"a power is a whole number", "field a: meters^2.5\n",
     "t.world:1:17: error: expected a whole number up to 9 as the power, found another number "
     "[E0101]\n"},
    {"a long word is cut", "field a b123456789012345678901234567890\n",
     "t.world:1:9: error: expected ':', '=', ',' or the end of the line, found "
     "'b12345678901234567890123456789...' [E0101]\n"},

    /* -- recovery: one mistake, one message, and the rest is read -- */
    {"statements recover",
     "fn f() number {\n  let a = = 1\n  let b = f(1 2)\n  a + * b\n}\nfield ok = 1\nfield c = = "
     "1\n",
     "t.world:2:11: error: expected an expression, found '=' [E0101]\n"
     "t.world:3:15: error: expected ',' or ')', found '2' [E0101]\n"
     "t.world:4:7: error: expected an expression, found '*' [E0101]\n"
     "t.world:7:11: error: expected an expression, found '=' [E0101]\n"},
    {"a body is read under a wrong line", "part a: b c\n  field d = = 1\n  field e = 1\n",
     "t.world:1:11: error: expected ',' or the end of the line, found 'c' [E0101]\n"
     "t.world:2:13: error: expected an expression, found '=' [E0101]\n"},
    {"braces after a mistake are skipped", "fn f(a b) number { let c = = 1; c }\nfield d = = 1\n",
     "t.world:1:8: error: expected ':', '=', ',' or ')', found 'b' [E0101]\n"
     "t.world:2:11: error: expected an expression, found '=' [E0101]\n"},
    {"inside a block inside a call",
     "part a\n  on(b, {\n    c d\n    e = = 1\n  })\n  field f = 1\n",
     "t.world:3:7: error: expected ':', '=', '}' or the end of the line, found 'd' [E0101]\n"
     "t.world:4:9: error: expected an expression, found '=' [E0101]\n"},
    {"a semicolon ends a mistake", "field a = { b = = 1; c d; 3 }\n",
     "t.world:1:17: error: expected an expression, found '=' [E0101]\n"
     "t.world:1:24: error: expected ':', '=', '}' or the end of the line, found 'd' [E0101]\n"},

    /* -- characters and literals -- */
    {"E0103", "field a = 1 # 2\n", "t.world:1:13: error: '#' means nothing here [E0103]\n"},
    {"E0103, a letter of another alphabet", "field \xC3\xA9t\xC3\xA9 = 1\n",
     "t.world:1:7: error: '\xC3\xA9t\xC3\xA9' means nothing here [E0103]\n"},
    {"E0104", "field a = \"b\nfield c = 1\n",
     "t.world:1:11: error: this text has no closing '\"' on its line [E0104]\n"},
    {"E0104, an escaped quote", "field a = \"b\\\"\n",
     "t.world:1:11: error: this text has no closing '\"' on its line [E0104]\n"},
    {"E0105", "field a = \"b\\qc\\u{110000}\"\n",
     "t.world:1:13: error: '\\q' is no escape [E0105]\n"
     "t.world:1:16: error: '\\u' is no escape [E0105]\n"},
    {"E0106, whole", "field a = 9223372036854775808\n",
     "t.world:1:11: error: the number 9223372036854775808 is too large [E0106]\n"},
    {"E0106, hexadecimal", "field a = 0x8000000000000000\n",
     "t.world:1:11: error: the number 0x8000000000000000 is too large [E0106]\n"},
    {"E0106, next to nothing", "field a = 0.5e-400 m\n",
     "t.world:1:11: error: the number 0.5e-400 is too small [E0106]\n"},
    {"E0106, with an exponent", "field a = 1e309 m\n",
     "t.world:1:11: error: the number 1e309 is too large [E0106]\n"},
    {"E0107", "field a = 5 mtr + 3 cmm\n",
     "t.world:1:13: error: there is no unit 'mtr' [E0107]\n"
     "t.world:1:21: error: there is no unit 'cmm' [E0107]\n"},
    {"E0108", "field a = [1__0, 1_, 0x, 0xg1, 1_m]\n",
     "t.world:1:12: error: '1__0' is not how a number is written [E0108]\n"
     "t.world:1:18: error: '1_' is not how a number is written [E0108]\n"
     "t.world:1:22: error: '0x' is not how a number is written [E0108]\n"
     "t.world:1:26: error: '0xg1' is not how a number is written [E0108]\n"
     "t.world:1:32: error: '1_' is not how a number is written [E0108]\n"},

    /* -- lines and brackets -- */
    {"E0109", "part a\n  field b = 1\n\tfield c = 2\n\tfield d = 3\n",
     "t.world:3:1: error: this line is indented with a tab, an earlier one with spaces [E0109]\n"},
    {"E0109, a tab is then four spaces wide", "part a\n    field b = 1\n\tuse c\n",
     "t.world:3:1: error: this line is indented with a tab, an earlier one with spaces [E0109]\n"
     "t.world:3:2: error: a use belongs at the top of a file, not in a body [E0115]\n"},
    {"E0109, within one line", "part a\n\t field b = 1\n",
     "t.world:2:1: error: this line is indented with spaces, an earlier one with a tab [E0109]\n"},
    {"E0110", "field a = 1\n  field b = 2\n  field c = 3\nfield d = 4\n",
     "t.world:2:3: error: this line is deeper than the one above, which takes no body [E0110]\n"},
    {"E0111", "part a\n    field b = 1\n  field c = 2\n  field d = 3\n",
     "t.world:3:3: error: this line's indentation matches no line above [E0111]\n"},
    {"E0112", "part a\n  field b = f(1, [2\n  field c = 3\nfield d = = 1\n",
     "t.world:2:18: error: this '[' is never closed [E0112]\n"
     "t.world:4:11: error: expected an expression, found '=' [E0101]\n"},
    {"E0112, a brace", "part a\n  fn f() number {\n    1\n  field b = 2\n  fn g() number { 3 }\n",
     "t.world:2:17: error: this '{' is never closed [E0112]\n"},
    {"E0112, within braces", "fn f() number {\n  g(1,\n  let a = 2\n  a\n}\nfield b = 1\n",
     "t.world:2:4: error: this '(' is never closed [E0112]\n"},
    {"E0112, by a semicolon", "fn f() number { g(1; 2 }\n",
     "t.world:1:18: error: this '(' is never closed [E0112]\n"},
    {"E0112, at the end", "part a\n  on(b, {\n    c",
     "t.world:2:9: error: this '{' is never closed [E0112]\n"},
    {"E0112, another bracket", "field a = f(1, [2, 3)\nfield b = 1\n",
     "t.world:1:16: error: this '[' is never closed [E0112]\n"},
    {"E0113", "part a\n  field b = 1)\n  field c = }\nfield d = ]\n",
     "t.world:2:14: error: this ')' closes nothing [E0113]\n"
     "t.world:3:13: error: this '}' closes nothing [E0113]\n"
     "t.world:4:11: error: this ']' closes nothing [E0113]\n"},

    /* -- what may stand where -- */
    {"E0114", "let a = 1\neach i in 0 ..< 3 { i }\nland.height(b)\nif c { d }\na = 3\n",
     "t.world:1:1: error: a file holds declarations, found 'let' [E0114]\n"
     "t.world:2:1: error: a file holds declarations, found 'each' [E0114]\n"
     "t.world:3:1: error: a file holds declarations, found an expression [E0114]\n"
     "t.world:4:1: error: a file holds declarations, found 'if' [E0114]\n"
     "t.world:5:1: error: a file holds declarations, found an assignment [E0114]\n"},
    {"E0115", "part a\n  use b\n  record c\n    d: int\n",
     "t.world:2:3: error: a use belongs at the top of a file, not in a body [E0115]\n"
     "t.world:3:3: error: a record belongs at the top of a file, not in a body [E0115]\n"},
    {"E0116", "fn f() number\npart a\n  fn g()\n",
     "t.world:1:4: error: 'f' has no body [E0116]\nt.world:3:6: error: 'g' has no body [E0116]\n"},
    {"E0117", "extern fn f() { 1 }\ncontract a\n  fn g() { 1 }\n",
     "t.world:1:15: error: 'f' takes no body here [E0117]\nt.world:3:10: error: 'g' takes no body "
     "here [E0117]\n"},
    {"E0118", "field a: int, wthin: 0 ..= 1 = 1\n",
     "t.world:1:15: error: a field has no option 'wthin' [E0118]\n"},
    {"E0119", "field a: int, within: 5 = 1\n",
     "t.world:1:23: error: within asks for a range [E0119]\n"},
    {"E0120", "field a = 0 < b <= 1\n", "t.world:1:17: error: comparisons do not chain [E0120]\n"},
    {"E0121", "world version 0.5\npart a\n",
     "t.world:1:15: error: 'world version' asks for a whole number from 1 [E0121]\n"},
    {"E0122", "part a\n  on(b, { f() = 1; 3 += 2 })\n",
     "t.world:2:11: error: this cannot be set [E0122]\nt.world:2:20: error: this cannot be set "
     "[E0122]\n"},
    {"E0123", "record a\nrecord b\n  c: int\n",
     "t.world:1:8: error: the record 'a' has no fields [E0123]\n"},
    {"E0124", "contract a\n  field b = 1\n",
     "t.world:2:3: error: a contract holds fn lines only, found a field [E0124]\n"},
    {"E0125", "record a\n  b: int\n  fn c() { 1 }\n  field d = 1\n",
     "t.world:3:3: error: a record holds lines 'name: type' only [E0125]\n"
     "t.world:4:3: error: a record holds lines 'name: type' only [E0125]\n"},
    {"E0127",
     "fn f() number\n  let a = 1\n  a\nfn g() number\n{\n  1\n}\npart a\n  each i in b\n    part "
     "c\n      field d = 1\n  field e = = 1\n",
     "t.world:2:3: error: the body of 'fn' stands in { } [E0127]\n"
     "t.world:5:1: error: the body of 'fn' stands in { } [E0127]\n"
     "t.world:10:5: error: the body of 'each' stands in { } [E0127]\n"
     "t.world:12:13: error: expected an expression, found '=' [E0101]\n"},
    {"E0129",
     "extern fn a() int, effect: reads\nextern fn b() int, effect: magic\n"
     "extern fn c() int, op: draws\nextern fn d() int, effect: 5\n"
     "extern fn e(a: int, b: int) int, takes: b\nextern fn f(a: int) int, takes: a\n",
     "t.world:2:20: error: behind an extern fn stands its effect, what it takes, or nothing [E0129]\n"
     "t.world:3:20: error: behind an extern fn stands its effect, what it takes, or nothing [E0129]\n"
     "t.world:4:20: error: behind an extern fn stands its effect, what it takes, or nothing [E0129]\n"
     "t.world:5:34: error: behind an extern fn stands its effect, what it takes, or nothing [E0129]\n"},
    {"a '{' is missing within a line",
     "fn f() number {\n  let a = if b 1 } else { 2 }\n  a\n}\nfield c = = 1\n",
     "t.world:2:16: error: expected '{', found '1' [E0101]\n"
     "t.world:2:20: error: expected the end of the line, found 'else' [E0101]\n"
     "t.world:3:3: error: a file holds declarations, found an expression [E0114]\n"
     "t.world:5:11: error: expected an expression, found '=' [E0101]\n"},
    {"E0126", "part a\n  b: int = 1\n",
     "t.world:2:3: error: a field's line begins with the word field [E0126]\n"},
};

static void test_case(void **state) {
    const Case *c = *state;
    Fixture f;
    assert_string_equal(fixture_errors(&f, str_of(c->source)), c->errors);
    fixture_fini(&f);
}

/* E0102: what is no text is not read at all. */
static void test_not_text(void **state) {
    (void)state;
    static const struct {
        Str source;
        const char *errors;
    } TEXTS[] = {
        {{"part a\n  \0b", 11},
         "t.world:2:3: error: this is not text: there is a zero byte [E0102]\n"},
        {{"part \xFF", 6}, "t.world:1:6: error: this is not text: broken UTF-8 [E0102]\n"},
        {{"// \xC0\xAF", 5}, "t.world:1:4: error: this is not text: broken UTF-8 [E0102]\n"},
        {{"// \xED\xA0\x80", 6}, "t.world:1:4: error: this is not text: broken UTF-8 [E0102]\n"},
        {{"// \xF0\x9F\x8C", 6}, "t.world:1:4: error: this is not text: broken UTF-8 [E0102]\n"},
    };
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        Fixture f;
        assert_string_equal(fixture_errors(&f, TEXTS[i].source), TEXTS[i].errors);
        fixture_fini(&f);
    }
}

/* -- limits -- */

static Str repeated(Arena *arena, const char *before, const char *piece, int count,
                    const char *after) {
    StrBuf out = {.arena = arena};
    strbuf_str(&out, str_of(before));
    for (int i = 0; i < count; i++)
        strbuf_str(&out, str_of(piece));
    strbuf_str(&out, str_of(after));
    return strbuf_take(&out);
}

static void test_deep_input_is_one_error(void **state) {
    (void)state;
    static const struct {
        const char *before, *piece, *after;
        const char *message;
    } SHAPES[] = {
        {"field a = ", "(", "1\n", "the nesting here is over the limit of 200"},
        {"field a = ", "[", "1\n", "the nesting here is over the limit of 200"},
        {"field a = ", "{ ", "1\n", "the nesting here is over the limit of 200"},
        {"fn f() { ", "if a { ", "1\n", "the nesting here is over the limit of 200"},
        {"field a = ", "-", "1\n", "the depth of this is over the limit of 2000"},
        {"field a = 1", " + 1", "\n", "the depth of this is over the limit of 2000"},
        {"field a = b", ".c", "\n", "the depth of this is over the limit of 2000"},
        {"field a = ", "p => ", "1\n", "the depth of this is over the limit of 2000"},
        {"field a = if b { 1 }", " else if c { 2 }", "\n",
         "the depth of this is over the limit of 2000"},
        {"field a: ", "fn(a) ", "b\n", "the depth of this is over the limit of 2000"},
        {"field a: b", "?", "\n", "the depth of this is over the limit of 2000"},
    };
    Memory memory;
    Arena arena;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        Fixture f;
        fixture_errors(&f,
                       repeated(&arena, SHAPES[i].before, SHAPES[i].piece, 10000, SHAPES[i].after));
        assert_int_equal(f.diags.error_count, 1);
        assert_true(str_equal(f.diags.items.items[0]->message, str_of(SHAPES[i].message)));
        fixture_fini(&f);
    }
    arena_fini(&arena);
}

static void test_limits_are_options(void **state) {
    (void)state;
    Fixture f;
    fixture_init(&f, STR_LIT("field a = [[[1]]]\n"));
    parse_file(&f.arena, &f.symbols, &f.diags, f.file, (ParseLimits){.source_bytes = 10});
    parse_file(&f.arena, &f.symbols, &f.diags, f.file, (ParseLimits){.nesting = 2});
    assert_string_equal(
        diags_render(&f.diags, DIAG_ONE_LINE, &f.arena).ptr,
        "t.world:1:1: error: this source's size is over the limit of 10 bytes [E0601]\n"
        "t.world:1:13: error: the nesting here is over the limit of 2 [E0601]\n");
    fixture_fini(&f);
}

static void test_twenty_errors_are_enough(void **state) {
    (void)state;
    Memory memory;
    Arena arena;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    Fixture f;
    fixture_errors(&f, repeated(&arena, "", "field a = = 1\n", 100000, ""));
    assert_int_equal(f.diags.error_count, 20);
    assert_int_equal(f.diags.items.count, 20);
    fixture_fini(&f);
    arena_fini(&arena);
}

enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

int main(void) {
    struct CMUnitTest tests[CASE_COUNT + 4] = {
        cmocka_unit_test(test_not_text),
        cmocka_unit_test(test_deep_input_is_one_error),
        cmocka_unit_test(test_limits_are_options),
        cmocka_unit_test(test_twenty_errors_are_enough),
    };
    for (int i = 0; i < CASE_COUNT; i++)
        tests[i + 4] = (struct CMUnitTest){CASES[i].name, test_case, NULL, NULL, (void *)&CASES[i]};
    return _cmocka_run_group_tests("lang errors", tests, CASE_COUNT + 4, NULL, NULL);
}
