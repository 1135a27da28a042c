/* What is refused, what ends at a limit, and what runs out of memory: told, and nothing is lost. */
#include "tests/support/host.h"

static void test_failed_open(void **state) {
    (void)state;
    Host host = {0};
    static const char text[] = "field a: meters = 1 s\n";
    must(&host, world_engine_create(&(WorldEngineDesc){0}, &host.engine));
    assert_int_equal(
        world_open_text(host.engine, text, strlen(text), &(WorldDesc){.name = "bad"}, &host.world),
        WORLD_ERROR_WORLD);
    assert_null(host.world);
    WorldDiagnostic diagnostic = {.size = sizeof diagnostic};
    assert_int_equal(world_diagnostic(host.engine, NULL, 0, &diagnostic), WORLD_OK);
    assert_string_equal(diagnostic.file, "bad");
    assert_int_equal(diagnostic.line, 1);
    assert_int_equal(world_open_file(host.engine, "no/such.world", &(WorldDesc){0}, &host.world),
                     WORLD_ERROR_FILE);
    WorldDesc keep = {.name = "bad", .keep_on_error = true};
    assert_int_equal(world_open_text(host.engine, text, strlen(text), &keep, &host.world),
                     WORLD_ERROR_WORLD);
    assert_non_null(host.world);
    assert_true(world_diagnostic_count(host.engine, host.world) > 0);
    WorldValue *value;
    assert_int_equal(world_ask(host.world, "1", &value), WORLD_ERROR_WORLD);
    world_engine_destroy(host.engine);
}

static void test_seed_and_limits(void **state) {
    (void)state;
    Host host = {0};
    WorldDesc seeded = {.has_seed = true, .seed = 99};
    must(&host,
         world_engine_create(&(WorldEngineDesc){.limits.memory_bytes = 256 << 20}, &host.engine));
    must(&host, world_open_file(host.engine, getenv("SMALL_WORLD"), &seeded, &host.world));
    assert_answer(&host, "seed", "99");
    WorldValue *value;
    assert_int_equal(world_ask(host.world, "(0 ..< 2000000000).toList().length()", &value),
                     WORLD_ERROR_MEMORY);
    assert_answer(&host, "1 + 1", "2");
    world_engine_destroy(host.engine);
}

static double twice(double at, double strength) {
    return at * strength;
}

static WorldStatus live_in_scarcity(Scarce *scarce) {
    Host host = {0};
    WorldValue *value = NULL;
    const WorldScene *scene;
    WorldEngineDesc desc = scarce_desc(scarce);
    WorldStatus status = world_engine_create(&desc, &host.engine);
    if (status == WORLD_OK)
        status = world_register(host.engine, "tide(at: seconds, strength: number = 2) seconds",
                                (void (*)(void))twice, NULL);
    if (status == WORLD_OK)
        status = world_open_file(host.engine, getenv("SMALL_WORLD"), &(WorldDesc){0}, &host.world);
    if (status == WORLD_OK) status = world_ask(host.world, "yard.stake", &value);
    world_value_destroy(value);
    if (status == WORLD_OK) status = world_build(host.world);
    if (status == WORLD_OK) status = world_set(host.world, "base", "5 m");
    if (status == WORLD_OK) status = world_scene(host.world, &scene);
    if (status == WORLD_OK) status = world_reload(host.world);
    world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN);
    world_engine_destroy(host.engine);
    return status;
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    assert_scarcity(live_in_scarcity);
}

static void send_nowhere(void *user, const char *json, size_t length) {
    (void)json;
    *(size_t *)user += length;
}

static WorldStatus say(WorldEditor *editor, const char *json) {
    return world_editor_message(editor, json, strlen(json));
}

/* An editor that opens a text with a mistake, asks what a name is and what may be written, and renames it. */
static WorldStatus edit_in_scarcity(Scarce *scarce) {
    static const char *const messages[] = {
        "{\"id\":1,\"method\":\"initialize\",\"params\":{}}",
        "{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":\"file:///a\",\"version\":1,\"text\":\"field x = 1 m\\nfield y = x + 2 m\\n\"}}}",
        "{\"id\":2,\"method\":\"textDocument/hover\",\"params\":{\"textDocument\":{\"uri\":\"file:///a\"},\"position\":{\"line\":1,\"character\":10}}}",
        "{\"id\":3,\"method\":\"textDocument/completion\",\"params\":{\"textDocument\":{\"uri\":\"file:///a\"},\"position\":{\"line\":1,\"character\":11}}}",
        "{\"id\":4,\"method\":\"textDocument/rename\",\"params\":{\"textDocument\":{\"uri\":\"file:///a\"},\"position\":{\"line\":1,\"character\":10},\"newName\":\"z\"}}"};
    WorldEngine *engine = NULL;
    WorldEditor *editor = NULL;
    size_t sent = 0;
    WorldEngineDesc desc = scarce_desc(scarce);
    WorldEditorDesc editing = {.size = sizeof editing, .send = send_nowhere, .user = &sent};
    WorldStatus status = world_engine_create(&desc, &engine);
    if (status == WORLD_OK) status = world_editor_create(engine, &editing, &editor);
    for (size_t i = 0; status == WORLD_OK && i < sizeof messages / sizeof *messages; i++)
        status = say(editor, messages[i]);
    if (status == WORLD_OK) status = world_editor_rest(editor);
    assert_true(status != WORLD_OK || sent > 1000);
    world_editor_destroy(editor);
    world_engine_destroy(engine);
    return status;
}

