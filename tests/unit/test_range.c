/* The range analysis where answers are known by hand: how tight it is, what conditions tell it,
 * what it decides, and that it ends. That it is right is test_range_sound's. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "compiler/range/range.h"

typedef struct Case {
    Memory memory;
    Arena arena, scratch;
    IrModule *module;
    Ranges *ranges;
} Case;

static void case_init(Case *c, const char *text, RangeInput input) {
    Str error = {0};
    memory_init(&c->memory, NULL, NULL, 0);
    arena_init(&c->arena, &c->memory);
    arena_init(&c->scratch, &c->memory);
    c->module = ir_read_module(&c->arena, str_of(text), &error);
    if (c->module == NULL || !ir_verify(c->module, &c->arena, &error))
        fail_msg("%.*s", STR_ARG(error));
    input.arena = &c->arena;
    input.scratch = &c->scratch;
    input.module = c->module;
    c->ranges = ranges_create(&input);
}

static void case_fini(Case *c) {
    arena_fini(&c->arena);
    arena_fini(&c->scratch);
    assert_int_equal(atomic_load(&c->memory.used), 0);
}

static const double far = INFINITY;

/* The first result of the last function, its F parameters from lo to hi. */
static Range answer_for(Case *c, double lo, double hi) {
    const IrFunc *func = c->module->funcs.items[c->module->funcs.count - 1];
    Range args[8];
    for (int i = 0; i < func->params.count; i++) {
        IrType type = func->types.items[func->params.items[i]];
        args[i] = range_full(type);
        if (type == IR_F) args[i] = (Range){.lo = lo, .hi = hi, .varies = true};
    }
    return ranges_enter(c->ranges, func->index, args)[0];
}

static Range answer_of(const char *text, double lo, double hi) {
    Case c;
    case_init(&c, text, (RangeInput){0});
    Range out = answer_for(&c, lo, hi);
    case_fini(&c);
    return out;
}

static bool near(double a, double b, double size) {
    return a == b || fabs(a - b) < 1e-11 * size;
}

/* From lo to hi, but for a few last bits. */
static void expect(const char *text, double in_lo, double in_hi, double lo, double hi) {
    Range range = answer_of(text, in_lo, in_hi);
    double size = 1 + fmax(isfinite(lo) ? fabs(lo) : 0, isfinite(hi) ? fabs(hi) : 0);
    if (!near(range.lo, lo, size) || !near(range.hi, hi, size))
        fail_msg("%g to %g, expected %g to %g\n%s", range.lo, range.hi, lo, hi, text);
}

#define MIN                                                                                        \
    "func @min(%0: F, %1: F) -> (F) {\n %2 = lt.f %1, %0\n"                                        \
    " %3: F = if %2 { yield %1 } else { yield %0 }\n return %3\n}\n"
#define CLAMP                                                                                      \
    "func @clamp(%0: F, %1: F, %2: F) -> (F) {\n %3 = lt.f %0, %1\n %4: F = if %3 { yield %1 } "   \
    "else {\n"                                                                                     \
    " %5 = lt.f %2, %0\n %6: F = if %5 { yield %2 } else { yield %0 }\n yield %6 }\n return "      \
    "%4\n}\n"
#define SMOOTHSTEP                                                                                 \
    CLAMP                                                                                          \
    "func @smoothstep(%0: F, %1: F, %2: F) -> (F) {\n %3 = sub.f %0, %1\n %4 = sub.f %2, %1\n"     \
    " %5 = div.f %3, %4\n %6 = const.f 0x0p0\n %7 = const.f 0x1p0\n %8: F = call @clamp, %5, "     \
    "%6, %7\n"                                                                                     \
    " %9 = mul.f %8, %8\n %10 = const.f 0x1.8p1\n %11 = const.f 0x1p1\n %12 = mul.f %11, %8\n"     \
    " %13 = sub.f %10, %12\n %14 = mul.f %9, %13\n return %14\n}\n"

