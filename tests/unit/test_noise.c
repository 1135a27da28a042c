/* Hashes and noise: the published hash values, noise written out a second time here, its range, its
 * zeros, its derivatives against differences, its periods. Run under each executor.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "world/world.h"

static const char world_text[] =
    "fn gradientOf2(x: number, z: number, s: u32) sample2 { gradient2(x, z, s) }\n"
    "fn valueOf2(x: number, z: number, s: u32) sample2 { value2(x, z, s) }\n"
    "fn gradientOf3(x: number, y: number, z: number, s: u32) sample3 { gradient3(x, y, z, s) }\n"
    "fn valueOf3(x: number, y: number, z: number, s: u32) sample3 { value3(x, y, z, s) }\n"
    "fn octaveOf3(x: number, y: number, z: number, s: u32) number { fbm3(x, y, z, seed: s, "
    "octaves: 1) }\n"
    "fn fbmOf(x: number, z: number, s: u32) number { fbm(x, z, seed: s, octaves: 4) }\n"
    "fn ridgedOf(x: number, z: number, s: u32) number { ridged(x, z, seed: s, octaves: 4) }\n"
    "fn billowOf(x: number, z: number, s: u32) number { billow(x, z, seed: s, octaves: 4) }\n"
    "fn periodic(x: number, z: number, s: u32) sample2 { gradient2Periodic(x, z, 5, 3, s) }\n"
    "fn periodicValue(x: number, z: number, s: u32) sample2 { value2Periodic(x, z, 5, 3, s) }\n"
    "fn wide(x: number, z: number, s: u32) sample2 { gradient2Periodic(x, z, 4096, 4096, s) }\n"
    "fn warpOf(x: number, z: number, s: u32) number { warp(x, z, seed: s, octaves: 3) }\n"
    "fn waveOf(x: number, z: number, s: u32) wave { phacelle2(x, z, 0.6, 0.8, 1, 0.25, 0.4, s) }\n";

static WorldExec executor;
static WorldEngine *engine;
static World *world;

static int open_world(void **state) {
    (void)state;
    WorldEngineDesc desc = {.exec = executor};
    if (world_engine_create(&desc, &engine) != WORLD_OK) return -1;
    WorldStatus status =
        world_open_text(engine, world_text, sizeof world_text - 1, &(WorldDesc){0}, &world);
    if (status != WORLD_OK)
        print_error("%s\n", world_diagnostics_text(engine, NULL, WORLD_STYLE_HUMAN));
    return status;
}

static int close_world(void **state) {
    (void)state;
    world_close(world);
    world_engine_destroy(engine);
    return 0;
}

static void ask(const char *name, const WorldSlot *arguments, void *results) {
    WorldFunction function;
    assert_int_equal(world_function(world, name, NULL, &function), WORLD_OK);
    assert_int_equal(world_call(world, function, arguments, results), WORLD_OK);
}

typedef struct Sample {
    double value, d[3];
} Sample;

static Sample at2(const char *name, double x, double z, uint32_t seed) {
    Sample sample = {0};
    ask(name, (WorldSlot[]){{.number = x}, {.number = z}, {.bits = seed}}, &sample);
    return sample;
}

static Sample at3(const char *name, double x, double y, double z, uint32_t seed) {
    Sample sample = {0};
    ask(name, (WorldSlot[]){{.number = x}, {.number = y}, {.number = z}, {.bits = seed}}, &sample);
    return sample;
}

/* -- hashes -- */

static void hashes_are_as_published(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int64_t arguments[4];
        uint32_t wanted[4];
        int count;
    } known[] = {
        {"pcg", {0}, {129708002u}, 1},
        {"pcg", {1}, {2831084092u}, 1},
        {"pcg", {2}, {2055130248u}, 1},
        {"pcg", {0xffffffff}, {3861530882u}, 1},
        {"pcg", {123456789}, {4272394698u}, 1},
        {"pcg", {0xdeadbeef}, {1730779506u}, 1},
        {"pcg2d", {0, 0}, {417608103u, 90043601u}, 2},
        {"pcg2d", {1, 2}, {45825804u, 214070181u}, 2},
        {"pcg2d", {0xffffffff, 7}, {1216683889u, 3974706342u}, 2},
        {"pcg3d", {0, 0, 0}, {2611992518u, 2833812075u, 1058359340u}, 3},
        {"pcg3d", {1, 2, 3}, {4204755366u, 1223881804u, 1500469937u}, 3},
        {"pcg4d", {0, 0, 0, 0}, {251852841u, 760645481u, 850445371u, 3542436074u}, 4},
        {"pcg4d", {1, 2, 3, 4}, {908250390u, 4044648920u, 3775961919u, 45698095u}, 4},
        {"hash1", {5, 42}, {2143355903u}, 1},
        {"hash1", {-3, 42}, {3094598621u}, 1},
        {"hash2", {-2, 9, 42}, {3424231864u, 1126664629u, 2105803023u}, 3},
        {"hash3", {1, -1, 2, 42}, {1190010999u, 1950562044u, 2919536075u, 2058105507u}, 4},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        WorldSlot arguments[4], results[4];
        for (int k = 0; k < 4; k++)
            arguments[k].integer = known[i].arguments[k];
        ask(known[i].name, arguments, results);
        for (int k = 0; k < known[i].count; k++)
            assert_int_equal(results[k].bits, known[i].wanted[k]);
    }
}

