/* OpenEXR: one channel Y of 32-bit floats, ZIP compressed, exact. Without the library the writer
 * says so. */
#include "runtime/file/file.h"
#include "runtime/export/heights_write.h"

#ifdef WORLD_HAVE_EXR
#include <openexr.h>
#include <stdlib.h>

static void exr_silent(exr_const_context_t context, exr_result_t code, const char *message) {
    (void)context;
    (void)code;
    (void)message;
}

/* One compressed block of up to 16 rows, beginning with `row`. */
static exr_result_t write_block(exr_context_t exr, exr_encode_pipeline_t *pipe,
                                const HeightImage *image, int32_t row, bool first) {
    exr_chunk_info_t chunk;
    exr_result_t result = exr_write_scanline_chunk_info(exr, 0, row, &chunk);
    if (result != EXR_ERR_SUCCESS) return result;
    result = first ? exr_encoding_initialize(exr, 0, &chunk, pipe)
                   : exr_encoding_update(exr, 0, &chunk, pipe);
    if (result != EXR_ERR_SUCCESS) return result;
    exr_coding_channel_info_t *channel = &pipe->channels[0];
    channel->user_bytes_per_element = sizeof(float);
    channel->user_data_type = EXR_PIXEL_FLOAT;
    channel->user_pixel_stride = sizeof(float);
    channel->user_line_stride = (int32_t)(image->stride * (int64_t)sizeof(float));
    channel->encode_from_ptr = (const uint8_t *)(image->values + row * image->stride);
    if (first) result = exr_encoding_choose_default_routines(exr, 0, pipe);
    return result == EXR_ERR_SUCCESS ? exr_encoding_run(exr, 0, pipe) : result;
}

static exr_result_t write_blocks(exr_context_t exr, const HeightImage *image) {
    exr_encode_pipeline_t pipe = EXR_ENCODE_PIPELINE_INITIALIZER;
    int32_t rows = 1;
    exr_result_t result = exr_get_scanlines_per_chunk(exr, 0, &rows);
    for (int32_t row = 0; row < image->rows && result == EXR_ERR_SUCCESS; row += rows)
        result = write_block(exr, &pipe, image, row, row == 0);
    exr_encoding_destroy(exr, &pipe);
    return result;
}

static exr_result_t write_image(exr_context_t exr, const HeightImage *image) {
    int part;
    exr_result_t result = exr_add_part(exr, "heights", EXR_STORAGE_SCANLINE, &part);
    if (result == EXR_ERR_SUCCESS)
        result = exr_initialize_required_attr_simple(exr, part, image->columns, image->rows,
                                                     EXR_COMPRESSION_ZIP);
    if (result == EXR_ERR_SUCCESS)
        result = exr_add_channel(exr, part, "Y", EXR_PIXEL_FLOAT, EXR_PERCEPTUALLY_LINEAR, 1, 1);
    if (result == EXR_ERR_SUCCESS) result = exr_write_header(exr);
    return result == EXR_ERR_SUCCESS ? write_blocks(exr, image) : result;
}

/* OpenEXR goes back to what it has written, and a pipe cannot: all is gathered first. */
typedef struct Gathered {
    char *bytes;
    size_t size, room;
} Gathered;

static bool make_room(Gathered *gathered, size_t size) {
    if (size <= gathered->room) return true;
    char *larger = realloc(gathered->bytes, 2 * size);
    if (larger == NULL) return false;
    memset(larger + gathered->room, 0, 2 * size - gathered->room);
    gathered->bytes = larger;
    gathered->room = 2 * size;
    return true;
}

static int64_t gather(exr_const_context_t context, void *user, const void *bytes, uint64_t count,
                      uint64_t offset, exr_stream_error_func_ptr_t tell) {
    (void)context;
    (void)tell;
    Gathered *gathered = user;
    size_t end = offset + count;
    if (!make_room(gathered, end)) return -1;
    memcpy(gathered->bytes + offset, bytes, count);
    if (end > gathered->size) gathered->size = end;
    return (int64_t)count;
}

static exr_result_t gather_image(Gathered *gathered, const HeightImage *image) {
    exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
    setup.error_handler_fn = exr_silent;
    setup.write_fn = gather;
    setup.user_data = gathered;
    exr_context_t exr;
    exr_result_t result = exr_start_write(&exr, "heights", EXR_WRITE_FILE_DIRECTLY, &setup);
    if (result != EXR_ERR_SUCCESS) return result;
    result = write_image(exr, image);
    exr_result_t finished = exr_finish(&exr);
    return result == EXR_ERR_SUCCESS ? finished : result;
}

bool heights_write_exr(Arena *arena, const char *path, HeightImage image, Str *error) {
    Gathered gathered = {0};
    exr_result_t result = gather_image(&gathered, &image);
    WholeFile file;
    bool good = false;
    if (result == EXR_ERR_SUCCESS && file_open(&file, path)) {
        file_add(&file, gathered.bytes, gathered.size);
        good = file_commit(&file);
    }
    free(gathered.bytes);
    if (result != EXR_ERR_SUCCESS)
        *error =
            str_printf(arena, "cannot write %s: %s", path, exr_get_default_error_message(result));
    else if (!good)
        *error = file_sentence(&file, arena);
    return good;
}

#else

bool heights_write_exr(Arena *arena, const char *path, HeightImage image, Str *error) {
    (void)image;
    *error =
        str_printf(arena, "cannot write %s: this build has no OpenEXR; .r32 is as exact", path);
    return false;
}

#endif
