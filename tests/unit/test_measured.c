/* Measured heights: each format read as it is written elsewhere, what a call must say and may not, holes, other cells, and files
 * that are cut short, changed or lie about themselves: every one is ground or a fault that names the file. */
#include "tests/unit/geometry_rt.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "runtime/measured/measured.h"
#include "runtime/rasters/library.h"

static RtGrid *read_bytes(Rt *rt, const char *name, Str bytes, MeasuredDesc desc) {
    return measured_read(rt, str_of(name), bytes, &desc);
}

/* Refused, with a message that has these words and the file's name. */
static void refuse(Rt *rt, const char *name, Str bytes, MeasuredDesc desc, const char *words) {
    RtGrid *grid = read_bytes(rt, name, bytes, desc);
    assert_true(rt_failed(rt));
    assert_null(grid);
    const char *said = str_printf(rt->arena, "%.*s", STR_ARG(rt->fault.detail)).ptr;
    if (!strstr(said, words) || !strstr(said, name)) fail_msg("'%s' is not said of %s: %s", words, name, said);
    rt->fault = (RtFault){0};
}

static Maybe is(double value) {
    return (Maybe){true, value};
}

/* -- texts -- */

#define HEAD "ncols 4\nnrows 3\nxllcorner 2600000\nyllcorner 1200000\ncellsize 25\n"

static void test_ascii(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    Str text = STR_LIT("NCOLS 4\r\nnrows 3\r\nXLLCENTER 2600012.5 yllcenter 1200012.5\r\ncellsize 25\r\n1 2 3 4\r\n5 6 7 8\r\n9 1e1 -1.125 .5");
    RtGrid *grid = read_bytes(rt, "a.asc", text, (MeasuredDesc){.outside = -7});
    assert_false(rt_failed(rt));
    assert_true(grid->columns == 4 && grid->rows == 3 && grid->cell == 25 && grid->outside == -7);
    assert_true(grid->x0 == -37.5 && grid->z0 == -25);
    assert_true(grid_get(grid, 0, 0) == 1 && grid_get(grid, 1, 2) == 10 && grid_get(grid, 2, 2) == -1.125f && grid_get(grid, 3, 2) == 0.5f);
    assert_true(grid->reference.east == 2600050 && grid->reference.north == 1200037.5 && grid->reference.east_per_meter == 1);
    /* corner and middle say the same */
    RtGrid *corner = read_bytes(rt, "b.asc", STR_LIT(HEAD "1 2 3 4 5 6 7 8 9 10 -1.125 0.5\n"), (MeasuredDesc){0});
    assert_true(corner->reference.east == grid->reference.east && corner->reference.north == grid->reference.north);
    assert_memory_equal(corner->heights, grid->heights, 12 * sizeof(float));
    /* another origin, and feet */
    RtGrid *moved = read_bytes(rt, "a.asc", text, (MeasuredDesc){.east = is(2600000), .north = is(1200000), .unit = is(0.3048)});
    assert_true(moved->x0 == 12.5 && moved->z0 == -62.5 && moved->reference.east == 2600000);
    assert_true(grid_get(moved, 1, 2) == 3.048f);
    /* zeros before a number, more than are kept of its digits */
#define ZEROS "00000000000000000000000000000000000000000000000000"
    RtGrid *zeros = read_bytes(rt, "a.asc", STR_LIT(HEAD ZEROS "12.5 0." ZEROS "25e51 -" ZEROS "7 " ZEROS " -0 +" ZEROS "." ZEROS " 7 8 9 10 11 " ZEROS ".5"), (MeasuredDesc){0});
    assert_non_null(zeros);
    const float held[] = {12.5f, 2.5f, -7, 0, 0, 0, 7, 8, 9, 10, 11, 0.5f};
    for (int i = 0; i < 12; i++)
        assert_true(zeros->heights[i] == held[i]);
    /* what stands behind the text is none of it */
    refuse(rt, "a.asc", (Str){HEAD "nan", sizeof HEAD}, (MeasuredDesc){0}, "'n' is no entry");
    refuse(rt, "a.asc", STR_LIT(HEAD "nan 2 3 4 5 6 7 8 9 10 11 12"), (MeasuredDesc){0}, "no height at 1 of its 12 samples");
    refuse(rt, "a.asc", STR_LIT(HEAD "1 2 3 4 5 6 7 8 9"), (MeasuredDesc){0}, "ends early");
    refuse(rt, "a.asc", STR_LIT(HEAD "1 2 3 4 5 6 7 8 9 10 11 12 13"), (MeasuredDesc){0}, "more numbers");
    refuse(rt, "a.asc", STR_LIT(HEAD "1 2 3 4 5 six 7 8 9 10 11 12"), (MeasuredDesc){0}, "'six' is no number");
    refuse(rt, "a.asc", STR_LIT("ncols 4\nncols 4\n"), (MeasuredDesc){0}, "twice");
    refuse(rt, "a.asc", STR_LIT("ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 0\n1 2 3 4 5 6 7 8 9 10 11 12"), (MeasuredDesc){0}, "cellsize");
    refuse(rt, "a.asc", STR_LIT("ncols 4000000\nnrows 3000000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1"), (MeasuredDesc){0}, "ends early");
    refuse(rt, "a.asc", STR_LIT("ncols nan\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n1"), (MeasuredDesc){0}, "ncols");
    refuse(rt, "a.asc", STR_LIT(""), (MeasuredDesc){0}, "ncols");
    refuse(rt, "a.asc", STR_LIT("ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2"), (MeasuredDesc){0}, "at least 2 x 2");
    refuse(rt, "a.asc", STR_LIT("ncols 2\nnrows 2\nxllcorner 7\nyllcorner 46\ncellsize 0.01\n1 2 3 4"), (MeasuredDesc){0}, "plane: degrees");
    test_rt_close(&test);
}

