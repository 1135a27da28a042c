/* Land at any distance: tiles of any two levels share their borders' vertices, nothing pops, no ring is farther off than is said. */
#include "runtime/lod/lod.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MOST_TILES = 4096 };

typedef struct Fixture {
    Memory memory;
    Arena arena;
    LodDesc desc;
    LodLand land;
    double step[LOD_LEVELS]; /* how far a level lies from the one below it, at most, meters (measure_steps) */
    LodTile *tiles;
    int count;
} Fixture;

static double next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

static Fixture *make_land(int columns, int rows, double rough, const double *outline, size_t corners) {
    Fixture *f = calloc(1, sizeof *f);
    memory_init(&f->memory, NULL, NULL, 0);
    arena_init(&f->arena, &f->memory);
    float *heights = ARENA_ARRAY(&f->arena, float, (size_t)columns *(size_t)rows);
    uint32_t random = 1;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++)
            heights[j * columns + i] = (float)(20 * sin(i / 23.0) * cos(j / 31.0) + rough * next_random(&random));
    f->desc = (LodDesc){.columns = columns, .rows = rows, .cell = 2, .x0 = 1 - columns, .z0 = 1 - rows, .heights = heights, .outline = outline, .corners = corners};
    f->land = lod_build(&f->arena, &f->desc);
    f->tiles = ARENA_ARRAY(&f->arena, LodTile, MOST_TILES);
    return f;
}

static void drop_land(Fixture *f) {
    arena_fini(&f->arena);
    free(f);
}

static void choose(Fixture *f, const LodEye *eye) {
    f->count = lod_choose(&f->land, eye, f->tiles, MOST_TILES);
    assert_in_range(f->count, 1, MOST_TILES);
}

/* -- borders, by their samples -- */

typedef struct Edge {
    uint64_t from, to;
} Edge;

static int compare_edges(const void *a, const void *b) {
    const Edge *p = a, *q = b;
    return p->from != q->from ? (p->from < q->from ? -1 : 1) : p->to < q->to ? -1 : p->to > q->to;
}

static int clamped(int value, int count) {
    return value < count - 1 ? value : count - 1;
}

/* What a vertex is, by its sample and level alone: at its own sample, at that to which it moves, or anywhere between. */
static uint64_t name_of(const Fixture *f, const LodVertex *vertex) {
    uint32_t state = ((uint32_t)vertex->x * 73856093u) ^ ((uint32_t)vertex->z * 19349663u) ^ (uint32_t)vertex->level * 83492791u;
    int way = vertex->level == f->land.top ? 0 : (int)(3 * next_random(&state));
    int x = clamped(way == 1 ? vertex->to_x : vertex->x, f->land.lattice.columns), z = clamped(way == 1 ? vertex->to_z : vertex->z, f->land.lattice.rows);
    bool moves = vertex->to_x != vertex->x || vertex->to_z != vertex->z;
    return (uint64_t)z << 32 | (uint64_t)x << 8 | (way == 2 && moves ? (uint64_t)vertex->level + 1 : 0);
}

static bool on_border(const Fixture *f, const Edge *edge) {
    int x[2] = {(int)(edge->from >> 8 & 0xffffff), (int)(edge->to >> 8 & 0xffffff)}, z[2] = {(int)(edge->from >> 32), (int)(edge->to >> 32)};
    return (x[0] == x[1] && (x[0] == 0 || x[0] == f->land.lattice.columns - 1)) || (z[0] == z[1] && (z[0] == 0 || z[0] == f->land.lattice.rows - 1));
}

