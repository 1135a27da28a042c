#include "compiler/cli/tiles.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/base/clock.h"
#include "runtime/base/hash.h"

static const double save_every = 2; /* seconds: so much work a kill may cost */

enum { DEFAULT_SIDE = 1025, MOST_SIDE = 1 << 14, MOST_TILES = 1 << 22, MOST_POINTS = 1 << 30 /* along one side */ };

/* -- options -- */

static int read_part(Tiles *tiles) {
    char rest;
    tiles->part = tiles->parts = 1;
    if (!tiles->cli->has[OPTION_PART]) return EXIT_FINE;
    if (sscanf(tiles->cli->value[OPTION_PART], "%d/%d%c", &tiles->part, &tiles->parts, &rest) != 2 || tiles->part < 1 ||
        tiles->parts > MOST_TILES || tiles->part > tiles->parts)
        return usage_error(tiles->cli, "--part takes K/N, from 1/N to N/N");
    return EXIT_FINE;
}

static int read_side(Tiles *tiles) {
    char *end;
    tiles->side = DEFAULT_SIDE;
    if (!tiles->cli->has[OPTION_TILE]) return EXIT_FINE;
    long side = strtol(tiles->cli->value[OPTION_TILE], &end, 10);
    if (*end || side < 2 || side > MOST_SIDE) return usage_error(tiles->cli, "--tile takes a whole number of values a side, 2 to %d", MOST_SIDE);
    tiles->side = (int)side;
    return EXIT_FINE;
}

static int read_format(Tiles *tiles) {
    static const char *const formats[] = {"r32", "tif", "exr", "r16", "png"};
    const Cli *cli = tiles->cli;
    tiles->format = cli->has[OPTION_FORMAT] ? cli->value[OPTION_FORMAT] : "r32";
    int found = -1;
    for (int i = 0; i < 5; i++)
        if (strcmp(formats[i], tiles->format) == 0) found = i;
    if (found < 0) return usage_error(cli, "--format is r32, tif, exr, r16 or png");
    tiles->has_scale = cli->has[OPTION_SCALE];
    if (tiles->has_scale && found < 3) return usage_error(cli, "--scale is of r16 and png: %s holds heights as they are", tiles->format);
    if (!tiles->has_scale && found >= 3)
        return usage_error(cli, "%s holds numbers from 0 to 65535, in all tiles for the same heights: --scale LO,HI says which", tiles->format);
    if (tiles->has_scale && (!options_numbers(cli->value[OPTION_SCALE], 2, tiles->scale) || !(tiles->scale[0] < tiles->scale[1])))
        return usage_error(cli, "--scale takes LO,HI, of which HI is more");
    return EXIT_FINE;
}

