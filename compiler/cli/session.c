/* An engine and a world as the options want them; progress; what went wrong, told. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cli/cli.h"

static const double progress_after = 0.5; /* seconds */
enum { BAR_WIDTH = 20 };

/* Set by Control-C; a signal handler can reach nothing else. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

bool session_interrupted(void) {
    return interrupted != 0;
}

/* -- progress -- */

void session_clear_progress(Cli *cli) {
    if (cli->drawn) fputs("\r\033[K", stderr);
    cli->drawn = false;
}

/* A bar as long as the share that is done; where nobody knows how much is left, one that runs to and fro. */
static void draw_progress(Cli *cli, const char *what, double seconds) {
    char bar[BAR_WIDTH + 1];
    const char *task;
    double done = world_progress(cli->world, &task);
    int turn = (int)(seconds * 10) % (2 * BAR_WIDTH - 2);
    int at = turn < BAR_WIDTH ? turn : 2 * BAR_WIDTH - 2 - turn;
    memset(bar, '-', BAR_WIDTH);
    bar[BAR_WIDTH] = '\0';
    if (done < 0)
        bar[at] = '#';
    else
        memset(bar, '#', (size_t)(done * BAR_WIDTH));
    fprintf(stderr, "\r\033[K[%s] %.1f s  %s", bar, seconds, what);
    if (done >= 0) fprintf(stderr, ": %s, %.0f %%", task, done * 100);
    fflush(stderr);
    cli->drawn = true;
}

static bool on_progress(void *user, const char *what, double seconds) {
    Cli *cli = user;
    if (cli->terminal && !cli->has[OPTION_QUIET] && seconds > progress_after)
        draw_progress(cli, what, seconds);
    return interrupted != 0;
}

/* -- telling -- */

int session_exit_code(WorldStatus status) {
    switch (status) {
    case WORLD_OK:
        return EXIT_FINE;
    case WORLD_ERROR_WORLD:
    case WORLD_ERROR_NOT_FOUND:
        return EXIT_WORLD;
    case WORLD_ERROR_ARGUMENT:
    case WORLD_ERROR_STALE:
    case WORLD_ERROR_FILE:
        return EXIT_USAGE;
    case WORLD_ERROR_LIMIT:
    case WORLD_ERROR_MEMORY:
        return EXIT_LIMIT;
    case WORLD_ERROR_INTERNAL:
        return EXIT_OURS;
    }
    return EXIT_OURS;
}

/* A stage that is none is a mistake on the command line, as any other. */
static bool names_no_stage(const Cli *cli) {
    WorldDiagnostic first = {.size = sizeof first};
    return world_diagnostic(cli->engine, cli->world, 0, &first) == WORLD_OK &&
           strcmp(first.id, "E0814") == 0;
}

int session_report(Cli *cli, WorldStatus status) {
    session_clear_progress(cli);
    bool any = world_diagnostic_count(cli->engine, cli->world) > 0;
    bool wanted = status != WORLD_OK || !cli->has[OPTION_QUIET];
    if (any && wanted)
        fputs(world_diagnostics_text(cli->engine, cli->world,
                                     cli->color ? WORLD_STYLE_COLOR : WORLD_STYLE_HUMAN),
              stderr);
    if (!any && status != WORLD_OK) fprintf(stderr, "worldc: %s\n", world_status_text(status));
    if (!any && status == WORLD_ERROR_MEMORY)
        fputs("  help: raise the limit with --memory, or ask for less\n", stderr);
    if (status == WORLD_ERROR_NOT_FOUND && any && names_no_stage(cli)) return EXIT_USAGE;
    return session_exit_code(status);
}

int session_no_layout(Cli *cli, const char *path) {
    WorldValue *value = NULL;
    WorldStatus status = world_ask(cli->world, path, &value);
    world_value_destroy(value);
    if (status != WORLD_OK) return session_report(cli, status);
    fprintf(stderr, "worldc: '%s' of '%s' holds no placed things\n", path, cli->words[0]);
    return EXIT_WORLD;
}

/* -- opening -- */

static bool read_bytes(const char *text, uint64_t *bytes) {
    char *end;
    double value = strtod(text, &end);
    double factor = 1;
    if (*end == 'K' || *end == 'k') factor = 1024;
    if (*end == 'M' || *end == 'm') factor = 1024.0 * 1024;
    if (*end == 'G' || *end == 'g') factor = 1024.0 * 1024 * 1024;
    if (end == text || (factor > 1 ? end[1] : end[0]) || !(value > 0) || value * factor > 1e18)
        return false;
    *bytes = (uint64_t)(value * factor);
    return true;
}

