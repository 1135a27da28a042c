/* The numbers of a world's text in the window: listed, turned, and written back where they stand. */
#ifndef WORLD_COMPILER_CLI_NUMBER_WINDOW_H
#define WORLD_COMPILER_CLI_NUMBER_WINDOW_H

#include "compiler/cli/cli.h"

typedef struct NumberWindow {
    WorldTable *table; /* of the text as it was read last; NULL: not asked for yet */
    double *now;       /* of each row, in its literal's unit */
    bool *turned;      /* since it was read */
    double from;       /* of the row that is held, as it was */
    int held;          /* from 1; 0: none */
    char text[2048];   /* what was listed last */
    char words[256];
} NumberWindow;

/* The text is another. */
void numbers_forget(NumberWindow *numbers);
const char *numbers_list(NumberWindow *numbers, Cli *cli, int first, int most);
/* `done`: its field is set; then *set says whether. */
const char *numbers_turn(NumberWindow *numbers, Cli *cli, int line, double by, bool done, bool *set);
const char *numbers_save(NumberWindow *numbers, Cli *cli);

#endif
