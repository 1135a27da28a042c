/* doc: the reference of a name; and with --html the manual, as pages. */
#include "compiler/manual/manual.h"

#include <stdlib.h>
#include <unistd.h>

#include "compiler/cli/cli.h"
#include "compiler/cli/installed.h"
#include "compiler/cli/option_table.h"

/* -- the command line's own document -- */

static const struct Verb {
    const char *name, *arguments, *summary, *example;
} verbs[] = {
#define COMMAND(name, arguments, most_words, summary, example) {#name, arguments, summary, example},
#include "compiler/cli/command.def"
#undef COMMAND
};

/* In a table a bar is a cell's end. */
static void add_cell(StrBuf *out, const char *text) {
    for (; *text; text++) {
        if (*text == '|') strbuf_char(out, '\\');
        strbuf_char(out, *text);
    }
}

/* Of a verb, or with NULL of every verb. */
static void add_options(StrBuf *out, const char *verb) {
    bool first = true;
    for (int i = 0; i < OPTION_ROWS; i++) {
        const OptionRow *row = &option_rows[i];
        if (!option_is_of(row, verb)) continue;
        strbuf_printf(out, "%s| `%s", first ? "| | |\n|---|---|\n" : "", row->name);
        if (row->argument) strbuf_char(out, ' ');
        if (row->argument) add_cell(out, row->argument);
        strbuf_str(out, STR_LIT("`"));
        if (row->letter[0] && !option_is_level(row)) strbuf_printf(out, ", `%s`", row->letter);
        strbuf_str(out, STR_LIT(" | "));
        add_cell(out, row->doc);
        strbuf_str(out, STR_LIT(" |\n"));
        first = false;
    }
    strbuf_char(out, '\n');
}

static Str commands_document(Arena *arena) {
    StrBuf out = {.arena = arena};
    strbuf_str(&out, STR_LIT("# Commands\n\n`worldc FILE` builds a world and shows it; every other verb stands before the file. Data goes to standard output, all "
                             "else to standard error. It exits with 0 when all is fine, 1 when the world has errors or a question failed, 2 when the command line "
                             "was wrong or a file could not be read or written, 3 at a limit.\n\n"));
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        strbuf_printf(&out, "## worldc %s %s\n\n%s.\n\n    %s\n\n", verbs[i].name, verbs[i].arguments, verbs[i].summary, verbs[i].example);
        add_options(&out, verbs[i].name);
    }
    strbuf_str(&out, STR_LIT("## Options of every verb\n\n"));
    add_options(&out, NULL);
    return strbuf_take(&out);
}

/* -- pictures -- */

static bool write_text(const char *path, Str text) {
    WholeFile file;
    bool good = file_open(&file, path) && file_add(&file, text.ptr, text.len);
    good = file_commit(&file) && good;
    if (!good) fprintf(stderr, "worldc: cannot write '%s': %s\n", path, strerror(file.problem));
    return good;
}

typedef struct Drawing {
    Arena *arena;
    int code; /* of the last one */
} Drawing;

/* As `worldc render` does it, of the text, which stays beside the picture. */
static bool draw_world(void *user, Str text, const char *path) {
    Drawing *drawing = user;
    char *world = (char *)str_printf(drawing->arena, "%.*s.world", (int)(strlen(path) - strlen(".png")), path).ptr, *words[] = {world};
    Cli cli = {.verb = "render", .words = words, .word_count = 1, .level = -1};
    cli.has[OPTION_OUTPUT] = cli.has[OPTION_SIZE] = cli.has[OPTION_QUIET] = true;
    cli.value[OPTION_OUTPUT] = path;
    cli.value[OPTION_SIZE] = "800x450";
    drawing->code = write_text(world, text) ? command_render(&cli) : EXIT_USAGE;
    session_close(&cli);
    return drawing->code == EXIT_FINE;
}

/* -- the manual -- */

static int write_manual(Cli *cli, Arena *arena) {
    Str problem = {0};
    char share[INSTALLED_ROOM];
    installed_folder("manual", share);
    Drawing drawing = {arena, EXIT_FINE};
    ManualDesc desc = {.share = share, .out = cli->value[OPTION_HTML], .commands = commands_document(arena), .user = &drawing};
    if (cli->has[OPTION_PICTURES]) desc.picture = draw_world;
    if (manual_write(arena, &desc, &problem)) {
        if (!cli->has[OPTION_QUIET]) fprintf(stderr, "the manual begins at %s/index.html\n", desc.out);
        return EXIT_FINE;
    }
    if (problem.len) fprintf(stderr, "worldc: %.*s\n", STR_ARG(problem));
    return drawing.code == EXIT_FINE ? EXIT_USAGE : drawing.code;
}

static int try_manual(Cli *cli, Arena *arena) {
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        int code = write_manual(cli, arena);
        memory_end_try(&recover);
        return code;
    }
    fprintf(stderr, "worldc: out of memory\n");
    return EXIT_LIMIT;
}

static int manual(Cli *cli) {
    Memory memory;
    Arena arena;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    int code = try_manual(cli, &arena);
    arena_fini(&arena);
    return code;
}

/* -- a name -- */

/* Without a file, the standard library alone is looked through. */
static int open_for_doc(Cli *cli) {
    if (cli->word_count > 1) {
        cli->words++;
        cli->word_count--;
        int code = session_open(cli, false);
        cli->words--;
        cli->word_count++;
        return code;
    }
    int code = session_open_engine(cli);
    if (code != EXIT_FINE) return code;
    return session_report(cli, world_open_text(cli->engine, "", 0, &(WorldDesc){0}, &cli->world));
}

int command_doc(Cli *cli) {
    const char *text;
    if (cli->has[OPTION_HTML] && cli->word_count) return usage_error(cli, "--html writes all of the manual, without a name");
    if (cli->has[OPTION_PICTURES] && !cli->has[OPTION_HTML]) return usage_error(cli, "--pictures are the manual's: --html DIR");
    if (cli->has[OPTION_HTML]) return manual(cli);
    int code = open_for_doc(cli);
    if (code != EXIT_FINE) return code;
    WorldStatus status = world_doc(cli->world, cli->word_count ? cli->words[0] : "", &text);
    if (status == WORLD_OK) fputs(text, stdout);
    return session_report(cli, status);
}
