/* stats: what each rule of the scatters tried, placed and refused, and why; as a table or JSON. */
#include "compiler/cli/cli.h"

int command_stats(Cli *cli) {
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    const char *path = cli->word_count > 1 ? cli->words[1] : "";
    WorldTable *table;
    WorldStatus status = world_stats(cli->world, path, &table);
    if (status == WORLD_ERROR_NOT_FOUND) return session_no_layout(cli, path);
    if (status != WORLD_OK) return session_report(cli, status);
    if (world_table_rows(table) == 0 && !cli->has[OPTION_JSON] && !cli->has[OPTION_CSV])
        puts("no scatter");
    else if (!table_print(cli, table, &(TableLayout){.heading = "path"}))
        status = WORLD_ERROR_MEMORY;
    world_table_destroy(table);
    return session_report(cli, status);
}