/* -- numbers alone -- */

static void test_raw(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    const uint8_t words[] = {0, 0, 255, 255, 0x34, 0x12, 1, 0};
    Str bytes = {(const char *)words, sizeof words};
    MeasuredDesc desc = {.spacing = is(2), .low = is(-100), .high = is(555.35)};
    RtGrid *grid = read_bytes(rt, "h.r16", bytes, desc);
    assert_true(grid && grid->columns == 2 && grid->rows == 2 && grid->cell == 2 && grid->x0 == -1);
    assert_true(grid_get(grid, 0, 0) == -100 && fabsf(grid_get(grid, 1, 0) - 555.35f) < 1e-4f && fabsf(grid_get(grid, 0, 1) - (-100 + 46.60f)) < 1e-4f);
    assert_true(grid->reference.east_per_meter == 0);
    desc.size = (RasterSize){4, 1};
    refuse(rt, "h.r16", bytes, desc, "at least 2 x 2");
    desc.size = (RasterSize){3, 0};
    refuse(rt, "h.r16", bytes, desc, "are not 3 x");
    desc.size = (RasterSize){INT64_MAX, INT64_MAX};
    refuse(rt, "h.r16", bytes, desc, "are not");
    desc.size = (RasterSize){-1, 0};
    refuse(rt, "h.r16", bytes, desc, "counted from 1");
    desc.size = (RasterSize){0};
    refuse(rt, "h.r16", (Str){bytes.ptr, 7}, desc, "are no numbers");
    refuse(rt, "h.r16", (Str){bytes.ptr, 6}, desc, "no square");
    desc.high.value = -100;
    refuse(rt, "h.r16", bytes, desc, "not above");
    desc.high.value = NAN;
    refuse(rt, "h.r16", bytes, desc, "not above");
    refuse(rt, "h.r16", bytes, (MeasuredDesc){.spacing = is(2)}, "low: and high:");
    refuse(rt, "h.r16", bytes, (MeasuredDesc){.low = is(0), .high = is(1)}, "spacing: does");
    refuse(rt, "h.r16", bytes, (MeasuredDesc){.spacing = is(0), .low = is(0), .high = is(1)}, "more than 0 m");
    refuse(rt, "h.r16", bytes, (MeasuredDesc){.spacing = is(NAN), .low = is(0), .high = is(1)}, "more than 0 m");
    refuse(rt, "h.r16", bytes, (MeasuredDesc){.spacing = is(1), .cell = is(0), .low = is(0), .high = is(1)}, "more than 0 m");
    refuse(rt, "h.r16", bytes, (MeasuredDesc){.spacing = is(1), .unit = is(1), .low = is(0), .high = is(1)}, "twice");
    refuse(rt, "h.r16", bytes, (MeasuredDesc){.spacing = is(1), .east = is(1), .low = is(0), .high = is(1)}, "together");
    refuse(rt, "h.r16", bytes, (MeasuredDesc){.spacing = is(1), .plane = MEASURED_DEGREES, .low = is(0), .high = is(1)}, "where it lies");
    float floats[] = {1.5f, -2, 1e30f, 4};
    grid = read_bytes(rt, "h.R32", (Str){(const char *)floats, sizeof floats}, (MeasuredDesc){.spacing = is(0.5), .east = is(10), .north = is(20)});
    assert_memory_equal(grid->heights, floats, sizeof floats);
    assert_true(grid->reference.east == 10 && grid->reference.north == 20 && grid->reference.east_per_meter == 1);
    /* the number for no height is one of the file's: 32 bits here, and the greatest of them */
    floats[1] = 0.1f, floats[2] = -FLT_MAX;
    refuse(rt, "h.r32", (Str){(const char *)floats, sizeof floats}, (MeasuredDesc){.spacing = is(1), .no_data = is(0.1)}, "no height at 1 of its 4 samples, the first in column 1, row 0");
    refuse(rt, "h.r32", (Str){(const char *)floats, sizeof floats}, (MeasuredDesc){.spacing = is(1), .no_data = is(-3.40283e38)}, "no height at 1 of its 4 samples, the first in column 0, row 1");
    refuse(rt, "h.r32", (Str){(const char *)floats, sizeof floats}, (MeasuredDesc){.spacing = is(1), .holes = MEASURED_OUTSIDE, .outside = 1e300}, "outside of 1e+300 m");
    refuse(rt, "h.r32", (Str){(const char *)floats, sizeof floats}, (MeasuredDesc){.spacing = is(1), .low = is(0), .high = is(1)}, "not shares");
    refuse(rt, "h.txt", bytes, (MeasuredDesc){0}, "is no file of heights");
    refuse(rt, "h.png", STR_LIT("\x89PNG\r\n\x1a\n and no more"), (MeasuredDesc){0}, "cannot be read");
    test_rt_close(&test);
}

