/* Water over lands: a step of erosion against C that does the same over whole arrays; filling, ways and what gathers, with the figures of others as goals. */
#include <stdlib.h>
#include <string.h>

#include "runtime/terrain/drain.h"
#include "runtime/terrain/erode.h"
#include "runtime/terrain/uplift.h"
#include "tests/bench/table.h"
#include "tests/bench/water.h"

enum { TURNS = 5, SIDE = 1024, STEPS = 4 };

static bool never(Rt *rt) {
    (void)rt;
    return false;
}

typedef struct Place {
    Memory memory;
    Arena arena;
    Rt rt;
    Erosion erosion;
    WaterLand hand;
    void (*by_hand)(WaterLand *);
    Land land;
    float *levels;
} Place;

static void open_rt(Place *place, int threads) {
    static const RtHost host = {.poll = never};
    memory_init(&place->memory, NULL, NULL, 0);
    arena_init(&place->arena, &place->memory);
    rt_init(&place->rt, &host, NULL, &place->arena);
    rt_steps_set(&place->rt, INT64_MAX);
    place->rt.threads = threads;
}

static void close_rt(Place *place) {
    rt_fini(&place->rt);
    arena_fini(&place->arena);
}

static double lattice(int i, int j) {
    uint32_t h = (uint32_t)i * 374761393u + (uint32_t)j * 668265263u;
    h = (h ^ h >> 13) * 1274126177u;
    return (double)((h ^ h >> 16) & 0xffffff) / 0x1000000;
}

/* Nine octaves of value noise: rough, with lakes. */
static float *rough(int n) {
    float *heights = calloc((size_t)n * (size_t)n, sizeof *heights);
    bench_require(heights != NULL, "memory");
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double sum = 0, size = n / 4.0, tall = 300;
            for (int k = 0; k < 9; k++, size /= 2, tall /= 2) {
                double x = i / size + 17 * k, z = j / size;
                int a = (int)x, b = (int)z;
                double u = (x - a) * (x - a) * (3 - 2 * (x - a)), v = (z - b) * (z - b) * (3 - 2 * (z - b));
                sum += tall * ((lattice(a, b) * (1 - u) + lattice(a + 1, b) * u) * (1 - v) + (lattice(a, b + 1) * (1 - u) + lattice(a + 1, b + 1) * u) * v);
            }
            heights[j * n + i] = (float)sum;
        }
    return heights;
}

static const ErodeSpec spec = {.pipe = 0.15, .rain = 0.012, .evaporation = 0.03, .capacity = 0.35, .deep = 1.5, .dissolve = 0.3, .settle = 0.25, .talus = 0.78, .slide = 0.08};

static void ours(void *user) {
    Place *place = user;
    erosion_run(&place->rt, &place->erosion, &spec, STEPS);
}

static void by_hand(void *user) {
    Place *place = user;
    for (int k = 0; k < STEPS; k++)
        place->by_hand(&place->hand);
}

static void open_hand(Place *place, const float *heights, void (*step)(WaterLand *)) {
    size_t all = SIDE * SIDE;
    double *deep = calloc(3 * all, sizeof *deep);
    float *flat = calloc(7 * all, sizeof *flat);
    bench_require(deep && flat, "memory");
    place->hand = (WaterLand){SIDE, deep, deep + all, deep + 2 * all, flat, flat + all, flat + 2 * all, flat + 3 * all, flat + 4 * all, flat + 5 * all, flat + 6 * all};
    for (size_t k = 0; k < all; k++)
        deep[k] = (double)heights[k];
    place->by_hand = step;
}

static void erosion_rows(void) {
    float *heights = rough(SIDE);
    Place one = {0}, two = {0}, gcc = {0}, clang = {0};
    open_rt(&one, 1);
    open_rt(&two, 2);
    erosion_init(&one.rt, &one.erosion, SIDE, SIDE, 4, heights, NULL);
    erosion_init(&two.rt, &two.erosion, SIDE, SIDE, 4, heights, NULL);
    open_hand(&gcc, heights, water_step_gcc);
    open_hand(&clang, heights, water_step_clang);
    BenchSide sides[] = {{ours, &one, 0}, {by_hand, &gcc, 0}, {by_hand, &clang, 0}}, wall = {ours, &two, 0};
    bench_measure(sides, 3, TURNS, BENCH_CPU);
    bench_measure(&wall, 1, TURNS, BENCH_WALL);
    for (int k = 0; k < SIDE * SIDE; k++)
        bench_require(one.erosion.ground[k] == gcc.hand.ground[k] && gcc.hand.ground[k] == clang.hand.ground[k], "the same ground as by hand");
    double a = sides[0].seconds * 1e3 / STEPS;
    bench_row(&(BenchRow){"erosion, a step of 1024^2, one thread, against C by gcc", "ms", a, sides[1].seconds * 1e3 / STEPS, BENCH_RATIO, 1});
    bench_row(&(BenchRow){"erosion, a step of 1024^2, one thread, against C by clang 19", "ms", a, sides[2].seconds * 1e3 / STEPS, BENCH_RATIO, 1});
    bench_row(&(BenchRow){"erosion, a step of 1024^2, two threads, by the clock", "ms", wall.seconds * 1e3 / STEPS, 0, BENCH_TIME, 13});
    free(gcc.hand.ground), free(gcc.hand.east), free(clang.hand.ground), free(clang.hand.east), free(heights);
    close_rt(&one);
    close_rt(&two);
}

static void drain_once(void *user) {
    Place *place = user;
    RtScratchMark mark = rt_scratch_mark(&place->rt);
    Drainage drainage;
    drain_init(&place->rt, &drainage, &place->land, NULL);
    rt_scratch_pop(&place->rt, mark);
}

static void drain_row(const char *what, int n, int turns, double goal) {
    Place place = {0};
    open_rt(&place, 1);
    float *heights = rough(n);
    place.land = (Land){.columns = n, .rows = n, .cell = 4, .heights = heights};
    BenchSide side = {drain_once, &place, 0};
    bench_measure(&side, 1, turns, BENCH_CPU);
    bench_row(&(BenchRow){what, "ms", side.seconds * 1e3, 0, BENCH_TIME, goal});
    free(heights);
    close_rt(&place);
}

static void rise_once(void *user) {
    Place *place = user;
    static const UpliftSpec how = {.step = 2.5, .rate = 0.5, .cut = 8, .talus = 0.84};
    uplift_run(&place->rt, SIDE, SIDE, 10, (float *)(uintptr_t)place->land.heights, place->levels, &how, 10);
}

static void uplift_row(void) {
    Place place = {0};
    open_rt(&place, 2);
    place.land.heights = rough(SIDE);
    place.levels = calloc((size_t)SIDE * SIDE, sizeof(float));
    bench_require(place.levels != NULL, "memory");
    for (int k = 0; k < SIDE * SIDE; k++)
        place.levels[k] = 1;
    BenchSide side = {rise_once, &place, 0};
    bench_measure(&side, 1, 3, BENCH_WALL);
    bench_row(&(BenchRow){"mountains: 100 steps of stream power, 1024^2, two threads", "ms", side.seconds * 1e4, 0, BENCH_TIME, 6000});
    free((float *)(uintptr_t)place.land.heights);
    free(place.levels);
    close_rt(&place);
}

void bench_water(const BenchPlace *place) {
    (void)place;
    erosion_rows();
    drain_row("drainage of 1025^2: levels, ways, what gathers; one thread", 1025, TURNS, 120);
    drain_row("drainage of 4097^2: levels, ways, what gathers; one thread", 4097, 1, 3000);
    uplift_row();
}
