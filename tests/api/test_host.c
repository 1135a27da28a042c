/* Functions of a host that a world calls, hooks and visitors: what they give, and what they may not do meanwhile. */
#include <math.h>

#include "tests/support/host.h"

static double tide(double at, double strength) {
    return at * strength;
}

static void mirror(void *user, double x, double y, double z, int64_t k, double *out) {
    *(int *)user += 1;
    out[0] = -x;
    out[1] = y * (double)k;
    out[2] = z;
}

static double push(double x, double y, double z, double rate) {
    return ((x * 10 + y) * 10 + z) * 10 + rate;
}

static uint32_t flip(uint32_t word, bool all) {
    return all ? ~word : word ^ 1;
}

static void test_host_functions(void **state) {
    (void)state;
    Host host = {0};
    int calls = 0;
    must(&host, world_engine_create(&(WorldEngineDesc){0}, &host.engine));
    must(&host, world_register(host.engine, "tide(at: seconds, strength: number = 2) seconds",
                               (void (*)(void))tide, NULL));
    must(&host, world_register(host.engine, "mirror(here: point, k: int) point",
                               (void (*)(void))mirror, &calls));
    must(&host,
         world_register(host.engine, "flip(word: u32, all: bool) u32", (void (*)(void))flip, NULL));
    static const char *const strangers[] = {
        "bad(name: text) text",          "bad(xs: List[number]) number",
        "bad(x: number) List[number]",   "bad(x: (number, int)) number",
        "bad(x: number?) number",        "bad(x: number) spine",
        "bad(f: fn(number) number) int",
        "bad(x: meters) meters / spine",
    };
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        assert_int_equal(world_register(host.engine, strangers[i], (void (*)(void))tide, NULL),
                         WORLD_ERROR_ARGUMENT);
        assert_first_id(&host, NULL, "E0802");
    }
    must(&host, world_register(host.engine, "fits(area: meters^2, rate: meters / seconds) number",
                               (void (*)(void))tide, NULL));
    assert_int_equal(world_register(host.engine, "bad(", (void (*)(void))tide, NULL),
                     WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_register(host.engine, "flip(word: u32, all: bool) u32", (void (*)(void))tide, NULL),
                     WORLD_ERROR_ARGUMENT);
    assert_first_id(&host, NULL, "E0202");
    static const char *const refused[] = {
        "bad(at: metres) meters",  "bad(all: List[int]) int",   "bad(at = 1) number",
        "bad(over: spine) number", "bad(pair: (int, int)) int", "bad(way: direction * meters) int",
        "bad(at: meters)"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(world_register(host.engine, refused[i], (void (*)(void))tide, NULL),
                         WORLD_ERROR_ARGUMENT);
        assert_first_id(&host, NULL, "E0802");
    }
    must(&host,
         world_register(host.engine,
                        "push(by: vector[meters / seconds], rate: meters^2 / seconds) number",
                        (void (*)(void))push, NULL));
    must(&host, world_open_text(host.engine, "", 0, &(WorldDesc){0}, &host.world));
    assert_answer(&host, "push((1, 2, 3) / 1 s * 1 m, 4 m * 1 m / 1 s)", "1234");
    assert_answer(&host, "tide(3 s)", "6 s");
    assert_answer(&host, "tide(3 s, strength: 5)", "15 s");
    assert_answer(&host, "mirror((1, 2, 3), 4)", "(-1, 8, 3) m");
    assert_answer(&host, "flip(0, true)", "4294967295");
    assert_answer(&host, "flip(4, false)", "5");
    assert_int_equal(calls, 1);
    world_engine_destroy(host.engine);
}

static int64_t ticket(void *user) {
    return ++*(int64_t *)user;
}

/* A host's function that says it has a state is called as often as it is written, at each level. */
static void test_host_function_with_state(void **state) {
    (void)state;
    static const char text[] = "fn three() (int, int, int) {\n  let a = ticket()\n"
                               "  let _ = ticket()\n  (a, ticket(), ticket())\n}\n"
                               "fn many() List[int] { [0, 0, 0].map(_ => ticket()) }\n";
    for (int level = 0; level <= 3; level++) {
        Host host = {0};
        int64_t given = 0;
        must(&host, world_engine_create(&(WorldEngineDesc){.optimize = 1 + level}, &host.engine));
        must(&host, world_register(host.engine, "ticket() int, effect: draws",
                                   (void (*)(void))ticket, &given));
        must(&host, world_open_text(host.engine, text, strlen(text), &(WorldDesc){0}, &host.world));
        assert_answer(&host, "three()", "(1, 3, 4)");
        assert_answer(&host, "many()", "[5, 6, 7]");
        world_engine_destroy(host.engine);
    }
}

