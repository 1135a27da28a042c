/* Kernel time of a noise-like function: machine code at every level and width, the interpreter, and
 * the same function in C (bench_jit_c.c, compiled with -O3 -march=haswell). Prints nanoseconds a
 * point and what compiling cost; checks that all give the same bits. Not a test: times depend on
 * the machine.
 *
 *   bench_jit [libworld-jit.so]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "compiler/exec/entry.h"
#include "compiler/exec/library.h"
#include "compiler/interp/interp.h"
#include "tests/bench/bench_jit.h"

enum { POINTS = 256, REPEATS = 400 };

/* Value noise: corners hashed, blended by 6t^5 - 15t^4 + 10t^3; five octaves summed. */
static const char program[] =
    "func @fade(%0: F) -> (F) {\n"
    "  %1 = const.f 0x1.8p2  %2 = const.f 0x1.ep3  %3 = const.f 0x1.4p3\n"
    "  %4 = mul.f %0, %1  %5 = sub.f %4, %2  %6 = mul.f %0, %5  %7 = add.f %6, %3\n"
    "  %8 = mul.f %0, %0  %9 = mul.f %8, %0  %10 = mul.f %9, %7\n"
    "  return %10\n"
    "}\n"
    "func @corner(%0: W, %1: W, %2: W) -> (F) {\n"
    "  %3 = const.w 2246822519  %4 = const.w 3266489917  %5 = const.w 668265263  %6 = const.w 15\n"
    "  %7 = mul.w %0, %3  %8 = mul.w %1, %4  %9 = xor.w %7, %8  %10 = xor.w %9, %2\n"
    "  %11 = shr.w %10, %6  %12 = xor.w %10, %11  %13 = mul.w %12, %5  %14 = shr.w %13, %6\n"
    "  %15 = xor.w %13, %14  %16 = word.to.float %15  %17 = const.f 0x1p-31  %18 = mul.f %16, %17\n"
    "  %19 = const.f 0x1p0  %20 = sub.f %18, %19\n"
    "  return %20\n"
    "}\n"
    "func @noise(%0: F, %1: F, %2: W) -> (F) LINE {\n"
    "  %3 = floor.f %0  %4 = floor.f %1  %5 = sub.f %0, %3  %6 = sub.f %1, %4\n"
    "  %7 = float.to.int %3  %8 = float.to.int %4  %9 = int.to.word %7  %10 = int.to.word %8\n"
    "  %11 = const.w 1  %12 = add.w %9, %11  %13 = add.w %10, %11\n"
    "  %14: F = call @corner, %9, %10, %2  %15: F = call @corner, %12, %10, %2\n"
    "  %16: F = call @corner, %9, %13, %2  %17: F = call @corner, %12, %13, %2\n"
    "  %18: F = call @fade, %5  %19: F = call @fade, %6\n"
    "  %20 = sub.f %15, %14  %21 = mul.f %20, %18  %22 = add.f %14, %21\n"
    "  %23 = sub.f %17, %16  %24 = mul.f %23, %18  %25 = add.f %16, %24\n"
    "  %26 = sub.f %25, %22  %27 = mul.f %26, %19  %28 = add.f %22, %27\n"
    "  return %28\n"
    "}\n"
    "func @land(%0: F, %1: F, %2: W) -> (F) {\n"
    "  %3 = const.i 0  %4 = const.i 5  %5 = const.f 0x1p0  %6 = const.f 0x0p0\n"
    "  %7: F, %8: F, %9: F = for %10 in %3, %4 carry (%11 = %6, %12 = %5, %13 = %5) {\n"
    "    %14 = mul.f %0, %12  %15 = mul.f %1, %12  %16 = int.to.word %10  %17 = add.w %2, %16\n"
    "    %18: F = call @noise, %14, %15, %17  %19 = mul.f %18, %13  %20 = add.f %11, %19\n"
    "    %21 = const.f 0x1.0cccccccccccdp1  %22 = const.f 0x1p-1\n"
    "    %23 = mul.f %12, %21  %24 = mul.f %13, %22\n"
    "    yield %20, %23, %24\n"
    "  }\n"
    "  %25 = const.f 0x0p0  %26 = lt.f %7, %25\n"
    "  %27: F = if %26 { %28 = mul.f %7, %7 %29 = neg.f %28 yield %29 }\n"
    "  else { %30 = sqrt.f %7 %31: F = call @fade, %30 yield %31 }\n"
    "  return %27\n"
    "}\n";

typedef struct Bench {
    Memory memory;
    Arena arena;
    IrBinding binding;
    int func;
    const Slot *in[3];
    Slot *out[1], expected[POINTS];
    Rt rt;
} Bench;

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The program with `noise` inlined at will or kept a call. */
static const IrModule *read_program(Arena *arena, const char *line) {
    Str error;
    const char *at = strstr(program, "LINE");
    Str text = str_printf(arena, "%.*s%s%s", (int)(at - program), program, line, at + 4);
    IrModule *module = ir_read_module(arena, text, &error);
    if (!module || !ir_verify(module, arena, &error)) {
        fprintf(stderr, "%.*s\n", STR_ARG(error));
        exit(1);
    }
    ir_analyze(module, 0);
    return module;
}

