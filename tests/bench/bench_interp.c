/* Nanoseconds a point of a function (F, F) -> (F) of an .ir file, interpreted: bench_interp FILE
 * FUNCTION [LEVEL] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "compiler/interp/interp.h"
#include "compiler/opt/opt.h"

enum { SIDE = 512 };

static void host_run(Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in,
                     Slot *const *out) {
    interp_run(rt->engine, rt, func, n, uniform, in, out);
}

static Str read_file(Arena *arena, const char *path) {
    StrBuf text = {.arena = arena};
    char buffer[4096];
    FILE *file = fopen(path, "rb");
    for (size_t count; file && (count = fread(buffer, 1, sizeof buffer, file)) > 0;)
        strbuf_add(&text, buffer, count);
    if (file) fclose(file);
    return strbuf_take(&text);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int find_func(const IrModule *module, Str name) {
    for (int i = 0; i < module->funcs.count; i++)
        if (str_equal(module->funcs.items[i]->name, name)) return i;
    return -1;
}

/* The best of fifteen runs over a grid of points, a row of RT_CHUNK at a time. */
static double measure(const Interp *interp, Rt *rt, int func, double *sum) {
    static Slot x[SIDE], z[SIDE], out[SIDE];
    double best = 1e9;
    for (int round = 0; round < 15; round++) {
        double start = seconds();
        for (int j = 0; j < SIDE; j++) {
            for (int i = 0; i < SIDE; i++)
                x[i] = slot_f(i * 4.0 - 1024), z[i] = slot_f(j * 4.0 - 1024);
            interp_run(interp, rt, func, SIDE, 0, (const Slot *const[]){x, z},
                       (Slot *const[]){out});
            for (int i = 0; i < SIDE; i++)
                *sum += out[i].f;
        }
        double spent = seconds() - start;
        if (spent < best) best = spent;
    }
    return best / (SIDE * SIDE) * 1e9;
}

int main(int argc, char **argv) {
    static const RtHost host = {.run = host_run};
    Memory memory;
    Arena arena;
    Str error = {0};
    Rt rt;
    if (argc < 3) return 2;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    IrModule *module = ir_read_module(&arena, read_file(&arena, argv[1]), &error);
    if (module == NULL || !ir_verify(module, &arena, &error)) {
        fprintf(stderr, "%.*s\n", STR_ARG(error));
        return 1;
    }
    opt_run(module, &arena, &(OptPlan){.level = argc > 3 ? atoi(argv[3]) : 0});
    ir_analyze(module, 0);
    int func = find_func(module, str_of(argv[2]));
    if (func < 0) return 2;
    Interp *interp = interp_create(&memory, (IrBinding){.module = module}, NULL, NULL);
    rt_init(&rt, &host, interp, &arena);
    double sum = 0, batch = measure(interp, &rt, func, &sum);
    printf("%s: %.1f ns a point (checksum %.6f)\n", argv[2], batch, sum);
    rt_fini(&rt);
    interp_destroy(interp);
    arena_fini(&arena);
    return 0;
}
