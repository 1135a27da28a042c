/* Worlds that run: handlers, acts, ticks, events, state written down and read. */
#include <math.h>

#include "tests/support/host.h"

static const char army_text[] =
    "field step: seconds = 0.1 s\n"
    "part troll\n"
    "  field stance: one of (guard, charge, flank)\n"
    "  field health: number = 1\n"
    "  on(every(0.5 s), { health -= 0.125 })\n"
    "part boss\n"
    "  field health: number, within: -10 ..= 2 = 1\n"
    "  field hurt = 1 - health\n"
    "  field apart = 7 + 1\n"
    "  field seen: List[text] = []\n"
    "  part army\n"
    "  on(every(0.2 s), { health -= 0.125 })\n"
    "  on(became(health < 0.5), {\n"
    "    each i in 0 ..< 20 { spawn(troll(stance: oneOf([guard, charge, flank], seed: i)), under: army, at: ring(self, 6 m, i / 20)) }\n"
    "  })\n"
    "  on(became(army.troll.length() > 10), {\n"
    "    say(\"\\{army.troll.length()} trolls\")\n"
    "    after(1 s, { remove(army.troll[3]); seen += [\"one fell\"] })\n"
    "  })\n"
    "  on(key(\"g\"), { health = 0.9; say(\"g\") })\n";

static const Host *open_army(Host *host) {
    *host = open_host((WorldEngineDesc){.threads = 1}, army_text);
    return host;
}

static void close(const Host *host) {
    world_close(host->world);
    world_engine_destroy(host->engine);
}

static double number(const Host *host, const char *expression) {
    WorldValue *value;
    double out[3] = {0};
    must(host, world_ask(host->world, expression, &value));
    assert_int_equal(world_value_numbers(value, out), 1);
    world_value_destroy(value);
    return out[0];
}

static void text_is(const Host *host, const char *expression, const char *text) {
    WorldValue *value;
    must(host, world_ask(host->world, expression, &value));
    assert_string_equal(world_value_text(value), text);
    world_value_destroy(value);
}

static void ticks(const Host *host, int count) {
    for (int i = 0; i < count; i++)
        must(host, world_tick(host->world));
}

static void test_army(void **state) {
    (void)state;
    Host host;
    WorldEvent event = {.size = sizeof event};
    open_army(&host);
    must(&host, world_step(host.world, 0.95)); /* nine ticks: health 0.5 */
    assert_float_equal(number(&host, "boss.health"), 0.5, 0);
    assert_float_equal(number(&host, "clock.now"), 0.9, 1e-12);
    assert_float_equal(number(&host, "clock.tick"), 9, 0);
    assert_false(world_event_next(host.world, &event));
    must(&host, world_step(host.world, 0.05)); /* and what was left of them */
    assert_float_equal(number(&host, "boss.health"), 0.375, 0);
    assert_float_equal(number(&host, "boss.hurt"), 0.625, 0);
    text_is(&host, "boss.army.troll.length()", "0"); /* what begins to hold at a tick's end fires in the next */
    ticks(&host, 1);
    text_is(&host, "boss.army.troll.length()", "20");
    text_is(&host, "boss.army.troll[5].at.z", "-6 m");
    for (int i = 0; i < 20; i++) {
        char path[64];
        snprintf(path, sizeof path, "boss.army.troll[%d]", i);
        assert_true(world_event_next(host.world, &event));
        assert_int_equal(event.kind, WORLD_EVENT_SPAWNED);
        assert_string_equal(event.path, path);
    }
    ticks(&host, 1);
    assert_true(world_event_next(host.world, &event));
    assert_int_equal(event.kind, WORLD_EVENT_SAID);
    assert_string_equal(event.text, "20 trolls");
    assert_int_equal(event.tick, 12);
    ticks(&host, 10);
    text_is(&host, "boss.army.troll.length()", "19");
    text_is(&host, "boss.seen", "[\"one fell\"]");
    WorldValue *value;
    assert_int_equal(world_ask(host.world, "boss.army.troll[3].health", &value), WORLD_ERROR_WORLD); /* its number is never used again */
    text_is(&host, "boss.army.troll[4].health", "0.75");
    close(&host);
}

