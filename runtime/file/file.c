#include "runtime/file/file.h"

#include <errno.h>
#include <unistd.h>

static bool fail(const WholeFile *file, const char *what, Str *error) {
    *error = str_printf(file->arena, "cannot %s %s: %s", what, file->path, strerror(errno));
    return false;
}

void file_name(WholeFile *file, Arena *arena, const char *path) {
    Str temporary = str_printf(arena, "%s.%ld.part", path, (long)getpid());
    *file = (WholeFile){.arena = arena, .path = path, .temporary = temporary.ptr};
}

bool file_open(WholeFile *file, Arena *arena, const char *path, Str *error) {
    file_name(file, arena, path);
    file->stream = fopen(file->temporary, "wb");
    return file->stream || fail(file, "write", error);
}

bool file_add(WholeFile *file, const void *bytes, size_t count, Str *error) {
    if (fwrite(bytes, 1, count, file->stream) == count) return true;
    fail(file, "write", error);
    file_abandon(file);
    return false;
}

void file_abandon(WholeFile *file) {
    if (file->stream) fclose(file->stream);
    file->stream = NULL;
    remove(file->temporary);
}

bool file_commit(WholeFile *file, Str *error) {
    FILE *stream = file->stream;
    file->stream = NULL;
    bool closed = !stream || fclose(stream) == 0;
    if (closed && rename(file->temporary, file->path) == 0) return true;
    fail(file, "write", error);
    remove(file->temporary);
    return false;
}

bool file_read(Arena *arena, const char *path, Str *bytes, bool *missing, Str *error) {
    WholeFile named = {.arena = arena, .path = path};
    FILE *stream = fopen(path, "rb");
    *missing = !stream && errno == ENOENT;
    if (*missing) return false;
    if (!stream) return fail(&named, "read", error);
    long size = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
    bool good = size >= 0 && fseek(stream, 0, SEEK_SET) == 0;
    char *room = good ? arena_alloc(arena, (size_t)size + 1) : NULL;
    good = good && fread(room, 1, (size_t)size, stream) == (size_t)size;
    fclose(stream);
    *bytes = (Str){room, good ? (size_t)size : 0};
    return good || fail(&named, "read", error);
}
