/* map --weights: shares as they are, 0 to 1 as 0 to 255, at the very places where a land has its heights: a splat map for other
 * programs, with a file beside it that says where it lies, as exported heights have one. */
#include <stdlib.h>

#include "compiler/cli/map.h"
#include "runtime/export/png.h"

/* The first and the last sample lie on the rectangle's border, and places are the middles of pixels: half a cell over the border. */
static void widen(Map *map) {
    double dx = (map->over[2] - map->over[0]) / (map->width - 1) / 2, dz = (map->over[3] - map->over[1]) / (map->height - 1) / 2;
    map->over[0] -= dx, map->over[2] += dx;
    map->over[1] -= dz, map->over[3] += dz;
}

/* `size` samples along the longer side, as a resampled export has them. */
static void fit(Map *map, int size) {
    double wide = map->over[2] - map->over[0], tall = map->over[3] - map->over[1];
    double cell = (wide > tall ? wide : tall) / (size - 1);
    map->width = (int)(wide / cell + 0.5) + 1;
    map->height = (int)(tall / cell + 0.5) + 1;
}

int weights_frame(Cli *cli, Map *map, bool over) {
    WorldGridView grid = {.size = sizeof grid};
    const char *size = cli->value[OPTION_SIZE];
    int width = 0, height = 0;
    if (size && (!options_size(size, &width, &height) || width < 2 || height < 2))
        return usage_error(cli, "--size of weights takes N or WxH, from 2 to 16384 samples a side");
    if (!size && (over || world_grid(cli->world, "land.ground", &grid) != WORLD_OK))
        return usage_error(cli, "--weights lie where 'land.ground' has its heights; without that grid, or with --over, --size says how many there are");
    map->width = size ? width : grid.columns;
    map->height = size ? height : grid.rows;
    if (size && !strchr(size, 'x')) fit(map, width);
    widen(map);
    return EXIT_FINE;
}

/* A share below 0 or above 1 is an error: cut off it would be another world's. */
static bool all_shares(const Map *map) {
    size_t count = (size_t)map->width * (size_t)map->height;
    for (size_t i = 0; i < count * (size_t)map->channels; i++) {
        double value = map->values[i];
        if (value >= 0 && value <= 1) continue;
        size_t place = i / (size_t)map->channels;
        fprintf(stderr, "worldc: '%s' is %g at (%g m, %g m), and weights go from 0 to 1\n", map->question, value,
                map_x(map, (int)(place % (size_t)map->width)), map_z(map, (int)(place / (size_t)map->width)));
        return false;
    }
    return true;
}

static unsigned char *weight_bytes(const Map *map) {
    size_t count = (size_t)map->width * (size_t)map->height;
    unsigned char *rgba = malloc(count * 4);
    for (size_t i = 0; rgba && i < count; i++)
        for (size_t c = 0; c < 4; c++) {
            double value = c == 3 ? 1 : map->values[i * (size_t)map->channels + (map->channels == 3 ? c : 0)];
            rgba[i * 4 + c] = (unsigned char)(value * 255 + 0.5);
        }
    return rgba;
}

static void put_number(FILE *file, const char *name, double value) {
    fprintf(file, "  \"%s\": ", name);
    output_json_number(file, value);
    fputs(",\n", file);
}

static bool write_sidecar(const Map *map, const char *path) {
    WholeFile file;
    char name[4096];
    snprintf(name, sizeof name, "%s.json", path);
    if (file_open(&file, name)) {
        fprintf(file.stream, "{\n  \"format\": \"png\",\n  \"columns\": %d,\n  \"rows\": %d,\n", map->width, map->height);
        put_number(file.stream, "cell", (map->over[2] - map->over[0]) / map->width);
        put_number(file.stream, "west", map_x(map, 0));
        put_number(file.stream, "north", map_z(map, 0));
        fputs("  \"values\": \"unsigned 8-bit, linear: share = value / 255\",\n  \"question\": ", file.stream);
        output_json_text(file.stream, map->question);
        fputs(",\n  \"orientation\": \"row 0 is the smallest z (north); along a row x grows (east)\"\n}\n", file.stream);
        if (file_commit(&file)) return true;
    }
    fprintf(stderr, "worldc: cannot write '%s': %s\n", name, strerror(file.problem));
    return false;
}

int weights_write(const Map *map, const char *path) {
    char error[256] = "out of memory";
    if (!all_shares(map)) return EXIT_WORLD;
    unsigned char *rgba = weight_bytes(map);
    bool good = rgba && png_write_rgba(path, map->width, map->height, rgba, error, sizeof error);
    free(rgba);
    if (!good) fprintf(stderr, "worldc: %s\n", error);
    return good && (options_is_stream(path) || write_sidecar(map, path)) ? EXIT_FINE : EXIT_USAGE;
}