static void test_choices(void **state) {
    (void)state;
    expect(
        MIN
        "func @f(%0: F) -> (F) {\n %1 = const.f 0x1p4\n %2: F = call @min, %0, %1\n return %2\n}\n",
        -far, far, -far, 16);
    expect(
        MIN
        "func @f(%0: F) -> (F) {\n %1 = const.f 0x1p4\n %2: F = call @min, %0, %1\n return %2\n}\n",
        3, 20, 3, 16);
    expect(CLAMP "func @f(%0: F) -> (F) {\n %1 = const.f 0x0p0\n %2 = const.f 0x1p4\n"
                 " %3: F = call @clamp, %0, %1, %2\n return %3\n}\n",
           -far, far, 0, 16);
    /* max by select; abs as the library writes it, and as an operation */
    expect("func @f(%0: F) -> (F) {\n %1 = const.f 0x1p1\n %2 = lt.f %0, %1\n %3 = select %2, %1, "
           "%0\n return %3\n}\n",
           -5, 9, 2, 9);
    expect("func @f(%0: F) -> (F) {\n %1 = const.f 0x0p0\n %2 = lt.f %0, %1\n"
           " %3: F = if %2 { %4 = neg.f %0 yield %4 } else { %5 = add.f %0, %1 yield %5 }\n return "
           "%3\n}\n",
           -5, 3, 0, 5);
    expect("func @f(%0: F) -> (F) {\n %1 = abs.f %0\n return %1\n}\n", -5, 3, 0, 5);
}

static void test_shapes(void **state) {
    (void)state;
    expect(SMOOTHSTEP, -far, far, 0, 1);
    /* x * x * x * (x * (x * 6 - 15) + 10) */
    expect("func @fade(%0: F) -> (F) {\n %1 = mul.f %0, %0\n %2 = mul.f %1, %0\n %3 = const.f "
           "0x1.8p2\n"
           " %4 = mul.f %0, %3\n %5 = const.f 0x1.ep3\n %6 = sub.f %4, %5\n %7 = mul.f %0, %6\n"
           " %8 = const.f 0x1.4p3\n %9 = add.f %7, %8\n %10 = mul.f %2, %9\n return %10\n}\n",
           0, 1, 0, 1);
    /* x - x */
    expect("func @f(%0: F) -> (F) {\n %1 = sub.f %0, %0\n return %1\n}\n", -3, 4, 0, 0);
    expect("func @f(%0: F) -> (F) {\n %1 = mul.f %0, %0\n return %1\n}\n", -3, 4, 0, 16);
    expect("func @f(%0: F) -> (F) {\n %1 = mul.f %0, %0\n return %1\n}\n", -far, far, 0, far);
    expect("func @f(%0: F) -> (F) {\n %1 = sqrt.f %0\n return %1\n}\n", 4, 9, 2, 3);
    expect("func @f(%0: F) -> (F) {\n %1 = floor.f %0\n return %1\n}\n", -0.5, 9.5, -1, 9);
    expect("func @f(%0: F) -> (F) {\n %1 = const.f 0x1p0\n %2 = div.f %1, %0\n return %2\n}\n", 2,
           4, 0.25, 0.5);
}

/* Ends that are no number still have numbers between them. */
/* Of degree 1 in each of several values: the ends are at corners. */
static void test_forms(void **state) {
    (void)state;
    const char *either = "func @f(%0: F, %1: F) -> (F) {\n %2 = add.f %0, %1\n %3 = mul.f %0, %1\n"
                         " %4 = sub.f %2, %3\n return %4\n}\n";
    expect(either, 0, 1, 0, 1);
    expect(either, -1, 2, -3, 3);
    expect("func @f(%0: F, %1: F, %2: F) -> (F) {\n %3 = sub.f %1, %0\n %4 = mul.f %3, %2\n"
           " %5 = add.f %4, %0\n return %5\n}\n",
           0, 1, 0, 1);
    /* a value squared is no such form, and five values are too many: the plain bounds hold */
    expect("func @f(%0: F, %1: F) -> (F) {\n %2 = mul.f %0, %1\n %3 = mul.f %2, %0\n %4 = sub.f %3, %1\n"
           " return %4\n}\n",
           0, 1, -1, 1);
    expect("func @f(%0: F, %1: F, %2: F, %3: F, %4: F) -> (F) {\n %5 = mul.f %0, %1\n %6 = mul.f %5, %2\n"
           " %7 = mul.f %6, %3\n %8 = mul.f %7, %4\n %9 = sub.f %8, %0\n return %9\n}\n",
           0, 1, -1, 1);
}

static void test_infinite_ends(void **state) {
    (void)state;
    /* 0 times what may be infinite is no 0 */
    expect("func @f(%0: F) -> (F) {\n %1 = const.f 0x0p0\n %2 = mul.f %0, %1\n return %2\n}\n",
           -far, far, -far, far);
    expect("func @f(%0: F) -> (F) {\n %1 = const.f 0x0p0\n %2 = mul.f %0, %1\n return %2\n}\n",
           -9, 7, 0, 0);
    expect("func @f(%0: F) -> (F) {\n %1 = const.f inf\n %2 = div.f %0, %1\n return %2\n}\n", -far,
           far, 0, 0);
    expect("func @f(%0: F) -> (F) {\n %1 = const.f inf\n %2 = sub.f %0, %1\n return %2\n}\n", -far,
           far, -far, -far);
}

