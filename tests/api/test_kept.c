/* Worlds that run: what is gone, and what is kept of it. */
#include "tests/support/host.h"

static void close(const Host *host) {
    world_close(host->world);
    world_engine_destroy(host->engine);
}

static void ticks(const Host *host, int count) {
    for (int i = 0; i < count; i++)
        must(host, world_tick(host->world));
}

static void press(const Host *host, const char *key) {
    must(host, world_press(host->world, key));
    ticks(host, 1);
}

static char *save(const Host *host) {
    const char *json;
    must(host, world_state_save(host->world, &json));
    return strdup(json);
}

/* A world of the text that goes on from the state of this one, of which nothing is lost. */
static Host load(const Host *from, const char *text) {
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    char *json = save(from);
    must(&host, world_state_load(host.world, json, strlen(json)));
    char *again = save(&host);
    assert_string_equal(json, again);
    assert_string_equal(world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN), "");
    free(json);
    free(again);
    return host;
}

static int told(const Host *host, WorldEventKind kind, const char *text) {
    WorldEvent event = {.size = sizeof event};
    int count = 0;
    while (world_event_next(host->world, &event))
        count += event.kind == kind && strcmp(event.text, text) == 0;
    return count;
}

/* The worlds go on alike, `count` ticks. */
static void same(const Host *host, const Host *other, int count) {
    ticks(host, count);
    ticks(other, count);
    char *one = save(host), *two = save(other);
    assert_string_equal(one, two);
    free(one);
    free(two);
}

/* Acts on a part that is gone do nothing, also where the state was read since; what it put off falls away with it. */
static void test_gone(void **state) {
    static const char text[] = "field step: seconds = 0.1 s\n"
                               "part spark\n  field n = 0\n  on(became(clock.tick > 3), { after(3 s, { say(\"late\") }); remove(self) })\n"
                               "part a\n"
                               "  field friend: anyPart = self\n  field count = 0\n  fn leave(who: anyPart) { after(0.9 s, { remove(who); hide(who); count += 1 }) }\n"
                               "  on(became(clock.tick > 1), { friend = spawn(spark(), under: self); after(4 s, { remove(friend) }) })\n"
                               "  on(became(clock.tick > 2), { leave(friend) })\n"
                               "  on(every(1 s), { remove(friend); hide(friend); friend.at.x += 1 m; spawn(spark(n: 7), under: friend, at: (1, 2, 3), lifetime: 1 s) })\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    ticks(&host, 8);
    Host other = load(&host, text);
    same(&host, &other, 42);
    assert_answer(&other, "(a.count, exists(a.friend), a.spark.length())", "(1, false, 0)");
    assert_int_equal(told(&host, WORLD_EVENT_SAID, "late"), 0);
    close(&other);
    close(&host);
}

static void test_told_once(void **state) {
    static const char text[] = "part b\npart a\n"
                               "  part inside\n"
                               "  on(key(\"r\"), { remove(b); remove(b) })\n"
                               "  on(key(\"r\"), { remove(b) })\n"
                               "  on(key(\"a\"), { remove(self); remove(inside) })\n"
                               "  field whole: anyPart = self\n  on(key(\"w\"), { remove(whole) })\n";
    static const char whole[] = "{\"state\": 1, \"tick\": 0, \"orders\": 0, \"fields\": [[\"a\",\"whole\",\"anyPart\",\"\"]]}";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    press(&host, "r");
    assert_int_equal(told(&host, WORLD_EVENT_REMOVED, ""), 1);
    press(&host, "a");
    assert_int_equal(told(&host, WORLD_EVENT_REMOVED, ""), 1);
    close(&host);
    host = open_host((WorldEngineDesc){.threads = 1}, text);
    must(&host, world_state_load(host.world, whole, strlen(whole)));
    must(&host, world_press(host.world, "w"));
    assert_int_equal(world_tick(host.world), WORLD_ERROR_WORLD);
    assert_non_null(strstr(world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN), "the world itself cannot be removed"));
    close(&host);
}