/* Every edge of a triangle is another's, the other way round, as often: so no place of the surface is open, whichever vertices have moved. */
static void check_watertight(const Fixture *f) {
    uint16_t indices[LOD_INDICES];
    lod_indices(indices);
    Edge *edges = malloc(sizeof(Edge) * (size_t)f->count * LOD_INDICES), *backs = malloc(sizeof(Edge) * (size_t)f->count * LOD_INDICES);
    size_t count = 0;
    for (int t = 0; t < f->count; t++)
        for (int i = 0; i < LOD_INDICES; i += 3) {
            uint64_t names[3];
            for (int k = 0; k < 3; k++) {
                LodVertex vertex = lod_vertex(&f->tiles[t], indices[i + k] % (LOD_SIDE + 1), indices[i + k] / (LOD_SIDE + 1));
                names[k] = name_of(f, &vertex);
            }
            if (names[0] == names[1] || names[1] == names[2] || names[2] == names[0]) continue; /* empty */
            for (int k = 0; k < 3; k++) {
                Edge edge = {names[k], names[(k + 1) % 3]};
                if (on_border(f, &edge)) continue;
                edges[count] = edge;
                backs[count++] = (Edge){edge.to, edge.from};
            }
        }
    qsort(edges, count, sizeof(Edge), compare_edges);
    qsort(backs, count, sizeof(Edge), compare_edges);
    assert_true(count > 1000);
    for (size_t i = 0; i < count; i++)
        assert_true(edges[i].from == backs[i].from && edges[i].to == backs[i].to);
    free(edges);
    free(backs);
}

/* Levels as they never lie by distance alone: squares of any size, side by side. */
static void scatter_levels(Fixture *f, uint32_t seed) {
    for (int level = 0; level <= f->land.top; level++) {
        LodLevel *tiles = &f->land.levels[level];
        for (int at = 0; at < tiles->columns * tiles->rows; at++)
            tiles->finest[at] = 0;
        for (int row = 0; level == 0 && row < tiles->rows; row++)
            for (int column = 0; column < tiles->columns; column++)
                for (int larger = f->land.top; larger > 0; larger--) {
                    uint32_t random = seed + (uint32_t)(larger * 1000003 + (row >> larger) * 7919 + (column >> larger) * 104729);
                    next_random(&random);
                    if (next_random(&random) > 0.3) continue;
                    tiles->finest[row * tiles->columns + column] = (uint8_t)larger;
                    break;
                }
    }
    for (int level = 1; level <= f->land.top; level++) {
        LodLevel *tiles = &f->land.levels[level], *below = tiles - 1;
        for (int row = 0; row < below->rows; row++)
            for (int column = 0; column < below->columns; column++) {
                uint8_t *finest = &tiles->finest[row / 2 * tiles->columns + column / 2], own = below->finest[row * below->columns + column];
                *finest = (row | column) % 2 == 0 || own < *finest ? own : *finest;
            }
    }
}

static void test_any_two_levels_share_their_border(void **state) {
    (void)state;
    static const int sizes[4][2] = {{513, 513}, {300, 211}, {18, 500}, {257, 250}};
    bool met[LOD_LEVELS][LOD_LEVELS] = {{false}};
    for (int k = 0; k < 4; k++) {
        Fixture *f = make_land(sizes[k][0], sizes[k][1], 4, NULL, 0);
        for (uint32_t random = 0; random < 6; random++) {
            if (random) scatter_levels(f, random);
            choose(f, &(LodEye){.uniform = 0});
            for (int t = 0; t < f->count; t++)
                for (int e = 0; e < 8; e++)
                    met[f->tiles[t].level][f->tiles[t].beside >> 4 * e & 15] = true;
            check_watertight(f);
        }
        drop_land(f);
    }
    for (int a = 0; a <= 4; a++) /* of a land of 513 samples every pair was met */
        for (int b = a; b <= 4; b++)
            assert_true(met[a][b]);
}

static void test_levels_by_distance(void **state) {
    (void)state;
    Fixture *f = make_land(513, 513, 4, NULL, 0);
    uint32_t random = 5;
    for (int k = 0; k < 12; k++) {
        LodEye eye = {.at = {1000 * next_random(&random) - 500, 200 * next_random(&random), 1000 * next_random(&random) - 500}, .reach = 128 + 200 * next_random(&random), .uniform = -1};
        choose(f, &eye);
        check_watertight(f);
        for (int t = 0; t < f->count; t++)
            for (int e = 0; e < 8; e++) /* rings lie one in the other */
                assert_true((f->tiles[t].beside >> 4 * e & 15) <= (uint32_t)f->tiles[t].level + 1);
    }
    drop_land(f);
}

/* -- how far a level lies from the one below it -- */

