/* Machine code and the choice of the executor: operations against the interpreter, the cache on
 * disk, cells, faults, steps, limits, and what happens without the library. The first argument is
 * the path of libworld-jit.
 */
#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/ir_program.h"
#include "tests/support/irrun.h"

static const char *library; /* set by main */

static ExecOptions compile(int level, int width) {
    return (ExecOptions){
        .mode = EXEC_COMPILE, .level = level, .width = width, .jit_library = library};
}

static const ExecOptions interpret = {.mode = EXEC_INTERPRET};

/* -- every operation on numbers -- */

enum { MANY = 260 };

static bool is_plain(const IrOpInfo *info) {
    return info->imm == IR_IMM_NONE && info->operands[0] && info->results[0] &&
           info->results[0] != '?' && strspn(info->operands, "BWIF") == strlen(info->operands);
}

/* One function an operation, named by its text. */
static Str operations_module(Arena *arena) {
    StrBuf text = {.arena = arena};
    for (int op = 0; op < IR_OP_COUNT; op++) {
        const IrOpInfo *info = ir_op_info((IrOp)op);
        if (!is_plain(info)) continue;
        strbuf_printf(&text, "func @%s(%%0: %c", info->text, info->operands[0]);
        if (info->operands[1]) strbuf_printf(&text, ", %%1: %c", info->operands[1]);
        strbuf_printf(&text, ") -> (%c) { %%2 = %s %%0%s return %%2 }\n", info->results[0],
                      info->text, info->operands[1] ? ", %1" : "");
    }
    return strbuf_take(&text);
}

static void fill_operands(const IrOpInfo *info, uint64_t seed, Slot columns[2][MANY]) {
    for (int k = 0; info->operands[k]; k++)
        for (int i = 0; i < MANY; i++)
            columns[k][i] =
                irrun_number(info->operands[k], irgen_hash(seed, (uint64_t)(k * MANY + i)));
    if (strcmp(info->text, "scale.f") == 0) /* exponents beyond every border */
        for (int i = 0; i < MANY; i++)
            columns[1][i] = slot_i((int64_t)(seed * MANY) + i - 2300);
}

static void compare_operation(IrProgram *program, const IrOpInfo *info, Slot expected[][MANY],
                              RtFault *faults, bool first) {
    Slot columns[2][MANY], out[MANY];
    const Slot *in[] = {columns[0], columns[1]};
    IrType type = IR_F;
    ir_type_of_letter(info->results[0], &type);
    for (uint64_t seed = 0; seed < 18; seed++) {
        fill_operands(info, seed, columns);
        Slot *answer = first ? expected[seed] : out;
        ir_program_run(program, ir_program_func(program, info->text), MANY, 0, in, &answer);
        if (first) faults[seed] = program->rt.fault;
        assert_int_equal(program->rt.fault.code, faults[seed].code);
        assert_int_equal(program->rt.fault.element, faults[seed].element);
        for (int i = 0; i < MANY; i++)
            if (!irgen_same(type, answer[i], expected[seed][i]))
                fail_msg("%s(%a %lld, %a %lld): %llx, not %llx", info->text, columns[0][i].f,
                         (long long)columns[0][i].i, columns[1][i].f, (long long)columns[1][i].i,
                         (unsigned long long)answer[i].w, (unsigned long long)expected[seed][i].w);
    }
}

/* How many of the older processors below this one can stand for, and itself. */
static int has_processors(void) {
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") ? 3 : 2;
#else
    return 1;
#endif
}

static void test_operations(void **state) {
    (void)state;
    static Slot expected[IR_OP_COUNT][18][MANY];
    static RtFault faults[IR_OP_COUNT][18];
    static const int shapes[][2] = {{0, 1}, {0, 8}, {2, 1}, {2, 2}, {2, 4}, {2, 8}};
    static const char *const processors[] = {NULL, "x86-64-v2", "x86-64-v3"};
    Memory memory;
    Arena arena;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    IrProgram program;
    ir_program_init(&program, operations_module(&arena));
    for (int round = -1; round < 6 * has_processors(); round++) {
        bool first = round < 0;
        ExecOptions options =
            first ? interpret : compile(shapes[round % 6][0], shapes[round % 6][1]);
        if (!first) options.processor = processors[round / 6];
        ir_program_exec(&program, options);
        for (int op = 0; op < IR_OP_COUNT; op++)
            if (is_plain(ir_op_info((IrOp)op)))
                compare_operation(&program, ir_op_info((IrOp)op), expected[op], faults[op], first);
        if (!first) assert_int_equal(exec_stats(program.exec).refused, 0);
    }
    ir_program_fini(&program);
    arena_fini(&arena);
}