static void test_hgt(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    size_t size = 1201 * 1201 * 2;
    char *tile = arena_alloc(rt->arena, size);
    for (size_t i = 0; i < 1201 * 1201; i++) /* a plane: 1 m east a sample */
        tile[2 * i] = (char)(i % 1201 >> 8), tile[2 * i + 1] = (char)(i % 1201);
    Str bytes = {tile, size};
    refuse(rt, "N46E007.hgt", bytes, (MeasuredDesc){0}, "cell: 92.6 m makes squares");
    refuse(rt, "N46E007.hgt", bytes, (MeasuredDesc){.spacing = is(30)}, "spacing: cannot say");
    refuse(rt, "n46.hgt", bytes, (MeasuredDesc){.cell = is(90)}, "its name");
    refuse(rt, "N99E007.hgt", bytes, (MeasuredDesc){.cell = is(90)}, "its name");
    refuse(rt, "N89E007.hgt", bytes, (MeasuredDesc){.cell = is(90)}, "latitude");
    refuse(rt, "N46E007.hgt", (Str){tile, size - 2}, (MeasuredDesc){.cell = is(90)}, "bytes");
    RtGrid *grid = read_bytes(rt, "dem/s46w007.hgt", bytes, (MeasuredDesc){.cell = is(100)});
    assert_true(grid && grid->cell == 100 && grid->reference.degrees && grid->reference.epsg == 4326);
    assert_true(grid->reference.east == -6.5 && grid->reference.north == -45.5);
    /* 78.2 km wide and 111.1 km high at 45.5 degrees */
    assert_true(grid->columns == 782 && grid->rows == 1112);
    /* the plane stays one: 1200 samples over the width */
    double slope = 1200 / (-2 * grid->x0);
    for (int i = 0; i < grid->columns; i += 97)
        assert_true(fabs((double)grid_get(grid, i, 555) - i * 100 * slope) < 1e-3);
    double east = grid->reference.east + grid_x(grid, 0) * grid->reference.east_per_meter;
    assert_true(fabs(east - -7) < 1e-12);
    tile[0] = (char)0x80, tile[1] = 0;
    refuse(rt, "N46E007.hgt", bytes, (MeasuredDesc){.cell = is(90)}, "no height at 1 of its 1442401 samples, the first in column 0, row 0");
    for (size_t i = 0; i < 1201 * 1201; i++)
        tile[2 * i] = (char)0x80, tile[2 * i + 1] = 0;
    refuse(rt, "N46E007.hgt", bytes, (MeasuredDesc){.cell = is(90), .holes = MEASURED_FILL}, "no height at all");
    test_rt_close(&test);
}

/* -- GeoTIFF: files made here, entry by entry -- */

typedef struct Tiff {
    uint8_t bytes[8192];
    size_t size;    /* of what stands behind the entries */
    int entries;
} Tiff;

enum { ENTRIES_AT = 8, DATA_AT = 512, SHORT = 3, LONG = 4, ASCII = 2, DOUBLE = 12 };

