/* map: any function of a place, or an expression of `here`, over a rectangle of the plan. */
#include "compiler/cli/map.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/export/png.h"

enum { DEFAULT_SIZE = 512 };

double map_x(const Map *map, int column) {
    return map->over[0] + (map->over[2] - map->over[0]) * (column + 0.5) / map->width;
}

double map_z(const Map *map, int row) {
    return map->over[1] + (map->over[3] - map->over[1]) * (row + 0.5) / map->height;
}

/* -- the question -- */

/* "land.height" as it stands; anything else as the body of a function of `here`. */
static WorldStatus find_question(Cli *cli, const char *question, WorldFunction *function) {
    WorldStatus status = world_function(cli->world, question, NULL, function);
    int arguments, results;
    if (status == WORLD_OK &&
        world_function_shape(cli->world, *function, &arguments, &results) == WORLD_OK &&
        arguments == 3)
        return WORLD_OK;
    size_t length = strlen(question) + 64;
    char *text = malloc(length);
    if (text == NULL) return WORLD_ERROR_MEMORY;
    snprintf(text, length, "fn(here: point) { %s }", question);
    status = world_function(cli->world, text, NULL, function);
    free(text);
    return status;
}

static void store(const Map *map, const char *type, int row, const uint64_t *answers) {
    float *out = map->values + (size_t)row * (size_t)map->width * (size_t)map->channels;
    for (int i = 0; i < map->width * map->channels; i++) {
        double number;
        memcpy(&number, &answers[i], sizeof number);
        if (type[0] == 'B' || type[0] == 'W') number = (double)answers[i];
        if (type[0] == 'I') number = (double)(int64_t)answers[i];
        out[i] = (float)number;
    }
}

static WorldStatus ask_row(Cli *cli, const Map *map, WorldFunction function, int row,
                           double *places, uint64_t *answers, const char *type) {
    for (int i = 0; i < map->width; i++) {
        places[3 * i] = map_x(map, i);
        places[3 * i + 1] = 0;
        places[3 * i + 2] = map_z(map, row);
    }
    WorldStatus status =
        world_call_batch(cli->world, function, (size_t)map->width, places, answers);
    if (status == WORLD_OK) store(map, type, row, answers);
    return status;
}

static WorldStatus ask_all(Cli *cli, Map *map, WorldFunction function, const char *type) {
    size_t row = (size_t)map->width;
    map->values = calloc(row * (size_t)map->height * (size_t)map->channels, sizeof *map->values);
    double *places = calloc(row * 3, sizeof *places);
    uint64_t *answers = calloc(row * (size_t)map->channels, sizeof *answers);
    WorldStatus status = map->values && places && answers ? WORLD_OK : WORLD_ERROR_MEMORY;
    for (int y = 0; y < map->height && status == WORLD_OK; y++)
        status = ask_row(cli, map, function, y, places, answers, type);
    free(places);
    free(answers);
    return status;
}

/* No picture and no file of numbers says where there is none: the first place of them is an error. */
static bool all_numbers(const Map *map) {
    size_t count = (size_t)map->width * (size_t)map->height, missing = 0, first = 0;
    for (size_t i = count; i-- > 0;)
        for (int c = 0; c < map->channels; c++) {
            if (isfinite(map->values[i * (size_t)map->channels + (size_t)c])) continue;
            if (first != i || missing == 0) missing++;
            first = i;
        }
    if (missing == 0) return true;
    int column = (int)(first % (size_t)map->width), row = (int)(first / (size_t)map->width);
    bool nan = false;
    for (int c = 0; c < map->channels; c++)
        nan |= isnan(map->values[first * (size_t)map->channels + (size_t)c]);
    fprintf(stderr, "worldc: '%s' at (%g m, %g m) is %s, and so it is at %zu of %zu places: it has no color\n",
            map->question, map_x(map, column), map_z(map, row), nan ? "not a number" : "infinite", missing,
            count);
    return false;
}

/* -- writing -- */

