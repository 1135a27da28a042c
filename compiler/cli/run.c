/* run: a world lives for a while. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cli/cli.h"
#include "runtime/file/file.h"

enum { KEY_BYTES = 32 };
static const double most_seconds = 1e7;

typedef struct Key {
    double at;
    char name[KEY_BYTES];
} Key;

typedef struct Run {
    Cli *cli;
    Key *keys;
    size_t key_count, next_key;
    World *other; /* the same world, interpreted; NULL: there is none */
    WorldEngine *other_engine;
} Run;

/* -- files -- */

static int cannot_read(const char *path) {
    fprintf(stderr, "worldc: '%s' cannot be read: %s\n", path, strerror(errno));
    return EXIT_USAGE;
}

static int bad_key(const char *path, int line) {
    fprintf(stderr, "worldc: %s:%d: a line is the seconds, by rising time, then a key: 1.5 g\n", path, line);
    return EXIT_USAGE;
}

static int read_keys(Run *run, const char *path) {
    size_t length;
    char *text = input_read(path, &length), *rest = text, *line;
    if (text == NULL) return cannot_read(path);
    run->keys = calloc(length / 2 + 1, sizeof *run->keys);
    int code = run->keys ? EXIT_FINE : session_report(run->cli, WORLD_ERROR_MEMORY);
    for (int number = 1; code == EXIT_FINE && (line = strsep(&rest, "\n")); number++) {
        char *end, *name;
        line[strcspn(line, "\r")] = '\0';
        if (line[strspn(line, " \t")] == '\0' || line[0] == '#') continue;
        double at = strtod(line, &end);
        name = end + strspn(end, " \t");
        name[strcspn(name, " \t")] = '\0';
        bool good = end != line && at >= 0 && at <= most_seconds && name[0] && strlen(name) < KEY_BYTES &&
                    (run->key_count == 0 || at >= run->keys[run->key_count - 1].at);
        if (!good) code = bad_key(path, number);
        run->keys[run->key_count].at = at;
        if (good) strcpy(run->keys[run->key_count++].name, name);
    }
    free(text);
    return code;
}

int session_load_state(Cli *cli, World *world) {
    const char *path = cli->value[OPTION_LOAD];
    size_t length;
    if (!cli->has[OPTION_LOAD]) return EXIT_FINE;
    char *text = input_read(path, &length);
    if (text == NULL) return cannot_read(path);
    WorldStatus status = world_state_load(world, text, length);
    free(text);
    return session_report(cli, status);
}

static int save_state(Cli *cli, const char *path) {
    const char *json;
    WorldStatus status = world_state_save(cli->world, &json);
    if (status != WORLD_OK) return session_report(cli, status);
    if (strcmp(path, "-") == 0) {
        fputs(json, stdout);
        return EXIT_FINE;
    }
    WholeFile file;
    bool good = file_open(&file, path);
    if (good) file_add(&file, json, strlen(json));
    if (good && file_commit(&file)) return EXIT_FINE;
    fprintf(stderr, "worldc: cannot write '%s': %s\n", path, strerror(file.problem));
    return EXIT_USAGE;
}

/* -- running -- */

static void tell_events(World *world, bool quiet) {
    WorldEvent event = {.size = sizeof event};
    while (world_event_next(world, &event))
        if (event.kind == WORLD_EVENT_SAID && !quiet) puts(event.text);
}

/* The first line in which two states differ, which is a part, a field or a handler. */
static int tell_difference(const char *a, const char *b, int64_t tick) {
    const char *line_a = a, *line_b = b;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '\n') {
            line_a = a + i + 1;
            line_b = b + i + 1;
        }
    fprintf(stderr, "worldc: step %" PRId64 " differs\n  this:  %.*s\n  other: %.*s\n", tick, (int)strcspn(line_a, "\n"), line_a,
            (int)strcspn(line_b, "\n"), line_b);
    return EXIT_WORLD;
}

static int compare(Run *run, int64_t tick) {
    uint64_t a, b;
    const char *mine, *others;
    WorldStatus status = world_state_hash(run->cli->world, &a);
    if (status == WORLD_OK) status = world_state_hash(run->other, &b);
    if (status != WORLD_OK || a == b) return session_report(run->cli, status);
    if (world_state_save(run->cli->world, &mine) != WORLD_OK || world_state_save(run->other, &others) != WORLD_OK) return EXIT_WORLD;
    return tell_difference(mine, others, tick);
}

