/* A world of the window whose text is saved while it runs: its state goes on, or what is lost of it is said. */
#include "tests/support/host.h"

#include <unistd.h>

#include "compiler/cli/live_window.h"

int session_report(Cli *cli, WorldStatus status) { /* the window's, which prints */
    (void)cli;
    return status != WORLD_OK;
}

static char path[] = "/tmp/live-window-XXXXXX";

static void write_text(const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static bool says(const char *words, const char *part) {
    return words && strstr(words, part);
}

static void test_saved_anew(void **state) {
    (void)state;
    static const char counts[] = "part a\n  field n = 0\n  field m = 0\n  on(every(0.1 s), { n += 1; m += 1 })\n";
    Host host = open_host((WorldEngineDesc){.threads = 1}, NULL);
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    write_text(counts);
    must(&host, world_open_file(host.engine, path, &(WorldDesc){0}, &host.world));
    Cli cli = {.engine = host.engine, .world = host.world};
    LiveWindow live = {0};
    assert_null(live_window_run(&live, &cli, 1, NULL, 0));
    assert_answer(&host, "a.n", "10");

    write_text("part a\n  field n = 0\n  on(every(0.1 s), { n += 1 })\n"); /* without m */
    assert_int_equal(live_window_reload(&live, &cli), WORLD_OK);
    assert_true(says(live_window_run(&live, &cli, 1, NULL, 0), "no place in the world any more"));
    assert_null(live_window_run(&live, &cli, 1, NULL, 0));
    assert_answer(&host, "a.n", "30");

    write_text("field step: seconds = 0 s\npart a\n  field n = 0\n"); /* which can not run */
    assert_int_equal(live_window_reload(&live, &cli), WORLD_ERROR_WORLD);
    assert_true(says(live_window_run(&live, &cli, 1, NULL, 0), "a step of 0 s"));
    write_text(counts);
    assert_int_equal(live_window_reload(&live, &cli), WORLD_OK);
    assert_null(live_window_run(&live, &cli, 1, NULL, 0));
    assert_answer(&host, "a.n", "40");

    write_text("part a\n  field n = \n"); /* nor be read: it goes on as it was */
    assert_int_not_equal(live_window_reload(&live, &cli), WORLD_OK);
    assert_true(says(live_window_run(&live, &cli, 1, NULL, 0), "expected"));
    assert_answer(&host, "a.n", "50");
    live_window_end(&live);
    world_close(host.world);
    world_engine_destroy(host.engine);
    unlink(path);
}

/* Three taps of a key in one long frame are three; what a frame has no tick for waits, in its order. */
static void test_taps(void **state) {
    (void)state;
    static const char counts[] = "field step: seconds = 0.1 s\npart a\n  field n = 0\n"
                                 "  on(key(\"g\"), { n += 1 })\n  on(key(\"h\"), { n += 100 })\n";
    static const char *const keys[] = {"g", "g", "h", "g"};
    Host host = open_host((WorldEngineDesc){.threads = 1}, counts);
    Cli cli = {.engine = host.engine, .world = host.world};
    LiveWindow live = {0};
    assert_null(live_window_run(&live, &cli, 1, keys, 4));
    assert_answer(&host, "a.n", "103");
    assert_null(live_window_run(&live, &cli, 0.05, keys, 2)); /* no tick yet */
    assert_answer(&host, "a.n", "103");
    assert_null(live_window_run(&live, &cli, 0.05, keys, 1));
    assert_answer(&host, "a.n", "104");
    assert_null(live_window_run(&live, &cli, 0.1, NULL, 0));
    assert_answer(&host, "a.n", "105");
    assert_null(live_window_run(&live, &cli, 1, NULL, 0));
    assert_answer(&host, "a.n", "106");
    assert_null(live_window_run(&live, &cli, 1, NULL, 0));
    assert_answer(&host, "a.n", "106");
    live_window_end(&live);
    world_close(host.world);
    world_engine_destroy(host.engine);
}

/* Without memory for the state the world begins anew, and says so. */
static void test_lost(void **state) {
    (void)state;
    Scarce scarce = {.limit = 10000000};
    Host host = open_host(scarce_desc(&scarce), NULL);
    strcpy(path, "/tmp/live-window-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    write_text("part a\n  field n = 0\n  on(every(0.1 s), { n += 1 })\n");
    must(&host, world_open_file(host.engine, path, &(WorldDesc){0}, &host.world));
    Cli cli = {.engine = host.engine, .world = host.world};
    LiveWindow live = {0};
    assert_null(live_window_run(&live, &cli, 1, NULL, 0));
    bool told = false;
    for (long room = 0; room < 40 && !told; room++) {
        scarce.limit = scarce.wishes + room;
        live_window_reload(&live, &cli);
        scarce.limit = 10000000;
        told = says(live_window_run(&live, &cli, 0, NULL, 0), "begins anew");
    }
    assert_true(told);
    live_window_end(&live);
    world_close(host.world);
    world_engine_destroy(host.engine);
    assert_int_equal(scarce.held, 0);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_saved_anew), cmocka_unit_test(test_taps), cmocka_unit_test(test_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
