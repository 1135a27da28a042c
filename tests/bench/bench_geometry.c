/* Geometry in numbers: heights of a grid against a loop written for the occasion, nearest places on
 * spines of 200 to 20 000 points, press and carve on two grids with one and two threads. A table;
 * medians of five; nothing is asserted.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/grid/feature.h"

enum { RUNS = 5 };

static uint64_t seed = 1;

static double random_unit(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-53;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef void (*Job)(void *user);

static double median(Job job, void *user) {
    double times[RUNS];
    for (int i = 0; i < RUNS; i++) {
        double start = seconds();
        job(user);
        times[i] = seconds() - start;
    }
    qsort(times, RUNS, sizeof *times, compare);
    return times[RUNS / 2];
}

/* -- heights -- */

typedef struct Heights {
    const RtGrid *grid;
    int64_t n;
    double *xz, *out;
} Heights;

static void ask_grid(void *user) {
    Heights *h = user;
    grid_heights_at(h->grid, h->n, h->xz, h->out);
}

/* What a programmer writes who knows the grid: 1025 points, 2 m, centered. */
static void ask_by_hand(void *user) {
    Heights *h = user;
    const float *heights = h->grid->heights;
    for (int64_t k = 0; k < h->n; k++) {
        double u = (h->xz[2 * k] + 1024) * 0.5, v = (h->xz[2 * k + 1] + 1024) * 0.5;
        if (!(u >= 0 && v >= 0 && u <= 1024 && v <= 1024)) {
            h->out[k] = -30;
            continue;
        }
        int i = u < 1023 ? (int)u : 1023, j = v < 1023 ? (int)v : 1023;
        double s = u - i, t = v - j;
        const float *at = heights + j * 1025 + i;
        double a = at[0], b = at[1], c = at[1025], d = at[1026];
        if ((i + j) % 2 == 0)
            h->out[k] = s >= t ? a + (b - a) * s + (d - b) * t : a + (d - c) * s + (c - a) * t;
        else
            h->out[k] = s + t <= 1 ? a + (b - a) * s + (c - a) * t
                                   : d + (c - d) * (1 - s) + (b - d) * (1 - t);
    }
}

static void bench_heights(const RtGrid *grid) {
    Heights h = {grid, 1000000, malloc(16000000), malloc(8000000)};
    for (int scattered = 0; scattered < 2; scattered++) {
        for (int64_t i = 0; i < h.n; i++) {
            h.xz[2 * i] =
                scattered ? random_unit() * 2040 - 1020 : -1000 + (double)(i % 1000) * 1.9;
            h.xz[2 * i + 1] =
                scattered ? random_unit() * 2040 - 1020 : -1000 + (double)(i / 1000) * 1.9;
        }
        double runtime = median(ask_grid, &h), hand = median(ask_by_hand, &h);
        printf("heights, %-9s  %6.1f ns each   by hand %6.1f ns   speed %.2f of it\n",
               scattered ? "scattered" : "by rows", runtime * 1e9 / (double)h.n,
               hand * 1e9 / (double)h.n, hand / runtime);
    }
    free(h.xz);
    free(h.out);
}

/* -- nearest -- */

typedef struct Nearest {
    const RtSpine *spine;
    int n;
    double within, *xz, sum;
} Nearest;

static void ask_nearest(void *user) {
    Nearest *q = user;
    for (int i = 0; i < q->n; i++)
        q->sum += spine_find_nearest(q->spine, q->xz[2 * i], q->xz[2 * i + 1], q->within).distance;
}

static RtSpine *winding(Rt *rt, int points) {
    int count = points / 25 + 1;
    Vec3 *controls = ARENA_ARRAY(rt->arena, Vec3, count);
    double x = 0, z = 0, heading = 0;
    for (int i = 0; i < count; i++) {
        controls[i] = (Vec3){x, 0, z};
        heading += (random_unit() - 0.5) * 1.5;
        x += 25 * cos(heading);
        z += 25 * sin(heading);
    }
    return spine_create(rt, controls, count, SPINE_UNIFORM, SPINE_DOUBLED, 1);
}

