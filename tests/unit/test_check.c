/* The checker from inside: the whole standard library, questions, functions by name, words,
 * completion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>

#include "compiler/check/checker.h"
#include "tests/unit/check_fixture.h"

static const char *const island =
    "field cottageSpot: place = (-16, 0, 330)\n"
    "fn half(x: meters) meters { x / 2 }\n"
    "fn jitter(x: meters) meters { x + uniform(0 m, 1 m) }\n"
    "fn twice[T](x: T) T { x + x }\n"
    "part land\n"
    "  field ground = heightGrid(cell: 2 m, points: 3, height: p => 1 m)\n"
    "  part walkway: spine.through(points: [(0, 0, 0), (0, 0, 9)])\n"
    "  fn height(here: point) meters { ground.heightAt(here) }\n"
    "  fn curvature(here: point, over: meters) number { 0 }\n"
    "part group\n"
    "  each (k, side) in [(0, -1), (1, 1)] {\n"
    "    let wide = side * 2 m\n"
    "    part lamp[k], at: (wide, 0 m, 0 m)\n"
    "  }\n"
    "part lantern\n"
    "  field tall: meters\n";

static void assert_clean(CheckFixture *f) {
    if (f->diags.items.count == 0) return;
    Str text = diags_render(&f->diags, DIAG_HUMAN, &f->arena);
    fail_msg("%.*s", STR_ARG(text));
}

static void open_world(CheckFixture *f, const char *text) {
    check_fixture_init(f);
    check_fixture_world(f, STR_LIT("w.world"), str_of(text));
    assert_clean(f);
}

static TreeFn *ask(CheckFixture *f, const char *text, int cls) {
    uint32_t file = sources_add(&f->sources, STR_LIT("<ask>"), str_of(text));
    AstNode *ast = parse_expression(&f->arena, &f->symbols, &f->diags, file, (ParseLimits){0});
    assert_non_null(ast);
    return check_question(f->checker, &(CheckAsker){&f->arena, &f->diags}, ast, cls, NULL);
}

static void assert_type(CheckFixture *f, const char *question, const char *type) {
    TreeFn *fn = ask(f, question, 0);
    if (!fn)
        fail_msg("%s: %.*s", question, STR_ARG(diags_render(&f->diags, DIAG_ONE_LINE, &f->arena)));
    assert_string_equal(type_text(f->checker, fn->result), type);
}

static int find_class(CheckFixture *f, const char *name) {
    TreeProgram *program = check_program(f->checker);
    for (int i = 0; i < program->classes.count; i++)
        if (str_equal(program->classes.items[i]->name, str_of(name))) return i;
    fail_msg("no class %s", name);
    return -1;
}

/* Functions are checked when used; here all are. */
static void test_library(void **state) {
    (void)state;
    CheckFixture f;
    open_world(&f, "");
    Checker *c = f.checker;
    c->made_classes = 0; /* it is read as a world reads it, not by a question */
    for (int i = 0; i < c->packages.count; i++)
        for (int k = 0; k < c->packages.items[i]->decls.count; k++) {
            Decl *decl = c->packages.items[i]->decls.items[k];
            bool checked = decl->kind == DECL_CONSTANT ||
                           (decl->kind == DECL_FN && decl_type_params(decl)->count == 0);
            if (checked) fn_check_body(c, fn_instance(c, decl, NULL), decl->span);
            if (decl->kind == DECL_RECORD && decl->ast->record.type_params.count == 0)
                typeexpr_record(c, decl, NULL, decl->span);
            if (decl->kind == DECL_PART) class_activate(c, decl->cls);
        }
    check_drain(c);
    assert_clean(&f);
    check_fixture_fini(&f);
}