static int open_other(Run *run) {
    Cli *cli = run->cli;
    const WorldEngineDesc desc = {.exec = WORLD_EXEC_INTERPRETER, .threads = 1};
    WorldDesc world = {0};
    if (cli->has[OPTION_SEED]) {
        world.has_seed = true;
        world.seed = (uint32_t)strtoul(cli->value[OPTION_SEED], NULL, 10);
    }
    WorldStatus status = world_engine_create(&desc, &run->other_engine);
    if (status == WORLD_OK) status = world_open_file(run->other_engine, cli->words[0], &world, &run->other);
    if (status != WORLD_OK) return session_report(cli, status);
    return session_load_state(cli, run->other);
}

/* The keys of a tick are those up to its begin. */
static WorldStatus press_keys(Run *run, double until) {
    WorldStatus status = WORLD_OK;
    for (; status == WORLD_OK && run->next_key < run->key_count && run->keys[run->next_key].at <= until; run->next_key++) {
        const char *name = run->keys[run->next_key].name;
        status = world_press(run->cli->world, name);
        if (status == WORLD_OK && run->other) status = world_press(run->other, name);
    }
    return status;
}

static int run_tick(Run *run, double begun) {
    Cli *cli = run->cli;
    WorldTime clock = {.size = sizeof clock};
    WorldStatus status = press_keys(run, begun);
    if (status == WORLD_OK) status = world_tick(cli->world);
    if (status != WORLD_OK) return session_report(cli, status);
    tell_events(cli->world, false);
    if (run->other == NULL) return EXIT_FINE;
    status = world_tick(run->other);
    tell_events(run->other, true);
    if (status == WORLD_OK) status = world_time(cli->world, &clock);
    return status == WORLD_OK ? compare(run, clock.tick) : session_report(cli, status);
}

static int run_for(Run *run, double seconds) {
    WorldTime clock = {.size = sizeof clock};
    WorldStatus status = world_time(run->cli->world, &clock);
    if (status != WORLD_OK) return session_report(run->cli, status);
    double ticks = seconds / clock.step;
    int code = EXIT_FINE;
    for (double tick = 1; tick <= ticks + 1e-6 && code == EXIT_FINE; tick++)
        code = run_tick(run, clock.now + tick * clock.step);
    return code;
}

static int finish(Cli *cli) {
    uint64_t hash;
    if (cli->has[OPTION_HASH]) {
        WorldStatus status = world_state_hash(cli->world, &hash);
        if (status != WORLD_OK) return session_report(cli, status);
        printf("%016" PRIx64 "\n", hash);
    }
    return cli->has[OPTION_SAVE] ? save_state(cli, cli->value[OPTION_SAVE]) : EXIT_FINE;
}

/* Lets the world run for --seconds, from the state that --load says. */
int session_run(Cli *cli, double seconds) {
    Run run = {.cli = cli};
    double wanted;
    if (cli->has[OPTION_SECONDS]) {
        if (!options_numbers(cli->value[OPTION_SECONDS], 1, &wanted) || wanted < 0 || wanted > most_seconds)
            return usage_error(cli, "--seconds takes a number from 0 to %g", most_seconds);
        seconds = wanted;
    }
    int code = session_load_state(cli, cli->world);
    if (code == EXIT_FINE && cli->has[OPTION_INPUT]) code = read_keys(&run, cli->value[OPTION_INPUT]);
    if (code == EXIT_FINE && cli->has[OPTION_TWICE]) code = open_other(&run);
    if (code == EXIT_FINE && seconds > 0) code = run_for(&run, seconds);
    if (run.other) world_close(run.other);
    if (run.other_engine) world_engine_destroy(run.other_engine);
    free(run.keys);
    return code;
}

int command_run(Cli *cli) {
    if (cli->has[OPTION_TWICE] && cli->has[OPTION_SET]) return usage_error(cli, "--twice runs the world as it is written; --set says otherwise");
    int code = session_open(cli, false);
    if (code == EXIT_FINE) code = session_run(cli, 1);
    return code == EXIT_FINE ? finish(cli) : code;
}
