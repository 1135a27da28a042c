/* Fuzzing: any bytes under any of the names are ground or a fault that says why, within their limits. The first byte chooses the
 * name and the arguments. With -Dfuzz=true and clang a libFuzzer target; else a program that runs the files it is given.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/measured/measured.h"

enum { MEMORY_LIMIT = 512 << 20, MOST_SAMPLES = 1 << 18 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void demand(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "fuzz_heights: %s\n", what);
    abort();
}

static bool go_on(Rt *rt) {
    (void)rt;
    return false;
}

static void try_file(Arena *arena, uint8_t choice, Str bytes) {
    static const char *const names[] = {"a.tif", "a.asc", "N46E007.hgt", "a.r16", "a.r32", "a.png", "a.exr", "a.tif"};
    RtHost host = {.poll = go_on, .limits.grid_samples = MOST_SAMPLES};
    Rt rt;
    rt_init(&rt, &host, NULL, arena);
    MeasuredDesc desc = {.holes = (MeasuredHoles)(choice >> 3 & 1 ? MEASURED_FILL : MEASURED_OUTSIDE)};
    if (choice & 16) desc.cell = (Maybe){true, 20};
    if (choice & 32) desc.spacing = (Maybe){true, 10}, desc.low = (Maybe){true, 0}, desc.high = (Maybe){true, 100};
    if (choice & 64) desc.plane = MEASURED_DEGREES;
    const RtGrid *grid = measured_read(&rt, str_of(names[choice & 7]), bytes, &desc);
    demand(grid || rt_failed(&rt), "neither ground nor a fault");
    demand(grid || rt.fault.detail.len, "refused without a message");
    for (int64_t i = 0; grid && !rt_failed(&rt) && i < (int64_t)grid->columns * grid->rows; i++)
        demand(isfinite(grid->heights[i]), "a height that is no number");
    rt_fini(&rt);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    Memory memory;
    Arena arena;
    Recover recover;
    memory_init(&memory, NULL, NULL, MEMORY_LIMIT);
    arena_init(&arena, &memory);
    if (count && MEMORY_TRY(&recover)) {
        try_file(&arena, bytes[0], (Str){(const char *)bytes + 1, count - 1});
        memory_end_try(&recover);
    }
    arena_fini(&arena);
    return 0;
}

#ifndef WORLD_LIBFUZZER
static void run_file(const char *path) {
    static uint8_t bytes[1 << 24];
    FILE *file = fopen(path, "rb");
    if (file == NULL) return;
    size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, count);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        run_file(argv[i]);
    return 0;
}
#endif
