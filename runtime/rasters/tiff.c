#ifdef WORLD_HAVE_TIFF
#include "runtime/rasters/tiff.h"

#include <stdio.h>
#include <stdlib.h>

/* The most that libtiff may take at once: a file that lies about its sizes gets no more. */
static const tmsize_t most_at_once = (tmsize_t)1 << 30;

static tmsize_t on_read(thandle_t user, void *out, tmsize_t count) {
    TiffFile *file = user;
    const char *from = file->out ? file->out->bytes : file->bytes.ptr;
    uint64_t size = file->out ? file->out->size : file->bytes.len;
    if (count <= 0 || file->at >= size) return 0;
    uint64_t left = size - file->at;
    uint64_t taken = (uint64_t)count < left ? (uint64_t)count : left;
    memcpy(out, from + file->at, taken);
    file->at += taken;
    return (tmsize_t)taken;
}

static bool make_room(RasterBytes *out, uint64_t size) {
    if (size <= out->room) return true;
    if (size > (uint64_t)SIZE_MAX / 4) return false;
    size_t room = (size_t)size * 2;
    char *larger = realloc(out->bytes, room);
    if (larger == NULL) return false;
    memset(larger + out->room, 0, room - out->room);
    out->bytes = larger;
    out->room = room;
    return true;
}

static tmsize_t on_write(thandle_t user, void *bytes, tmsize_t count) {
    TiffFile *file = user;
    uint64_t end = file->at + (uint64_t)count;
    if (file->out == NULL || count <= 0 || !make_room(file->out, end)) return 0;
    memcpy(file->out->bytes + file->at, bytes, (size_t)count);
    file->at = end;
    if (end > file->out->size) file->out->size = (size_t)end;
    return count;
}

static toff_t on_seek(thandle_t user, toff_t offset, int whence) {
    TiffFile *file = user;
    uint64_t size = file->out ? file->out->size : file->bytes.len;
    file->at = whence == SEEK_SET ? offset : whence == SEEK_CUR ? file->at + offset : size + offset;
    return file->at;
}

static toff_t on_size(thandle_t user) {
    const TiffFile *file = user;
    return file->out ? file->out->size : file->bytes.len;
}

static int on_close(thandle_t user) {
    (void)user;
    return 0;
}

/* What goes wrong first is why. */
static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list args) {
    TiffFile *file = user;
    (void)tiff;
    (void)module;
    if (!file->said[0]) vsnprintf(file->said, sizeof file->said, format, args);
    return 1;
}

static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list args) {
    (void)tiff;
    (void)user;
    (void)module;
    (void)format;
    (void)args;
    return 1;
}

TIFF *tiff_open(TiffFile *file, const char *mode) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, most_at_once);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, file);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, file);
    TIFF *tiff = TIFFClientOpenExt("heights", mode, file, on_read, on_write, on_seek, on_close, on_size, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}
#else
typedef int world_no_tiff;
#endif