/* a + (b - a) * t with t held to 0 to 1: never past a or b. */
static void test_lerp(void **state) {
    (void)state;
    expect(
        CLAMP
        "func @f(%0: F, %1: F, %9: F) -> (F) {\n %2 = sub.f %1, %0\n %3 = const.f 0x0p0\n %4 = "
        "const.f 0x1p0\n"
        " %5: F = call @clamp, %9, %3, %4\n %6 = mul.f %2, %5\n %7 = add.f %0, %6\n return %7\n}\n",
        -2, 7, -2, 7);
}

static void test_loops(void **state) {
    (void)state;
    /* 1 + 1/2 + 1/4 + 1/8 of what is -1 to 1, round by round */
    expect("func @f(%0: F) -> (F) {\n %1 = const.i 0\n %2 = const.i 4\n %3 = const.f 0x0p0\n %4 = "
           "const.f 0x1p0\n"
           " %5: F, %6: F = for %7 in %1, %2 carry (%8 = %3, %9 = %4) {\n %10 = mul.f %9, %0\n %11 "
           "= add.f %8, %10\n"
           " %12 = const.f 0x1p-1\n %13 = mul.f %9, %12\n yield %11, %13 }\n return %5\n}\n",
           -1, 1, -1.875, 1.875);
    /* 1000 rounds: a sum of squares stays above 0, an amplitude that halves between 0 and 1 */
    expect("func @f(%0: F) -> (F) {\n %1 = const.i 0\n %2 = const.i 1000\n %3 = const.f 0x0p0\n"
           " %4: F = for %5 in %1, %2 carry (%6 = %3) {\n %7 = mul.f %0, %0\n %8 = add.f %6, %7\n "
           "yield %8 }\n"
           " return %4\n}\n",
           -3, 3, 0, far);
    expect("func @f() -> (F) {\n %1 = const.i 0\n %2 = const.i 1000\n %3 = const.f 0x1p0\n"
           " %4: F = for %5 in %1, %2 carry (%6 = %3) {\n %7 = const.f 0x1p-1\n %8 = mul.f %6, "
           "%7\n yield %8 }\n"
           " return %4\n}\n",
           0, 0, 0, 0.5);
    /* the counter */
    expect("func @f() -> (F) {\n %1 = const.i 2\n %2 = const.i 1000\n %3 = const.f 0x1p2\n"
           " %4: F = for %5 in %1, %2 carry (%6 = %3) {\n %7 = int.to.float %5\n yield %7 }\n "
           "return %4\n}\n",
           0, 0, 2, 999);
    /* no round at all */
    expect(
        "func @f(%0: F) -> (F) {\n %1 = const.i 5\n %2 = const.i 5\n"
        " %3: F = for %4 in %1, %2 carry (%5 = %0) { %6 = add.f %5, %5 yield %6 }\n return %3\n}\n",
        1, 2, 1, 2);
}

static void test_conditions(void **state) {
    (void)state;
    /* x > 2 && x < 5, as && becomes: inside, x is 2 to 5 */
    expect(
        "func @f(%0: F) -> (F) {\n %1 = const.f 0x1p1\n %2 = const.f 0x1.4p2\n %3 = lt.f %1, %0\n"
        " %4: B = if %3 { %5 = lt.f %0, %2 yield %5 } else { %6 = const.b false yield %6 }\n"
        " %7: F = if %4 { yield %0 } else { yield %1 }\n return %7\n}\n",
        -far, far, 2, 5);
    /* !(x < 2 || 5 < x) */
    expect("func @f(%0: F) -> (F) {\n %1 = const.f 0x1p1\n %2 = const.f 0x1.4p2\n %3 = lt.f %0, "
           "%1\n %4 = lt.f %2, %0\n"
           " %5 = or.b %3, %4\n %6 = not.b %5\n %7 = select %6, %0, %1\n return %7\n}\n",
           -far, far, 2, 5);
    /* after a fault that x < 0 would be, x is not */
    expect("func @f(%0: F) -> (F) {\n %1 = const.f 0x0p0\n %2 = lt.f %0, %1\n fault.if 511, %2\n "
           "return %0\n}\n",
           -4, 3, 0, 3);
    /* y < x came out false: y is no smaller, unless x is no number, of which nothing follows */
    expect("func @f(%0: F, %1: F) -> (F) {\n %2 = sqrt.f %0\n %3 = const.f 0x1.8p1\n %4 = add.f "
           "%3, %2\n"
           " %5 = lt.f %1, %4\n %6 = select %5, %4, %1\n return %6\n}\n",
           -1, 1, -1, 4);
    /* what a fault ruled out in a loop's body holds only where the body ran */
    expect("func @f(%0: F, %1: I) -> (F) {\n %2 = const.i 0\n %3 = const.f 0x0p0\n %7: F = for %4 "
           "in %2, %1 carry (%6 = %3) {\n"
           " %5 = lt.f %0, %3\n fault.if 511, %5\n yield %6 }\n return %0\n}\n",
           -4, 3, -4, 3);
    /* x == x: what is no number is chosen away */
    Range range = answer_of(
        "func @f(%0: F) -> (F) {\n %1 = const.f 0x0p0\n %2 = div.f %0, %0\n %3 = eq.f %2, %2\n"
        " %4 = select %3, %2, %1\n return %4\n}\n",
        -1, 1);
    assert_false(range.nan);
}