/* -- the cache -- */

static const char cached_program[] =
    "func @twice(%0: F) -> (F) out_of_line { %1 = add.f %0, %0 return %1 }\n"
    "func @pick(%0: F) -> (F) { return %0 }\n"
    "func @main(%0: F, %1: I) -> (F, R) {\n"
    "  %2: F = call @twice, %0\n"
    "  %3 = closure @pick, 0, %2\n"
    "  %4 = null.r\n"
    "  %5: F = call.closure %3, %4\n"
    "  %6 = add.i %1, %1 !1:7:9\n"
    "  %7 = int.to.float %6\n"
    "  %8 = add.f %5, %7\n"
    "  %9 = const.text TEXT\n"
    "  return %8, %9\n"
    "}\n";

/* The program, moved: then its text and its functions have other indices. */
static Str place_cached(Arena *arena, bool moved) {
    const char *at = strstr(cached_program, "TEXT");
    return str_printf(arena, "%stext \"a text\"\n%s%.*s%d%s", moved ? "text \"another\"\n" : "",
                      moved ? "func @other() -> () { return }\n" : "", (int)(at - cached_program),
                      cached_program, moved, at + 4);
}

static ExecStats run_cached(const char *dir, bool moved) {
    IrProgram program;
    Memory memory;
    Arena arena;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    ir_program_init(&program, place_cached(&arena, moved));
    ExecOptions options = compile(1, 4);
    options.cache_dir = dir;
    ir_program_exec(&program, options);
    Slot x = slot_f(3), i = slot_i(4), number, text;
    ir_program_run(&program, ir_program_func(&program, "main"), 1, 0, (const Slot *[]){&x, &i},
                   (Slot *[]){&number, &text});
    assert_true(number.f == 14);
    assert_ptr_equal(text.r, program.binding.texts[moved]);
    i = slot_i(INT64_MAX);
    ir_program_run(&program, ir_program_func(&program, "main"), 1, 0, (const Slot *[]){&x, &i},
                   (Slot *[]){&number, &text});
    assert_int_equal(program.rt.fault.code, RT_FAULT_INT_OVERFLOW);
    assert_int_equal(program.rt.fault.span[1], 7);
    ExecStats stats = exec_stats(program.exec);
    assert_int_equal(stats.refused, 0);
    ir_program_fini(&program);
    arena_fini(&arena);
    return stats;
}

typedef void (*FileFn)(const char *path);

static void cut_short(const char *path) {
    assert_int_equal(truncate(path, 100), 0);
}

static void flip_byte(const char *path) {
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, -9, SEEK_END);
    int byte = fgetc(file);
    fseek(file, -9, SEEK_END);
    fputc(byte ^ 1, file);
    fclose(file);
}

static void remove_file(const char *path) {
    unlink(path);
}

static int for_each_file(const char *dir, FileFn function) {
    DIR *files = opendir(dir);
    int count = 0;
    for (struct dirent *entry; files && (entry = readdir(files));) {
        char path[600];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
        function(path);
        count++;
    }
    closedir(files);
    return count;
}

static void test_cache(void **state) {
    (void)state;
    char dir[] = "/tmp/worldc-test-cache-XXXXXX";
    assert_non_null(mkdtemp(dir));
    ExecStats first = run_cached(dir, false);
    assert_true(first.compiled > 0);
    assert_int_equal(first.from_cache, 0);
    int modules = first.compiled;
    ExecStats again = run_cached(dir, false);
    assert_int_equal(again.compiled, 0);
    assert_int_equal(again.from_cache, modules);
    assert_int_equal(run_cached(dir, true).compiled, 0);
    for_each_file(dir, flip_byte);
    assert_int_equal(run_cached(dir, false).compiled, modules);
    for_each_file(dir, cut_short);
    assert_int_equal(run_cached(dir, false).compiled, modules);
    assert_int_equal(run_cached(dir, false).compiled, 0);
    assert_int_equal(for_each_file(dir, remove_file), modules);
    rmdir(dir);
}

