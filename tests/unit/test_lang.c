/* lang: layout rules, literals, expressions alone, positions, the list of diagnostics and its
 * styles. */
#include "tests/unit/lang_fixture.h"

static void expect_tree(const char *source, const char *tree) {
    Fixture f;
    fixture_init(&f, str_of(source));
    assert_string_equal(fixture_parse(&f, false), tree);
    fixture_fini(&f);
}

static void expect_expression(const char *source, const char *tree) {
    Fixture f;
    fixture_init(&f, str_of(source));
    assert_string_equal(fixture_parse(&f, true), tree);
    fixture_fini(&f);
}

/* -- layout -- */

static void test_line_ends(void **state) {
    (void)state;
    expect_tree("", "(file\n)\n");
    expect_tree("\n\n  // only a comment\n", "(file\n)\n");
    expect_tree("part a\r\n  part b\r\npart c\r\n", "(file\n  (part a (part b))\n  (part c)\n)\n");
    expect_tree("\xEF\xBB\xBFpart a", "(file\n  (part a)\n)\n");
    expect_tree("part a\n\tpart b\n\t\tpart c\n\tpart d\n",
                "(file\n  (part a (part b (part c)) (part d))\n)\n");
    expect_tree("field a = b\n  .c(1)\n  .d\n",
                "(file\n  (field a (value (member d (call (member c b) 1))))\n)\n");
    expect_tree("fn f() { a\n-b }\n", "(file\n  (fn f (block a (- b)))\n)\n");
    expect_tree("fn f() { a -\nb }\n", "(file\n  (fn f (block (- a b)))\n)\n");
    expect_tree("fn f() { if a { b }\n\n\n else { c } }\n",
                "(file\n  (fn f (block (if a (block b) (block c))))\n)\n");
    expect_tree("fn f() { ;; a;\n;b; }\n", "(file\n  (fn f (block a b))\n)\n");
    expect_tree("field a = (\n1\n,\n2)\n", "(file\n  (field a (value (tuple 1 2)))\n)\n");
}

static void test_bodies_within_braces(void **state) {
    (void)state;
    expect_tree("part a\n  each i in b {\n    part c\n      field d = 1\n    part e }\n",
                "(file\n  (part a (each i b (block (part c (field d (value 1))) (part e))))\n)\n");
    expect_tree(
        "part a\n  f({\n      part c\n        field d = 1 })\n  field e = 2\n",
        "(file\n  (part a (call f (block (part c (field d (value 1))))) (field e (value 2)))\n)\n");
}

static void test_docs(void **state) {
    (void)state;
    expect_tree("/// One.\n///   Two.\n/// \n\npart a // no doc\n  //// nor this\n  field b = 1\n",
                "(file\n  (part a (doc \"One.\\n  Two.\\n\") (field b (value 1)))\n)\n");
}

/* -- literals -- */

static void test_numbers(void **state) {
    (void)state;
    expect_expression("0.1", "0.1\n");
    expect_expression("9223372036854775807", "9223372036854775807\n");
    expect_expression("0x7fff_ffff_ffff_ffff", "9223372036854775807\n");
    expect_expression("179769313486231570000000000000000000000.5e270", "1.7976931348623157e+308\n");
    expect_expression("4.9406564584124654e-324", "5e-324\n");
    expect_expression("2.2250738585072011e-308",
                      "2.225073858507201e-308\n"); /* a hard case of rounding */
    expect_expression("123456789012345678901234567890.0", "1.2345678901234568e+29\n");
    expect_expression("1.m", "(member m 1)\n");
    expect_expression("0..<3", "(..< 0 3)\n");
}

