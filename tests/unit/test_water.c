/* Water over lands: what erosion keeps, drainage against its symmetries and against slow twins of each step, masks against counting. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/terrain/erode.h"
#include "runtime/terrain/masks.h"
#include "runtime/terrain/rivers.h"
#include "runtime/terrain/uplift.h"
#include "tests/unit/geometry_rt.h"

/* -- lands to try -- */

static double cell_noise(int i, int j, uint32_t seed) {
    uint32_t h = (uint32_t)i * 374761393u + (uint32_t)j * 668265263u + seed * 974634777u;
    h = (h ^ h >> 13) * 1274126177u;
    return (double)((h ^ h >> 16) & 0xffffff) / 0x1000000;
}

static double value_noise(double x, double z, uint32_t seed) {
    int i = (int)floor(x), j = (int)floor(z);
    double u = x - i, v = z - j;
    u = u * u * (3 - 2 * u), v = v * v * (3 - 2 * v);
    return (cell_noise(i, j, seed) * (1 - u) + cell_noise(i + 1, j, seed) * u) * (1 - v) +
           (cell_noise(i, j + 1, seed) * (1 - u) + cell_noise(i + 1, j + 1, seed) * u) * v;
}

/* Meters; in steps of `step`, when that is not 0. */
static float *rough(int columns, int rows, uint32_t seed, double step) {
    float *heights = calloc((size_t)columns * (size_t)rows, sizeof *heights);
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++) {
            double h = 0, size = 1;
            for (uint32_t k = 0; k < 6; k++, size *= 0.5)
                h += 60 * size * value_noise(i / 20.0 / size, j / 20.0 / size, seed * 16 + k);
            h -= 55;
            heights[j * columns + i] = (float)(step > 0 ? floor(h / step) * step : h);
        }
    return heights;
}

static Rt *open_rt(TestRt *test) {
    Rt *rt = test_rt_open(test);
    rt_steps_set(rt, INT64_MAX);
    return rt;
}

/* -- erosion -- */

static const ErodeSpec rainy = {.pipe = 0.15, .rain = 0.012, .evaporation = 0.03, .capacity = 0.35, .deep = 1.5, .dissolve = 0.3, .settle = 0.25, .talus = 0.78, .slide = 0.08};

static double total(const Erosion *erosion) {
    double sum = 0;
    for (int k = 0; k < erosion->columns * erosion->rows; k++)
        sum += erosion->ground[k] + erosion->load[k];
    return sum;
}

static double all_water(const Erosion *erosion) {
    double sum = 0;
    for (int k = 0; k < erosion->columns * erosion->rows; k++)
        sum += erosion->water[k];
    return sum;
}

/* Ground, load and what left are what there was, to 1e-9 of it; water too, when none falls or dries. */
static void erosion_keeps_all(void **state) {
    (void)state;
    enum { N = 150, M = 97 };
    for (int open = 0; open < 2; open++) {
        TestRt test;
        Rt *rt = open_rt(&test);
        float *heights = rough(N, M, 3, 0);
        Erosion erosion;
        erosion_init(rt, &erosion, N, M, 4, heights, NULL);
        ErodeSpec spec = rainy;
        spec.open = open;
        double before = total(&erosion);
        assert_true(erosion_run(rt, &erosion, &spec, 120));
        double moved = 0;
        for (int k = 0; k < N * M; k++) {
            assert_true(isfinite(erosion.ground[k]) && erosion.water[k] >= 0 && erosion.load[k] >= 0);
            moved += fabs(erosion.ground[k] - (double)heights[k]);
        }
        assert_true(moved > 500); /* it did something */
        assert_true(open ? erosion.left > 0 : erosion.left == 0);
        assert_true(fabs(total(&erosion) + erosion.left - before) < 1e-9 * fabs(before));
        spec.rain = spec.evaporation = 0;
        double water = all_water(&erosion) + erosion.drained;
        assert_true(erosion_run(rt, &erosion, &spec, 60));
        assert_true(fabs(all_water(&erosion) + erosion.drained - water) < 1e-9 * water);
        erosion_settle(&erosion);
        assert_true(fabs(total(&erosion) + erosion.left - before) < 1e-9 * fabs(before));
        free(heights);
        test_rt_close(&test);
    }
}

