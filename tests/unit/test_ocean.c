/* The ocean's waves as statistics: what a surface measures against what its spectrum says, whatever the grid and the wind. */
#include "runtime/math/det_math.h"
#include "runtime/ocean/ocean.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct Sea {
    OceanSpec spec;
    Fft fft;
    OceanWave *waves;
    OceanCell *cells, *later;
    float *work;
} Sea;

static Sea *sea_make(double wind, int points, uint32_t seed) {
    Sea *sea = calloc(1, sizeof *sea);
    sea->spec = (OceanSpec){.wind = wind, .to_x = 0.8, .to_z = 0.6, .fetch = 2e5, .seed = seed, .points = points};
    fft_init(&sea->fft, points);
    sea->waves = calloc(ocean_cell_count(&sea->spec), sizeof *sea->waves);
    sea->cells = calloc(ocean_cell_count(&sea->spec), sizeof *sea->cells);
    sea->later = calloc(ocean_cell_count(&sea->spec), sizeof *sea->later);
    sea->work = calloc(ocean_work_count(&sea->spec), sizeof *sea->work);
    ocean_waves(&sea->spec, sea->waves);
    return sea;
}

static void sea_free(Sea *sea) {
    free(sea->waves);
    free(sea->cells);
    free(sea->later);
    free(sea->work);
    free(sea);
}

static void at_time(Sea *sea, double time, OceanCell *cells) {
    ocean_surface(&sea->spec, &sea->fft, sea->waves, time, cells, sea->work);
}

static const OceanCell *cell(const Sea *sea, const OceanCell *cells, int tile, int i, int j) {
    int n = sea->spec.points;
    return &cells[(tile * n + (j & (n - 1))) * n + (i & (n - 1))];
}

static void test_functions(void **state) {
    (void)state;
    for (int k = 0; k < 20000; k++) {
        double x = -690 + 0.069 * k, y = exp(x), z = det_exp(x);
        assert_true(fabs(z / y - 1) < 5e-16);
        assert_true(fabs(det_log(y) - log(y)) <= 4e-16 * fabs(log(y)) + 1e-18);
    }
}

/* Against the sums as they are written. */
static void test_sums(void **state) {
    (void)state;
    static float re[1024], im[1024], a[1024], b[1024], kept_re[1024], kept_im[1024];
    static Fft fft;
    for (int n = 16; n <= 32; n *= 2) {
        fft_init(&fft, n);
        for (int k = 0; k < n * n; k++) {
            kept_re[k] = re[k] = (float)((k * 7919) % 1000) / 500 - 1;
            kept_im[k] = im[k] = (float)((k * 104729) % 1000) / 500 - 1;
        }
        fft_square(&fft, re, im, a, b);
        for (int y = 0; y < n; y += 3)
            for (int x = 0; x < n; x++) {
                double want_re = 0, want_im = 0;
                for (int k = 0; k < n * n; k++) {
                    double turn = 2 * M_PI * ((k % n) * x + (k / n) * y) / n, c = cos(turn), s = sin(turn);
                    want_re += (double)kept_re[k] * c - (double)kept_im[k] * s;
                    want_im += (double)kept_re[k] * s + (double)kept_im[k] * c;
                }
                assert_true(fabs(want_re - (double)re[y * n + x]) < 1e-4 && fabs(want_im - (double)im[y * n + x]) < 1e-4);
            }
    }
}

/* Within two in a hundred of the spectrum's height, for every grid, wind and seed; measured: 0.3. */
static void test_height(void **state) {
    (void)state;
    for (int points = OCEAN_LEAST; points <= 256; points *= 2)
        for (double wind = 3; wind < 40; wind += 13) {
            Sea *sea = sea_make(wind, points, (uint32_t)points + (uint32_t)wind);
            at_time(sea, 40, sea->cells);
            double sum = 0;
            for (size_t k = 0; k < ocean_cell_count(&sea->spec); k++)
                sum += (double)sea->cells[k].height * (double)sea->cells[k].height;
            double height = 4 * sqrt(sum / (points * points)), want = ocean_significant_height(&sea->spec);
            if (fabs(height / want - 1) > 0.02) fail_msg("%d points, wind %g: %g m, wanted %g", points, wind, height, want);
            sea_free(sea);
        }
}

