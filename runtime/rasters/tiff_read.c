/* TIFF: one channel of whole numbers or floats, in strips or tiles, however they are compressed. */
#ifdef WORLD_HAVE_TIFF
#include <stdlib.h>

#include "runtime/rasters/tiff.h"

typedef double (*Decode)(const void *at, size_t index);

#define DECODE(name, type)                                        \
    static double decode_##name(const void *at, size_t index) {   \
        type value;                                               \
        memcpy(&value, (const char *)at + index * sizeof value, sizeof value); \
        return (double)value;                                     \
    }
DECODE(u8, uint8_t)
DECODE(i8, int8_t)
DECODE(u16, uint16_t)
DECODE(i16, int16_t)
DECODE(u32, uint32_t)
DECODE(i32, int32_t)
DECODE(f32, float)
DECODE(f64, double)
#undef DECODE

typedef struct Reading {
    TIFF *tiff;
    TiffFile *file;
    RasterSink *sink;
    RasterHead head;
    Decode decode;
    size_t width;                    /* bytes of a sample */
    bool tiled;
    uint32_t block_columns, block_rows; /* of a strip or a tile */
    size_t block_bytes;
    char *band; /* a row of blocks */
    double *row;
} Reading;

static Decode find_decode(int bits, int format) {
    static const struct {
        int bits, format;
        Decode decode;
    } rows[] = {{8, SAMPLEFORMAT_UINT, decode_u8},   {8, SAMPLEFORMAT_INT, decode_i8},
                {16, SAMPLEFORMAT_UINT, decode_u16}, {16, SAMPLEFORMAT_INT, decode_i16},
                {32, SAMPLEFORMAT_UINT, decode_u32}, {32, SAMPLEFORMAT_INT, decode_i32},
                {32, SAMPLEFORMAT_IEEEFP, decode_f32}, {64, SAMPLEFORMAT_IEEEFP, decode_f64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].bits == bits && rows[i].format == format) return rows[i].decode;
    return NULL;
}