/* Bands on any number of threads, and one step after another or all at once, are the same bits; another land is not. */
static void erosion_is_the_same_on_any_threads(void **state) {
    (void)state;
    enum { N = 70, M = 260, STEPS = 30 };
    uint64_t sums[4];
    for (int turn = 0; turn < 4; turn++) {
        TestRt test;
        Rt *rt = open_rt(&test);
        float *heights = rough(N, M, turn == 3 ? 8 : 7, 0);
        rt->threads = turn == 1 ? 3 : 1;
        Erosion erosion;
        erosion_init(rt, &erosion, N, M, 4, heights, NULL);
        ErodeSpec spec = rainy;
        spec.open = spec.has_sea = true;
        spec.sea = -20;
        for (int k = 0; k < (turn == 2 ? STEPS : 1); k++)
            assert_true(erosion_run(rt, &erosion, &spec, turn == 2 ? 1 : STEPS));
        sums[turn] = 14695981039346656037u;
        for (int k = 0; k < N * M; k++) {
            uint64_t bits[2];
            memcpy(&bits[0], &erosion.ground[k], 8);
            memcpy(&bits[1], &erosion.water[k], 8);
            sums[turn] = ((sums[turn] ^ bits[0]) * 1099511628211u ^ bits[1]) * 1099511628211u;
        }
        free(heights);
        test_rt_close(&test);
    }
    assert_true(sums[0] == sums[1] && sums[0] == sums[2] && sums[0] != sums[3]);
}

static bool stop_now(Rt *rt) {
    (void)rt;
    return true;
}

static void erosion_stops_when_told(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = open_rt(&test);
    static const RtHost host = {.run = test_run, .poll = stop_now};
    rt->host = &host;
    rt->threads = 2;
    float *heights = rough(80, 300, 1, 0);
    Erosion erosion;
    erosion_init(rt, &erosion, 80, 300, 4, heights, NULL);
    assert_false(erosion_run(rt, &erosion, &rainy, 1000000));
    free(heights);
    test_rt_close(&test);
}

/* A tilted plane under even rain stays a plane along its contours; a wall steeper than the talus comes down. */
static void erosion_of_simple_lands(void **state) {
    (void)state;
    enum { N = 40 };
    TestRt test;
    Rt *rt = open_rt(&test);
    float heights[N * N];
    for (int k = 0; k < N * N; k++)
        heights[k] = (float)(k % N) * 0.5F;
    Erosion erosion;
    erosion_init(rt, &erosion, N, N, 4, heights, NULL);
    assert_true(erosion_run(rt, &erosion, &rainy, 50));
    for (int j = 1; j < N; j++)
        for (int i = 0; i < N; i++)
            assert_true(erosion.ground[j * N + i] == erosion.ground[i]);
    for (int k = 0; k < N * N; k++)
        heights[k] = k % N < N / 2 ? 0 : 40;
    ErodeSpec dry = rainy;
    dry.rain = 0;
    dry.slide = 0.125;
    erosion_init(rt, &erosion, N, N, 4, heights, NULL);
    assert_true(erosion_run(rt, &erosion, &dry, 4000));
    for (int j = 0; j < N; j++)
        for (int i = 1; i < N; i++)
            assert_true(fabs(erosion.ground[j * N + i] - erosion.ground[j * N + i - 1]) < 0.78 * 4 + 0.02);
    test_rt_close(&test);
}

/* -- drainage -- */

/* Levels by asking again and again until nothing changes (Planchon and Darboux's definition). */
static void fill_slowly(const Land *land, float *levels) {
    int n = land->columns, m = land->rows;
    for (int k = 0; k < n * m; k++)
        levels[k] = k % n == 0 || k % n == n - 1 || k < n || k >= n * (m - 1) ? land->heights[k] : INFINITY;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < n * m; k++) {
            if (levels[k] == land->heights[k]) continue;
            float least = INFINITY;
            for (int way = 1; way <= 8; way++)
                least = fminf(least, levels[k + drain_dx[way] + drain_dz[way] * n]);
            float level = fmaxf(least, land->heights[k]);
            if (level < levels[k]) levels[k] = level, changed = true;
        }
    }
}

static void levels_are_the_least(void **state) {
    (void)state;
    enum { N = 61, M = 47 };
    for (uint32_t seed = 0; seed < 12; seed++) {
        TestRt test;
        Rt *rt = open_rt(&test);
        float *heights = rough(N, M, seed, seed % 3 == 2 ? 2 : 0), slow[N * M], fast[N * M];
        Land land = {.columns = N, .rows = M, .cell = 2, .heights = heights};
        fill_slowly(&land, slow);
        drain_fill(rt, &land, fast);
        assert_memory_equal(slow, fast, sizeof slow);
        free(heights);
        test_rt_close(&test);
    }
}