static int judge(const char *text, RangeVerdict **found, Case *c) {
    case_init(c, text, (RangeInput){0});
    ranges_enter(c->ranges, c->module->funcs.count - 1, NULL);
    return ranges_comparisons(c->ranges, &c->arena, found);
}

/* pathDistance(here) < 70, of a distance that is held to 16: always. */
static void test_always(void **state) {
    (void)state;
    Case c;
    RangeVerdict *found;
    int count = judge(
        CLAMP "extern @spine.distance(F) -> (F) reads\n"
              "func @near(%0: F) -> (B) {\n %1: F = call.extern @spine.distance, %0\n %2 = const.f "
              "0x0p0\n"
              " %3 = const.f 0x1p4\n %4: F = call @clamp, %1, %2, %3\n %5 = const.f 0x1.18p6\n"
              " %6 = lt.f %4, %5\n return %6\n}\n",
        &found, &c);
    assert_int_equal(count, 3); /* two of them clamp's own, undecided */
    const RangeVerdict *last = &found[2];
    assert_int_equal(last->func, 1);
    assert_true(last->seen_true && !last->seen_false);
    assert_true(last->left.lo == 0 && last->left.hi == 16 && last->left.varies);
    assert_true(last->right.lo == 70 && last->right.hi == 70 && !last->right.varies);
    assert_true(found[0].seen_true && found[0].seen_false);
    case_fini(&c);
}

/* A comparison that one call decides one way and another call the other way is decided by neither.
 */
static void test_over_all_calls(void **state) {
    (void)state;
    Case c;
    RangeVerdict *found;
    const char *text =
        "func @below(%0: F, %1: F) -> (B) {\n %2 = lt.f %0, %1\n return %2\n}\n"
        "func @f(%0: F) -> (B, B) {\n %1 = const.f 0x0p0\n %2 = abs.f %0\n %3: B = call @below, "
        "%2, %1\n"
        " %4 = neg.f %2\n %5 = const.f 0x1p0\n %6: B = call @below, %4, %5\n return %3, %6\n}\n";
    assert_int_equal(judge(text, &found, &c), 1);
    assert_true(found[0].seen_true && found[0].seen_false);
    case_fini(&c);
}

/* Cells: what worked them out is what they hold; a cell that is read on the way to itself is
 * anything. */
static RangeCell cell_zero(void *user, int func, const IrIns *ins) {
    static const int inits[] = {0, 1};
    (void)user;
    (void)func;
    return (RangeCell){inits, ins->imm.i == 0 ? 2 : 0, 0};
}

static void test_cells(void **state) {
    (void)state;
    Case c;
    case_init(&c,
              "func @a(%0: R) -> (F) {\n %1 = const.f 0x1p1\n return %1\n}\n"
              "func @b(%0: R) -> (F) {\n %1 = const.f 0x1p2\n return %1\n}\n"
              "func @f(%0: R) -> (F) {\n %1: F = field.get 0, 0, %0\n return %1\n}\n",
              (RangeInput){.cell = cell_zero});
    Range range = answer_for(&c, 0, 0);
    assert_true(range.lo == 2 && range.hi == 4 && !range.varies);
    case_fini(&c);
    case_init(&c,
              "func @a(%0: R) -> (F) {\n %1: F = field.get 0, 0, %0\n return %1\n}\n"
              "func @b(%0: R) -> (F) {\n %1: F = field.get 0, 0, %0\n return %1\n}\n",
              (RangeInput){.cell = cell_zero});
    range = answer_for(&c, 0, 0);
    assert_true(range.lo == -far && range.hi == far);
    case_fini(&c);
}

