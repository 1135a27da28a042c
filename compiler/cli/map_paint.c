/* The picture of a map: a color ramp of even steps to the eye, and a legend with the values at
 * its ends. */
#include <stdlib.h>
#include <string.h>

#include "compiler/cli/map.h"
#include "runtime/math/srgb.h"

enum { LEGEND_HEIGHT = 26, GLYPH_WIDTH = 6, GLYPH_HEIGHT = 7, LEAST_LEGEND_WIDTH = 96 };

/* Dark blue, teal, green, yellow, near white: lightness rises evenly, so that it reads in gray
 * too. */
static const unsigned char ramp[][3] = {{24, 22, 74},   {25, 83, 117},  {38, 140, 113},
                                        {134, 184, 78}, {238, 214, 97}, {253, 247, 226}};
enum { RAMP_STEPS = sizeof ramp / sizeof *ramp - 1 };

static void ramp_color(double t, unsigned char *rgba) {
    if (!(t > 0)) t = 0;
    if (t > 1) t = 1;
    double place = t * RAMP_STEPS;
    int step = place >= RAMP_STEPS ? RAMP_STEPS - 1 : (int)place;
    double part = place - step;
    for (int c = 0; c < 3; c++)
        rgba[c] = (unsigned char)(ramp[step][c] + (ramp[step + 1][c] - ramp[step][c]) * part + 0.5);
    rgba[3] = 255;
}

static void paint_value(const Map *map, size_t index, unsigned char *rgba) {
    const float *value = map->values + index * (size_t)map->channels;
    rgba[3] = 255;
    if (map->channels == 3)
        for (int c = 0; c < 3; c++)
            rgba[c] = srgb_byte(value[c]);
    else
        ramp_color((value[0] - map->lo) / (map->hi - map->lo), rgba);
}

/* -- the legend's digits: rows of five dots from the top, the leftmost in bit 4 -- */

static const struct {
    char character;
    unsigned char rows[GLYPH_HEIGHT];
} glyphs[] = {
    {'0', {14, 17, 19, 21, 25, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},
    {'2', {14, 17, 1, 6, 8, 16, 31}},    {'3', {30, 1, 1, 14, 1, 1, 30}},
    {'4', {2, 6, 10, 18, 31, 2, 2}},     {'5', {31, 16, 30, 1, 1, 17, 14}},
    {'6', {6, 8, 16, 30, 17, 17, 14}},   {'7', {31, 1, 2, 4, 8, 8, 8}},
    {'8', {14, 17, 17, 14, 17, 17, 14}}, {'9', {14, 17, 17, 15, 1, 2, 12}},
    {'-', {0, 0, 0, 14, 0, 0, 0}},       {'.', {0, 0, 0, 0, 0, 12, 12}},
    {'e', {0, 0, 14, 17, 31, 16, 14}},   {'+', {0, 4, 4, 31, 4, 4, 0}},
};

typedef struct Canvas {
    unsigned char *rgba;
    int width, height;
} Canvas;

static void put_dot(const Canvas *canvas, int x, int y) {
    if (x < 0 || y < 0 || x >= canvas->width || y >= canvas->height) return;
    memset(canvas->rgba + ((size_t)y * (size_t)canvas->width + (size_t)x) * 4, 20, 3);
}

static void put_text(const Canvas *canvas, int x, int y, const char *text) {
    for (; *text; text++, x += GLYPH_WIDTH)
        for (size_t g = 0; g < sizeof glyphs / sizeof *glyphs; g++) {
            if (glyphs[g].character != *text) continue;
            for (int row = 0; row < GLYPH_HEIGHT; row++)
                for (int column = 0; column < 5; column++)
                    if (glyphs[g].rows[row] >> (4 - column) & 1)
                        put_dot(canvas, x + column, y + row);
        }
}

static void paint_legend(const Canvas *canvas, const Map *map) {
    int top = map->height, left = 4, right = map->width - 4;
    memset(canvas->rgba + (size_t)top * (size_t)map->width * 4, 255,
           (size_t)LEGEND_HEIGHT * (size_t)map->width * 4);
    for (int y = top + 4; y < top + 13; y++)
        for (int x = left; x < right; x++)
            ramp_color((double)(x - left) / (right - left - 1),
                       canvas->rgba + ((size_t)y * (size_t)map->width + (size_t)x) * 4);
    char text[32];
    snprintf(text, sizeof text, "%.6g", map->lo);
    put_text(canvas, left, top + 16, text);
    snprintf(text, sizeof text, "%.6g", map->hi);
    put_text(canvas, right - (int)strlen(text) * GLYPH_WIDTH, top + 16, text);
}

static unsigned char *paint_rows(const Map *map, int rows) {
    unsigned char *rgba = calloc((size_t)map->width * (size_t)rows, 4);
    for (size_t i = 0; rgba && i < (size_t)map->width * (size_t)map->height; i++)
        paint_value(map, i, rgba + i * 4);
    return rgba;
}

unsigned char *map_colors(const Map *map) {
    return paint_rows(map, map->height);
}

unsigned char *map_paint(const Map *map, int *height) {
    bool legend = map->channels == 1 && map->width >= LEAST_LEGEND_WIDTH;
    *height = map->height + (legend ? LEGEND_HEIGHT : 0);
    unsigned char *rgba = paint_rows(map, *height);
    if (rgba && legend) paint_legend(&(Canvas){rgba, map->width, *height}, map);
    return rgba;
}
