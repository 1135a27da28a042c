/* The sea: Fourier sums of 512 by 512 points on one core, and a whole surface of three tiles as the view asks for it each frame. */
#include <stdlib.h>

#include "runtime/ocean/ocean.h"
#include "tests/bench/table.h"

enum { TURNS = 9, POINTS = 512, FIELDS = 3 };

typedef struct Sums {
    Fft fft;
    float *parts[4];
} Sums;

/* Two fields of heights are one sum of complex numbers: three are one and a half. */
static void sum_three(void *user) {
    Sums *s = user;
    for (int k = 0; k < FIELDS; k++)
        fft_square(&s->fft, s->parts[0], s->parts[1], s->parts[2], s->parts[3]);
}

typedef struct Surface {
    OceanSpec spec;
    Fft fft;
    OceanWave *waves;
    OceanCell *cells;
    float *work;
    double time;
} Surface;

static void surface_once(void *user) {
    Surface *s = user;
    ocean_surface(&s->spec, &s->fft, s->waves, s->time += 0.016, s->cells, s->work);
}

static void *zeros(size_t count, size_t size) {
    void *memory = calloc(count, size);
    bench_require(memory != NULL, "memory");
    return memory;
}

static void sums_row(void) {
    Sums *sums = zeros(1, sizeof *sums);
    fft_init(&sums->fft, POINTS);
    for (int k = 0; k < 4; k++)
        sums->parts[k] = zeros((size_t)POINTS * POINTS, sizeof(float));
    BenchSide side = {sum_three, sums, 0};
    bench_measure(&side, 1, TURNS, BENCH_CPU);
    bench_row(&(BenchRow){"sea: three 512 x 512 fields of heights", "ms", side.seconds * 1e3 / 2, 0, BENCH_TIME, 5});
    bench_row(&(BenchRow){"sea: three 512 x 512 complex sums", "ms", side.seconds * 1e3, 0, BENCH_NO_GOAL, 0});
    for (int k = 0; k < 4; k++)
        free(sums->parts[k]);
    free(sums);
}

static void surface_row(int points, const char *what) {
    Surface *s = zeros(1, sizeof *s);
    s->spec = (OceanSpec){.wind = 12, .to_x = 1, .fetch = 2e5, .seed = 1, .points = points};
    fft_init(&s->fft, points);
    s->waves = zeros(ocean_cell_count(&s->spec), sizeof *s->waves);
    s->cells = zeros(ocean_cell_count(&s->spec), sizeof *s->cells);
    s->work = zeros(ocean_work_count(&s->spec), sizeof *s->work);
    ocean_waves(&s->spec, s->waves);
    BenchSide side = {surface_once, s, 0};
    bench_measure(&side, 1, TURNS, BENCH_CPU);
    bench_row(&(BenchRow){what, "ms", side.seconds * 1e3, 0, BENCH_NO_GOAL, 0});
    free(s->waves);
    free(s->cells);
    free(s->work);
    free(s);
}

void bench_ocean(const BenchPlace *place) {
    (void)place;
    sums_row();
    surface_row(128, "sea: a surface, three tiles of 128 x 128");
    surface_row(256, "sea: a surface, three tiles of 256 x 256");
}
