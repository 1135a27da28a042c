/* export: for other programs, by the ending of the file: the whole world as glTF, a grid's heights, with how exact they are,
 * or what an expression answers: as JSON, or a text as it stands.
 */
#include "runtime/export/export.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/cli/worn.h"

static int tell(Cli *cli, const char *path, bool good, const char *said) {
    session_clear_progress(cli);
    if (!good || !cli->has[OPTION_QUIET])
        fprintf(stderr, good ? "%s: %s\n" : "worldc: %.0s%s\n", path, said);
    return good ? EXIT_FINE : EXIT_USAGE;
}

/* -- heights -- */

/* Whether there is such a field: one that holds a grid has no handle, which is told apart from none. */
static bool has_field(Cli *cli, const char *path) {
    WorldField field;
    return world_field(cli->world, path, NULL, &field) == WORLD_ERROR_ARGUMENT;
}

/* The named grid, or `land.ground`. */
static const char *name_of_grid(const Cli *cli) {
    return cli->word_count > 1 ? cli->words[1] : "land.ground";
}

static int find_grid(Cli *cli, WorldGridView *grid) {
    const char *name = name_of_grid(cli);
    if (cli->word_count < 2 && !has_field(cli, name))
        return usage_error(cli, "this world has no grid 'land.ground'. Name one of its own: worldc "
                                "export FILE GRID -o OUT; "
                                "or export all that is drawn, to a .glb or .gltf");
    WorldStatus status = world_grid(cli->world, name, grid);
    if (status == WORLD_ERROR_NOT_FOUND)
        return usage_error(
            cli, "'%s' is no height grid; .glb and .gltf take the whole world, without a grid",
            name);
    return session_report(cli, status);
}

static int read_whole(const Cli *cli, OptionId option, const char *name, int *out) {
    if (!cli->has[option]) return EXIT_FINE;
    char *end;
    long value = strtol(cli->value[option], &end, 10);
    if (*end || end == cli->value[option] || value < 2 || value > 1 << 20)
        return usage_error(cli, "%s of an export takes a whole number of values a side, 2 or more",
                           name);
    *out = (int)value;
    return EXIT_FINE;
}

static int read_export(const Cli *cli, LandExport *land) {
    if (cli->has[OPTION_INSTANCES]) return usage_error(cli, "--instances is of the whole world: worldc export FILE -o OUT.glb");
    int code = read_whole(cli, OPTION_SIZE, "--size", &land->size);
    if (code == EXIT_FINE) code = read_whole(cli, OPTION_TILE, "--tile", &land->tile);
    double scale[2];
    if (code != EXIT_FINE || !cli->has[OPTION_SCALE]) return code;
    if (!options_numbers(cli->value[OPTION_SCALE], 2, scale) || !(scale[0] < scale[1]))
        return usage_error(cli, "--scale takes LO,HI, of which HI is more");
    land->has_range = true;
    land->low = scale[0];
    land->high = scale[1];
    return EXIT_FINE;
}

static int export_grid(Cli *cli, const char *path) {
    WorldGridView grid = {.size = sizeof grid};
    LandExport land = {0};
    int code = read_export(cli, &land);
    if (code == EXIT_FINE) code = session_open(cli, false);
    if (code == EXIT_FINE) code = find_grid(cli, &grid);
    float *worn = NULL;
    if (code == EXIT_FINE && cli->has[OPTION_ERODE]) code = worn_heights(cli, name_of_grid(cli), &grid, &worn);
    if (code != EXIT_FINE) {
        free(worn);
        return code;
    }
    land.columns = grid.columns, land.rows = grid.rows;
    land.cell = grid.cell, land.x0 = grid.x0, land.z0 = grid.z0, land.outside = grid.outside;
    land.heights = grid.heights, land.finer = grid.finer, land.tail = grid.tail;
    land.reference = (Reference){grid.east, grid.north, grid.east_per_meter, grid.north_per_meter, grid.epsg, grid.degrees};
    char said[512];
    bool good = export_land(path, &land, said, sizeof said);
    free(worn);
    return tell(cli, path, good, said);
}

/* -- the whole world -- */

/* "island" of "worlds/island.world". */
static void scene_name(const char *file, char *out, size_t size) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    snprintf(out, size, "%.*s", length, strcmp(file, "-") == 0 ? "world" : name);
}

static int export_world(Cli *cli, const char *path) {
    const WorldScene *scene;
    char name[256], said[512];
    if (cli->has[OPTION_SIZE] || cli->has[OPTION_TILE] || cli->has[OPTION_SCALE] || cli->has[OPTION_ERODE])
        return usage_error(
            cli, "--size, --tile, --scale and --erode are of a grid: worldc export FILE GRID -o OUT");
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    WorldStatus status = world_build(cli->world);
    if (status == WORLD_OK) status = world_scene(cli->world, &scene);
    code = session_report(cli, status);
    if (code != EXIT_FINE) return code;
    scene_name(cli->words[0], name, sizeof name);
    bool good = export_scene(path, name, cli->has[OPTION_INSTANCES] ? EXPORT_INSTANCES : EXPORT_THINGS, scene, said, sizeof said);
    return tell(cli, path, good, said);
}

/* -- a value -- */

static int write_text(Cli *cli, const char *path, const char *text) {
    WholeFile file;
    char said[512];
    bool good = file_open(&file, path) && file_add(&file, text, strlen(text));
    good = file_commit(&file) && good;
    if (good)
        snprintf(said, sizeof said, "%zu bytes", strlen(text));
    else
        snprintf(said, sizeof said, "cannot write '%s': %s", path, strerror(file.problem));
    return tell(cli, path, good, said);
}

static int export_value(Cli *cli, const char *path) {
    WorldValue *value;
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    WorldStatus status = world_ask(cli->world, cli->words[1], &value);
    if (status != WORLD_OK) return session_report(cli, status);
    const char *text = options_ends_in(path, ".json") ? world_value_json(value) : world_value_chars(value);
    code = text ? write_text(cli, path, text)
                : usage_error(cli, "what '%s' answers goes to .json: only a text goes to '%s'", cli->words[1], path);
    world_value_destroy(value);
    return code;
}

int command_export(Cli *cli) {
    const char *path = cli->value[OPTION_OUTPUT];
    if (cli->word_count == 0) return usage_error(cli, "which file?");
    if (path == NULL) return usage_error(cli, "-o says where to write");
    bool stream = options_is_stream(path);
    if (!stream && !export_takes_land(path)) {
        if (cli->word_count > 1) return export_value(cli, path);
        return usage_error(cli,
                           "a world goes to .glb or .gltf, heights go to .r32 .exr .r16 .png .tif .glb "
                           "or .gltf, not '%s'; of a FILE and an EXPRESSION what it answers to .json, or a text to any",
                           path);
    }
    return cli->word_count < 2 && (stream || export_takes_scene(path)) ? export_world(cli, path)
                                                                         : export_grid(cli, path);
}
