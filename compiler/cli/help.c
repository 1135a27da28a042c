/* Help: of the whole, and of each verb with its example. */
#include <stdlib.h>
#include <string.h>

#include "compiler/cli/cli.h"
#include "compiler/cli/option_table.h"

static void print_options(FILE *out, const char *verb) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        const OptionRow *row = &option_rows[i];
        if (!option_is_of(row, NULL) && !(verb && option_is_of(row, verb))) continue;
        char name[64];
        snprintf(name, sizeof name, "%s%s%s%s%s", row->letter,
                 row->letter[0] && row->name[0] == '-' ? ", " : "", row->name,
                 row->argument ? " " : "", row->argument ? row->argument : "");
        if (option_is_level(row)) snprintf(name, sizeof name, "%s", row->name);
        fprintf(out, "  %-28s %s\n", name, row->doc);
    }
}

static void print_verb(const Command *command, FILE *out) {
    fprintf(out, "worldc %s %s\n\n  %s\n\nExample:\n  %s\n\nOptions:\n",
            strcmp(command->name, "view") ? command->name : "[view]", command->arguments,
            command->summary, command->example);
    print_options(out, command->name);
}

static void print_all(FILE *out) {
    fprintf(out, "worldc builds, asks and shows worlds written in the world language.\n\n"
                 "  worldc FILE                           build and view\n");
#define COMMAND(name, arguments, most_words, summary, example)                                     \
    fprintf(out, "  worldc %-7s %-23s %s\n", #name, arguments, summary);
#include "compiler/cli/command.def"
#undef COMMAND
    fprintf(
        out,
        "\nExample:\n  worldc ask examples/island.world 'land.height((0, 0, 330))'\n\nOptions:\n");
    print_options(out, NULL);
    fprintf(out, "\nworldc VERB --help says more about a verb.\n");
}

void help_print(const Cli *cli, FILE *out) {
    const Command *command = cli->verb ? commands_find(cli->verb) : NULL;
    if (command)
        print_verb(command, out);
    else
        print_all(out);
}

/* -- the nearest name: edit distance, by rows -- */

enum { LONGEST_NAME = 40 };

static int distance(const char *a, const char *b) {
    int row[LONGEST_NAME + 1];
    int n = (int)strlen(b);
    if (n > LONGEST_NAME || strlen(a) > LONGEST_NAME) return LONGEST_NAME;
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            int shifted = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = replaced < shifted ? replaced : shifted;
        }
    }
    return row[n];
}

const char *help_nearest(const char *wanted, const char *const *names, int count) {
    const char *best = NULL;
    int half = (int)strlen(wanted) / 2, least = 1 + (half < 2 ? half : 2);
    for (int i = 0; i < count; i++) {
        int d = distance(wanted, names[i]);
        if (d > 0 && d < least) {
            least = d;
            best = names[i];
        }
    }
    return best;
}