/* -- it ends -- */

static Str nested(Arena *arena, int depth, const char *head) {
    StrBuf out = {.arena = arena};
    int value = 4;
    strbuf_printf(&out, "func @f(%%0: F, %%1: I, %%2: I, %%3: B) -> (F) {\n");
    for (int i = 0; i < depth; i++) {
        if (head[0] == 'f')
            strbuf_printf(&out, "%%%d: F = for %%%d in %%1, %%2 carry (%%%d = %%0) {\n", value,
                          value + 1, value + 2);
        else
            strbuf_printf(&out, "%%%d: F = if %%3 {\n", value);
        value += 3;
    }
    strbuf_printf(&out, "%%%d = add.f %%0, %%0\n", value);
    for (int i = depth - 1; i >= 0; i--) {
        int inner = i == depth - 1 ? value : 4 + 3 * (i + 1);
        strbuf_printf(&out, head[0] == 'f' ? "yield %%%d }\n" : "yield %%%d } else { yield %%0 }\n",
                      inner);
    }
    strbuf_printf(&out, "return %%4\n}\n");
    return strbuf_take(&out);
}

static void test_deep_nests_end(void **state) {
    (void)state;
    static const char *const heads[] = {"for", "if"};
    for (int i = 0; i < 2; i++) {
        Case c;
        Arena arena;
        case_init(&c, "func @g() -> () {\n return\n}\n", (RangeInput){0});
        arena_init(&arena, &c.memory);
        Str text = nested(&arena, 190, heads[i]);
        Str error = {0};
        c.module = ir_read_module(&arena, text, &error);
        if (c.module == NULL) fail_msg("%.*s", STR_ARG(error));
        RangeInput input = {
            .arena = &c.arena, .scratch = &c.scratch, .module = c.module, .steps = 20000};
        c.ranges = ranges_create(&input);
        Range range = answer_for(&c, 1, 2);
        assert_true(range.lo <= 1 && range.hi >= 4);
        arena_fini(&arena);
        case_fini(&c);
    }
}

/* Twenty functions, each calling the one before twice with other numbers: 2^20 calls if all were
 * walked. */
static void test_doubling_calls_end(void **state) {
    (void)state;
    Case c;
    Arena arena;
    case_init(&c, "func @g() -> () {\n return\n}\n", (RangeInput){0});
    arena_init(&arena, &c.memory);
    StrBuf out = {.arena = &arena};
    strbuf_printf(&out, "func @f0(%%0: F) -> (F) {\n return %%0\n}\n");
    for (int i = 1; i <= 20; i++)
        strbuf_printf(&out,
                      "func @f%d(%%0: F) -> (F) {\n %%1 = const.f 0x1p%d\n %%2 = add.f %%0, %%1\n"
                      " %%3: F = call @f%d, %%2\n %%4: F = call @f%d, %%0\n %%5 = add.f %%3, %%4\n "
                      "return %%5\n}\n",
                      i, i, i - 1, i - 1);
    Str error = {0};
    c.module = ir_read_module(&arena, strbuf_take(&out), &error);
    if (c.module == NULL) fail_msg("%.*s", STR_ARG(error));
    RangeInput input = {.arena = &c.arena, .scratch = &c.scratch, .module = c.module};
    c.ranges = ranges_create(&input);
    answer_for(&c, 0, 1);
    arena_fini(&arena);
    case_fini(&c);
}

/* Too few steps: no verdicts on what was not looked at, and no claims. */
static void test_spent(void **state) {
    (void)state;
    Case c;
    RangeVerdict *found;
    case_init(&c,
              "func @g(%0: F) -> (B) {\n %1 = abs.f %0\n %2 = const.f -0x1p0\n %3 = lt.f %2, %1\n "
              "return %3\n}\n"
              "func @f(%0: F) -> (B) {\n %1: B = call @g, %0\n return %1\n}\n",
              (RangeInput){.steps = 1});
    Range range = answer_for(&c, 0, 1);
    assert_true(range.least == 0 && range.most == 1);
    assert_int_equal(ranges_comparisons(c.ranges, &c.arena, &found), 0);
    case_fini(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_infinite_ends),
        cmocka_unit_test(test_lerp),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_always),
        cmocka_unit_test(test_over_all_calls),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_deep_nests_end),
        cmocka_unit_test(test_doubling_calls_end),
        cmocka_unit_test(test_spent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