/* Crests go where the wind blows, not back and not across: what the height gains as time passes lies before them. */
static void test_direction(void **state) {
    (void)state;
    Sea *sea = sea_make(12, 128, 5);
    double sizes[OCEAN_TILES], along = 0, across = 0, size = 0;
    ocean_sizes(&sea->spec, sizes);
    at_time(sea, 10, sea->cells);
    at_time(sea, 10.05, sea->later);
    for (int j = 0; j < 128; j++)
        for (int i = 0; i < 128; i++) {
            double rate = (double)(cell(sea, sea->later, 0, i, j)->height - cell(sea, sea->cells, 0, i, j)->height) / 0.05;
            double x = (double)(cell(sea, sea->cells, 0, i + 1, j)->height - cell(sea, sea->cells, 0, i - 1, j)->height) * 64 / sizes[0];
            double z = (double)(cell(sea, sea->cells, 0, i, j + 1)->height - cell(sea, sea->cells, 0, i, j - 1)->height) * 64 / sizes[0];
            along -= rate * (0.8 * x + 0.6 * z);
            across -= rate * (0.8 * z - 0.6 * x);
            size += fabs(rate) * hypot(x, z);
        }
    assert_true(along > 0.4 * size && fabs(across) < 0.1 * size);
    sea_free(sea);
}

/* A place is drawn toward crests, and pressed together there. */
static void test_choppy(void **state) {
    (void)state;
    Sea *sea = sea_make(12, 256, 9);
    double sizes[OCEAN_TILES], same = 0, own = 0, other = 0, crest = 0;
    ocean_sizes(&sea->spec, sizes);
    at_time(sea, 3, sea->cells);
    for (int j = 0; j < 256; j++)
        for (int i = 0; i < 256; i++) {
            const OceanCell *here = cell(sea, sea->cells, 0, i, j);
            double spread = (double)(cell(sea, sea->cells, 0, i + 1, j)->east - cell(sea, sea->cells, 0, i - 1, j)->east +
                                     cell(sea, sea->cells, 0, i, j + 1)->south - cell(sea, sea->cells, 0, i, j - 1)->south) * 128 / sizes[0];
            same += spread * (double)here->spread;
            own += spread * spread;
            other += (double)here->spread * (double)here->spread;
            crest += (double)here->spread * (double)here->height;
        }
    assert_true(same > 0.99 * sqrt(own * other));
    assert_true(crest < 0);
    sea_free(sea);
}

static double height_at(const Sea *sea, double x, double z) {
    double sizes[OCEAN_TILES], sum = 0;
    ocean_sizes(&sea->spec, sizes);
    for (int tile = 0; tile < OCEAN_TILES; tile++) {
        double u = x / sizes[tile] * sea->spec.points, v = z / sizes[tile] * sea->spec.points;
        sum += (double)cell(sea, sea->cells, tile, (int)floor(u), (int)floor(v))->height;
    }
    return sum;
}

/* No step brings the sea back: not a tile's size, nor any other up to eight of the largest. */
static void test_no_pattern(void **state) {
    (void)state;
    Sea *sea = sea_make(9, 128, 3);
    double sizes[OCEAN_TILES];
    ocean_sizes(&sea->spec, sizes);
    at_time(sea, 0, sea->cells);
    for (int tile = 0; tile < OCEAN_TILES; tile++)
        for (int times = 1; times * sizes[tile] < 8 * sizes[0]; times++)
            for (int way = 0; way < 2; way++) {
                double step = times * sizes[tile], same = 0, all = 0;
                for (int k = 0; k < 4000; k++) {
                    double x = 13.7 * (k % 64), z = 11.3 * (k / 64), here = height_at(sea, x, z);
                    same += here * height_at(sea, x + (way ? 0 : step), z + (way ? step : 0));
                    all += here * here;
                }
                if (same > 0.75 * all) fail_msg("%d times tile %d: %g", times, tile, same / all);
            }
    sea_free(sea);
}

/* The same seed is the same sea; another is another; these bits are every machine's. */
static void test_bits(void **state) {
    (void)state;
    Sea *a = sea_make(8, 64, 1), *b = sea_make(8, 64, 2);
    at_time(a, 1.5, a->cells);
    at_time(a, 1.5, a->later);
    assert_memory_equal(a->cells, a->later, ocean_cell_count(&a->spec) * sizeof *a->cells);
    at_time(b, 1.5, b->cells);
    assert_memory_not_equal(a->cells, b->cells, ocean_cell_count(&a->spec) * sizeof *a->cells);
    uint64_t hash = 1469598103934665603u;
    for (size_t k = 0; k < ocean_cell_count(&a->spec); k++) {
        uint32_t words[4];
        memcpy(words, &a->cells[k], sizeof words);
        for (int part = 0; part < 4; part++)
            hash = (hash ^ words[part]) * 1099511628211u;
    }
    if (hash != UINT64_C(0xbc1e8ac5e90ba2a4)) fail_msg("%llx", (unsigned long long)hash);
    sea_free(a);
    sea_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions), cmocka_unit_test(test_sums),
                                       cmocka_unit_test(test_height),    cmocka_unit_test(test_direction),
                                       cmocka_unit_test(test_choppy),    cmocka_unit_test(test_no_pattern),
                                       cmocka_unit_test(test_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
