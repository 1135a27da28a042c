/* The seeds of checks: on any number of threads what one thread tells, in its order; faults, stops and scarcity among it. */
#include <pthread.h>
#include <stdatomic.h>

#include "tests/support/host.h"

static const char world_text[] =
    "field seed: seed = 7\n"
    "field draw: fraction = toUnit(random(seed, 3))\n"
    "field many = (0 ..< 400 + int(random(seed, 1) % 9)).toList().map(i => [i, i])\n"
    "field land = heightGrid(cell: 1 m, points: 17, height: p => 1 m * fbm(p.x / 30 m, p.z / 30 m, seed: seed, octaves: 3))\n"
    "field raised = 0 m\n"
    "field list = [1, 2, 3]\n"
    "part row\n"
    "  each i in 0 ..< int(seed % 4) {\n"
    "    part post[i]\n"
    "      field tall = draw\n"
    "      check \"of its own seed\" { tall < 2 }\n"
    "      check \"of posts\", seeds: 10 ..< 50 { tall < 0.7 }\n"
    "  }\n";

/* What is told, and what stays: the world's own seed, and what rests on it. */
static WorldStatus check(WorldEngineDesc desc, const char *checks, const char *set, char *told, size_t size) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s", world_text, checks);
    Host host = open_host(desc, text);
    if (set) must(&host, world_set(host.world, "raised", set));
    WorldStatus status = world_check(host.world);
    snprintf(told, size, "%s", world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN));
    assert_answer(&host, "(seed, row.post[2].tall == draw, many.length())", "(7, true, 404)");
    world_engine_destroy(host.engine);
    return status;
}

static void assert_same(const char *checks, const char *set, WorldStatus expected, const char *part) {
    char alone[8192], told[8192];
    assert_int_equal(check((WorldEngineDesc){.threads = 1}, checks, set, alone, sizeof alone), expected);
    if (!strstr(alone, part)) fail_msg("no '%s' in\n%s", part, alone);
    for (int threads = 2; threads <= 5; threads += 3)
        for (int turn = 0; turn < 3; turn++) {
            assert_int_equal(check((WorldEngineDesc){.threads = threads}, checks, set, told, sizeof told), expected);
            assert_string_equal(told, alone);
        }
}

static void test_failures(void **state) {
    (void)state;
    assert_same("", NULL, WORLD_ERROR_WORLD, "in 'row.post[0]'");
    assert_same("check \"small\", seeds: 0 ..< 100 { draw < 0.9 }\n"
                "check \"a fraction\", seeds: 0 ..< 20 { draw >= 0 && draw < 1 }\n"
                "check \"low\", seeds: -5 ..< 60 { highest(p => land.heightAt(p), every: 3 m) < 0.5 m }\n"
                "check \"few\", seeds: 20 ..< 90 { many.length() < 408 }\n",
                NULL, WORLD_ERROR_WORLD, "with seed");
    assert_same("check \"never\", seeds: 0 ..< 1000000000 { draw < 0 }\n", NULL, WORLD_ERROR_WORLD, "with seed 0");
}

/* A check that failed before is not asked, so it has no fault; one that comes to it first ends all. */
static void test_faults(void **state) {
    (void)state;
    static const char faulty[] = "check \"faulty\", seeds: 0 ..< 90 { list[if int(seed) == 33 { 5 } else { 0 }] == 1 && int(seed) != %d }\n";
    char checks[512];
    snprintf(checks, sizeof checks, faulty, 31);
    assert_same(checks, NULL, WORLD_ERROR_WORLD, "with seed 31");
    snprintf(checks, sizeof checks, faulty, 35);
    assert_same(checks, NULL, WORLD_ERROR_WORLD, "index 5 of 3");
    assert_same("field wrong = list[if int(seed) == 21 { 5 } else { 0 }]\n"
                "check \"faulty\", seeds: 3 ..< 90 { wrong == 1 && draw < 2 }\n"
                "check \"after\", seeds: 0 ..< 90 { int(seed) != 21 }\n",
                NULL, WORLD_ERROR_WORLD, "while 'wrong' was being worked out");
}

/* What a host set holds for every seed. */
static void test_set_before(void **state) {
    (void)state;
    static const char raised[] = "check \"raised\", seeds: 0 ..< 20 { raised == 3 m && int(seed) != 5 }\n";
    assert_same(raised, "3 m", WORLD_ERROR_WORLD, "with seed 5");
    assert_same(raised, NULL, WORLD_ERROR_WORLD, "with seed 0");
}

/* A second check of one world runs as the first did. */
static void test_twice(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 3}, "field seed: seed = 7\nfield a = int(seed) + 1\ncheck \"a\", seeds: 0 ..< 30 { a < 25 }\n");
    char first[1024];
    assert_int_equal(world_check(host.world), WORLD_ERROR_WORLD);
    snprintf(first, sizeof first, "%s", world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN));
    assert_int_equal(world_check(host.world), WORLD_ERROR_WORLD);
    assert_string_equal(world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN), first);
    assert_answer(&host, "a", "8");
    world_engine_destroy(host.engine);
}

/* -- who is called, and from where -- */

