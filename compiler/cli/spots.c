/* Where a layout's rules tried to place things: a disc of its room for each that stands, a dot for each that was refused, colored by why. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cli/ground.h"

enum { MOST_SIDE = 4096 };                                        /* texels */
static const double finest = 0.05, dot = 0.45, least_room = 0.6; /* meters */
static const double everywhere = 1e7;                             /* meters */

/* As the outcomes of world_explain are called; what is none of them, as a layout by climate has it, is the last. */
static const struct {
    const char *outcome, *color;
    unsigned char rgb[3];
} kinds[] = {
    {"placed", "GREEN", {60, 200, 70}},    {"keep", "GRAY", {120, 120, 120}},   {"circle", "ORANGE", {245, 150, 30}}, {"disc", "YELLOW", {250, 230, 60}},
    {"clearance", "PURPLE", {160, 70, 200}}, {"footprint", "RED", {220, 40, 40}}, {"offLand", "BLUE", {50, 90, 230}},   {"cap", "BLACK", {15, 15, 15}},
    {"", "WHITE", {250, 250, 250}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int kind_of(const char *outcome) {
    int kind = 0;
    while (kind < KINDS - 1 && strcmp(kinds[kind].outcome, outcome) != 0)
        kind++;
    return kind;
}

/* "wood.layout/trees": the layout, and a rule of it. */
static const char *split(const char *text, char *path, size_t size) {
    const char *slash = strchr(text, '/');
    snprintf(path, size, "%.*s", slash ? (int)(slash - text) : (int)strlen(text), text);
    return slash ? slash + 1 : NULL;
}

static bool is_shown(const WorldTable *table, size_t row, const char *rule) {
    return rule == NULL || strcmp(table_text(table, row, "rule"), rule) == 0;
}

/* The box of what is shown; false: there is nothing. */
static bool find_box(const WorldTable *table, const char *rule, double over[4]) {
    const double nowhere[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    memcpy(over, nowhere, sizeof nowhere);
    for (size_t row = 0; row < world_table_rows(table); row++) {
        if (!is_shown(table, row, rule)) continue;
        double x = table_number(table, row, "x"), z = table_number(table, row, "z");
        over[0] = fmin(over[0], x - 2), over[1] = fmin(over[1], z - 2);
        over[2] = fmax(over[2], x + 2), over[3] = fmax(over[3], z + 2);
    }
    return over[0] < over[2];
}

static void fill(GroundPaint *paint, double x, double z, double radius, const unsigned char rgb[3], unsigned char hides) {
    double texel = (paint->over[2] - paint->over[0]) / paint->columns, r = fmax(radius, 0.75 * texel);
    double u = (x - paint->over[0]) / texel, v = (z - paint->over[1]) / texel, n = r / texel;
    int i0 = (int)fmax(0, floor(u - n)), i1 = (int)fmin(paint->columns - 1, ceil(u + n));
    int j0 = (int)fmax(0, floor(v - n)), j1 = (int)fmin(paint->rows - 1, ceil(v + n));
    for (int j = j0; j <= j1; j++)
        for (int i = i0; i <= i1; i++) {
            double away = hypot(i + 0.5 - u, j + 0.5 - v);
            unsigned char *c = paint->rgba + 4 * ((size_t)j * (size_t)paint->columns + (size_t)i);
            if (away > n) continue;
            memcpy(c, rgb, 3);
            c[3] = away > n - 1.5 ? 255 : hides; /* with a rim */
        }
}

/* Refused ones first, so that what stands is seen. */
static void paint_all(GroundPaint *paint, const WorldTable *table, const char *rule, size_t counts[KINDS]) {
    for (int stands = 0; stands < 2; stands++)
        for (size_t row = 0; row < world_table_rows(table); row++) {
            int kind = kind_of(table_text(table, row, "outcome"));
            if (!is_shown(table, row, rule) || (kind == 0) != stands) continue;
            double room = fmax(table_number(table, row, "room"), least_room); /* of NAN and a number it is the number */
            fill(paint, table_number(table, row, "x"), table_number(table, row, "z"), stands ? room : dot, kinds[kind].rgb, stands ? 110 : 235);
            counts[kind]++;
        }
}

static void write_legend(GroundPaint *paint, const char *what, const size_t counts[KINDS]) {
    size_t at = (size_t)snprintf(paint->legend, sizeof paint->legend, "%.160s", what);
    for (int k = 0; k < KINDS && at < sizeof paint->legend; k++)
        if (counts[k])
            at += (size_t)snprintf(paint->legend + at, sizeof paint->legend - at, "\n%s: %s %zu", kinds[k].color,
                                   kinds[k].outcome[0] ? kinds[k].outcome : "other", counts[k]);
}

/* As fine as its memory lets it be. */
static int make_room(Cli *cli, GroundPaint *paint) {
    if (cli->has[OPTION_OVER] && !options_numbers(cli->value[OPTION_OVER], 4, paint->over)) return usage_error(cli, "--over takes x0,z0,x1,z1");
    double wide = paint->over[2] - paint->over[0], tall = paint->over[3] - paint->over[1];
    if (!(wide > 0) || !(tall > 0) || !isfinite(wide + tall)) return usage_error(cli, "--over needs x0 < x1 and z0 < z1");
    double texel = fmax(finest, fmax(wide, tall) / MOST_SIDE);
    paint->columns = (int)fmax(1, wide / texel);
    paint->rows = (int)fmax(1, tall / texel);
    paint->over[2] = paint->over[0] + paint->columns * texel; /* whole texels, all square */
    paint->over[3] = paint->over[1] + paint->rows * texel;
    paint->rgba = calloc((size_t)paint->columns * (size_t)paint->rows, 4);
    if (paint->rgba) return EXIT_FINE;
    fprintf(stderr, "worldc: out of memory\n");
    return EXIT_LIMIT;
}

int spots_paint(Cli *cli, GroundPaint *paint) {
    const char *what = cli->value[OPTION_SPOTS];
    char path[512];
    size_t counts[KINDS] = {0};
    const char *rule = split(what, path, sizeof path);
    WorldTable *table = NULL;
    WorldStatus status = world_explain(cli->world, path, 0, 0, everywhere, &table);
    if (status == WORLD_ERROR_NOT_FOUND) return usage_error(cli, "there is no layout '%s'; `worldc stats FILE` lists those that are", path);
    int code = session_report(cli, status);
    if (code != EXIT_FINE) return code;
    if (!find_box(table, rule, paint->over)) {
        code = usage_error(cli, "'%s' tried no spots", what);
    } else {
        code = make_room(cli, paint);
        if (code == EXIT_FINE) paint_all(paint, table, rule, counts);
        if (code == EXIT_FINE) write_legend(paint, what, counts);
    }
    world_table_destroy(table);
    return code;
}
