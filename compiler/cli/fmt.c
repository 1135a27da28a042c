/* fmt: texts as they are written. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compiler/cli/cli.h"
#include "compiler/cli/line_diff.h"

typedef struct Text {
    char *bytes;
    size_t length;
} Text;

static int cannot(const char *what, const char *path, const char *why) {
    fprintf(stderr, "worldc: cannot %s %s: %s\n", what, path, why);
    return EXIT_USAGE;
}

static int read_text(const char *path, Text *text) {
    bool is_stdin = strcmp(path, "-") == 0;
    struct stat what;
    if (!is_stdin && stat(path, &what) == 0 && !S_ISREG(what.st_mode)) return cannot("read", path, "it is no plain file; - is standard input");
    text->bytes = input_read(is_stdin ? NULL : path, &text->length);
    return text->bytes ? EXIT_FINE : cannot("read", path, strerror(errno));
}

static int write_text(const char *path, const char *text) {
    WholeFile file;
    bool good = file_open(&file, path) && file_add(&file, text, strlen(text));
    if (file_commit(&file) && good) return EXIT_FINE;
    return cannot("write", path, strerror(file.problem ? file.problem : EIO));
}

/* What is wanted of a text that is not written so. */
static int tell(const Cli *cli, const char *path, const Text *text, const char *formatted) {
    if (cli->has[OPTION_DIFF_LINES] && !line_diff_print(stdout, path, text->bytes, formatted)) return cannot("compare", path, "out of memory");
    if (cli->has[OPTION_CHECK_ONLY]) fprintf(stderr, "%s: not as worldc fmt writes it\n", path);
    if (cli->has[OPTION_CHECK_ONLY]) return EXIT_WORLD;
    return cli->has[OPTION_DIFF_LINES] ? EXIT_FINE : write_text(path, formatted);
}

static int format_one(Cli *cli, const char *path) {
    Text text = {0};
    const char *formatted;
    int code = read_text(path, &text);
    if (code == EXIT_FINE) {
        bool is_stdin = strcmp(path, "-") == 0, writes = !cli->has[OPTION_DIFF_LINES] && !cli->has[OPTION_CHECK_ONLY];
        WorldStatus status = world_format(cli->engine, is_stdin ? "<stdin>" : path, text.bytes, text.length, &formatted);
        code = session_report(cli, status);
        bool same = status == WORLD_OK && strlen(formatted) == text.length && memcmp(formatted, text.bytes, text.length) == 0;
        if (status == WORLD_OK && is_stdin && writes)
            fputs(formatted, stdout);
        else if (status == WORLD_OK && !same)
            code = tell(cli, path, &text, formatted);
    }
    free(text.bytes);
    return code;
}

int command_fmt(Cli *cli) {
    if (cli->word_count == 0) return usage_error(cli, "which file? - is standard input");
    int worst = session_open_engine(cli);
    for (int i = 0; i < cli->word_count && cli->engine; i++) {
        int code = format_one(cli, cli->words[i]);
        worst = code > worst ? code : worst;
    }
    return worst;
}
