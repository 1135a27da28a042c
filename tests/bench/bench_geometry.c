/* Geometry: heights of a grid against a loop written for the occasion, nearest places on the
 * walkway and on longer spines, a walkway pressed and a brook carved into two grids.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <world/world.h>

#include "runtime/grid/feature.h"
#include "tests/bench/table.h"

enum { TURNS = 5, PLACES = 1000000, QUERIES = 200000 };

static uint64_t state = 1;

static double random_unit(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static void *make(size_t count, size_t size) {
    void *memory = calloc(count, size);
    bench_require(memory != NULL, "memory");
    return memory;
}

/* -- heights -- */

typedef struct Heights {
    World *world; /* asked through the public interface */
    WorldFunction height;
    RtGrid *grid; /* asked through the runtime */
    double *xz, *out;
} Heights;

static void ask_world(void *user) {
    Heights *h = user;
    bench_require(world_heights(h->world, h->height, PLACES, h->xz, h->out) == WORLD_OK,
                  "heights of the world");
}

static void ask_grid(void *user) {
    Heights *h = user;
    grid_heights_at(h->grid, PLACES, h->xz, h->out);
}

/* What a programmer writes who knows the grid: 1025 points, 2 m, centered. */
static void ask_by_hand(void *user) {
    Heights *h = user;
    const float *heights = h->grid->heights;
    for (int64_t k = 0; k < PLACES; k++) {
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

enum { WORLD_SIDE, GRID_SIDE, HAND_SIDE };

static void heights_row(const char *what, const BenchSide *ours, const BenchSide *by_hand) {
    bench_row(&(BenchRow){what, "ns", ours->seconds * 1e9 / PLACES, by_hand->seconds * 1e9 / PLACES,
                          BENCH_SPEED, 0.9});
}

/* Places a little under 2 m apart, row by row, or anywhere. */
static void choose_places(double *xz, int scattered) {
    for (int64_t i = 0; i < PLACES; i++) {
        xz[2 * i] = scattered ? random_unit() * 2040 - 1020 : -1000 + (double)(i % 1000) * 1.9;
        xz[2 * i + 1] = scattered ? random_unit() * 2040 - 1020 : -1000 + (double)(i / 1000) * 1.9;
    }
}

static void check_heights(const Heights *sides) {
    for (int i = 0; i < PLACES; i++)
        bench_require(fabs(sides[WORLD_SIDE].out[i] - sides[HAND_SIDE].out[i]) < 1e-9 &&
                          fabs(sides[GRID_SIDE].out[i] - sides[HAND_SIDE].out[i]) < 1e-9,
                      "heights agree");
}

static void time_heights(Heights *asked, int scattered) {
    BenchSide sides[] = {{ask_world, &asked[WORLD_SIDE], 0},
                         {ask_grid, &asked[GRID_SIDE], 0},
                         {ask_by_hand, &asked[HAND_SIDE], 0}};
    choose_places(asked->xz, scattered);
    bench_measure(sides, 3, TURNS, BENCH_CPU);
    check_heights(asked);
    const BenchSide *hand = &sides[HAND_SIDE];
    heights_row(scattered ? "heights(n), anywhere, of the world, against C"
                          : "heights(n), by rows, of the world, against C",
                &sides[WORLD_SIDE], hand);
    heights_row(scattered ? "heights(n), anywhere, the runtime's loop, against C"
                          : "heights(n), by rows, the runtime's loop, against C",
                &sides[GRID_SIDE], hand);
}

static void heights_rows(const BenchPlace *place, Rt *rt) {
    WorldEngine *engine;
    Heights h = {.xz = make(2 * (size_t)PLACES, sizeof(double))};
    WorldGridView view = {.size = sizeof view};
    bench_require(world_engine_create(&(WorldEngineDesc){.threads = 1}, &engine) == WORLD_OK,
                  "an engine");
    bench_require(world_open_file(engine, place->island, &(WorldDesc){0}, &h.world) == WORLD_OK,
                  "the island");
    bench_require(world_function(h.world, "land.height", "fn(point) meters", &h.height) == WORLD_OK,
                  "land.height");
    bench_require(world_grid(h.world, "land.ground", &view) == WORLD_OK, "land.ground");
    h.grid = grid_create(
        rt, &(GridShape){view.columns, view.rows, view.cell, view.x0, view.z0, view.outside});
    memcpy(h.grid->heights, view.heights,
           sizeof *view.heights * (size_t)view.columns * (size_t)view.rows);
    Heights asked[3] = {h, h, h};
    for (int i = 0; i < 3; i++)
        asked[i].out = make(PLACES, sizeof(double));
    for (int scattered = 0; scattered < 2; scattered++)
        time_heights(asked, scattered);
    for (int i = 0; i < 3; i++)
        free(asked[i].out);
    free(h.xz);
    world_close(h.world);
    world_engine_destroy(engine);
}

/* -- nearest -- */

typedef struct Nearest {
    const RtSpine *spine;
    double within, *xz, sum;
} Nearest;

static void ask_nearest(void *user) {
    Nearest *q = user;
    for (int i = 0; i < QUERIES; i++)
        q->sum += spine_find_nearest(q->spine, q->xz[2 * i], q->xz[2 * i + 1], q->within).distance;
}

static RtSpine *walkway(Rt *rt) {
    static const Vec3 controls[] = {{-22, 0, 498}, {-22, 0, 476}, {-34, 0, 450},
                                    {-14, 0, 424}, {-38, 0, 400}, {-12, 0, 378},
                                    {-22, 0, 354}, {-16, 0, 340}, {-16, 0, 333.6}};
    return spine_create(rt, controls, 9, SPINE_UNIFORM, SPINE_DOUBLED, 1);
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

/* Nanoseconds a question within 16 m, of places as near as that, or of any, of places in the
 * spine's box. */
static double nearest_ns(const RtSpine *spine, int near) {
    Nearest q = {.spine = spine,
                 .within = near ? 16 : INFINITY,
                 .xz = make(2 * (size_t)QUERIES, sizeof(double))};
    PlanBox box = polyline_box(&spine->plan);
    for (int i = 0; i < QUERIES; i++) {
        Vec3 at = spine->points[(int)(random_unit() * (spine->count - 1))];
        q.xz[2 * i] =
            near ? at.x + random_unit() * 20 - 10 : box.x0 + (box.x1 - box.x0) * random_unit();
        q.xz[2 * i + 1] =
            near ? at.z + random_unit() * 20 - 10 : box.z0 + (box.z1 - box.z0) * random_unit();
    }
    BenchSide side = {ask_nearest, &q, 0};
    bench_measure(&side, 1, TURNS, BENCH_CPU);
    free(q.xz);
    return side.seconds * 1e9 / QUERIES;
}

static void nearest_rows(Rt *rt) {
    const RtSpine *way = walkway(rt), *lengths[3];
    for (int i = 0, points = 200; i < 3; i++, points *= 10)
        lengths[i] = winding(rt, points);
    double close_by = nearest_ns(way, 1);
    bench_row(
        &(BenchRow){"nearest on the walkway, within 16 m", "ns", close_by, 0, BENCH_NO_GOAL, 0});
    bench_note("%.1f million questions a second on the walkway", 1e3 / close_by);
    for (int near = 1; near >= 0; near--) {
        double first = nearest_ns(lengths[0], near);
        for (int i = 1; i < 3; i++) {
            char what[80];
            snprintf(what, sizeof what, "nearest, %s, %d points against %d",
                     near ? "within 16 m" : "anywhere", i == 1 ? 2000 : 20000, 200);
            /* Logarithmic: each factor of ten adds at most what the first 200 points cost. */
            bench_row(
                &(BenchRow){what, "ns", nearest_ns(lengths[i], near), first, BENCH_RATIO, 1 + i});
        }
    }
}

/* -- features -- */

typedef struct Land {
    Rt *rt;
    const RtGrid *grid;
    const RtSpine *spine;
    CarveDesc carve;
    bool own; /* the grid is pressed where it lies; else a copy, that is carved where it lies */
} Land;

static void shape_land(void *user) {
    static const PressDesc walk = {0.05, 1.4, 6, 9, 2, true, 4.6, 5, 14};
    Land *land = user;
    Arena arena, *outer = land->rt->arena; /* of its own, so that the grids go back */
    arena_init(&arena, outer->memory);
    land->rt->arena = &arena;
    PressDesc press = walk;
    press.own = land->own;
    RtGrid *pressed = grid_press(land->rt, land->grid, land->spine, &press);
    grid_carve(land->rt, pressed, land->spine, &land->carve);
    land->rt->arena = outer;
    arena_fini(&arena);
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

static void features_row(Rt *rt, const RtGrid *grid, bool own) {
    static const Vec3 course[] = {
        {34, 0, 128}, {22, 0, 150}, {-60, 0, 220}, {40, 0, 300}, {-54, 0, 499}};
    Rt with[2] = {*rt, *rt};
    Land lands[2];
    BenchSide sides[2];
    CarveDesc carve = {level(rt, 5), level(rt, 2), level(rt, 0.5), level(rt, 1), 24, true};
    const RtSpine *spine = spine_create(rt, course, 5, SPINE_UNIFORM, SPINE_DOUBLED, 1);
    char what[96];
    for (int i = 0; i < 2; i++) {
        with[i].threads = i + 1;
        lands[i] = (Land){&with[i], grid, spine, carve, own};
        sides[i] = (BenchSide){shape_land, &lands[i], 0};
    }
    bench_measure(sides, 2, TURNS, BENCH_WALL);
    snprintf(what, sizeof what, "press and carve%s, %d points a side, two threads against one", own ? " one's own" : "",
             (int)grid->columns);
    bench_row(
        &(BenchRow){what, "ms", sides[1].seconds * 1e3, sides[0].seconds * 1e3, BENCH_RATIO, 0.6});
}

/* Of a grid that others hold too, which is copied once; and of one that nobody else holds. */
static void features_rows(Rt *rt, const RtGrid *grid) {
    features_row(rt, grid, false);
    features_row(rt, grid, true);
}

void bench_geometry(const BenchPlace *place) {
    Memory memory;
    Arena arena;
    Rt rt;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    rt_init(&rt, NULL, NULL, &arena);
    heights_rows(place, &rt);
    nearest_rows(&rt);
    features_rows(&rt, rolling(&rt, 1025));
    features_rows(&rt, rolling(&rt, 4097));
    rt_fini(&rt);
    arena_fini(&arena);
}
