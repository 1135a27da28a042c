#include "runtime/export/png.h"

#include <errno.h>
#include <png.h>

#include "runtime/base/little.h"
#include "runtime/file/file.h"

typedef struct Image {
    int width, height;
    int type, depth; /* libpng's color type, bits a channel */
    const uint8_t *rows;
    size_t stride; /* bytes */
} Image;

static void set_format(png_structp png, png_infop info, const Image *image) {
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, image->depth,
                 image->type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (image->type == PNG_COLOR_TYPE_RGB)
        png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    if (image->type == PNG_COLOR_TYPE_RGB) png_set_filler(png, 0, PNG_FILLER_AFTER);
    if (image->depth == 16 && machine_is_little) png_set_swap(png);
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    if (!file_add(png_get_io_ptr(png), bytes, count)) png_error(png, "");
}

/* What a picture becomes in memory. There is room for all of it: an arena's own way out would leave libpng as it is. */
typedef struct Kept {
    uint8_t *bytes;
    size_t count, room;
} Kept;

static void keep_bytes(png_structp png, png_bytep bytes, size_t count) {
    Kept *kept = png_get_io_ptr(png);
    if (count > kept->room - kept->count) png_error(png, "");
    memcpy(kept->bytes + kept->count, bytes, count);
    kept->count += count;
}

static void flush_bytes(png_structp png) {
    (void)png;
}

static _Noreturn void leave(png_structp png, png_const_charp message) {
    (void)message;
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

/* libpng leaves its errors by longjmp; nothing here is owned beyond what is destroyed after it. */
static bool write_image(png_rw_ptr write, void *to, const Image *image) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, leave, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, to, write, flush_bytes);
    set_format(png, info, image);
    for (int row = 0; row < image->height; row++)
        png_write_row(png, image->rows + (size_t)row * image->stride);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return true;
}

static bool write_file(const char *path, const Image *image, char *error, size_t size) {
    WholeFile file;
    if (file_open(&file, path)) {
        if (!write_image(write_bytes, &file, image)) file_fail(&file, ENOMEM); /* where the file did not fail before */
        if (file_commit(&file)) return true;
    }
    snprintf(error, size, "cannot write '%s': %s", path, strerror(file.problem));
    return false;
}

bool png_write_rgba(const char *path, int width, int height, const uint8_t *rgba, char *error,
                    size_t size) {
    Image image = {width, height, PNG_COLOR_TYPE_RGB, 8, rgba, (size_t)width * 4};
    return write_file(path, &image, error, size);
}

static Str encode(Arena *arena, const Image *image) {
    size_t raw = (image->stride + 1) * (size_t)image->height;
    Kept kept = {.room = raw + raw / 64 + 4096}; /* deflate never takes more */
    kept.bytes = arena_alloc_raw(arena, kept.room);
    return write_image(keep_bytes, &kept, image) ? (Str){(const char *)kept.bytes, kept.count} : (Str){0};
}

Str png_encode_rgba(Arena *arena, int width, int height, const uint8_t *rgba) {
    return encode(arena, &(Image){width, height, PNG_COLOR_TYPE_RGBA, 8, rgba, (size_t)width * 4});
}

Str png_encode_rgb(Arena *arena, int width, int height, const uint8_t *rgba) {
    return encode(arena, &(Image){width, height, PNG_COLOR_TYPE_RGB, 8, rgba, (size_t)width * 4});
}

bool png_write_gray16(const char *path, int width, int height, const uint16_t *gray, char *error,
                      size_t size) {
    Image image = {
        width, height, PNG_COLOR_TYPE_GRAY, 16, (const uint8_t *)gray, (size_t)width * 2};
    return write_file(path, &image, error, size);
}