/* What a tick that failed began leaves nothing, and the order of families is not that of their first. */
static void test_families(void **state) {
    static const char text[] = "part y\npart z\npart a\n  field x = 0\n"
                               "  on(key(\"f\"), { spawn(z(), under: self); x = 5 })\n  on(key(\"f\"), { x = 6 })\n"
                               "  on(key(\"z\"), { spawn(z(), under: self) })\n"
                               "  on(key(\"y\"), { spawn(y(), under: self) })\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    char *before = save(&host);
    must(&host, world_press(host.world, "f"));
    assert_int_equal(world_tick(host.world), WORLD_ERROR_WORLD);
    char *after = save(&host);
    assert_string_equal(before, after);
    press(&host, "z");
    press(&host, "y");
    Host other = load(&host, text);
    close(&other);
    close(&host);
    free(before);
    free(after);
}

/* Parts of two designs whose names end alike are told apart, by their numbers in a path and by their whole names in a state. */
static void test_names_alike(void **state) {
    static const char text[] = "part lamp\n  field n = 0\n"
                               "part a\n  field kind: design = light.lamp\n"
                               "  on(key(\"l\"), { spawn(lamp(n: 3), under: self); spawn(light.lamp(lumens: 70), under: self); spawn(lamp(n: 4), under: self) })\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    press(&host, "l");
    assert_answer(&host, "(a.lamp[0].n, a.lamp[2].n, a.lamp.length())", "(3, 4, 2)");
    Host other = load(&host, text);
    assert_answer(&other, "(a.lamp[0].n, a.lamp[2].n, a.kind == light.lamp)", "(3, 4, true)");
    press(&other, "l");
    assert_answer(&other, "(a.lamp[3].n, a.lamp[5].n)", "(3, 4)");
    close(&other);
    close(&host);
}

/* Numbers of what is spawned lie behind those of the loop; a loop that comes to one is refused, and the tick undone. */
static void test_numbers(void **state) {
    static const char text[] = "field count = 2\n"
                               "part wood\n"
                               "  each i in 0 ..< count { part tree[i] }\n"
                               "  on(key(\"f\"), { spawn(tree(), under: self); count = 9; wood.x = 1 })\n  field x = 0\n  on(key(\"f\"), { x = 2 })\n"
                               "  on(key(\"m\"), { count += 2 })\n"
                               "  on(key(\"s\"), { spawn(tree(), under: self) })\n"
                               "part tree\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    must(&host, world_press(host.world, "f"));
    assert_int_equal(world_tick(host.world), WORLD_ERROR_WORLD); /* which looked for a number when there were two */
    press(&host, "m");
    press(&host, "s");
    assert_answer(&host, "wood.tree.length()", "5");
    assert_answer(&host, "exists(wood.tree[4])", "true");
    press(&host, "m");
    WorldValue *value;
    assert_int_equal(world_ask(host.world, "wood.tree.length()", &value), WORLD_ERROR_WORLD);
    assert_non_null(strstr(world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN), "tree[4]"));
    close(&host);
}

/* What only a member's loop held of a part that is gone is still there when the member asks for it. */
static void test_held_by_loops(void **state) {
    static const char text[] = "field step: seconds = 10 ms\n"
                               "part spark\n  field n = 0\npart sign\n  field of = 0\n"
                               "part fire\n"
                               "  field lit: List[spark] = []\n  field chosen: List[sign] = []\n"
                               "  each (i, s) in lit {\n    part mark[i]: sign\n      field of = s.n + 1000\n  }\n"
                               "  on(key(\"l\"), { lit = [spawn(spark(n: 5), under: self), spawn(spark(n: 6), under: self)] })\n"
                               "  on(key(\"c\"), { chosen = [mark[1]] })\n"
                               "  on(key(\"d\"), { each s in lit { remove(s) }; lit = [] })\n"
                               "  on(every(10 ms), { each i in 0 ..< 300 { spawn(spark(n: i), under: self, lifetime: 10 ms) } })\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    press(&host, "l");
    press(&host, "c");
    press(&host, "d");
    ticks(&host, 40);
    assert_answer(&host, "(exists(fire.chosen[0]), fire.mark.length())", "(false, 0)");
    assert_answer(&host, "fire.chosen[0].of", "1006");
    Host other = load(&host, text);
    assert_answer(&other, "(exists(fire.chosen[0]), fire.mark.length(), fire.chosen[0].of)", "(false, 0, 1006)");
    same(&host, &other, 3);
    close(&other);
    close(&host);
}

