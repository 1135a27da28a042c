#include "runtime/file/picture.h"

#include <png.h>
#include <stdlib.h>

#include "runtime/base/watch.h"

typedef struct Reading {
    Memory *memory;
    Str file;
    size_t at;
    char reason[80];
    bool left; /* for want of memory, or because a watch ended it */
} Reading;

/* -- what libpng calls: it leaves its errors by longjmp -- */

_Noreturn static void on_error(png_structp png, png_const_charp message) {
    Reading *reading = png_get_error_ptr(png);
    snprintf(reading->reason, sizeof reading->reason, "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void on_read(png_structp png, png_bytep out, size_t count) {
    Reading *reading = png_get_io_ptr(png);
    if (count > reading->file.len - reading->at) png_error(png, "the file ends early");
    reading->left |= watch_due((int64_t)count * 64); /* a byte may become a thousand samples */
    if (reading->left) png_error(png, "stopped");
    memcpy(out, reading->file.ptr + reading->at, count);
    reading->at += count;
}

/* Its memory is counted as all other; the size stands before each block. */
static png_voidp on_allocate(png_structp png, png_alloc_size_t size) {
    Reading *reading = png_get_mem_ptr(png);
    char *block = memory_try_resize(reading->memory, NULL, 0, size + 16);
    if (block == NULL) {
        reading->left = true;
        return NULL;
    }
    *(size_t *)(void *)block = size + 16;
    return block + 16;
}

static void on_free(png_structp png, png_voidp pointer) {
    Reading *reading = png_get_mem_ptr(png);
    char *block = (char *)pointer - 16;
    memory_try_resize(reading->memory, block, *(size_t *)(void *)block, 0);
}

/* -- reading -- */

/* To gray or RGB of whole bytes. */
static void set_format(png_structp png, png_infop info) {
    int type = png_get_color_type(png, info);
    if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
    if (type == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(png);
    png_set_strip_alpha(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

static bool fits(png_structp png, png_infop info, uint64_t most) {
    uint64_t columns = png_get_image_width(png, info), rows = png_get_image_height(png, info);
    return columns * rows <= most;
}

/* The arena is asked under a recovery point of its own, so that no jump passes over libpng. */
static void *try_allocate(Reading *reading, Arena *arena, size_t size) {
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        void *room = arena_alloc_raw(arena, size);
        memory_end_try(&recover);
        return room;
    }
    reading->left = true;
    return NULL;
}

static bool read_rows(png_structp png, png_infop info, Reading *reading, Arena *arena,
                      Picture *picture) {
    size_t stride = png_get_rowbytes(png, info), rows = png_get_image_height(png, info);
    *picture = (Picture){.columns = (int)png_get_image_width(png, info),
                         .rows = (int)rows,
                         .channels = png_get_channels(png, info),
                         .bytes = png_get_bit_depth(png, info) / 8};
    uint8_t *samples = try_allocate(reading, arena, stride * rows + 1);
    png_bytep *at = samples ? try_allocate(reading, arena, rows * sizeof *at) : NULL;
    if (at == NULL) return false;
    for (size_t i = 0; i < rows; i++)
        at[i] = samples + i * stride;
    png_read_image(png, at);
    png_read_end(png, NULL);
    picture->samples = samples;
    return true;
}

static PictureStatus read_all(png_structp png, png_infop info, Reading *reading, Arena *arena,
                              uint64_t most, Picture *picture) {
    if (info == NULL || setjmp(png_jmpbuf(png))) return PICTURE_DAMAGED;
    png_set_read_fn(png, reading, on_read);
    png_set_user_limits(png, INT32_MAX, INT32_MAX);
    png_read_info(png, info);
    if (!fits(png, info, most)) return PICTURE_LARGE;
    set_format(png, info);
    return read_rows(png, info, reading, arena, picture) ? PICTURE_FINE : PICTURE_DAMAGED;
}

PictureStatus picture_read(Arena *arena, Str file, uint64_t most_samples, Picture *picture,
                           Str *reason) {
    Reading reading = {.memory = arena->memory, .file = file};
    if (file.len < 8 || png_sig_cmp((png_const_bytep)file.ptr, 0, 8) != 0) {
        *reason = STR_LIT("it is no PNG");
        return PICTURE_DAMAGED;
    }
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &reading, on_error, on_warning,
                                               &reading, on_allocate, on_free);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (png == NULL) memory_fail();
    PictureStatus status = read_all(png, info, &reading, arena, most_samples, picture);
    png_destroy_read_struct(&png, &info, NULL);
    if (reading.left) memory_fail();
    if (status == PICTURE_DAMAGED) *reason = str_printf(arena, "%s", reading.reason);
    return status;
}