/* Over 100 seeds: down every way the filled land never rises, and from every square it leads to the sea or past the border; all that falls arrives. */
static void every_drop_arrives(void **state) {
    (void)state;
    enum { N = 65 };
    for (uint32_t seed = 0; seed < 100; seed++) {
        TestRt test;
        Rt *rt = open_rt(&test);
        float *heights = rough(N, N, seed, seed % 4 == 3 ? 1 : 0), leaning[N * N];
        Land land = {N, N, 4, heights, true, -20};
        Drainage drainage;
        assert_true(drain_init(rt, &drainage, &land, NULL));
        int64_t arrived = 0;
        for (int k = 0; k < N * N; k++) {
            assert_true(drainage.levels[k] >= heights[k]);
            int32_t next = drain_next(&drainage, k);
            if (next < 0) {
                arrived += drainage.area[k];
                bool border = k % N == 0 || k % N == N - 1 || k < N || k >= N * (N - 1);
                assert_true(border || heights[k] <= -20);
            } else {
                assert_true(drainage.levels[next] <= drainage.levels[k] && drainage.area[next] > drainage.area[k]);
            }
        }
        assert_true(arrived == (int64_t)N * N * DRAIN_UNIT);
        drain_lean(&drainage, 0.001, leaning);
        for (int k = 0; k < N * N; k++)
            if (drain_next(&drainage, k) >= 0) assert_true(leaning[drain_next(&drainage, k)] < leaning[k]);
        int64_t count;
        const RiverPoint *points = rivers_trace(rt, &drainage, 30 * DRAIN_UNIT, 3, &count);
        for (int64_t i = 1; i < count; i++)
            if (points[i].river == points[i - 1].river) assert_true(points[i].level <= points[i - 1].level);
        free(heights);
        test_rt_close(&test);
    }
}

/* The seven other ways to lay a land. */
static int laid(int k, int n, int how) {
    int i = k % n, j = k / n, t;
    if (how & 4) t = i, i = j, j = t;
    return (how & 2 ? n - 1 - j : j) * n + (how & 1 ? n - 1 - i : i);
}

static uint8_t laid_way(uint8_t way, int how) {
    if (way == 0) return 0;
    int dx = drain_dx[way], dz = drain_dz[way], t;
    if (how & 4) t = dx, dx = dz, dz = t;
    if (how & 1) dx = -dx;
    if (how & 2) dz = -dz;
    for (uint8_t k = 1; k <= 8; k++)
        if (drain_dx[k] == dx && drain_dz[k] == dz) return k;
    return 0;
}

/* With lakes, and heights in steps of half a meter, which makes flats everywhere. */
static void a_mirrored_land_has_mirrored_rivers(void **state) {
    (void)state;
    enum { N = 129 };
    uint64_t sum = 14695981039346656037u;
    for (uint32_t seed = 0; seed < 6; seed++) {
        TestRt test;
        Rt *rt = open_rt(&test);
        float *heights = rough(N, N, seed, seed % 2 ? 0.5 : 0), other[N * N];
        Land land = {N, N, 4, heights, true, -30}, turned = {N, N, 4, other, true, -30};
        Drainage drainage, there;
        assert_true(drain_init(rt, &drainage, &land, NULL));
        int64_t *area = calloc(N * N, sizeof *area), *area_there = calloc(N * N, sizeof *area);
        float *angles = calloc(N * N, sizeof *angles);
        drain_spread(rt, &drainage, angles, area);
        long lakes = 0;
        for (int k = 0; k < N * N; k++) {
            lakes += drainage.levels[k] > heights[k];
            sum = ((sum ^ drainage.ways[k]) * 1099511628211u ^ (uint64_t)drainage.area[k]) * 1099511628211u;
        }
        assert_true(lakes > 100);
        for (int how = 1; how < 8; how++) {
            for (int k = 0; k < N * N; k++)
                other[laid(k, N, how)] = heights[k];
            rt->threads = 1 + how % 3; /* by how many it is worked out changes nothing */
            assert_true(drain_init(rt, &there, &turned, NULL));
            drain_spread(rt, &there, angles, area_there);
            for (int k = 0; k < N * N; k++) {
                int l = laid(k, N, how);
                assert_int_equal(there.ways[l], laid_way(drainage.ways[k], how));
                assert_true(there.area[l] == drainage.area[k] && area_there[l] == area[k]);
            }
        }
        free(area), free(area_there), free(angles), free(heights);
        test_rt_close(&test);
    }
    assert_true(sum == 0x8e4fb7a941c7c2cc); /* as it was when levels were a flood of squares: lands keep their rivers */
}

