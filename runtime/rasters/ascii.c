/* ESRI's ASCII grid: a head of names and numbers, in any order and letters of any size, then rows from the north.
 *
 *     ncols 4
 *     nrows 3
 *     xllcorner 2600000      or xllcenter: of the southwestern cell's corner, or its middle
 *     yllcorner 1200000
 *     cellsize 25
 *     NODATA_value -9999     -9999 when it is left out
 */
#include <stdlib.h>
#include <strings.h>

#include "runtime/rasters/raster.h"

typedef enum Key { COLUMNS, ROWS, X_CORNER, Y_CORNER, X_CENTER, Y_CENTER, CELL, CELL_X, CELL_Y, HOLE, KEY_COUNT } Key;

static const char *const key_names[KEY_COUNT] = {"ncols", "nrows", "xllcorner", "yllcorner", "xllcenter",
                                                 "yllcenter", "cellsize", "dx", "dy", "nodata_value"};

typedef struct Ascii {
    Str text;
    size_t at;
    bool has[KEY_COUNT];
    double value[KEY_COUNT];
    RasterSink *sink;
} Ascii;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_blanks(Ascii *ascii) {
    while (ascii->at < ascii->text.len && is_blank(ascii->text.ptr[ascii->at]))
        ascii->at++;
}

static Str next_word(Ascii *ascii) {
    skip_blanks(ascii);
    size_t begin = ascii->at;
    while (ascii->at < ascii->text.len && !is_blank(ascii->text.ptr[ascii->at]))
        ascii->at++;
    return (Str){ascii->text.ptr + begin, ascii->at - begin};
}

static bool is_nan(Str word) {
    return word.len == 3 && strncasecmp(word.ptr, "nan", 3) == 0;
}

static bool next_number(Ascii *ascii, double *value) {
    Str word = next_word(ascii);
    if (word.len && raster_number(word, value) == word.len) return true;
    if (is_nan(word)) {
        *value = __builtin_nan("");
        return true;
    }
    if (word.len == 0) return raster_refuse(ascii->sink, "it ends early");
    return raster_refuse(ascii->sink, "'%.*s' is no number", (int)(word.len < 40 ? word.len : 40), word.ptr);
}

static bool read_entry(Ascii *ascii, Str name) {
    for (int key = 0; key < KEY_COUNT; key++) {
        if (strlen(key_names[key]) != name.len || strncasecmp(key_names[key], name.ptr, name.len) != 0) continue;
        if (ascii->has[key]) return raster_refuse(ascii->sink, "%s stands there twice", key_names[key]);
        ascii->has[key] = true;
        return next_number(ascii, &ascii->value[key]);
    }
    return raster_refuse(ascii->sink, "'%.*s' is no entry of an ESRI ASCII grid's head",
                         (int)(name.len < 40 ? name.len : 40), name.ptr);
}

/* Up to the first word that is a number, or begins as one does. */
static bool read_entries(Ascii *ascii) {
    for (;;) {
        size_t before = ascii->at;
        Str word = next_word(ascii);
        char c = word.len ? word.ptr[0] : '0';
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) || is_nan(word)) {
            ascii->at = before;
            return true;
        }
        if (!read_entry(ascii, word)) return false;
    }
}

static bool take_count(const Ascii *ascii, Key key, int64_t *count) {
    double value = ascii->value[key];
    if (!ascii->has[key] || !(value >= 1 && value <= 1e9) || value != (double)(int64_t)value)
        return raster_refuse(ascii->sink, "its %s is no number of samples", key_names[key]);
    *count = (int64_t)value;
    return true;
}

/* Of x or y: the middle of the sample of the smallest. */
static double smallest(const Ascii *ascii, Key corner, Key center, double step) {
    return ascii->has[center] ? ascii->value[center] : ascii->value[corner] + step / 2;
}

static bool take_head(const Ascii *ascii, RasterHead *head) {
    *head = (RasterHead){.plane = RASTER_PLANE_UNSAID, .plane_unit = 1, .height_unit = 1, .has_hole = true, .hole = -9999};
    if (!take_count(ascii, COLUMNS, &head->columns) || !take_count(ascii, ROWS, &head->rows)) return false;
    head->step_east = ascii->has[CELL] ? ascii->value[CELL] : ascii->value[CELL_X];
    head->step_south = ascii->has[CELL] ? ascii->value[CELL] : ascii->value[CELL_Y];
    if (!(head->step_east > 0 && head->step_south > 0))
        return raster_refuse(ascii->sink, "its cellsize is no length: %g", head->step_east);
    if (!(ascii->has[X_CORNER] || ascii->has[X_CENTER]) || !(ascii->has[Y_CORNER] || ascii->has[Y_CENTER]))
        return raster_refuse(ascii->sink, "it does not say where it lies: xllcorner and yllcorner");
    head->east = smallest(ascii, X_CORNER, X_CENTER, head->step_east);
    head->north = smallest(ascii, Y_CORNER, Y_CENTER, head->step_south) + (double)(head->rows - 1) * head->step_south;
    if (ascii->has[HOLE]) head->hole = ascii->value[HOLE];
    return true;
}

static bool read_rows(Ascii *ascii, const RasterHead *head) {
    double *row = malloc(sizeof *row * (size_t)head->columns);
    bool good = row != NULL || raster_refuse(ascii->sink, "there is no memory for a row of it");
    for (int64_t y = 0; good && y < head->rows; y++) {
        for (int64_t x = 0; good && x < head->columns; x++)
            good = next_number(ascii, &row[x]);
        good = good && raster_row(ascii->sink, row);
    }
    free(row);
    if (good && next_word(ascii).len) return raster_refuse(ascii->sink, "there are more numbers in it than its head says");
    return good;
}

bool raster_read_ascii(Str bytes, RasterSize size, RasterSink *sink) {
    Ascii ascii = {.text = bytes, .sink = sink};
    RasterHead head;
    (void)size;
    if (!read_entries(&ascii) || !take_head(&ascii, &head)) return false;
    if ((uint64_t)head.columns * (uint64_t)head.rows > bytes.len) /* a number has a digit, and a blank before the next */
        return raster_refuse(sink, "it ends early: %lld x %lld numbers do not fit in it", (long long)head.columns,
                             (long long)head.rows);
    return raster_begin(sink, &head) && read_rows(&ascii, &head);
}