static void test_types_of_questions(void **state) {
    (void)state;
    CheckFixture f;
    open_world(&f, island);
    assert_type(&f, "3 m * 2 s", "meters * seconds");
    assert_type(&f, "4.5 m/s^2", "meters/seconds^2");
    assert_type(&f, "1 / 3 s", "1/seconds");
    assert_type(&f, "sqrt(2 m)", "meters^(1/2)");
    assert_type(&f, "7 % 2", "int");
    assert_type(&f, "7 / 2", "number");
    assert_type(&f, "land.walkway.spotAt(3 m) - cottageSpot", "offset");
    assert_type(&f, "(cottageSpot - land.walkway.spotAt(3 m)) / 2 m", "direction");
    assert_type(&f, "land.height", "fn(point) meters");
    assert_type(&f, "[(1, 2, 3)]", "List[point]");
    assert_type(&f, "[(1, true)]", "List[(int, bool)]");
    assert_type(&f, "0 ..< 3", "Range[int]");
    assert_type(&f, "group.lamp[1].at.x", "meters");
    assert_type(&f, "group.lamp.length()", "int");
    assert_type(&f, "[1, 2].map(x => x * 1 m)", "List[meters]");
    assert_type(&f, "[1 m, 3 m].maxBy(x => x)", "meters?");
    assert_type(&f, "curve([(0, 1 m), (1, 2 m)]) - curve([(0, 1 m)])", "curve[meters]");
    assert_type(&f, "if cottageSpot.x > 0 { 1 } else { 2.5 }", "number");
    check_fixture_fini(&f);
}

static void test_question_in_a_member(void **state) {
    (void)state;
    CheckFixture f;
    open_world(&f, island);
    int lamp = find_class(&f, "group.lamp");
    TreeFn *fn = ask(&f, "at.x", lamp);
    assert_non_null(fn);
    assert_ptr_equal(fn->owner, check_program(f.checker)->classes.items[lamp]);
    assert_non_null(ask(&f, "wide", lamp)); /* captured by the line */
    assert_null(ask(&f, "side", lamp));     /* not captured, so gone */
    check_fixture_fini(&f);
}

static void test_functions_by_name(void **state) {
    (void)state;
    CheckFixture f;
    open_world(&f, island);
    const CheckAsker asker = {&f.arena, &f.diags};
    Tree *object = NULL;
    TreeFn *height = check_find_function(f.checker, &asker, STR_LIT("land.height"), &object);
    assert_non_null(height);
    assert_int_equal(object->kind, TREE_CHILD);
    assert_string_equal(check_signature(f.checker, height, &f.arena).ptr,
                        "height(here: point) meters");
    TreeFn *half = check_find_function(f.checker, &asker, STR_LIT("half"), &object);
    assert_non_null(half);
    assert_null(object);
    TreeFn *jitter = check_find_function(f.checker, &asker, STR_LIT("jitter"), &object);
    assert_true(jitter->draws);
    assert_true(jitter->stream_local >= 0);
    assert_non_null(check_find_function(f.checker, &asker, STR_LIT("noise.fbm"), &object));
    assert_non_null(check_find_function(f.checker, &asker, STR_LIT("sin"), &object));
    assert_null(check_find_function(f.checker, &asker, STR_LIT("land.heigth"), &object));
    assert_null(check_find_function(f.checker, &asker, STR_LIT("cottageSpot"), &object));
    assert_null(check_find_function(f.checker, &asker, STR_LIT(""), &object));
    assert_int_equal(f.diags.error_count, 0);
    assert_null(check_find_function(f.checker, &asker, STR_LIT("twice"), &object));
    assert_int_equal(f.diags.error_count, 1);
    check_fixture_fini(&f);
}

static void test_order(void **state) {
    (void)state;
    CheckFixture f;
    open_world(&f, island);
    TreeProgram *program = check_program(f.checker);
    assert_int_equal(check_fixture_misplaced(program), -1);
    assert_true(program->fns.count > 20);
    check_fixture_fini(&f);
}