static bool read_whole(const char *text, double most, double *out) {
    return options_numbers(text, 1, out) && *out >= 0 && *out <= most &&
           *out == (double)(uint64_t)*out;
}

/* $XDG_CACHE_HOME/worldc, or ~/.cache/worldc; NULL when there is neither. One that begins at no root is none, as the
 * specification of these folders says: it would lie wherever the program is called. */
static const char *cache_dir(char *out, size_t size) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        snprintf(out, size, "%s/worldc", cache);
    else if (home && home[0] == '/')
        snprintf(out, size, "%s/.cache/worldc", home);
    else
        return NULL;
    return out;
}

static bool read_exec(const char *text, WorldExec *exec) {
    static const struct {
        const char *name;
        WorldExec exec;
    } rows[] = {{"interp", WORLD_EXEC_INTERPRETER},
                {"jit", WORLD_EXEC_JIT},
                {"always", WORLD_EXEC_JIT_ALWAYS}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, text) == 0) {
            *exec = rows[i].exec;
            return true;
        }
    return false;
}

int session_open_engine(Cli *cli) {
    char cache[4096];
    double number;
    WorldEngineDesc desc = {.optimize = cli->level + 1,
                            .stdlib_dir = cli->value[OPTION_STDLIB],
                            .cache_dir = cache_dir(cache, sizeof cache)};
    if (cli->has[OPTION_EXEC] && !read_exec(cli->value[OPTION_EXEC], &desc.exec))
        return usage_error(cli, "--exec is interp, jit or always");
    if (cli->has[OPTION_THREADS]) {
        if (!read_whole(cli->value[OPTION_THREADS], 1024, &number) || number < 1)
            return usage_error(cli, "--threads takes a number from 1 to 1024");
        desc.threads = (int)number;
    }
    bool compiles = strcmp(cli->verb, "compile") == 0; /* whose object is for another machine */
    const char *processor = compiles ? NULL : cli->value[OPTION_PROCESSOR];
    if (processor && strcmp(processor, "native") != 0) desc.processor = processor;
    if (cli->has[OPTION_MEMORY] &&
        !read_bytes(cli->value[OPTION_MEMORY], &desc.limits.memory_bytes))
        return usage_error(cli, "--memory takes a size: 800M, 2G");
    if (cli->has[OPTION_TIME_LIMIT]) {
        if (!options_numbers(cli->value[OPTION_TIME_LIMIT], 1, &number) || !(number > 0))
            return usage_error(cli, "--time-limit takes seconds, more than 0");
        desc.limits.build_seconds = number;
    }
    signal(SIGINT, on_interrupt);
    WorldStatus status = world_engine_create(&desc, &cli->engine);
    if (status == WORLD_OK) return EXIT_FINE;
    if (status == WORLD_ERROR_ARGUMENT && desc.processor) /* all else was looked at above */
        return usage_error(cli, "--processor is native, x86-64-v2, x86-64-v3 or x86-64-v4");
    fprintf(stderr, "worldc: %s\n", world_status_text(status));
    return session_exit_code(status);
}

static WorldStatus open_stdin(Cli *cli, WorldDesc *desc) {
    size_t length;
    char *text = input_read(NULL, &length);
    if (text == NULL) return errno == ENOMEM ? WORLD_ERROR_MEMORY : WORLD_ERROR_FILE;
    desc->name = "<stdin>";
    WorldStatus status = world_open_text(cli->engine, text, length, desc, &cli->world);
    free(text);
    return status;
}

WorldStatus session_take_bakes(Cli *cli) {
    size_t taken;
    if (!cli->has[OPTION_BAKED]) return WORLD_OK;
    return world_load_bakes(cli->world, cli->value[OPTION_BAKED], &taken);
}

static bool is_field(Cli *cli, const char *path) {
    WorldField field; /* one whose values a host cannot read is a field, too */
    return world_field(cli->world, path, NULL, &field) != WORLD_ERROR_NOT_FOUND;
}

