/* The formatter: what it writes, that it writes it once only, and that no comment and no meaning gets lost.
 *
 *     test_format FOLDER...     whose .world files, and those of the folders in it, are formatted
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "lang/format.h"
#include "lang/parse.h"
#include "tests/unit/lang_fixture.h"

static char **folders;
static int folder_count;

typedef struct Text { /* one after another, all in one arena that is emptied between them */
    Memory memory;
    Arena arena;
    SourceSet sources;
    DiagList diags;
} Text;

static void text_begin(Text *t) {
    memory_init(&t->memory, NULL, NULL, 0);
    arena_init(&t->arena, &t->memory);
    sources_init(&t->sources, &t->arena);
    diags_init(&t->diags, &t->arena, &t->sources);
}

static void text_end(Text *t) {
    arena_fini(&t->arena);
}

static Str formatted(Text *t, Str text) {
    return format_file(&t->arena, &t->diags, sources_add(&t->sources, STR_LIT("t.world"), text));
}

/* The comments of a text, one after another; texts may hold slashes too, but they hold the same before and after. */
static Str comments(Arena *arena, Str text) {
    StrBuf out = {.arena = arena};
    strbuf_add(&out, "", 0);
    for (size_t i = 0; i + 1 < text.len; i++) {
        if (text.ptr[i] != '/' || text.ptr[i + 1] != '/') continue;
        size_t end = i;
        while (end < text.len && text.ptr[end] != '\n')
            end++;
        size_t kept = end;
        while (kept > i && strchr(" \t\r", text.ptr[kept - 1]))
            kept--;
        strbuf_add(&out, text.ptr + i, kept - i);
        strbuf_char(&out, '\n');
        i = end;
    }
    return strbuf_take(&out);
}

/* Formats what parses (false: it does not), and asks what must hold of every text. The tree is compared by format_file itself. */
static bool holds(Str text) {
    Text t;
    text_begin(&t);
    SymbolTable symbols;
    symbols_init(&symbols, &t.arena);
    parse_file(&t.arena, &symbols, &t.diags, sources_add(&t.sources, STR_LIT("t.world"), text), (ParseLimits){0});
    bool parses = !diags_failed(&t.diags);
    if (parses) {
        Str once = formatted(&t, text);
        if (diags_failed(&t.diags)) fprintf(stderr, "not the same world:\n%s\n", text.ptr);
        assert_false(diags_failed(&t.diags));
        Str twice = formatted(&t, once);
        assert_string_equal(once.ptr, twice.ptr);
        assert_string_equal(comments(&t.arena, text).ptr, comments(&t.arena, once).ptr);
    }
    text_end(&t);
    return parses;
}

/* -- what it writes -- */

typedef struct Case {
    const char *before, *after;
} Case;