static double height_of_sample(const LodDesc *desc, int i, int j) {
    return (double)desc->heights[(size_t)j * (size_t)desc->columns + (size_t)i];
}

/* Between two samples of the coarser level, on one line, where the last may be the border's. */
typedef struct Between {
    int before, after;
    double share;
} Between;

static Between between(int at, int step, int last) {
    int before = at / (2 * step) * (2 * step), after = before + 2 * step < last ? before + 2 * step : last;
    return (Between){before, after, after > before ? (double)(at - before) / (after - before) : 0};
}

static double off_line(double a, double b, double share, double height) {
    return fabs(a + (b - a) * share - height);
}

/* Of the sample (i, j) of a level with `step` cells of the grid, odd on an axis. By the border squares are no squares, and how far two
 * triangles lie from four is bounded by how far their corners lie apart. */
static double sample_off(const LodDesc *desc, int i, int j, int step) {
    bool odd_i = i / step % 2, odd_j = j / step % 2;
    Between x = between(i, step, desc->columns - 1), z = between(j, step, desc->rows - 1);
    double nw = height_of_sample(desc, x.before, z.before), ne = height_of_sample(desc, x.after, z.before);
    double sw = height_of_sample(desc, x.before, z.after), se = height_of_sample(desc, x.after, z.after), height = height_of_sample(desc, i, j);
    bool square = x.after - x.before == 2 * step && z.after - z.before == 2 * step;
    if (!square) return fmax(height, fmax(fmax(nw, ne), fmax(sw, se))) - fmin(height, fmin(fmin(nw, ne), fmin(sw, se)));
    if (!odd_j) return off_line(nw, ne, x.share, height);
    if (!odd_i) return off_line(nw, sw, z.share, height);
    return (x.before + z.before) / (2 * step) % 2 ? off_line(ne, sw, z.share, height) : off_line(nw, se, z.share, height);
}

static double level_off(const LodDesc *desc, int step) {
    double worst = 0;
    for (int j = 0; j < desc->rows; j += step)
        for (int i = j / step % 2 ? 0 : step; i < desc->columns; i += j / step % 2 ? step : 2 * step)
            worst = fmax(worst, sample_off(desc, i, j, step));
    return worst;
}

/* The drawn ground of a level, with all of its vertices' way, is never farther from the grid's own than the steps up to it and two times the
 * next: on its way a vertex lies on the level's own ground, at most a step from the coarser; so do the triangles between such vertices, none of which
 * crosses an edge of the coarser. */
static double ring_error(const Fixture *f, int level) {
    double error = 0;
    for (int k = 1; k <= level; k++)
        error += f->step[k];
    return level < f->land.top ? error + 2 * f->step[level + 1] : error;
}

static void measure_steps(Fixture *f) {
    for (int level = 1; level <= f->land.top; level++)
        f->step[level] = level_off(&f->desc, 1 << (level - 1));
}

/* -- the drawn surface -- */

static double height_of(const Fixture *f, int x, int z) {
    return height_of_sample(&f->desc, clamped(x, f->desc.columns), clamped(z, f->desc.rows));
}

static void place_of(const Fixture *f, const LodEye *eye, const LodVertex *v, double out[3]) {
    const LodLattice *l = &f->land.lattice;
    double x = l->x0 + clamped(v->x, l->columns) * l->cell, z = l->z0 + clamped(v->z, l->rows) * l->cell;
    double to_x = l->x0 + clamped(v->to_x, l->columns) * l->cell, to_z = l->z0 + clamped(v->to_z, l->rows) * l->cell;
    double m = lod_morph(&f->land, eye, v->level, x, z), y = height_of(f, v->x, v->z);
    out[0] = x + (to_x - x) * m, out[1] = y + (height_of(f, v->to_x, v->to_z) - y) * m, out[2] = z + (to_z - z) * m;
}