/* -- cells -- */

static RtField test_fields[] = {
    {.name = {"base", 4}, .slot = 0, .slot_count = 1, .slot_types = "F", .init = 0},
    {.name = {"pair", 4}, .slot = 1, .slot_count = 2, .slot_types = "FI", .init = 1},
};
static const RtClass test_class = {.head = {RT_DESIGN},
                                   .name = {"test", 4},
                                   .base = -1,
                                   .fields = test_fields,
                                   .field_count = 2,
                                   .slot_count = 3,
                                   .value_field = -1};
static const RtClass *const test_classes[] = {&test_class};

static const char cell_program[] =
    "func @base(%0: R) -> (F) { %1 = const.f 0x1p1 return %1 }\n"
    "func @pair(%0: R) -> (F, I) {\n"
    "  %1: F = field.get 0, 0, %0  %2 = mul.f %1, %1  %3 = float.to.int %2  return %2, %3 }\n"
    "func @ask(%0: F, %1: B) -> (F, I) {\n"
    "  %2 = part.root\n"
    "  %3 = null.r\n"
    "  %4 = select %1, %2, %3\n"
    "  %5: F, %6: I = field.get 1, 1, %4 !1:5:9\n"
    "  %7: I = field.get 1, 2, %2\n"
    "  %8 = add.f %5, %0\n"
    "  return %8, %7\n"
    "}\n";

/* Asks 100 elements; with `missing`, element 70 asks no part. */
static void ask_cells(ExecOptions options, bool missing) {
    IrProgram program;
    Slot x[100], some[100], sum[100], whole[100];
    ir_program_init(&program, STR_LIT(cell_program));
    program.binding.classes = test_classes;
    ir_program_exec(&program, options);
    program.rt.world = rt_world_create(&program.memory, test_classes, 1);
    for (int i = 0; i < 100; i++) {
        x[i] = slot_f(i);
        some[i] = slot_b(!missing || i != 70);
    }
    for (double base = 2; base < 5; base++) {
        Slot value = slot_f(base);
        program.rt.fault = (RtFault){0};
        rt_cell_set(&program.rt, rt_world_root(program.rt.world), 0, &value);
        ir_program_run(&program, ir_program_func(&program, "ask"), 100, 0,
                       (const Slot *[]){x, some}, (Slot *[]){sum, whole});
        for (int i = 0; i < 100; i++) {
            assert_true(sum[i].f == i + (some[i].w ? base * base : 0));
            assert_int_equal(whole[i].i, (int64_t)(base * base));
        }
        assert_int_equal(program.rt.fault.code, missing ? RT_FAULT_NO_VALUE : RT_FAULT_NONE);
        if (missing) assert_int_equal(program.rt.fault.element, 70);
        if (missing) assert_int_equal(program.rt.fault.span[1], 5);
    }
    rt_world_destroy(program.rt.world);
    ir_program_fini(&program);
}

static void test_cells(void **state) {
    (void)state;
    for (int missing = 0; missing < 2; missing++) {
        ask_cells(interpret, missing);
        ask_cells(compile(0, 4), missing);
        ask_cells(compile(2, 1), missing);
        ask_cells(compile(2, 8), missing);
    }
}

/* -- steps -- */

static const char loop_program[] =
    "func @spin(%0: I) -> (I) {\n"
    "  %1 = const.i 0  %2 = const.i 1\n"
    "  %3: I = for %4 in %1, %0 carry (%5 = %1) { %6 = add.i %5, %2 yield %6 }\n"
    "  return %3\n"
    "}\n";

