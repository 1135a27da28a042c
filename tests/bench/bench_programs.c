/* Programs in the language (programs.world) beside the same algorithms in C (programs.c): one thread, and the world
 * chooses for itself what it compiles; the turn that is not counted is when it does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <world/world.h>

#include "tests/bench/programs.h"
#include "tests/bench/table.h"

enum { TURNS = 5, TEXT_MOST = 1 << 16 };

static const struct {
    const char *what, *question;
    int64_t size;
    double goal;
} programs[] = {
#define PROGRAM(name, what, question, size, goal) {what, question, size, goal},
#include "tests/bench/programs.def"
#undef PROGRAM
};

typedef struct Turn {
    World *world; /* or, when there is none: */
    BenchProgram by_hand;
    int program;
    double answer;
} Turn;

static void take_turn(void *user) {
    Turn *turn = user;
    if (!turn->world) {
        turn->answer = turn->by_hand(programs[turn->program].size);
        return;
    }
    WorldValue *value;
    double numbers[3] = {0};
    const char *question = programs[turn->program].question;
    bench_require(world_ask(turn->world, question, &value) == WORLD_OK, question);
    world_value_numbers(value, numbers);
    world_value_destroy(value);
    turn->answer = numbers[0];
}

static void compare(World *world, int program) {
    Turn turns[] = {{.world = world, .program = program},
                    {.by_hand = programs_gcc[program], .program = program},
                    {.by_hand = programs_clang[program], .program = program}};
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
    WorldEngine *engine;
    bench_require(world_engine_create(&(WorldEngineDesc){.threads = 1}, &engine) == WORLD_OK, "an engine");
    World *world = open_programs(engine, place->programs);
    for (int i = 0; i < PROGRAM_COUNT; i++)
        compare(world, i);
    time_climate(world);
    world_close(world);
    world_engine_destroy(engine);
}