typedef struct Caller {
    World *world;
    pthread_t asking;
    atomic_int elsewhere, let_in;
    int hooked, stops_at;
} Caller;

static double called(void *user, double x) {
    Caller *caller = user;
    WorldValue *value;
    if (pthread_equal(pthread_self(), caller->asking)) return x;
    caller->elsewhere++;
    if (world_ask(caller->world, "seed", &value) == WORLD_OK) caller->let_in++;
    return x;
}

static bool hook(void *user, const char *what, double seconds) {
    Caller *caller = user;
    (void)seconds;
    if (caller->world == NULL) return false; /* it is being opened */
    assert_non_null(what);
    assert_true(pthread_equal(pthread_self(), caller->asking));
    return ++caller->hooked == caller->stops_at;
}

static WorldStatus check_called(Caller *caller, WorldEngineDesc desc, const char *text) {
    Host host = {0};
    caller->asking = pthread_self();
    must(&host, world_engine_create(&desc, &host.engine));
    must(&host, world_register(host.engine, "called(x: number) number", (void (*)(void))called, caller));
    WorldDesc world = {.progress = hook, .progress_user = caller};
    WorldStatus status = world_open_text(host.engine, text, strlen(text), &world, &host.world);
    if (status == WORLD_ERROR_LIMIT) { /* a machine so busy that opening takes as long */
        world_engine_destroy(host.engine);
        return status;
    }
    must(&host, status);
    caller->world = host.world;
    status = world_check(host.world);
    if (status != WORLD_OK) assert_first_id(&host, host.world, "E0514");
    assert_answer(&host, "seed", "7");
    world_engine_destroy(host.engine);
    return status;
}

/* From another thread a host function may not ask the world, whose check waits for it. */
static void test_host_functions(void **state) {
    (void)state;
    Caller caller = {.stops_at = -1};
    for (int turn = 0; turn < 50 && caller.elsewhere == 0; turn++)
        assert_int_equal(check_called(&caller, (WorldEngineDesc){.threads = 4},
                                      "field seed: seed = 7\n"
                                      "check \"called\", seeds: 0 ..< 300 { called(number(int(seed))) >= 0 }\n"),
                         WORLD_OK);
    assert_true(caller.elsewhere > 0);
    assert_int_equal(caller.let_in, 0);
}

static const char endless[] = "field seed: seed = 7\n"
                              "check \"long\", seeds: 0 ..< 9 { (0 ..< 40000000).toList().all(i => i + int(seed) >= 0) }\n";

static void test_stops(void **state) {
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        WorldEngineDesc desc = {.threads = threads, .exec = WORLD_EXEC_INTERPRETER};
        Caller caller = {.stops_at = 2};
        assert_int_equal(check_called(&caller, desc, endless), WORLD_ERROR_LIMIT);
        assert_int_equal(caller.hooked, 2);
        desc.limits.build_seconds = 0.4;
        assert_int_equal(check_called(&(Caller){.stops_at = -1}, desc, endless), WORLD_ERROR_LIMIT);
    }
}

/* -- scarcity: where one thread has room, several do as well -- */

static WorldStatus check_in(uint64_t bytes, int threads) {
    static const char text[] = "field seed: seed = 7\n"
                               "field many = (0 ..< 200000).toList().map(i => i * (int(seed) + 1))\n"
                               "check \"room\", seeds: 0 ..< 5 { many.map(i => i + 1).length() > 9 }\n";
    Host host = open_host((WorldEngineDesc){.threads = threads, .exec = WORLD_EXEC_INTERPRETER, .limits.memory_bytes = bytes}, text);
    WorldStatus status = world_check(host.world);
    assert_answer(&host, "seed", "7");
    world_engine_destroy(host.engine);
    return status;
}

static void test_memory_limit(void **state) {
    (void)state;
    int good = 0, bad = 0;
    for (uint64_t bytes = 8 << 20; bytes <= 64 << 20; bytes *= 2) {
        WorldStatus alone = check_in(bytes, 1);
        good += alone == WORLD_OK;
        bad += alone == WORLD_ERROR_MEMORY;
        for (int threads = 2; threads <= 4 && alone != WORLD_ERROR_MEMORY; threads += 2)
            assert_int_equal(check_in(bytes, threads), alone);
    }
    assert_true(good > 1 && bad > 0);
}

static void test_scarcity(void **state) {
    (void)state;
    Scarce scarce = {.limit = 10000000};
    WorldEngineDesc desc = scarce_desc(&scarce);
    desc.threads = 3;
    Host host = open_host(desc, "field seed: seed = 7\n"
                                "field many = (0 ..< 100 + int(random(seed, 1)) % 9).toList().map(i => [i, i])\n"
                                "check \"many\", seeds: 0 ..< 9 { many.length() >= 100 && many.map(m => m.length()).length() > 9 }\n");
    assert_answer(&host, "seed", "7");
    check_until_memory_suffices(&host, &scarce);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failures),       cmocka_unit_test(test_faults), cmocka_unit_test(test_set_before),
        cmocka_unit_test(test_twice),          cmocka_unit_test(test_host_functions),
        cmocka_unit_test(test_stops),          cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_scarcity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