/* The height of a triangle at a place; NaN: it is not there. */
static double in_triangle(double p[3][3], double x, double z) {
    double ax = p[1][0] - p[0][0], az = p[1][2] - p[0][2], bx = p[2][0] - p[0][0], bz = p[2][2] - p[0][2];
    double area = ax * bz - bx * az, u = ((x - p[0][0]) * bz - bx * (z - p[0][2])) / area, v = (ax * (z - p[0][2]) - (x - p[0][0]) * az) / area;
    bool inside = fabs(area) > 1e-12 && u >= -1e-9 && v >= -1e-9 && u + v <= 1 + 1e-9;
    return inside ? p[0][1] + u * (p[1][1] - p[0][1]) + v * (p[2][1] - p[0][1]) : NAN;
}

static double drawn_in(const Fixture *f, const LodEye *eye, const LodTile *tile, double x, double z) {
    static uint16_t indices[LOD_INDICES];
    if (indices[1] == 0) lod_indices(indices);
    for (int i = 0; i < LOD_INDICES; i += 3) {
        double p[3][3];
        for (int k = 0; k < 3; k++) {
            LodVertex vertex = lod_vertex(tile, indices[i + k] % (LOD_SIDE + 1), indices[i + k] / (LOD_SIDE + 1));
            place_of(f, eye, &vertex, p[k]);
        }
        double height = in_triangle(p, x, z);
        if (!isnan(height)) return height;
    }
    return NAN;
}

static double drawn_at(const Fixture *f, const LodEye *eye, double x, double z, int *level) {
    for (int t = 0; t < f->count; t++) {
        const LodTile *tile = &f->tiles[t];
        double side = (LOD_SIDE << tile->level) * f->land.lattice.cell, x0 = f->land.lattice.x0 + tile->x * f->land.lattice.cell,
               z0 = f->land.lattice.z0 + tile->z * f->land.lattice.cell;
        if (x < x0 || x > x0 + side || z < z0 || z > z0 + side) continue;
        double height = drawn_in(f, eye, tile, x, z);
        if (isnan(height)) continue;
        *level = tile->level;
        return height;
    }
    fail_msg("nothing is drawn at (%g, %g)", x, z);
    return NAN;
}

/* The triangle rule, as the language states it. */
static double reference(const Fixture *f, double x, double z) {
    double column = (x - f->desc.x0) / f->desc.cell, row = (z - f->desc.z0) / f->desc.cell;
    int i = (int)fmin(floor(column), f->desc.columns - 2), j = (int)fmin(floor(row), f->desc.rows - 2);
    double u = column - i, v = row - j, nw = height_of(f, i, j), ne = height_of(f, i + 1, j), sw = height_of(f, i, j + 1), se = height_of(f, i + 1, j + 1);
    if ((i + j) % 2 == 0) return u > v ? nw + (ne - nw) * u + (se - ne) * v : nw + (se - sw) * u + (sw - nw) * v;
    return u + v < 1 ? nw + (ne - nw) * u + (sw - nw) * v : se + (sw - se) * (1 - u) + (ne - se) * (1 - v);
}

static void test_no_ring_is_farther_off_than_is_said(void **state) {
    (void)state;
    Fixture *f = make_land(513, 513, 4, NULL, 0);
    double worst[LOD_LEVELS] = {0};
    uint32_t random = 9;
    measure_steps(f);
    for (int k = 0; k < 12; k++) {
        LodEye eye = {.at = {1000 * next_random(&random) - 500, 30, 1000 * next_random(&random) - 500}, .reach = 128 + 60 * next_random(&random), .uniform = -1};
        choose(f, &eye);
        for (int i = 0; i < 150; i++) {
            double x = 1024 * next_random(&random) - 512, z = 1024 * next_random(&random) - 512;
            int level;
            double off = fabs(drawn_at(f, &eye, x, z, &level) - reference(f, x, z));
            assert_true(off <= ring_error(f, level) + 1e-6);
            worst[level] = fmax(worst[level], off);
            if (hypot(x - eye.at[0], z - eye.at[2]) < 0.5 * eye.reach) assert_true(off < 1e-6); /* near the eye it is the ground itself */
        }
    }
    for (int level = 0; level < 3; level++)
        assert_true(worst[level] > 0.1 * ring_error(f, level)); /* what is said is not much more than what is */
    drop_land(f);
}

