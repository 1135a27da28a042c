/* worldc: reads the command line and runs a verb. */
#include <stdlib.h>

#include "compiler/cli/cli.h"

int main(int argc, char **argv) {
    Cli cli = {0};
    cli.words = calloc((size_t)argc + 1, sizeof *cli.words);
    if (cli.words == NULL) return EXIT_LIMIT;
    int code = options_read(&cli, argc, argv);
    if (code < 0) {
        code = commands_find(cli.verb)->run(&cli);
        session_close(&cli);
    }
    free(cli.words);
    if (fflush(stdout) != 0 && code == EXIT_FINE) code = EXIT_LIMIT;
    return code;
}