/* What an act sets makes stale what reads it, and nothing else. */
static void test_counts(void **state) {
    (void)state;
    Host host;
    open_army(&host);
    ticks(&host, 1);
    must(&host, world_build(host.world));
    uint64_t before = world_evaluations(host.world);
    ticks(&host, 1); /* health is set */
    assert_float_equal(number(&host, "boss.hurt"), 0.125, 0);
    assert_int_equal(world_evaluations(host.world) - before, 1);
    before = world_evaluations(host.world);
    ticks(&host, 1);
    assert_int_equal(world_evaluations(host.world) - before, 1); /* the trigger that reads health */
    close(&host);
}

static void test_keys(void **state) {
    (void)state;
    Host host;
    WorldEvent event = {.size = sizeof event};
    open_army(&host);
    must(&host, world_press(host.world, "x"));
    must(&host, world_press(host.world, "g"));
    ticks(&host, 1);
    assert_true(world_event_next(host.world, &event));
    assert_string_equal(event.text, "g");
    assert_float_equal(number(&host, "boss.health"), 0.9, 0);
    ticks(&host, 2); /* a key is pressed once */
    assert_false(world_event_next(host.world, &event));
    assert_int_equal(world_press(host.world, ""), WORLD_ERROR_ARGUMENT);
    for (int i = 0; i < 64; i++)
        must(&host, world_press(host.world, "y"));
    assert_int_equal(world_press(host.world, "y"), WORLD_ERROR_LIMIT);
    close(&host);
}

/* Set both ways in one tick: nothing of the tick is done, and it fails again. */
static void test_undone(void **state) {
    static const char text[] = "part a\n"
                               "  field x: number, within: 0 ..= 10 = 0\n"
                               "  field y = 0\n"
                               "  field n = 0\n"
                               "  on(became(clock.tick > 2), { x = 5; spawn(b(), under: self) })\n"
                               "  on(became(clock.tick > 2), { y = 1; n += 1 })\n"
                               "  on(became(clock.tick > 4), { x = 6; y = 2; spawn(b(), under: self); after(1 s, { n = 100 }) })\n"
                               "  on(became(clock.tick > 4), { x = 7; n += 1 })\n"
                               "part b\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    const char *before, *after;
    ticks(&host, 4);
    text_is(&host, "(a.x, a.y, a.n, a.b.length())", "(5, 1, 1, 1)");
    must(&host, world_state_save(host.world, &before));
    char *kept = strdup(before);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(world_tick(host.world), WORLD_ERROR_WORLD);
        assert_non_null(strstr(world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN), "two acts of one tick"));
        assert_non_null(strstr(world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN), "a.x"));
    }
    must(&host, world_state_save(host.world, &after));
    assert_string_equal(kept, after);
    text_is(&host, "(a.x, a.y, a.n, a.b.length(), clock.tick)", "(5, 1, 1, 1, 4)");
    free(kept);
    close(&host);
}

static void fails(const char *text, int good, const char *says) {
    Host host = open_host((WorldEngineDesc){.threads = 1, .limits = {.acts = 100, .parts = 50}}, text);
    ticks(&host, good);
    WorldStatus status = world_tick(host.world);
    const char *said = world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN);
    assert_int_not_equal(status, WORLD_OK);
    if (strstr(said, says) == NULL) fail_msg("%s", said);
    close(&host);
}