static void put(uint8_t *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void tiff_add(Tiff *t, int tag, int type, uint32_t count, const void *data, size_t bytes) {
    uint8_t *at = t->bytes + ENTRIES_AT + 2 + 12 * t->entries++;
    put(at, (uint64_t)tag, 2), put(at + 2, (uint64_t)type, 2), put(at + 4, count, 4);
    memcpy(bytes <= 4 ? at + 8 : t->bytes + t->size, data, bytes);
    if (bytes > 4) put(at + 8, t->size, 4), t->size += bytes;
}

static void tiff_number(Tiff *t, int tag, uint32_t value) {
    tiff_add(t, tag, LONG, 1, &value, 4);
}

/* 3 x 2 floats 10 m apart, the northwestern corner at 500000, 4000000, in meters of a map; `keys` as pairs. */
typedef struct TiffLook {
    const double *matrix; /* in place of scale and tie: 16 */
    uint16_t keys[16];    /* key, value, ..., 0 */
    const char *no_data;
    const char *metadata;
    int bits, format, channels, compression;
    uint32_t columns, strip_bytes;
    bool absent; /* the first of two rows is left out */
} TiffLook;

static const float six[] = {1, 2, 3, 4, 5, 6};

static Str make_tiff(Tiff *t, TiffLook look) {
    *t = (Tiff){.size = DATA_AT};
    memcpy(t->bytes, "II*\0\10\0\0\0", 8);
    uint32_t strip = (uint32_t)t->size;
    memcpy(t->bytes + strip, six, sizeof six);
    t->size += sizeof six;
    tiff_number(t, 256, look.columns ? look.columns : 3);
    tiff_number(t, 257, 2);
    tiff_number(t, 258, (uint32_t)(look.bits ? look.bits : 32));
    tiff_number(t, 259, (uint32_t)(look.compression ? look.compression : 1));
    tiff_number(t, 262, 1);
    if (look.absent)
        tiff_add(t, 273, LONG, 2, (uint32_t[]){0, strip + sizeof six / 2}, 8);
    else
        tiff_number(t, 273, strip);
    tiff_number(t, 277, (uint32_t)(look.channels ? look.channels : 1));
    tiff_number(t, 278, look.absent ? 1 : 2);
    if (look.absent)
        tiff_add(t, 279, LONG, 2, (uint32_t[]){0, look.strip_bytes ? look.strip_bytes : sizeof six / 2}, 8);
    else
        tiff_number(t, 279, look.strip_bytes ? look.strip_bytes : sizeof six);
    tiff_number(t, 339, (uint32_t)(look.format ? look.format : 3));
    if (look.matrix) {
        tiff_add(t, 34264, DOUBLE, 16, look.matrix, 128);
    } else {
        tiff_add(t, 33550, DOUBLE, 3, (double[]){10, 10, 0}, 24);
        tiff_add(t, 33922, DOUBLE, 6, (double[]){0, 0, 0, 500000, 4000000, 0}, 48);
    }
    uint16_t words[64] = {1, 1, 0, 0};
    int count = 0;
    for (; look.keys[2 * count]; count++)
        memcpy(words + 4 + 4 * count, (uint16_t[]){look.keys[2 * count], 0, 1, look.keys[2 * count + 1]}, 8);
    words[3] = (uint16_t)count;
    tiff_add(t, 34735, SHORT, (uint32_t)(4 + 4 * count), words, (size_t)(8 + 8 * count));
    if (look.metadata) tiff_add(t, 42112, ASCII, (uint32_t)strlen(look.metadata) + 1, look.metadata, strlen(look.metadata) + 1);
    if (look.no_data) tiff_add(t, 42113, ASCII, (uint32_t)strlen(look.no_data) + 1, look.no_data, strlen(look.no_data) + 1);
    put(t->bytes + ENTRIES_AT, (uint64_t)t->entries, 2);
    return (Str){(const char *)t->bytes, t->size};
}

static const RasterLibrary *library(Rt *rt) {
    const char *reason;
    const RasterLibrary *found = raster_library(rt->arena, &reason);
    return found && found->read_tiff ? found : NULL;
}

#define KEYS(...) .keys = {1024, 1, __VA_ARGS__}

static void test_tiff(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    Tiff t;
    if (!library(rt)) {
        refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1)}), (MeasuredDesc){0}, "this build");
        test_rt_close(&test);
        return;
    }
    MeasuredDesc none = {0};
    RtGrid *grid = read_bytes(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1, 3072, 32632)}), none);
    assert_true(grid && grid->columns == 3 && grid->rows == 2 && grid->cell == 10 && grid->x0 == -10 && grid->z0 == -5);
    assert_memory_equal(grid->heights, six, sizeof six);
    assert_true(grid->reference.epsg == 32632 && grid->reference.east == 500015 && grid->reference.north == 3999990 && !grid->reference.degrees);
    /* places of points, not of areas: half a sample farther northwest */
    grid = read_bytes(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 2)}), none);
    assert_true(grid->reference.east == 500010 && grid->reference.north == 3999995 && grid->reference.epsg == 0);
    /* a map in feet, heights in survey feet */
    grid = read_bytes(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(3076, 9002, 4099, 9003)}), none);
    assert_true(fabs(grid->cell - 3.048) < 1e-12 && grid_get(grid, 2, 0) == (float)(3 * 1200.0 / 3937));
    assert_true(fabs(grid->reference.east_per_meter - 1 / 0.3048) < 1e-12);
    /* from the south */
    double up[16] = {10, 0, 0, 500000, 0, 10, 0, 4000000};
    grid = read_bytes(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .matrix = up}), none);
    assert_true(grid_get(grid, 0, 0) == 4 && grid_get(grid, 0, 1) == 1 && grid->reference.north == 4000010);
    double turned[16] = {10, 1, 0, 500000, 1, -10, 0, 4000000}, mirrored[16] = {-10, 0, 0, 0, 0, -10, 0, 0},
           nothing[16] = {NAN, 0, 0, 0, 0, -10, 0, 0}, flat[16] = {0}, tall[16] = {10, 0, 0, 0, 0, -20, 0, 0};
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .matrix = turned}), none, "rotated");
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .matrix = mirrored}), none, "east to west");
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .matrix = nothing}), none, "no number");
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .matrix = flat}), none, "east to west");
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .matrix = tall}), none, "cell: 20 m");
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(4099, 9095)}), none, "unit 9095 of EPSG, which is not known here; unit:");
    grid = read_bytes(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(4099, 9095)}), (MeasuredDesc){.unit = is(2)});
    assert_true(grid_get(grid, 2, 1) == 12);
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(3076, 9999)}), none, "map is counted in unit 9999");
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){.keys = {1024, 3}}), none, "neither of a map");
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){.keys = {1024, 2}}), (MeasuredDesc){.cell = is(10)}, "latitude");
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .channels = 3}), none, "3 channels");
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .bits = 24}), none, "24 bits");
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .columns = 1u << 30}), none, "a.tif");
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .columns = 1000}), none, "damaged");
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .no_data = "5"}), none, "no height at 1 of its 6 samples, the first in column 1, row 1");
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1)}), (MeasuredDesc){.size = {3, 2}}, "its size itself");
    grid = read_bytes(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .no_data = " -9999.0", .metadata = "<GDALMetadata><Item name=\"OFFSET\" sample=\"0\" role=\"offset\">100</Item><Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item></GDALMetadata>"}), none);
    assert_true(grid_get(grid, 0, 0) == 100.5f && grid_get(grid, 2, 1) == 103);
    grid = read_bytes(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .no_data = "1"}), (MeasuredDesc){.holes = MEASURED_OUTSIDE, .outside = -3});
    assert_true(grid_get(grid, 0, 0) == -3 && grid_get(grid, 1, 0) == 2);
    /* what its numbers can be, the one for no height is: the sixth is 6 + 2^-30 no more */
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1)}), (MeasuredDesc){.no_data = is(6.000000001)}, "no height at 1 of its 6 samples, the first in column 2, row 1");
    /* compressions that give back other bits elsewhere: JPEG, LERC */
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .compression = 7}), none, "(7), may give other heights on another machine; gdal_translate -co COMPRESS=DEFLATE");
    refuse(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .compression = 34887}), none, "(34887), may give other heights");
    grid = read_bytes(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1)}), (MeasuredDesc){.spacing = is(4)});
    assert_true(grid->cell == 4 && grid->x0 == -4);
    test_rt_close(&test);
}