static void test_exact_inside_the_outline(void **state) {
    (void)state;
    static const double outline[] = {-210, -156, 200, -120, 226, 206, -30, 90, -208, 120};
    Fixture *f = make_land(257, 257, 40, outline, 5);
    LodEye eye = {.uniform = 0};
    uint32_t random = 3;
    int inside = 0, coarse = 0;
    choose(f, &eye);
    check_watertight(f);
    for (int i = 0; i < 4000; i++) {
        double x = 440 * next_random(&random) - 215, z = 370 * next_random(&random) - 160;
        bool within = false;
        for (int k = 0; k < 5; k++) {
            const double *p = outline + 2 * k, *q = outline + 2 * ((k + 1) % 5);
            if ((p[1] > z) != (q[1] > z) && x < p[0] + (z - p[1]) / (q[1] - p[1]) * (q[0] - p[0])) within = !within;
        }
        int level;
        double off = fabs(drawn_at(f, &eye, x, z, &level) - reference(f, x, z));
        if (within) assert_true(off < 1e-6);
        inside += within;
        coarse += level == LOD_COARSER;
    }
    assert_true(inside > 1000 && coarse > 200);
    drop_land(f);
}

static void check_exact(const Fixture *f, const LodEye *eye, double x, double z) {
    int level;
    assert_true(fabs(drawn_at(f, eye, x, z, &level) - reference(f, x, z)) < 1e-6);
}

/* An outline in the last cell before a tile's border is the neighbor's too, and nobody else's. */
static void test_exact_beside_a_tile_border(void **state) {
    (void)state;
    static const double cells[4][4] = {{0.1, 4, 0.9, 12}, {4, 0.1, 12, 0.9}, {15.1, 4, 15.9, 12}, {4, 15.1, 12, 15.9}};
    for (int k = 0; k < 8; k++) {
        const double *cell = cells[k % 4];
        double corner = k < 4 ? -128 : -96; /* of tile 4, of tile 5 */
        double x0 = corner + 2 * cell[0], z0 = corner + 2 * cell[1], x1 = corner + 2 * cell[2], z1 = corner + 2 * cell[3];
        const double outline[] = {x0, z0, x1, z0, x1, z1, x0, z1};
        Fixture *f = make_land(257, 257, 40, outline, 4);
        LodEye eye = {.uniform = 0};
        uint32_t random = 5;
        int fine = 0;
        choose(f, &eye);
        for (int i = 0; i < f->count; i++)
            fine += f->tiles[i].level == 0;
        assert_int_equal(fine, k < 2 || k >= 6 ? 8 : 4); /* tiles divide by fours: 4 and 5 have one parent, 3 and 6 another */
        for (int i = 0; i < 100; i++)
            check_exact(f, &eye, x0 + (x1 - x0) * next_random(&random), z0 + (z1 - z0) * next_random(&random));
        drop_land(f);
    }
}

/* One that holds tiles whole, and of others, with another parent, half a cell on each side. */
static void test_exact_in_all_of_an_outline(void **state) {
    (void)state;
    static const double low = -65, high = 129, outline[] = {-65, -65, 129, -65, 129, 129, -65, 129};
    Fixture *f = make_land(257, 257, 40, outline, 4);
    LodEye eye = {.uniform = 0};
    uint32_t random = 6;
    choose(f, &eye);
    for (int i = 0; i < 200; i++) {
        double along = low + (high - low) * next_random(&random), in = next_random(&random);
        check_exact(f, &eye, low + in, along);
        check_exact(f, &eye, high - in, along);
        check_exact(f, &eye, along, low + in);
        check_exact(f, &eye, along, high - in);
        check_exact(f, &eye, along, low + (high - low) * next_random(&random));
    }
    drop_land(f);
}

