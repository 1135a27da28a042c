/* worldc: reads the command line and runs a verb. */
#include <stdlib.h>

#include "compiler/cli/cli.h"

/* What was printed reached whoever reads it; a failure that nobody told is told here. */
static bool printed(void) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    fprintf(stderr, "worldc: not all could be printed: the output is full, or cannot be written\n");
    return false;
}

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
    return printed() || code != EXIT_FINE ? code : EXIT_USAGE;
}