static void test_completion(void **state) {
    (void)state;
    CheckFixture f;
    open_world(&f, island);
    Str *names;
    int count = check_complete(f.checker, STR_LIT("land.he"), &f.arena, &names);
    assert_int_equal(count, 1);
    assert_string_equal(names[0].ptr, "land.height");
    count = check_complete(f.checker, STR_LIT("land.walkway.spotA"), &f.arena, &names);
    assert_int_equal(count, 1);
    assert_string_equal(names[0].ptr, "land.walkway.spotAt");
    assert_int_equal(check_complete(f.checker, STR_LIT("cottageSpot"), &f.arena, &names), 1);
    assert_true(check_complete(f.checker, STR_LIT("noise."), &f.arena, &names) > 5);
    assert_int_equal(check_complete(f.checker, STR_LIT("nothing.here"), &f.arena, &names), 0);
    int all = check_complete(f.checker, STR_LIT(""), &f.arena, &names);
    for (int i = 1; i < all; i++)
        assert_true(str_compare(names[i - 1], names[i]) < 0);
    check_fixture_fini(&f);
}

/* Two checks of one text print the same. */
static void test_same_twice(void **state) {
    (void)state;
    Str texts[2];
    CheckFixture f[2];
    for (int i = 0; i < 2; i++) {
        open_world(&f[i], island);
        StrBuf out = {.arena = &f[i].arena};
        tree_print(&out, check_program(f[i].checker), (Str){0});
        texts[i] = strbuf_take(&out);
    }
    assert_true(texts[0].len > 1000);
    assert_true(str_equal(texts[0], texts[1]));
    for (int i = 0; i < 2; i++)
        check_fixture_fini(&f[i]);
}