static void test_editor_scarcity(void **state) {
    (void)state;
    assert_scarcity(edit_in_scarcity);
}

static void test_editor_refuses(void **state) {
    (void)state;
    WorldEngine *engine;
    WorldEditor *editor = NULL;
    WorldEditorDesc desc = {.size = sizeof desc};
    assert_int_equal(world_engine_create(&(WorldEngineDesc){0}, &engine), WORLD_OK);
    assert_int_equal(world_editor_create(NULL, &desc, &editor), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_editor_create(engine, &(WorldEditorDesc){0}, &editor), WORLD_ERROR_ARGUMENT);
    assert_null(editor);
    assert_int_equal(world_editor_create(engine, &desc, &editor), WORLD_OK); /* who sends nowhere hears nothing */
    assert_int_equal(world_editor_message(editor, NULL, 0), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_editor_message(NULL, "{}", 2), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_editor_rest(NULL), WORLD_ERROR_ARGUMENT);
    assert_int_equal(say(editor, "{\"id\":1,\"method\":\"shutdown\"}"), WORLD_OK);
    assert_int_equal(world_editor_exit_code(editor), -1);
    assert_int_equal(say(editor, "{\"method\":\"exit\"}"), WORLD_OK);
    assert_int_equal(world_editor_exit_code(editor), 0);
    assert_int_equal(world_editor_exit_code(NULL), -1);
    world_editor_destroy(editor);
    world_editor_destroy(NULL);
    world_engine_destroy(engine);
}

static void assert_limit(WorldLimits limits, const char *text, const char *part_of_message) {
    Host host = {0};
    WorldDiagnostic diagnostic = {.size = sizeof diagnostic};
    must(&host, world_engine_create(&(WorldEngineDesc){.limits = limits}, &host.engine));
    must(&host, world_open_text(host.engine, text, strlen(text), &(WorldDesc){0}, &host.world));
    assert_int_equal(world_build(host.world), WORLD_ERROR_LIMIT);
    must(&host, world_diagnostic(host.engine, host.world, 0, &diagnostic));
    assert_string_equal(diagnostic.id, "E0513");
    if (!strstr(diagnostic.message, part_of_message)) fail_msg("%s", diagnostic.message);
    world_engine_destroy(host.engine);
}

static void test_limits(void **state) {
    (void)state;
    assert_limit((WorldLimits){.list_items = 10}, "field a = (0 ..< 11).toList()\n", "at most 10");
    assert_limit((WorldLimits){.grid_samples = 80},
                 "fn f(here: point) meters { 1 m }\nfield g: heightGrid = heightGrid(cell: 1 m, "
                 "points: 9, height: f)\n",
                 "at most 80");
    assert_limit((WorldLimits){.parts = 5}, "part a\n  each i in 0 ..< 5 {\n    part b[i]\n  }\n",
                 "at most 5");
    assert_limit((WorldLimits){0},
                 "fn f(n: int) int {\n  var s = 0\n  each i in 0 ..< n { s += i % 3 }\n  "
                 "s\n}\nfield a = f(1000000000000)\n",
                 "steps");
}

static bool stop_at_once(void *user, const char *what, double seconds) {
    (void)seconds;
    if (strcmp(what, "the text") == 0) return false; /* while it opens */
    *(int *)user += 1;
    return true;
}

static void test_stop(void **state) {
    (void)state;
    Host host = {0};
    int asked = 0;
    WorldDesc desc = {.progress = stop_at_once, .progress_user = &asked};
    static const char text[] =
        "field grid: heightGrid = heightGrid(cell: 1 m, points: 8193, height: wavy)\n"
        "fn wavy(here: point) meters { 1 m * sin(here.x * 1 deg / 1 m) * cos(here.z * 1 deg / 1 m) "
        "}\n";
    must(&host,
         world_engine_create(&(WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER}, &host.engine));
    must(&host, world_open_text(host.engine, text, strlen(text), &desc, &host.world));
    assert_int_equal(world_build(host.world), WORLD_ERROR_LIMIT);
    assert_int_equal(asked, 1);
    world_engine_destroy(host.engine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_editor_scarcity),
        cmocka_unit_test(test_editor_refuses),
        cmocka_unit_test(test_failed_open),
        cmocka_unit_test(test_seed_and_limits),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
