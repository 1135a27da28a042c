/* Stable editing, measured and printed: how many trees of a wood an edit alters that has little to do with them, by how
 * the rules draw. And: a scatter that is worked out again is what it would have been from the start.
 */
#include "tests/support/host.h"
#include "tests/support/things.h"

enum { TEXT_LIMIT = 1 << 14, MAX_THINGS = 400, LAMPS = 10, MOVES = 4 };

static const char *const layout = "grove.layout";

typedef struct Figures {
    int sum, most, runs; /* trees altered by moving a lamp */
    int by_flowers;      /* by another rule's edit */
} Figures;

/* The wood's text with `draws: main` in other words, and one more replacement. */
static void make_text(const char *draws, const char *from, const char *to, char out[TEXT_LIMIT]) {
    static char text[TEXT_LIMIT];
    FILE *file = fopen(getenv("FOREST_WORLD"), "rb");
    assert_non_null(file);
    text[fread(text, 1, TEXT_LIMIT - 1, file)] = '\0';
    fclose(file);
    const char *const rows[][2] = {{"draws: main", draws}, {from, to}};
    size_t length = 0;
    for (const char *at = text; *at;) {
        size_t row = 0;
        while (row < 2 && (rows[row][0] == NULL || strncmp(at, rows[row][0], strlen(rows[row][0])) != 0)) row++;
        const char *add = row < 2 ? rows[row][1] : at;
        size_t count = row < 2 ? strlen(add) : 1;
        assert_true(length + count < TEXT_LIMIT);
        memcpy(out + length, add, count);
        length += count;
        at += row < 2 ? strlen(rows[row][0]) : 1;
    }
    out[length] = '\0';
}

static World *open_wood(WorldEngine *engine, const char *draws, const char *from, const char *to) {
    static char text[TEXT_LIMIT];
    World *world = NULL;
    make_text(draws, from, to, text);
    must(&(Host){engine, NULL}, world_open_text(engine, text, strlen(text), &(WorldDesc){0}, &world));
    return world;
}

static void read_placed(WorldEngine *engine, World *world, Things *placed) {
    things_free(placed);
    must(&(Host){engine, world}, things_read(world, layout, placed));
    assert_in_range(placed->count, 1, MAX_THINGS);
}

static bool same(const Thing *a, const Thing *b) {
    return strcmp(a->id, b->id) == 0 && strcmp(a->kind, b->kind) == 0 && a->variant == b->variant &&
           memcmp(a->at, b->at, sizeof a->at) == 0 && a->turn == b->turn && a->size == b->size && a->room == b->room;
}

static void assert_same(const Things *a, const Things *b) {
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) assert_true(same(&a->items[i], &b->items[i]));
}

/* Trees of `a` that `b` has not, or not as they were. */
static int count_lost(const Things *a, const Things *b) {
    int lost = 0;
    for (size_t i = 0; i < a->count; i++) {
        if (strcmp(a->items[i].rule, "forest") != 0) continue;
        size_t j = 0;
        while (j < b->count && !same(&a->items[i], &b->items[j])) j++;
        lost += j == b->count;
    }
    return lost;
}

static int count_altered(const Things *a, const Things *b) {
    int lost = count_lost(a, b), won = count_lost(b, a);
    return lost > won ? lost : won;
}

static void lamp_at(World *world, WorldEngine *engine, int lamp, double at[3]) {
    char question[32];
    WorldValue *value;
    snprintf(question, sizeof question, "lamp%d.at", lamp);
    must(&(Host){engine, world}, world_ask(world, question, &value));
    assert_int_equal(world_value_numbers(value, at), 3);
    world_value_destroy(value);
}

static void set_lamp(World *world, WorldEngine *engine, int lamp, double x, double z) {
    char path[32], place[80];
    snprintf(path, sizeof path, "lamp%d.at", lamp);
    snprintf(place, sizeof place, "point(%.17g m, 0 m, %.17g m)", x, z);
    must(&(Host){engine, world}, world_set(world, path, place));
}

/* Every lamp 6 m to each side, and back. */
static void move_lamps(WorldEngine *engine, World *world, const Things *before, Figures *figures) {
    static const double steps[MOVES][2] = {{6, 0}, {-6, 0}, {0, 6}, {0, -6}};
    static Things after;
    for (int lamp = 0; lamp < LAMPS; lamp++) {
        double at[3];
        lamp_at(world, engine, lamp, at);
        for (int m = 0; m < MOVES; m++) {
            set_lamp(world, engine, lamp, at[0] + steps[m][0], at[2] + steps[m][1]);
            read_placed(engine, world, &after);
            int altered = count_altered(before, &after);
            figures->sum += altered;
            figures->runs++;
            if (altered > figures->most) figures->most = altered;
        }
        set_lamp(world, engine, lamp, at[0], at[2]);
        read_placed(engine, world, &after);
        assert_same(before, &after);
    }
}

static Figures measure(WorldEngine *engine, const char *draws) {
    static Things before, after;
    Figures figures = {0};
    World *world = open_wood(engine, draws, NULL, NULL);
    read_placed(engine, world, &before);
    move_lamps(engine, world, &before, &figures);
    must(&(Host){engine, world}, world_set(world, "grove.petals", "50"));
    read_placed(engine, world, &after);
    figures.by_flowers = count_altered(&before, &after);
    print_message("  %-16s a lamp moved 6 m alters %5.2f trees (at most %d); 10 flowers fewer alter %d\n", draws,
                  (double)figures.sum / figures.runs, figures.most, figures.by_flowers);
    world_close(world);
    return figures;
}

static void test_edits_stay_local(void **state) {
    WorldEngine *engine = *state;
    print_message("of 90 trees, by how the rules draw:\n");
    Figures shared = measure(engine, "draws: main"), own = measure(engine, "draws: own"),
            spot = measure(engine, "draws: perSpot");
    assert_in_range(spot.most, 1, 8);
    assert_true(spot.sum < 3 * spot.runs);
    assert_int_equal(spot.by_flowers, 0);
    assert_int_equal(own.by_flowers, 0);
    assert_true(shared.by_flowers > 60);
    assert_true(shared.sum > 4 * spot.sum);
}

/* What a set made is what the same text makes, item for item. */
static void test_again_is_anew(void **state) {
    WorldEngine *engine = *state;
    static const char *const draws[] = {"draws: main", "draws: own", "draws: perSpot"};
    static Things set, anew;
    for (int d = 0; d < 3; d++) {
        World *world = open_wood(engine, draws[d], NULL, NULL);
        World *other = open_wood(engine, draws[d], "lamp4: lamp, at: (-4, 0, 10)", "lamp4: lamp, at: (2, 0, 10)");
        read_placed(engine, world, &set);
        set_lamp(world, engine, 4, 2, 10);
        read_placed(engine, world, &set);
        read_placed(engine, other, &anew);
        assert_same(&set, &anew);
        world_close(world);
        world_close(other);
    }
}

static int open_engine(void **state) {
    WorldEngine *engine = NULL;
    must(&(Host){0}, world_engine_create(&(WorldEngineDesc){.threads = 1, .exec = WORLD_EXEC_INTERPRETER}, &engine));
    *state = engine;
    return 0;
}

static int close_engine(void **state) {
    world_engine_destroy(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edits_stay_local), cmocka_unit_test(test_again_is_anew)};
    return cmocka_run_group_tests(tests, open_engine, close_engine);
}
