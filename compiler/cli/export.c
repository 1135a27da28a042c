/* export: a grid's heights for other programs, by the ending of the file; says how exact they are.
 */
#include "runtime/export/land.h"

#include <stdlib.h>

#include "compiler/cli/cli.h"

/* The named grid, or `land.ground`. */
static int find_grid(Cli *cli, WorldGridView *grid) {
    if (cli->word_count > 1)
        return session_report(cli, world_grid(cli->world, cli->words[1], grid));
    WorldStatus status = world_grid(cli->world, "land.ground", grid);
    if (status == WORLD_ERROR_NOT_FOUND)
        return usage_error(
            cli, "there is no grid 'land.ground'; name one: worldc export FILE GRID -o OUT");
    return session_report(cli, status);
}

static int read_whole(const Cli *cli, OptionId option, const char *name, int *out) {
    if (!cli->has[option]) return EXIT_FINE;
    char *end;
    long value = strtol(cli->value[option], &end, 10);
    if (*end || end == cli->value[option] || value < 2 || value > 1 << 20)
        return usage_error(cli, "%s takes a whole number of values a side", name);
    *out = (int)value;
    return EXIT_FINE;
}

static int read_export(const Cli *cli, LandExport *land) {
    int code = read_whole(cli, OPTION_SIZE, "--size", &land->size);
    if (code == EXIT_FINE) code = read_whole(cli, OPTION_TILE, "--tile", &land->tile);
    double scale[2];
    if (code != EXIT_FINE || !cli->has[OPTION_SCALE]) return code;
    if (!options_numbers(cli->value[OPTION_SCALE], 2, scale) || !(scale[0] < scale[1]))
        return usage_error(cli, "--scale takes lo,hi");
    land->has_range = true;
    land->low = scale[0];
    land->high = scale[1];
    return EXIT_FINE;
}

static int export_grid(Cli *cli, const char *path, LandExport *land) {
    WorldGridView grid = {.size = sizeof grid};
    int code = find_grid(cli, &grid);
    if (code != EXIT_FINE) return code;
    land->columns = grid.columns, land->rows = grid.rows;
    land->cell = grid.cell, land->x0 = grid.x0, land->z0 = grid.z0, land->outside = grid.outside;
    land->heights = grid.heights;
    char said[512];
    bool good = land_export(path, land, said, sizeof said);
    session_clear_progress(cli);
    if (!good || !cli->has[OPTION_QUIET])
        fprintf(stderr, good ? "%s: %s\n" : "worldc: %.0s%s\n", path, said);
    return good ? EXIT_FINE : EXIT_USAGE;
}

int command_export(Cli *cli) {
    const char *path = cli->value[OPTION_OUTPUT];
    LandExport land = {0};
    if (cli->word_count == 0) return usage_error(cli, "which file?");
    if (path == NULL) return usage_error(cli, "-o says where to write");
    if (!land_export_knows(path))
        return usage_error(cli, "heights go to .r32 .exr .r16 .png or .glb, not '%s'", path);
    int code = read_export(cli, &land);
    if (code == EXIT_FINE) code = session_open(cli, false);
    return code == EXIT_FINE ? export_grid(cli, path, &land) : code;
}