static void test_faults(void **state) {
    (void)state;
    fails("part a\n  field x: number, within: 0 ..= 3 = 0\n  on(every(1 ms), { x += 1 })\n", 3, "[E0506]");
    fails("part a\n  field x: number = 1\n  on(every(1 ms), { x = 0 / (x - x) })\n", 0, "[E0504]");
    fails("part a\n  field x: int = 9223372036854775806\n  on(every(1 ms), { x += 1 })\n", 1, "[E0501]");
    fails("part a\n  on(every(0 s), { say(\"x\") })\n", 0, ":2:3: error: an argument is out of its range: every(0 s), which never comes");
    fails("part a\n  on(every(1 ms), { each i in 0 ..< 101 { say(\"x\") } })\n", 0, "acts of one tick; at most 100");
    fails("part b\npart a\n  on(every(1 ms), { each i in 0 ..< 40 { spawn(b(), under: self) } })\n", 1, "parts; at most 50");
    fails("part a\n  on(every(1 ms), { after(-1 s, { say(\"x\") }) })\n", 0, "a duration of -1 s");
    fails("part a\n  field x = [1]\n  on(every(1 ms), { say(\"\\{x[3]}\") })\n", 0, "[E0503]");
    fails("field step: seconds = 0 s\npart a\n", 0, ":1:7: error: an argument is out of its range: a step of 0 s");
    fails("part b\npart a\n  on(entered(b, 0 m), { say(\"x\") })\n", 0, ":3:6: error: an argument is out of its range: distance is 0 m");
    fails("part b\npart a\n  on(left(b, -1 m), { say(\"x\") })\n", 0, ":3:6: error: an argument is out of its range: distance is -1 m");
}

static void test_acts(void **state) {
    static const char text[] =
        "record box\n  a: number\n  names: List[text]\n"
        "part a, at: (1, 2, 3)\n"
        "  field xs: List[int] = [1, 2, 3]\n"
        "  field kept: box? = none\n"
        "  field friend: anyPart = self\n"
        "  field count = 0\n"
        "  on(became(clock.tick > 1), { at.y = 9 m; at.x += 2 m; xs[1] = 7; kept = box(a: 2, names: [\"u\", \"v\"]); hide(self) })\n"
        "  on(became(clock.tick > 1), { at.x += 1 m; friend = spawn(splat(), at: (0, 1, 0), lifetime: 0.05 s); show(b) })\n"
        "  on(became(clock.tick > 3), { show(self) })\n"
        "  fn more(n: int) { count += n }\n"
        "  on(every(1 ms), { more(2); if count > 4 { return }; more(1) })\n"
        "part b, hidden: true, at: (2 m + clock.now * 60 m / 1 s, 2 m, 3 m)\n"
        "  on(entered(a, 1 m), { say(\"near\") })\n"
        "  on(left(a, 4 m), { say(\"far\") })\n"
        "part splat\n  field n = 3\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    WorldEvent event = {.size = sizeof event};
    ticks(&host, 1);
    text_is(&host, "a.at", "(1, 2, 3) m");
    ticks(&host, 1);
    text_is(&host, "a.at", "(4, 9, 3) m");
    text_is(&host, "a.xs", "[1, 7, 3]");
    text_is(&host, "a.kept.or(box(a: 0, names: [])).names", "[\"u\", \"v\"]");
    text_is(&host, "(a.hidden, b.hidden)", "(true, false)");
    text_is(&host, "a.splat[0].n", "3");
    text_is(&host, "(a.count, exists(a.friend))", "(6, true)");
    ticks(&host, 3);
    text_is(&host, "(a.count, a.hidden, exists(a.friend), a.splat.length())", "(12, false, false, 0)");
    int far = 0;
    while (world_event_next(host.world, &event))
        far += event.kind == WORLD_EVENT_FIRED && strcmp(event.text, "left") == 0 && strcmp(event.path, "b") == 0;
    assert_int_equal(far, 1);
    close(&host);
}