/* What is gone and still named is read after a load as before: what was spawned, what stood in it, what had gone before it, and parts of the text. */
static void test_gone_is_kept(void **state) {
    static const char text[] = "field factor = 2\n"
                               "part bulb\n  field glow = 1.0\n"
                               "part spark\n  field n = 0\n  field twice = n * factor\n  part core\n    field heat = n + 0.5\n"
                               "part oak\n  field rings = 3\n"
                               "part a\n  part zero: spark\n  part dark: bulb\n  part tree: oak\n"
                               "  field friend: spark = zero\n  field lamp: bulb = dark\n  field out: bulb = dark\n  field felled: oak = tree\n"
                               "  field seen: List[anyPart] = []\n  field sum = 0.0\n"
                               "  on(key(\"s\"), { friend = spawn(spark(n: 7), under: self) })\n"
                               "  on(key(\"b\"), { lamp = spawn(bulb(glow: 4), under: friend); out = spawn(bulb(), under: friend.core) })\n"
                               "  on(key(\"b\"), { friend.core.heat = 9; tree.rings = 5; seen = [friend, friend.core]; after(0.3 s, { sum += friend.twice + felled.rings }) })\n"
                               "  on(key(\"g\"), { remove(out) })\n  on(key(\"r\"), { remove(friend); remove(tree) })\n"
                               "  on(key(\"t\"), { factor = 3; sum += friend.twice + lamp.glow })\n";
    static const char asked[] = "(a.friend.n, a.friend.twice, a.friend.core.heat, a.lamp.glow, a.friend.bulb.length(), a.out.glow, a.friend.core.bulb.length(), a.felled.rings)";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    const char *keys[] = {"s", "b", "g", "r"};
    for (int i = 0; i < 4; i++)
        press(&host, keys[i]);
    assert_answer(&host, asked, "(7, 14, 9, 4, 1, 1, 0, 5)");
    Host other = load(&host, text);
    assert_answer(&other, asked, "(7, 14, 9, 4, 1, 1, 0, 5)");
    assert_answer(&other, "(exists(a.friend), exists(a.lamp), exists(a.tree), exists(a.seen[1]), a.spark.length(), a.seen[1] == a.friend.core)",
                  "(false, false, false, false, 0, true)");
    press(&host, "t");
    press(&other, "t");
    same(&host, &other, 30);
    assert_answer(&other, "(a.friend.twice, a.sum)", "(21, 44)");
    Host third = load(&other, text);
    same(&host, &third, 1);
    close(&third);
    close(&other);
    close(&host);
}

/* What stands, and in what, hangs on fields that the state tells of later. */
static void test_members_by_state(void **state) {
    static const char text[] = "part dot\n  field n = 0\n  field of: anyPart = self\n"
                               "part a\n  each i in 0 ..< b.count {\n    let q = b.of.n\n    part m[i]: dot\n      field twice = 2 * q + n }\n"
                               "part b\n  field count = 2\n  part zero: dot\n  field of: dot = zero\n  field friend: dot = zero\n"
                               "  on(key(\"x\"), { a.m[3].n = 7; spawn(dot(n: 5), under: a.m[3]) })\n  on(key(\"y\"), { friend = a.m[3]; of.n += 1 })\n"
                               "  on(key(\"c\"), { count = 5; of = spawn(dot(n: 3), under: self) })\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    const char *keys[] = {"c", "x", "y", "x"};
    for (int i = 0; i < 4; i++) {
        press(&host, keys[i]);
        Host other = load(&host, text);
        same(&host, &other, 1);
        if (i == 2) assert_answer(&other, "(a.m.length(), a.m[3].n, exists(b.friend), b.friend.n)", "(5, 0, false, 7)"); /* which nobody asked before */
        close(&other);
    }
    assert_answer(&host, "(a.m[3].twice, a.m[3].dot.length(), b.friend.n, b.friend.dot[0].n, exists(b.friend))", "(15, 1, 7, 5, false)");
    Host other = load(&host, text);
    assert_answer(&other, "(a.m[3].twice, a.m[3].dot.length(), b.friend.n, b.friend.dot[0].n, exists(b.friend))", "(15, 1, 7, 5, false)");
    close(&other);
    close(&host);
}