static void test_units(void **state) {
    (void)state;
    expect_expression("4.5m/s", "4.5_m/s\n");
    expect_expression("4.5 m /s", "(/ 4.5_m s)\n");
    expect_expression("4.5 m/ s", "(/ 4.5_m s)\n");
    expect_expression("4.5 m/s^2*x", "(* 4.5_m/s^2 x)\n");
    expect_expression("2 h/min(a)", "(/ 2_h (call min a))\n");
    expect_expression("5 min", "5_min\n");
    expect_expression("0x10 cm", "16_cm\n");
    expect_expression("[1 m,2 km]", "(list 1_m 2_km)\n");
}

static void test_whole_numbers_keep_their_bits(void **state) {
    (void)state;
    Fixture f;
    fixture_init(&f, STR_LIT("9007199254740993"));
    const AstNode *node =
        parse_expression(&f.arena, &f.symbols, &f.diags, f.file, (ParseLimits){0});
    assert_true(node->kind == AST_NUMBER && node->number.whole && node->number.unit.symbol == 0);
    assert_true(node->number.int_value == 9007199254740993);
    fixture_fini(&f);
}

static void test_texts(void **state) {
    (void)state;
    expect_expression("\"a\\u{e9}\\u{20ac}\\u{1F33F}\"",
                      "\"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8C\xBF\"\n");
    expect_expression("\"\"", "\"\"\n");
    expect_expression("\"// no comment\"", "\"// no comment\"\n");
}

/* -- expressions alone -- */

static void test_expressions(void **state) {
    (void)state;
    expect_expression("land.height((0, 0, 330))", "(call (member height land) (tuple 0 0 330))\n");
    expect_expression(
        "a\n  b", "t.world:2:3: error: expected the end of the expression, found 'b' [E0101]\n");
    expect_expression(
        "",
        "t.world:1:1: error: expected an expression, found the end of the expression [E0101]\n");
    expect_expression(
        "a; b", "t.world:1:2: error: expected the end of the expression, found ';' [E0101]\n");
    expect_expression("{ let a = 1\n a }", "(block (let a 1) a)\n");
}

/* -- spans and positions -- */

static void test_positions(void **state) {
    (void)state;
    Fixture f;
    fixture_init(&f, STR_LIT("a\r\n\xC3\xA9\tb\n\nc"));
    SourcePos b = sources_position(&f.sources, f.file, 6);
    assert_int_equal(b.line, 2);
    assert_int_equal(b.column, 3);
    SourcePos end = sources_position(&f.sources, f.file, 99);
    assert_int_equal(end.line, 4);
    assert_int_equal(end.column, 2);
    assert_true(str_equal(sources_line(&f.sources, f.file, 1), STR_LIT("a")));
    assert_true(str_equal(sources_line(&f.sources, f.file, 3), STR_LIT("")));
    assert_true(str_equal(sources_line(&f.sources, f.file, 5), STR_LIT("")));
    assert_true(str_equal(sources_text(&f.sources, (Span){f.file, 3, 5}), STR_LIT("\xC3\xA9")));
    assert_int_equal(sources_get(&f.sources, 77)->text.len, 0);
    fixture_fini(&f);
}

static void test_spans(void **state) {
    (void)state;
    Fixture f;
    fixture_init(&f, STR_LIT("part a.b[i]: c(1, x: 2 m), at: d\n  field e: List[f] = 3 // g\n"));
    AstFile *file = parse_file(&f.arena, &f.symbols, &f.diags, f.file, (ParseLimits){0});
    const AstNode *part = file->decls.items[0], *field = part->part.body.items[0];
    assert_true(
        str_equal(sources_text(&f.sources, part->part.design->span), STR_LIT("c(1, x: 2 m)")));
    assert_true(
        str_equal(sources_text(&f.sources, part->part.options.items[0].span), STR_LIT("at: d")));
    assert_true(str_equal(sources_text(&f.sources, part->part.path.items[1].span), STR_LIT("b")));
    assert_true(str_equal(sources_text(&f.sources, field->span), STR_LIT("field e: List[f] = 3")));
    assert_true(str_equal(sources_text(&f.sources, field->field.type->span), STR_LIT("List[f]")));
    fixture_fini(&f);
}