/* A run that was written down in the middle and read into another engine ends as one that went on. */
static void test_saved(void **state) {
    (void)state;
    for (int at = 1; at < 30; at += 4) {
        Host host, other;
        const char *json;
        uint64_t hash, again;
        open_army(&host);
        ticks(&host, at);
        must(&host, world_state_save(host.world, &json));
        other = open_host((WorldEngineDesc){.exec = exec_compiled(), .threads = 2}, army_text);
        must(&other, world_state_load(other.world, json, strlen(json)));
        assert_int_equal(world_state_load(other.world, json, strlen(json)), WORLD_ERROR_ARGUMENT);
        ticks(&host, 30 - at);
        ticks(&other, 30 - at);
        must(&host, world_state_hash(host.world, &hash));
        must(&other, world_state_hash(other.world, &again));
        assert_true(hash == again);
        close(&host);
        close(&other);
    }
}

static void test_bad_state(void **state) {
    (void)state;
    static const char *const bad[] = {"", "{", "[]", "{\"state\": 2}", "{\"tick\": 1}", "null", "{\"state\": 1, \"state\": 1}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Host host;
        open_army(&host);
        assert_int_equal(world_state_load(host.world, bad[i], strlen(bad[i])), WORLD_ERROR_WORLD);
        ticks(&host, 1);
        close(&host);
    }
    static const char odd[] = "{\"state\": 1, \"tick\": 5, \"orders\": 0, \"spawned\": [[\"boss.army\",\"ogre\",0],[\"boss.army\",\"troll\",4],[\"no.one\",\"troll\",1],3,[]],"
                              "\"numbers\": [[\"boss.army\",\"troll\",9],[\"x\"]],"
                              "\"removed\": [[\"boss.nothing\"],[\"\"]],"
                              "\"fields\": [[\"boss\",\"health\",\"meters\",3],[\"boss\",\"health\",\"number\",9],[\"boss\",\"seen\",\"List[text]\",[\"a\"]],[\"boss.army.troll[4]\",\"stance\",\"one of (guard, charge, flank)\",\"x\"]],"
                              "\"handlers\": [[\"nobody\"],[\"boss.on\",[\"boss\",1]]], \"later\": [[1,2,\"f\",null],[7,1,\"boss.army.troll[4]\"]]}";
    Host host;
    open_army(&host);
    must(&host, world_state_load(host.world, odd, strlen(odd)));
    assert_non_null(strstr(world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN), "[W0850]"));
    text_is(&host, "(boss.seen, boss.army.troll.length(), clock.tick)", "([\"a\"], 1, 5)");
    ticks(&host, 1);
    must(&host, world_state_load(host.world, odd, 0) == WORLD_ERROR_ARGUMENT ? WORLD_OK : WORLD_ERROR_WORLD);
    assert_non_null(strstr(world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN), "[E0848]"));
    ticks(&host, 1);
    text_is(&host, "boss.army.troll.length()", "0");
    close(&host);
}

/* A world whose felled trees stay felled, also where their numbers are made anew. */
static void test_felled(void **state) {
    static const char text[] = "field count = 5\n"
                               "part wood\n"
                               "  each i in 0 ..< count { part tree[i], at: (i * 1 m, 0 m, count * 1 m) }\n"
                               "  on(became(clock.tick > 1), { remove(tree[2]); count = 4 })\n"
                               "  on(became(clock.tick > 3), { spawn(tree_(), under: self) })\n"
                               "part tree_\n  on(every(1 ms), { tint = (1, 0, 0) })\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    ticks(&host, 1);
    text_is(&host, "wood.tree.length()", "5");
    ticks(&host, 1);
    text_is(&host, "wood.tree.map(t => t.at.x)", "[0 m, 1 m, 3 m]");
    ticks(&host, 4);
    text_is(&host, "wood.tree_[0].tint", "(1, 0, 0)");
    close(&host);
}

