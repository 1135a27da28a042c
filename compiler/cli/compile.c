/* compile: a world's functions ahead of time, as an object file and a C header; <world/ahead.h> says how a host asks. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cli/cli.h"

/* What the header's names begin with: the file's name without folder and ending, as a name of C. */
static char *prefix_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strcspn(name, ".");
    char *prefix = malloc(length + sizeof "world");
    if (prefix == NULL) return NULL;
    for (size_t i = 0; i < length; i++)
        prefix[i] = isalnum((unsigned char)name[i]) ? name[i] : '_';
    prefix[length] = '\0';
    if (length == 0 || strcmp(name, "-") == 0) strcpy(prefix, "world");
    if (isdigit((unsigned char)prefix[0])) prefix[0] = '_';
    return prefix;
}

static int write_file(const char *path, const void *bytes, size_t size) {
    WholeFile file;
    file_open(&file, path);
    file_add(&file, bytes, size);
    if (file_commit(&file)) return EXIT_FINE;
    fprintf(stderr, "worldc: cannot write '%s': %s\n", path, strerror(file.problem));
    return EXIT_USAGE;
}

static int write_both(Cli *cli, const char *prefix) {
    const WorldObjectDesc desc = {.prefix = prefix,
                                  .target = cli->value[OPTION_TARGET],
                                  .processor = cli->value[OPTION_PROCESSOR],
                                  .grids = cli->has[OPTION_STATIC]};
    const void *object;
    const char *header;
    size_t size;
    WorldStatus status = world_object(cli->world, &desc, &object, &size, &header);
    int code = session_report(cli, status);
    if (code == EXIT_FINE) code = write_file(cli->value[OPTION_OUTPUT], object, size);
    if (code == EXIT_FINE) code = write_file(cli->value[OPTION_HEADER], header, strlen(header));
    return code;
}

int command_compile(Cli *cli) {
    if (cli->word_count == 0) return usage_error(cli, "which file?");
    if (!cli->has[OPTION_OUTPUT] || !cli->has[OPTION_HEADER])
        return usage_error(cli, "where to? -o %s.o --header %s.h", "world", "world");
    if (cli->has[OPTION_SET]) return usage_error(cli, "an object is made of the world as it is written, without --set");
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    char *prefix = prefix_of(cli->words[0]);
    code = prefix ? write_both(cli, prefix) : session_report(cli, WORLD_ERROR_MEMORY);
    free(prefix);
    return code;
}