static void test_steps(void **state) {
    (void)state;
    static const int widths[] = {1, 4, 8};
    for (int w = 0; w < 3; w++) {
        IrProgram program;
        Slot rounds[64], out[64];
        ir_program_init(&program, STR_LIT(loop_program));
        ir_program_exec(&program, compile(2, widths[w]));
        for (int i = 0; i < 64; i++)
            rounds[i] = slot_i(i == 9 ? INT64_MAX : i);
        program.rt.fuel = 100000;
        ir_program_run(&program, 0, 64, 0, (const Slot *[]){rounds}, (Slot *[]){out});
        assert_int_equal(program.rt.fault.code, RT_FAULT_LIMIT);
        assert_int_equal(program.rt.fault.element, 9);
        rt_steps_set(&program.rt, INT64_MAX);
        program.rt.stop = 1;
        ir_program_run(&program, 0, 1, 0, (const Slot *[]){rounds + 9}, (Slot *[]){out});
        assert_int_equal(program.rt.fault.code, RT_FAULT_STOPPED);
        program.rt.stop = 0;
        rounds[9] = slot_i(9);
        ir_program_run(&program, 0, 64, 0, (const Slot *[]){rounds}, (Slot *[]){out});
        assert_int_equal(program.rt.fault.code, RT_FAULT_NONE);
        for (int i = 0; i < 64; i++)
            assert_int_equal(out[i].i, i);
        ir_program_fini(&program);
    }
}

/* A tree of calls without a loop, 2^40 leaves: must be stopped too. */
static void test_call_tree_takes_steps(void **state) {
    (void)state;
    Memory memory;
    Arena arena;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    StrBuf text = {.arena = &arena};
    strbuf_printf(&text, "func @f0(%%0: F) -> (F) { %%1 = sqrt.f %%0 return %%1 }\n");
    for (int i = 1; i <= 40; i++)
        strbuf_printf(&text,
                      "func @f%d(%%0: F) -> (F) { %%1: F = call @f%d, %%0 %%2: F = call @f%d, %%1 "
                      "return %%2 }\n",
                      i, i - 1, i - 1);
    IrProgram program;
    ir_program_init(&program, strbuf_take(&text));
    ir_program_exec(&program, compile(1, 4));
    Slot x[64], out[64];
    for (int i = 0; i < 64; i++)
        x[i] = slot_f(i);
    program.rt.fuel = 1000;
    ir_program_run(&program, 40, 64, 0, (const Slot *[]){x}, (Slot *[]){out});
    assert_int_equal(program.rt.fault.code, RT_FAULT_LIMIT);
    ir_program_fini(&program);
    arena_fini(&arena);
}

/* -- the choice -- */

/* One block of `count` chained operations, each of which uses the parameter, the one before and one
 * long before. */
static Str long_program(Arena *arena, int count) {
    StrBuf text = {.arena = arena};
    strbuf_printf(&text,
                  "func @long(%%0: F, %%1: B) -> (F) { %%2 = const.f 0x1p0\n%%3: F = if %%1 {\n");
    strbuf_printf(&text, "%%4 = add.f %%0, %%2\n");
    for (int i = 5; i < count; i++)
        strbuf_printf(&text, "%%%d = %s %%%d, %%%d\n", i, i % 3 ? "sub.f" : "add.f", i - 1,
                      i < 900 ? 0 : i - 896);
    strbuf_printf(&text, "yield %%%d } else { yield %%2 } return %%3 }\n", count - 1);
    return strbuf_take(&text);
}

/* Blocks that LLVM may have whole, that are cut up, and that are interpreted: the same answers. */
static void test_long_blocks(void **state) {
    (void)state;
    static const int counts[] = {900, 1003, 3000, 9000, 40000};
    for (int k = 0; k < 5; k++) {
        Memory memory;
        Arena arena;
        IrProgram program;
        Slot x[70], side[70], expected[70], out[70];
        const Slot *in[] = {x, side};
        for (int i = 0; i < 70; i++) {
            x[i] = slot_f(i * 0.37 - 3);
            side[i] = slot_b(i % 5 != 0);
        }
        memory_init(&memory, NULL, NULL, 0);
        arena_init(&arena, &memory);
        ir_program_init(&program, long_program(&arena, counts[k]));
        ir_program_exec(&program, interpret);
        ir_program_run(&program, 0, 70, 0, in, (Slot *[]){expected});
        ir_program_exec(&program, compile(2, 4));
        ir_program_run(&program, 0, 70, 0, in, (Slot *[]){out});
        for (int i = 0; i < 70; i++)
            assert_true(irgen_same(IR_F, out[i], expected[i]));
        assert_int_equal(exec_stats(program.exec).refused, counts[k] > 10000);
        ir_program_fini(&program);
        arena_fini(&arena);
    }
}