static int64_t taken(void *user, int64_t k) {
    return k + ++*(int64_t *)user;
}

/* A function of a host is not asked with what a fault left, whoever works things out. */
static void test_no_call_after_a_fault(void **state) {
    (void)state;
    static const char text[] = "fn late(k: int) int { taken([4, 5, 6].map(n => n + k)[k]) }\n";
    const WorldExec ways[] = {WORLD_EXEC_INTERPRETER, exec_compiled()};
    for (int way = 0; way < 2; way++) {
        Host host = {0};
        int64_t given = 0;
        must(&host, world_engine_create(&(WorldEngineDesc){.exec = ways[way]}, &host.engine));
        must(&host, world_register(host.engine, "taken(k: int) int, effect: draws", (void (*)(void))taken, &given));
        must(&host, world_open_text(host.engine, text, strlen(text), &(WorldDesc){0}, &host.world));
        WorldFunction late;
        int64_t three = 3, two = 2, answer = 0;
        must(&host, world_function(host.world, "late", NULL, &late));
        assert_int_equal(world_call(host.world, late, &three, &answer), WORLD_ERROR_WORLD);
        assert_first_id(&host, host.world, "E0503");
        assert_int_equal(given, 0);
        must(&host, world_call(host.world, late, &two, &answer));
        assert_int_equal(answer, 6 + 2 + 1);
        world_engine_destroy(host.engine);
    }
}

/* -- changes from inside -- */

static const char world_text[] = "field seed: seed = 7\n"
                                 "field lift: meters = 2 m\n"
                                 "part box: shapes.box((1 m, lift, 1 m))\n"
                                 "part row\n  each i in 0 ..< 3 {\n    part post[i], at: (i * 1 m, 0 m, 0 m)\n  }\n";

typedef struct Inside {
    Host host;
    WorldField lift;
    WorldStatus set, set_field, check, bakes, reload;
    int calls;
} Inside;

static void try_all(Inside *inside) {
    World *world = inside->host.world;
    double three = 3;
    size_t count;
    if (world == NULL || inside->calls++) return;
    inside->set = world_set(world, "lift", "3 m");
    inside->set_field = world_field_set(world, inside->lift, &three);
    inside->check = world_check(world);
    inside->bakes = world_load_bakes(world, "/", &count);
    inside->reload = world_reload(world);
}

static void assert_refused(const Inside *inside) {
    assert_int_equal(inside->calls > 0, 1);
    assert_int_equal(inside->set, WORLD_ERROR_ARGUMENT);
    assert_int_equal(inside->set_field, WORLD_ERROR_ARGUMENT);
    assert_int_equal(inside->check, WORLD_ERROR_ARGUMENT);
    assert_int_equal(inside->bakes, WORLD_ERROR_ARGUMENT);
    assert_int_equal(inside->reload, WORLD_ERROR_ARGUMENT);
    assert_answer(&inside->host, "lift", "2 m");
}

static double meddle(void *user, double x) {
    try_all(user);
    return x;
}

static void open_inside(Inside *inside, int threads, WorldDesc desc) {
    char text[1024];
    Host *host = &inside->host;
    snprintf(text, sizeof text, "%spart cone: shapes.cone(radius: meddle(1 m), height: 2 m, sides: 5)\n"
                                "fn far(x: meters) meters { meddle(x) + lift }\n", world_text);
    *host = open_host((WorldEngineDesc){.threads = threads}, NULL);
    must(host, world_register(host->engine, "meddle(x: meters) meters", (void (*)(void))meddle, inside));
    must(host, world_open_text(host->engine, text, strlen(text), &desc, &host->world));
    must(host, world_field(host->world, "lift", "meters", &inside->lift));
}

/* From a host's function, while a scene is gathered of what it would free. */
static void test_set_while_gathered(void **state) {
    (void)state;
    const WorldScene *scene;
    Inside inside = {0};
    open_inside(&inside, 1, (WorldDesc){0});
    must(&inside.host, world_scene(inside.host.world, &scene));
    assert_int_equal(scene->mesh_count, 2);
    assert_true(scene->meshes[1].vertex_count > 0 && isfinite(scene->meshes[1].positions[0]));
    assert_refused(&inside);
    world_engine_destroy(inside.host.engine);
}