/* A V valley: its floor takes all; a bowl: one lake, flat at its lip; a tree of streams: Strahler's order by hand. */
static void simple_waters(void **state) {
    (void)state;
    enum { N = 21 };
    TestRt test;
    Rt *rt = open_rt(&test);
    float heights[N * N];
    for (int k = 0; k < N * N; k++)
        heights[k] = (float)abs(k % N - 10) + 0.1F * (float)(N - k / N);
    Land land = {.columns = N, .rows = N, .cell = 5, .heights = heights};
    Drainage drainage;
    assert_true(drain_init(rt, &drainage, &land, NULL));
    assert_true(drainage.area[20 * N + 10] == (int64_t)(19 * 19 + 2) * DRAIN_UNIT - (int64_t)1 * DRAIN_UNIT);
    uint8_t orders[N * N];
    drain_strahler(&drainage, 12 * DRAIN_UNIT, orders);
    assert_int_equal(orders[15 * N + 10], 1);
    for (int k = 0; k < N * N; k++) {
        double x = k % N - 10.3, z = k / N - 9.8, r = sqrt(x * x + z * z);
        heights[k] = (float)(r < 7 ? -2 + r * 0.6 : 2.2 - (r - 7)) + (float)(k % N) * 0.01F;
    }
    assert_true(drain_init(rt, &drainage, &land, NULL));
    int32_t numbers[N * N], count, basins[N * N];
    const Lake *lakes = lakes_find(rt, &drainage, 3, 0.1, numbers, &count);
    assert_int_equal(count, 1);
    double volume = 0;
    int32_t squares = 0;
    for (int k = 0; k < N * N; k++) {
        assert_true((numbers[k] == 1) == (drainage.levels[k] > heights[k]));
        if (numbers[k] != 1) continue;
        squares++;
        volume += lakes[0].level - (double)heights[k];
        assert_true((double)drainage.levels[k] == lakes[0].level);
    }
    assert_true(squares == lakes[0].squares && fabs(volume - lakes[0].volume) < 1e-4 && lakes[0].deepest == 10 * N + 10);
    assert_true(numbers[lakes[0].outlet] == 0 && (double)heights[lakes[0].outlet] == lakes[0].level);
    assert_true(drain_basins(rt, &drainage, basins) > 1 && basins[lakes[0].deepest] == 1);
    /* floats hold no odd number past 2^24: what is numbered so has none */
    const int32_t held[] = {0, 1, 7, (1 << 24) - 1, 1 << 24, (1 << 24) + 1, (1 << 24) + 2, INT32_MAX};
    for (int i = 0; i < 8; i++)
        assert_int_equal((int32_t)drain_number(held[i]), i < 5 ? held[i] : 0);
    test_rt_close(&test);
}

/* A dome sends its water evenly outward by D-infinity, where D8 knows eight ways only. */
static void water_spreads_over_a_dome(void **state) {
    (void)state;
    enum { N = 41 };
    TestRt test;
    Rt *rt = open_rt(&test);
    float heights[N * N], angles[N * N];
    int64_t area[N * N], sum = 0;
    for (int k = 0; k < N * N; k++) {
        double x = k % N - 20, z = k / N - 20;
        heights[k] = (float)(-0.02 * (x * x + z * z));
    }
    Land land = {.columns = N, .rows = N, .cell = 1, .heights = heights};
    Drainage drainage;
    assert_true(drain_init(rt, &drainage, &land, NULL));
    drain_spread(rt, &drainage, angles, area);
    for (int k = 0; k < N * N; k++) {
        if (drainage.ways[k] == 0) {
            sum += area[k];
            continue;
        }
        int x = k % N - 20, z = k / N - 20;
        double away = atan2(z, x), off = fabs(remainder(away - (double)angles[k], 6.283185307179586));
        if (x * x + z * z > 100) assert_true(off < 0.06);
    }
    assert_true(sum == (int64_t)N * N * DRAIN_UNIT);
    test_rt_close(&test);
}

