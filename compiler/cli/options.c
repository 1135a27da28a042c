/* Reading the command line. Options may stand anywhere; `--` ends them. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/cli/cli.h"
#include "compiler/cli/option_table.h"

static const Command command_rows[] = {
#define COMMAND(name, arguments, most_words, summary, example)                                     \
    {#name, arguments, most_words, summary, example, command_##name},
#include "compiler/cli/command.def"
#undef COMMAND
};
enum { COMMAND_COUNT = sizeof command_rows / sizeof *command_rows };

const Command *commands_find(const char *name) {
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(command_rows[i].name, name) == 0) return &command_rows[i];
    return NULL;
}

int usage_error(const Cli *cli, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("worldc: ", stderr);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nworldc %s%s--help says how\n", cli->verb ? cli->verb : "",
            cli->verb ? " " : "");
    return EXIT_USAGE;
}

static int unknown_option(const Cli *cli, const char *word) {
    const char *names[OPTION_COUNT];
    for (int i = 0; i < OPTION_COUNT; i++)
        names[i] = option_rows[i].name;
    const char *nearest = help_nearest(word, names, OPTION_COUNT);
    if (nearest) return usage_error(cli, "there is no option %s; did you mean %s?", word, nearest);
    return usage_error(cli, "there is no option %s", word);
}

static bool takes_option(const char *verb, int row) {
    return option_is_of(&option_rows[row], verb) || option_is_of(&option_rows[row], NULL);
}

/* Option `--name` or `--name=value`; answers the row or -1. Of several rows of a name, the verb's own. */
static int find_option(const Cli *cli, const char *word, const char **value) {
    size_t length = strcspn(word, "=");
    int found = -1;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const char *name = option_rows[i].name;
        if (option_rows[i].letter[0] && strcmp(option_rows[i].letter, word) == 0) return i;
        if (strlen(name) != length || strncmp(name, word, length) != 0) continue;
        *value = word[length] == '=' ? word + length + 1 : NULL;
        if (found < 0 || (cli->verb && takes_option(cli->verb, i))) found = i;
    }
    return found;
}

static int read_option(Cli *cli, int argc, char **argv, int *at) {
    const char *word = argv[*at], *value = NULL;
    if (word[0] == '-' && word[1] == 'O') {
        if (word[2] < '0' || word[2] > '3' || word[3])
            return usage_error(cli, "-O takes 0, 1, 2 or 3");
        cli->level = word[2] - '0';
        cli->has[OPTION_LEVEL] = true;
        return -1;
    }
    int id = find_option(cli, word, &value);
    if (id < 0) return unknown_option(cli, word);
    if (option_rows[id].argument && value == NULL) {
        if (*at + 1 >= argc) return usage_error(cli, "%s needs a value", word);
        value = argv[++*at];
    }
    if (!option_rows[id].argument && value)
        return usage_error(cli, "%s takes no value", option_rows[id].name);
    cli->has[id] = true;
    cli->value[id] = value;
    if (id == OPTION_SET) cli->sets[cli->set_count++] = value;
    return -1;
}

/* A word that is no verb is a file when it could be one; else it was meant to be a verb. */
static int take_verb(Cli *cli, char *word) {
    if (commands_find(word)) {
        cli->verb = word;
        return -1;
    }
    if (strpbrk(word, "./") || strcmp(word, "-") == 0 || access(word, F_OK) == 0) {
        cli->verb = "view";
        cli->words[cli->word_count++] = word;
        return -1;
    }
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[i] = command_rows[i].name;
    const char *nearest = help_nearest(word, names, COMMAND_COUNT);
    if (nearest)
        return usage_error(cli, "there is no verb '%s'; did you mean '%s'?", word, nearest);
    return usage_error(cli, "there is no verb and no file '%s'", word);
}