/* -- the same noise, written from its definition -- */

static void pcg3d(uint32_t v[3]) {
    for (int i = 0; i < 3; i++)
        v[i] = v[i] * 1664525u + 1013904223u;
    for (int round = 0; round < 2; round++) {
        v[0] += v[1] * v[2];
        v[1] += v[2] * v[0];
        v[2] += v[0] * v[1];
        for (int i = 0; i < 3 && round == 0; i++)
            v[i] ^= v[i] >> 16;
    }
}

static double signed_of(uint32_t h) {
    return (double)(h >> 8) * 0x1p-23 - 1;
}

static double corner(double i, double j, double x, double z, uint32_t seed) {
    uint32_t v[3] = {(uint32_t)(int64_t)i, (uint32_t)(int64_t)j, seed};
    pcg3d(v);
    return signed_of(v[0]) * x + signed_of(v[1]) * z;
}

static double gradient_noise(double x, double z, uint32_t seed) {
    double i = floor(x), j = floor(z), fx = x - i, fz = z - j;
    double a = corner(i, j, fx, fz, seed), b = corner(i + 1, j, fx - 1, fz, seed);
    double c = corner(i, j + 1, fx, fz - 1, seed), d = corner(i + 1, j + 1, fx - 1, fz - 1, seed);
    double u = fx * fx * fx * (fx * (fx * 6 - 15) + 10),
           v = fz * fz * fz * (fz * (fz * 6 - 15) + 10);
    return a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v;
}

static uint32_t octave_seed(uint32_t i, uint32_t seed) {
    uint32_t x = i * 1664525u + 1013904223u, y = seed * 1664525u + 1013904223u;
    x += y * 1664525u;
    y += x * 1664525u;
    x ^= x >> 16;
    y ^= y >> 16;
    x += y * 1664525u;
    return x ^ x >> 16;
}

static double octaves(double x, double z, uint32_t seed, double (*shape)(double)) {
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += ldexp(
            shape(gradient_noise(ldexp(x, i), ldexp(z, i), octave_seed((uint32_t)i, seed))), -i);
    return sum;
}

static double plain(double n) {
    return n;
}
static double crest(double n) {
    return (1 - fabs(n)) * (1 - fabs(n));
}
static double lump(double n) {
    return 2 * fabs(n) - 1;
}

/* Places all over the plan, none on a lattice line. */
static void place(int i, double out[3]) {
    out[0] = fmod(i * 0.7548776662466927, 1) * 40 - 20;
    out[1] = fmod(i * 0.5698402909980532, 1) * 40 - 20;
    out[2] = fmod(i * 0.3819660112501051, 1) * 40 - 20;
}

static void noise_is_as_defined(void **state) {
    (void)state;
    for (int i = 0; i < 500; i++) {
        double p[3];
        place(i, p);
        uint32_t seed = 17 + (uint32_t)i % 3;
        double wanted = gradient_noise(p[0], p[1], seed);
        assert_true(at2("gradientOf2", p[0], p[1], seed).value == wanted);
        assert_true(at2("fbmOf", p[0], p[1], seed).value == octaves(p[0], p[1], seed, plain));
        assert_true(at2("ridgedOf", p[0], p[1], seed).value == octaves(p[0], p[1], seed, crest));
        assert_true(at2("billowOf", p[0], p[1], seed).value == octaves(p[0], p[1], seed, lump));
        assert_true(at3("octaveOf3", p[0], p[1], p[2], seed).value ==
                    at3("gradientOf3", p[0], p[1], p[2], octave_seed(0, seed)).value);
    }
}

static void noise_stays_in_range(void **state) {
    (void)state;
    for (int i = 0; i < 1000; i++) {
        double p[3];
        place(i, p);
        assert_true(fabs(at2("gradientOf2", p[0], p[1], 5).value) <= 1);
        assert_true(fabs(at2("valueOf2", p[0], p[1], 5).value) <= 1);
        assert_true(fabs(at3("gradientOf3", p[0], p[1], p[2], 5).value) <= 1.5);
        assert_true(fabs(at3("valueOf3", p[0], p[1], p[2], 5).value) <= 1);
    }
}

