/* worldc: reads the command line and runs a verb. */
#include <stdlib.h>

#include "compiler/cli/cli.h"

int main(int argc, char **argv) {
    Cli cli = {0};
    cli.words = calloc((size_t)argc + 1, sizeof *cli.words);
    cli.sets = calloc((size_t)argc + 1, sizeof *cli.sets);
    int code = cli.words && cli.sets ? options_read(&cli, argc, argv) : EXIT_LIMIT;
    if (code < 0) {
        code = commands_find(cli.verb)->run(&cli);
        session_close(&cli);
    }
    free(cli.words);
    free(cli.sets);
    if (fflush(stdout) != 0 && code == EXIT_FINE) code = EXIT_LIMIT;
    return code;
}
