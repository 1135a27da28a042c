/* Files that are whole or not there: written beside their target under another name, and renamed
 * when all is well. A writer that fails leaves what stood at the target as it was. Errors are
 * sentences, in the arena.
 */
#ifndef WORLD_FILE_FILE_H
#define WORLD_FILE_FILE_H

#include <stdio.h>

#include "runtime/base/str.h"

typedef struct WholeFile {
    Arena *arena;
    const char *path, *temporary;
    FILE *stream; /* NULL for a library that opens `temporary` itself */
} WholeFile;

bool file_open(WholeFile *file, Arena *arena, const char *path, Str *error);
/* Only names it: for libraries that open files themselves. */
void file_name(WholeFile *file, Arena *arena, const char *path);
bool file_add(WholeFile *file, const void *bytes, size_t count, Str *error);
/* Closes and renames. On failure nothing is left of the new file. */
bool file_commit(WholeFile *file, Str *error);
void file_abandon(WholeFile *file);

/* All of a file. False with an error; a missing file has `*missing` set and no error. */
bool file_read(Arena *arena, const char *path, Str *bytes, bool *missing, Str *error);

#endif
