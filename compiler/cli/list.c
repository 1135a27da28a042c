/* list: the tree of parts, or the things of a scatter; as a table, CSV or JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cli/cli.h"

static const double degrees = 57.295779513082320877;

/* -- parts -- */

typedef struct PartList {
    const Cli *cli;
    int count;
} PartList;

static const char *last_name(const char *path) {
    const char *dot = NULL;
    int depth = 0;
    for (const char *c = path; *c; c++) {
        if (*c == '[') depth++;
        if (*c == ']') depth--;
        if (*c == '.' && depth == 0) dot = c;
    }
    return dot ? dot + 1 : path;
}

static void print_part_json(const WorldPartInfo *part, int count) {
    fputs(count ? ",\n " : "[", stdout);
    fputs("{\"path\": ", stdout);
    output_json_text(stdout, part->path);
    fputs(", \"design\": ", stdout);
    output_json_text(stdout, part->design);
    printf(", \"depth\": %d, \"x\": %.17g, \"y\": %.17g, \"z\": %.17g, \"turn\": %.17g, \"scale\": "
           "%.17g}",
           part->depth, part->at[0], part->at[1], part->at[2], part->turn, part->scale);
}

static bool print_part(void *user, const WorldPartInfo *part) {
    PartList *list = user;
    if (list->cli->has[OPTION_JSON]) {
        print_part_json(part, list->count);
    } else if (list->cli->has[OPTION_CSV]) {
        if (list->count == 0) puts("path,design,x,y,z,turn,scale");
        printf("%s,%s,%.17g,%.17g,%.17g,%.17g,%.17g\n", part->path, part->design, part->at[0],
               part->at[1], part->at[2], part->turn, part->scale);
    } else {
        int width = 40 - 2 * part->depth;
        printf("%*s%-*s %-20s (%.7g, %.7g, %.7g) m", 2 * part->depth, "", width > 0 ? width : 0,
               last_name(part->path), part->design, part->at[0], part->at[1], part->at[2]);
        if (part->turn != 0) printf("  %.5g deg", part->turn * degrees);
        if (part->scale != 1) printf("  x %.5g", part->scale);
        putchar('\n');
    }
    list->count++;
    return true;
}

static int list_parts(Cli *cli, const char *path) {
    PartList list = {cli, 0};
    WorldStatus status = world_parts(cli->world, path, print_part, &list);
    if (cli->has[OPTION_JSON] && status == WORLD_OK) puts(list.count ? "]" : "[]");
    if (status == WORLD_ERROR_NOT_FOUND)
        fprintf(stderr, "worldc: '%s' is neither a part nor a list of placed things\n", path);
    return status == WORLD_ERROR_NOT_FOUND ? EXIT_WORLD : session_report(cli, status);
}

/* -- things -- */

static void print_thing_json(const WorldPlaced *thing, bool first) {
    fputs(first ? "[" : ",\n ", stdout);
    fputs("{\"id\": ", stdout);
    output_json_text(stdout, thing->id);
    fputs(", \"rule\": ", stdout);
    output_json_text(stdout, thing->rule);
    printf(", \"k\": %" PRId64 ", \"kind\": ", thing->k);
    output_json_text(stdout, thing->kind);
    printf(", \"variant\": %" PRId64
           ", \"x\": %.17g, \"y\": %.17g, \"z\": %.17g, \"turn\": %.17g, \"size\": %.17g, "
           "\"sink\": %.17g, \"room\": %.17g}",
           thing->variant, thing->at[0], thing->at[1], thing->at[2], thing->turn, thing->size,
           thing->sink, thing->room);
}

static void print_things(const Cli *cli, const WorldPlaced *things, size_t count) {
    bool json = cli->has[OPTION_JSON], csv = cli->has[OPTION_CSV];
    if (csv) puts("id,rule,k,kind,variant,x,y,z,turn,size,sink,room");
    if (!json && !csv)
        printf("%-28s %-16s %-3s %10s %10s %10s %8s %6s %6s\n", "id", "kind", "var", "x", "y", "z",
               "turn", "size", "room");
    for (size_t i = 0; i < count; i++) {
        const WorldPlaced *t = &things[i];
        if (json)
            print_thing_json(t, i == 0);
        else if (csv)
            printf("%s,%s,%" PRId64 ",%s,%" PRId64 ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n",
                   t->id, t->rule, t->k, t->kind, t->variant, t->at[0], t->at[1], t->at[2], t->turn,
                   t->size, t->sink, t->room);
        else
            printf("%-28s %-16s %3" PRId64 " %10.3f %10.3f %10.3f %8.2f %6.3f %6.3f\n", t->id,
                   t->kind, t->variant, t->at[0], t->at[1], t->at[2], t->turn * degrees, t->size,
                   t->room);
    }
    if (json) puts(count ? "]" : "[]");
}

static int list_things(Cli *cli, const char *path, size_t count) {
    WorldPlaced *things = calloc(count + 1, sizeof *things);
    if (things == NULL) return session_report(cli, WORLD_ERROR_MEMORY);
    WorldStatus status = world_placed(cli->world, path, count, things, &count);
    int code = session_report(cli, status);
    if (status == WORLD_OK) print_things(cli, things, count);
    free(things);
    return code;
}

int command_list(Cli *cli) {
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    if (cli->word_count < 2) return list_parts(cli, "");
    size_t count;
    WorldStatus status = world_placed(cli->world, cli->words[1], 0, NULL, &count);
    if (status == WORLD_OK) return list_things(cli, cli->words[1], count);
    return status == WORLD_ERROR_NOT_FOUND ? list_parts(cli, cli->words[1])
                                           : session_report(cli, status);
}