/* Rows of gone parts that say nothing of this world are left out, and the others keep their numbers. */
static void test_bad_gone(void **state) {
    static const char text[] = "part spark\n  field n = 0\npart a\n  part zero: spark\n  field friend: spark = zero\n  each i in 0 ..< 2 { part m[i]: spark }\n";
    static const char json[] = "{\"state\": 1, \"tick\": 0, \"orders\": 0, \"spawned\": [[\"a\",\"spark\",0,null],[\"~7\",\"spark\",1,null],[\"~-1\",\"m\",1,\"\",1],"
                               "[\"a\",\"nope\",1,\"\",1],[\"a\",\"m\",1,\"\",1,2],[\"a\",\"m\",1,\"\"],[3,4,5,6],[\"~0\",\"spark\",4,null]],"
                               "\"fields\": [[\"~7\",\"n\",\"int\",5],[\"~1\",\"n\",\"int\",6],[\"a\",\"friend\",\"spark\",\"~7\"]]}";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    must(&host, world_state_load(host.world, json, strlen(json)));
    assert_non_null(strstr(world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN), "4 things of this state"));
    assert_answer(&host, "(a.friend.n, exists(a.friend), a.m.length())", "(5, false, 2)");
    close(&host);
}

/* A loop that reads the clock makes other members every tick, and gives them back. */
static void test_timed_loop(void **state) {
    static const char text[] = "field step: seconds = 10 ms\n"
                               "part dot\n  field n = 0\n  on(every(1 s), { n += 1 })\n"
                               "part row\n"
                               "  field said = [\"a\"]\n"
                               "  each i in 0 ..< 100 {\n"
                               "    let phase = clock.now * i\n    let names = said + [\"b\"]\n"
                               "    part dot[i]: dot, at: (phase * 1 m / 1 s, 0 m, 0 m)\n      field word = names[1]\n  }\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1, .limits = {.parts = 3000, .memory_bytes = 64 << 20}}, text);
    ticks(&host, 600);
    assert_answer(&host, "(row.dot.length(), row.dot[50].at.x, row.dot[3].word)", "(100, 300 m, \"b\")");
    close(&host);
}

/* A tick that fails leaves what loops made as it was: members that another time of the clock makes anew, their handlers and their state. */
static void test_failed_loops(void **state) {
    static const char text[] = "field step: seconds = 0.1 s\n"
                               "part dot\n  field n = 0\n  on(every(0.2 s), { n += 1 })\n  on(key(\"i\"), { n += 100; after(0.2 s, { n += 50 }) })\n"
                               "  part heart\n    on(became(clock.tick > 8), { n += 10000 })\n"
                               "part row\n  field x = 0\n  field width = 2\n"
                               "  each i in 0 ..< width {\n    let phase = floor(clock.tick / 5)\n    part dot[i]: dot, at: (phase * 1 m, 0 m, 0 m)\n  }\n"
                               "  on(key(\"f\"), { x = 1 })\n  on(key(\"f\"), { x = 2 })\n  on(key(\"w\"), { width = 3 })\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text), sound = open_host((WorldEngineDesc){.threads = 1}, text);
    for (int i = 1; i <= 12; i++) {
        char *before = save(&host);
        must(&host, world_press(host.world, "f"));
        assert_int_equal(world_tick(host.world), WORLD_ERROR_WORLD);
        char *after = save(&host);
        assert_string_equal(before, after);
        free(before);
        free(after);
        const char *key = i == 4 ? "i" : i == 7 ? "w" : "none";
        press(&host, key);
        press(&sound, key);
        same(&host, &sound, 0);
    }
    assert_answer(&host, "(row.dot.length(), clock.tick)", "(3, 12)");
    close(&host);
    close(&sound);
}