/* A row that the file leaves out is 0, or the number for no height where it declares one, as near as its samples come to it. */
static void test_tiff_left_out(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    Tiff t;
    if (library(rt)) {
        MeasuredDesc none = {0};
        RtGrid *grid = read_bytes(rt, "s.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .absent = true}), none);
        assert_true(grid && memcmp(grid->heights, (float[]){0, 0, 0, 4, 5, 6}, 24) == 0);
        const char *const holes[] = {"-9999", "nan", "-3.4028234663852886e+38"};
        for (int i = 0; i < 3; i++)
            refuse(rt, "s.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1), .absent = true, .no_data = holes[i]}), none, "no height at 3 of its 6 samples, the first in column 0, row 0");
        for (int bits = 8; bits <= 32; bits *= 2)
            for (int format = 1; format <= 2; format++) {
                TiffLook look = {KEYS(1025, 1), .absent = true, .bits = bits, .format = format, .strip_bytes = (uint32_t)(3 * bits / 8)};
                grid = read_bytes(rt, "s.tif", make_tiff(&t, look), none);
                assert_true(grid && grid_get(grid, 0, 0) == 0 && grid_get(grid, 2, 0) == 0);
                look.no_data = "3";
                refuse(rt, "s.tif", make_tiff(&t, look), none, "the first in column 0, row 0");
                look.no_data = "-1e10"; /* that no sample can be */
                grid = read_bytes(rt, "s.tif", make_tiff(&t, look), none);
                assert_true(grid && grid_get(grid, 1, 0) == (format == 1 ? 0 : -ldexpf(1, bits - 1)));
            }
    }
    test_rt_close(&test);
}

/* -- OpenEXR: a head of attributes, where each line lies, lines -- */

typedef struct Exr {
    char bytes[1024];
    size_t size;
} Exr;

static void exr_put(Exr *exr, const void *bytes, size_t size) {
    memcpy(exr->bytes + exr->size, bytes, size);
    exr->size += size;
}

static void exr_add(Exr *exr, const char *name, const char *type, const void *value, uint32_t size) {
    exr_put(exr, name, strlen(name) + 1);
    exr_put(exr, type, strlen(type) + 1);
    exr_put(exr, &size, 4);
    exr_put(exr, value, size);
}

/* 2 x 2 samples of one channel. */
static Str make_exr(Exr *exr, uint8_t compression, bool half, const void *samples) {
    *exr = (Exr){0};
    uint32_t line = half ? 4 : 8;
    char channels[19] = "Z";
    put((uint8_t *)channels + 2, half ? 1 : 2, 4), put((uint8_t *)channels + 10, 1, 4), put((uint8_t *)channels + 14, 1, 4);
    exr_put(exr, "\x76\x2f\x31\x01\2\0\0\0", 8);
    exr_add(exr, "channels", "chlist", channels, sizeof channels);
    exr_add(exr, "compression", "compression", &compression, 1);
    exr_add(exr, "dataWindow", "box2i", (int32_t[]){0, 0, 1, 1}, 16);
    exr_add(exr, "displayWindow", "box2i", (int32_t[]){0, 0, 1, 1}, 16);
    exr_add(exr, "lineOrder", "lineOrder", "", 1);
    exr_add(exr, "pixelAspectRatio", "float", (float[]){1}, 4);
    exr_add(exr, "screenWindowCenter", "v2f", (float[]){0, 0}, 8);
    exr_add(exr, "screenWindowWidth", "float", (float[]){1}, 4);
    exr_put(exr, "", 1);
    uint64_t first = exr->size + 16;
    exr_put(exr, (uint64_t[]){first, first + 8 + line}, 16);
    for (uint32_t y = 0; y < 2; y++) {
        exr_put(exr, (uint32_t[]){y, line}, 8);
        exr_put(exr, (const char *)samples + y * line, line);
    }
    return (Str){exr->bytes, exr->size};
}

static void test_exr(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    const char *reason;
    const RasterLibrary *found = raster_library(rt->arena, &reason);
    Exr exr;
    const float floats[] = {1.5f, -2, 0.1f, 4};
    const uint16_t halves[] = {0x3c00, 0x2e66, 0xf0e2, 0xc000}; /* 1, 0.1, -10000, -2 */
    MeasuredDesc desc = {.spacing = is(1)};
    if (found && found->read_exr) {
        RtGrid *grid = read_bytes(rt, "h.exr", make_exr(&exr, 0, false, floats), desc);
        assert_true(grid && memcmp(grid->heights, floats, sizeof floats) == 0);
        grid = read_bytes(rt, "h.exr", make_exr(&exr, 0, true, halves), desc);
        assert_true(grid && grid_get(grid, 0, 0) == 1 && grid_get(grid, 0, 1) == -10000);
        desc.no_data = is(0.1);
        refuse(rt, "h.exr", make_exr(&exr, 0, false, floats), desc, "the first in column 0, row 1");
        refuse(rt, "h.exr", make_exr(&exr, 0, true, halves), desc, "the first in column 1, row 0");
        desc.no_data = is(-9999);
        refuse(rt, "h.exr", make_exr(&exr, 0, true, halves), desc, "the first in column 0, row 1");
        refuse(rt, "h.exr", make_exr(&exr, 8, false, floats), desc, "DWA (8), may give other heights on another machine; write it with ZIP");
        refuse(rt, "h.exr", make_exr(&exr, 9, true, halves), desc, "DWA (9)");
    }
    test_rt_close(&test);
}

/* What is written is what is read: heights, place and name of the map, also of degrees and of a part of a land. */
static void test_tiff_there_and_back(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    const RasterLibrary *tiff = library(rt);
    float values[5 * 7];
    for (int i = 0; i < 35; i++)
        values[i] = (float)(i * i) * 0.37f - 100;
    const Reference places[] = {{600000.125, 200000.25, 1, 1, 2056, false},
                                {7.5, 46.25, 1 / 77000.0, 1 / 111000.0, 4326, true},
                                {1000, 2000, 1 / 0.3048, 1 / 0.3048, 0, false}};
    for (int i = 0; i < 3 && tiff; i++) {
        RasterBytes bytes = {0};
        char reason[200];
        RasterImage image = {values + 1, 4, 7, 5, 12.5, -300, 70, places[i]};
        assert_true(tiff->write_tiff(&image, &bytes, reason));
        RtGrid *back = read_bytes(rt, "b.tif", (Str){bytes.bytes, bytes.size},
                                  (MeasuredDesc){.cell = is(12.5), .east = is(places[i].east), .north = is(places[i].north)});
        assert_false(rt_failed(rt));
        assert_true(back->columns == 4 || places[i].degrees);
        assert_true(back->reference.epsg == places[i].epsg && back->reference.degrees == places[i].degrees);
        if (!places[i].degrees) {
            assert_true(fabs(back->cell - 12.5) < 1e-9 && fabs(back->x0 - -300) < 1e-6 && fabs(back->z0 - 70) < 1e-6);
            for (int row = 0; row < 7; row++)
                assert_memory_equal(back->heights + row * 4, values + row * 5 + 1, 4 * sizeof(float));
        }
        tiff->drop(&bytes);
    }
    test_rt_close(&test);
}

/* -- damage -- */

/* Ground within the limits, every height of it a number, or a fault that says why and of which file; whether it is ground. */
static bool survives(Rt *rt, const char *name, Str bytes, MeasuredDesc desc) {
    RtGrid *grid = read_bytes(rt, name, bytes, desc);
    assert_true((grid == NULL) == rt_failed(rt));
    if (grid == NULL) {
        assert_non_null(strstr(str_printf(rt->arena, "%.*s", STR_ARG(rt->fault.detail)).ptr, name));
        rt->fault = (RtFault){0};
        return false;
    }
    int64_t count = (int64_t)grid->columns * grid->rows;
    assert_true(grid->columns >= 2 && grid->rows >= 2 && count <= rt->host->limits.grid_samples && grid->cell > 0);
    for (int64_t i = 0; i < count; i++)
        assert_true(isfinite(grid->heights[i]));
    arena_give(rt->arena, grid->heights, rt_grid_bytes(grid));
    return true;
}

/* Cut at every length, of which none before `least` bytes is ground, and with bytes changed, of which some are ground and some are not. */
static void damage(Rt *rt, const char *name, Str whole, size_t least, MeasuredDesc desc) {
    char *copy = arena_strndup(rt->arena, whole.ptr, whole.len);
    uint32_t random = 1;
    int counts[2] = {0};
    assert_true(survives(rt, name, whole, desc));
    for (size_t cut = 0; cut < whole.len; cut += 1 + whole.len / 600)
        if (survives(rt, name, (Str){copy, cut}, desc) && cut < least) fail_msg("%zu bytes of %s are ground", cut, name);
    for (int i = 0; i < 1500; i++) {
        size_t at = (random = random * 1664525 + 1013904223) % whole.len, span = whole.len < 700 ? whole.len : 700;
        if (i % 2) at = (random >> 8) % span; /* heads most of all */
        char kept = copy[at];
        copy[at] = (char)(random >> 16);
        counts[survives(rt, name, (Str){copy, whole.len}, desc)]++;
        copy[at] = kept;
    }
    assert_true(counts[1] > 0 && (counts[0] > 0 || desc.low.given)); /* of numbers alone every byte may be another */
}

static void test_damage(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtHost host = *rt->host;
    host.limits.grid_samples = 1 << 16;
    rt->host = &host;
    Tiff t;
    MeasuredDesc desc = {.spacing = is(10), .low = is(0), .high = is(1), .holes = MEASURED_FILL};
    damage(rt, "h.r16", STR_LIT("0123456789abcdefghijklmnopqrstuv"), 8, desc);
    MeasuredDesc own = {.holes = MEASURED_FILL};
    damage(rt, "a.asc", STR_LIT(HEAD "NODATA_value 7\n1 2 3 4 5 6 7 8 9 10 11 12\n"), sizeof HEAD "NODATA_value 7\n1 2 3 4 5 6 7 8 9 10 11", own);
    damage(rt, "a.tif", make_tiff(&t, (TiffLook){KEYS(1025, 1, 3072, 32632), .no_data = "-1"}), DATA_AT + sizeof six, own);
    const RasterLibrary *tiff = library(rt);
    float values[40 * 40];
    for (int i = 0; i < 1600; i++)
        values[i] = (float)(i % 41) + (float)i / 40;
    RasterImage image = {values, 40, 40, 40, 1, 0, 0, {0}};
    RasterBytes bytes = {0};
    char reason[200];
    if (tiff && tiff->write_tiff(&image, &bytes, reason)) {
        uint32_t directory; /* behind the samples */
        memcpy(&directory, bytes.bytes + 4, 4);
        damage(rt, "z.tif", (Str){bytes.bytes, bytes.size}, directory, (MeasuredDesc){.holes = MEASURED_FILL, .spacing = is(1)});
        tiff->drop(&bytes);
    }
    test_rt_close(&test);
}

/* -- holes and other cells -- */

/* A plane with holes in it, closed, is the plane again but for a little; no new top or hollow; where the side is a power of two,
 * mirrored input has a mirrored answer. */
static void test_fill(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    enum { W = 64, H = 48 };
    float *plane = arena_alloc(rt->arena, sizeof(float) * W * H), *mirror = arena_alloc(rt->arena, sizeof(float) * W * H);
    for (int j = 0; j < H; j++)
        for (int i = 0; i < W; i++) {
            bool hole = (i - 30) * (i - 30) + (j - 20) * (j - 20) < 81 || (i > 55 && j > 40);
            plane[j * W + i] = hole ? NAN : (float)(2 * i - j);
            mirror[j * W + (W - 1 - i)] = plane[j * W + i];
        }
    measured_fill(rt, plane, W, H);
    measured_fill(rt, mirror, W, H);
    double worst = 0;
    for (int j = 0; j < H; j++)
        for (int i = 0; i < W; i++) {
            assert_false(isnan(plane[j * W + i]));
            assert_true(plane[j * W + i] == mirror[j * W + (W - 1 - i)]);
            if (i < 50) worst = fmax(worst, fabs((double)plane[j * W + i] - (2 * i - j)));
            assert_true(plane[j * W + i] <= 2 * (W - 1) && plane[j * W + i] >= -(H - 1));
        }
    if (worst >= 0.1) fail_msg("%g m off the plane", worst);
    test_rt_close(&test);
}

static void test_resample(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtGrid *plane = grid_create(rt, &(GridShape){33, 21, 2, -32, 5, -30});
    for (int j = 0; j < 21; j++)
        for (int i = 0; i < 33; i++)
            grid_store(rt, plane, i, j, 3 * grid_x(plane, i) - 0.5 * grid_z(plane, j));
    plane->reference = (Reference){100, 200, 1, 1, 5, false};
    plane->part = true;
    const double cells[] = {0.7, 2, 3, 4, 7.7, 20, 40};
    for (int k = 0; k < 7; k++) {
        RtGrid *other = measured_resample(rt, plane, cells[k]);
        assert_true(other && other->x0 == -32 && other->z0 == 5 && other->reference.epsg == 5 && other->part);
        assert_int_equal(other->columns, (int)(64 / cells[k] + 1e-9) + 1);
        for (int j = 0; j < other->rows; j++)
            for (int i = 0; i < other->columns; i++)
                assert_true(fabs((double)grid_get(other, i, j) - (3 * grid_x(other, i) - 0.5 * grid_z(other, j))) < 1e-4);
    }
    RtGrid *same = measured_resample(rt, plane, 2);
    assert_memory_equal(same->heights, plane->heights, rt_grid_bytes(plane));
    const double bad[] = {0, -1, NAN, INFINITY, 41, 1e-9};
    for (int k = 0; k < 6; k++) {
        assert_null(measured_resample(rt, plane, bad[k]));
        assert_true(rt_failed(rt));
        rt->fault = (RtFault){0};
    }
    /* coarser, it is the mean: a wave shorter than the cell is gone, where every fourth sample would have kept it */
    RtGrid *waves = grid_create(rt, &(GridShape){65, 65, 1, 0, 0, 0});
    for (int j = 0; j < 65; j++)
        for (int i = 0; i < 65; i++)
            grid_store(rt, waves, i, j, i % 4 < 2 ? 1 : -1);
    RtGrid *calm = measured_resample(rt, waves, 8);
    for (int i = 1; i + 1 < calm->columns; i++)
        assert_true(fabsf(grid_get(calm, i, 4)) < 0.1f);
    test_rt_close(&test);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ascii),  cmocka_unit_test(test_raw),   cmocka_unit_test(test_hgt),
                                       cmocka_unit_test(test_tiff),   cmocka_unit_test(test_tiff_there_and_back),
                                       cmocka_unit_test(test_tiff_left_out), cmocka_unit_test(test_exr),
                                       cmocka_unit_test(test_damage), cmocka_unit_test(test_fill),  cmocka_unit_test(test_resample)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