static void find_range(Map *map) {
    map->lo = INFINITY;
    map->hi = -INFINITY;
    for (size_t i = 0; i < (size_t)map->width * (size_t)map->height; i++) {
        double value = map->values[i];
        if (value < map->lo) map->lo = value;
        if (value > map->hi) map->hi = value;
    }
    if (!(map->lo < map->hi)) map->hi = map->lo + 1;
}

static void write_csv(const Map *map, WholeFile *whole) {
    FILE *file = whole->stream;
    fputs(map->channels == 3 ? "x,z,a,b,c\n" : "x,z,value\n", file);
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++) {
            const float *value =
                map->values + ((size_t)y * (size_t)map->width + (size_t)x) * (size_t)map->channels;
            fprintf(file, "%.17g,%.17g", map_x(map, x), map_z(map, y));
            for (int c = 0; c < map->channels; c++)
                fprintf(file, ",%.9g", value[c]);
            if (fputc('\n', file) == EOF) file_fail(whole, errno);
        }
}

/* A stream, whose name says nothing, is given text. */
static void write_numbers(const Map *map, const char *path, WholeFile *file) {
    size_t count = (size_t)map->width * (size_t)map->height * (size_t)map->channels;
    if (options_ends_in(path, ".f32"))
        file_add_numbers(file, map->values, sizeof *map->values, count);
    else if (options_ends_in(path, ".exr"))
        output_exr(file, map->width, map->height, map->channels, map->values);
    else
        write_csv(map, file);
}

static bool write_picture(Map *map, const char *path) {
    int height;
    char error[256] = "out of memory";
    unsigned char *rgba = map_paint(map, &height);
    bool good = rgba && png_write_rgba(path, map->width, height, rgba, error, sizeof error);
    if (!good) fprintf(stderr, "worldc: %s\n", error);
    free(rgba);
    return good;
}

static int write_map(Map *map, const char *path) {
    if (options_ends_in(path, ".png"))
        return write_picture(map, path) ? EXIT_FINE : EXIT_USAGE;
    WholeFile file;
    if (file_open(&file, path)) {
        write_numbers(map, path, &file);
        if (file_commit(&file)) return EXIT_FINE;
    }
    fprintf(stderr, "worldc: cannot write '%s': %s\n", path, strerror(file.problem));
    return EXIT_USAGE;
}

/* -- the verb -- */

