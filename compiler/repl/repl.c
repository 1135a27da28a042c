/* repl: questions of a world, interactively. With a terminal: line editing, history and
 * completion through libedit; piped: a line a question, no prompts.
 */
#include <errno.h>
#include <histedit.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "compiler/cli/cli.h"

enum { HISTORY_LINES = 1000 };

typedef struct Repl {
    Cli *cli;
    int worst; /* exit code, when piped */
    bool ended;
} Repl;

typedef struct ReplCommand {
    const char *name, *arguments, *doc;
    void (*run)(Repl *repl, const char *rest);
} ReplCommand;

/* -- answers -- */

static void fail(Repl *repl, WorldStatus status) {
    int code = session_report(repl->cli, status);
    if (code > repl->worst) repl->worst = code;
}

static WorldValue *ask(Repl *repl, const char *expression) {
    WorldValue *value;
    WorldStatus status = world_ask(repl->cli->world, expression, &value);
    session_clear_progress(repl->cli);
    if (status == WORLD_OK) return value;
    fail(repl, status);
    return NULL;
}

static void answer(Repl *repl, const char *expression) {
    WorldValue *value = ask(repl, expression);
    if (value) puts(world_value_text(value));
    world_value_destroy(value);
}

/* -- commands -- */

static void show_type(Repl *repl, const char *rest) {
    WorldValue *value = ask(repl, rest);
    if (value) puts(world_value_type(value));
    world_value_destroy(value);
}

static void show_text(Repl *repl, WorldStatus status, const char *const *text, const char *name) {
    if (status == WORLD_OK)
        fputs(*text, stdout);
    else if (status == WORLD_ERROR_NOT_FOUND)
        fprintf(stderr, "nothing is called '%s'\n", name);
    else
        fail(repl, status);
}

static void show_doc(Repl *repl, const char *rest) {
    const char *text = "";
    WorldStatus status = world_doc(repl->cli->world, rest, &text);
    if (status == WORLD_OK)
        fputs(text, stdout);
    else
        fail(repl, status);
}

static void show_ir(Repl *repl, const char *rest) {
    const char *text = "";
    show_text(repl, world_dump(repl->cli->world, "ir", rest[0] ? rest : NULL, &text), &text, rest);
}

static void show_time(Repl *repl, const char *rest) {
    struct timespec begin, end;
    uint64_t before = world_evaluations(repl->cli->world);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    answer(repl, rest);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double ms =
        (double)(end.tv_sec - begin.tv_sec) * 1e3 + (double)(end.tv_nsec - begin.tv_nsec) * 1e-6;
    printf("%.2f ms, %llu fields worked out\n", ms,
           (unsigned long long)(world_evaluations(repl->cli->world) - before));
}

/* :set land.walkway.halfWidth 1.2 m */
static void set_field(Repl *repl, const char *rest) {
    size_t length = strcspn(rest, " \t");
    const char *expression = rest + length + strspn(rest + length, " \t=");
    char *path = strndup(rest, length);
    if (path == NULL || *expression == '\0')
        fputs(":set takes a field and a value\n", stderr);
    else {
        WorldStatus status = world_set(repl->cli->world, path, expression);
        if (status == WORLD_ERROR_NOT_FOUND)
            fprintf(stderr, "there is no field '%s'\n", path);
        else if (status != WORLD_OK)
            fail(repl, status);
    }
    free(path);
}

static void reload(Repl *repl, const char *rest) {
    (void)rest;
    WorldStatus status = world_reload(repl->cli->world);
    if (status != WORLD_OK)
        fail(repl, status);
    else
        session_set_fields(repl->cli);
}

static void show_help(Repl *repl, const char *rest);

static void quit(Repl *repl, const char *rest) {
    (void)rest;
    repl->ended = true;
}

static const ReplCommand commands[] = {
    {"type", "EXPR", "its type", show_type},
    {"doc", "[NAME]", "its signature and documentation, or what a package has", show_doc},
    {"ir", "[FUNCTION]", "the code it became", show_ir},
    {"time", "EXPR", "its value, and how long it took", show_time},
    {"set", "FIELD VALUE", "set a field; what read it is worked out again", set_field},
    {"reload", "", "read the file again; what did not change is kept", reload},
    {"help", "", "this", show_help},
    {"quit", "", "end, like Control-D", quit},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void show_help(Repl *repl, const char *rest) {
    (void)repl;
    (void)rest;
    puts("Any expression, asked of the world: land.height((0, 0, 330))");
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  :%-7s %-12s %s\n", commands[i].name, commands[i].arguments, commands[i].doc);
}

static void run_command(Repl *repl, const char *line) {
    size_t length = strcspn(line, " \t");
    const char *rest = line + length + strspn(line + length, " \t");
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++) {
        names[i] = commands[i].name;
        if (strlen(names[i]) == length && strncmp(names[i], line, length) == 0) {
            commands[i].run(repl, rest);
            return;
        }
    }
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%.*s", (int)length, line);
    const char *nearest = help_nearest(wanted, names, COMMAND_COUNT);
    fprintf(stderr, "there is no command ':%s'%s%s%s\n", wanted,
            nearest ? "; did you mean ':" : "; :help lists them", nearest ? nearest : "",
            nearest ? "'?" : "");
    if (repl->worst == EXIT_FINE) repl->worst = EXIT_USAGE;
}

