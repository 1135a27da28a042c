/* Memory comes back within one question: what loops make and drop takes at most three times what is alive, and a constant,
 * interpreted and compiled, on one thread and on two. The allocator says what was taken. */
#include <stdatomic.h>

#include "tests/support/host.h"

/* The loops that the language promises this for, with fewer turns of smaller things: what does not come back is a hundred
 * times what may be taken all the same. */
static const char text[] =
    "fn replaced(turns: int) int {\n"
    "  var xs = listOf(10000, 0)\n"
    "  each turn in 0 ..< turns { xs = listOf(10000, turn) }\n"
    "  xs[0]\n"
    "}\n"
    "record mote\n  x: number\n  y: number\n  vx: number\n  vy: number\n"
    "fn simulated(count: int, steps: int) int {\n"
    "  var motes = (0 ..< count).toList().map(i => mote(x: i, y: 0, vx: 0.5, vy: 0.25))\n"
    "  each step in 0 ..< steps { motes = motes.map(m => m.with(x: m.x + m.vx, y: m.y + m.vy)) }\n"
    "  int(motes[0].x)\n"
    "}\n"
    "fn blurred(side: int, rounds: int) int {\n"
    "  var grid = Grid(side, side, 0.0)\n"
    "  grid[0, 0] = 1\n"
    "  each round in 0 ..< rounds {\n"
    "    let before = grid\n"
    "    grid = before.map(fn(i: int, j: int, v: number) {\n"
    "      0.5 * v + 0.25 * before[max(i - 1, 0), j] + 0.25 * before[i, max(j - 1, 0)]\n"
    "    })\n"
    "  }\n"
    "  int(1000 * grid[0, 0])\n"
    "}\n"
    "fn small(turns: int) int {\n"
    "  var xs = [0]\n"
    "  each turn in 0 ..< turns { xs = [turn, xs[0]] }\n"
    "  xs[0]\n"
    "}\n";

enum { CONSTANT = 1 << 20 };

typedef struct Meter {
    atomic_size_t now, most;
} Meter;

static void *metered(void *user, void *pointer, size_t old_size, size_t new_size) {
    Meter *meter = user;
    void *moved = new_size ? realloc(pointer, new_size) : NULL;
    if (new_size == 0) free(pointer);
    if (new_size && !moved) return NULL;
    size_t now = atomic_fetch_add(&meter->now, new_size - old_size) + new_size - old_size, most = atomic_load(&meter->most);
    while (now > most && !atomic_compare_exchange_weak(&meter->most, &most, now))
        ;
    return moved;
}

/* `alive`: bytes of what the loop has at a time, old and new. */
static void assert_returns(const Host *host, Meter *meter, const char *question, const char *answer, size_t alive) {
    char out[64];
    size_t before = atomic_load(&meter->now);
    atomic_store(&meter->most, before);
    assert_string_equal(ask_text(host, question, out, sizeof out), answer);
    size_t taken = atomic_load(&meter->most) - before;
    if (taken > 3 * alive + CONSTANT) fail_msg("%s took %zu bytes, of %zu alive", question, taken, alive);
}

static void ask_all(WorldExec exec, int threads) {
    Meter meter = {0};
    WorldEngineDesc desc = {.exec = exec, .threads = threads, .allocator = {metered, &meter}};
    Host host = open_host(desc, text);
    for (int again = 0; again < 2; again++) {
        assert_returns(&host, &meter, "replaced(2000)", "1999", 2 * 80000);
        assert_returns(&host, &meter, "simulated(5000, 100)", "50", 2 * 5000 * 32);
        assert_returns(&host, &meter, "blurred(96, 60)", "1000", 2 * 96 * 96 * 8);
        assert_returns(&host, &meter, "small(100000)", "99999", 100);
    }
    world_engine_destroy(host.engine);
    assert_int_equal(atomic_load(&meter.now), 0);
}

static void test_interpreted(void **state) {
    (void)state;
    ask_all(WORLD_EXEC_INTERPRETER, 1);
    ask_all(WORLD_EXEC_INTERPRETER, 2);
}

static void test_compiled(void **state) {
    (void)state;
    ask_all(WORLD_EXEC_DEFAULT, 1);
    ask_all(WORLD_EXEC_DEFAULT, 2);
    ask_all(exec_compiled(), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_interpreted), cmocka_unit_test(test_compiled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