/* From one that a call runs, which has no lock; on any of its threads, of which some cannot wait for the world. */
static void test_set_while_called(void **state) {
    (void)state;
    enum { N = 4000 };
    static double rows[N], out[N];
    for (int threads = 1; threads <= 4; threads += 3) {
        Inside inside = {0};
        WorldFunction far;
        open_inside(&inside, threads, (WorldDesc){0});
        must(&inside.host, world_function(inside.host.world, "far", NULL, &far));
        must(&inside.host, world_call_batch(inside.host.world, far, N, rows, out));
        assert_true(out[N - 1] == 2);
        assert_refused(&inside);
        must(&inside.host, world_set(inside.host.world, "lift", "4 m"));
        must(&inside.host, world_call(inside.host.world, far, rows, out));
        assert_true(out[0] == 4);
        world_engine_destroy(inside.host.engine);
    }
}

static bool meddle_visitor(void *user, const WorldPartInfo *part) {
    (void)part;
    try_all(user);
    return true;
}

static bool meddle_hook(void *user, const char *what, double seconds) {
    (void)what, (void)seconds;
    try_all(user);
    return false;
}

static void test_set_from_hooks(void **state) {
    (void)state;
    Inside inside = {0};
    open_inside(&inside, 1, (WorldDesc){.progress = meddle_hook, .progress_user = &inside});
    inside.calls = 0;
    must(&inside.host, world_parts(inside.host.world, "", meddle_visitor, &inside));
    assert_refused(&inside);
    memset(&inside.set, 0, sizeof inside - offsetof(Inside, set));
    WorldValue *value;
    must(&inside.host, world_ask(inside.host.world, "(0 ..< 3000000).toList().fold(0, fn(a, b) { (a + b) % 7 })", &value));
    world_value_destroy(value);
    assert_refused(&inside);
    world_engine_destroy(inside.host.engine);
}

static void test_refusal_is_told(void **state) {
    (void)state;
    Inside inside = {0};
    open_inside(&inside, 1, (WorldDesc){0});
    must(&inside.host, world_parts(inside.host.world, "", meddle_visitor, &inside));
    assert_first_id(&inside.host, inside.host.world, "E0830");
    world_engine_destroy(inside.host.engine);
}

/* What is none of its type is no argument, in either executor. */
static void test_arguments_are_of_their_types(void **state) {
    (void)state;
    static const struct {
        const char *function;
        uint64_t slots[2];
        WorldStatus status;
        uint64_t answer;
    } rows[] = {{"no", {1}, WORLD_OK, 0},
                {"no", {2}, WORLD_ERROR_ARGUMENT, 7},
                {"small", {UINT32_MAX}, WORLD_OK, 0},
                {"small", {(uint64_t)1 << 40 | 3}, WORLD_ERROR_ARGUMENT, 7},
                {"inside", {1, 5}, WORLD_OK, 5},
                {"inside", {2, 5}, WORLD_ERROR_ARGUMENT, 7}};
    const WorldExec ways[] = {WORLD_EXEC_INTERPRETER, exec_compiled()};
    const char *text = "fn no(b: bool) bool { !b }\nfn small(u: u32) bool { u < 5 }\n"
                       "fn inside(a: int?) int { if a == none { -1 } else { a } }\n";
    for (int way = 0; way < 2; way++) {
        Host host = {0};
        must(&host, world_engine_create(&(WorldEngineDesc){.exec = ways[way]}, &host.engine));
        must(&host, world_open_text(host.engine, text, strlen(text), &(WorldDesc){0}, &host.world));
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            WorldFunction function;
            uint64_t answer = 7;
            must(&host, world_function(host.world, rows[i].function, NULL, &function));
            assert_int_equal(world_call(host.world, function, rows[i].slots, &answer), rows[i].status);
            assert_int_equal(answer, rows[i].answer);
        }
        world_engine_destroy(host.engine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host_functions),
        cmocka_unit_test(test_host_function_with_state),
        cmocka_unit_test(test_no_call_after_a_fault),
        cmocka_unit_test(test_set_while_gathered),
        cmocka_unit_test(test_set_while_called),
        cmocka_unit_test(test_set_from_hooks),
        cmocka_unit_test(test_refusal_is_told),
        cmocka_unit_test(test_arguments_are_of_their_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