/* -- diagnostics -- */

static void test_human_style(void **state) {
    (void)state;
    Fixture f;
    fixture_init(&f, STR_LIT("part a\n\tfield \xC3\xA9 = 5 mtr\n"));
    uint32_t at = 20; /* of `mtr` */
    Diag *diag = diag_add(&f.diags, DIAG_E_PARSE_UNIT, (Span){f.file, at, at + 3}, 3, "mtr");
    diag_note(&f.diags, diag, (Span){f.file, 5, 6}, "in this part");
    diag_note(&f.diags, diag, (Span){0}, "no place");
    assert_string_equal(diags_render(&f.diags, DIAG_HUMAN, &f.arena).ptr,
                        "t.world:2:13: error: there is no unit 'mtr' [E0107]\n"
                        "    2 | \tfield \xC3\xA9 = 5 mtr\n"
                        "      | \t           ^^^\n"
                        "  note: t.world:1:6: in this part\n"
                        "    1 | part a\n"
                        "      |      ^\n"
                        "  note: no place\n"
                        "  help: units are mm cm m km, deg rad turn, ms s min h and Hz\n");
    Str color = diags_render(&f.diags, DIAG_HUMAN_COLOR, &f.arena);
    assert_non_null(strstr(color.ptr, "\x1b[1;31merror:\x1b[0m"));
    fixture_fini(&f);
}

static void test_json_style(void **state) {
    (void)state;
    Fixture f;
    fixture_init(&f, STR_LIT("field a = 5 mtr\n"));
    Diag *diag = diag_add(&f.diags, DIAG_E_PARSE_UNIT, (Span){f.file, 12, 15}, 5, "\"\x01\xFF\\m");
    diag_note(&f.diags, diag, (Span){0}, "n");
    diag_fix(&f.diags, diag, (Span){f.file, 12, 15}, STR_LIT("m"));
    diag_help(&f.diags, diag, "%s", "");
    assert_string_equal(diags_render(&f.diags, DIAG_JSON, &f.arena).ptr,
                        "[\n  {\"file\": \"t.world\", \"line\": 1, \"column\": 13, \"endLine\": 1, "
                        "\"endColumn\": 16, \"id\": \"E0107\", "
                        "\"severity\": \"error\", \"message\": \"there is no unit "
                        "'\\\"\\u0001\\ufffd\\\\m'\", \"help\": \"\", "
                        "\"notes\": [{\"file\": \"\", \"line\": 0, \"column\": 0, \"endLine\": 0, "
                        "\"endColumn\": 0, \"text\": \"n\"}], "
                        "\"fix\": {\"file\": \"t.world\", \"line\": 1, \"column\": 13, "
                        "\"endLine\": 1, \"endColumn\": 16, \"text\": \"m\"}}\n]\n");
    fixture_fini(&f);
}

static void test_empty_styles(void **state) {
    (void)state;
    Fixture f;
    fixture_init(&f, STR_LIT(""));
    assert_string_equal(diags_render(&f.diags, DIAG_JSON, &f.arena).ptr, "[]\n");
    assert_int_equal(diags_render(&f.diags, DIAG_HUMAN, &f.arena).len, 0);
    fixture_fini(&f);
}

/* A terminal never sees the author's control characters, nor a line of a megabyte. */
static void test_quotes_are_safe(void **state) {
    (void)state;
    Fixture f;
    char line[1000];
    memset(line, 'x', sizeof line);
    memcpy(line + 500, "\x1b[31m", 5);
    fixture_init(&f, (Str){line, sizeof line});
    diag_add(&f.diags, DIAG_E_PARSE_TARGET, (Span){f.file, 500, 505});
    Str text = diags_render(&f.diags, DIAG_HUMAN, &f.arena);
    assert_null(strchr(text.ptr, '\x1b'));
    assert_non_null(strstr(text.ptr, "?[31m"));
    assert_non_null(strstr(text.ptr, "^^^^^\n"));
    assert_true(text.len < 500);
    fixture_fini(&f);
}