static const char small_program[] =
    "func @add(%0: F, %1: F) -> (F) { %2 = add.f %0, %1 return %2 }\n";

static void test_policy(void **state) {
    (void)state;
    IrProgram program;
    Slot a[600], b[600], out[600];
    const Slot *in[] = {a, b};
    Slot *results[] = {out};
    for (int i = 0; i < 600; i++)
        a[i] = b[i] = slot_f(i);
    ir_program_init(&program, STR_LIT(small_program));
    ir_program_exec(&program, (ExecOptions){.level = 2, .jit_library = library});
    ir_program_run(&program, 0, 1, 0, in, results);
    ir_program_run(&program, 0, EXEC_BATCH - 1, 0, in, results);
    for (int done = 0; done + 512 < EXEC_WIDE_FROM; done += 512)
        ir_program_run(&program, 0, 512, 0, in, results);
    assert_int_equal(exec_stats(program.exec).compiled, 0);
    ir_program_run(&program, 0, 512, 0, in, results);
    assert_int_equal(exec_stats(program.exec).compiled, 1);
    for (int i = 0; i < EXEC_SCALAR_FROM; i++)
        ir_program_run(&program, 0, 1, 0, in, results);
    assert_int_equal(exec_stats(program.exec).compiled, 2);
    /* Any number of elements, any columns uniform, the same answers. */
    for (int n = 250; n < 600; n += 7)
        for (uint64_t uniform = 0; uniform < 4; uniform++) {
            ir_program_run(&program, 0, n, uniform, in, results);
            for (int i = 0; i < n; i++)
                assert_true(out[i].f == (uniform & 1 ? 0 : i) + (uniform & 2 ? 0 : i));
        }
    ir_program_fini(&program);
}

/* Code that an earlier run left is taken at the first batch, long before it would be compiled. */
static void test_cached_code_is_taken_early(void **state) {
    (void)state;
    char dir[] = "/tmp/worldc-test-early-XXXXXX";
    assert_non_null(mkdtemp(dir));
    Slot a[EXEC_WIDE_FROM] = {{0}}, b[1] = {{.f = 2}}, out[EXEC_WIDE_FROM];
    for (int round = 0; round < 2; round++) {
        IrProgram program;
        ir_program_init(&program, STR_LIT(small_program));
        ir_program_exec(&program,
                        (ExecOptions){.level = 2, .jit_library = library, .cache_dir = dir});
        ir_program_run(&program, 0, EXEC_BATCH, 2, (const Slot *[]){a, b}, (Slot *[]){out});
        assert_int_equal(exec_stats(program.exec).from_cache, round);
        if (round == 0)
            ir_program_run(&program, 0, EXEC_WIDE_FROM, 2, (const Slot *[]){a, b}, (Slot *[]){out});
        assert_int_equal(exec_stats(program.exec).compiled, 1 - round);
        assert_true(out[7].f == 2);
        ir_program_fini(&program);
    }
    for_each_file(dir, remove_file);
    rmdir(dir);
}