/* Steady mountains: where what rises is what is cut, k A^(1/2) slope = rate. */
static void mountains_come_to_rest(void **state) {
    (void)state;
    enum { N = 48 };
    TestRt test;
    Rt *rt = open_rt(&test);
    float *heights = rough(N, N, 5, 0), rise[N * N];
    for (int k = 0; k < N * N; k++) {
        rise[k] = 1;
        heights[k] *= 0.05F;
    }
    UpliftSpec spec = {.step = 20, .rate = 0.5, .cut = 20, .talus = 5};
    assert_true(uplift_run(rt, N, N, 100, heights, rise, &spec, 400));
    Land land = {.columns = N, .rows = N, .cell = 100, .heights = heights};
    Drainage drainage;
    assert_true(drain_init(rt, &drainage, &land, NULL));
    for (int k = 0; k < N * N; k++) {
        int32_t next = drain_next(&drainage, k);
        if (next < 0) continue;
        double far = 100 * (drainage.ways[k] & 1 ? 1 : DRAIN_CORNER), slope = (double)(heights[k] - heights[next]) / far;
        double cut = 20 * sqrt((double)drainage.area[k] / DRAIN_UNIT * 0.01) * slope;
        assert_true(fabs(cut - 0.5) < 0.05);
    }
    free(heights);
    test_rt_close(&test);
}

/* -- masks -- */

static void distances_are_exact(void **state) {
    (void)state;
    enum { N = 73, M = 51 };
    TestRt test;
    Rt *rt = open_rt(&test);
    rt->threads = 2;
    for (int tenths = 0; tenths < 3; tenths++) {
        float mask[N * M], distances[N * M];
        for (int k = 0; k < N * M; k++)
            mask[k] = cell_noise(k, tenths, 9) < 0.03 * tenths ? 1 : 0;
        mask_distances(rt, N, M, 3, mask, distances);
        for (int k = 0; k < N * M; k++) {
            int64_t best = INT64_MAX;
            for (int l = 0; l < N * M; l++) {
                int64_t dx = k % N - l % N, dz = k / N - l / N;
                if (mask[l] > 0.5F && dx * dx + dz * dz < best) best = dx * dx + dz * dz;
            }
            assert_true(best == INT64_MAX ? isinf(distances[k]) : distances[k] == (float)(sqrt((double)best) * 3));
        }
    }
    test_rt_close(&test);
}

/* The sky over a plain is whole; beside a long wall half of it, less; a tower's shadow falls away from the sun, as long as its height says. */
static void sky_and_sun(void **state) {
    (void)state;
    enum { N = 65 };
    TestRt test;
    Rt *rt = open_rt(&test);
    float heights[N * N] = {0}, sky[N * N], lit[N * N];
    mask_sky(rt, N, N, 2, heights, sky);
    for (int k = 0; k < N * N; k++)
        assert_true(sky[k] == 1);
    for (int k = 0; k < N * N; k++)
        heights[k] = k % N == 30 || k % N == 29 ? 100 : 0;
    mask_sky(rt, N, N, 2, heights, sky);
    assert_true(fabs((double)sky[32 * N + 31] - 0.5) < 0.08 && sky[32 * N + 60] > sky[32 * N + 40] && sky[32 * N + 30] == 1);
    memset(heights, 0, sizeof heights);
    heights[32 * N + 32] = 20; /* the sun stands in the east, at 45 degrees: a shadow of 10 squares to the west */
    mask_sun(rt, N, N, 2, heights, 1, 1, 0, lit);
    for (int i = 0; i < N; i++) {
        if (i > 32 || i < 20) assert_true(lit[32 * N + i] == 1);
        if (i >= 24 && i < 31) assert_true(lit[32 * N + i] == 0);
        assert_true(lit[10 * N + i] == 1);
    }
    mask_sun(rt, N, N, 2, heights, 0, -1, 0, lit);
    assert_true(lit[0] == 0);
    test_rt_close(&test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(erosion_keeps_all),         cmocka_unit_test(erosion_is_the_same_on_any_threads),
        cmocka_unit_test(erosion_stops_when_told),   cmocka_unit_test(erosion_of_simple_lands),
        cmocka_unit_test(levels_are_the_least),      cmocka_unit_test(every_drop_arrives),
        cmocka_unit_test(a_mirrored_land_has_mirrored_rivers), cmocka_unit_test(simple_waters),
        cmocka_unit_test(water_spreads_over_a_dome), cmocka_unit_test(mountains_come_to_rest),
        cmocka_unit_test(distances_are_exact),       cmocka_unit_test(sky_and_sun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