static const Case cases[] = {
    {"", ""},
    {"\n\n// alone\n\n\n\n// twice\n", "// alone\n\n// twice\n"},
    {"field   x:meters=2m*-3  ;field y  =  x", "field x: meters = 2 m * -3; field y = x\n"},
    {"part a\n    field b = [1,2 , 3 ,]\n    part c :  d( e , f :g )\n", "part a\n  field b = [1, 2, 3,]\n  part c: d(e, f: g)\n"},
    {"fn f(a:int,b:List[ int ]=[ ])(int,int){(a,b[ 0 ])}", "fn f(a: int, b: List[int] = []) (int, int) { (a, b[0]) }\n"},
    {"fn f() meters / seconds ^ 2{g()(1)}", "fn f() meters/seconds^2 { g()(1) }\n"},
    {"fn f(){\n\n  if a{b}else{c}\n\n\n  // why\n  d\n\n}", "fn f() {\n  if a { b } else { c }\n\n  // why\n  d\n}\n"},
    {"fn f() {\na; b ; // both\nc\n}", "fn f() {\n  a; b  // both\n  c\n}\n"},
    {"field a = 1      // one\nfield abc = 2    // two\nfield b = 3 // three\n", "field a = 1    // one\nfield abc = 2  // two\nfield b = 3  // three\n"},
    {"part p\n  field x = 1\n  // of p\n// of the file\nfield y = 2\n", "part p\n  field x = 1\n  // of p\n// of the file\nfield y = 2\n"},
    {"field x = \"a\\{ b+1 }c\\{d}\"", "field x = \"a\\{b + 1}c\\{d}\"\n"},
    {"type t=one of(a,b)\nfield g:given(here:point)meters?=none", "type t = one of (a, b)\nfield g: given(here: point) meters? = none\n"},
    {"field f = xs.map( fn(k,p){p+k} ).fold(0,fn(a,b){a-b})", "field f = xs.map(fn(k, p) { p + k }).fold(0, fn(a, b) { a - b })\n"},
    {"field a = b &&!c||- d< -e", "field a = b && !c || -d < -e\n"},
    {"fn f() {\n\treturn\n\teach ( a,_ )in 0..<3{x+=1}\n}", "fn f() {\n  return\n  each (a, _) in 0 ..< 3 { x += 1 }\n}\n"},
    {"part a\n  each k in 0 ..< 2 {\n    part x\n      field y = k }\n", "part a\n  each k in 0 ..< 2 {\n    part x\n      field y = k\n  }\n"},
    /* what the author aligned stays so; what he did not goes under the bracket's first, or a step in */
    {"field r = rule(first: 1,\n    second: 2,\n              third: 3)", "field r = rule(first: 1,\n    second: 2,\n               third: 3)\n"},
    {"field k=  a\n          && b\n  && c", "field k = a\n          && b\n    && c\n"},
    /* lines that are too long: at the least deep comma that fits, then at operators; blocks are opened */
    {"field long = combined(alpha: 1000000000, beta: twice(2000000000, 3000000000), gamma: 4000000000, delta: 5000000000, epsilon: 6)",
     "field long = combined(alpha: 1000000000, beta: twice(2000000000, 3000000000), gamma: 4000000000,\n"
     "                      delta: 5000000000, epsilon: 6)\n"},
    {"fn sum() number { alphaalphaalpha * betabetabetabeta + gammagammagamma * deltadeltadelta + epsilonepsilon * zetazetazetazeta }",
     "fn sum() number {\n  alphaalphaalpha * betabetabetabeta + gammagammagamma * deltadeltadelta + epsilonepsilon * zetazetazetazeta\n}\n"},
    {"fn f() { if conditioncond { firstfirstfirst(1, 2, 3, 4, 5, 6) } else { secondsecondsecond(1, 2, 3, 4, 5, 6, 7, 8) } }",
     "fn f() {\n  if conditioncond { firstfirstfirst(1, 2, 3, 4, 5, 6) } else { secondsecondsecond(1, 2, 3, 4, 5, 6, 7, 8) }\n}\n"},
};

static void test_cases(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text t;
        text_begin(&t);
        assert_string_equal(formatted(&t, str_of(cases[i].before)).ptr, cases[i].after);
        text_end(&t);
        assert_true(holds(str_of(cases[i].before)));
    }
}

static void test_refuses_mistakes(void **state) {
    (void)state;
    static const char *const wrong[] = {"part (", "field x = 1 +", "fn f() {", "field x = \"a", "\xff"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Text t;
        text_begin(&t);
        assert_int_equal(formatted(&t, str_of(wrong[i])).len, 0);
        assert_true(diags_failed(&t.diags));
        text_end(&t);
    }
}

/* One statement on one line of a million bytes: in a second, not in an hour. */
static void test_long_line(void **state) {
    (void)state;
    enum { ITEMS = 100000 };
    Text t;
    text_begin(&t);
    StrBuf line = {.arena = &t.arena};
    strbuf_printf(&line, "field xs = [0");
    for (int i = 1; i < ITEMS; i++)
        strbuf_printf(&line, ",%d", i);
    strbuf_printf(&line, "]");
    Str out = formatted(&t, strbuf_take(&line));
    assert_false(diags_failed(&t.diags));
    int widest = 0, column = 0;
    for (size_t i = 0; i < out.len; i++) {
        column = out.ptr[i] == '\n' ? 0 : column + 1;
        widest = column > widest ? column : widest;
    }
    assert_true(widest > FORMAT_WIDTH - 10 && widest <= FORMAT_WIDTH);
    text_end(&t);
}

/* -- every text there is -- */

static Str read_file(Arena *arena, const char *path) {
    StrBuf out = {.arena = arena};
    strbuf_add(&out, "", 0);
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("cannot read %s", path);
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        strbuf_add(&out, block, n);
    fclose(file);
    return strbuf_take(&out);
}

