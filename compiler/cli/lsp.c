/* lsp: an editor's side of the protocol over standard input and output: each message behind a header that says its length. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/cli/cli.h"

enum { LONGEST_MESSAGE = 256 << 20, HEADER_LINE = 256 };

static void print_message(void *user, const char *json, size_t length) {
    (void)user;
    printf("Content-Length: %zu\r\n\r\n", length);
    fwrite(json, 1, length, stdout);
    fflush(stdout);
}

/* The length that a header says; 0: the input ended, or that is no header. */
static size_t read_header(void) {
    char line[HEADER_LINE];
    size_t length = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '\r' || line[0] == '\n') return length;
        if (strncasecmp(line, "Content-Length:", 15) == 0) length = strtoul(line + 15, NULL, 10);
    }
    return 0;
}

/* Whether nothing came meanwhile. Input is not buffered, so that what was read is what was taken. */
static bool is_quiet(void) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, 0) == 0;
}

static int serve(Cli *cli, WorldEditor *editor) {
    setvbuf(stdin, NULL, _IONBF, 0);
    while (world_editor_exit_code(editor) < 0) {
        if (is_quiet()) world_editor_rest(editor);
        size_t length = read_header();
        if (feof(stdin)) return EXIT_WORLD; /* the editor is gone */
        if (length == 0 || length > LONGEST_MESSAGE) return usage_error(cli, "a message begins with a header, \"Content-Length: 120\", and an empty line");
        char *json = malloc(length);
        if (json == NULL) return EXIT_LIMIT;
        bool whole = fread(json, 1, length, stdin) == length;
        WorldStatus status = whole ? world_editor_message(editor, json, length) : WORLD_OK;
        free(json);
        if (!whole) return EXIT_FINE;
        if (status != WORLD_OK) fprintf(stderr, "worldc: %s\n", world_status_text(status));
    }
    return world_editor_exit_code(editor);
}

int command_lsp(Cli *cli) {
    WorldEditor *editor;
    int code = session_open_engine(cli);
    if (code != EXIT_FINE) return code;
    WorldEditorDesc desc = {.size = sizeof desc, .send = print_message};
    if (world_editor_create(cli->engine, &desc, &editor) != WORLD_OK) return EXIT_LIMIT;
    code = serve(cli, editor);
    world_editor_destroy(editor);
    return code;
}
