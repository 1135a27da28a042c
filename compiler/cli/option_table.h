/* The options as rows, for who lists them: the help, the manual page, completions. */
#ifndef WORLD_COMPILER_CLI_OPTION_TABLE_H
#define WORLD_COMPILER_CLI_OPTION_TABLE_H

#include <stdbool.h>
#include <string.h>

typedef struct OptionRow {
    const char *name, *letter, *argument, *verbs, *doc;
} OptionRow;

static const OptionRow option_rows[] = {
#define OPTION(NAME, name, letter, argument, verbs, doc) {name, letter, argument, verbs, doc},
#include "compiler/cli/option.def"
#undef OPTION
};

enum { OPTION_ROWS = sizeof option_rows / sizeof *option_rows };

/* Whether a word is among words with blanks between. */
static inline bool option_names(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

/* Whether an option is a verb's own; verb NULL: whether every verb takes it. */
static inline bool option_is_of(const OptionRow *row, const char *verb) {
    bool common = row->verbs[0] == '\0';
    return verb ? !common && option_names(row->verbs, verb) : common;
}

/* -O0..-O3, which are four. */
static inline bool option_is_level(const OptionRow *row) {
    return strncmp(row->name, "-O", 2) == 0;
}

#endif
