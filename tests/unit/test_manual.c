/* The manual's own pieces: Markdown to HTML, and worlds' texts in colors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/manual/highlight.h"
#include "compiler/manual/markdown.h"

typedef struct Fixture {
    Memory memory;
    Arena arena;
    StrBuf out;
} Fixture;

static void begin(Fixture *f) {
    memory_init(&f->memory, NULL, NULL, 0);
    arena_init(&f->arena, &f->memory);
    f->out = (StrBuf){.arena = &f->arena};
    strbuf_add(&f->out, "", 0);
}

static void end(Fixture *f) {
    arena_fini(&f->arena);
    assert_int_equal((int)f->memory.used, 0);
}

static Str same_link(void *user, Str target, int line) {
    (void)user;
    (void)line;
    return target;
}

static void write(Fixture *f, Str text) {
    Markdown to = {.arena = &f->arena, .out = &f->out, .link = same_link};
    Blocks blocks = markdown_blocks(&f->arena, text);
    markdown_write(&to, blocks.items, blocks.count);
}

static void expect(const char *text, const char *html) {
    Fixture f;
    begin(&f);
    write(&f, str_of(text));
    assert_string_equal(f.out.ptr, html);
    end(&f);
}

static void expect_colors(const char *code, const char *html) {
    Fixture f;
    begin(&f);
    highlight_world(&f.arena, &f.out, str_of(code), NULL);
    assert_string_equal(f.out.ptr, html);
    end(&f);
}

static void test_lines(void **state) {
    (void)state;
    expect("", "");
    expect("one\ntwo\n\nthree", "<p>one two</p>\n<p>three</p>\n");
    expect("a < b & \"c\"", "<p>a &lt; b &amp; &quot;c&quot;</p>\n");
    expect("# A title\n## A `b`\ntext", "<h1>A title</h1>\n<h2>A <code>b</code></h2>\n<p>text</p>\n");
    expect("#nothing", "<p>#nothing</p>\n");
    expect("one\r\ntwo\r\n", "<p>one two</p>\n");
    expect("of chapter\n14. Looking", "<p>of chapter 14. Looking</p>\n");
}

static void test_pieces(void **state) {
    (void)state;
    expect("`a < b` and ``c ` d``", "<p><code>a &lt; b</code> and <code>c ` d</code></p>\n");
    expect("**strong `x`** end", "<p><strong>strong <code>x</code></strong> end</p>\n");
    expect("[a](b.md#c), ![A `p`](d.png)", "<p><a href=\"b.md#c\">a</a>, <img src=\"d.png\" loading=\"lazy\" alt=\"A p\"></p>\n");
    expect("![p](d.png)", "<p class=\"picture\"><img src=\"d.png\" loading=\"lazy\" alt=\"p\"></p>\n");
    expect("\\*not\\* \\| a_b_c 2 * 3", "<p>*not* | a_b_c 2 * 3</p>\n");
    /* What nothing closes is text. */
    expect("`a **b [c](d ![e", "<p>`a **b [c](d ![e</p>\n");
    expect("[a] (b) ** `", "<p>[a] (b) ** `</p>\n");
    expect("[x](\"onclick=\")", "<p><a href=\"&quot;onclick=&quot;\">x</a></p>\n");
}

static void test_code(void **state) {
    (void)state;
    expect("text\n    still text", "<p>text still text</p>\n");
    expect("text\n\n    part a\n\n      use b\n\nmore", "<p>text</p>\n<pre><code><span class=\"k\">part</span> a\n\n  <span class=\"k\">use</span> b\n</code></pre>\n<p>more</p>\n");
    expect("```c\nint a < b;\n```\nmore", "<pre><code>int a &lt; b;\n</code></pre>\n<p>more</p>\n");
    expect("```\n1 m\n", "<pre><code><span class=\"n\">1</span> <span class=\"u\">m</span>\n</code></pre>\n");
    expect("    worldc ask a.world 'in'", "<pre><code>worldc ask a.world 'in'\n</code></pre>\n");
}

static void test_tables(void **state) {
    (void)state;
    expect("| a | `b\\|c` |\n|---|---|\n| 1 | 2 |", "<div class=\"wide\"><table>\n<tr><th>a</th><th><code>b|c</code></th></tr>\n"
                                                     "<tr><td>1</td><td>2</td></tr>\n</table></div>\n");
    expect("|", "<div class=\"wide\"><table>\n</table></div>\n");
    expect("| a", "<div class=\"wide\"><table>\n<tr><th>a</th></tr>\n</table></div>\n");
}