/* The nearest field is of those that stand where it should. */
static void tell_no_field(Cli *cli, const char *path) {
    const char *dot = strrchr(path, '.'), *const * names, *nearest = NULL;
    char *holder = strndup(path, dot ? (size_t)(dot + 1 - path) : 0);
    size_t count = 0, fields = 0;
    bool known = false;
    if (holder && world_complete(cli->world, holder, &names, &count) != WORLD_OK) count = 0;
    const char **field_names = calloc(count + 1, sizeof *field_names);
    for (size_t i = 0; field_names && i < count; i++) {
        known = known || strcmp(names[i], path) == 0;
        if (is_field(cli, names[i])) field_names[fields++] = names[i];
    }
    if (field_names) nearest = help_nearest(path, field_names, (int)fields);
    if (known)
        fprintf(stderr, "worldc: '%s' is no field, and --set gives fields another value\n", path);
    else
        fprintf(stderr, "worldc: there is no field '%s'%s%s%s\n", path,
                nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    free(field_names);
    free(holder);
}

static int set_field(Cli *cli, const char *text) {
    const char *equals = options_find_equals(text), *end = equals;
    while (end && end > text && end[-1] == ' ')
        end--;
    if (equals == NULL || end == text || equals[1] == '\0')
        return usage_error(cli, "--set takes a field and a value: 'lamp.height=2 m', not '%s'",
                           text);
    char *path = strndup(text, (size_t)(end - text));
    if (path == NULL) return session_report(cli, WORLD_ERROR_MEMORY);
    WorldStatus status = world_set(cli->world, path, equals + 1);
    if (status == WORLD_ERROR_NOT_FOUND) tell_no_field(cli, path);
    free(path);
    return status == WORLD_ERROR_NOT_FOUND ? EXIT_WORLD : session_report(cli, status);
}

int session_set_fields(Cli *cli) {
    int code = EXIT_FINE;
    for (int i = 0; i < cli->set_count && code == EXIT_FINE; i++)
        code = set_field(cli, cli->sets[i]);
    return code;
}

int session_open(Cli *cli, bool keep_on_error) {
    return session_open_until(cli, keep_on_error, NULL);
}

int session_open_until(Cli *cli, bool keep_on_error, const char *stage) {
    double seed;
    WorldDesc desc = {.progress = on_progress,
                      .progress_user = cli,
                      .keep_on_error = keep_on_error,
                      .only_check = keep_on_error,
                      .stop_after = stage};
    if (cli->word_count == 0) return usage_error(cli, "which file?");
    if (cli->has[OPTION_SET] && cli->has[OPTION_BAKED])
        return usage_error(
            cli,
            "--baked takes grids of the world as it is written; with --set they are another's");
    if (cli->has[OPTION_SET] && stage)
        return usage_error(cli, "--set sets fields, and no pass of the compiler sees them");
    if (cli->has[OPTION_SEED]) {
        if (!read_whole(cli->value[OPTION_SEED], 4294967295.0, &seed))
            return usage_error(cli, "--seed takes a whole number from 0 to 4294967295");
        desc.has_seed = true;
        desc.seed = (uint32_t)seed;
    }
    int code = cli->engine ? EXIT_FINE : session_open_engine(cli);
    if (code != EXIT_FINE) return code;
    bool from_stdin = strcmp(cli->words[0], "-") == 0;
    WorldStatus status = from_stdin
                             ? open_stdin(cli, &desc)
                             : world_open_file(cli->engine, cli->words[0], &desc, &cli->world);
    if (cli->has[OPTION_VERBOSE])
        fprintf(stderr, "worldc: %s\n", world_engine_describe(cli->engine));
    if (keep_on_error && cli->world) return EXIT_FINE;
    code = session_report(cli, status);
    if (code == EXIT_FINE && cli->has[OPTION_BAKED]) code = session_report(cli, session_take_bakes(cli));
    return code == EXIT_FINE ? session_set_fields(cli) : code;
}

/* What was interpreted though machine code was wanted for it, and why. */
static void tell_interpreted(const Cli *cli) {
    static const char word[] = "interpreted: ";
    WorldTable *table;
    if (world_timings(cli->world, &table) != WORLD_OK) return;
    int phase = world_table_find(table, "phase");
    for (size_t row = 0; row < world_table_rows(table); row++)
        if (strncmp(world_table_text(table, row, phase), word, sizeof word - 1) == 0)
            fprintf(stderr, "worldc: %s\n", world_table_text(table, row, phase));
    world_table_destroy(table);
}

void session_close(Cli *cli) {
    session_clear_progress(cli);
    if (cli->has[OPTION_VERBOSE] && cli->world) tell_interpreted(cli);
    world_stream_destroy(cli->stream);
    world_close(cli->world);
    world_engine_destroy(cli->engine);
    cli->stream = NULL;
    cli->world = NULL;
    cli->engine = NULL;
}
