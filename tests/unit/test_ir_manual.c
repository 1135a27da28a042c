/* compiler/ir/README.md is true: every block of IR in it is read, verified and printed back as it
 * stands, answers what the lines `; @name(arguments) = results` below it say, or is refused with
 * the message it names; and its table of operations is op.def's.
 *
 *     test_ir_manual README [--bless]
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compiler/own/own.h"
#include "tests/support/irrun.h"

static const char *path;
static bool bless;

typedef struct Manual {
    Memory memory;
    Arena arena;
    Str text;
} Manual;

static int set_up(void **state) {
    Manual *m = calloc(1, sizeof *m);
    memory_init(&m->memory, NULL, NULL, 0);
    arena_init(&m->arena, &m->memory);
    StrBuf out = {.arena = &m->arena};
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("cannot read %s", path);
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        strbuf_add(&out, block, n);
    fclose(file);
    m->text = strbuf_take(&out);
    *state = m;
    return 0;
}

static int tear_down(void **state) {
    Manual *m = *state;
    arena_fini(&m->arena);
    free(m);
    return 0;
}

/* Takes the line at the front of the text. */
static Str take_line(Str *text) {
    const char *end = memchr(text->ptr, '\n', text->len);
    Str line = {text->ptr, end ? (size_t)(end - text->ptr) : text->len};
    size_t taken = line.len + (end != NULL);
    *text = (Str){text->ptr + taken, text->len - taken};
    return line;
}

/* -- calls: `; @name(1.5, 2) = 3`, `; @name(0) faults` -- */

static Slot read_slot(char **at, IrType type) {
    while (**at == ' ' || **at == ',')
        ++*at;
    if (type == IR_F) return slot_f(strtod(*at, at));
    if (type == IR_I) return slot_i(strtoll(*at, at, 10));
    if (type == IR_W) return slot_w((uint32_t)strtoul(*at, at, 10));
    if (type == IR_R) {
        assert_memory_equal(*at, "null", 4);
        *at += 4;
        return slot_r(NULL);
    }
    bool is_true = **at == 't';
    *at += is_true ? 4 : 5;
    return slot_b(is_true);
}

static const IrFunc *find_func(const IrModule *module, Str name) {
    for (int i = 0; i < module->funcs.count; i++)
        if (str_equal(module->funcs.items[i]->name, name)) return module->funcs.items[i];
    fail_msg("there is no function %.*s", STR_ARG(name));
    return NULL;
}

static void check_call(IrRun *run, const IrModule *module, char *line) {
    char *at = strchr(line, '(');
    const IrFunc *func = find_func(module, (Str){line + 3, (size_t)(at++ - line - 3)});
    Slot args[16], results[16];
    const Slot *in[16];
    Slot *out[16];
    assert_true(func->params.count <= 16 && func->results.count <= 16);
    for (int i = 0; i < func->params.count; i++) {
        args[i] = read_slot(&at, func->types.items[func->params.items[i]]);
        in[i] = &args[i];
    }
    for (int i = 0; i < func->results.count; i++)
        out[i] = &results[i];
    assert_int_equal(*at++, ')');
    run->rt.fault = (RtFault){0};
    interp_run(run->interp, &run->rt, func->index, 1, 0, in, out);
    bool faults = strcmp(at, " faults") == 0;
    if (rt_failed(&run->rt) != faults) fail_msg("%s: fault %d", line, run->rt.fault.code);
    if (faults) return;
    assert_memory_equal(at, " = ", 3);
    at += 3;
    for (int i = 0; i < func->results.count; i++) {
        Slot wanted = read_slot(&at, func->results.items[i]);
        if (results[i].w != wanted.w) fail_msg("%s: result %d differs", line, i + 1);
    }
    assert_string_equal(at, "");
}

static void check_calls(Arena *arena, const IrModule *module, Str block) {
    IrRun run;
    irrun_init(&run);
    Interp *interp = interp_create(&run.memory, (IrBinding){.module = module}, NULL, NULL);
    irrun_bind(&run, interp);
    while (block.len) {
        Str line = take_line(&block);
        if (str_starts(line, STR_LIT("; @")))
            check_call(&run, module, arena_strndup(arena, line.ptr, line.len));
    }
    interp_destroy(interp);
    irrun_fini(&run);
}

/* -- blocks -- */

/* What the printer would print: no comments, and a blank line only where it puts one. */
static Str without_comments(Arena *arena, Str block) {
    StrBuf out = {.arena = arena};
    while (block.len) {
        Str line = take_line(&block);
        if (line.len == 0 || line.ptr[0] == ';') continue;
        strbuf_str(&out, line);
        strbuf_char(&out, '\n');
    }
    return strbuf_take(&out);
}