/* What comes and goes costs no memory: the last ticks hold no more than the first. */
static void test_memory(void **state) {
    static const char text[] = "field step: seconds = 10 ms\n"
                               "part spark\n  field n = 0\n  field said: text = \"a text that is long enough to lie somewhere of its own\"\n"
                               "  field of: anyPart = self\n  on(every(15 ms), { n += 1; said = \"\\{n} \\{said}\" })\n"
                               "part fire\n  field last: List[anyPart] = []\n"
                               "  on(every(10 ms), {\n    var now: List[anyPart] = []\n"
                               "    each i in 0 ..< 500 { now += [spawn(spark(n: i, of: self), under: self, lifetime: 20 ms)] }\n    last = now\n  })\n";
    (void)state;
    int sparks = getenv("SPARKS") ? atoi(getenv("SPARKS")) : 100000;
    Host host = open_host((WorldEngineDesc){.threads = 1, .limits = {.memory_bytes = 64 << 20, .parts = 9000}}, text);
    ticks(&host, sparks / 500);
    text_is(&host, "(fire.spark.length(), fire.last.length(), exists(fire.last[0]))", "(1000, 500, true)");
    close(&host);
}

static uint32_t copies(const WorldScene *scene) {
    uint32_t count = 0;
    for (size_t i = 0; i < scene->instance_count; i++)
        count += scene->instances[i].count;
    return count;
}

/* A scene whose parts only move, come and go is the same scene; one with another mesh is another. */
static void test_scene(void **state) {
    static const char text[] =
        "field step: seconds = 0.1 s\n"
        "part sails: shapes.box(size: (8, 1, 0.1)), at: (0, 12, 0), turn: clock.now * 1 rad / 1 s, tint: (1, 1, clock.now / 10 s)\n"
        "part spark: shapes.sphere(radius: 0.1 m)\n"
        "part still: shapes.sphere(radius: 0.1 m), at: (9, 0, 0)\n"
        "part fire\n  field wide: meters = 1 m\n"
        "  part hearth: shapes.box(size: (wide, 1 m, 1 m))\n"
        "  part ember: shapes.box(size: (0.5 m, 1 m, 1 m)), at: (wide, 0 m, 0 m)\n"
        "  on(became(clock.tick > 1), { spawn(spark(), at: (1, 2, 3)); spawn(spark(), lifetime: 0.2 s) })\n"
        "  on(became(clock.tick > 5), { wide = 2 m; hide(sails) })\n";
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    const WorldScene *scene;
    must(&host, world_scene(host.world, &scene));
    uint64_t shape = scene->shape, evaluations;
    assert_int_equal(copies(scene), 4);
    must(&host, world_show(host.world, 1)); /* only looked at */
    must(&host, world_scene(host.world, &scene));
    assert_true(scene->shape == shape);
    assert_float_equal(scene->instances[0].transforms[0], cos(1), 1e-6);
    ticks(&host, 1);
    evaluations = world_evaluations(host.world);
    must(&host, world_scene(host.world, &scene));
    assert_int_equal(world_evaluations(host.world) - evaluations, 2); /* turn and tint */
    assert_true(scene->shape == shape);
    assert_float_equal(scene->instances[0].transforms[0], cos(0.1), 1e-6);
    assert_float_equal(scene->instances[0].tints[2], 0.01, 1e-6);
    ticks(&host, 1);
    must(&host, world_scene(host.world, &scene));
    assert_true(scene->shape == shape); /* the sparks are as the one that stands still */
    assert_int_equal(copies(scene), 6);
    ticks(&host, 3);
    must(&host, world_scene(host.world, &scene));
    assert_true(scene->shape == shape);
    assert_int_equal(copies(scene), 5);
    assert_string_equal(scene->things[scene->thing_count - 1]->path, "fire.spark[0]");
    ticks(&host, 1); /* the hearth is another mesh */
    must(&host, world_scene(host.world, &scene));
    assert_true(scene->shape != shape);
    assert_int_equal(copies(scene), 4);
    close(&host);
}

