/* Erosion on the card against the processor's, by itself the same each time, and told to stop. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gpu/device.h"
#include "gpu/erosion.h"

enum { N = 97, M = 61, ALL = N * M, STEPS = 100 };

static Device device;

static bool never(Rt *rt) {
    (void)rt;
    return false;
}

/* As erosion.world has it when nothing is said. */
static const ErodeSpec plain = {.pipe = 0.15, .rain = 0.012, .evaporation = 0.03, .capacity = 0.35, .deep = 1.5, .dissolve = 0.3, .settle = 0.25,
                                .talus = 0.7812856, .slide = 0.08, .open = true};

static double bumps(double x, double z) {
    double sum = 0;
    for (int k = 0; k < 5; k++)
        sum += 40 / (1 << k) * sin(x / 23 * (1 << k) + 1.3 * k) * sin(z / 19 * (1 << k) + 0.7 * k * k);
    return sum;
}

typedef struct Land {
    float heights[ALL], rain[ALL], soft[ALL], loose[ALL];
} Land;

static void make_land(Land *land, double lifted) {
    for (int k = 0; k < ALL; k++) {
        land->heights[k] = (float)(lifted + bumps(k % N, k / N));
        land->rain[k] = k % N > N / 2 ? 2 : 0.5F;
        land->soft[k] = 0.5F + 0.5F * (float)(k / N) / M;
        land->loose[k] = k % 7 ? 0 : 0.5F;
    }
}

static void erode_on_processor(const CardErosion *what, float *ground, float *water) {
    static const RtHost host = {.poll = never};
    Memory memory;
    Arena arena;
    Rt rt;
    Erosion erosion;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    rt_init(&rt, &host, NULL, &arena);
    erosion_init(&rt, &erosion, what->columns, what->rows, what->cell, what->heights, what->loose);
    erosion.rain = what->rain;
    erosion.soft = what->soft;
    assert_true(erosion_run(&rt, &erosion, what->spec, what->steps));
    erosion_settle(&erosion);
    for (int k = 0; k < ALL; k++)
        ground[k] = (float)erosion.ground[k], water[k] = (float)erosion.water[k];
    rt_fini(&rt);
    arena_fini(&arena);
}

static void erode_on_card(const CardErosion *what, float *ground, float *water) {
    char error[512];
    if (!erosion_on_card(what, ground, water, error, sizeof error)) fail_msg("%s", error);
}

/* Open or walled, with a sea or none, with maps or none, low or a mile up. Where ground comes to lie under the sea a step sooner here than there, the water on it
 * is another at once. */
static void it_is_near_the_processor(void **state) {
    (void)state;
    static Land land;
    static float ground[ALL], water[ALL], here[ALL], wet[ALL], again[ALL];
    for (int turn = 0; turn < 4; turn++) {
        int how = (const int[]){1, 2, 4, 7}[turn];
        ErodeSpec spec = plain;
        spec.open = how & 1;
        spec.has_sea = how & 2;
        spec.sea = -12;
        make_land(&land, how == 4 ? 1600 : 0);
        CardErosion what = {.columns = N, .rows = M, .cell = 4, .heights = land.heights, .spec = &spec, .steps = STEPS};
        if (how & 4) what.rain = land.rain, what.soft = land.soft, what.loose = land.loose;
        erode_on_processor(&what, here, wet);
        erode_on_card(&what, ground, water);
        if (turn == 0) {
            erode_on_card(&what, again, NULL);
            assert_memory_equal(ground, again, sizeof ground);
        }
        double worst = 0, sum = 0, moved = 0, deep = 0;
        for (int k = 0; k < ALL; k++) {
            double off = fabs((double)ground[k] - (double)here[k]);
            worst = fmax(worst, off);
            deep = fmax(deep, fabs((double)water[k] - (double)wet[k]));
            sum += off;
            moved += fabs((double)here[k] - (double)land.heights[k]);
        }
        bool near = worst < (spec.has_sea ? 0.1 : 1e-3) && sum / ALL < (spec.has_sea ? 1e-4 : 1e-5) && deep < (spec.has_sea ? 0.3 : 1e-3);
        if (!near || moved / ALL < 0.5)
            fail_msg("land %d: ground is %.3g m off, %.3g m on the average, water %.3g m, where %.3g m were moved", how, worst, sum / ALL, deep, moved / ALL);
    }
    if (device.messages) fail_msg("%d messages of GL, the first: %s", device.messages, device.first_message);
}

static bool stop_at_half(void *user, double done) {
    double *told = user;
    assert_true(done >= *told && done <= 1);
    *told = done;
    return done < 0.5;
}

static void it_stops_when_told(void **state) {
    (void)state;
    static Land land;
    static float ground[ALL];
    char error[512];
    double told = 0;
    make_land(&land, 0);
    CardErosion what = {.columns = N, .rows = M, .cell = 4, .heights = land.heights, .spec = &plain, .steps = 200, .goes_on = stop_at_half, .user = &told};
    assert_false(erosion_on_card(&what, ground, NULL, error, sizeof error));
    assert_true(error[0] == '\0' && told >= 0.5 && told < 0.8);
}

int main(void) {
    char error[512];
    if (!device_open_offscreen(&device, true, error, sizeof error)) {
        fprintf(stderr, "skipped: %s\n", error);
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_near_the_processor), cmocka_unit_test(it_stops_when_told)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    device_close(&device);
    return failed;
}
