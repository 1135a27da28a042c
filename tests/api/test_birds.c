/* Flocks of boidflock as a world flies them: ten minutes, the same to the bit however it is run, and a view that only moves. */
#include "tests/support/host.h"

static const char text[] =
    "use boidflock\n"
    "field step: seconds = 1 s / 30\n"
    "fn hills(p: point) meters { 30 m * smooth(0, 0.8, value2(p.x / 60 m, p.z / 60 m, 3).value) }\n"
    "part birds: boidflock.flocks(ground: hills, kin: [boidflock.flock(), boidflock.flock(home: (70, 0, 20)),\n"
    "    boidflock.flock(size: 1), boidflock.flock(size: 1), boidflock.flock(home: (70, 0, 20), size: 1)])\n"
    "part judge\n"
    "  field low: meters = 100 m\n  field far: meters = 0 m\n  field goals = 0\n"
    "  on(every(step), {\n"
    "    let f = birds.air\n"
    "    low = f.birds.fold(low, fn(least, b) { min(least, b.at.y - b.ground) })\n"
    "    far = f.birds.fold(far, fn(most, b) { max(most, planDistance(b.at, f.flocks[b.flock].home)) })\n"
    "    goals = f.flocks.map(k => k.goal).sum()\n  })\n";

static void ticks(const Host *host, int count) {
    for (int i = 0; i < count; i++)
        must(host, world_tick(host->world));
}

static double number(const Host *host, const char *expression) {
    char answer[256];
    return strtod(ask_text(host, expression, answer, sizeof answer), NULL);
}

static void close(const Host *host) {
    world_close(host->world);
    world_engine_destroy(host->engine);
}

static uint64_t state_of(const Host *host) {
    uint64_t hash;
    must(host, world_state_hash(host->world, &hash));
    return hash;
}

static Host go_on(const Host *from, WorldEngineDesc desc) {
    Host host = open_host(desc, text);
    const char *json;
    must(from, world_state_save(from->world, &json));
    must(&host, world_state_load(host.world, json, strlen(json)));
    return host;
}

/* Over 20 000 steps: others' flocks agreed for 7000 and then did not. One goes straight on, one on other threads, and is written down and read on the
 * way, one is interpreted for its first steps. */
static void test_long_flight(void **state) {
    (void)state;
    enum { STEPS = 20000, EACH = 400 };
    Host one = open_host((WorldEngineDesc){.exec = exec_compiled(), .threads = 1}, text);
    Host two = open_host((WorldEngineDesc){.exec = exec_compiled(), .threads = 3}, text);
    Host slow = open_host((WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER, .threads = 1}, text);
    ticks(&slow, EACH);
    for (int step = EACH; step <= STEPS; step += EACH) {
        ticks(&one, EACH);
        ticks(&two, EACH);
        uint64_t hash = state_of(&one);
        if (step == EACH) assert_true(hash == state_of(&slow));
        if (hash != state_of(&two)) fail_msg("two flights differ between steps %d and %d", step - EACH, step);
        if (step % 4000) continue;
        Host next = go_on(&two, (WorldEngineDesc){.exec = exec_compiled(), .threads = 2});
        close(&two);
        two = next;
    }
    assert_true(number(&one, "judge.low / 1 m") > 2); /* eleven minutes, and none came nearer to the ground */
    assert_true(number(&one, "judge.far / 1 m") < 90);
    assert_true(number(&one, "judge.goals") > 300); /* they go from place to place */
    close(&one);
    close(&two);
    close(&slow);
}

static uint32_t copies(const WorldScene *scene) {
    uint32_t count = 0;
    for (size_t i = 0; i < scene->instance_count; i++)
        count += scene->instances[i].count;
    return count;
}

static bool has_bird_at(const WorldScene *scene, double x, double y, double z) {
    for (size_t i = 0; i < scene->instance_count; i++)
        for (uint32_t k = 0; k < scene->instances[i].count; k++) {
            const float *m = scene->instances[i].transforms + 12 * k;
            if ((m[3] - x) * (m[3] - x) + (m[7] - y) * (m[7] - y) + (m[11] - z) * (m[11] - z) < 1e-4) return true;
        }
    return false;
}

/* However the wings are, the scene stays the one that was gathered: its birds have moved. */
static void test_seen(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1}, text);
    const WorldScene *scene;
    must(&host, world_scene(host.world, &scene));
    uint64_t shape = scene->shape;
    assert_int_equal(copies(scene), 37);
    assert_int_equal(scene->mesh_count, 13);
    for (int i = 0; i < 40; i++) {
        ticks(&host, 3);
        must(&host, world_show(host.world, (i + 1) * 0.1));
        must(&host, world_scene(host.world, &scene));
        assert_true(scene->shape == shape);
        assert_int_equal(copies(scene), 37);
    }
    must(&host, world_show(host.world, 4.01)); /* between two steps */
    must(&host, world_scene(host.world, &scene));
    assert_true(has_bird_at(scene, number(&host, "(birds.air.birds[5].at.x + birds.air.birds[5].velocity.x * 0.01 s) / 1 m"),
                            number(&host, "(birds.air.birds[5].at.y + birds.air.birds[5].velocity.y * 0.01 s) / 1 m"),
                            number(&host, "(birds.air.birds[5].at.z + birds.air.birds[5].velocity.z * 0.01 s) / 1 m")));
    close(&host);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_long_flight), cmocka_unit_test(test_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
