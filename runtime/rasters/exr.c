/* OpenEXR: one channel in scan lines, meters. */
#ifdef WORLD_HAVE_EXR
#include <math.h>
#include <openexr.h>
#include <stdlib.h>

#include "runtime/rasters/formats.h"

typedef struct Reading {
    exr_context_t exr;
    RasterSink *sink;
    RasterHead head;
    int32_t first_row; /* in the file's counting */
    float *rows;
    double *row;
} Reading;

static void be_silent(exr_const_context_t context, exr_result_t code, const char *message) {
    (void)context;
    (void)code;
    (void)message;
}

static int64_t on_read(exr_const_context_t context, void *user, void *out, uint64_t count, uint64_t offset, exr_stream_error_func_ptr_t tell) {
    const Str *bytes = user;
    (void)context;
    (void)tell;
    if (offset >= bytes->len) return 0;
    uint64_t left = bytes->len - offset, taken = count < left ? count : left;
    memcpy(out, bytes->ptr + offset, taken);
    return (int64_t)taken;
}

static int64_t on_size(exr_const_context_t context, void *user) {
    (void)context;
    return (int64_t)((const Str *)user)->len;
}

static bool refuse(const Reading *r, exr_result_t code) {
    return raster_refuse(r->sink, "%.180s", exr_get_default_error_message(code));
}

/* Half a float has 11 bits, and none below 2^-24. */
static double round_half(double number) {
    int exponent;
    if (!isfinite(number)) return number;
    frexp(number, &exponent);
    double unit = ldexp(1, exponent < -13 ? -24 : exponent - 11);
    return rint(number / unit) * unit;
}

static double (*find_round(exr_pixel_type_t type))(double) {
    return type == EXR_PIXEL_HALF ? round_half : type == EXR_PIXEL_FLOAT ? raster_round_float : NULL;
}

/* Those up to B44A put bits together; DWAA and DWAB work with floats, otherwise on another processor, and what comes after them is not known. */
static bool check_compression(const Reading *r) {
    exr_compression_t compression;
    exr_result_t code = exr_get_compression(r->exr, 0, &compression);
    if (code != EXR_ERR_SUCCESS) return refuse(r, code);
    if (compression <= EXR_COMPRESSION_B44A) return true;
    bool dwa = compression == EXR_COMPRESSION_DWAA || compression == EXR_COMPRESSION_DWAB;
    return raster_refuse(r->sink, "its compression, %s (%d), may give other heights on another machine; write it with ZIP, which is exact",
                         dwa ? "DWA" : "an unknown one", (int)compression);
}

static bool read_head(Reading *r) {
    exr_storage_t storage;
    exr_attr_box2i_t window;
    const exr_attr_chlist_t *channels;
    exr_result_t code = exr_get_storage(r->exr, 0, &storage);
    if (code == EXR_ERR_SUCCESS) code = exr_get_data_window(r->exr, 0, &window);
    if (code == EXR_ERR_SUCCESS) code = exr_get_channels(r->exr, 0, &channels);
    if (code != EXR_ERR_SUCCESS) return refuse(r, code);
    if (storage != EXR_STORAGE_SCANLINE) return raster_refuse(r->sink, "it is kept in tiles or deep; scan lines are read");
    if (channels->num_channels != 1 || channels->entries[0].x_sampling != 1 || channels->entries[0].y_sampling != 1)
        return raster_refuse(r->sink, "it has %d channels; heights are one", channels->num_channels);
    r->first_row = window.min.y;
    r->head = (RasterHead){.columns = (int64_t)window.max.x - window.min.x + 1,
                           .rows = (int64_t)window.max.y - window.min.y + 1,
                           .height_unit = 1,
                           .plane_unit = 1,
                           .round = find_round(channels->entries[0].pixel_type)};
    return check_compression(r);
}

/* One block of lines, decoded to floats. */
static exr_result_t read_block(const Reading *r, int32_t first, exr_decode_pipeline_t *pipe, bool begin) {
    exr_chunk_info_t chunk;
    exr_result_t code = exr_read_scanline_chunk_info(r->exr, 0, r->first_row + first, &chunk);
    if (code != EXR_ERR_SUCCESS) return code;
    code = begin ? exr_decoding_initialize(r->exr, 0, &chunk, pipe) : exr_decoding_update(r->exr, 0, &chunk, pipe);
    if (code != EXR_ERR_SUCCESS) return code;
    exr_coding_channel_info_t *channel = &pipe->channels[0];
    channel->decode_to_ptr = (uint8_t *)r->rows;
    channel->user_bytes_per_element = sizeof(float);
    channel->user_data_type = EXR_PIXEL_FLOAT;
    channel->user_pixel_stride = sizeof(float);
    channel->user_line_stride = (int32_t)(r->head.columns * (int64_t)sizeof(float));
    if (begin) code = exr_decoding_choose_default_routines(r->exr, 0, pipe);
    return code == EXR_ERR_SUCCESS ? exr_decoding_run(r->exr, 0, pipe) : code;
}

static bool send_rows(const Reading *r, int32_t count) {
    for (int32_t y = 0; y < count; y++) {
        for (int64_t x = 0; x < r->head.columns; x++)
            r->row[x] = (double)r->rows[y * r->head.columns + x];
        if (!raster_row(r->sink, r->row)) return false;
    }
    return true;
}

static bool read_blocks(Reading *r) {
    exr_decode_pipeline_t pipe = EXR_DECODE_PIPELINE_INITIALIZER;
    int32_t step = 1;
    exr_result_t code = exr_get_scanlines_per_chunk(r->exr, 0, &step);
    bool sent = true;
    if (code == EXR_ERR_SUCCESS && (step < 1 || step > 256)) return raster_refuse(r->sink, "its blocks of lines have no size");
    r->rows = malloc(sizeof *r->rows * (size_t)r->head.columns * (size_t)step);
    r->row = malloc(sizeof *r->row * (size_t)r->head.columns);
    if (r->rows == NULL || r->row == NULL) return raster_refuse(r->sink, "there is no memory for a part of it");
    for (int64_t y = 0; y < r->head.rows && code == EXR_ERR_SUCCESS && sent; y += step) {
        code = read_block(r, (int32_t)y, &pipe, y == 0);
        int64_t left = r->head.rows - y;
        if (code == EXR_ERR_SUCCESS) sent = send_rows(r, left < step ? (int32_t)left : step);
    }
    exr_decoding_destroy(r->exr, &pipe);
    return code == EXR_ERR_SUCCESS ? sent : refuse(r, code);
}

bool exr_read(Str bytes, RasterSize size, RasterSink *sink) {
    exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
    Reading r = {.sink = sink};
    (void)size;
    setup.error_handler_fn = be_silent;
    setup.read_fn = on_read;
    setup.size_fn = on_size;
    setup.user_data = &bytes;
    exr_result_t code = exr_start_read(&r.exr, "heights", &setup);
    if (code != EXR_ERR_SUCCESS) return refuse(&r, code);
    bool good = read_head(&r) && raster_begin(sink, &r.head) && read_blocks(&r);
    free(r.rows);
    free(r.row);
    exr_finish(&r.exr);
    return good;
}
#else
typedef int world_no_exr;
#endif