/* More forms than are kept, and more columns than bits. */
static void test_many_columns(void **state) {
    (void)state;
    enum { COLUMNS = 70, N = 80 };
    Memory memory;
    Arena arena;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    StrBuf text = {.arena = &arena};
    strbuf_printf(&text, "func @sum(%%0: F");
    for (int i = 1; i < COLUMNS; i++)
        strbuf_printf(&text, ", %%%d: F", i);
    strbuf_printf(&text, ") -> (F) {\n%%%d = add.f %%0, %%1\n", COLUMNS);
    for (int i = 2; i < COLUMNS; i++)
        strbuf_printf(&text, "%%%d = add.f %%%d, %%%d\n", COLUMNS + i - 1, COLUMNS + i - 2, i);
    strbuf_printf(&text, "return %%%d }\n", 2 * COLUMNS - 2);
    IrProgram program;
    ir_program_init(&program, strbuf_take(&text));
    ir_program_exec(&program, compile(1, 4));
    Slot columns[COLUMNS][N], out[N];
    const Slot *in[COLUMNS];
    for (int c = 0; c < COLUMNS; c++) {
        in[c] = columns[c];
        for (int e = 0; e < N; e++)
            columns[c][e] = slot_f(c + e);
    }
    for (int bit = 0; bit < 12; bit++) {
        uint64_t uniform = UINT64_C(1) << (bit * 5);
        ir_program_run(&program, 0, N, uniform, in, (Slot *[]){out});
        for (int e = 0; e < N; e++)
            assert_true(out[e].f == COLUMNS * (COLUMNS - 1) / 2 + e * (COLUMNS - 1));
    }
    assert_true(exec_stats(program.exec).compiled <= 6);
    ir_program_fini(&program);
    arena_fini(&arena);
}

/* Asked once, it loops long: the nest is left for machine code, with a list on its way and a constant, a parameter and
 * a value worked out before it from outside; far on there is a fault. */
static const char long_loop_program[] =
    "func @f(%0: I, %1: I) -> (I, I, F) {\n"
    "  %2 = const.i 0\n"
    "  %3 = const.i 7\n"
    "  %4 = const.f 0x1p-1\n"
    "  %5 = add.i %1, %3\n"
    "  %6 = list.fill 0, 1, %5, %2\n"
    "  %7: R, %8: F = for %9 in %2, %0 carry (%10 = %6, %11 = %4) {\n"
    "    %12: R = for %13 in %2, %3 carry (%14 = %10) {\n"
    "      %15 = add.i %9, %13\n"
    "      %16 = mod.i %15, %5\n"
    "      %17: I = list.get 0, 1, %14, %16\n"
    "      %18 = add.i %17, %15\n"
    "      %19 = list.set 0, 1, %14, %16, %18\n"
    "      yield %19\n"
    "    }\n"
    "    %20 = sub.i %9, %1\n"
    "    %21 = mod.i %9, %20 !1:2:3\n"
    "    %22 = int.to.float %21\n"
    "    %23 = add.f %11, %22\n"
    "    yield %12, %23\n"
    "  }\n"
    "  %24 = list.length %7\n"
    "  %25: I = list.get 0, 1, %7, %3\n"
    "  return %24, %25, %8\n"
    "}\n";

static void test_long_loops(void **state) {
    (void)state;
    static const int64_t fails_at[] = {1000000, 90000, 5}; /* never, in machine code, before */
    for (int i = 0; i < 3; i++) {
        IrProgram program;
        Slot rounds = slot_i(100000), size = slot_i(fails_at[i]), out[2][3];
        int64_t left[2];
        RtFault fault[2];
        ir_program_init(&program, STR_LIT(long_loop_program));
        for (int side = 0; side < 2; side++) {
            ir_program_exec(&program, side ? (ExecOptions){.level = 2, .jit_library = library} : interpret);
            rt_steps_set(&program.rt, INT64_C(1) << 40);
            ir_program_run(&program, 0, 1, 0, (const Slot *[]){&rounds, &size},
                           (Slot *[]){&out[side][0], &out[side][1], &out[side][2]});
            fault[side] = program.rt.fault;
            left[side] = rt_steps_left(&program.rt);
        }
        assert_memory_equal(out[0], out[1], sizeof out[0]);
        assert_int_equal(fault[0].code, fault[1].code);
        assert_int_equal(fault[0].span[1], fault[1].span[1]);
        assert_int_equal(fault[0].code != 0, i > 0);
        assert_true(left[0] == left[1]);
        assert_int_equal(exec_stats(program.exec).compiled, i < 2); /* what failed has ended */
        ir_program_fini(&program);
    }
}

/* Threads that all come upon the function cold, hot and compiled. */
typedef struct Worker {
    IrProgram *program;
    Memory memory;
    bool good;
} Worker;