static void bench_init(Bench *b, const char *line) {
    memory_init(&b->memory, NULL, NULL, 0);
    arena_init(&b->arena, &b->memory);
    b->binding.module = read_program(&b->arena, line);
    b->func = b->binding.module->funcs.count - 1;
    Slot *x = ARENA_ARRAY(&b->arena, Slot, POINTS), *z = ARENA_ARRAY(&b->arena, Slot, POINTS);
    Slot *seed = ARENA_NEW(&b->arena, Slot);
    b->out[0] = ARENA_ARRAY(&b->arena, Slot, POINTS);
    for (int i = 0; i < POINTS; i++) {
        x[i].f = i * 0.37 - 40.0;
        z[i].f = i * 0.011 + 3.0;
    }
    seed->w = 77;
    b->in[0] = x;
    b->in[1] = z;
    b->in[2] = seed;
    rt_init(&b->rt, NULL, NULL, &b->arena);
}

static void bench_fini(Bench *b) {
    rt_fini(&b->rt);
    arena_fini(&b->arena);
}

typedef void (*RunFn)(Bench *b, void *user);

/* The fastest of some repeats, in nanoseconds a point; and the answers against the first ones. */
static double measure(Bench *b, RunFn run, void *user) {
    double best = 1e30;
    for (int i = 0; i < REPEATS; i++) {
        double begin = now_ns();
        run(b, user);
        double time = (now_ns() - begin) / POINTS;
        if (time < best) best = time;
    }
    return best;
}

static const char *compare(Bench *b) {
    return memcmp(b->out[0], b->expected, sizeof b->expected) == 0 ? "" : "  OTHER BITS";
}

static void run_kernel(Bench *b, void *user) {
    RtKernel kernel;
    memcpy(&kernel, user, sizeof kernel);
    kernel(&b->rt, POINTS, 4, b->in, b->out);
}

static void run_interp(Bench *b, void *user) {
    interp_run(user, &b->rt, b->func, POINTS, 4, b->in, b->out);
}

static void run_c(Bench *b, void *user) {
    (void)user;
    bench_jit_land_c(POINTS, &b->in[0]->f, &b->in[1]->f, (uint32_t)b->in[2]->w, &b->out[0]->f);
}

static void bench_machine_code(Bench *b, const JitApi *api, int level, int width,
                               const char *processor) {
    JitOptions options = {
        .level = level, .width = width, .processor = processor, .entries = entry_table};
    Str error = {0};
    Jit *jit = api->create(&b->memory, &b->arena, &options, b->binding, &error);
    RtKernel kernel = NULL;
    double begin = now_ns();
    if (jit) kernel = api->kernel(jit, b->func, (JitForm){true, 4}, false, &b->arena, &error);
    double wait = (now_ns() - begin) * 1e-6;
    if (!kernel) {
        printf("%.*s\n", STR_ARG(error));
        return;
    }
    JitStats stats = api->stats(jit);
    double time = measure(b, run_kernel, &kernel);
    printf("level %d, %d lanes  %7.1f ns   in %5.1f ms: emit %.1f, optimize %.1f, codegen %.1f, "
           "link %.1f%s %s\n",
           level, width, time, wait, stats.emit_ms, stats.optimize_ms, stats.codegen_ms,
           stats.load_ms, compare(b), processor ? processor : "");
    api->destroy(jit);
}

static void bench_program(const JitApi *api, const char *line) {
    static const int widths[] = {1, 4, 8};
    Bench b = {0};
    bench_init(&b, line);
    printf("noise %s\n", line[0] ? "out of line" : "inlined at will");
    printf("C, -O3 haswell    %7.1f ns\n", measure(&b, run_c, NULL));
    memcpy(b.expected, b.out[0], sizeof b.expected);
    Interp *interp = interp_create(&b.memory, b.binding, NULL, NULL);
    double time = measure(&b, run_interp, interp);
    printf("interpreter       %7.1f ns%s\n", time, compare(&b));
    interp_destroy(interp);
    for (int level = 0; level <= 3; level++)
        for (int i = 0; i < 3; i++)
            bench_machine_code(&b, api, level, widths[i], NULL);
    bench_machine_code(&b, api, 2, 4, "x86-64-v3");
    bench_machine_code(&b, api, 2, 8, "x86-64-v3");
    bench_fini(&b);
}

int main(int argc, char **argv) {
    Memory memory;
    Arena arena;
    Str error;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    const JitApi *api = library_open(argc > 1 ? argv[1] : NULL, &arena, &error);
    if (!api) {
        printf("%.*s\n", STR_ARG(error));
        return 1;
    }
    bench_program(api, "");
    bench_program(api, "out_of_line");
    arena_fini(&arena);
    return 0;
}
