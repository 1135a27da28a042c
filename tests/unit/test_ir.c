/* Reading IR never crashes, whatever the text; facts of functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "compiler/ir/ir.h"
#include "tests/support/irgen.h"

static Memory memory;
static Arena arena;

static int set_up(void **state) {
    (void)state;
    memory_init(&memory, NULL, NULL, 256 << 20);
    arena_init(&arena, &memory);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    arena_fini(&arena);
    return 0;
}

static void read_any(Str text) {
    Str error = {0};
    ArenaMark mark = arena_mark(&arena);
    IrModule *module = ir_read_module(&arena, text, &error);
    if (module == NULL) {
        assert_true(error.len > 0);
    } else if (ir_verify(module, &arena, &error)) {
        ir_analyze(module, 0);
        StrBuf out = {.arena = &arena};
        ir_print_module(&out, module);
    } else {
        assert_true(error.len > 0);
    }
    arena_release(&arena, mark);
}

/* A program that is read and is none: what the verifier says of it. */
static void assert_refused(const char *text, const char *why) {
    Str error = {0};
    IrModule *module = ir_read_module(&arena, str_of(text), &error);
    assert_non_null(module);
    assert_false(ir_verify(module, &arena, &error));
    if (!strstr(error.ptr, why)) fail_msg("%s: %s", text, error.ptr);
}

/* What is read has names of its own; what is made is told. */
static void test_one_name(void **state) {
    (void)state;
    Str error = {0};
    IrModule *module = ir_read_module(&arena, STR_LIT("func @f(%0: F) -> (F) {\n return %0\n}\nfunc @g(%0: F) -> (F) {\n return %0\n}\n"), &error);
    assert_non_null(module);
    assert_true(ir_verify(module, &arena, &error));
    module->funcs.items[1]->name = module->funcs.items[0]->name;
    assert_false(ir_verify(module, &arena, &error));
    assert_non_null(strstr(error.ptr, "another function has this name"));
}

static void test_refused(void **state) {
    (void)state;
    assert_refused("func @f(%0: F) -> (F) {\n %1 = neg.f %0, %0\n return %1\n}\n", "too many operands");
    assert_refused("func @f(%0: F) -> (F) {\n %1 = add.f %0, %0, %0\n return %1\n}\n", "too many operands");
    assert_refused("func @f(%0: I) -> (R) {\n %1 = list.new 2, 1, %0\n return %1\n}\n", "objects past the item's width");
    assert_refused("func @f(%0: R, %1: I) -> (R) {\n %2 = list.append 1, 1, %0, %1\n return %2\n}\n", "slot 0 is not what the shape says");
}

/* Bytes changed, dropped and doubled in texts that are nearly right. */
static void test_broken_texts(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        IrGenProgram *program =
            irgen_create(&arena, (IrGenOptions){.seed = seed, .funcs = 2, .size = 20});
        StrBuf printed = {.arena = &arena};
        ir_print_module(&printed, program->module);
        for (uint64_t round = 0; round < 60; round++) {
            Str text = {arena_strndup(&arena, printed.ptr, printed.len), printed.len};
            char *bytes = (char *)(uintptr_t)text.ptr;
            for (uint64_t change = 0; change <= round % 4; change++) {
                uint64_t bits = irgen_hash(seed * 1000 + round, change);
                size_t at = (size_t)(bits % text.len), from = (size_t)((bits >> 20) % text.len);
                size_t count = (size_t)((bits >> 40) % 12);
                if (bits >> 63)
                    bytes[at] = "%@{}(),:=!\"\\;0 \n"[bits >> 8 & 15];
                else if (at + count < text.len && from + count < text.len)
                    memmove(bytes + at, bytes + from, count);
            }
            if (round % 5 == 0) text.len = (size_t)(irgen_hash(seed, round) % text.len);
            read_any(text);
        }
        arena_fini(&arena);
    }
}

static void test_hostile_texts(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",
        ";",
        "func ",
        "func @",
        "func @f",
        "func @\"",
        "text \"\\x",
        "text \"\\",
        "extern @a(",
        "func @f() -> () {\n  return\n}\nfunc @f() -> () {\n  return\n}\n",
        "func @f() -> (",
        "func @f(%0: F, %0: F) -> () {\n return\n}",
        "func @f(%1: F) -> () {\n return %0\n}",
        "func @f() -> () {\n  %0 = const.f 0x1p99999999999999999999\n  return\n}",
        "func @f() -> () {\n  %0 = const.i 9223372036854775808\n  return\n}",
        "func @f() -> () { %0 = const.w -1 return }",
        "func @f() -> () { list.new 0, 1 return }",
        "func @f() -> () { %0: F = if return }",
        "func @f() -> () { select return }",
        "func @f() -> () { %0 = select return }",
        "text \"a\" func @f() -> () { return }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        read_any(str_of(texts[i]));
}

static void test_deep_nesting(void **state) {
    (void)state;
    StrBuf text = {.arena = &arena};
    strbuf_str(&text, STR_LIT("func @f(%0: B) -> () {\n"));
    for (int i = 0; i < 100000; i++)
        strbuf_str(&text, STR_LIT("if %0 {\n"));
    Str error = {0};
    assert_null(ir_read_module(&arena, strbuf_take(&text), &error));
    assert_string_equal(error.ptr, "line 202: regions nest too deep");
}

static void test_facts(void **state) {
    (void)state;
    Str error = {0};
    IrModule *module = ir_read_module(
        &arena,
        STR_LIT("extern @native(R) -> (F) draws\n"
                "func @pure(%0: F) -> (F) {\n %1 = neg.f %0\n %2 = neg.f %1\n return %2\n}\n"
                "func @calls(%0: F) -> (F) {\n %1: F = call @pure, %0\n return %1\n}\n"
                "func @draws(%0: R) -> (F) {\n %1: F = call.extern @native, %0\n return %1\n}\n"
                "func @reads(%0: R) -> (F) {\n %1: F = field.get 0, 0, %0\n return %1\n}\n"
                "func @makes(%0: I) -> (R) {\n %1 = list.new 0, 1, %0\n return %1\n}\n"),
        &error);
    assert_non_null(module);
    assert_true(ir_verify(module, &arena, &error));
    ir_analyze(module, 0);
    IrFunc **f = module->funcs.items;
    assert_true(f[0]->batchable && f[1]->batchable && !f[2]->batchable && f[3]->batchable &&
                !f[4]->batchable);
    assert_true(!f[1]->draws && f[2]->draws && f[3]->reads_parts && !f[1]->reads_parts &&
                f[4]->allocates);
    assert_int_equal(f[0]->weight, 2);
    assert_int_equal(f[1]->weight, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_broken_texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hostile_texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_deep_nesting, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_facts, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