static void bench_nearest(Rt *rt) {
    for (int points = 200; points <= 20000; points *= 10) {
        RtSpine *spine = winding(rt, points);
        PlanBox box = polyline_box(&spine->plan);
        Nearest q = {.spine = spine, .n = 200000};
        q.xz = malloc(sizeof(double) * 2 * (size_t)q.n);
        printf("nearest, %5d points ", points);
        for (int near = 0; near < 2; near++) {
            for (int i = 0; i < q.n; i++) {
                Vec3 at = spine->points[(int)(random_unit() * (spine->count - 1))];
                q.xz[2 * i] = near ? at.x + random_unit() * 20 - 10
                                   : box.x0 + (box.x1 - box.x0) * random_unit();
                q.xz[2 * i + 1] = near ? at.z + random_unit() * 20 - 10
                                       : box.z0 + (box.z1 - box.z0) * random_unit();
            }
            q.within = near ? 16 : INFINITY;
            printf("  %s %6.0f ns", near ? "close by, within 16 m:" : "anywhere:",
                   median(ask_nearest, &q) * 1e9 / q.n);
        }
        printf("\n");
        free(q.xz);
    }
}

/* -- features -- */

typedef struct Land {
    Rt *rt;
    const RtGrid *grid;
    const RtSpine *spine;
    CarveDesc carve;
} Land;

static void shape_land(void *user) {
    static const PressDesc walk = {0.05, 1.4, 6, 9, 2, true, 4.6, 5, 14};
    Land *land = user;
    ArenaMark mark = arena_mark(land->rt->arena);
    RtGrid *pressed = grid_press(land->rt, land->grid, land->spine, &walk);
    grid_carve(land->rt, pressed, land->spine, &land->carve);
    arena_release(land->rt->arena, mark);
}

static RtCurve *level(Rt *rt, double value) {
    RtCurve *curve = curve_create(rt, 1);
    curve->values[0] = value;
    return curve;
}

static RtGrid *rolling(Rt *rt, int points) {
    RtGrid *grid =
        grid_create(rt, &(GridShape){points, points, 2048.0 / (points - 1), -1024, -1024, -30});
    for (int64_t i = 0; i < (int64_t)points * points; i++)
        grid->heights[i] =
            (float)(10 + 5 * sin((double)(i % points) * 0.01) + 3 * sin((double)i / points * 0.02));
    return grid;
}

static void bench_features(Rt *rt, const RtGrid *grid) {
    static const Vec3 course[] = {
        {34, 0, 128}, {22, 0, 150}, {-60, 0, 220}, {40, 0, 300}, {-54, 0, 499}};
    Land land = {rt,
                 grid,
                 spine_create(rt, course, 5, SPINE_UNIFORM, SPINE_DOUBLED, 1),
                 {level(rt, 5), level(rt, 2), level(rt, 0.5), level(rt, 1), 24}};
    printf("press and carve, %4d points a side", (int)grid->columns);
    double one = 0;
    for (int threads = 1; threads <= 2; threads++) {
        rt->threads = threads;
        double time = median(shape_land, &land);
        if (threads == 1) one = time;
        printf("   %d thread%s %6.1f ms", threads, threads > 1 ? "s" : "", time * 1e3);
        if (threads == 2) printf(" (%.2f of one)", time / one);
    }
    printf("\n");
}

int main(void) {
    Memory memory;
    Arena arena;
    Rt rt;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    rt_init(&rt, NULL, NULL, &arena);
    RtGrid *island = rolling(&rt, 1025);
    bench_heights(island);
    bench_nearest(&rt);
    bench_features(&rt, island);
    bench_features(&rt, rolling(&rt, 4097));
    rt_fini(&rt);
    arena_fini(&arena);
    return 0;
}