static void test_list(void **state) {
    (void)state;
    Fixture f;
    fixture_init(&f, STR_LIT("abcdefghijklmnopqrstuvwxyz"));
    for (uint32_t i = 26; i-- > 0;) {
        diag_add(&f.diags, DIAG_E_PARSE_TARGET, (Span){f.file, i, i + 1});
        diag_add(&f.diags, DIAG_E_PARSE_TARGET, (Span){f.file, i, i + 1}); /* a repeat */
    }
    assert_int_equal(f.diags.error_count, 20);
    assert_int_equal(f.diags.dropped, 12); /* the six past the limit, and their repeats */
    assert_true(diags_failed(&f.diags));
    Str text = diags_render(&f.diags, DIAG_ONE_LINE, &f.arena);
    assert_true(str_starts(text, STR_LIT("t.world:1:7: ")));
    assert_true(str_ends(text, STR_LIT("and more: only the first 20 errors are shown\n")));
    char code[8];
    diag_code(DIAG_E_LIMIT, code);
    assert_string_equal(code, "E0601");
    fixture_fini(&f);
}

static void add_two(DiagList *diags) {
    static char word[3000];
    memset(word, 'm', sizeof word - 1);
    diag_add(diags, DIAG_E_PARSE_UNIT, (Span){0}, (int)sizeof word - 1, word);
    diag_add(diags, DIAG_W_FRACTION, (Span){0});
}

/* Answers whether both have room. */
static bool add_within(size_t limit) {
    Memory memory;
    Arena arena;
    SourceSet sources = {0};
    DiagList diags;
    Recover recover;
    memory_init(&memory, NULL, NULL, limit);
    arena_init(&arena, &memory);
    diags_init(&diags, &arena, &sources);
    if (MEMORY_TRY(&recover)) {
        add_two(&diags);
        memory_end_try(&recover);
    }
    int count = diags.items.count;
    assert_int_equal(diags.error_count + diags.warning_count, count);
    arena_fini(&arena);
    return count == 2;
}

/* Whichever allocation fails, what is counted is there. */
static void test_list_without_memory(void **state) {
    (void)state;
    int good = 0, wanted = 0;
    for (size_t limit = 256; limit < 32768; limit += 256) {
        wanted++;
        good += add_within(limit);
    }
    assert_in_range(good, 1, wanted - 1);
}

static void test_nearest(void **state) {
    (void)state;
    const Str names[] = {STR_LIT("height"), STR_LIT("weight"), STR_LIT("m"), STR_LIT("Slope")};
    assert_true(str_equal(diag_nearest(STR_LIT("heigth"), names, 4), STR_LIT("height")));
    assert_true(str_equal(diag_nearest(STR_LIT("slope"), names, 4), STR_LIT("Slope")));
    assert_true(str_equal(diag_nearest(STR_LIT("weigh"), names, 4), STR_LIT("weight")));
    assert_int_equal(diag_nearest(STR_LIT("k"), names, 4).len, 0);
    assert_int_equal(diag_nearest(STR_LIT("depth"), names, 4).len, 0);
    assert_int_equal(diag_nearest(STR_LIT("height"), names, 1).len,
                     0); /* the name itself is no guess */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_ends),    cmocka_unit_test(test_bodies_within_braces),
        cmocka_unit_test(test_docs),         cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_units),        cmocka_unit_test(test_whole_numbers_keep_their_bits),
        cmocka_unit_test(test_texts),        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_positions),    cmocka_unit_test(test_spans),
        cmocka_unit_test(test_human_style),  cmocka_unit_test(test_json_style),
        cmocka_unit_test(test_empty_styles), cmocka_unit_test(test_quotes_are_safe),
        cmocka_unit_test(test_list),         cmocka_unit_test(test_list_without_memory),
        cmocka_unit_test(test_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
