/* The command line: a client of world.h (and of view.h for pictures), and of nothing behind
 * them.
 *
 * One table of verbs (command.def), one of options (option.def). Data goes to stdout, everything
 * else to stderr.
 */
#ifndef WORLD_COMPILER_CLI_CLI_H
#define WORLD_COMPILER_CLI_CLI_H

#include <stdio.h>

#include "compiler/cli/placed.h"
#include "runtime/file/file.h"
#include "world/world.h"

static const double degrees = 57.295779513082320877; /* a radian */

enum { EXIT_FINE = 0, EXIT_WORLD = 1, EXIT_USAGE = 2, EXIT_LIMIT = 3, EXIT_OURS = 70 };

typedef enum OptionId {
#define OPTION(NAME, name, letter, argument, verbs, doc) OPTION_##NAME,
#include "compiler/cli/option.def"
#undef OPTION
    OPTION_COUNT
} OptionId;

typedef struct Cli {
    const char *verb;
    char **words; /* what is neither verb nor option */
    int word_count;
    const char **sets; /* of --set, in order */
    int set_count;
    bool has[OPTION_COUNT];
    const char *value[OPTION_COUNT];
    int level;            /* of -O; -1: left out */
    bool color, terminal; /* of stderr */
    bool drawn;           /* a progress line stands on the terminal */
    WorldEngine *engine;
    World *world;
    WorldStream *stream;  /* of pictures: what follows their eye */
} Cli;

enum { ANY_WORDS = 1 << 20 };

typedef int (*CommandFn)(Cli *cli);
typedef struct Command {
    const char *name, *arguments;
    int most_words;
    const char *summary, *example;
    CommandFn run;
} Command;

#define COMMAND(name, arguments, most_words, summary, example) int command_##name(Cli *cli);
#include "compiler/cli/command.def"
#undef COMMAND

/* -- options.c -- */
const Command *commands_find(const char *name);
/* Reads argv. An exit code when there is nothing more to do, else -1. */
int options_read(Cli *cli, int argc, char **argv);
int usage_error(const Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* `count` finite numbers with commas between; false when they are not that. */
bool options_numbers(const char *text, int count, double *out);
/* "640" (square) or "640x480". */
bool options_size(const char *text, int *width, int *height);

/* Of PATH=VALUE: the '=' that is in no bracket and no text; NULL: there is none. */
const char *options_find_equals(const char *text);
/* Whether a path ends so: ".png". */
bool options_ends_in(const char *path, const char *ending);
/* Standard output, or a pipe or a device: it takes what it is given, whatever it is called. */
bool options_is_stream(const char *path);

/* -- help.c -- */
void help_print(const Cli *cli, FILE *out);
/* At most two letters off, and at most half of its length; NULL: none. */
const char *help_nearest(const char *wanted, const char *const *names, int count);

/* -- session.c: an engine and a world as the options want them -- */
/* Opens the first word. An exit code after a failure, which is told; else EXIT_FINE. */
int session_open(Cli *cli, bool keep_on_error);
/* Runs no pass after that stage; NULL: all. */
int session_open_until(Cli *cli, bool keep_on_error, const char *stage);
int session_open_engine(Cli *cli);
/* What --baked says; session_open does, but not where errors are kept. */
WorldStatus session_take_bakes(Cli *cli);
/* Sets what --set says, in order; session_open does, but not where errors are kept, and a reload forgets it. */
int session_set_fields(Cli *cli);
/* run.c: reads the state of --load into a world; and lets the world run for --seconds, or those. */
int session_load_state(Cli *cli, World *world);
int session_run(Cli *cli, double seconds);
void session_close(Cli *cli);
/* Prints the diagnostics of the last operation to stderr and answers the exit code for a status. */
int session_report(Cli *cli, WorldStatus status);
int session_exit_code(WorldStatus status);
/* Tells why a path is no layout: it answers something else, or nothing has that name. An exit code. */
int session_no_layout(Cli *cli, const char *path);
void session_clear_progress(Cli *cli);

/* -- tiles.c: build --tiles -- */
int tiles_build(Cli *cli);
/* session.c: Control-C was pressed. */
bool session_interrupted(void);

/* -- table.c -- */
typedef struct TableLayout {
    const char *const *columns; /* that come first, ended by NULL; NULL: as they are */
    bool only;                  /* as text, those only */
    const char *heading; /* as text, the column that is a heading over its rows; NULL: none */
} TableLayout;
/* As the options want it: text, CSV or JSON. False: there was no memory. */
bool table_print(const Cli *cli, const WorldTable *table, const TableLayout *layout);

/* -- solids.c: list --solids -- */
int list_solids(Cli *cli);

/* -- input.c -- */
/* All of a file (NULL: of standard input), a zero byte behind; to be freed. NULL: errno says why. */
char *input_read(const char *path, size_t *length);

/* -- output.c -- */
void output_exr(WholeFile *file, int width, int height, int channels, const float *values);
/* A cell of a CSV file, in quotes where it needs them. */
void output_csv_text(FILE *file, const char *text);
/* A JSON string, quoted; a number to its last bit, or null, for JSON has no infinities and no NaN; and one that is a member
 * after others. */
void output_json_text(FILE *file, const char *text);
void output_json_number(FILE *file, double value);
void output_json_member(const char *name, double value);

#endif
