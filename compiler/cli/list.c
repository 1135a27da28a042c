/* list: the tree of parts, or any list of the world, as a table, CSV or JSON. */

#include "compiler/cli/cli.h"

/* -- parts -- */

static const char csv_head[] = "path,design,x,y,z,turn,scale";

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
    printf(", \"depth\": %d", part->depth);
    output_json_member("x", part->at[0]);
    output_json_member("y", part->at[1]);
    output_json_member("z", part->at[2]);
    output_json_member("turn", part->turn);
    output_json_member("scale", part->scale);
    putchar('}');
}

static bool print_part(void *user, const WorldPartInfo *part) {
    PartList *list = user;
    if (list->cli->has[OPTION_JSON]) {
        print_part_json(part, list->count);
    } else if (list->cli->has[OPTION_CSV]) {
        if (list->count == 0) puts(csv_head);
        output_csv_text(stdout, part->path);
        putchar(',');
        output_csv_text(stdout, part->design);
        printf(",%.17g,%.17g,%.17g,%.17g,%.17g\n", part->at[0], part->at[1], part->at[2],
               part->turn, part->scale);
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
    if (cli->has[OPTION_CSV] && status == WORLD_OK && list.count == 0) puts(csv_head);
    if (status == WORLD_ERROR_NOT_FOUND)
        fprintf(stderr, "worldc: '%s' is neither a part nor a list\n", path);
    return status == WORLD_ERROR_NOT_FOUND ? EXIT_WORLD : session_report(cli, status);
}

/* -- any other list: things that a scatter placed, or the author's own -- */

static const char *const exact_columns[] = {"id",   "rule", "k",    "kind", "variant", "at",
                                            "turn", "up",   "size", "sink", "room", NULL};
static const char *const shown_columns[] = {"id",   "kind", "variant", "at",
                                            "turn", "size", "room",    NULL};

/* False: some are not there, so it is a list of something else. */
static bool has_all(const WorldTable *table, const char *const *columns) {
    while (*columns && world_table_find(table, *columns) >= 0)
        columns++;
    return *columns == NULL;
}

static int print_list(Cli *cli, WorldTable *table) {
    TableLayout layout = {0};
    session_clear_progress(cli);
    if (has_all(table, exact_columns)) {
        bool exact = cli->has[OPTION_JSON] || cli->has[OPTION_CSV];
        layout = (TableLayout){.columns = exact ? exact_columns : shown_columns, .only = true};
    }
    bool good = table_print(cli, table, &layout);
    world_table_destroy(table);
    return session_report(cli, good ? WORLD_OK : WORLD_ERROR_MEMORY);
}

int command_list(Cli *cli) {
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    if (cli->has[OPTION_SOLIDS]) return list_solids(cli);
    if (cli->word_count < 2) return list_parts(cli, "");
    WorldTable *table;
    WorldStatus status = world_table(cli->world, cli->words[1], &table);
    if (status == WORLD_OK) return print_list(cli, table);
    return status == WORLD_ERROR_NOT_FOUND ? list_parts(cli, cli->words[1])
                                           : session_report(cli, status);
}
