/* Writes what shells and readers of manuals want to know of the command line, from its own tables: a program of the build.
 *
 *     cli_pages man|bash|zsh > FILE
 */
#include <stdio.h>
#include <string.h>

#include "compiler/cli/option_table.h"

typedef struct Verb {
    const char *name, *arguments, *summary, *example;
} Verb;

static const Verb verbs[] = {
#define COMMAND(name, arguments, most_words, summary, example) {#name, arguments, summary, example},
#include "compiler/cli/command.def"
#undef COMMAND
};

enum { VERBS = sizeof verbs / sizeof *verbs };

/* -- the manual page -- */

/* Text of a page: what roff would take for itself is escaped. */
static void put_roff(const char *text) {
    if (*text == '.' || *text == '\'') fputs("\\&", stdout);
    for (; *text; text++) {
        if (*text == '\\') fputs("\\e", stdout);
        else if (*text == '-') fputs("\\-", stdout);
        else putchar(*text);
    }
}

static void put_options(const char *verb) {
    for (int i = 0; i < OPTION_ROWS; i++) {
        const OptionRow *option = &option_rows[i];
        if (!option_is_of(option, verb)) continue;
        fputs(".TP\n.B ", stdout);
        if (option->letter[0] && !option_is_level(option)) {
            put_roff(option->letter);
            fputs(", ", stdout);
        }
        put_roff(option->name);
        if (option->argument) {
            fputs(" \\fI", stdout);
            put_roff(option->argument);
            fputs("\\fR", stdout);
        }
        putchar('\n');
        put_roff(option->doc);
        putchar('\n');
    }
}

static void put_verb(const Verb *verb) {
    fputs(".SS \"worldc ", stdout);
    put_roff(strcmp(verb->name, "view") ? verb->name : "[view]");
    putchar(' ');
    put_roff(verb->arguments);
    fputs("\"\n", stdout);
    put_roff(verb->summary);
    fputs("\n.PP\n.RS\n.nf\n", stdout);
    put_roff(verb->example);
    fputs("\n.fi\n.RE\n", stdout);
    put_options(verb->name);
}

static void put_man(void) {
    fputs(".TH WORLDC 1 \"\" \"worldc " WORLDC_VERSION "\" \"User Commands\"\n.SH NAME\n"
          "worldc \\- builds, asks and shows worlds written in the world language\n.SH SYNOPSIS\n"
          ".B worldc\n.I FILE\n.br\n.B worldc\n.I VERB \\fR[\\fIOPTION\\fR ...] [\\fIARGUMENT\\fR ...]\n.SH DESCRIPTION\n"
          "A world is a text: parts, fields, a land made of formulas, and rules that say what grows where. The same text builds the\n"
          "same world, bit for bit, on every machine.\n.SH VERBS\n",
          stdout);
    for (int i = 0; i < VERBS; i++)
        put_verb(&verbs[i]);
    fputs(".SH OPTIONS OF EVERY VERB\n", stdout);
    put_options(NULL);
    fputs(".SH EXIT STATUS\n.TP\n.B 0\nfine\n.TP\n.B 1\nthe world has errors, or a question failed\n.TP\n.B 2\n"
          "the command line was wrong, or a file could not be read or written\n.TP\n.B 3\na limit was reached\n.TP\n.B 70\na fault of the compiler's own\n"
          ".SH FILES\n.TP\n.I $XDG_CACHE_HOME/worldc\nmachine code kept between runs (or ~/.cache/worldc)\n",
          stdout);
}

/* -- completions -- */

/* The options of a verb and of all, with blanks between. */
static void put_words(const char *verb) {
    for (int i = 0; i < OPTION_ROWS; i++) {
        if (!option_is_of(&option_rows[i], verb) && !option_is_of(&option_rows[i], NULL)) continue;
        printf("%s%s", option_is_level(&option_rows[i]) ? "-O0 -O1 -O2 -O3" : option_rows[i].name, i + 1 < OPTION_ROWS ? " " : "");
    }
}

static void put_bash(void) {
    fputs("# bash completion of worldc\n_worldc() {\n    local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} words\n"
          "    COMPREPLY=()\n    if [ \"$COMP_CWORD\" -gt 1 ] || [ \"${word#-}\" != \"$word\" ]; then\n        case $verb in\n",
          stdout);
    for (int i = 0; i < VERBS; i++) {
        printf("        %s) words=\"", verbs[i].name);
        put_words(verbs[i].name);
        fputs("\" ;;\n", stdout);
    }
    fputs("        *) words=\"", stdout);
    put_words("view");
    fputs("\" ;;\n        esac\n        case $word in\n        -*) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\") ;;\n        esac\n"
          "        return\n    fi\n    mapfile -t COMPREPLY < <(compgen -W \"",
          stdout);
    for (int i = 0; i < VERBS; i++)
        printf("%s%s", i ? " " : "", verbs[i].name);
    fputs("\" -- \"$word\"; compgen -f -X '!*.world' -- \"$word\")\n}\ncomplete -o bashdefault -o default -F _worldc worldc\n", stdout);
}

/* Within single quotes of a shell. */
static void put_quoted(const char *text) {
    for (; *text; text++) {
        if (*text == '\'') fputs("'\\''", stdout);
        else if (*text == ':' || *text == '[' || *text == ']') printf("\\%c", *text);
        else putchar(*text);
    }
}

static void put_zsh_options(const char *verb) {
    for (int i = 0; i < OPTION_ROWS; i++) {
        const OptionRow *option = &option_rows[i];
        if (!option_is_of(option, verb) && !option_is_of(option, NULL)) continue;
        for (int level = 0; level < (option_is_level(option) ? 4 : 1); level++) {
            fputs(" \\\n            '", stdout);
            if (option_is_level(option)) printf("-O%d", level);
            else fputs(option->name, stdout);
            putchar('[');
            put_quoted(option->doc);
            putchar(']');
            if (option->argument) {
                putchar(':');
                put_quoted(option->argument);
                fputs(strstr(option->argument, "PATH") ? ":_files" : strstr(option->argument, "DIR") ? ":_files -/" : ":", stdout);
            }
            putchar('\'');
        }
    }
}

static void put_zsh(void) {
    fputs("#compdef worldc\n# zsh completion of worldc\n_worldc() {\n    local -a verbs\n    verbs=(\n", stdout);
    for (int i = 0; i < VERBS; i++) {
        printf("        '%s:", verbs[i].name);
        put_quoted(verbs[i].summary);
        fputs("'\n", stdout);
    }
    fputs("    )\n    if (( CURRENT == 2 )); then\n        _describe verb verbs\n        _files -g '*.world'\n        return\n    fi\n    case $words[2] in\n", stdout);
    for (int i = 0; i < VERBS; i++) {
        printf("        %s) _arguments", verbs[i].name);
        put_zsh_options(verbs[i].name);
        fputs(" \\\n            '*:file:_files' ;;\n", stdout);
    }
    fputs("        *) _arguments", stdout);
    put_zsh_options("view");
    fputs(" \\\n            '*:file:_files' ;;\n    esac\n}\n_worldc \"$@\"\n", stdout);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "man") == 0) put_man();
    else if (strcmp(what, "bash") == 0) put_bash();
    else if (strcmp(what, "zsh") == 0) put_zsh();
    else return 2;
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