static int read_options(Tiles *tiles) {
    const Cli *cli = tiles->cli;
    static const struct {
        OptionId option;
        const char *why;
    } others[] = {{OPTION_OUTPUT, "-o keeps grids whole, and --tiles cuts one: one of the two"},
                  {OPTION_SET, "tiles are of the world as it is written, without --set"},
                  {OPTION_BAKED, "tiles are worked out of the world's text, without --baked"},
                  {OPTION_TIME, "--time is of a whole build"},
                  {OPTION_JSON, "--json is of a whole build; of tiles the manifest is JSON"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cli->has[others[i].option]) return usage_error(cli, "%s", others[i].why);
    if (cli->word_count == 0) return usage_error(cli, "which file?");
    tiles->folder = cli->value[OPTION_TILES];
    tiles->land = cli->word_count > 1 ? cli->words[1] : "land.ground";
    int code = read_part(tiles);
    if (code == EXIT_FINE) code = read_side(tiles);
    return code == EXIT_FINE ? read_format(tiles) : code;
}

/* -- the land -- */

static int ask_number(Tiles *tiles, const char *question, double *out) {
    char *expression = malloc(strlen(tiles->land) + strlen(question) + 8);
    WorldValue *value;
    double numbers[3];
    if (expression == NULL) return session_report(tiles->cli, WORLD_ERROR_MEMORY);
    sprintf(expression, "(%s).%s()", tiles->land, question);
    WorldStatus status = world_ask(tiles->cli->world, expression, &value);
    free(expression);
    if (status != WORLD_OK) {
        int code = session_report(tiles->cli, status);
        if (status == WORLD_ERROR_WORLD) fprintf(stderr, "worldc: tiles are of a heightGrid or an expanse: worldc build FILE EXPR --tiles DIR\n");
        return code;
    }
    int count = world_value_numbers(value, numbers);
    world_value_destroy(value);
    if (count != 1) return usage_error(tiles->cli, "'%s' is no heightGrid and no expanse", tiles->land);
    *out = numbers[0];
    return EXIT_FINE;
}

static int tiles_along(int64_t points, int side) {
    return (int)((points - 2) / (side - 1) + 1);
}

/* What is made anew when one of these is another. */
static uint64_t key_of(const Tiles *tiles, uint64_t world) {
    uint64_t key = hash_bytes(tiles->land, strlen(tiles->land), world);
    key = hash_bytes(tiles->format, strlen(tiles->format), key);
    key = hash_numbers(&tiles->side, sizeof tiles->side, 1, key);
    return tiles->has_scale ? hash_numbers(tiles->scale, sizeof *tiles->scale, sizeof tiles->scale / sizeof *tiles->scale, key) : key;
}

static int open_land(Tiles *tiles) {
    double columns, rows;
    uint64_t key;
    int code = session_open(tiles->cli, false);
    if (code == EXIT_FINE) code = ask_number(tiles, "columns", &columns);
    if (code == EXIT_FINE) code = ask_number(tiles, "rows", &rows);
    if (code == EXIT_FINE) code = ask_number(tiles, "cell", &tiles->cell);
    if (code == EXIT_FINE) code = ask_number(tiles, "x0", &tiles->x0);
    if (code == EXIT_FINE) code = ask_number(tiles, "z0", &tiles->z0);
    if (code == EXIT_FINE) code = session_report(tiles->cli, world_key(tiles->cli->world, &key));
    if (code != EXIT_FINE) return code;
    if (!(columns >= 2 && columns <= MOST_POINTS && rows >= 2 && rows <= MOST_POINTS))
        return usage_error(tiles->cli, "'%s' has %g x %g points: tiles are of lands from 2 to %d along each side", tiles->land, columns, rows, MOST_POINTS);
    tiles->columns = (int64_t)columns, tiles->rows = (int64_t)rows;
    tiles->across = tiles_along(tiles->columns, tiles->side);
    tiles->down = tiles_along(tiles->rows, tiles->side);
    if ((int64_t)tiles->across * tiles->down > MOST_TILES)
        return usage_error(tiles->cli, "%lld x %lld points in tiles of %d are more than %d tiles", (long long)tiles->columns, (long long)tiles->rows, tiles->side, MOST_TILES);
    tiles->key = key_of(tiles, key);
    tiles->rows_done = calloc((size_t)tiles_count(tiles), sizeof *tiles->rows_done);
    tiles->room = malloc(sizeof *tiles->room * (size_t)tiles->side * (size_t)tiles->side);
    return tiles->rows_done && tiles->room ? EXIT_FINE : session_report(tiles->cli, WORLD_ERROR_MEMORY);
}

/* Where on the earth it lies, its windows say. */
static int find_reference(Tiles *tiles) {
    char *expression = malloc(strlen(tiles->land) + 32);
    if (expression == NULL) return session_report(tiles->cli, WORLD_ERROR_MEMORY);
    sprintf(expression, "(%s).window(0, 0, 2, 2)", tiles->land);
    tiles->view = (WorldGridView){.size = sizeof tiles->view};
    WorldStatus status = world_grid_into(tiles->cli->world, expression, tiles->room, 4, &tiles->view);
    free(expression);
    return session_report(tiles->cli, status);
}

/* -- building -- */

typedef struct Progress { /* of this process */
    int at, made, there;
    double saved;
} Progress;

static Progress progress;

static bool is_ours(const Tiles *tiles, int index) {
    return index % tiles->parts == tiles->part - 1;
}

static int next_tile(Tiles *tiles) {
    while (progress.at < tiles_count(tiles) && (!is_ours(tiles, progress.at) || tiles->rows_done[progress.at].done))
        progress.at++;
    return progress.at < tiles_count(tiles) && !session_interrupted() ? progress.at++ : -1;
}

static int tell_misses(const Tiles *tiles, int index, int other) {
    session_clear_progress(tiles->cli);
    fprintf(stderr, "worldc: tiles x%d_y%d and x%d_y%d do not meet: a stage of the land looks farther than its halo, or at all of a window, and cannot be done tile by tile so\n",
            index % tiles->across, index / tiles->across, other % tiles->across, other / tiles->across);
    return EXIT_WORLD;
}

static bool save(const Tiles *tiles) {
    progress.saved = clock_seconds();
    return manifest_write(tiles, tiles->parts == 1);
}

static void draw(const Tiles *tiles) {
    Cli *cli = tiles->cli;
    if (!cli->terminal || cli->has[OPTION_QUIET]) return;
    fprintf(stderr, "\r\033[K%d of %d tiles", progress.made + progress.there, tiles_count(tiles));
    fflush(stderr);
    cli->drawn = true;
}

static int take_tile(Tiles *tiles, int index, const TileRow *row) {
    tiles->rows_done[index] = *row;
    progress.made++;
    int other = tile_misses(tiles, index);
    if (other >= 0) {
        tiles->rows_done[index].done = false;
        save(tiles);
        return tell_misses(tiles, index, other);
    }
    draw(tiles);
    if (clock_seconds() - progress.saved < save_every) return EXIT_FINE;
    return save(tiles) ? EXIT_FINE : EXIT_USAGE;
}

static int make_alone(Tiles *tiles) {
    TileRow row;
    int code = EXIT_FINE;
    for (int index; code == EXIT_FINE && (index = next_tile(tiles)) >= 0;) {
        code = tile_make(tiles, index, &row);
        if (code == EXIT_FINE) code = take_tile(tiles, index, &row);
    }
    return code;
}

static int count_done(const Tiles *tiles) {
    int count = 0;
    for (int i = 0; i < tiles_count(tiles); i++)
        count += tiles->rows_done[i].done;
    return count;
}

/* Of a part that is the last to end: one manifest of all. */
static int join_parts(Tiles *tiles) {
    if (!manifest_read(tiles)) return EXIT_USAGE;
    if (count_done(tiles) < tiles_count(tiles)) return EXIT_FINE;
    for (int i = 0; i < tiles_count(tiles); i++) {
        int other = tile_misses(tiles, i);
        if (other >= 0) return tell_misses(tiles, i, other);
    }
    if (!manifest_write(tiles, true)) return EXIT_USAGE;
    manifest_drop_parts(tiles);
    return EXIT_FINE;
}

static int finish(Tiles *tiles, int code) {
    bool saved = save(tiles);
    session_clear_progress(tiles->cli);
    if (code == EXIT_FINE && !saved) code = EXIT_USAGE;
    if (code == EXIT_FINE && session_interrupted()) code = EXIT_LIMIT;
    if (code == EXIT_FINE) code = join_parts(tiles);
    if (!tiles->cli->has[OPTION_QUIET])
        fprintf(stderr, "%d of %d tiles in %s: %d made now, %d were there%s\n", count_done(tiles), tiles_count(tiles), tiles->folder, progress.made, progress.there,
                code == EXIT_LIMIT ? "; interrupted, and the same command goes on from here" : "");
    return code;
}

static int start(Tiles *tiles) {
    if (!manifest_read(tiles)) return EXIT_USAGE;
    progress = (Progress){.there = count_done(tiles), .saved = clock_seconds()};
    return EXIT_FINE;
}

static int build_alone(Tiles *tiles) {
    int code = start(tiles);
    if (code != EXIT_FINE) return code;
    return finish(tiles, make_alone(tiles));
}

/* Whatever went wrong in one rank, the others are told, and end. */
static int build_shared(Tiles *tiles, int rank, int code) {
    if (rank > 0) return share_work(tiles, code);
    ShareWork work = {tiles, next_tile, take_tile};
    if (code == EXIT_FINE) code = start(tiles);
    bool started = code == EXIT_FINE;
    code = share_serve(&work, code);
    return started ? finish(tiles, code) : code;
}

/* -- verifying -- */

static int verify(Tiles *tiles) {
    int wrong = 0;
    if (!manifest_read(tiles)) return EXIT_USAGE;
    for (int i = 0; i < tiles_count(tiles) && !session_interrupted(); i++) {
        const char *why;
        char path[4096];
        int other = tiles->rows_done[i].done ? tile_misses(tiles, i) : -1;
        bool as_built = tile_verify(tiles, i, &tiles->rows_done[i], &why);
        tile_path(tiles, i, path, sizeof path);
        if (other >= 0) tell_misses(tiles, i, other);
        if (!as_built) printf("%s: %s\n", path, why);
        wrong += other >= 0 || !as_built;
    }
    if (session_interrupted()) return EXIT_LIMIT;
    if (!tiles->cli->has[OPTION_QUIET]) fprintf(stderr, "%d of %d tiles in %s are as they were built\n", tiles_count(tiles) - wrong, tiles_count(tiles), tiles->folder);
    return wrong ? EXIT_WORLD : EXIT_FINE;
}

/* -- the verb -- */

static int make_folder(const Tiles *tiles) {
    if (tiles->cli->has[OPTION_VERIFY] || mkdir(tiles->folder, 0777) == 0 || errno == EEXIST) return EXIT_FINE;
    return usage_error(tiles->cli, "cannot make the folder '%s': %s", tiles->folder, strerror(errno));
}

static int run(Tiles *tiles) {
    int rank = 0, size = 1, code;
    bool shared = share_wanted() && tiles->parts == 1 && !tiles->cli->has[OPTION_VERIFY]; /* parts need nobody, whatever started them */
    if (shared && !share_begin(tiles, &rank, &size)) return EXIT_USAGE;
    code = open_land(tiles);
    if (code == EXIT_FINE) code = find_reference(tiles);
    if (size > 1)
        code = build_shared(tiles, rank, code);
    else if (code == EXIT_FINE)
        code = tiles->cli->has[OPTION_VERIFY] ? verify(tiles) : build_alone(tiles);
    if (shared) share_end();
    return code;
}

int tiles_build(Cli *cli) {
    Tiles tiles = {.cli = cli};
    int code = read_options(&tiles);
    if (code == EXIT_FINE) code = make_folder(&tiles);
    if (code == EXIT_FINE) code = run(&tiles);
    free(tiles.rows_done);
    free(tiles.room);
    return code;
}