static void test_units(void **state) {
    (void)state;
    const struct {
        const char *text;
        double times, over;
        int length, angle, time;
    } rows[] = {{"m", 1, 1, 6, 0, 0},           {"cm", 1, 100, 6, 0, 0}, {"m/s^2", 1, 1, 6, 0, -12},
                {"km/h", 1000, 3600, 6, 0, -6}, {"Hz", 1, 1, 0, 0, -6},  {"m*m", 1, 1, 12, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        UnitScale scale;
        Dims dims;
        assert_true(unit_find(str_of(rows[i].text), &scale, &dims));
        assert_true(scale.times == rows[i].times && scale.over == rows[i].over);
        assert_int_equal(dims.length, rows[i].length);
        assert_int_equal(dims.angle, rows[i].angle);
        assert_int_equal(dims.time, rows[i].time);
    }
    UnitScale scale;
    Dims dims;
    const char *const wrong[] = {"", "yd", "m/", "/s", "m^", "m^0", "m//s", "ms2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(unit_find(str_of(wrong[i]), &scale, &dims));
}

/* An intrinsic is held against the operation that it names: its letters, and what its objects are.
 */
static void intrinsics_are_their_operations(void **state) {
    (void)state;
    static const struct {
        const char *declared;
        int id; /* 0: it fits */
    } rows[] = {
        {"f(x: number) number = \"sqrt.f\"", 0},
        {"f(x: meters, y: meters) bool = \"lt.f\"", 0},
        {"f(all: List[point]) int = \"list.length\"", 0},
        {"f(over: heightGrid) int = \"grid.rows\"", 0},
        {"f() u32 = \"draw.w\"", 0},
        {"f(x: number) number = \"sqrt\"", DIAG_E_INTRINSIC},
        {"f(x: int) number = \"sqrt.f\"", DIAG_E_INTRINSIC_TYPES},
        {"f(x: number) int = \"sqrt.f\"", DIAG_E_INTRINSIC_TYPES},
        {"f(x: number) = \"sqrt.f\"", DIAG_E_INTRINSIC_TYPES},
        {"f(x: point) number = \"sqrt.f\"", DIAG_E_INTRINSIC_TYPES},
        {"f() number = \"sqrt.f\"", DIAG_E_INTRINSIC_TYPES},
        {"f(over: spine) int = \"grid.rows\"", DIAG_E_INTRINSIC_TYPES},
        {"f(over: heightGrid) int = \"list.length\"", DIAG_E_INTRINSIC_TYPES},
        {"f(a: spine, b: spine) bool = \"eq.r\"", DIAG_E_INTRINSIC_TYPES},
        {"f(x: u32) u32 = \"draw.w\"", DIAG_E_INTRINSIC_TYPES},
        {"f() int = \"const.i\"", DIAG_E_INTRINSIC_TYPES},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CheckFixture f;
        check_fixture_init(&f);
        Str text = str_printf(&f.arena, "intrinsic fn %s\n", rows[i].declared);
        uint32_t file = sources_add(&f.sources, STR_LIT("odd.world"), text);
        f.packages[f.package_count++] = (CheckPackage){
            .name = STR_LIT("odd"),
            .ast = parse_file(&f.arena, &f.symbols, &f.diags, file, (ParseLimits){0})};
        check_fixture_world(&f, STR_LIT("w.world"), STR_LIT("use odd\n"));
        const CheckAsker asker = {&f.arena, &f.diags};
        Tree *object;
        bool found = check_find_function(f.checker, &asker, STR_LIT("odd.f"), &object);
        assert_int_equal(found, rows[i].id == 0);
        int id = f.diags.items.count ? (int)f.diags.items.items[0]->id : 0;
        if (id != rows[i].id || f.diags.items.count > 1)
            fail_msg("%s: %.*s", rows[i].declared,
                     STR_ARG(diags_render(&f.diags, DIAG_ONE_LINE, &f.arena)));
        check_fixture_fini(&f);
    }
}

static Str tree_text(CheckFixture *f, const AstNode *node) {
    StrBuf out = {.arena = &f->arena};
    ast_print_node(&out, node, &f->symbols, 0);
    return strbuf_take(&out);
}

/* The bodies that `file` left unread are those of `whole`; how many there were. */
static int read_late(CheckFixture *f, const AstFile *file, const AstFile *whole) {
    int count = 0;
    assert_int_equal(file->decls.count, whole->decls.count);
    for (int i = 0; i < file->decls.count; i++) {
        const AstNode *late = file->decls.items[i], *now = whole->decls.items[i];
        assert_int_equal(late->kind, now->kind);
        assert_memory_equal(&late->span, &now->span, sizeof late->span);
        if (late->kind != AST_FN || !late->fn.body) continue;
        assert_int_equal(late->fn.body->kind, AST_UNREAD);
        const AstNode *body = parse_body(&f->arena, &f->symbols, &f->diags, late->fn.body->span);
        assert_non_null(body);
        assert_memory_equal(&body->span, &now->fn.body->span, sizeof body->span);
        assert_true(str_equal(tree_text(f, body), tree_text(f, now->fn.body)));
        count++;
    }
    assert_clean(f);
    return count;
}

static const AstFile *parse_late(CheckFixture *f, uint32_t file) {
    return parse_file(&f->arena, &f->symbols, &f->diags, file, (ParseLimits){.skips_bodies = true});
}

static void bodies_are_read_late(void **state) {
    (void)state;
    static const char odd[] = "/// One. }\nprivate fn a(x: int) text { // } {\n  \"}{ \\{ { \"} \\{x}\" } } \\\" }\"\n}\n"
                              "fn b(f: fn(int) int) int { if f(1) / 2 > 0 { { 1 } } else { 2 } } /// }\nfn c() int { 3 }\n"
                              "part d\n  fn e() int { 4 }\nextern fn g() int\n";
    CheckFixture f;
    check_fixture_init(&f);
    uint32_t file = sources_add(&f.sources, STR_LIT("odd.world"), str_of(odd));
    const AstFile *whole = parse_file(&f.arena, &f.symbols, &f.diags, file, (ParseLimits){0});
    assert_int_equal(read_late(&f, parse_late(&f, file), whole), 3);
    int bodies = 0;
    for (int i = 0; i < f.package_count; i++) { /* of packages in one file */
        const AstFile *ast = parse_late(&f, f.packages[i].ast->file);
        if (ast->decls.count == f.packages[i].ast->decls.count) bodies += read_late(&f, ast, f.packages[i].ast);
    }
    assert_true(bodies > 300);
    check_fixture_fini(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_library),
                                       cmocka_unit_test(test_types_of_questions),
                                       cmocka_unit_test(test_question_in_a_member),
                                       cmocka_unit_test(test_functions_by_name),
                                       cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_completion),
                                       cmocka_unit_test(test_same_twice),
                                       cmocka_unit_test(bodies_are_read_late),
                                       cmocka_unit_test(intrinsics_are_their_operations),
                                       cmocka_unit_test(test_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