static void *work(void *user) {
    enum { N = 300 };
    Worker *worker = user;
    Arena arena;
    Rt rt;
    Slot a[N], b[N], out[N];
    const Slot *in[] = {a, b};
    Slot *results[] = {out};
    arena_init(&arena, &worker->memory);
    rt_init(&rt, worker->program->rt.host, worker->program, &arena);
    for (int i = 0; i < N; i++)
        a[i] = b[i] = slot_f(i);
    worker->good = true;
    for (int round = 0; round < 400; round++) {
        uint64_t uniform = (uint64_t)round & 3;
        int n = round % 3 ? N : 1 + round % 9;
        exec_run(worker->program->exec, &rt, 0, n, uniform, in, results);
        for (int i = 0; i < n; i++)
            worker->good &= out[i].f == (uniform & 1 ? 0 : i) + (uniform & 2 ? 0 : i);
    }
    rt_fini(&rt);
    arena_fini(&arena);
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    enum { THREADS = 4 };
    IrProgram program;
    Worker workers[THREADS];
    pthread_t threads[THREADS];
    ir_program_init(&program, STR_LIT(small_program));
    ir_program_exec(&program, (ExecOptions){.level = 1, .jit_library = library});
    for (int i = 0; i < THREADS; i++) {
        workers[i].program = &program;
        memory_init(&workers[i].memory, NULL, NULL, 0);
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(workers[i].good);
    }
    assert_true(exec_stats(program.exec).compiled > 0);
    ir_program_fini(&program);
}

static void test_without_library(void **state) {
    (void)state;
    IrProgram program;
    Slot a = slot_f(1), b = slot_f(2), out;
    ir_program_init(&program, STR_LIT(small_program));
    ExecOptions options = compile(2, 4);
    options.jit_library = "/nowhere/libworld-jit.so";
    ir_program_exec(&program, options);
    ir_program_run(&program, 0, 1, 0, (const Slot *[]){&a, &b}, (Slot *[]){&out});
    assert_true(out.f == 3);
    Str text = exec_describe(program.exec, &program.arena);
    assert_true(str_starts(text, STR_LIT("interpreter; no machine code:")));
    ir_program_exec(&program, interpret);
    assert_true(str_equal(exec_describe(program.exec, &program.arena), STR_LIT("interpreter")));
    ir_program_fini(&program);
}

static void test_out_of_memory(void **state) {
    (void)state;
    IrProgram program;
    Slot a = slot_f(1), b = slot_f(2), out;
    const Slot *in[] = {&a, &b};
    ir_program_init(&program, STR_LIT(small_program));
    ir_program_exec(&program, compile(1, 4));
    for (size_t room = 0; room < 200000; room += 4096) {
        ir_program_exec(&program, compile(1, 4));
        program.memory.limit = atomic_load(&program.memory.used) + room;
        Recover recover;
        if (MEMORY_TRY(&recover)) {
            ir_program_run(&program, 0, 1, 0, in, (Slot *[]){&out});
            assert_true(out.f == 3);
            memory_end_try(&recover);
        }
        program.memory.limit = 0;
    }
    ir_program_fini(&program);
}

static void test_dump(void **state) {
    (void)state;
    IrProgram program;
    Str error;
    ir_program_init(&program, STR_LIT(small_program));
    ir_program_exec(&program, compile(2, 4));
    Str text = exec_dump(program.exec, 0, false, &program.arena, &error);
    assert_non_null(strstr(text.ptr, "fadd <4 x double>"));
    text = exec_dump(program.exec, 0, true, &program.arena, &error);
    assert_true(text.len > 0);
    ir_program_fini(&program);
}

int main(int argc, char **argv) {
    if (argc > 1) library = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_call_tree_takes_steps),
        cmocka_unit_test(test_long_blocks),
        cmocka_unit_test(test_policy),
        cmocka_unit_test(test_many_columns),
        cmocka_unit_test(test_cached_code_is_taken_early),
        cmocka_unit_test(test_without_library),
        cmocka_unit_test(test_long_loops),
        cmocka_unit_test(test_threads),

        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_dump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