static void run_line(Repl *repl, char *line) {
    line += strspn(line, " \t");
    size_t length = strcspn(line, "\r\n");
    while (length && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    line[length] = '\0';
    if (line[0] == ':')
        run_command(repl, line + 1);
    else if (line[0] && strncmp(line, "//", 2) != 0)
        answer(repl, line);
    fflush(stdout);
}

static void run_piped(Repl *repl) {
    char *line = NULL;
    size_t capacity = 0;
    while (!repl->ended && getline(&line, &capacity, stdin) >= 0)
        run_line(repl, line);
    free(line);
}

/* -- the terminal -- */

static const char *prompt(EditLine *edit) {
    (void)edit;
    return "> ";
}

static bool is_name_part(char c) {
    return c == '_' || c == '.' || (c >= '0' && c <= '9') ||
           ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* The beginning of the text that ends with the quote before `at`; NULL: it has none. */
static const char *skip_text(const char *begin, const char *at) {
    do {
        if (--at <= begin) return NULL;
    } while (at[-1] != '"' || (at - 1 > begin && at[-2] == '\\'));
    return at - 1;
}

/* The opening of the bracket before `at`. */
static const char *skip_brackets(const char *begin, const char *at) {
    int depth = 0;
    do {
        if (at <= begin) return NULL;
        at--;
        if (*at == '"') at = skip_text(begin, at + 1);
        if (at == NULL) return NULL;
        depth += (*at == ')' || *at == ']') - (*at == '(' || *at == '[');
    } while (depth > 0);
    return at;
}

/* What stands before the cursor that a name may go on: "land.he", "[1, 2].le", "land.height((0, 0, 0)).". */
static size_t name_before(const LineInfo *info) {
    const char *begin = info->buffer, *at = info->cursor;
    for (;;) {
        while (at > begin && is_name_part(at[-1]))
            at--;
        const char *before = at == begin                      ? NULL
                             : at[-1] == ')' || at[-1] == ']' ? skip_brackets(begin, at)
                             : at[-1] == '"' && *at == '.'    ? skip_text(begin, at)
                                                              : NULL;
        if (before == NULL) return (size_t)(info->cursor - at);
        at = before;
    }
}

static size_t common_length(const char *const *names, size_t count) {
    size_t length = strlen(names[0]);
    for (size_t i = 1; i < count; i++) {
        size_t same = 0;
        while (same < length && names[i][same] == names[0][same])
            same++;
        length = same;
    }
    return length;
}

static void list_names(const char *const *names, size_t count) {
    putchar('\n');
    for (size_t i = 0; i < count; i++)
        printf("%s%s", names[i], i + 1 < count ? "  " : "\n");
    fflush(stdout);
}

static unsigned char complete(EditLine *edit, int character) {
    (void)character;
    Repl *repl;
    el_get(edit, EL_CLIENTDATA, &repl);
    const LineInfo *info = el_line(edit);
    size_t length = name_before(info), count;
    const char *const *names;
    char *prefix = strndup(info->cursor - length, length);
    WorldStatus status =
        prefix ? world_complete(repl->cli->world, prefix, &names, &count) : WORLD_ERROR_MEMORY;
    free(prefix);
    if (status != WORLD_OK || count == 0) return CC_ERROR;
    size_t common = common_length(names, count);
    if (common > length) {
        char *more = strndup(names[0] + length, common - length);
        int inserted = more ? el_insertstr(edit, more) : -1;
        free(more);
        return inserted == 0 ? CC_REFRESH : CC_ERROR;
    }
    list_names(names, count);
    return CC_REDISPLAY;
}

static bool history_path(char *out, size_t size) {
    const char *home = getenv("HOME");
    if (home == NULL || home[0] == '\0') return false;
    snprintf(out, size, "%s/.worldc_history", home);
    return true;
}

static bool is_file(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static void save_history(History *lines, const char *path) {
    HistEvent event;
    WholeFile file;
    bool good = file_open(&file, path);
    if (good && history(lines, &event, H_SAVE_FP, file.stream) < 0) file_fail(&file, EIO);
    if (!good || !file_commit(&file))
        fprintf(stderr, "worldc: cannot write %s: %s\n", path, strerror(file.problem));
}

static void run_terminal(Repl *repl) {
    char path[4096];
    HistEvent event;
    EditLine *edit = el_init("worldc", stdin, stdout, stderr);
    History *lines = history_init();
    if (edit == NULL || lines == NULL) {
        fputs("worldc: the terminal cannot be edited in\n", stderr);
        run_piped(repl);
        return;
    }
    bool kept = history_path(path, sizeof path);
    history(lines, &event, H_SETSIZE, HISTORY_LINES);
    history(lines, &event, H_SETUNIQUE, 1);
    if (kept && is_file(path)) history(lines, &event, H_LOAD, path);
    el_set(edit, EL_CLIENTDATA, repl);
    el_set(edit, EL_PROMPT, prompt);
    el_set(edit, EL_EDITOR, "emacs");
    el_set(edit, EL_HIST, history, lines);
    el_set(edit, EL_ADDFN, "world-complete", "complete a name", complete);
    el_set(edit, EL_BIND, "^I", "world-complete", NULL);
    puts("Ask anything; :help lists commands.");
    int count;
    for (const char *text; !repl->ended && (text = el_gets(edit, &count)) != NULL && count > 0;) {
        if (text[0] != '\n') history(lines, &event, H_ENTER, text);
        char *line = strdup(text);
        if (line) run_line(repl, line);
        free(line);
    }
    if (kept) save_history(lines, path);
    history_end(lines);
    el_end(edit);
}

int command_repl(Cli *cli) {
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    Repl repl = {.cli = cli};
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (terminal)
        run_terminal(&repl);
    else
        run_piped(&repl);
    return terminal ? EXIT_FINE : repl.worst;
}