static void test_lists(void **state) {
    (void)state;
    expect("- a\n  goes on\n- b", "<ul>\n<li>a goes on</li>\n<li>b</li>\n</ul>\n");
    expect("- a\n  - b\n  - c\n- d", "<ul>\n<li>a<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n</li>\n<li>d</li>\n</ul>\n");
    expect("1. a\n2. b\n\ntext", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n<p>text</p>\n");
    expect("  - deep\n- less", "<ul>\n<li>deep</li>\n</ul>\n<ul>\n<li>less</li>\n</ul>\n");
    expect("-30 m", "<p>-30 m</p>\n");
    Fixture f;
    begin(&f);
    Markdown to = {.arena = &f.arena, .out = &f.out, .link = same_link};
    markdown_write(&to, &(Block){.kind = BLOCK_ITEM, .text = STR_LIT("`fn f() m`: Said."), .id = STR_LIT("p.f")}, 1);
    assert_string_equal(f.out.ptr, "<ul>\n<li class=\"entry\" id=\"p.f\"><code><span class=\"k\">fn</span> <span class=\"f\">f</span>() m</code> Said.</li>\n</ul>\n");
    end(&f);
}

static void test_colors(void **state) {
    (void)state;
    expect_colors("part a: b(1.5 m) // c\n", "<span class=\"k\">part</span> a: <span class=\"f\">b</span>(<span class=\"n\">1.5</span> <span class=\"u\">m</span>) "
                                             "<span class=\"c\">// c</span>\n");
    expect_colors("/// D < e.\nfield f = \"g\"", "<span class=\"d\">/// D &lt; e.</span>\n<span class=\"k\">field</span> f = <span class=\"s\">&quot;g&quot;</span>");
    /* Words only where they are: a check's title, a field's name. */
    expect_colors("check \"t\" { check }", "<span class=\"k\">check</span> <span class=\"s\">&quot;t&quot;</span> { check }");
    expect_colors("fn f(a: A) { a / b }", "<span class=\"k\">fn</span> <span class=\"f\">f</span>(a: A) { a / b }");
    /* What is no text of the language stays as it is. */
    expect_colors("pcg(seed ^ 'x') \\ {", "pcg(seed ^ 'x') \\ {");
    expect_colors("\xff part", "\xff part");
    expect_colors("// only this", "<span class=\"c\">// only this</span>");
    expect_colors("", "");
}

static Str known_link(void *user, Str holder, Str name) {
    (void)user;
    if (str_equal(name, STR_LIT("cone"))) return str_equal(holder, STR_LIT("shapes")) ? STR_LIT("shapes.html#cone") : STR_LIT("cone.html");
    return str_equal(name, STR_LIT("mine")) ? STR_LIT("mine.html") : (Str){0};
}

/* What is called leads to the library, but for what the code itself declares. */
static void test_names(void **state) {
    (void)state;
    Fixture f;
    begin(&f);
    highlight_world(&f.arena, &f.out, STR_LIT("a = shapes.cone(cone(1), cone)"), &(NameLinks){known_link, NULL});
    assert_string_equal(f.out.ptr, "a = shapes.<a href=\"shapes.html#cone\"><span class=\"f\">cone</span></a>(<a href=\"cone.html\"><span class=\"f\">cone</span></a>(<span class=\"n\">1</span>), cone)");
    f.out.len = 0;
    highlight_world(&f.arena, &f.out, STR_LIT("fn mine() { mine() }"), &(NameLinks){known_link, NULL});
    assert_null(strstr(f.out.ptr, "href"));
    end(&f);
}

/* Every beginning of a text with all marks, and the text with each byte another: none is a fault, and what is opened is closed. */
static void test_damage(void **state) {
    (void)state;
    static const char whole[] = "# A `t`\n\n- `fn f(a: b) c`: **d** [e](f)\n  1. ![g](h)\n    - i\n\n    part j\n      field k = 1 m\n\n```\nl\n```\n\n| m | n\\| |\n|--|\n| `o` |\n";
    static const char marks[] = "`*[]()!|#-\\ \n\"{\xff";
    for (size_t length = 0; length < sizeof whole; length++) {
        Fixture f;
        begin(&f);
        write(&f, (Str){whole, length});
        for (size_t m = 0; m + 1 < sizeof marks; m++) {
            char text[sizeof whole];
            memcpy(text, whole, sizeof whole);
            text[length] = marks[m];
            write(&f, (Str){text, sizeof whole});
        }
        assert_non_null(f.out.ptr);
        end(&f);
    }
}

/* As many brackets as fit in a text open no more than a few calls. */
static void test_depth(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    static char text[6 * COUNT];
    Fixture f;
    memset(text, '[', COUNT);
    for (int i = 0; i < COUNT; i++)
        memcpy(text + COUNT + i * 4, "](a)", 4);
    begin(&f);
    write(&f, (Str){text, 5 * COUNT});
    end(&f);
    for (int i = 0; i < COUNT / 2; i++)
        memcpy(text + i * 2, "> ", 2);
    memset(text, ' ', COUNT);
    memcpy(text + COUNT, "- a\n", 4);
    begin(&f);
    write(&f, (Str){text, COUNT + 4});
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines), cmocka_unit_test(test_pieces), cmocka_unit_test(test_code),   cmocka_unit_test(test_tables),
        cmocka_unit_test(test_lists), cmocka_unit_test(test_colors), cmocka_unit_test(test_names), cmocka_unit_test(test_damage), cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
