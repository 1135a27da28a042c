/* The library's mathematics, exact to 1 ulp and the same bits everywhere, beside SLEEF's of 1 ulp; its noise beside vector C of
 * 1e-13 (land_vector.c). Each at the width of the rival: held to AVX2, and where the processor has it AVX-512. What asking for an
 * empty formula costs is taken off.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <world/world.h>

#include "tests/bench/land.h"
#ifdef HAVE_SLEEF
#include "tests/bench/rival_math.h"
#endif
#include "tests/bench/table.h"

enum { PLACES = 1 << 16, TURNS = 9 };

typedef struct Numbers {
    double *pairs, *x, *y, *out, *theirs;
} Numbers;

typedef struct Ours {
    World *world;
    WorldFunction function;
    const Numbers *numbers;
} Ours;

typedef struct Theirs {
    void (*loop)(const double *x, const double *y, double *out, int n);
    const Numbers *numbers;
} Theirs;

static void run_ours(void *user) {
    Ours *ours = user;
    const Numbers *n = ours->numbers;
    bench_require(world_call_batch(ours->world, ours->function, PLACES, n->pairs, n->out) == WORLD_OK, "a formula of math.world");
}

static void run_theirs(void *user) {
    Theirs *theirs = user;
    theirs->loop(theirs->numbers->x, theirs->numbers->y, theirs->numbers->theirs, PLACES);
}

static double *doubles(size_t count) {
    double *memory = calloc(count, sizeof *memory);
    bench_require(memory != NULL, "memory");
    return memory;
}

static Numbers make_numbers(void) {
    Numbers n = {doubles(2 * PLACES), doubles(PLACES), doubles(PLACES), doubles(PLACES), doubles(PLACES)};
    for (int i = 0; i < PLACES; i++) {
        n.pairs[2 * i] = n.x[i] = 0.001 + 0.0003 * i;
        n.pairs[2 * i + 1] = n.y[i] = 0.4 + 0.00005 * (i * 7919 % PLACES);
    }
    return n;
}

static Ours question(World *world, const char *name, const Numbers *numbers) {
    Ours ours = {.world = world, .numbers = numbers};
    bench_require(world_function(world, name, "fn(number, number) number", &ours.function) == WORLD_OK, name);
    return ours;
}

/* As a share of the answer, or of 1 where it is less. */
static void check(const Numbers *n, double bound, const char *name) {
    double worst = 0;
    for (int i = 0; i < PLACES; i++)
        worst = fmax(worst, fabs(n->out[i] - n->theirs[i]) / fmax(1, fabs(n->theirs[i])));
    bench_require(worst < bound, name);
}

static void row(World *world, const Numbers *numbers, const char *name, const char *what, Theirs theirs, double agree, double goal) {
    Ours empty = question(world, "empty", numbers), ours = question(world, name, numbers);
    BenchSide sides[] = {{run_ours, &empty, 0}, {run_ours, &ours, 0}, {run_theirs, &theirs, 0}};
    theirs.numbers = numbers;
    bench_measure(sides, 3, TURNS, BENCH_CPU);
    run_ours(&ours);
    check(numbers, agree, name);
    double scale = 1e9 / PLACES, own = fmax(0, sides[1].seconds - sides[0].seconds);
    bench_row(&(BenchRow){what, "ns", own * scale, sides[2].seconds * scale, BENCH_RATIO, goal});
}

static void rows(const BenchPlace *place, const char *processor, int lanes) {
    const WorldEngineDesc desc = {.exec = WORLD_EXEC_JIT_ALWAYS, .threads = 1, .processor = processor};
    WorldEngine *engine;
    World *world;
    char path[4096], what[96];
    snprintf(path, sizeof path, "%s", place->programs);
    char *file = strrchr(path, '/');
    snprintf(file + 1, sizeof path - (size_t)(file + 1 - path), "math.world");
    bench_require(world_engine_create(&desc, &engine) == WORLD_OK, "an engine");
    bench_require(world_open_file(engine, path, &(WorldDesc){0}, &world) == WORLD_OK, "math.world");
    Numbers numbers = make_numbers();
#ifdef HAVE_SLEEF
    for (int i = 0; i < SLEEF_ROWS; i++) {
        char name[32];
        const SleefRow *rival = &(lanes == 8 ? sleef_avx512 : sleef_avx2)[i];
        snprintf(name, sizeof name, "%s_", rival->name);
        snprintf(what, sizeof what, "%s, SLEEF of %d bits", rival->name, lanes * 64);
        row(world, &numbers, name, what, (Theirs){.loop = rival->loop}, 1e-13, 2);
    }
#endif
    static const char *const noises[] = {"gradient", "fbm6", "ridged5", "phacelle"};
    static LandNoise *const *const rivals[2][2] = {{land_noises_clang, land_noises}, {land_noises_clang_native, land_noises_native}};
    for (int i = 0; i < 2 * LAND_NOISES; i++) {
        snprintf(what, sizeof what, "%s, vector C of %d bits, by %s", noises[i / 2], lanes * 64, i % 2 ? "gcc" : "clang 19");
        row(world, &numbers, noises[i / 2], what, (Theirs){.loop = rivals[lanes == 8][i % 2][i / 2]}, 1e-9, 1.15);
    }
    free(numbers.pairs), free(numbers.x), free(numbers.y), free(numbers.out), free(numbers.theirs);
    world_close(world);
    world_engine_destroy(engine);
}

void bench_math(const BenchPlace *place) {
    rows(place, "x86-64-v3", 4);
    if (__builtin_cpu_supports("avx512f")) rows(place, NULL, 8);
}