/* While the eye moves a centimeter, what is drawn moves no more than a vertex on its way may; also where tiles are divided or joined. */
static void test_nothing_pops(void **state) {
    (void)state;
    Fixture *f = make_land(513, 513, 4, NULL, 0);
    LodEye eye = {.at = {-300.005, 5, 17}, .reach = 160, .uniform = -1};
    double from, to, most = 0, worst = 0, switched = 0;
    lod_way(&f->land, &eye, &from, &to);
    measure_steps(f);
    for (int level = 1; level <= f->land.top; level++)
        most = fmax(most, 0.011 * 4 * f->step[level] / ldexp(to - from, level - 1));
    uint32_t random = 4;
    int changes = 0;
    for (int k = 0; k < 200; k++, eye.at[0] += 2) {
        LodEye next = eye;
        next.at[0] += 0.01;
        LodTile *before = f->tiles;
        choose(f, &eye);
        int count = f->count;
        f->tiles = before + MOST_TILES / 2;
        choose(f, &next);
        bool same = count == f->count && memcmp(before, f->tiles, sizeof(LodTile) * (size_t)count) == 0;
        changes += !same;
        for (int i = 0; !same && i < 60; i++) {
            double x = 1024 * next_random(&random) - 512, z = 1024 * next_random(&random) - 512;
            int level, other;
            double height = drawn_at(f, &next, x, z, &level);
            LodTile *after = f->tiles;
            int after_count = f->count;
            f->tiles = before, f->count = count;
            worst = fmax(worst, fabs(height - drawn_at(f, &eye, x, z, &other)));
            switched += other != level;
            f->tiles = after, f->count = after_count;
        }
        f->tiles = before;
    }
    print_message("%d changes, %g places of another level, worst %g m of %g m\n", changes, switched, worst, most);
    assert_true(changes > 5 && switched > 5);
    assert_true(worst < most && most < 0.01 * f->step[1]);
    drop_land(f);
}

/* However large a land is, what is drawn of it grows by a ring for each doubling. */
static void test_large_lands_cost_little(void **state) {
    (void)state;
    int last = 0;
    for (int points = 257; points <= 2049; points = 2 * points - 1) {
        Fixture *f = make_land(points, points, 1, NULL, 0);
        choose(f, &(LodEye){.at = {3, 2, 5}, .reach = 2 * 100, .uniform = -1});
        assert_true(last == 0 || f->count - last < 200);
        last = f->count;
        drop_land(f);
    }
}

static bool holds(const void *user, const double low[3], const double high[3]) {
    const double *at = user;
    return at[0] >= low[0] && at[0] <= high[0] && at[1] >= low[1] && at[1] <= high[1] && at[2] >= low[2] && at[2] <= high[2];
}

/* How many tiles a sample is of, on one axis: that on a border is of both. */
static int tiles_of(int at, int last) {
    return at % LOD_SIDE == 0 && at > 0 && at < last ? 2 : 1;
}

/* A tile is left out only when nothing of it is in the box that was asked about. */
static void test_boxes_hold_their_ground(void **state) {
    (void)state;
    Fixture *f = make_land(300, 211, 4, NULL, 0);
    uint32_t random = 2;
    for (int i = 0; i < 2000; i++) {
        int column = (int)(300 * next_random(&random)), row = (int)(211 * next_random(&random));
        double at[3] = {f->desc.x0 + column * 2, height_of(f, column, row), f->desc.z0 + row * 2};
        LodEye eye = {.uniform = 0, .sees = holds, .user = at};
        choose(f, &eye);
        assert_int_equal(f->count, tiles_of(column, 299) * tiles_of(row, 210));
    }
    drop_land(f);
}

static void test_smallest(void **state) {
    (void)state;
    Fixture *f = make_land(2, 2, 1, NULL, 0);
    choose(f, &(LodEye){.reach = 300, .uniform = -1});
    assert_int_equal(f->count, 1);
    assert_int_equal(f->land.top, 0);
    drop_land(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_two_levels_share_their_border),
                                       cmocka_unit_test(test_levels_by_distance),
                                       cmocka_unit_test(test_no_ring_is_farther_off_than_is_said),
                                       cmocka_unit_test(test_exact_inside_the_outline),
                                       cmocka_unit_test(test_exact_beside_a_tile_border),
                                       cmocka_unit_test(test_exact_in_all_of_an_outline),
                                       cmocka_unit_test(test_nothing_pops),
                                       cmocka_unit_test(test_large_lands_cost_little),
                                       cmocka_unit_test(test_boxes_hold_their_ground),
                                       cmocka_unit_test(test_smallest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