static Str printed(Arena *arena, const IrModule *module) {
    StrBuf out = {.arena = arena};
    ir_print_module(&out, module);
    return without_comments(arena, strbuf_take(&out));
}

/* `kind` is what stands after the fence's "ir": "" or " refused: MESSAGE". */
static void check_block(Arena *arena, Str kind, Str block) {
    Str error = {0}, refused = STR_LIT(" refused: ");
    IrModule *module = ir_read_module(arena, block, &error);
    bool good = module && ir_verify(module, arena, &error);
    if (str_starts(kind, refused)) {
        Str wanted = {kind.ptr + refused.len, kind.len - refused.len};
        if (good || !str_ends(error, wanted))
            fail_msg("refused with '%.*s', not '%.*s'", STR_ARG(error), STR_ARG(wanted));
        return;
    }
    if (!good) fail_msg("%.*s in\n%.*s", STR_ARG(error), STR_ARG(block));
    assert_string_equal(printed(arena, module).ptr, without_comments(arena, block).ptr);
    ir_analyze(module, 0);
    own_count(module, 0);
    check_calls(arena, module, block);
}

static void test_blocks(void **state) {
    Manual *m = *state;
    Str text = m->text, fence = STR_LIT("```ir");
    int count = 0;
    while (text.len) {
        Str line = take_line(&text);
        if (!str_starts(line, fence)) continue;
        Str block = {text.ptr, 0};
        while (text.len && !str_starts(text, STR_LIT("```")))
            take_line(&text);
        block.len = (size_t)(text.ptr - block.ptr);
        take_line(&text);
        check_block(&m->arena, (Str){line.ptr + fence.len, line.len - fence.len}, block);
        count++;
    }
    assert_true(count >= 10);
}

/* -- the table of operations, from its heading to the end -- */

/* A bar would end the cell. */
static const char *glsl_cell(Arena *arena, const char *glsl) {
    StrBuf out = {.arena = arena};
    if (*glsl) strbuf_str(&out, STR_LIT("`"));
    for (const char *c = glsl; *c; c++)
        strbuf_printf(&out, *c == '|' ? "\\%c" : "%c", *c);
    if (*glsl) strbuf_str(&out, STR_LIT("`"));
    return out.ptr ? strbuf_take(&out).ptr : "";
}

static Str table(Arena *arena) {
    StrBuf out = {.arena = arena};
    strbuf_str(&out, STR_LIT("| operation | immediates | operands | results | effect | | GLSL |\n"
                             "|---|---|---|---|---|---|---|\n"));
    for (int op = 0; op < IR_OP_COUNT; op++) {
        const IrOpInfo *info = ir_op_info((IrOp)op);
        static const char *const immediates[] = {[IR_IMM_NONE] = "",
                                                 [IR_IMM_BOOL] = "bool",
                                                 [IR_IMM_WORD] = "word",
                                                 [IR_IMM_INT] = "int",
                                                 [IR_IMM_FLOAT] = "double",
                                                 [IR_IMM_TEXT] = "text",
                                                 [IR_IMM_FUNC] = "func",
                                                 [IR_IMM_EXTERN] = "extern",
                                                 [IR_IMM_SLOT] = "offset, width",
                                                 [IR_IMM_SHAPE] = "objects, width",
                                                 [IR_IMM_FIELD] = "field, slot",
                                                 [IR_IMM_INDEX] = "index",
                                                 [IR_IMM_FAULT] = "fault",
                                                 [IR_IMM_CLOSURE] = "func, stream"};
        strbuf_printf(&out, "| `%s` | %s | %s | %s | %s | %s | %s |\n", info->text,
                      immediates[info->imm], info->operands, info->results,
                      ir_effect_names[info->effect], info->doc, glsl_cell(arena, info->glsl));
    }
    return strbuf_take(&out);
}

/* Where the table begins: after the blank line below the sentence that explains its letters. */
static Str before_table(Manual *m) {
    Str rest = m->text;
    while (rest.len && !str_starts(rest, STR_LIT("`x` is any one type")))
        take_line(&rest);
    take_line(&rest);
    take_line(&rest);
    return (Str){m->text.ptr, (size_t)(rest.ptr - m->text.ptr)};
}

static void test_table(void **state) {
    Manual *m = *state;
    Str wanted = table(&m->arena), head = before_table(m);
    if (bless) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fwrite(head.ptr, 1, head.len, file);
        fwrite(wanted.ptr, 1, wanted.len, file);
        assert_int_equal(fclose(file), 0);
        return;
    }
    assert_string_equal(wanted.ptr, m->text.ptr + head.len);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    path = argv[1];
    bless = argc > 2 && strcmp(argv[2], "--bless") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_table, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