static bool known_ending(const char *path) {
    static const char *const endings[] = {".png", ".f32", ".csv", ".exr"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (options_ends_in(path, endings[i])) return true;
    return options_is_stream(path);
}

/* The ground's rectangle when the world has a `land.ground`, else a kilometer about the middle. */
static void default_over(Cli *cli, Map *map) {
    WorldGridView grid = {.size = sizeof grid};
    double fallback[] = {-512, -512, 512, 512};
    memcpy(map->over, fallback, sizeof fallback);
    if (world_grid(cli->world, "land.ground", &grid) != WORLD_OK) return;
    map->over[0] = grid.x0;
    map->over[1] = grid.z0;
    map->over[2] = grid.x0 + grid.cell * (grid.columns - 1);
    map->over[3] = grid.z0 + grid.cell * (grid.rows - 1);
}

/* The longer side of the rectangle has `size` pixels, unless both sides are given. */
static void fit_size(Map *map, int size) {
    double wide = map->over[2] - map->over[0], tall = map->over[3] - map->over[1];
    double scale = size / (wide > tall ? wide : tall);
    map->width = (int)(wide * scale + 0.5) > 0 ? (int)(wide * scale + 0.5) : 1;
    map->height = (int)(tall * scale + 0.5) > 0 ? (int)(tall * scale + 0.5) : 1;
}

static int read_over(Cli *cli, Map *map) {
    if (!cli->has[OPTION_OVER])
        default_over(cli, map);
    else if (!options_numbers(cli->value[OPTION_OVER], 4, map->over))
        return usage_error(cli, "--over takes x0,z0,x1,z1");
    if (!(map->over[2] > map->over[0]) || !(map->over[3] > map->over[1]) ||
        !isfinite(map->over[2] - map->over[0]) || !isfinite(map->over[3] - map->over[1]))
        return usage_error(cli, "--over needs x0 < x1 and z0 < z1");
    return EXIT_FINE;
}

static int read_frame(Cli *cli, Map *map) {
    int width = DEFAULT_SIZE, height = DEFAULT_SIZE;
    const char *size = cli->value[OPTION_SIZE];
    if (size && !options_size(size, &width, &height))
        return usage_error(cli, "--size takes N or WxH, from 1 to 16384 pixels a side");
    int code = read_over(cli, map);
    if (code != EXIT_FINE) return code;
    if (cli->has[OPTION_WEIGHTS]) return weights_frame(cli, map, cli->has[OPTION_OVER]);
    if (size && strchr(size, 'x')) {
        map->width = width;
        map->height = height;
    } else {
        fit_size(map, width);
    }
    return EXIT_FINE;
}

/* The letters of the answer's slots, by its first character; 0: no map can show it. */
static const char *answer_type(Cli *cli, WorldFunction function, Map *map) {
    int arguments = 0, results = 0;
    world_function_shape(cli->world, function, &arguments, &results);
    map->channels = results;
    if (arguments != 3 || (results != 1 && results != 3)) return NULL;
    const char *letters = world_function_letters(cli->world, function);
    return strspn(letters, "FIWB") == (size_t)results ? letters : NULL; /* no text, and nothing else that is no number */
}

static int read_scale(Cli *cli, Map *map) {
    double scale[2];
    find_range(map);
    if (!cli->has[OPTION_SCALE]) return EXIT_FINE;
    if (!options_numbers(cli->value[OPTION_SCALE], 2, scale) || !(scale[0] < scale[1]))
        return usage_error(cli, "--scale takes LO,HI, of which HI is more");
    map->lo = scale[0];
    map->hi = scale[1];
    return EXIT_FINE;
}

static int ask_frame(Cli *cli, Map *map) {
    WorldFunction function;
    WorldStatus status = find_question(cli, map->question, &function);
    if (status != WORLD_OK) return session_report(cli, status);
    const char *type = answer_type(cli, function, map);
    if (type == NULL)
        return usage_error(cli, "'%s' is no function of a place with a number, color or direction",
                           map->question);
    status = ask_all(cli, map, function, type);
    int code = session_report(cli, status);
    if (code != EXIT_FINE) return code;
    return all_numbers(map) ? read_scale(cli, map) : EXIT_WORLD;
}

int map_ask(Cli *cli, Map *map, int size) {
    int code = read_over(cli, map);
    if (code != EXIT_FINE) return code;
    fit_size(map, size);
    return ask_frame(cli, map);
}

static int draw_map(Cli *cli, Map *map, const char *path) {
    int code = read_frame(cli, map);
    if (code == EXIT_FINE) code = ask_frame(cli, map);
    if (code != EXIT_FINE) return code;
    return cli->has[OPTION_WEIGHTS] ? weights_write(map, path) : write_map(map, path);
}

int command_map(Cli *cli) {
    const char *path = cli->value[OPTION_OUTPUT];
    if (cli->word_count != 2) return usage_error(cli, "map takes a file and a question");
    if (path == NULL) return usage_error(cli, "where to? -o OUT.png, .f32, .exr or .csv");
    if (!known_ending(path))
        return usage_error(cli, "'%s' should end in .png, .f32, .exr or .csv", path);
    if (cli->has[OPTION_SCALE] && !options_ends_in(path, ".png"))
        return usage_error(cli, "--scale is of a picture's colors: -o OUT.png");
    if (cli->has[OPTION_WEIGHTS] && (cli->has[OPTION_SCALE] || !options_ends_in(path, ".png")))
        return usage_error(cli, "--weights are a picture's bytes as they are: -o OUT.png, without --scale");
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    Map map = {.question = cli->words[1]};
    code = draw_map(cli, &map, path);
    free(map.values);
    return code;
}
