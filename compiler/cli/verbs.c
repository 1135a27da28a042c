/* The short verbs: check, ask, build, hash, dump. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compiler/cli/cli.h"

/* -- check -- */

/* The items of a JSON array, without its brackets. */
static void print_items(const char *array, bool *first) {
    const char *begin = strchr(array, '['), *end = strrchr(array, ']');
    if (begin == NULL || end == NULL) return;
    begin++;
    while (begin < end && strchr(" \n\r\t", *begin))
        begin++;
    while (end > begin && strchr(" \n\r\t", end[-1]))
        end--;
    if (begin == end) return;
    if (!*first) fputs(",\n", stdout);
    *first = false;
    fwrite(begin, 1, (size_t)(end - begin), stdout);
}

static int tell(Cli *cli, WorldStatus status, bool *first) {
    if (!cli->has[OPTION_JSON]) return session_report(cli, status);
    print_items(world_diagnostics_text(cli->engine, cli->world, WORLD_STYLE_JSON), first);
    return session_exit_code(status);
}

static int check_file(Cli *cli, bool *first) {
    const char *stop_after = cli->value[OPTION_STOP_AFTER];
    int code = session_open_until(cli, true, stop_after);
    if (code == EXIT_USAGE && cli->engine == NULL) return code;
    if (cli->world == NULL) {
        if (cli->has[OPTION_JSON])
            print_items(world_diagnostics_text(cli->engine, NULL, WORLD_STYLE_JSON), first);
        return code;
    }
    bool sound = true;
    for (size_t i = 0; i < world_diagnostic_count(cli->engine, cli->world); i++) {
        WorldDiagnostic diagnostic = {.size = sizeof diagnostic};
        world_diagnostic(cli->engine, cli->world, i, &diagnostic);
        sound = sound && diagnostic.severity != WORLD_SEVERITY_ERROR;
    }
    code = tell(cli, sound ? WORLD_OK : WORLD_ERROR_WORLD, first);
    if (sound && stop_after == NULL && cli->has[OPTION_BAKED]) code = tell(cli, session_take_bakes(cli), first);
    if (sound && code == EXIT_FINE) code = session_set_fields(cli);
    if (sound && code == EXIT_FINE && stop_after == NULL) {
        WorldStatus status = world_check(cli->world);
        if (status != WORLD_OK || world_diagnostic_count(cli->engine, cli->world)) code = tell(cli, status, first);
    }
    world_close(cli->world);
    cli->world = NULL;
    return code;
}

int command_check(Cli *cli) {
    int worst = EXIT_FINE;
    bool first = true;
    if (cli->word_count == 0) return usage_error(cli, "which file?");
    if (cli->has[OPTION_JSON]) fputs("[", stdout);
    for (int i = 0, count = cli->word_count; i < count; i++, cli->words++) {
        int code = check_file(cli, &first);
        worst = code > worst ? code : worst;
    }
    cli->words -= cli->word_count;
    if (cli->has[OPTION_JSON]) fputs("]\n", stdout);
    return worst;
}

/* -- ask -- */

static int ask_one(Cli *cli, const char *expression, bool *first) {
    WorldValue *value;
    WorldStatus status = world_ask(cli->world, expression, &value);
    session_clear_progress(cli);
    if (status != WORLD_OK) return session_report(cli, status);
    if (cli->has[OPTION_JSON]) {
        fputs(*first ? "[" : ",\n ", stdout);
        fputs("{\"expr\": ", stdout);
        output_json_text(stdout, expression);
        fputs(", \"type\": ", stdout);
        output_json_text(stdout, world_value_type(value));
        printf(", \"value\": %s}", world_value_json(value));
        *first = false;
    } else {
        puts(world_value_text(value));
    }
    world_value_destroy(value);
    return EXIT_FINE;
}

static int ask_stdin(Cli *cli, bool *first) {
    char *line = NULL;
    size_t capacity = 0;
    int worst = EXIT_FINE;
    while (getline(&line, &capacity, stdin) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[strspn(line, " \t")] == '\0') continue;
        int code = ask_one(cli, line, first);
        worst = code > worst ? code : worst;
    }
    free(line);
    return worst;
}

int command_ask(Cli *cli) {
    int worst = EXIT_FINE;
    bool first = true;
    if (cli->word_count < 2)
        return usage_error(cli, "ask takes a file and at least one expression");
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    for (int i = 1; i < cli->word_count; i++) {
        bool from_stdin = strcmp(cli->words[i], "-") == 0;
        code = from_stdin ? ask_stdin(cli, &first) : ask_one(cli, cli->words[i], &first);
        worst = code > worst ? code : worst;
    }
    if (cli->has[OPTION_JSON]) puts(first ? "[]" : "]");
    return worst;
}