static int read_words(Cli *cli, int argc, char **argv) {
    bool options_end = false;
    for (int i = 1; i < argc; i++) {
        int code = -1;
        bool option = !options_end && argv[i][0] == '-' && argv[i][1] &&
                      !(argv[i][1] >= '0' && argv[i][1] <= '9');
        if (option && strcmp(argv[i], "--") == 0)
            options_end = true;
        else if (option)
            code = read_option(cli, argc, argv, &i);
        else if (cli->verb == NULL)
            code = take_verb(cli, argv[i]);
        else
            cli->words[cli->word_count++] = argv[i];
        if (code >= 0) return code;
    }
    return -1;
}

/* Whether the verb takes an option of that name; a name may have several rows. */
static bool is_taken(const char *verb, const char *name) {
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strcmp(option_rows[i].name, name) == 0 && takes_option(verb, i)) return true;
    return false;
}

static int check_options(const Cli *cli) {
    for (int i = 0; i < OPTION_COUNT; i++)
        if (cli->has[i] && !is_taken(cli->verb, option_rows[i].name))
            return usage_error(cli, "%s takes no %s, but these do: %s", cli->verb,
                               option_rows[i].name, option_rows[i].verbs);
    if (cli->has[OPTION_JSON] && cli->has[OPTION_CSV])
        return usage_error(cli, "--json or --csv, not both");
    return -1;
}

static int check_words(const Cli *cli) {
    int most = commands_find(cli->verb)->most_words;
    if (cli->word_count <= most) return -1;
    return usage_error(cli, "%s takes %s, and '%s' is one word too many", cli->verb,
                       commands_find(cli->verb)->arguments, cli->words[most]);
}

int options_read(Cli *cli, int argc, char **argv) {
    cli->level = -1;
    cli->terminal = isatty(STDERR_FILENO);
    const char *no_color = getenv("NO_COLOR");
    cli->color = cli->terminal && !(no_color && no_color[0]);
    int code = read_words(cli, argc, argv);
    if (code >= 0) return code;
    if (cli->has[OPTION_VERSION]) {
        int major, minor, patch;
        world_version(&major, &minor, &patch);
        printf("worldc %d.%d.%d\nbuilt for %s by %s, with: %s\n", major, minor, patch, WORLDC_MACHINE, WORLDC_COMPILER, WORLDC_PARTS);
        return EXIT_FINE;
    }
    if (cli->has[OPTION_HELP] || cli->verb == NULL) {
        help_print(cli, cli->has[OPTION_HELP] ? stdout : stderr);
        return cli->has[OPTION_HELP] ? EXIT_FINE : EXIT_USAGE;
    }
    code = check_options(cli);
    return code < 0 ? check_words(cli) : code;
}

bool options_numbers(const char *text, int count, double *out) {
    for (int i = 0; i < count; i++) {
        char *end;
        out[i] = strtod(text, &end);
        if (end == text || *end != (i + 1 < count ? ',' : '\0') || !isfinite(out[i])) return false;
        text = end + 1;
    }
    return true;
}

bool options_size(const char *text, int *width, int *height) {
    char *end;
    long w = strtol(text, &end, 10), h = w;
    if (end == text || (*end && *end != 'x')) return false;
    if (*end == 'x') {
        const char *second = end + 1;
        h = strtol(second, &end, 10);
        if (end == second || *end) return false;
    }
    if (w < 1 || h < 1 || w > 16384 || h > 16384) return false;
    *width = (int)w;
    *height = (int)h;
    return true;
}

const char *options_find_equals(const char *text) {
    int depth = 0;
    bool quoted = false;
    for (; *text; text++) {
        if (*text == '"') quoted = !quoted;
        if (quoted) continue;
        depth += (*text == '[') - (*text == ']');
        if (*text == '=' && depth == 0) return text;
    }
    return NULL;
}

bool options_is_stream(const char *path) {
    struct stat there;
    if (strcmp(path, "-") == 0) return true;
    return stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

bool options_ends_in(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ending) == 0;
}