typedef void (*Visit)(Str text);

/* How many texts there were. */
static int visit_folder(const char *folder, int deep, Visit visit) {
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort), visited = 0;
    for (int i = 0; i < count; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (str_ends(str_of(path), STR_LIT(".world"))) {
            Text t;
            text_begin(&t);
            visit(read_file(&t.arena, path));
            text_end(&t);
            visited++;
        } else if (deep > 0 && entries[i]->d_name[0] != '.') {
            visited += visit_folder(path, deep - 1, visit);
        }
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    return visited;
}

static void visit_whole(Str text) {
    holds(text);
}

static void test_every_text(void **state) {
    (void)state;
    for (int i = 0; i < folder_count; i++)
        assert_true(visit_folder(folders[i], 1, visit_whole) > 0);
}

/* -- a comment in every gap -- */

static int gaps, formatted_gaps;

static bool is_word(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Wherever no word and no text is cut; where a line may not end there, the text does not parse. */
static void visit_gaps(Str text) {
    if (text.len > 700) return;
    for (size_t at = 0; at <= text.len; at++) {
        if (at > 0 && at < text.len && is_word(text.ptr[at - 1]) && is_word(text.ptr[at])) continue;
        Text t;
        text_begin(&t);
        StrBuf with = {.arena = &t.arena};
        strbuf_add(&with, text.ptr, at);
        strbuf_printf(&with, "// here\n");
        strbuf_add(&with, text.ptr + at, text.len - at);
        formatted_gaps += holds(strbuf_take(&with));
        gaps++;
        text_end(&t);
    }
}

static void test_comment_in_every_gap(void **state) {
    (void)state;
    visit_folder(folders[0], 0, visit_gaps);
    assert_true(gaps > 500 && formatted_gaps > gaps / 4);
}

/* -- texts that were changed -- */

enum { MUTANTS = 10000 };
static int mutants, sound_mutants;
static uint32_t dice = 1;

static uint32_t roll(uint32_t below) {
    dice = dice * 1664525u + 1013904223u;
    return (dice >> 8) % below;
}

/* Pieces of the language put in, and bytes taken out, doubled or put elsewhere. */
static void mutate(StrBuf *out, Str text) {
    static const char *const pieces[] = {" ", "\n", "  ", "\t", "// c\n", ",", ";", "{ ", " }", "(", ")", "\n\n", " - ", ".f(1)", "else ", "\\{"};
    size_t at = roll((uint32_t)text.len), length = roll(6), to = roll((uint32_t)text.len);
    if (at + length > text.len) length = text.len - at;
    switch (roll(4)) {
    case 0:
        strbuf_add(out, text.ptr, at);
        strbuf_add(out, text.ptr + at + length, text.len - at - length);
        return;
    case 1:
        strbuf_add(out, text.ptr, to);
        strbuf_add(out, text.ptr + at, length);
        strbuf_add(out, text.ptr + to, text.len - to);
        return;
    default:
        strbuf_add(out, text.ptr, at);
        strbuf_str(out, str_of(pieces[roll(sizeof pieces / sizeof *pieces)]));
        strbuf_add(out, text.ptr + at, text.len - at);
    }
}

static void visit_mutants(Str text) {
    if (text.len == 0 || text.len > 1500) return;
    for (int i = 0; i < 400 && mutants < MUTANTS; i++, mutants++) {
        Text t;
        text_begin(&t);
        StrBuf once = {.arena = &t.arena}, twice = {.arena = &t.arena};
        mutate(&once, text);
        mutate(&twice, strbuf_take(&once));
        sound_mutants += holds(strbuf_take(i % 2 ? &twice : &once));
        text_end(&t);
    }
}

static void test_mutants(void **state) {
    (void)state;
    while (mutants < MUTANTS)
        assert_true(visit_folder(folders[0], 0, visit_mutants) > 0);
    assert_true(sound_mutants > MUTANTS / 5);
}

int main(int argc, char **argv) {
    folders = argv + 1;
    folder_count = argc - 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases),      cmocka_unit_test(test_refuses_mistakes),
                                       cmocka_unit_test(test_long_line),  cmocka_unit_test(test_every_text),
                                       cmocka_unit_test(test_comment_in_every_gap), cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