/* A loop that fails lets the members be that it made before. */
static void test_loop_fails_once(void **state) {
    static const char text[] = "part tree\n  field n = 0\n  on(key(\"s\"), { n = 5 })\n"
                               "part wood\n  field count = 2\n  each i in 0 ..< count { part tree[if count == 3 { 0 } else { i }]: tree }\n  on(key(\"m\"), { count += 1 })\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    WorldValue *value;
    press(&host, "s");
    press(&host, "m");
    assert_int_equal(world_ask(host.world, "wood.tree.length()", &value), WORLD_ERROR_WORLD);
    must(&host, world_set(host.world, "wood.count", "4"));
    assert_answer(&host, "(wood.tree.length(), wood.tree[1].n)", "(4, 5)");
    close(&host);
}

/* Functions that hold one another twice over are looked at once. */
static void test_shared_functions(void **state) {
    static const char text[] = "field step: seconds = 10 ms\n"
                               "part spark\n"
                               "part fire\n"
                               "  field both: fn(number) number = {\n    var a: fn(number) number = x => x\n    var b: fn(number) number = x => 2 * x\n"
                               "    each i in 0 ..< 60 {\n      let p = a\n      let q = b\n      a = q\n      b = x => if x > 0 { p(x) } else { q(x) }\n    }\n    b\n  }\n"
                               "  on(became(both(1) > 0), { say(\"\") })\n"
                               "  on(every(10 ms), { each i in 0 ..< 400 { spawn(spark(), under: self, lifetime: 10 ms) } })\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1, .limits = {.parts = 9000}}, text);
    ticks(&host, 30);
    close(&host);
}

/* A bad value of an option is told at the option. */
static void test_bad_option(void **state) {
    static const char text[] = "part b\n  field x: number, within: 0 ..= 3 = 0\n  field n = 1\n"
                               "part a\n  field big = 20\n  on(every(1 ms), {\n    spawn(b(n: 2,\n            x: big), under: self)\n  })\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    WorldDiagnostic first = {.size = sizeof first};
    assert_int_equal(world_tick(host.world), WORLD_ERROR_WORLD);
    must(&host, world_diagnostic(host.engine, host.world, 0, &first));
    assert_int_equal(first.line, 8);
    close(&host);
}

/* Wherever memory gives out, a tick is done or undone, and nothing is lost. */
static void test_scarce_ticks(void **state) {
    static const char text[] = "part spark\n  field said: text = \"x\"\n  on(every(20 ms), { said = \"\\{said}!\"; after(20 ms, { say(said) }) })\n"
                               "part fire\n  field count = 3\n  on(every(50 ms), { count += 1 })\n"
                               "  each i in 0 ..< count { let p = 0.5 * i\n    part m[i]\n      field q = p\n      on(every(1 s), { say(\"\\{q}\") }) }\n"
                               "  on(every(20 ms), { each i in 0 ..< 9 { spawn(spark(), under: self, lifetime: 0.1 s) } })\n"
                               "part a\n  on(key(\"x\"), { spawn(spark(), under: self); remove(fire) })\n";
    (void)state;
    Scarce scarce = {.limit = 10000000};
    Host host = open_host(scarce_desc(&scarce), text), same = open_host((WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER, .threads = 1}, text);
    for (int room = 0, good = 0; good < 12; room++) {
        bool press_x = good == 9;
        if (press_x) must(&host, world_press(host.world, "x"));
        scarce.limit = scarce.wishes + room;
        WorldStatus status = world_tick(host.world);
        scarce.limit = 10000000;
        if (status == WORLD_OK) {
            good++;
            room = -1;
            if (press_x) must(&same, world_press(same.world, "x"));
            must(&same, world_tick(same.world));
        } else {
            assert_int_equal(status, WORLD_ERROR_MEMORY);
        }
        char *one = save(&host), *two = save(&same);
        assert_string_equal(one, two);
        free(one);
        free(two);
    }
    close(&host);
    close(&same);
    assert_int_equal(scarce.held, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gone), cmocka_unit_test(test_told_once), cmocka_unit_test(test_families), cmocka_unit_test(test_names_alike),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_held_by_loops), cmocka_unit_test(test_timed_loop), cmocka_unit_test(test_bad_option),
        cmocka_unit_test(test_shared_functions), cmocka_unit_test(test_scarce_ticks), cmocka_unit_test(test_gone_is_kept), cmocka_unit_test(test_bad_gone), cmocka_unit_test(test_failed_loops), cmocka_unit_test(test_loop_fails_once), cmocka_unit_test(test_members_by_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
