/* Programs in the language (programs.world) beside the same algorithms in C (programs.c): one thread, and the world
 * chooses for itself what it compiles; the turn that is not counted is when it does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <world/world.h>

#include "tests/bench/programs.h"
#include "tests/bench/table.h"

enum { TURNS = 5, FOREST_TURNS = 3, TEXT_MOST = 1 << 16 };

static const struct {
    const char *name, *what, *question;
    int64_t size;
    double goal;
} programs[] = {
#define PROGRAM(name, what, question, size, goal) {#name, what, question, size, goal},
#include "tests/bench/programs.def"
#undef PROGRAM
};

typedef struct Turn {
    World *world; /* or, when there is none: */
    BenchProgram by_hand;
    const char *question;
    int64_t size; /* the same for by_hand */
    double answer;
} Turn;

static void take_turn(void *user) {
    Turn *turn = user;
    if (!turn->world) {
        turn->answer = turn->by_hand(turn->size);
        return;
    }
    WorldValue *value;
    double numbers[3] = {0};
    bench_require(world_ask(turn->world, turn->question, &value) == WORLD_OK, turn->question);
    world_value_numbers(value, numbers);
    world_value_destroy(value);
    turn->answer = numbers[0];
}

static void compare(World *world, int program) {
    int64_t size = programs[program].size;
    Turn turns[] = {{.world = world, .question = programs[program].question},
                    {.by_hand = programs_gcc[program], .size = size},
                    {.by_hand = programs_clang[program], .size = size}};
    BenchSide sides[3];
    for (int i = 0; i < 3; i++)
        sides[i] = (BenchSide){take_turn, &turns[i], 0};
    bench_measure(sides, 3, TURNS, BENCH_CPU);
    for (int i = 1; i < 3; i++)
        bench_require(fabs(turns[0].answer - turns[i].answer) <= 1e-9 * fabs(turns[i].answer),
                      programs[program].question);
    for (int i = 1; i < 3; i++) {
        char what[128];
        snprintf(what, sizeof what, "%s, by %s", programs[program].what, i == 1 ? "gcc" : "clang 19");
        bench_row(&(BenchRow){what, "ms", sides[0].seconds * 1e3, sides[i].seconds * 1e3, BENCH_RATIO,
                              programs[program].goal});
    }
}

static void choose(void *world) {
    WorldValue *value;
    const char *question = "chosen(100)";
    bench_require(world_ask(world, question, &value) == WORLD_OK, question);
    world_value_destroy(value);
}

static void time_climate(World *world) {
    BenchSide side = {choose, world, 0};
    bench_measure(&side, 1, TURNS, BENCH_CPU);
    bench_row(&(BenchRow){"climate, 11 rules, 10^6 candidates", "ms", side.seconds * 1e3, 0, BENCH_TIME, 1000});
}

/* The forest at four sizes: what a plant costs should grow as the logarithm of their number does, and as memory slows. */
static void grow_forests(World *world) {
    static const struct {
        const char *what;
        int side, plants;
    } forests[] = {{"a forest of 10^3 plants, each, by gcc", 224, 1000},
                   {"a forest of 10^4 plants, each, by gcc", 708, 10000},
                   {"a forest of 10^5 plants, each, by gcc", 2240, 100000},
                   {"a forest of 10^6 plants, each, by gcc", 7083, 1000000}};
    for (size_t i = 0; i < sizeof forests / sizeof *forests; i++) {
        char question[32];
        snprintf(question, sizeof question, "grown(%d)", forests[i].side);
        Turn turns[] = {{.world = world, .question = question},
                        {.by_hand = programs_gcc[PROGRAM_grown], .size = forests[i].side}};
        BenchSide sides[] = {{take_turn, &turns[0], 0}, {take_turn, &turns[1], 0}};
        double each = 1e9 / forests[i].plants;
        bench_measure(sides, 2, FOREST_TURNS, BENCH_CPU);
        bench_row(&(BenchRow){forests[i].what, "ns", sides[0].seconds * each, sides[1].seconds * each, BENCH_NO_GOAL, 0});
    }
}

static void share_threads(World *one, World *two) {
    static const struct {
        const char *what, *question;
    } shared[] = {{"Grid.map of 512^2, 4 times, two threads against one", "mapped(512, 4)"},
                  {"a stencil by Grid.map of 512^2, 20 times, the same", "blurred(512, 20)"}};
    for (int i = 0; i < 2; i++) {
        Turn turns[] = {{.world = two, .question = shared[i].question}, {.world = one, .question = shared[i].question}};
        BenchSide sides[] = {{take_turn, &turns[0], 0}, {take_turn, &turns[1], 0}};
        bench_measure(sides, 2, TURNS, BENCH_WALL);
        bench_require(turns[0].answer == turns[1].answer, shared[i].question);
        bench_row(&(BenchRow){shared[i].what, "ms", sides[0].seconds * 1e3, sides[1].seconds * 1e3, BENCH_RATIO, 0.6});
    }
}

enum { SETS = 100000 };

static void set_often(void *user) {
    World *world = user;
    WorldField field;
    bench_require(world_field(world, "moved", "point", &field) == WORLD_OK, "the field 'moved'");
    for (int i = 0; i < SETS; i++) {
        double place[3] = {i, 1, 2};
        bench_require(world_field_set(world, field, place) == WORLD_OK, "a set of 'moved'");
    }
}

/* As a host does that moves an island each frame. */
static void time_sets(World *world) {
    BenchSide side = {set_often, world, 0};
    bench_measure(&side, 1, TURNS, BENCH_CPU);
    bench_row(&(BenchRow){"world_field_set of a point", "ns", side.seconds * 1e9 / SETS, 0, BENCH_TIME, 2000});
}

static void time_all(World **worlds) {
    for (int i = 0; i < PROGRAM_COUNT; i++)
        compare(worlds[0], i);
    time_climate(worlds[0]);
    grow_forests(worlds[0]);
    time_sets(worlds[0]);
    share_threads(worlds[0], worlds[1]);
}

static World *open_programs(WorldEngine *engine, const char *path) {
    World *world;
    char *text = calloc(1, TEXT_MOST);
    FILE *file = fopen(path, "rb");
    bench_require(file && text && fread(text, 1, TEXT_MOST - 1, file) > 0, path);
    fclose(file);
    WorldStatus status = world_open_text(engine, text, strlen(text), &(WorldDesc){0}, &world);
    bench_require(status == WORLD_OK, world_diagnostics_text(engine, NULL, WORLD_STYLE_HUMAN));
    free(text);
    return world;
}

void bench_programs(const BenchPlace *place) {
    WorldEngine *engines[2];
    World *worlds[2];
    for (int i = 0; i < 2; i++) {
        bench_require(world_engine_create(&(WorldEngineDesc){.threads = i + 1}, &engines[i]) == WORLD_OK, "an engine");
        worlds[i] = open_programs(engines[i], place->programs);
    }
    int named = 0;
    for (int i = 0; i < PROGRAM_COUNT; i++)
        if (bench_is_named(place, programs[i].name)) named++, compare(worlds[0], i);
    if (bench_is_named(place, "threads")) named++, share_threads(worlds[0], worlds[1]);
    if (named == 0) time_all(worlds);
    for (int i = 0; i < 2; i++) {
        world_close(worlds[i]);
        world_engine_destroy(engines[i]);
    }
}
