/* TIFF: one channel of whole numbers or floats, in strips or tiles, however they are compressed. */
#ifdef WORLD_HAVE_TIFF
#include <math.h>
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
    double least, most;              /* that a sample can be, of whole numbers; 0: it is a float */
    bool tiled;
    uint32_t block_columns, block_rows; /* of a strip or a tile */
    size_t block_bytes;
    char *band; /* a row of blocks */
    bool *absent; /* which of them the file leaves out */
    double *row;
} Reading;

static bool find_decode(Reading *r, int bits, int format) {
    static const struct {
        int bits, format;
        Decode decode;
        double least, most;
    } rows[] = {{8, SAMPLEFORMAT_UINT, decode_u8, 0, UINT8_MAX},     {8, SAMPLEFORMAT_INT, decode_i8, INT8_MIN, INT8_MAX},
                {16, SAMPLEFORMAT_UINT, decode_u16, 0, UINT16_MAX},  {16, SAMPLEFORMAT_INT, decode_i16, INT16_MIN, INT16_MAX},
                {32, SAMPLEFORMAT_UINT, decode_u32, 0, UINT32_MAX},  {32, SAMPLEFORMAT_INT, decode_i32, INT32_MIN, INT32_MAX},
                {32, SAMPLEFORMAT_IEEEFP, decode_f32, 0, 0},         {64, SAMPLEFORMAT_IEEEFP, decode_f64, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].bits != bits || rows[i].format != format) continue;
        r->decode = rows[i].decode;
        r->least = rows[i].least;
        r->most = rows[i].most;
        if (r->decode == decode_f32) r->head.round = raster_round_float;
        return true;
    }
    return false;
}

/* Compressions that give back what was put in, bit for bit, on every machine and by every version of the library: whole numbers alone are worked with. */
static bool check_compression(const Reading *r) {
    static const uint16_t exact[] = {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_PACKBITS, COMPRESSION_ADOBE_DEFLATE,
                                     COMPRESSION_DEFLATE, COMPRESSION_LZMA, COMPRESSION_ZSTD};
    uint16_t compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(r->tiff, TIFFTAG_COMPRESSION, &compression);
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        if (exact[i] == compression) return true;
    const TIFFCodec *codec = TIFFFindCODEC(compression);
    return raster_refuse(r->sink, "its compression, %s (%d), may give other heights on another machine; gdal_translate -co COMPRESS=DEFLATE makes an exact one of it",
                         codec ? codec->name : "an unknown one", (int)compression);
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
    bool known = find_decode(r, bits, format);
    r->width = bits / 8u;
    if (channels != 1 || light != PHOTOMETRIC_MINISBLACK)
        return raster_refuse(r->sink, "it is a picture of %d channels; heights are one", (int)channels);
    if (!known)
        return raster_refuse(r->sink, "its samples are of %d bits in format %d; whole numbers are read of 8, 16 and 32 bits, floats of 32 and 64",
                             (int)bits, (int)format);
    return check_compression(r);
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
    r->absent = malloc(sizeof *r->absent * across);
    r->row = malloc(sizeof *r->row * (size_t)r->head.columns);
    return (r->band && r->absent && r->row) || raster_refuse(r->sink, "there is no memory for a part of it");
}

/* What stands in a block of which the file keeps nothing: GDAL leaves out those that are all of the number for no height, or, in a file that declares
 * none, all 0. */
static double find_empty(const Reading *r) {
    double hole = r->head.has_hole ? r->head.hole : 0;
    if (r->least == r->most) return r->head.round ? r->head.round(hole) : hole;
    return isnan(hole) ? 0 : hole < r->least ? r->least : hole > r->most ? r->most : rint(hole);
}

static bool is_absent(const Reading *r, uint32_t index) {
    return TIFFGetStrileByteCount(r->tiff, index) == 0 && TIFFGetStrileOffset(r->tiff, index) == 0;
}

static bool read_block(const Reading *r, uint32_t index, char *at, uint32_t rows) {
    size_t wanted = r->tiled ? r->block_bytes : (size_t)r->block_columns * rows * r->width;
    r->file->said[0] = '\0';
    tmsize_t got = r->tiled ? TIFFReadEncodedTile(r->tiff, index, at, (tmsize_t)wanted)
                            : TIFFReadEncodedStrip(r->tiff, index, at, (tmsize_t)wanted);
    if (got == (tmsize_t)wanted) return true;
    return raster_refuse(r->sink, "%s %u of it is damaged: %.120s", r->tiled ? "tile" : "strip", (unsigned)index,
                         r->file->said[0] ? r->file->said : "it is too short");
}

/* `rows` rows of the band, each from one block after the other. */
static bool send_band(const Reading *r, uint32_t rows) {
    double empty = find_empty(r);
    for (uint32_t y = 0; y < rows; y++) {
        for (int64_t x = 0; x < r->head.columns; x++) {
            size_t block = (size_t)x / r->block_columns, column = (size_t)x % r->block_columns;
            r->row[x] = r->absent[block] ? empty : r->decode(r->band + block * r->block_bytes, (size_t)y * r->block_columns + column);
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
        for (uint32_t i = 0; i < across; i++, block++) {
            r->absent[i] = is_absent(r, block);
            if (!r->absent[i] && !read_block(r, block, r->band + i * r->block_bytes, rows)) return false;
        }
        if (!send_band(r, rows)) return false;
    }
    return true;
}

bool tiff_read(Str bytes, RasterSize size, RasterSink *sink) {
    TiffFile file = {.bytes = bytes};
    Reading r = {.file = &file, .sink = sink, .tiff = tiff_open(&file, "rm")}; /* m: read, do not map */
    (void)size;
    if (r.tiff == NULL) return raster_refuse(sink, "it is no TIFF: %.150s", file.said);
    bool good = read_format(&r) && geokeys_read(r.tiff, &r.head, sink) && raster_begin(sink, &r.head) && find_blocks(&r) && read_bands(&r);
    free(r.band);
    free(r.absent);
    free(r.row);
    TIFFClose(r.tiff);
    return good;
}
#else
typedef int world_no_tiff_read;
#endif