/* -- build and hash -- */

static WorldStatus print_timings(const Cli *cli) {
    static const char *const columns[] = {"milliseconds", "phase", NULL};
    WorldTable *table;
    WorldStatus status = world_timings(cli->world, &table);
    if (status != WORLD_OK) return status;
    bool good = table_print(cli, table, &(TableLayout){.columns = columns});
    world_table_destroy(table);
    return good ? WORLD_OK : WORLD_ERROR_MEMORY;
}

static const OptionId of_tiles[] = {OPTION_TILE, OPTION_FORMAT, OPTION_PART, OPTION_SCALE, OPTION_VERIFY};

static int bake(Cli *cli, const char *directory) {
    size_t count;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return usage_error(cli, "cannot make the folder '%s': %s", directory, strerror(errno));
    int code = session_report(cli, world_bake(cli->world, directory, &count));
    if (code == EXIT_FINE && !cli->has[OPTION_QUIET])
        fprintf(stderr, "%zu grid%s kept in %s\n", count, count == 1 ? "" : "s", directory);
    return code;
}

int command_build(Cli *cli) {
    if (cli->has[OPTION_TILES]) return tiles_build(cli);
    for (size_t i = 0; i < sizeof of_tiles / sizeof *of_tiles; i++)
        if (cli->has[of_tiles[i]]) return usage_error(cli, "--tile, --format, --part, --scale and --verify are of tiles: --tiles DIR");
    if (cli->word_count > 1) return usage_error(cli, "a build is of all of a world; of one land, tile by tile, with --tiles DIR");
    if (cli->has[OPTION_OUTPUT] && strcmp(cli->value[OPTION_OUTPUT], "-") == 0)
        return usage_error(cli, "a build keeps its grids in a folder, and - is none");
    if (cli->has[OPTION_SET] && cli->has[OPTION_OUTPUT])
        return usage_error(cli, "grids are kept of the world as it is written, without --set");
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    WorldStatus status = world_build(cli->world);
    code = session_report(cli, status);
    if (code == EXIT_FINE && cli->has[OPTION_OUTPUT]) code = bake(cli, cli->value[OPTION_OUTPUT]);
    if (code == EXIT_FINE && (cli->has[OPTION_TIME] || cli->has[OPTION_JSON]))
        code = session_report(cli, print_timings(cli));
    return code;
}

int command_hash(Cli *cli) {
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    uint64_t hash = 0;
    WorldStatus status = world_hash(cli->world, &hash);
    code = session_report(cli, status);
    if (code != EXIT_FINE) return code;
    printf(cli->has[OPTION_JSON] ? "{\"hash\": \"%016" PRIx64 "\"}\n" : "%016" PRIx64 "\n", hash);
    return EXIT_FINE;
}

/* -- dump -- */

/* NULL: none, or more than one. */
static const char *dump_stage(const Cli *cli) {
    static const struct {
        OptionId option;
        const char *stage;
    } stages[] = {{OPTION_AST, "ast"},
                  {OPTION_TREE, "tree"},
                  {OPTION_IR, "ir"},
                  {OPTION_LLVM, "llvm"},
                  {OPTION_ASM, "asm"},
                  {OPTION_GLSL, "glsl"}};
    const char *stage = cli->value[OPTION_DUMP];
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        if (!cli->has[stages[i].option]) continue;
        if (stage) return NULL;
        stage = stages[i].stage;
    }
    return stage;
}

int command_dump(Cli *cli) {
    const char *stage = dump_stage(cli);
    if (stage == NULL)
        return usage_error(cli, "which one stage: --ast --tree --ir --llvm --asm --glsl, or --dump=PASS?");
    int code = session_open_until(cli, false, stage);
    if (code != EXIT_FINE) return code;
    const char *text, *name = cli->word_count > 1 ? cli->words[1] : NULL;
    WorldStatus status = world_dump(cli->world, stage, name, &text);
    if (status == WORLD_OK) fputs(text, stdout);
    if (status != WORLD_ERROR_NOT_FOUND || !name || world_diagnostic_count(cli->engine, cli->world))
        return session_report(cli, status);
    bool syntax = strcmp(stage, "ast") == 0 || strcmp(stage, "parse") == 0;
    fprintf(stderr, "worldc: there is no %s '%s'\n", syntax ? "declaration" : "function", name);
    return EXIT_WORLD;
}