/* What was placed, a land and a sea go where the part goes that holds them. */
static void test_standing(void **state) {
    static const char text[] =
        "field step: seconds = 0.1 s\n"
        "part thing: shapes.sphere(radius: 1 m)\n"
        "part never, hidden: true\n  part copy: thing\n"
        "part raft, at: (0, 0, 0)\n"
        "  part grove\n    field layout = [placed(kind: thing, variant: 0, at: (5, 0, 0), turn: 0 turn, size: 1, sink: 0, room: 0 m, rule: \"a\", k: 0, id: \"a/0\")]\n"
        "part land\n  field ground: heightGrid = heightGrid(cell: 1 m, points: 9, height: p => 1 m)\n"
        "  fn height(here: point) meters { ground.heightAt(here) }\n  fn gradient(here: point) direction { ground.gradientAt(here) }\n"
        "  fn slope(here: point) number { 0 }\n  fn normal(here: point) direction { ground.normalAt(here) }\n"
        "  fn curvature(here: point, over: meters) number { 0 }\n"
        "part other\n  field layout = [placed(kind: thing, variant: 0, at: (7, 0, 0), turn: 0 turn, size: 1, sink: 0, room: 0 m, rule: \"a\", k: 0, id: \"a/0\")]\n"
        "part box: shapes.box(size: (1, 1, 1))\n  field layout = [placed(kind: thing, variant: 0, at: (9, 0, 0), turn: 0 turn, size: 1, sink: 0, room: 0 m, rule: \"a\", k: 0, id: \"a/0\")]\n"
        "part still\n"
        "  on(key(\"m\"), { raft.at.x += 3 m })\n  on(key(\"t\"), { raft.tint = (0.5, 1, 1) })\n  on(key(\"h\"), { hide(raft) })\n"
        "  on(key(\"s\"), { show(raft) })\n  on(key(\"r\"), { remove(other) })\n  on(key(\"l\"), { land.at.y = 2 m })\n"
        "  on(key(\"b\"), { spawn(box(), at: (1, 2, 3)) })\n  on(key(\"c\"), { still.box[0].at.x = 4 m })\n";
    (void)state;
    static const struct { const char *key; uint32_t copies; double x, land; bool same; } steps[] = {
        {"m", 2, 8, 0, false}, {"x", 2, 8, 0, true}, {"t", 2, 8, 0, false}, {"h", 1, 7, 0, false}, {"s", 2, 8, 0, false},
        {"r", 1, 8, 0, false}, {"l", 1, 8, 2, false}, {"b", 3, 8, 2, false}, {"c", 3, 8, 2, false}};
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    const WorldScene *scene;
    must(&host, world_scene(host.world, &scene));
    assert_int_equal(copies(scene), 2);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        uint64_t shape = scene->shape;
        must(&host, world_press(host.world, steps[i].key));
        ticks(&host, 1);
        must(&host, world_scene(host.world, &scene));
        assert_int_equal(copies(scene), steps[i].copies);
        assert_float_equal(scene->instances[0].transforms[3], steps[i].x, 1e-6);
        assert_float_equal(scene->land_transform[7], steps[i].land, 1e-6);
        assert_int_equal(scene->shape == shape, steps[i].same);
    }
    assert_float_equal(scene->instances[0].tints[0], 0.5, 1e-6);
    assert_float_equal(scene->instances[0].transforms[12 + 3], 13, 1e-6); /* of the box at 4 */
    close(&host);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_army),   cmocka_unit_test(test_counts), cmocka_unit_test(test_keys),      cmocka_unit_test(test_undone),
        cmocka_unit_test(test_faults), cmocka_unit_test(test_acts),   cmocka_unit_test(test_saved),     cmocka_unit_test(test_bad_state),
        cmocka_unit_test(test_felled), cmocka_unit_test(test_memory), cmocka_unit_test(test_scene),
        cmocka_unit_test(test_standing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