static bool read_format(Reading *r) {
    uint16_t bits = 0, channels = 0, format = 0, light = PHOTOMETRIC_MINISBLACK;
    uint32_t columns = 0, rows = 0;
    TIFFGetField(r->tiff, TIFFTAG_IMAGEWIDTH, &columns);
    TIFFGetField(r->tiff, TIFFTAG_IMAGELENGTH, &rows);
    TIFFGetFieldDefaulted(r->tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetFieldDefaulted(r->tiff, TIFFTAG_SAMPLESPERPIXEL, &channels);
    TIFFGetFieldDefaulted(r->tiff, TIFFTAG_SAMPLEFORMAT, &format);
    TIFFGetField(r->tiff, TIFFTAG_PHOTOMETRIC, &light);
    r->head.columns = columns;
    r->head.rows = rows;
    r->decode = find_decode(bits, format);
    r->width = bits / 8u;
    if (channels != 1 || light != PHOTOMETRIC_MINISBLACK)
        return raster_refuse(r->sink, "it is a picture of %d channels; heights are one", (int)channels);
    if (r->decode == NULL)
        return raster_refuse(r->sink, "its samples are of %d bits in format %d; whole numbers are read of 8, 16 and 32 bits, floats of 32 and 64",
                             (int)bits, (int)format);
    return true;
}

static bool find_blocks(Reading *r) {
    uint32_t across = 1, rows = 0;
    r->tiled = TIFFIsTiled(r->tiff);
    r->block_columns = (uint32_t)r->head.columns;
    if (r->tiled) {
        TIFFGetField(r->tiff, TIFFTAG_TILEWIDTH, &r->block_columns);
        TIFFGetField(r->tiff, TIFFTAG_TILELENGTH, &rows);
        if (r->block_columns == 0 || rows == 0) return raster_refuse(r->sink, "its tiles have no size");
        across = (uint32_t)((r->head.columns + r->block_columns - 1) / r->block_columns);
    } else {
        TIFFGetFieldDefaulted(r->tiff, TIFFTAG_ROWSPERSTRIP, &rows);
        if (rows == 0 || rows > r->head.rows) rows = (uint32_t)r->head.rows;
    }
    r->block_rows = rows;
    uint64_t bytes = r->tiled ? TIFFTileSize64(r->tiff) : TIFFVStripSize64(r->tiff, rows);
    uint64_t wanted = (uint64_t)r->block_columns * rows * r->width;
    if (bytes != wanted || wanted > (uint64_t)1 << 30 || wanted * across > (uint64_t)1 << 31)
        return raster_refuse(r->sink, "its %s of %u x %u samples are larger than is read here", r->tiled ? "tiles" : "strips",
                             (unsigned)r->block_columns, (unsigned)rows);
    r->block_bytes = (size_t)bytes;
    r->band = malloc(r->block_bytes * across);
    r->row = malloc(sizeof *r->row * (size_t)r->head.columns);
    return (r->band && r->row) || raster_refuse(r->sink, "there is no memory for a part of it");
}

/* A block of which the file keeps nothing is all holes: so GDAL leaves out what is empty. */
static void put_nothing(const Reading *r, char *at) {
    memset(at, 0, r->block_bytes);
    for (size_t i = 0; i < r->block_bytes / r->width && r->decode == decode_f32; i++)
        memcpy(at + i * sizeof(float), &(float){(float)r->head.hole}, sizeof(float));
    for (size_t i = 0; i < r->block_bytes / r->width && r->decode == decode_i16; i++)
        memcpy(at + i * sizeof(int16_t), &(int16_t){(int16_t)r->head.hole}, sizeof(int16_t));
}

static bool can_leave_out(const Reading *r) {
    return r->head.has_hole && (r->decode == decode_f32 || (r->decode == decode_i16 && r->head.hole >= -32768 && r->head.hole <= 32767));
}

static bool read_block(const Reading *r, uint32_t index, char *at, uint32_t rows) {
    size_t wanted = r->tiled ? r->block_bytes : (size_t)r->block_columns * rows * r->width;
    if (TIFFGetStrileByteCount(r->tiff, index) == 0 && TIFFGetStrileOffset(r->tiff, index) == 0 && can_leave_out(r)) {
        put_nothing(r, at);
        return true;
    }
    r->file->said[0] = '\0';
    tmsize_t got = r->tiled ? TIFFReadEncodedTile(r->tiff, index, at, (tmsize_t)wanted)
                            : TIFFReadEncodedStrip(r->tiff, index, at, (tmsize_t)wanted);
    if (got == (tmsize_t)wanted) return true;
    return raster_refuse(r->sink, "%s %u of it is damaged: %.120s", r->tiled ? "tile" : "strip", (unsigned)index,
                         r->file->said[0] ? r->file->said : "it is too short");
}

/* `rows` rows of the band, each from one block after the other. */
static bool send_band(const Reading *r, uint32_t rows) {
    for (uint32_t y = 0; y < rows; y++) {
        for (int64_t x = 0; x < r->head.columns; x++) {
            size_t block = (size_t)x / r->block_columns, column = (size_t)x % r->block_columns;
            r->row[x] = r->decode(r->band + block * r->block_bytes, (size_t)y * r->block_columns + column);
        }
        if (!raster_row(r->sink, r->row)) return false;
    }
    return true;
}

static bool read_bands(const Reading *r) {
    uint32_t across = (uint32_t)((r->head.columns + r->block_columns - 1) / r->block_columns), block = 0;
    for (int64_t first = 0; first < r->head.rows; first += r->block_rows) {
        int64_t left = r->head.rows - first;
        uint32_t rows = left < r->block_rows ? (uint32_t)left : r->block_rows;
        for (uint32_t i = 0; i < across; i++)
            if (!read_block(r, block++, r->band + i * r->block_bytes, rows)) return false;
        if (!send_band(r, rows)) return false;
    }
    return true;
}

/* A hole is written with more digits than a float has. */
static void round_hole(Reading *r) {
    if (r->decode == decode_f32) r->head.hole = (double)(float)r->head.hole;
}

bool tiff_read(Str bytes, RasterSize size, RasterSink *sink) {
    TiffFile file = {.bytes = bytes};
    Reading r = {.file = &file, .sink = sink, .tiff = tiff_open(&file, "rm")}; /* m: read, do not map */
    (void)size;
    if (r.tiff == NULL) return raster_refuse(sink, "it is no TIFF: %.150s", file.said);
    bool good = read_format(&r) && geokeys_read(r.tiff, &r.head, sink);
    round_hole(&r);
    good = good && raster_begin(sink, &r.head) && find_blocks(&r) && read_bands(&r);
    free(r.band);
    free(r.row);
    TIFFClose(r.tiff);
    return good;
}
#else
typedef int world_no_tiff_read;
#endif
