/* Numbers and nothing else: an engine's .r16 and .r32, SRTM's .hgt. */
#include <stdlib.h>

#include "runtime/rasters/raster.h"

typedef double (*Decode)(const uint8_t *at);

static double decode_u16(const uint8_t *at) {
    return at[0] | at[1] << 8;
}

static double decode_f32(const uint8_t *at) {
    uint32_t word = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static double decode_big_i16(const uint8_t *at) {
    return (int16_t)(uint16_t)(at[0] << 8 | at[1]);
}

static bool read_rows(Str bytes, const RasterHead *head, size_t width, Decode decode, RasterSink *sink) {
    const uint8_t *at = (const uint8_t *)bytes.ptr;
    if (!raster_begin(sink, head)) return false;
    double *row = malloc(sizeof *row * (size_t)head->columns);
    bool good = row != NULL || raster_refuse(sink, "there is no memory for a row of it");
    for (int64_t y = 0; good && y < head->rows; y++) {
        for (int64_t x = 0; x < head->columns; x++, at += width)
            row[x] = decode(at);
        good = raster_row(sink, row);
    }
    free(row);
    return good;
}

static int64_t whole_root(uint64_t count) {
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= count) root += bit;
    return root * root == count ? (int64_t)root : 0;
}

/* A file of as many numbers as a square has is a square; of any other the call says how wide it is, or how high. */
static bool find_size(uint64_t bytes, size_t width, RasterSize said, RasterHead *head, RasterSink *sink) {
    uint64_t count = bytes / width;
    if (bytes == 0 || bytes % width) return raster_refuse(sink, "its %llu bytes are no numbers of %zu", (unsigned long long)bytes, width);
    if (said.columns < 0 || said.rows < 0) return raster_refuse(sink, "columns and rows are counted from 1");
    head->columns = said.columns ? said.columns : said.rows ? (int64_t)(count / (uint64_t)said.rows) : whole_root(count);
    if (head->columns == 0 && said.rows == 0)
        return raster_refuse(sink, "its %llu numbers are no square: columns says how many stand in a row", (unsigned long long)count);
    head->rows = said.rows ? said.rows : (int64_t)(count / (uint64_t)head->columns);
    /* by division, for the product may be past all numbers */
    if (head->columns > 0 && head->rows > 0 && count % (uint64_t)head->columns == 0 &&
        count / (uint64_t)head->columns == (uint64_t)head->rows)
        return true;
    return raster_refuse(sink, "its %llu numbers are not %lld x %lld", (unsigned long long)count, (long long)head->columns,
                         (long long)head->rows);
}

bool raster_read_r16(Str bytes, RasterSize size, RasterSink *sink) {
    RasterHead head = {.wants_range = true, .greatest = 65535, .plane_unit = 1};
    return find_size(bytes.len, 2, size, &head, sink) && read_rows(bytes, &head, 2, decode_u16, sink);
}

bool raster_read_r32(Str bytes, RasterSize size, RasterSink *sink) {
    RasterHead head = {.height_unit = 1, .plane_unit = 1, .round = raster_round_float};
    return find_size(bytes.len, 4, size, &head, sink) && read_rows(bytes, &head, 4, decode_f32, sink);
}

/* -- SRTM -- */

/* A letter and so many digits: N46, E007. */
static bool take_degrees(Str name, size_t at, const char letters[2], int digits, double *degrees) {
    int value = 0;
    char letter = name.ptr[at] & ~0x20; /* as a capital */
    for (int i = 1; i <= digits; i++) {
        char c = name.ptr[at + (size_t)i];
        if (c < '0' || c > '9') return false;
        value = value * 10 + (c - '0');
    }
    *degrees = letter == letters[1] ? -value : value;
    return letter == letters[0] || letter == letters[1];
}

bool raster_read_hgt(Str bytes, Str name, RasterSink *sink) {
    RasterHead head = {.plane = RASTER_PLANE_DEGREES, .plane_unit = 1, .epsg = 4326, .height_unit = 1, .has_hole = true, .hole = -32768};
    double south;
    for (size_t i = 0; i < name.len; i++) /* of a path, the last name */
        if (name.ptr[i] == '/') name = (Str){name.ptr + i + 1, name.len - i - 1}, i = (size_t)-1;
    if (name.len < 7 || !take_degrees(name, 0, "NS", 2, &south) || !take_degrees(name, 3, "EW", 3, &head.east) ||
        south < -90 || south >= 90 || head.east < -180 || head.east >= 180)
        return raster_refuse(sink, "its name does not say where it lies, as N46E007.hgt does");
    head.north = south + 1;
    head.columns = whole_root(bytes.len / 2);
    if (bytes.len % 2 || (head.columns != 1201 && head.columns != 3601))
        return raster_refuse(sink, "it has %zu bytes; of 3 arc seconds it is 1201 x 1201 numbers of 2 bytes, of 1 arc second 3601 x 3601",
                             bytes.len);
    head.rows = head.columns;
    head.step_east = head.step_south = 1 / (double)(head.columns - 1);
    return read_rows(bytes, &head, 2, decode_big_i16, sink);
}