static void lattice_points_are_exact(void **state) {
    (void)state;
    for (int i = -3; i <= 3; i++)
        for (int j = -3; j <= 3; j++) {
            assert_true(at2("gradientOf2", i, j, 42).value == 0);
            assert_true(at3("gradientOf3", i, j, i + j, 42).value == 0);
            uint32_t v[3] = {(uint32_t)i, (uint32_t)j, 42};
            pcg3d(v);
            assert_true(at2("valueOf2", i, j, 42).value == signed_of(v[0]));
        }
    /* hash3(1, -1, 2, 42), published */
    assert_true(at3("valueOf3", 1, -1, 2, 42).value == signed_of(1190010999u));
}

static void derivatives_match_differences(void **state) {
    (void)state;
    static const char *const planes[] = {"gradientOf2", "valueOf2", "periodic", "periodicValue"};
    static const char *const spaces[] = {"gradientOf3", "valueOf3"};
    const double h = 1e-5;
    for (int i = 0; i < 200; i++) {
        double p[3];
        place(i, p);
        for (int k = 0; k < 4; k++) {
            Sample here = at2(planes[k], p[0], p[1], 9);
            double dx =
                at2(planes[k], p[0] + h, p[1], 9).value - at2(planes[k], p[0] - h, p[1], 9).value;
            double dz =
                at2(planes[k], p[0], p[1] + h, 9).value - at2(planes[k], p[0], p[1] - h, 9).value;
            assert_true(fabs(here.d[0] - dx / (2 * h)) < 1e-6 &&
                        fabs(here.d[1] - dz / (2 * h)) < 1e-6);
        }
        for (int k = 0; k < 6; k++) {
            int axis = k % 3;
            double low[3], high[3];
            memcpy(low, p, sizeof p);
            memcpy(high, p, sizeof p);
            low[axis] -= h;
            high[axis] += h;
            const char *name = spaces[k / 3];
            double rise = at3(name, high[0], high[1], high[2], 9).value -
                          at3(name, low[0], low[1], low[2], 9).value;
            assert_true(fabs(at3(name, p[0], p[1], p[2], 9).d[axis] - rise / (2 * h)) < 1e-6);
        }
    }
}

static void periodic_noise_repeats(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        double x = (i * 37 % 640) / 64.0 - 5,
               z = (i * 53 % 640) / 64.0 - 5; /* so that x + 5 is exact */
        static const char *const names[] = {"periodic", "periodicValue"};
        for (int k = 0; k < 2; k++) {
            Sample here = at2(names[k], x, z, 3), away = at2(names[k], x + 5, z - 3, 3);
            assert_memory_equal(&here, &away, sizeof here);
        }
        Sample wide = at2("wide", x + 6, z + 6, 3), open = at2("gradientOf2", x + 6, z + 6, 3);
        assert_memory_equal(&wide, &open, sizeof wide); /* inside the period it is the open noise */
    }
}

static void warped_noise_is_fbm_of_fbm(void **state) {
    (void)state;
    for (int i = 0; i < 50; i++) {
        double p[3];
        place(i, p);
        assert_true(fabs(at2("warpOf", p[0], p[1], 7).value) < 1.75);
    }
}

static void waves_run_along_their_direction(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        double p[3], wave[4];
        place(i, p);
        ask("waveOf", (WorldSlot[]){{.number = p[0]}, {.number = p[1]}, {.bits = 31}}, wave);
        assert_true(hypot(wave[0], wave[1]) <= 1 + 1e-12);
        assert_true(fabs(wave[2] + 0.8 * 6.283185307179586) < 1e-12);
        assert_true(fabs(wave[3] - 0.6 * 6.283185307179586) < 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_as_published),
        cmocka_unit_test(noise_is_as_defined),
        cmocka_unit_test(noise_stays_in_range),
        cmocka_unit_test(lattice_points_are_exact),
        cmocka_unit_test(derivatives_match_differences),
        cmocka_unit_test(periodic_noise_repeats),
        cmocka_unit_test(warped_noise_is_fbm_of_fbm),
        cmocka_unit_test(waves_run_along_their_direction),
    };
    executor = WORLD_EXEC_INTERPRETER;
    int failed = cmocka_run_group_tests_name("interpreter", tests, open_world, close_world);
    executor = WORLD_EXEC_JIT_ALWAYS;
    WorldEngineDesc desc = {.exec = executor};
    if (world_engine_create(&desc, &engine) != WORLD_OK)
        return failed; /* a build without machine code */
    world_engine_destroy(engine);
    return failed + cmocka_run_group_tests_name("machine code", tests, open_world, close_world);
}
