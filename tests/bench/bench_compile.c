/* What it costs before anything is worked out: reading and checking the island, compiling its land,
 * and the whole program from its start to its end.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <world/world.h>

#include "tests/bench/table.h"

enum { TURNS = 5, PLACES = 16384 };

static char cache[64];

extern char **environ;

static void clear_cache(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'/*", cache);
    bench_require(system(command) == 0, "the cache is cleared");
}

/* -- a world, opened and asked for its land -- */

typedef struct Compiling {
    double open, checking, asking, again; /* ms, of the last run */
    const BenchPlace *place;
    const char *cache_dir;
} Compiling;

static double timing(const WorldTable *timings, const char *phase) {
    int name = world_table_find(timings, "phase");
    int milliseconds = world_table_find(timings, "milliseconds");
    double sum = 0;
    for (size_t i = 0; i < world_table_rows(timings); i++)
        if (strcmp(world_table_text(timings, i, name), phase) == 0)
            sum += world_table_number(timings, i, milliseconds);
    return sum;
}

static void ask_land(World *world) {
    static double places[3 * PLACES], heights[PLACES];
    WorldFunction height;
    for (int i = 0; i < PLACES; i++) {
        places[3 * i] = i % 128 * 16 - 1024;
        places[3 * i + 2] = (double)(i / 128) * 16 - 1024;
    }
    bench_require(world_function(world, "baseHeight", "fn(point) meters", &height) == WORLD_OK,
                  "baseHeight");
    bench_require(world_call_batch(world, height, PLACES, places, heights) == WORLD_OK,
                  "baseHeight over places");
}

static void compile_once(Compiling *c) {
    WorldEngine *engine;
    World *world;
    WorldTable *timings;
    WorldEngineDesc desc = {.threads = 1, .cache_dir = c->cache_dir};
    bench_require(world_engine_create(&desc, &engine) == WORLD_OK, "an engine");
    double begin = bench_seconds(BENCH_CPU);
    bench_require(world_open_file(engine, c->place->island, &(WorldDesc){0}, &world) == WORLD_OK,
                  "the island");
    c->open = (bench_seconds(BENCH_CPU) - begin) * 1e3;
    begin = bench_seconds(BENCH_CPU);
    ask_land(world);
    double asked = bench_seconds(BENCH_CPU);
    ask_land(world);
    c->asking = (asked - begin) * 1e3;
    c->again = (bench_seconds(BENCH_CPU) - asked) * 1e3;
    bench_require(world_timings(world, &timings) == WORLD_OK, "timings");
    c->checking = timing(timings, "parse") + timing(timings, "check");
    world_table_destroy(timings);
    world_close(world);
    world_engine_destroy(engine);
}

static Compiling compile_medians(const BenchPlace *place, const char *cache_dir) {
    double open[TURNS], checking[TURNS], asking[TURNS], again[TURNS];
    Compiling c = {.place = place, .cache_dir = cache_dir};
    compile_once(&c); /* fills the cache */
    for (int i = 0; i < TURNS; i++) {
        compile_once(&c);
        open[i] = c.open;
        checking[i] = c.checking;
        asking[i] = c.asking;
        again[i] = c.again;
    }
    c.open = bench_median(open, TURNS);
    c.checking = bench_median(checking, TURNS);
    c.asking = bench_median(asking, TURNS);
    c.again = bench_median(again, TURNS);
    return c;
}

static void time_row(const char *what, double ms, double bound) {
    bench_row(&(BenchRow){what, "ms", ms, 0, bound > 0 ? BENCH_TIME : BENCH_NO_GOAL, bound});
}

/* Asking compiles, or loads, and then asks: what the same question takes once all is compiled is
 * told by asking twice. */
static void compile_rows(const BenchPlace *place) {
    Compiling cold = compile_medians(place, NULL);
    Compiling cached = compile_medians(place, cache);
    time_row("parse and check the island and its library, by the clock", cold.checking, 0);
    time_row("open the island: read to optimized", cold.open, 0);
    time_row("compile the land's functions, cold, beside loading LLVM", cold.asking - cached.again,
             50);
    time_row("the land's functions from the cache", cached.asking - cached.again, 5);
}

/* -- the program -- */

typedef struct Command {
    const BenchPlace *place;
    const char *verb;
    int cold; /* the cache is emptied first */
} Command;

static void run_command(const Command *command) {
    pid_t child;
    int status;
    posix_spawn_file_actions_t actions;
    char *argv[] = {(char *)(uintptr_t)command->place->worldc, (char *)(uintptr_t)command->verb,
                    (char *)(uintptr_t)command->place->island, NULL};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bench_require(posix_spawn(&child, argv[0], &actions, NULL, argv, environ) == 0,
                  "worldc starts");
    posix_spawn_file_actions_destroy(&actions);
    bench_require(waitpid(child, &status, 0) == child && status == 0, "worldc ends well");
}

/* Of the processes that ended. */
static double children_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

typedef struct CommandTime {
    double wall, processor; /* ms, medians */
} CommandTime;

static CommandTime time_command(Command command) {
    double wall[TURNS], processor[TURNS];
    for (int i = -1; i < TURNS; i++) {
        if (command.cold) clear_cache();
        double begin = bench_seconds(BENCH_WALL), used = children_seconds();
        run_command(&command);
        if (i < 0) continue;
        wall[i] = (bench_seconds(BENCH_WALL) - begin) * 1e3;
        processor[i] = (children_seconds() - used) * 1e3;
    }
    return (CommandTime){bench_median(wall, TURNS), bench_median(processor, TURNS)};
}

static void program_rows(const BenchPlace *place) {
    CommandTime check = time_command((Command){place, "check", 0});
    CommandTime cold = time_command((Command){place, "build", 1}),
                cached = time_command((Command){place, "build", 0});
    time_row("worldc check, the whole process, no LLVM, processor time", check.processor, 20);
    time_row("  by the clock", check.wall, 0);
    time_row("worldc build, the whole island, cold, by the clock", cold.wall, 0);
    time_row("  processor time", cold.processor, 0);
    time_row("worldc build, the whole island, cached, by the clock", cached.wall, 0);
    time_row("  processor time", cached.processor, 0);
}

void bench_compile(const BenchPlace *place) {
    snprintf(cache, sizeof cache, "/tmp/world-bench-XXXXXX");
    bench_require(mkdtemp(cache) != NULL, "a folder for the cache");
    setenv("XDG_CACHE_HOME", cache, 1);
    compile_rows(place);
    program_rows(place);
    clear_cache();
    rmdir(cache);
}
